"""Deterministic generator of good.jsonl and bad.jsonl (seeded; stdlib only)."""
import json
import os
import random
import re
import unicodedata

import hand
from selfcheck import COMMENTED, HERE, KEYS, canon, check_bad, check_good, echoes, load

S = load()
L = {k: v.splitlines() for k, v in S.items()}
NAMES = list(S)
CODE = ["ledger.py", "retry.py", "session.ts", "queue.go", "ring.rs"]
LOOKALIKE = re.compile(r"^\s*\d+\| ")
NEGATION = re.compile(r"\b(not|never|no|none|nobody|without|cannot|un\w+|in(?:valid|complete|compatible|active)\w*|dis\w+|fewer|rather)\b|!|#|//", re.I)


def spans(names=NAMES, lengths=(1, 2, 3), lookalike=False):
    """All (source, start, end, raw text) of 1..3 lines without blank edge lines."""
    out = []
    for f in names:
        ls = L[f]
        for n in lengths:
            for i in range(len(ls) - n + 1):
                part = ls[i:i + n]
                if not part[0].strip() or not part[-1].strip():
                    continue
                if not lookalike and any(LOOKALIKE.match(x) for x in part):
                    continue
                t = "\n".join(part)
                if len(canon(t)) >= 14 and len(t) <= 400:
                    out.append((f, i + 1, i + n, t))
    return out


def claim_for(rng, f, text):
    pool = list(hand.CLAIMS[f])
    rng.shuffle(pool)
    for c in pool:
        if not echoes(text, c):
            return c
    return "Something unrelated is stated."


class Book:
    def __init__(self, check, prefix):
        self.rows, self.seen, self.check, self.prefix, self.why = [], set(), check, prefix, {}

    def add(self, cat, f, s, e, text, claim, expect):
        key = (f, s, e, text)
        if key in self.seen:
            return False
        row = dict(zip(KEYS, ["", cat, f, s, e, text, claim, expect]))
        try:
            self.check(row, S)
        except AssertionError:
            return False
        self.seen.add(key)
        row["id"] = "%s%04d" % (self.prefix, len(self.rows) + 1)
        self.rows.append(row)
        return True

    def fill(self, cat, want, candidates, expect, rng):
        """candidates: list of (site, source, s, e, text); spreads over sources and sites."""
        by = {}
        for c in candidates:
            by.setdefault(c[1], []).append(c)
        order = sorted(by)
        rng.shuffle(order)
        for f in order:
            rng.shuffle(by[f])
        used, texts, got = {}, set(), 0
        for limit in (1, 2, 3):
            live = list(order)
            pos = {f: 0 for f in order}
            while live and got < want:
                for f in list(live):
                    done = False
                    while pos[f] < len(by[f]) and not done:
                        site, _, s, e, text = by[f][pos[f]]
                        pos[f] += 1
                        if used.get((f, site), 0) >= limit or (f, text) in texts:
                            continue
                        if self.add(cat, f, s, e, text, claim_for(rng, f, text), expect):
                            used[(f, site)] = used.get((f, site), 0) + 1
                            texts.add((f, text))
                            got += 1
                            done = True
                    if pos[f] >= len(by[f]):
                        live.remove(f)
                    if got >= want:
                        break
            if got >= want:
                break
        if got != want:
            print("SHORT %s: %d of %d (%d candidates)" % (cat, got, want, len(candidates)))

    def write(self, name):
        with open(os.path.join(HERE, name), "w", encoding="utf-8") as f:
            for r in self.rows:
                f.write(json.dumps(r) + "\n")


def mutate(finder, names=NAMES, lengths=(1, 2, 3), seed=0, per=4, dedent=True):
    """finder(text, source, rng) -> list of (start, end, replacement)."""
    rng = random.Random(seed)
    out = []
    for f, s, e, t in spans(names, lengths):
        if any(COMMENTED.match(x) for x in t.split("\n")) and rng.random() < 0.7:
            continue
        hits = finder(t, f, rng)
        rng.shuffle(hits)
        for a, b, r in hits[:per]:
            line = s + t.count("\n", 0, a)
            col = a - (t.rfind("\n", 0, a) + 1)
            new = t[:a] + r + t[b:]
            if rng.random() < 0.5:
                new = new.strip()
            out.append(((line, col), f, s, e, new))
    return out


def regex(*pairs, only=None):
    comp = [(re.compile(p), r) for p, r in pairs]

    def finder(t, f, rng):
        hits = []
        for p, r in comp:
            for m in p.finditer(t):
                new = r(m, rng) if callable(r) else m.expand(rng.choice(r) if isinstance(r, list) else r)
                if new != m.group(0):
                    hits.append((m.start(), m.end(), new))
        return hits
    return finder


# ---------------------------------------------------------------- mutators

def num(m, rng):
    n = m.group(0)
    v = int(n)
    width = len(n)
    opts = [str(v + 1), str(v + 10), str(v * 10) if v else "2"]
    if v > 1:
        opts.append(str(v - 1))
    if width > 1:
        sw = n[:-2] + n[-1] + n[-2]
        if sw != n:
            opts.append(sw)
    return rng.choice(opts).zfill(width)


NUMBER = regex((r"(?<![A-Za-z_\d])\d+(?![A-Za-z_\d])|(?<![A-Za-z_\d])\d+(?=ms\b|s\b|d\b|MiB)", num))
OPERATOR = regex(
    (r"(?<= )===(?= )", "!=="), (r"(?<= )==(?= )", ["!=", ">="]), (r"(?<= )!=(?= )", "=="),
    (r"(?<= )<=(?= )", ["<", "=="]), (r"(?<= )>=(?= )", [">", "=="]), (r"(?<= )<(?= )", ["<=", "!="]),
    (r"(?<= )>(?= )(?! *\w+ *>)", [">=", "!="]), (r"(?<= )\+(?= )", ["-", "*"]), (r"(?<= )-(?= )", "+"),
    (r"(?<= )\*(?= )", ["/", "+"]), (r"(?<= )/(?= \w+ as| n\b|2\))", "*"), (r"(?<= )%(?= )", "/"),
    (r"(?<= )&&(?= )", "||"), (r"(?<= )\|\|(?= )", "&&"), (r"(?<= )\+=(?= )", "-="), (r"\+\+", "--"),
    (r"(?<= )\*\*(?= )", "*"), (r"(?<=\))\s&\s", " | "), (r"(?<=self\.\w{4} )\*(?= )", "+"))
