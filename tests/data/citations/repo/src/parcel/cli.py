"""Command line: parcel serve, parcel check, parcel doctor."""

from __future__ import annotations

import argparse
import sys

from .api import make_server
from .cache import LruCache
from .config import load_settings
from .parser import parse_many
from .store import ParcelStore


def build_parser():
    top = argparse.ArgumentParser(prog="parcel")
    sub = top.add_subparsers(dest="command", required=True)
    serve = sub.add_parser("serve", help="answer over HTTP")
    serve.add_argument("--port", type=int)
    check = sub.add_parser("check", help="check labels read from standard input")
    check.add_argument("--strict", action="store_true")
    sub.add_parser("doctor", help="print the settings in force")
    return top


def run_serve(args):
    settings = load_settings()
    server = make_server(settings, ParcelStore(), LruCache(ttl=settings.cache_ttl))
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        return 130
    return 0


def run_check(args):
    good, bad = parse_many(sys.stdin)
    for number, reason in bad:
        print(f"line {number}: {reason}", file=sys.stderr)
    print(f"{len(good)} sound, {len(bad)} broken")
    return 1 if bad and args.strict else 0


def run_doctor(args):
    print(load_settings())
    return 0


def main(argv=None):
    args = build_parser().parse_args(argv)
    handlers = {"serve": run_serve, "check": run_check, "doctor": run_doctor}
    return handlers[args.command](args)


if __name__ == "__main__":
    raise SystemExit(main())
