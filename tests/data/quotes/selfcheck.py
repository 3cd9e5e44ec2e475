"""Naive, independent self-check of good.jsonl and bad.jsonl. Stdlib only.

Two readings are used: a lenient one (every quote mark equal, white space beside
punctuation gone, commas/semicolons/quote marks droppable) which bad quotes must
fail, and a strict one which good quotes must pass.
"""
import json, os, re, sys, unicodedata
from collections import Counter
from functools import lru_cache

HERE = os.path.dirname(os.path.abspath(__file__))
SINGLE = "'\u2018\u2019\u201a\u201b\u2032\u2039\u203a`"
DOUBLE = "\"\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"
DASH = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u00ad\ufe63"
GUT = re.compile(r"^\s*\d+\| ?")
COMMENTED = re.compile(r"^\s*(?:#|//)[ \t]+(?:self\.|return |if |for |problems|notify|sys\.|def force|this\.|\}|q\.|log\.|let |unsafe|gc:|on:|age:|dry:)")
ELL = re.compile(r"\s*(?:\.\.\.|\u2026)\s*")


def squeeze(s):
    s = re.sub(r"\s+", " ", s.strip())
    s = re.sub(r" (?=\W)", "", s)
    return re.sub(r"(?<=\W) ", "", s)


def base(s, strict=False):
    s = unicodedata.normalize("NFKC", s)
    s = "".join('"' if c in DOUBLE or (c in SINGLE and not strict) else "'" if c in SINGLE
                else "-" if c in DASH else c for c in s)
    return s


@lru_cache(maxsize=4096)
def canon(s, strict=False):
    return squeeze(base(s, strict))


@lru_cache(maxsize=4096)
def drop(s, fill=" "):
    return squeeze(re.sub(r"[,;\"]", fill, base(s)))


def strip_gutter(t):
    lines = t.splitlines()
    live = [l for l in lines if l.strip()]
    if live and all(GUT.match(l) for l in live):
        return "\n".join(GUT.sub("", l) for l in lines)
    return t


@lru_cache(maxsize=4096)
def find(needle, hay, start=0):
    """Index of needle in hay at word boundaries, or -1."""
    w = re.compile(r"\w")
    while needle:
        i = hay.find(needle, start)
        if i < 0:
            return -1
        j = i + len(needle)
        left = not (i and w.match(hay[i - 1]) and w.match(needle[0]))
        right = not (j < len(hay) and w.match(hay[j]) and w.match(needle[-1]))
        if left and right:
            return i
        start = i + 1
    return -1


def region(src, s, e):
    return "\n".join(src.splitlines()[max(0, s - 1):e])


def verbatim(text, hay, strict=False):
    return any(find(canon(t, strict), canon(hay, strict)) >= 0 for t in {text, strip_gutter(text)})


def punct_near(text, hay):
    for t in {text, strip_gutter(text)}:
        for fill in " ", "":
            n = drop(t, fill)
            h = drop(hay, fill)
            if find(n, h) >= 0 or (n.endswith(".") and find(n.rstrip("."), h) >= 0):
                return True
    return False


def pieces(text):
    return [p for p in ELL.split(strip_gutter(text)) if p.strip()]


def elided(text, hay, minimum=12, form=canon):
    ps = pieces(text)
    if len(ps) < 2 and not ELL.search(text):
        return False
    if not ps:
        return False
    h, at = form(hay), 0
    for p in ps:
        n = form(p)
        if len(n) < minimum:
            return False
        i = find(n, h, at)
        if i < 0:
            return False
        at = i + len(n)
    return True


def truly_absent(text, src):
    """No lenient reading finds the text anywhere in the source."""
    return not (verbatim(text, src) or punct_near(text, src)
                or elided(text, src, 1) or elided(text, src, 1, drop))


def fold(s):
    return re.sub(r"\s+", " ", s).strip().casefold()


def words(s):
    return re.findall(r"\w+", base(s).casefold())


def echoes(text, claim):
    if fold(text) == fold(claim):
        return True
    t, c = words(text), set(words(claim))
    return bool(t) and sum(w in c for w in t) / len(t) > 0.55


def load():
    d = os.path.join(HERE, "sources")
    return {f: open(os.path.join(d, f), encoding="utf-8", newline="").read() for f in sorted(os.listdir(d))}