COMPARISON = regex(
    (r"(?<= )<=(?= )", ">="), (r"(?<= )>=(?= )", "<="), (r"(?<= )<(?= )", ">"), (r"(?<= )>(?= \w)(?! \w+ >)", "<"),
    (r"\babove\b", "below"), (r"\bbelow\b", "above"), (r"\bat most\b", "at least"), (r"\bat least\b", "at most"),
    (r"\bmore than\b", "less than"), (r"\bFewer than\b", "More than"), (r"\bfewer than\b", "more than"),
    (r"\bolder than\b", "newer than"), (r"\bor more\b", "or fewer"), (r"\bbefore\b", "after"), (r"\bafter\b", "before"),
    (r"\bOldest\b", "Newest"), (r"\boldest\b", "newest"), (r"\blengthen\b", "shorten"), (r"\blater\b", "earlier"))
NEG_DROP = regex(
    (r"\bnot (?=\w)", ""), (r"\bnever (?=\w)", ""), (r"\bno (?=\w)", ""), (r"\bcannot\b", "can"),
    (r"\bwithout\b", "with"), (r" !== ", " === "), (r" != ", " == "), (r"!(?=[a-z])", ""), (r"\bNone of them\b", "All of them"),
    (r"\bneeds none\b", "needs one"), (r"\bun(?=able|known|usable|likely|available|safe|listed|closed|reliable|changed)", ""),
    (r"\bin(?=valid|complete|compatible|active)", ""), (r"\brather than\b", "or"), (r"\bnobody\b", "everybody"), (r"\bdis(?=abled)", "en"),
    (r"\bUnlisted|not_", lambda m, r: ""))
NEG_ADD = regex(
    (r"\b(is|are|was|were|must|may|will|does|can|should)\b (?!not|no\b|never|is\b|None)(?=[a-z])", r"\1 not "),
    (r"(?<=\bif )(?=self|q\.|parts|breaker|problems|pause|ok)", "not "), (r"(?<=if \()(?=this|session)", "!"),
    (r"(?<=\bif )(?=self\.\w+ \{)", "!"), (r"\b(it|which|that|one|queue|relay|sample|breaker) (?=[a-z]+s\b)", r"\1 never "),
    (r"(?<=return )(?=total|self|age_days|problems|found|count)", "not "), (r"\bunder\b|\bvalid\b", lambda m, r: "in" + m.group(0) if m.group(0) == "valid" else m.group(0)),
    (r"\b(PASSED)\b", "not PASSED"), (r"\b(is|has been) (?=[a-z]+ed\b)", r"\1 never "))
KEYWORDS = set("""return raise class from import None True False self with pass else while break continue const func type struct package private
readonly number string boolean true false undefined this throw function interface export constructor pub impl match usize Self bool
range append defer Lock uint64 byte time Time bytes annotations dataclass dataclasses async await error print super""".split())
IDENT = {}
for _f in CODE:
    ids = set()
    for _l in L[_f]:
        if re.match(r"\s*(#|//|\*|/\*)", _l) or re.match(r"^[A-Z][a-z]+ |^    [A-Z]?[a-z]+ [a-z]+ [a-z]+ ", _l):
            continue
        for _m in re.finditer(r"\b[A-Za-z_][A-Za-z0-9_]{3,}\b", re.sub(r"\"[^\"]*\"", "", _l)):
            if _m.group(0) not in KEYWORDS:
                ids.add(_m.group(0))
    IDENT[_f] = sorted(ids)


def style(w):
    return ("_" in w, w.isupper(), w[:1].isupper())


def identifiers(t, f, rng):
    hits = []
    for m in re.finditer(r"\b[A-Za-z_][A-Za-z0-9_]{3,}\b", t):
        w = m.group(0)
        line = t[t.rfind("\n", 0, m.start()) + 1:m.start()]
        if w in IDENT.get(f, ()) and not re.match(r"\s*(#|//|\*|/\*)", line) and line.count('"') % 2 == 0:
            pool = [x for x in IDENT[f] if style(x) == style(w) and x != w]
            if pool:
                hits.append((m.start(), m.end(), rng.choice(pool)))
    return hits


def recase(m, rng):
    w = m.group(0)
    opts = {w.lower(), w.upper(), w[0].swapcase() + w[1:], w.title().replace("_", "_")} - {w}
    return rng.choice(sorted(opts))


CASE = regex((r"\b[A-Za-z][A-Za-z_]{3,}\b", recase))
INSERTS = ["usually", "often", "only", "almost", "still", "mostly", "nearly", "sometimes", "also", "already", "hardly", "partly"]
PROSE_GAP = re.compile(r"(?<=[a-z] )(?=[a-z]{2,} [a-z]{2,})")


def prose(t):
    return len(re.findall(r"\b[a-z]{2,} (?=[a-z]{2,}\b)", t)) >= 4


def insert_word(t, f, rng):
    if not prose(t):
        return []
    return [(m.start(), m.start(), rng.choice(INSERTS) + " ") for m in PROSE_GAP.finditer(t)]


def drop_word(t, f, rng):
    if not prose(t):
        return []
    skip = {"not", "never", "no", "without"}
    return [(m.start(), m.end(), "") for m in re.finditer(r"(?<=[a-z] )[a-z]{2,} (?=[a-z])", t) if m.group(0).strip() not in skip]


def swap_words(t, f, rng):
    hits = [(m.start(), m.end(), m.group(2) + ", " + m.group(1)) for m in re.finditer(r"\b([A-Za-z_]\w+), (\w+)\b", t)
            if m.group(1) != m.group(2)] * 2
    hits += [(m.start(), m.end(), m.group(3) + m.group(2) + m.group(1))
             for m in re.finditer(r"\b(\w+)( (?:-|<|>|<=|>=|%|\*|/|==|as) )(\w+)\b", t) if m.group(1) != m.group(3)]
    if prose(t):
        hits += [(m.start(), m.end(), m.group(2) + " " + m.group(1)) for m in re.finditer(r"\b([a-z]{2,}) ([a-z]{2,})\b", t)
                 if m.group(1) != m.group(2)]
    return hits


