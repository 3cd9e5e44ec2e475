"""Verify every expectation in fixtures.jsonl and messages.jsonl against repo/.

Independent of the guard: it does not find citations itself, it only tests that
each written expectation is true of repo/ and that it occurs in its text.
`--review` also prints, for reading by eye, path-like text that no expectation
covers and backticked or quoted text that is not near the citation it stands by.
Exit status 0 when every expectation holds.
"""
import json
import os
import re
import sys
from collections import Counter
from urllib.parse import unquote

HERE = os.path.dirname(os.path.abspath(__file__))
REPO = os.path.join(HERE, "repo")
NEAR = 3
KEYS = {"path", "line", "end", "status", "moved_to"}
STATUS = {"ok", "missing_file", "missing_line", "moved", "not_there",
          "ambiguous", "outside", "submodule"}


def tree():
    files, folders = {}, set()
    for top, dirs, names in os.walk(REPO):
        dirs[:] = [d for d in dirs if d != "__pycache__"]
        rel = os.path.relpath(top, REPO).replace(os.sep, "/")
        for d in dirs:
            folders.add(d if rel == "." else f"{rel}/{d}")
        for name in names:
            path = name if rel == "." else f"{rel}/{name}"
            with open(os.path.join(top, name), encoding="utf-8", newline="") as f:
                text = f.read()
            lines = text.split("\n")
            if lines[-1] == "":
                lines.pop()
            files[path] = lines
    return files, folders


FILES, FOLDERS = tree()
with open(os.path.join(REPO, ".gitmodules"), encoding="utf-8") as f:
    SUBMODULES = re.findall(r"^\s*path = (.+)$", f.read(), re.M)


def resolve(path):
    """'outside', 'submodule', 'missing_file', 'ambiguous' or the real path."""
    p = unquote(path).replace("\\", "/")
    if p.startswith("/") or re.match(r"[A-Za-z]:/", p) or ".." in p.split("/"):
        return "outside"
    p = p.removeprefix("./")
    if any(p.startswith(s + "/") for s in SUBMODULES):
        return "submodule"
    if p in FILES:
        return p
    hits = [q for q in FILES if q.endswith("/" + p)]
    if len(hits) == 1:
        return hits[0]
    return "ambiguous" if hits else "missing_file"


def where(real, claim):
    """Lines that hold the claim as whole words, counted from one."""
    left = r"(?<!\w)" if re.match(r"\w", claim) else ""
    right = r"(?!\w)" if re.search(r"\w$", claim) else ""
    pattern = re.compile(left + re.escape(claim) + right)
    return [n for n, line in enumerate(FILES[real], 1) if pattern.search(line)]


def verdict(item, claim):
    real = resolve(item["path"])
    if real not in FILES:
        return real, None
    line, end, count = item["line"], item["end"], len(FILES[real])
    if line is None:
        return "ok", None
    last = line if end is None else end
    if line < 1 or last < line or last > count:
        return "missing_line", None
    if claim is None:
        return "ok", None
    at = where(real, claim)
    if any(line - NEAR <= n <= last + NEAR for n in at):
        return "ok", None
    if not at:
        return "not_there", None
    assert len(at) == 1, f"claim {claim!r} stands at {at}: moved_to is not unique"
    return "moved", at[0]


def forms(item):
    """The ways in which this corpus writes a citation."""
    p, a, b = item["path"], item["line"], item["end"]
    if a is None:
        return [f"]({p})", f"](<{p}>)", f"]({p}#"]
    if b is None:
        return [f"{p}:{a}", f"{p}:L{a}", f"{p}#L{a}", f'File "{p}", line {a}']
    return [f"{p}:{a}-{b}", f"{p}:{a}\u2013{b}", f"{p}#L{a}-L{b}"]


def position(text, form, start):
    m = re.compile(re.escape(form) + (r"(?!\d)" if form[-1].isdigit() else "")).search(text, start)
    return m.start() if m else -1