def rows(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as f:
        return [json.loads(l) for l in f]


KEYS = ["id", "category", "source", "start_line", "end_line", "text", "claim", "expect"]


def check_good(r, S):
    src = S[r["source"]]
    n = len(src.splitlines())
    here = region(src, r["start_line"], r["end_line"])
    t = r["text"]
    assert 1 <= r["start_line"] <= r["end_line"] <= n
    assert 12 <= len(canon(strip_gutter(t))) and len(t) <= 500
    assert len(canon(t)) < 0.35 * len(canon(src))
    assert not echoes(t, r["claim"])
    for l in region(src, r["start_line"], r["end_line"]).splitlines() if r["expect"] != "moved" else ():
        if COMMENTED.match(l):      # a good quote never turns commented-out code into code
            body = re.sub(r"^\s*(#|//)\s*", "", l)
            assert not verbatim(body, t) or re.search(r"(#|//)\s*" + re.escape(canon(body)[:6]), canon(t)) or len(canon(body)) < 6
        if COMMENTED.match(l) and r["start_line"] == r["end_line"]:
            assert re.match(r"\s*(#|//)", unicodedata.normalize("NFKC", strip_gutter(t)))
    strict = r["category"] != "guillemets_backticks"
    if r["expect"] == "exact":
        assert verbatim(t, here, strict)
    elif r["expect"] == "moved":
        assert verbatim(t, src, strict)
        assert truly_absent(t, here)
    else:
        assert r["expect"] == "near"
        assert not verbatim(t, src)
        assert punct_near(t, here) or elided(t, here, 12)


def check_bad(r, S):
    t, cat, exp = r["text"], r["category"], r["expect"]
    s, e = r["start_line"], r["end_line"]
    assert 1 <= s <= e
    if exp == "rejected:wrong_source":
        assert r["source"] not in S and any(verbatim(t, x, True) for x in S.values())
        assert 12 <= len(canon(t)) and len(t) <= 500 and not echoes(t, r["claim"])
        return
    src = S[r["source"]]
    n = len(src.splitlines())
    if cat == "lines_out_of_file":
        assert s > n
    else:
        assert e <= n
    if cat.startswith("claim_echo"):
        assert fold(t) == fold(r["claim"]) and exp == "rejected:claim_echo"
        assert 12 <= len(canon(t)) and len(t) <= 500
        assert verbatim(t, region(src, s, e)) == (cat == "claim_echo_in_source")
        return
    assert not echoes(t, r["claim"]), "echo"
    if exp == "rejected:too_short":
        assert verbatim(t, region(src, s, e), True)
        assert len(canon(strip_gutter(t))) < 12 and len(re.sub(r"\s+", " ", strip_gutter(t)).strip()) < 12
        assert (len(t) >= 12) == (cat == "too_short_padded")
        return
    if exp == "rejected:too_long":
        assert verbatim(t, region(src, s, e), True) and len(canon(t)) > 505
        assert len(canon(t)) < 0.4 * len(canon(src))
        return
    if exp == "rejected:whole_source":
        assert verbatim(t, region(src, s, e), True) and 12 <= len(t) <= 500
        assert len(canon(t)) > 0.8 * len(canon(src))
        return
    assert exp == "absent"
    assert 12 <= len(canon(strip_gutter(t))) and len(t) <= 500, "length"
    assert len(canon(t)) < 0.45 * len(canon(src)), "share"
    wide = region(src, s - 3, e + 3)
    if cat == "comment_marker_removed_line":
        assert verbatim(t, region(src, s, e), True)          # bad by judgement only
        live = [l for l in src.splitlines() if not re.match(r"\s*(#|//)", l)]
        assert not verbatim(t, "\n".join(live))
    elif cat == "near_at_wrong_lines":
        assert punct_near(t, src) and not verbatim(t, src) and truly_absent(t, wide)
    elif cat == "elision_outside_lines":
        assert elided(t, src, 12) and not verbatim(t, src) and not punct_near(t, src)
        assert not elided(t, wide, 1) and not elided(t, wide, 1, drop)
    elif cat == "elision_short_pieces":
        assert not verbatim(t, src) and not punct_near(t, src)
        assert elided(t, region(src, s, e), 1) and min(len(p.strip()) for p in pieces(t)) < 12
    elif cat == "elision_out_of_order":
        assert not verbatim(t, src) and not punct_near(t, src)
        assert not elided(t, src, 1) and not elided(t, src, 1, drop)
        assert all(len(canon(p)) >= 12 and verbatim(p, region(src, s, e), True) for p in pieces(t))
    else:
        assert truly_absent(t, src), "present"
    if cat == "other_source":
        assert any(verbatim(t, x, True) for x in S.values())


def main():
    S = load()
    size = 0
    for name, f, want in ("good.jsonl", check_good, 200), ("bad.jsonl", check_bad, 1000):
        rs = rows(name)
        for r in rs:
            assert list(r) == KEYS, r
            try:
                f(r, S)
            except AssertionError as x:
                sys.exit("%s FAILED %s: %r" % (name, x, r))
        assert len({r["id"] for r in rs}) == len(rs) == want, len(rs)
        assert len({(r["source"], r["start_line"], r["end_line"], r["text"]) for r in rs}) == want
        print(name, len(rs), "ok;", dict(Counter(r["expect"] for r in rs)))
        for k, v in Counter(r["category"] for r in rs).items():
            print("   %-32s %4d" % (k, v))
    for root, _, fs in os.walk(HERE):
        for x in fs:
            p = os.path.join(root, x)
            size += os.path.getsize(p)
            if x.endswith((".py", ".jsonl", ".md", ".ts", ".go", ".rs", ".yaml", ".log")):
                open(p, encoding="utf-8").read()
    print("total bytes", size)
    assert size < 700_000


if __name__ == "__main__":
    main()