VALUES = ["pending", "remote", "legacy", "rejected", "internal", "sha512", "USD", "backup", "missing", "fatal", "ready", "orders"]


def string_value(t, f, rng):
    hits = []
    for m in re.finditer(r"\"([^\"\n]+)\"", t if '"""' not in t else ""):
        for w in re.finditer(r"[A-Za-z]{2,}", m.group(1)):
            a = m.start(1) + w.start()
            if m.group(1)[max(0, w.start() - 1):w.start()] == "%":
                continue
            hits.append((a, a + len(w.group(0)), rng.choice(VALUES)))
    if f == "relay.yaml":
        for m in re.finditer(r"(?<=: )[a-z]{3,}$|(?<=/v2/)[a-z]+$", t, re.M):
            if m.group(0) not in ("true", "false"):
                hits.append((m.start(), m.end(), rng.choice(VALUES)))
    return hits


BOOL = regex((r"\bTrue\b", "False"), (r"\bFalse\b", "True"), (r"\btrue\b", "false"), (r"\bfalse\b", "true"))
UNIT = regex(
    (r"\bseconds\b", ["minutes", "milliseconds"]), (r"(?<=\d )s\b", "ms"), (r"(?<=\d)s\b", ["m", "ms"]), (r"(?<=\d )ms\b", "s"),
    (r"(?<=\d)ms\b", "s"), (r"\bminutes\b", ["hours", "seconds"]), (r"\bhours\b", ["days", "minutes"]), (r"\bdays\b", ["hours", "weeks"]),
    (r"\bpercent\b", ["permille", "points"]), (r"\bMiB\b|(?<=\d)MiB\b", ["KiB", "GiB"]), (r"\bKiB\b", "MiB"), (r"\bcents\b(?=;)", "euros"),
    (r"\bper second\b", "per minute"), (r"\btime\.Second\b", ["time.Minute", "time.Millisecond"]), (r"(?<=\d)d\b", ["h", "w"]),
    ("\u00b5s", "ms"), (r"\bmilliseconds\b", "seconds"), (r"\bweek\b", "month"), (r"\bhour\b", "day"))
BRACKET = regex(
    (r"\((\w+)((?:\.\w+)+)\)", r"(\1)\2"),
    (r"\)( (?:[-+*/<>%&]|==|<=|>=|\*\*|!=) )([\w.]+)(?![\w.(\[])", r"\1\2)"),
    (r"\](?: )(\*) (\w+)", r" \1 \2]"),
    (r"([\w.]+) ([-+*/&]) \(([\w.]+)", r"(\1 \2 \3"),
    (r"\((\w+) ([-+*/]) (\w+)", r"\1 \2 (\3"),
    (r"\(([\w.]+) (&&|\|\||<=|>=|===|<|>|==) ", r"\1 \2 ("),
    (r"(\w+)\((\w+)\)\.(\w+)", r"\1(\2.\3)"),
    (r"\[([\w.]+)\]\.(\w+)", r"[\1.\2]"),
    (r"\(\)\.(\w+)\(", r"(.\1)("),
    (r"([\w.]+)\[(\w+)\] (=) ", r"\1\3[\2] "))
QUANT = regex(
    (r"\ball\b", "some"), (r"\bAll\b", "Some"), (r"\bevery\b", "any"), (r"\beach\b", "only"), (r"\balways\b", ["sometimes", "often"]), (r"\bnever\b", "rarely"),
    (r"\bonly\b", ["also", "mostly"]), (r"\bMost\b", "All"), (r"\bNone\b(?= of)", "Some"), (r"\bany\b", "every"), (r"\bnobody\b", "somebody"),
    (r"\bmost\b", "least"), (r"\bexactly\b|\bExactly\b", "Roughly"), (r"\btwice\b", "once"), (r"\btwo\b", "three"), (r"\bfirst\b", "last"),
    (r"\blast\b", "first"), (r"\bone\b(?= (?:call|copy|user|unit|sample|entry|probe|new))", "no"), (r"\bwhole\b", "rounded"), (r"\bAny\b", "No"), (r"\bsecond\b(?= entry| reversal| patch)", "third"))
FORM = regex((r"(?<=[a-z] )(messages|entries|errors|sessions|samples|attempts|depots|options|readers|tests|contents|producers|accounts|calls|incidents|notes|results)\b(?=[ ,.;])",
              lambda m, r: {"entries": "entry"}.get(m.group(0), m.group(0)[:-1])),
             (r"(?<=[a-z] )(message|error|session|sample|token|queue|reversal|caller|delay|breaker|relay|alarm|certificate|patch|receipt|limit)\b(?=[ ,.;])",
              lambda m, r: m.group(0) + ("es" if m.group(0) == "patch" else "s")),
             (r"\b(returned|stored|refused|written|removed|retried|delivered|kept|recorded)\b(?=[ ,.;])",
              lambda m, r: {"returned": "returning", "stored": "storing", "refused": "refusing", "written": "writing", "removed": "removing", "retried": "retrying", "delivered": "delivering", "kept": "keeping", "recorded": "recording"}[m.group(0)]))


def diacritic(m, rng):
    w = m.group(0)
    plain = unicodedata.normalize("NFD", w)
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    if plain != w:
        return plain
    i = rng.choice([k for k, c in enumerate(w) if c in "aeou"])
    return w[:i] + {"a": "\u00e4", "e": "\u00e9", "o": "\u00f6", "u": "\u00fc"}[w[i]] + w[i + 1:]


DIACRITIC = regex((r"\b(?:I\u0161kra|\u00d1and\u00f6l|na\u00efve|caf\u00e9)\b", diacritic), (r"\b[a-z]{2,}[aeou][a-z]{2,}\b", diacritic))
CYR = {"a": "\u0430", "e": "\u0435", "o": "\u043e", "p": "\u0440", "c": "\u0441", "x": "\u0445", "y": "\u0443", "i": "\u0456",
       "A": "\u0391", "E": "\u0415", "M": "\u041c", "T": "\u0422"}