def load(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def review(row, claims):
    left = row["text"]
    for item in sorted(row["expect"], key=lambda i: -max(map(len, forms(i)))):
        for form in forms(item):
            if form in left:
                left = left.replace(form, "\u25a1", 1)
                break
    for m in re.finditer(r"[\w./\\-]*[A-Za-z][\w./\\-]*(?::L?\d|#L\d)[\w:.-]*", left):
        print(f"  {row['id']} not expected: {m[0]}")
    for sentence in re.split(r"(?<=[.!?])\s+|\n\n", row["text"]):
        for n, item in enumerate(row["expect"]):
            if item["status"] != "ok" or item["line"] is None:
                continue
            hit = next((f for f in forms(item) if f in sentence), None)
            if not hit:
                continue
            for m in re.finditer(r"`([^`\n]+)`|\"([^\"\n]+)\"", sentence):
                word = (m[1] or m[2]).removesuffix("()")
                if hit in m[0] or resolve(word.split(":")[0]) in FILES:
                    continue
                gap = sentence.find(hit) - m.end()
                if gap < 0:
                    gap = m.start() - sentence.find(hit) - len(hit)
                real, last = resolve(item["path"]), item["end"] or item["line"]
                at = where(real, word.split(".")[-1])
                if gap < 45 and not any(item["line"] - NEAR <= k <= last + NEAR for k in at):
                    print(f"  {row['id']} {hit}: {word!r} (gap {gap}) stands at {at}")


def main():
    claims = {(c["id"], c["n"]): c["claim"] for c in load("claims.jsonl")}
    wrong, used = [], set()
    for name, count in (("fixtures.jsonl", 60), ("messages.jsonl", 60)):
        rows, totals, kinds = load(name), Counter(), Counter()
        if len(rows) != count or len({r["id"] for r in rows}) != count:
            wrong.append(f"{name}: {len(rows)} rows")
        for row in rows:
            kinds[row.get("kind", "")] += 1
            at = 0
            for n, item in enumerate(row["expect"]):
                tag = f"{row['id']}[{n}] {item['path']}:{item['line']}"
                used.add((row["id"], n))
                totals[item["status"]] += 1
                if set(item) != KEYS or item["status"] not in STATUS:
                    wrong.append(f"{tag}: shape")
                found = [(k, f) for f in forms(item) if (k := position(row["text"], f, at)) >= 0]
                if not found:
                    wrong.append(f"{tag}: not in the text, or out of order")
                else:
                    at = min(found)[0] + 1
                claim = claims.get((row["id"], n))
                if claim is not None and claim not in row["text"]:
                    wrong.append(f"{tag}: claim {claim!r} not in the text")
                got = verdict(item, claim)
                if got != (item["status"], item["moved_to"]):
                    wrong.append(f"{tag}: written {item['status']} {item['moved_to']}, is {got}")
            if name.startswith("m"):
                words = len(row["text"].split())
                if not 60 <= words <= 400:
                    wrong.append(f"{row['id']}: {words} words")
            if "--review" in sys.argv:
                review(row, claims)
        print(f"{name}: {len(rows)} rows, {sum(totals.values())} expectations")
        print("  by status:", ", ".join(f"{k} {v}" for k, v in totals.most_common()))
        if name.startswith("f"):
            print("  by kind:", ", ".join(f"{k} {v}" for k, v in kinds.items()))
        else:
            broken = [sum(i["status"] != "ok" for i in r["expect"]) for r in rows]
            many = sum(len(r["expect"]) > 1 for r in rows)
            none = sum(not r["expect"] for r in rows)
            print(f"  sound or none {broken.count(0)} (none {none}), broken "
                  f"{sum(b > 0 for b in broken)} (per message {sorted(Counter(broken).items())}), "
                  f"several citations {many}")
    for key in claims:
        if key not in used:
            wrong.append(f"claim without expectation: {key}")
    if not os.path.isdir(os.path.join(REPO, "vendor", "lib")):
        print("note: repo/vendor/lib is absent (an empty folder is lost by git and by zip)")
    for line in wrong:
        print("WRONG", line)
    print("wrong:", len(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
