"""Where a change begins is said, or plain from the branches, or not known."""

from __future__ import annotations

from pathlib import Path

from claimjury.settlers.base import Base, find_base
from claimjury.settlers.snapshot import take_snapshot, top_of
from settlers.settle_helpers import changed, verdict, write
from unit.git_helpers import git


def base_of(folder: Path) -> Base | str:
    """Give the base that is found, or why there is none."""
    top = top_of(folder)
    assert top is not None
    snapshot = take_snapshot(top)
    found = find_base(snapshot, None)
    return found if isinstance(found, Base) else found.reason


def tip(folder: Path, name: str = "HEAD") -> str:
    return git("rev-parse", name, at=folder)


def committed(folder: Path, name: str) -> None:
    write(folder, {name: "x\n"})
    git("add", "--all", at=folder)
    git("commit", "--quiet", "-m", name, at=folder)


def work(folder: Path) -> Path:
    return changed(folder / "repo", {"a.txt": "1\n"}, {"a.txt": "2\n"})


def remote_main(folder: Path, at: str = "main") -> None:
    git("update-ref", "refs/remotes/origin/main", tip(folder, at), at=folder)


def test_a_branch_begins_where_it_left_main(tmp_path: Path) -> None:
    folder = work(tmp_path)
    assert base_of(folder) == Base(commit=tip(folder, "main"), why="where HEAD left main")


def test_of_a_clean_main_there_is_no_change(tmp_path: Path) -> None:
    folder = work(tmp_path)
    git("checkout", "--quiet", "main", at=folder)
    assert "Nothing differs from main" in str(base_of(folder))


def test_edits_on_main_begin_at_what_was_pushed_and_not_at_what_is_only_here(tmp_path: Path) -> None:
    folder = work(tmp_path)
    git("checkout", "--quiet", "main", at=folder)
    write(folder, {"a.txt": "3\n"})
    assert "HEAD is main itself" in str(base_of(folder))
    remote_main(folder)
    assert base_of(folder) == Base(commit=tip(folder), why="HEAD, which is origin/main")


def test_commits_on_main_that_were_not_pushed_may_be_of_many_changes(tmp_path: Path) -> None:
    folder = work(tmp_path)
    git("checkout", "--quiet", "main", at=folder)
    remote_main(folder)
    committed(folder, "b.txt")
    assert "HEAD left origin/main and main at different commits" in str(base_of(folder))


def test_a_branch_that_was_made_of_another_one_has_no_plain_base(tmp_path: Path) -> None:
    folder = work(tmp_path)
    git("checkout", "--quiet", "-b", "more", at=folder)
    committed(folder, "b.txt")
    assert "work holds commits of the change too" in str(base_of(folder))


def test_the_same_branch_at_a_remote_is_no_other_one(tmp_path: Path) -> None:
    folder = work(tmp_path)
    git("update-ref", "refs/remotes/origin/work", tip(folder), at=folder)
    assert isinstance(base_of(folder), Base)


def test_a_checkout_of_a_commit_as_ci_makes_it_has_the_base_of_its_branch(tmp_path: Path) -> None:
    folder = work(tmp_path)
    git("update-ref", "refs/remotes/origin/work", tip(folder), at=folder)
    git("checkout", "--quiet", "--detach", at=folder)
    git("branch", "-D", "work", at=folder)
    assert isinstance(base_of(folder), Base)


def test_a_merge_on_the_way_leaves_the_base_open(tmp_path: Path) -> None:
    folder = work(tmp_path)
    git("checkout", "--quiet", "-b", "side", "main", at=folder)
    committed(folder, "side.txt")
    git("checkout", "--quiet", "work", at=folder)
    git("merge", "--quiet", "--no-edit", "side", at=folder)
    assert "There is a merge between main and HEAD" in str(base_of(folder))


def test_without_a_main_branch_or_a_commit_there_is_no_base(tmp_path: Path) -> None:
    folder = work(tmp_path)
    git("branch", "--move", "main", "trunk", at=folder)
    assert "There is no main branch" in str(base_of(folder))
    empty = tmp_path / "empty"
    empty.mkdir()
    git("init", "--quiet", at=empty)
    assert "Nothing is committed yet" in str(base_of(empty))


def test_a_base_that_is_said_and_went_on_is_measured_where_head_left_it(tmp_path: Path) -> None:
    folder = work(tmp_path)
    begins = tip(folder, "main")
    git("checkout", "--quiet", "main", at=folder)
    committed(folder, "later.txt")
    git("checkout", "--quiet", "work", at=folder)
    top = top_of(folder)
    assert top is not None
    snapshot = take_snapshot(top)
    assert find_base(snapshot, "main") == Base(commit=begins, why="where HEAD left main")
    assert verdict(folder, "Only `a.txt` was changed.") == "CONFIRMED"
    assert verdict(folder, "`later.txt` was deleted.") is None


def test_what_this_commit_does_is_settled_where_there_is_one_alone(tmp_path: Path) -> None:
    folder = work(tmp_path)
    assert verdict(folder, "This commit changes `a.txt`.") == "CONFIRMED"
    assert verdict(folder, "This PR changes `a.txt`.") == "CONFIRMED"
    committed(folder, "b.txt")
    assert verdict(folder, "This commit changes `a.txt`.") is None
    assert verdict(folder, "This PR changes `a.txt`.") == "CONFIRMED"
    write(folder, {"c.txt": "x\n"})
    assert verdict(folder, "This PR adds `c.txt`.") is None
    assert verdict(folder, "I added `c.txt`.") == "CONFIRMED"