HOMO = regex((r"(?<=[A-Za-z])[aeopcxyi](?=[A-Za-z])|\b[AEMT](?=[a-zA-Z]{3})", lambda m, r: CYR[m.group(0)]))
ZERO = regex((r"(?<=[a-z])(?=[a-z]{2})", lambda m, r: r.choice(["\u200b", "\u200c", "\u200d", "\u2060", "\ufeff"])))
JOIN = regex((r"(?<=[A-Za-z]) (?=[A-Za-z])", ""))
SPLIT = regex((r"\b([A-Za-z]{3,})([a-z]{3,})\b", lambda m, r: m.group(1)[:3] + " " + m.group(1)[3:] + m.group(2)))


# ---------------------------------------------------------------- cuts

def cuts(start, kind, seed):
    """Quotes that begin (start) or end inside a word or a number."""
    rng = random.Random(seed)
    pre = re.compile(r"\b(un(?=[a-z]{4})|in(?=valid|complete|compatible|active)|re(?=deliver|versal|tryable)|over(?=draft)|mis(?=lead)|dis(?=abled))", re.I)
    out, out2 = [], []
    for f, s, e, t in spans(lengths=(1, 2)):
        if kind == "digits":
            ms = [m.start() for m in re.finditer(r"(?<=\d)(?=\d)", t)]
        else:
            ms = [m.start() for m in re.finditer(r"(?<=[A-Za-z])(?=[A-Za-z])", t)]
            nice = {m.end() for m in pre.finditer(t)} if start else {m.end() for m in re.finditer(r"[a-z]{3}(?=s\b|ed\b|able\b|less\b|ing\b|ly\b)", t)}
            ms = [i for i in ms if i in nice] or ([rng.choice(ms)] if ms and rng.random() < 0.35 else [])
        for i in ms:
            q = t[i:] if start else t[:i]
            if start and "\n" in t[:i] or not start and "\n" in t[i:]:
                continue
            if start and len(q) > 60 and rng.random() < 0.6:
                k = q.rfind(" ", 40, 60)
                q = q[:k] if k > 0 else q
            if not start and len(q) > 60 and rng.random() < 0.6:
                k = q.find(" ", len(q) - 60, len(q) - 30)
                q = q[k + 1:] if k > 0 else q
            good = kind == "digits" or (re.match(r"[a-z]{4}", q) if start else re.search(r"[A-Za-z]{3}$", q))
            (out if good else out2).append(((s, i, start), f, s, e, q.strip() if rng.random() < 0.7 else q.rstrip()))
    return out or out2


def boundary_cut(rng, t, lo=14, back=False):
    """A piece of t from its start (or to its end) cut at a white-space boundary."""
    ks = [m.start() for m in re.finditer(r"\s+", t.strip())]
    t = t.strip()
    ks = [k for k in ks if len(canon(t[k:] if back else t[:k])) >= lo]
    if not ks:
        return t
    k = rng.choice(ks)
    return t[k:].strip() if back else t[:k].strip()


def two_pieces(rng, t, lo=14, avoid=None):
    """Split t into two boundary pieces with something left out between them, or None."""
    t = t.strip()
    gaps = [m.start() for m in re.finditer(r"\s+", t)]
    cand = []
    for a in gaps:
        for b in gaps:
            if b - a >= 9 and len(canon(t[:a])) >= lo and len(canon(t[b:])) >= lo and re.search(r"\w{2}", t[a:b]) and not (avoid and avoid.search(t[a:b])):
                cand.append((a, b))
    if not cand:
        return None
    a, b = rng.choice(cand)
    p, q = t[:a].strip(), t[b:].strip()
    if p.endswith(".") or q.startswith(".") or "..." in t:
        return None
    return p, q


MARKS = ["...", " ... ", "\u2026", " \u2026 ", "\n...\n", " ...\n"]


def gut(ls, first, width):
    return "\n".join("%*d| %s" % (width, first + i, x) for i, x in enumerate(ls))


def dedent_strip(t, rng):
    return t.strip() if rng.random() < 0.5 else t


# ---------------------------------------------------------------- bad

