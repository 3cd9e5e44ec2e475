"""Checks the form of the corpus (stdlib only): python3 check.py"""
import collections
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# Forms that a scanner of a code host knows; none may stand in a file as such.
RAW = re.compile(
    r"(AKIA|ASIA)[A-Z2-7]{16}|gh[pousr]_[A-Za-z0-9]{30}|github_pat_\w{30}|xox[bp]-\d|hooks\.slack\.com/services/T"
    r"|[sr]k_live_\w{10}|AIza[\w-]{30}|PRIVATE KEY-----\\n|PRIVATE KEY BLOCK|eyJ[\w-]{12,}\.eyJ|npm_\w{30}"
    r"|pypi-AgEI|sk-[\w-]{20}|glpat-[\w-]{15}|SG\.[\w-]{15}|AccountKey=\w|hf_[A-Za-z]{30}|dop_v1_\w"
    r"|\d{8,10}:AA[\w-]{20}|discord\.com/api/webhooks/\d|://\w+:[A-Za-z0-9]{14,}@")
HIDDEN = re.compile("[\u202a-\u202e\u2066-\u2069]")
bad = []


def rows(name):
    with open(os.path.join(HERE, name), encoding="ascii") as fh:
        raw = fh.read()
    for m in RAW.finditer(raw):
        bad.append(f"{name}: raw secret form {m.group()[:12]!r}")
    out = [json.loads(line) for line in raw.splitlines()]
    if len({r["id"] for r in out}) != len(out):
        bad.append(f"{name}: ids repeat")
    return out


def size(row, low, high):
    n = len(row["text"].rstrip("\n").split("\n"))
    if not low <= n <= high:
        bad.append(f"{row['id']}: {n} lines")
    return n


attacks = rows("attacks.jsonl")
for r in attacks:
    n = size(r, 3, 40)
    if not 1 <= r["line"] <= r["end_line"] <= n:
        bad.append(f"{r['id']}: line {r['line']}")
innocent = rows("innocent.jsonl")
for r in innocent:
    size(r, 10, 60)
    if HIDDEN.search(r["text"]):
        bad.append(f"{r['id']}: bidi control")
secrets = rows("secrets.jsonl")
for r in secrets:
    if r["text"].count("{{SECRET}}") != 1 or "{{SECRET}}" not in r["text"].split("\n")[r["line"] - 1]:
        bad.append(f"{r['id']}: placeholder")
    if max(map(len, r["parts"])) > 31 or len(r["parts"]) < 2:
        bad.append(f"{r['id']}: parts")
plain = rows("no_secrets.jsonl")
counts = [len(attacks), len(innocent), len(secrets), len(plain)]
if counts != [50, 50, 40, 40]:
    bad.append(f"counts {counts}")
print(counts, dict(collections.Counter(r["category"] for r in attacks)),
      "near", sum(r["near"] for r in innocent))
print("\n".join(bad) or "ok")
sys.exit(bool(bad))
