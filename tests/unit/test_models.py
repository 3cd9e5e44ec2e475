"""Who trained a model, what it is called, what it can take, which host may see the key, and what was served."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimjury.errors import ConfigInvalid, InvalidRequest
from claimjury.models.answers import Answer
from claimjury.models.families import family_of, known_families
from claimjury.models.hosts import DEFAULT_HOST, Cloud, is_loopback
from claimjury.models.names import checked_panel, named_by_host, same_model, sent_name
from claimjury.models.providers import PROVIDERS
from claimjury.models.served import served_model_fault
from claimjury.models.traits import Traits, traits_of

KEY = "sk-a-secret-of-the-user"
HOST = "https://ollama.example"


@pytest.mark.parametrize(
    ("model", "family"),
    [
        *[
            ("deepseek-v4-pro:cloud", "deepseek"),
            ("deepseek-r1:671b", "deepseek"),
            ("cogito-2.1:671b", "deepseek"),
        ],
        *[("kimi-k2.7-code:cloud", "moonshot"), ("glm-5.2:cloud", "zai"), (" GLM-5.2:Cloud ", "zai")],
        *[
            ("qwen3-coder:480b-cloud", "alibaba"),
            ("qwen:7b", "alibaba"),
            ("qwen", "alibaba"),
            ("qwen3.5", "alibaba"),
        ],
        *[("gpt-oss:120b-cloud", "openai"), ("gpt-oss", "openai"), ("gpt-oss-safeguard:20b", "openai")],
        *[("minimax-m3:cloud", "minimax"), ("nemotron-3-nano:30b-cloud", "nvidia")],
        *[("mistral-large-3:675b-cloud", "mistral"), ("mistral", "mistral"), ("ministral-3:8b", "mistral")],
        *[("devstral-2:123b-cloud", "mistral"), ("magistral:24b", "mistral"), ("codestral:22b", "mistral")],
        *[("gemma4:31b-cloud", "google"), ("gemma:2b", "google"), ("gemini-3-flash-preview:cloud", "google")],
    ],
)
def test_a_family_is_read_from_the_id(model: str, family: str) -> None:
    assert family_of(model) == family


def test_an_unknown_family_adds_none() -> None:
    models = ["glm-5.2:cloud", "glm-5.1", "kimi-k3:cloud", "tinyllama", "gpt4all-j", "rnj-1:8b"]

    assert known_families(models) == ["moonshot", "zai"]


@pytest.mark.parametrize(
    ("model", "sent"),
    [
        *[("glm-5.2:cloud", "glm-5.2"), ("gpt-oss:120b-cloud", "gpt-oss:120b"), ("x:tag:cloud", "x:tag")],
        *[
            ("x-cloud", "x-cloud"),
            ("x-cloud:cloud", "x-cloud"),
            ("x:-cloud", "x:-cloud"),
            ("x:cloudy", "x:cloudy"),
        ],
        *[("X:CLOUD", "X"), ("X:Tag-Cloud", "X:Tag"), (" glm-5.2:cloud ", "glm-5.2"), ("glm-5.2", "glm-5.2")],
        *[("user/x:cloud", "user/x"), ("x:latest", "x:latest"), ("cloud", "cloud")],
    ],
)
def test_the_cloud_suffix_is_taken_off_the_name_that_is_sent(model: str, sent: str) -> None:
    assert sent_name(model) == sent


@pytest.mark.parametrize(
    ("left", "right"),
    [
        *[("glm-5.2:cloud", "glm-5.2"), ("gpt-oss:120b-cloud", "gpt-oss:120b"), ("x:tag:cloud", "x:tag")],
        *[
            ("GLM-5.2:Cloud", "glm-5.2"),
            ("x:latest", "x"),
            ("x:latest:cloud", "x:cloud"),
            ("x:Latest-cloud", "X"),
        ],
    ],
)
def test_two_spellings_name_one_model(left: str, right: str) -> None:
    assert same_model(left, right)
    assert same_model(right, left)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        *[("x-cloud", "x"), ("x", "y"), ("gpt-oss:120b", "gpt-oss:20b"), ("gpt-oss:120b", "gpt-oss")],
        *[("user/x", "x"), ("glm-5.2", "glm-5"), ("x:latestish", "x"), ("x-latest", "x"), ("x:cloud-2", "x")],
    ],
)
def test_two_names_that_differ_are_two_models(left: str, right: str) -> None:
    assert not same_model(left, right)
    assert not same_model(right, left)


names = st.from_regex(r"[a-zA-Z][a-zA-Z0-9.-]{0,8}(:[a-z0-9]{1,5})?", fullmatch=True)


@given(names)
def test_a_cloud_suffix_and_case_never_make_another_model(name: str) -> None:
    suffixed = f"{name}-cloud" if ":" in name else f"{name}:cloud"

    assert same_model(name, name)
    assert same_model(suffixed.upper(), name)
    assert sent_name(suffixed) == name


def test_a_panel_is_given_back_trimmed_and_in_order() -> None:
    assert checked_panel([" b:cloud", "a/b@c+d:1 "]) == ("b:cloud", "a/b@c+d:1")


@pytest.mark.parametrize("model", ["", "  ", "-x", ":cloud", "two words", "x\ny", "x;rm", "ünder", "x" * 201])
def test_a_malformed_model_id_is_refused(model: str) -> None:
    with pytest.raises(InvalidRequest, match="is not a model id") as caught:
        checked_panel(["glm-5.2:cloud", model])

    assert len(caught.value.message) < 150


def test_a_model_id_of_200_characters_is_accepted() -> None:
    assert checked_panel(["x" * 200]) == ("x" * 200,)


@pytest.mark.parametrize("model", ["x:local", "x:8b-local", "X:LOCAL"])
def test_a_local_model_never_gets_a_cloud_seat(model: str) -> None:
    with pytest.raises(InvalidRequest, match="a local model never sits in a cloud seat"):
        checked_panel([model])


@pytest.mark.parametrize("item", [1, None, b"glm-5.2:cloud", ["glm-5.2:cloud"]])
def test_a_model_id_that_is_no_text_is_refused(item: object) -> None:
    with pytest.raises(InvalidRequest) as caught:
        checked_panel(["glm-5.2:cloud", item])

    assert caught.value.message == f"The panel holds a {type(item).__name__}, not a model id."


@pytest.mark.parametrize(
    "model", ["huggingface/user/model", "bedrock/x:1", "xai/grok-4", "Azure/gpt-4o", "gateway/openai/gpt-5.2"]
)
def test_an_id_of_a_host_that_is_not_known_is_refused_before_it_could_go_to_ollama(model: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        checked_panel([model])

    head = model.partition("/")[0].casefold()
    assert caught.value.message == f"'{model}' begins with {head}, which is no host that claimjury knows."
    assert f"[servers.NAME]), or write ollama/{model}" in caught.value.hint


@pytest.mark.parametrize("model", ["openai:gpt-5.2", "google-gla:gemini-3-pro", "anthropic:claude-opus-5"])
def test_an_id_as_other_tools_write_it_is_refused_with_how_it_is_written_here(model: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        checked_panel([model])

    assert caught.value.hint == f"Here it is {model.replace(':', '/', 1)}."


@pytest.mark.parametrize("model", ["openai", "openai/", "OpenRouter", "openrouter/foo", "hf.co/"])
def test_an_id_without_a_model_is_refused(model: str) -> None:
    with pytest.raises(InvalidRequest):
        checked_panel([model])


@pytest.mark.parametrize("model", ["auto", "openrouter/auto", "groq/compound", "AUTO:cloud"])
def test_an_id_that_lets_the_host_choose_is_refused(model: str) -> None:
    with pytest.raises(InvalidRequest, match="who votes must be known"):
        checked_panel([model])


@pytest.mark.parametrize(
    ("model", "provider", "name"),
    [
        ("openai/gpt-5.2", "openai", "gpt-5.2"),
        ("Anthropic/claude-opus-5", "anthropic", "claude-opus-5"),
        ("openrouter/google/gemini-2.5-flash", "openrouter", "google/gemini-2.5-flash"),
        ("groq/openai/gpt-oss-120b", "groq", "openai/gpt-oss-120b"),
        ("glm-5.2:cloud", "ollama", "glm-5.2:cloud"),
        ("ollama/glm-5.2:cloud", "ollama", "glm-5.2:cloud"),
        ("ollama/openai/gpt-oss", "ollama", "openai/gpt-oss"),
        ("hf.co/user/model", "ollama", "hf.co/user/model"),
        ("user/model", "ollama", "user/model"),
        ("mistral:7b", "ollama", "mistral:7b"),
    ],
)
def test_the_first_segment_of_an_id_says_where_it_is_asked(model: str, provider: str, name: str) -> None:
    assert checked_panel([model]) == (model,)
    assert named_by_host(model, PROVIDERS) == (provider, name)


@pytest.mark.parametrize(
    "model",
    [
        *["hf.co/user/model:Q4_K_M", "user/model", "openai-user/x", "user/openai/x", "mistral:7b", "mistral"],
        *["deepseek-v4-pro:cloud", "gpt-oss:120b-cloud", "cohere-like"],
    ],
)
def test_an_id_that_is_ollamas_own_is_accepted(model: str) -> None:
    assert checked_panel([model]) == (model,)


@pytest.mark.parametrize("twin", ["glm-5.2:cloud", "glm-5.2", "GLM-5.2:latest", "ollama/glm-5.2:cloud"])
def test_one_model_under_two_spellings_is_refused(twin: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        checked_panel(["glm-5.2:cloud", "kimi-k3:cloud", twin])

    assert caught.value.message == f"The panel names one model twice: 'glm-5.2:cloud' and '{twin}'."


@pytest.mark.parametrize("model", ["gpt-oss:120b-cloud", "GPT-OSS:20b", "gpt-oss"])
def test_traits_are_those_of_the_name_whatever_the_tag(model: str) -> None:
    assert traits_of(model) == Traits(window=131_072, output_limit=32_768, think="low")


@pytest.mark.parametrize("model", ["llama4:scout", "gpt-oss-safeguard:20b", "user/gpt-oss", "glm-5.2-x", ""])
def test_a_model_without_a_row_has_no_traits(model: str) -> None:
    assert traits_of(model) == Traits(window=None, output_limit=None, think=None)


def test_a_longer_name_has_a_row_of_its_own() -> None:
    assert traits_of("glm-5.3-flash:cloud") != traits_of("glm-5.3:cloud")


def cloud(host: str | None = None, *trusted: str, key: str = KEY) -> Cloud:
    environ = {"OLLAMA_API_KEY": key} | ({} if host is None else {"OLLAMA_CLOUD_HOST": host})
    return Cloud.from_env(environ, trusted_hosts=trusted)


def test_the_key_and_the_default_host_come_from_the_environment() -> None:
    found = cloud(key=f" {KEY}\n")

    assert (found.host, found.api_key, found.trusted) == ("https://ollama.com", KEY, True)
    assert found.headers() == {"Authorization": f"Bearer {KEY}"}


@pytest.mark.parametrize("environ", [{}, {"OLLAMA_API_KEY": ""}, {"OLLAMA_API_KEY": "  "}])
def test_without_a_key_there_is_no_header(environ: dict[str, str]) -> None:
    found = Cloud.from_env(environ)

    assert found.api_key is None
    assert found.headers() == {}


@pytest.mark.parametrize(
    "host", ["", "  ", "https://ollama.com/", "HTTPS://Ollama.COM", "https://ollama.com/api"]
)
def test_the_default_host_has_one_spelling(host: str) -> None:
    assert cloud(host).host == DEFAULT_HOST


@pytest.mark.parametrize(
    "host", [HOST, "https://ollama.com.evil.example", "https://ollama.com:8443", "https://192.0.2.1"]
)
def test_a_host_that_is_not_trusted_is_refused(host: str) -> None:
    with pytest.raises(ConfigInvalid) as caught:
        cloud(host)

    assert caught.value.code == "CONFIG_INVALID"
    assert caught.value.message == f"OLLAMA_CLOUD_HOST is {host}, which is not a trusted host."
    assert KEY not in str(caught.value)


def test_a_trusted_host_gets_the_key() -> None:
    found = cloud(f"{HOST}/api/", f"{HOST.upper()}/")

    assert found.host == HOST
    assert found.headers() == {"Authorization": f"Bearer {KEY}"}


def test_trusting_one_host_trusts_no_other() -> None:
    with pytest.raises(ConfigInvalid, match="not a trusted host"):
        cloud("https://other.example", HOST)


@pytest.mark.parametrize(
    "host", ["http://localhost:11434", "http://127.0.0.1:1", "http://[::1]:1", "https://LOCALHOST"]
)
def test_loopback_is_accepted_but_gets_no_key(host: str) -> None:
    found = cloud(host)

    assert found.host == host.casefold()
    assert not found.trusted
    assert found.headers() == {}


def test_a_host_set_by_hand_gets_no_key_until_it_is_trusted() -> None:
    assert Cloud(host=HOST, api_key=KEY).headers() == {}
    assert Cloud(host=HOST, api_key=KEY, trusted_hosts=(HOST,)).headers() != {}


@pytest.mark.parametrize(
    ("host", "fault"),
    [
        ("http://ollama.com", "is plain http to another machine"),
        ("http://localhost.evil.example", "is plain http to another machine"),
        ("http://0.0.0.0:11434", "is plain http to another machine"),
        ("ollama.com", "is not a base URL"),
        ("ftp://ollama.com", "is not a base URL"),
        ("https://", "is not a base URL"),
        ("https://ollama.com?x=1", "is not a base URL"),
        ("https://ollama.com#x", "is not a base URL"),
        ("https://ollama.com/v1", "has a path"),
        ("https://ollama.com:99999", "is not a URL"),
        ("https://[::1", "is not a URL"),
    ],
)
def test_a_host_that_is_no_safe_base_url_is_refused(host: str, fault: str) -> None:
    with pytest.raises(ConfigInvalid) as caught:
        cloud(host)
    with pytest.raises(ConfigInvalid) as trusted:
        cloud(None, host)

    assert caught.value.message == f"OLLAMA_CLOUD_HOST {host!r} {fault}."
    assert trusted.value.message == f"The trusted host {host!r} {fault}."


@pytest.mark.parametrize("login", ["user:hunter2", ":hunter2", "hunter2", ""])
def test_a_host_with_a_login_is_refused_without_showing_it(login: str) -> None:
    with pytest.raises(ConfigInvalid, match="holds a user or a password") as caught:
        cloud(f"https://{login}@ollama.com")

    assert "hunter2" not in str(caught.value)


def test_the_key_is_never_in_the_repr() -> None:
    assert KEY not in repr(cloud())
    assert KEY not in str(cloud())


def test_a_key_that_a_host_echoes_is_taken_out_of_its_words() -> None:
    assert cloud().scrub(f"bad key {KEY}, {KEY}!") == "bad key [key], [key]!"


@pytest.mark.parametrize("key", ["", "a", "1234567"])
def test_a_stub_of_a_key_leaves_every_text_alone(key: str) -> None:
    assert cloud(key=key).scrub(f"a message {key} 1234567") == f"a message {key} 1234567"


@pytest.mark.parametrize("host", ["localhost", "LocalHost", "127.0.0.1", "127.255.0.1", "::1"])
def test_this_machine_is_loopback(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host", ["", "ollama.com", "localhost.example", "127.0.0.1.nip.io", "0.0.0.0", "10.0.0.1", "::"]
)
def test_another_machine_is_not_loopback(host: str) -> None:
    assert not is_loopback(host)


def answer(served: str | None, *, model: str | None = None, host: str | None = None) -> Answer:
    return Answer(text="", served_model=served, remote_model=model, remote_host=host, host=DEFAULT_HOST)


@pytest.mark.parametrize("served", ["glm-5.2", "GLM-5.2:cloud", "glm-5.2:latest"])
def test_the_model_asked_for_has_no_fault(served: str) -> None:
    assert served_model_fault("glm-5.2:cloud", answer(served)) is None


@pytest.mark.parametrize("served", ["glm-5.1", "glm-5.2-mini", "kimi-k3"])
def test_another_served_model_is_a_mismatch_that_names_it(served: str) -> None:
    assert served_model_fault("glm-5.2:cloud", answer(served)) == f"served_model_mismatch:{served}"


@pytest.mark.parametrize("served", [None, "", "  "])
def test_no_echo_of_the_served_model_is_a_fault(served: str | None) -> None:
    assert served_model_fault("glm-5.2:cloud", answer(served)) == "served_model_unknown"


@pytest.mark.parametrize(
    ("model", "host"), [("glm-5.2", None), (None, DEFAULT_HOST), ("glm-5.2", DEFAULT_HOST)]
)
def test_names_that_a_daemon_wrote_prove_nothing(model: str | None, host: str | None) -> None:
    fault = served_model_fault("glm-5.2:cloud", answer("glm-5.2", model=model, host=host))

    assert fault == "local_fallback:names_written_by_a_daemon"


def test_a_daemon_that_asked_another_model_is_a_mismatch() -> None:
    fault = served_model_fault("glm-5.2:cloud", answer("glm-5.2", model="qwen3.5", host=DEFAULT_HOST))

    assert fault == "served_model_mismatch:qwen3.5"


def test_a_served_name_is_cleaned_and_clipped_before_it_is_shown() -> None:
    fault = served_model_fault("glm-5.2:cloud", answer("\x1b[31mx\n" + "y" * 300))

    # An escape sequence is written out, so that no two names become one.
    assert fault is not None
    assert fault.startswith(f"served_model_mismatch:\\x1b[31mx {'y' * 100}")
    assert "\x1b" not in fault
    assert "characters in all]" in fault