def make_bad():
    B = Book(check_bad, "b")
    R = random.Random(4711)

    def m(cat, want, finder, **kw):
        B.fill(cat, want, mutate(finder, seed=cat, **kw), "absent", R)

    m("number_changed", 26, NUMBER)
    m("operator_changed", 22, OPERATOR, names=CODE + ["run.log"])
    m("comparison_flipped", 20, COMPARISON)
    m("negation_dropped", 22, NEG_DROP)
    m("negation_added", 20, NEG_ADD)
    m("identifier_swapped", 20, identifiers, names=CODE)
    m("case_changed", 20, CASE)
    m("word_inserted", 20, insert_word)
    m("word_dropped", 20, drop_word)
    m("word_order", 20, swap_words)
    m("word_form_changed", 20, FORM)
    m("quantifier_changed", 20, QUANT)
    m("string_value_changed", 20, string_value, names=CODE + ["relay.yaml"])
    m("boolean_flipped", 20, BOOL)
    m("unit_changed", 20, UNIT)
    m("bracket_moved", 20, BRACKET, names=CODE)
    m("diacritic_changed", 20, DIACRITIC)
    m("homoglyph", 20, HOMO)
    m("zero_width_inside", 20, ZERO)
    m("words_joined", 20, JOIN)
    m("word_split", 20, SPLIT)

    B.fill("mid_word_start", 22, cuts(True, "word", 1), "absent", R)
    B.fill("mid_word_end", 22, cuts(False, "word", 2), "absent", R)
    B.fill("digits_cut", 22, cuts(True, "digits", 3) + cuts(False, "digits", 4), "absent", R)

    # two true pieces joined without a mark
    rng = random.Random(5)
    ones = spans(lengths=(1,))
    by = {}
    for x in ones:
        by.setdefault(x[0], []).append(x)
    by = {f: xs for f, xs in by.items() if len(xs) >= 8}
    c = []
    for f, xs in by.items():
        for _ in range(60):
            a, b = rng.sample(xs, 2)
            if abs(a[1] - b[1]) < 3:
                continue
            if rng.random() < 0.75:
                a, b = sorted((a, b), key=lambda x: x[1])
            p, q = boundary_cut(rng, a[3]), boundary_cut(rng, b[3], back=True)
            lo, hi = min(a[1], b[1]), max(a[1], b[1])
            if hi - lo > 12 and rng.random() < 0.5:
                hi = lo
            c.append(((a[1], b[1]), f, lo, hi, p + rng.choice([" ", "\n", "; ", ", "]) + q))
    B.fill("spliced_two_places", 20, c, "absent", R)

    # one place, something left out without a mark
    c = []
    for f, s, e, t in spans(lengths=(1, 2, 3)):
        pq = two_pieces(rng, t, 8)
        if pq:
            c.append(((s, len(pq[0])), f, s, e, pq[0] + " " + pq[1]))
    B.fill("unmarked_elision", 20, c, "absent", R)

    c = []
    for f, s, e, t in spans(lengths=(3,)):
        ls = t.split("\n")
        if ls[1].strip() and len(canon(ls[1])) > 5:
            c.append(((s, 0), f, s, e, ls[0] + "\n" + ls[2]))
    B.fill("line_dropped", 20, c, "absent", R)
    c = []
    for f, s, e, t in spans(lengths=(2, 3)):
        ls = t.split("\n")
        i = rng.randrange(len(ls) - 1)
        ls[i], ls[i + 1] = ls[i + 1], ls[i]
        if all(len(canon(x)) > 4 for x in ls):
            c.append(((s, 1), f, s, e, "\n".join(ls)))
    B.fill("line_order_swapped", 20, c, "absent", R)

    # elisions
    c1, c2, c4 = [], [], []
    for f, s, e, t in spans(lengths=(1, 2, 3)):
        pq = two_pieces(rng, t)
        if pq:
            c1.append(((s, 0), f, s, e, pq[1] + rng.choice(MARKS) + pq[0]))
            p, q = pq
            k = rng.choice([0, 1])
            if k == 0 and re.match(r"[A-Za-z]{5}", q):
                q = q[2:]
            elif re.search(r"[A-Za-z]{5}$", p):
                p = p[:-2]
            else:
                continue
            c4.append(((s, 0), f, s, e, p + rng.choice(MARKS) + q))
        ws = [(x.start(), x.end()) for x in re.finditer(r"[A-Za-z_]\w*", t)]
        if len(ws) >= 5 and "..." not in t:
            mark = rng.choice(MARKS)
            n = rng.choice([2, 3, 4])
            pick = sorted(rng.sample(range(len(ws)), min(n, len(ws))))
            if all(b - a > 1 for a, b in zip(pick, pick[1:])):
                ps = [t[ws[i][0]:ws[i][1]] for i in pick]
                if rng.random() < 0.4:
                    ps[0] = t[:ws[pick[0]][1]].strip()
                if min(map(len, ps)) <= 9:
                    c2.append(((s, 0), f, s, e, mark.join(ps)))
    B.fill("elision_out_of_order", 20, c1, "absent", R)
    B.fill("elision_short_pieces", 20, c2, "absent", R)
    B.fill("elision_mid_word", 20, c4, "absent", R)
    c = []
    for f, xs in by.items():
        n = len(L[f])
        for k in range(60):
            a, b = sorted(rng.sample(xs, 2), key=lambda x: x[1])
            if b[1] - a[1] < 6:
                continue
            p, q = boundary_cut(rng, a[3]), boundary_cut(rng, b[3], back=True)
            kind = k % 4
            if kind == 0:
                s = e = a[1]
            elif kind == 1:
                s = e = b[1]
            elif kind == 2:
                s = rng.randint(1, n - 2)
                e = s + rng.randint(0, 2)
            else:
                s, e = a[1] + 4, max(a[1] + 4, b[1] - 4)
            c.append(((a[1], b[1]), f, s, e, p + rng.choice(MARKS) + q))
    B.fill("elision_outside_lines", 20, c, "absent", R)

    # harmless dropped punctuation, but cited at other lines: neither near nor moved
    c = []
    for f, s, e, t in spans(lengths=(1, 2)):
        for v in dropped(rng, t):
            n = len(L[f])
            s2 = rng.randint(1, n - 2)
            if abs(s2 - s) >= 7:
                c.append(((s, 0), f, s2, s2 + e - s, v))
    B.fill("near_at_wrong_lines", 20, c, "absent", R)

    # commented-out code read as code
    c, d = [], []
    for f in NAMES:
        runs, cur = [], []
        for i, x in enumerate(L[f] + [""]):
            if COMMENTED.match(x) and not re.match(r"\s*// (?:return|if) [a-z]+ [a-z]+ [a-z]+", x):
                cur.append((i + 1, re.sub(r"^(\s*)(?:#|//)(?: |(?=\t))", r"\1", x)))
            elif cur:
                runs.append(cur)
                cur = []
        for run in runs:
            for i in range(len(run)):
                q = run[i][1].strip()
                c.append(((run[i][0], 0), f, run[i][0], run[i][0], q))
                for j in range(i + 1, len(run)):
                    d.append(((run[i][0], j), f, run[i][0], run[j][0], "\n".join(y for _, y in run[i:j + 1])))
    B.fill("comment_marker_removed_line", 20, c, "absent", R)
    B.fill("comment_marker_removed_block", 20, d, "absent", R)

    # other and invented sources
    c = []
    for f, s, e, t in spans(lengths=(1, 2)):
        g = rng.choice([x for x in NAMES if x != f])
        n = len(L[g])
        s2 = s if e <= n and rng.random() < 0.4 else rng.randint(1, n - 2)
        if len(canon(t)) < 0.4 * len(canon(S[g])):
            c.append(((f, s), g, s2, s2 + e - s, dedent_strip(t, rng)))
    B.fill("other_source", 20, c, "absent", R)
    names = list(hand.INVENTED)
    rng.shuffle(names)
    xs = [x for x in spans(lengths=(1, 2)) if x[0] != "relay.yaml"]
    for nm in names[:20]:
        while True:
            f, s, e, t = rng.choice(xs)
            t = dedent_strip(t, rng)
            if B.add("invented_source", nm, s, e, t, claim_for(rng, f, t), "rejected:wrong_source"):
                break

    # lengths
    c, d = [], []
    for f in NAMES:
        for i, x in enumerate(L[f]):
            if LOOKALIKE.match(x):
                continue
            x = x.strip()
            toks = [y for y in re.findall(r"\S+", x)]
            opts = [" ".join(toks[a:b]) for a in range(len(toks)) for b in range(a + 1, len(toks) + 1)]
            opts = [o for o in opts if 3 <= len(o) <= 11 and re.search(r"\w{2}", o) and "\u2026" not in o and "..." not in o]
            for o in opts[:6]:
                c.append(((i, 0), f, i + 1, i + 1, o))
                if len(o) >= 5:
                    d.append(((i, 0), f, i + 1, i + 1, "%4d| %s" % (i + 1, o) if rng.random() < 0.5 and len(o) >= 6 else
                              (o.replace(" ", " " * 9) if " " in o else o + " " * 12)))
    B.fill("too_short", 20, c, "rejected:too_short", R)
    B.fill("too_short_padded", 20, d, "rejected:too_short", R)
    c = []
    for f in NAMES:
        ls = L[f]
        for i in range(len(ls)):
            for j in range(i + 8, min(i + 40, len(ls))):
                t = "\n".join(ls[i:j + 1])
                if ls[i].strip() and ls[j].strip() and 510 <= len(canon(t)) <= 900 and not any(LOOKALIKE.match(x) for x in ls[i:j + 1]):
                    k = rng.random()
                    if k < 0.3:
                        t = " ".join(x.strip() for x in ls[i:j + 1] if x.strip())
                    elif k < 0.5:
                        t = gut(ls[i:j + 1], i + 1, 4) if all(x.strip() for x in ls[i:j + 1]) else t
                    c.append(((i // 6, 0), f, i + 1, j + 1, t))
    B.fill("too_long", 20, c, "rejected:too_long", R)
    c = []
    ls = L["relay.yaml"]
    for i in range(8):
        for j in range(len(ls) - 9, len(ls)):
            if ls[i].strip() and ls[j].strip():
                part = ls[i:j + 1]
                t = "\n".join(part)
                k = (i + j) % 3
                if k == 1:
                    t = "\n".join(x for x in part if x.strip())
                elif k == 2:
                    t = "\n".join(x.strip() for x in part)
                c.append(((i, j), "relay.yaml", i + 1, j + 1, t))
    B.fill("whole_source", 20, c, "rejected:whole_source", R)

    # fence lines
    for k in range(20):
        f = rng.choice(list(by))
        while True:
            a = rng.choice(by[f])
            pat = hand.FENCES[k % len(hand.FENCES)]
            t = pat.replace("{src}", f).replace("{line}", a[3].strip())
            s = 1 if "{line}" not in pat else a[1]
            if B.add("fence_marker_quoted", f, s, s, t, claim_for(rng, f, t), "absent"):
                break
            f = rng.choice(list(by))

    # right gutter numbers, wrong text
    base = []
    for fi in (NUMBER, OPERATOR, NEG_DROP, NEG_ADD, identifiers, insert_word, swap_words, BOOL):
        for site, f, s, e, t in mutate(fi, seed=str(fi) and "gut", per=1):
            n = e - s + 1
            ls = t.split("\n")
            if len(ls) == n and all(x.strip() for x in ls):
                base.append(((site, 1), f, s, e, gut(ls, s, rng.choice([3, 4, 5]))))
    B.fill("gutter_forged", 20, base, "absent", R)

    # hand-written
    def anchor(f, needle):
        hit = [i + 1 for i, x in enumerate(L[f]) if needle in x]
        assert hit, (f, needle)
        return hit[0]

    for cat, items in ("fabricated_plausible", hand.FABRICATED), ("paraphrase", hand.PARAPHRASE):
        for f, needle, t, claim in items:
            s = anchor(f, needle)
            e = min(len(L[f]), s + t.count("\n") + (cat == "paraphrase"))
            if not B.add(cat, f, s, e, t, claim, "absent"):
                print("LOST", cat, f, t)
    for k, (f, needle, t) in enumerate(hand.ECHO):
        s = anchor(f, needle)
        claim = [t, t.lower(), t.replace(" ", "  ", 2), t.upper(), t + " "][k % 5]
        if not B.add("claim_echo", f, s, s, t, claim, "rejected:claim_echo"):
            print("LOST echo", f, t)
    c = []
    for f, s, e, t in spans(lengths=(1, 2)):
        for mm in re.finditer(r"(?:(?<=^)|(?<=[.:;] ))[A-Z][^.;:\n\"\u201c\u201d]{30,160}\.(?= |$)", t.strip() if f == "handover.md" else ""):
            c.append((f, s, e, mm.group(0)))
        if re.match(r"\s*(#|//+!?|/\*\*) [A-Z]", t) and e == s and f in CODE and re.search(r"\.( \*/)?$", t):
            c.append((f, s, e, re.sub(r"^\s*(#|//+!?|/\*\*) | \*/$", "", t).strip()))
        if f == "run.log" and e == s and re.match(r"(WARN|INFO|ERROR) ", t):
            c.append((f, s, e, re.sub(r"^(WARN|INFO|ERROR)\s+", "", t)))
    rng.shuffle(c)
    seen, got, per = set(), 0, {}
    for k, (f, s, e, t) in enumerate(c):
        if t in seen or got >= 20 or per.get(f, 0) >= 6:
            continue
        seen.add(t)
        claim = [t, t.lower(), t.replace(" ", "  ", 2), t.upper()][k % 4]
        if B.add("claim_echo_in_source", f, s, e, t, claim, "rejected:claim_echo"):
            got += 1
            per[f] = per.get(f, 0) + 1
    if got < 20:
        print("SHORT claim_echo_in_source", got)
    for k, (f, t, claim) in enumerate(hand.OUT_OF_FILE):
        s = len(L[f]) + [1, 3, 40, 900][k % 4]
        if not B.add("lines_out_of_file", f, s, s + t.count("\n"), t, claim, "absent"):
            print("LOST", f, t)
    return B


def dropped(rng, t):
    """Variants of t with interior commas, semicolons or quote marks dropped."""
    t = t.strip()
    out = []
    body = t[1:-1]
    sites = [i + 1 for i, ch in enumerate(body) if ch in ",;" and re.match(r"\s", t[i + 2:i + 3])]
    quotes = [i + 1 for i, ch in enumerate(body) if ch in "\"\u201c\u201d" and not (t[i].isalnum() and t[i + 2:i + 3].isalnum())]
    if re.search(r"\bf\"|\"\"\"", t):
        quotes = []
    if sites:
        k = rng.choice(sites)
        out.append(t[:k] + t[k + 1:])
        if len(sites) > 1:
            out.append("".join(c for i, c in enumerate(t) if i not in sites))
    if quotes and len(quotes) % 2 == 0:
        out.append("".join(c for i, c in enumerate(t) if i not in quotes))
    return [x for x in out if not x.endswith((",", ";"))]


# ---------------------------------------------------------------- good

def make_good():
    G = Book(check_good, "g")
    R = random.Random(815)
    rng = random.Random(816)
    one, two, multi = spans(lengths=(1,)), spans(lengths=(2,)), spans(lengths=(2, 3, 4))
    two_full = [x for x in spans(lengths=(2, 3)) if all(y.strip() for y in x[3].split("\n"))]

    def fill(cat, want, c, expect="exact"):
        G.fill(cat, want, [((x[1], 0),) + tuple(x) for x in c], expect, R)

    fill("verbatim_line", 12, [(f, s, e, dedent_strip(t, rng)) for f, s, e, t in one])
    dup = [i + 1 for i, x in enumerate(L["queue.go"]) if "q.items[i+1:]" in x]
    assert len(dup) == 2
    fill("verbatim_block", 9, multi)
    fill("verbatim_duplicate_line", 2, [("queue.go", i, i, L["queue.go"][i - 1].strip() if i == dup[0] else L["queue.go"][i - 1]) for i in dup])
    c = []
    for f, s, e, t in one:
        t = t.strip()
        if COMMENTED.match(t):
            continue
        g = [0] + [m.end() for m in re.finditer(r"\s+", t)] + [len(t) + 1]
        a, b = sorted(rng.sample(range(len(g)), 2))
        q = t[g[a]:g[b]].strip()
        if len(canon(q)) >= 15 and q != t and "..." not in q and not NEGATION.search(t[:g[a]].lstrip("#/! ")):
            c.append((f, s, e, q))
    fill("partial_line", 9, c)
    c = []
    for f, s, e, t in one + two:
        t = t.strip()
        if re.search(r"\w \w", t):
            q = re.sub(r"(?<=\w) (?=\w)", lambda m: rng.choice([" ", "\u00a0", "\u2003", "\u2009", "\u3000", "\u202f", "   ", " \t"]), t)
            if q != t:
                c.append((f, s, e, q))
    fill("other_whitespace", 8, c)
    c = []
    for f, s, e, t in multi + one:
        if f == "queue.go" and "\t" in t:
            c.append((f, s, e, t.replace("\t", rng.choice(["  ", "    ", "        "]))))
        elif f != "queue.go" and re.search(r"^(    |  )", t, re.M):
            c.append((f, s, e, re.sub(r"^(?:    |  )+", lambda m: "\t" * (len(m.group(0)) // (4 if len(m.group(0)) % 4 == 0 else 2)), t, flags=re.M)))
    fill("tabs_for_spaces", 8, c)
    c = []
    for f, s, e, t in one:
        t = t.strip()
        g = [m.start() for m in re.finditer(" ", t)]
        if len(g) >= 3 and len(t) > 40:
            ks = rng.sample(g, rng.choice([1, 2, 3]))
            q = "".join("\n" + " " * rng.choice([0, 2, 8]) if i in ks else ch for i, ch in enumerate(t))
            c.append((f, s, e, q))
    fill("wrapped_line", 8, c)
    fill("joined_lines", 8, [(f, s, e, " ".join(x.strip() for x in t.split("\n") if x.strip())) for f, s, e, t in multi])

    def curl(t, o, c_, so, sc):
        n = [0]

        def f(m):
            n[0] += 1
            return o if n[0] % 2 else c_
        t = re.sub('"', f, t)
        return re.sub("'", lambda m: sc, t)

    ok = lambda t: '"""' not in t and t.count('"') % 2 == 0
    fill("curly_quotes", 8, [(f, s, e, curl(t.strip(), "\u201c", "\u201d", "\u2018", "\u2019")) for f, s, e, t in one + two
                             if re.search("[\"']", t) and ok(t)])
    st = str.maketrans("\u201c\u201d\u2018\u2019", "\"\"''")
    fill("straight_for_curly", 8, [(f, s, e, t.translate(st)) for f, s, e, t in one + two if re.search("[\u201c\u201d\u2018\u2019]", t)])
    fill("guillemets_backticks", 3, [(f, s, e, curl(t.strip(), "\u00ab", "\u00bb", "\u2039", "\u203a")) for f, s, e, t in one if '"' in t and ok(t)])
    fill("guillemets_backticks", 2, [(f, s, e, t.replace("`", "'").replace("\u2019", "`")) for f, s, e, t in one
                                     if f in ("ring.rs", "handover.md") and ("`" in t or "\u2019" in t)])
    c = []
    for f, s, e, t in one + two:
        if re.search("[-\u2013\u2014]", t.strip()) and "//!" not in t:
            q = re.sub("[-\u2013\u2014]", lambda m: rng.choice([x for x in "-\u2010\u2013\u2014\u2212" if x != m.group(0)]), t.strip())
            c.append((f, s, e, q))
    fill("dash_style", 8, c)
    fill("gutter", 8, [(f, s, e, gut([t], s, rng.choice([1, 3, 4, 5]))) for f, s, e, t in one])
    fill("gutter_multi_line", 8, [(f, s, e, gut(t.split("\n"), s, rng.choice([3, 4, 5]))) for f, s, e, t in two_full])
    full = lambda ch: chr(ord(ch) + 0xFEE0) if 33 <= ord(ch) <= 126 else ch
    c = {k: [] for k in "mu nfd lig digit punct letter".split()}
    for f, s, e, t in one:
        t = t.strip()
        if "\u00b5" in t:
            c["mu"].append((f, s, e, t.replace("\u00b5", "\u03bc")))
        if any(unicodedata.normalize("NFD", x) != x for x in t):
            c["nfd"].append((f, s, e, unicodedata.normalize("NFD", t)))
        if re.search("ffi|fi|fl|ff", t):
            c["lig"].append((f, s, e, t.replace("ffi", "\ufb03").replace("fi", "\ufb01").replace("fl", "\ufb02").replace("ff", "\ufb00")))
        if re.search(r"\d", t):
            c["digit"].append((f, s, e, re.sub(r"\d", lambda m: full(m.group(0)), t)))
        if not re.search("[\"'`]", t) and re.search(r"[(){}=:;,<>]", t):
            c["punct"].append((f, s, e, re.sub(r"[(){}=:;,<>]", lambda m: full(m.group(0)), t)))
        if len(t) < 40 and not re.search("[\"'`-]", t):
            c["letter"].append((f, s, e, "".join(map(full, t))))
    for kind, n in ("mu", 1), ("nfd", 2), ("lig", 3), ("digit", 2), ("punct", 1), ("letter", 1):
        fill("nfkc", n, c[kind])
    fill("non_ascii", 7, [(f, s, e, dedent_strip(t, rng)) for f, s, e, t in one + two if re.search("[\u00c0-\u024f\u00b5]", t)])
    fill("crlf_in_quote", 8, [(f, s, e, t.replace("\n", "\r\n")) for f, s, e, t in multi])
    c = []
    for k, (f, s, e, t) in enumerate(one):
        t = t.strip()
        if f in CODE and re.search(r"[()\[\]]", t) and "..." not in t and not re.match("#|//|/\\*", t):
            if k % 2:
                q = re.sub(r"([(\[])(?=\w)", r"\1 ", re.sub(r"(?<=\w)([)\]])", r" \1", t))
            else:
                q = re.sub(r"(?<=[^\w\s]) (?=\S)|(?<=\S) (?=[^\w\s])", "", t)
            if q != t:
                c.append((f, s, e, q))
    fill("punctuation_spacing", 8, c)
    c = [(f, s, e, t) for f, s, e, t in one if "..." in t and f in ("ledger.py", "session.ts", "queue.go", "run.log") and "..." in t.strip()[3:]
         and not t.startswith("test ")]
    c = [x for x in c if re.search(r"object: \.\.\.|\.\.\.DEFAULTS|opts \.\.\.|\[\.\.\.this|collecting", x[3])]
    fill("ellipsis_in_source", 4, c)
    ll = [i + 1 for i, x in enumerate(L["run.log"]) if LOOKALIKE.match(x)]
    raw = L["run.log"]
    fill("gutter_lookalike_in_source", 3, [("run.log", ll[0], ll[1], "\n".join(raw[ll[0] - 1:ll[1]])),
                                           ("run.log", ll[1], ll[1], raw[ll[1] - 1]),
                                           ("run.log", ll[0] - 1, ll[1], gut(raw[ll[0] - 2:ll[1]], ll[0] - 1, 4))])
    c = []
    for f, s, e, t in spans(lengths=(1, 2, 3, 4)):
        pq = None if any(COMMENTED.match(x) for x in t.split("\n")) else two_pieces(rng, t, 15, NEGATION)
        if pq:
            q = pq[0] + rng.choice(MARKS) + pq[1]
            inner = two_pieces(rng, pq[1], 15, NEGATION)
            if inner and rng.random() < 0.5:
                q = pq[0] + " ... " + inner[0] + " ... " + inner[1]
            c.append((f, s, e, q))
    fill("marked_elision", 14, c, "near")
    fill("marked_elision_whole_lines", 2, [(f, s, e, "\n".join([t.split("\n")[0], "...", t.split("\n")[2]])) for f, s, e, t in spans(lengths=(3,))
                                           if all(len(canon(y)) >= 15 for y in t.split("\n")) and "..." not in t
                                           and not NEGATION.search(t.split("\n")[1])], "near")
    fill("dropped_punctuation", 12, [(f, s, e, v) for f, s, e, t in one + two for v in dropped(rng, t)], "near")
    c = []
    for k, (f, s, e, t) in enumerate(one):
        t = t.strip()
        w = [m for m in re.finditer(r"(?<=[a-z]{3}) (?=[a-z]{3})", t)]
        if k % 3 == 0 and re.search(r"[a-z]$", t):
            c.append((f, s, e, t + "."))
        elif k % 3 == 1 and len(w) > 2:
            i = rng.choice(w).start()
            c.append((f, s, e, t[:i] + rng.choice(",;") + t[i:]))
        elif len(w) > 3:
            a, b = w[1].start(), w[2].start()
            c.append((f, s, e, t[:a] + ' "' + t[a + 1:b] + '" ' + t[b + 1:]))
    fill("added_punctuation", 6, c, "near")
    c = []
    for f, s, e, t in one + two_full:
        d = rng.choice([-1, 1])
        if 1 <= s + d and e + d <= len(L[f]):
            c.append((f, s + d, e + d, dedent_strip(t, rng)))
    fill("moved_one_line", 8, c, "moved")
    c = []
    for f, s, e, t in one + two_full:
        s2 = rng.randint(1, len(L[f]) - 3)
        if abs(s2 - s) >= 12:
            c.append((f, s2, s2 + e - s, dedent_strip(t, rng)))
    fill("moved_far", 9, c, "moved")
    return G


if __name__ == "__main__":
    g, b = make_good(), make_bad()
    print(len(g.rows), len(b.rows))
    g.write("good.jsonl")
    b.write("bad.jsonl")
