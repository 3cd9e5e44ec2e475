"""What the server says of itself to a model: what to call when, what leaves, what it costs, what to do with an answer.

Hosts cut descriptions and instructions at 2 KB (Claude Code's changelog); a test holds both below.
"""

from __future__ import annotations

from typing import Final

from claimjury.settings.load import Loaded

__all__ = ["CHECK", "CITE", "GET_RUN", "PROMPT", "PROMPT_NAME", "REFUTE", "VERIFY", "instructions"]

VERIFY: Final = (
    "Get a second opinion on 1 to 20 falsifiable claims about this project from a panel of models of other vendors. "
    "Call it before you state that something is fixed, tested or safe, or to check findings. Do not call it for what a command "
    "decides: run the command and send its output as `reference`.\n"
    "What a tool decides is settled first, with `settled_by` and `proof`, free and sent to nobody: files and symbols that exist or were "
    "changed, `only`, `nothing mentions or calls`, values, dependencies. Put paths and names in backticks.\n"
    "The other claims, the whole of each file in source_paths, the diff and the reference are sent to each juror's host; the answer "
    "lists what left. It costs the operator's money and takes 10 seconds to some minutes.\n"
    "State one thing a claim, with path, function and number. Leave your reasoning out: there is no field for it.\n"
    "Answer: `result.claims[].verdict` is CONFIRMED, REFUTED or NEEDS_REVIEW, with votes, rationales and `standing` "
    "(firm, or thin with reasons). It is supporting evidence, never proof. REFUTED: re-read the code. NEEDS_REVIEW: do what "
    "`agent_action` says (run_check, add_source, restate, ask_human, stop); do not ask again until it passes. "
    "`status: running` means that no verdict is final but those marked decided_early: call get_run with the run_id."
)
REFUTE: Final = (
    "Have N skeptics (3 by default) try to break one free-text claim about this repository, each from its own angle, at the same "
    "time. They search and read the project with tools of their own, so no files need naming. Call it for one claim that has to be "
    "looked for: that nothing else calls a function, that a change is complete, a conclusion of yours. For several checkable claims, "
    "or where you know the files, call ollama_verify_claims; for what a command decides, run the command.\n"
    "The claim, the reference, and whatever a skeptic chooses to read of the project (never what is named like a secret) are sent to "
    "its model's host; the answer lists what left. It costs the operator's money, more than a jury does, and takes one to some minutes.\n"
    "State one sentence that could be false, with its subject; a question or a fragment is refused. Leave your reasoning out.\n"
    "Answer: `verdict` is HOLDS unless more than half of the skeptics refute, else REFUTED; each has `grounds` (evidence; default: it "
    "could not verify; fault: it broke down) and a `reason`. `exit_status` 0 holds, 10 refuted on evidence, 20 undecided, 4 nothing "
    "could be checked. It is supporting evidence, never proof. REFUTED: re-read what the reasons cite. Do not ask again until it "
    "passes. `status: running` means that there is no verdict yet: call get_run with the run_id."
)
CITE: Final = (
    "Check every place of this project that a text cites (`path:12`, `path:12-20`, `path#L10`, a link, a frame of a stack trace): that "
    "file and lines exist, and that an identifier in backticks or a quote beside the citation stands within 3 lines of them. Call it "
    "on an answer that cites code before you send it. No model is asked, nothing is sent, it costs nothing and takes milliseconds.\n"
    "Answer: `citations[]` with `status`; `broken` counts missing_file, missing_line, moved (with `moved_to`) and not_there. Look at "
    "those again and correct them. It does not say whether the text is right."
)
CHECK: Final = (
    "Run the checks that this project's own files declare (ruff, mypy, pyright, pytest, tsc, eslint, cargo check, go vet) and that this "
    "machine has, each once, as they are declared, without arguments of yours. It runs the project's code on the operator's machine, "
    "without keys in its environment. Call it before you state that tests, lint or types pass. No model is asked; it costs nothing.\n"
    "Answer: `checks[]` with `outcome`: pass and fail are the program's own word; timeout, missing and error decide nothing. "
    "`tests` counts each test once and lists those that did not pass; `narrowed` says where settings leave tests out; `changed_tree` "
    "that the run changed files; `tree_after` is the hash of the files that it stands for. `exit_status` 0 all passed, 10 one failed, "
    "20 undecided. All checks together have less than a minute in most clients: name few with `only`, and leave a long suite to a "
    "terminal. A pass says nothing of what no check looks at."
)
GET_RUN: Final = (
    "Get a run by its run_id: blocks until something changes, at most wait_s (50) seconds, then gives the finished answer, or what is "
    "settled so far with `status: running`. Runs of earlier sessions are read from the operator's ledger. Sends nothing."
)
PROMPT_NAME: Final = "verify-my-last-answer"
PROMPT: Final = """Check your last answer with claimjury before the user acts on it.

1. List what your last answer states as fact about this project: what was changed, fixed, tested, measured, or found.
2. Run what a command can decide (tests, lint, types, a search) and keep the output.
3. Write the rest as claims, at most 20. Each is one statement that could be false, names its path, function, line or number, and
   stands without your answer: no "it", no "the fix", no "correctly", no "should". Leave out why you believe it.
   Bad:  "The bug is properly fixed and all tests pass."
   Good: "`parse_date` in src/dates.py raises ValueError for the string '2026-02-30'."
4. Call `ollama_verify_claims` with the claims, with source_paths for every file that a claim names, with the command output as
   `reference`, and with `author` set to your own model id or vendor.
5. Report every verdict with its counts and its standing, REFUTED and NEEDS_REVIEW first, and the dissent. Correct your answer where a claim
   was refuted and you agree after re-reading the code; say so where you do not. Follow `agent_action`. Never ask the same claim
   again until it passes.
"""


def instructions(loaded: Loaded) -> str:
    """Give what a model is told of the server as a whole."""
    chosen = loaded.settings
    return (
        "claimjury gives a second opinion that an author cannot argue with: models of other vendors vote on your claims. "
        "Call ollama_verify_claims before you hand work over, or when a wrong claim would be costly; not for chat, opinions or plans. "
        f"The panel is {', '.join(chosen.panel)}. Each juror is sent your claims and the files that you name; nothing else is read. "
        "For one claim that the repository has to be searched for, call claim_verifier: its skeptics read the project themselves. "
        "A long run answers with status running; poll get_run. A verdict is evidence, not proof: tell the user the counts, the "
        "standing and the dissent, never a bare CONFIRMED. NEEDS_REVIEW is an answer: follow agent_action. An error says what to do "
        "next; do not work around a refusal."
    )
