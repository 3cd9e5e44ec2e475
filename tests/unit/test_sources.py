"""A source is read only below an allowed root, and a file that holds secrets only by flag."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from claimjury.errors import (
    ConfigInvalid,
    EvidenceError,
    SourceDenied,
    SourceNotFound,
    SourceOutsideRoots,
)
from claimjury.evidence.denylist import denied_by
from claimjury.evidence.roots import resolve_roots
from claimjury.evidence.sources import load_sources
from unit.source_helpers import refusal, write


def test_a_path_outside_the_roots_is_refused_with_the_roots_named(tmp_path: Path) -> None:
    outside = write(str(tmp_path / "outside.py"))

    message = refusal(SourceOutsideRoots, outside)

    assert message == f"The source {outside} lies outside the allowed roots ({Path.cwd()})."


@pytest.mark.parametrize("path", ["../outside.py", "sub/../../outside.py"])
def test_dots_do_not_lead_out_of_the_roots(tmp_path: Path, path: str) -> None:
    write(str(tmp_path / "outside.py"))
    Path("sub").mkdir()

    assert f"The source {path} lies outside" in refusal(SourceOutsideRoots, path)


def test_dots_that_stay_below_the_root_are_followed() -> None:
    write("a.py")
    Path("sub").mkdir()

    assert load_sources(["sub/../a.py"])[0].path == "a.py"


def test_a_sibling_whose_name_begins_like_the_root_is_outside(tmp_path: Path) -> None:
    evil = write(str(tmp_path / "work-evil" / "a.py"))

    assert "lies outside" in refusal(SourceOutsideRoots, evil)


def test_a_link_that_leads_out_of_the_roots_is_refused(tmp_path: Path) -> None:
    target = write(str(tmp_path / "outside.py"))
    Path("a.py").symlink_to(target)

    assert refusal(SourceOutsideRoots, "a.py").endswith(f"; its links lead to {target}.")


def test_a_link_out_cannot_write_control_characters_into_the_message(tmp_path: Path) -> None:
    Path("a.py").symlink_to(write(str(tmp_path / "\x1b[2Jx.py")))

    assert "\x1b" not in refusal(SourceOutsideRoots, "a.py")


def test_a_linked_directory_out_of_the_roots_is_refused(tmp_path: Path) -> None:
    write(str(tmp_path / "far" / "a.py"))
    Path("near").symlink_to(tmp_path / "far")

    assert "its links lead to" in refusal(SourceOutsideRoots, "near/a.py")


def test_a_link_within_the_root_is_followed_and_named_by_its_target() -> None:
    write("src/a.py", b"real\n")
    Path("link.py").symlink_to("src/a.py")

    (source,) = load_sources(["link.py"])

    assert (source.path, source.text) == ("src/a.py", "real\n")


def test_nothing_is_loaded_where_one_source_is_refused() -> None:
    write("a.py")

    assert "absent.py" in refusal(SourceNotFound, "a.py", "absent.py")


def test_the_working_directory_is_the_root_by_default() -> None:
    assert resolve_roots(None) == resolve_roots([]) == (Path.cwd(),)


def test_a_root_that_is_a_link_is_followed(tmp_path: Path) -> None:
    write(str(tmp_path / "real" / "a.py"))
    (tmp_path / "alias").symlink_to(tmp_path / "real")

    (source,) = load_sources([tmp_path / "alias" / "a.py"], roots=[tmp_path / "alias"])

    assert source.path == "a.py"
    assert resolve_roots([tmp_path / "alias"]) == ((tmp_path / "real").resolve(),)


def test_a_root_below_the_home_directory_is_found_by_its_tilde() -> None:
    (Path.home() / "project").mkdir()

    assert resolve_roots([Path("~/project")]) == ((Path.home() / "project").resolve(),)


@pytest.mark.parametrize("root", ["/", "~", "~/.", "~/..", "home-link"])
def test_a_whole_disk_or_a_home_is_never_a_root(root: str) -> None:
    Path("home-link").symlink_to(Path.home())

    with pytest.raises(
        ConfigInvalid, match="is too wide: a whole disk, a home directory or a folder of homes"
    ) as caught:
        resolve_roots([Path(root)])

    assert caught.value.code == "CONFIG_INVALID"


def test_the_home_directory_is_no_root_by_being_the_working_directory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(Path.home())

    with pytest.raises(ConfigInvalid, match="too wide"):
        load_sources(["a.py"])


@pytest.mark.parametrize("root", ["absent", "~nobody-of-this-name/x", "a\0b"])
def test_a_root_that_does_not_exist_is_refused(root: str) -> None:
    with pytest.raises(ConfigInvalid, match=r"^The root .* does not exist\."):
        resolve_roots([Path(root)])


def test_a_root_that_is_a_file_is_refused() -> None:
    with pytest.raises(ConfigInvalid, match=r"The root a\.py is not a directory"):
        resolve_roots([write("a.py")])


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        *[(".env", ".env*"), (".env.local", ".env*"), (".ENV.Local", ".env*"), ("prod.env", "*.env")],
        *[("tls.pem", "*.pem"), ("tls.KEY", "*.key"), ("id_rsa", "id_*"), ("ID_ED25519.pub", "id_*")],
        *[(".netrc", ".netrc"), ("_netrc", "_netrc"), (".npmrc", ".npmrc"), (".pypirc", ".pypirc")],
        *[("credentials", "credentials"), ("Credentials.JSON", "credentials.json")],
        *[("credentials.yaml", "credentials.y*ml"), (".git-credentials", ".git-credentials")],
        *[(".git/config", ".git/"), ("sub/.GIT/HEAD", ".git/"), (".git", ".git/"), (".ssh/config", ".ssh/")],
        *[
            (".aws/config", ".aws/"),
            ("x/.kube/config", ".kube/"),
            ("service-account-prod.json", "service-account*.json"),
        ],
    ],
)
def test_a_name_of_secrets_is_denied_unless_allowed(name: str, pattern: str) -> None:
    write(name)

    assert refusal(SourceDenied, name) == (
        f"The source {name} is denied: `{pattern}` names files that hold secrets."
    )
    assert [source.path for source in load_sources([name], allow_secrets=True)] == [name]


@pytest.mark.parametrize(
    "name",
    [
        "env.py",
        "environment",
        "keys.py",
        "a.key.py",
        "netrc",
        "id.py",
        "credentials.py",
        ".gitignore",
        ".github/a.yml",
    ],
)
def test_names_that_only_look_alike_are_not_denied(name: str) -> None:
    assert denied_by(Path(name)) is None
    assert denied_by(Path(name.upper())) is None


def test_an_empty_path_is_denied_by_nothing() -> None:
    assert denied_by(Path()) is None


def test_a_link_to_a_secret_is_denied_whatever_it_is_called() -> None:
    write(".env")
    Path("notes.txt").symlink_to(".env")

    assert "The source notes.txt is denied: `.env*`" in refusal(SourceDenied, "notes.txt")


def test_a_secret_reached_through_a_linked_directory_is_denied() -> None:
    write(".git/config")
    Path("docs").symlink_to(".git")

    assert "The source docs/config is denied: `.git/`" in refusal(SourceDenied, "docs/config")


def test_a_link_named_like_a_secret_is_denied() -> None:
    write("notes.txt")
    Path(".env").symlink_to("notes.txt")

    assert "is denied" in refusal(SourceDenied, "notes.txt", ".env")


def test_a_secret_outside_the_roots_is_refused_as_outside(tmp_path: Path) -> None:
    assert "lies outside" in refusal(SourceOutsideRoots, write(str(tmp_path / ".env")))


def test_a_secret_is_loaded_where_the_flag_allows_it() -> None:
    write(".env", b"A=1\n")
    Path("link").symlink_to(".env")

    (source,) = load_sources([".env", "link"], allow_secrets=True)

    assert source.text == "A=1\n"


def test_the_flag_for_secrets_does_not_widen_the_roots(tmp_path: Path) -> None:
    with pytest.raises(SourceOutsideRoots):
        load_sources([write(str(tmp_path / ".env"))], allow_secrets=True)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.lists(st.sampled_from(["..", "sub", "out", "a.py", ".", "up"]), min_size=1, max_size=6))
def test_no_path_reads_a_file_outside_the_root(tmp_path: Path, parts: list[str]) -> None:
    (tmp_path / "a.py").write_text("outside")
    write("a.py", b"inside")
    write("sub/a.py", b"inside")
    for link, target in [("out", tmp_path), ("sub/up", Path(".."))]:
        Path(link).unlink(missing_ok=True)
        Path(link).symlink_to(target)

    try:
        loaded = load_sources([Path(*parts)])
    except EvidenceError:
        return
    assert [source.text for source in loaded] == ["inside"]
