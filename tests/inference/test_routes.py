"""Models and routes as data."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muddle_utils.inference import errors, routes
from muddle_utils.inference.routes import Load, Model, ModelsFileError, Price, Route, find_model, load_of, read_models
from muddle_utils.judging.judges import find_judge
from muddle_utils.study.records import Limit

MINE = """
[[model]]
name = "mine"
parameters = { max_tokens = 100 }

[[model.route]]
provider = "openai/mine"
api_base = "http://127.0.0.1:9/v1"
"""


def written(tmp_path, text):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    return str(path)


def test_the_papers_panel_is_there():
    models = read_models()
    assert [route.provider for route in models["gpt-5-mini"].routes] == [
        "azure/gpt-5-mini",
        "openrouter/openai/gpt-5-mini",
    ]
    assert models["gpt-5-mini"].routes[0].max_images == 50
    assert models["gpt-5-mini"].parameters["reasoning_effort"] == "medium"
    assert models["gemini-3.5-flash"].parameters["reasoning_effort"] == "medium"
    assert [route.provider for route in models["gemini-3.5-flash"].routes] == ["openrouter/google/gemini-3.5-flash"]
    grok = models["grok-4.3"]
    assert "reasoning_effort" not in grok.parameters
    assert [(route.provider, route.comparable) for route in grok.routes] == [
        ("azure_ai/grok-4.3", True),
        ("openrouter/x-ai/grok-4.3", False),
    ]
    assert {"gpt-5.4-nano", "claude-sonnet-4.6"} <= set(models)
    assert find_judge("gpt-5.4-nano").parameters["reasoning_effort"] == "none"


def test_every_listed_price_says_when_it_was_read():
    for model in read_models().values():
        for route in model.routes:
            assert route.price is not None
            assert datetime.date.fromisoformat(route.price.read) <= datetime.date.today()
            assert route.price.source


def test_the_panels_pages_take_the_papers_routes():
    gpt, grok = find_model("gpt-5-mini"), find_model("grok-4.3")
    small = load_of(gpt, "image", 50, 9_000_000, 300, 300)
    assert gpt.choose(small)[0].provider == "azure/gpt-5-mini"
    assert gpt.choose(load_of(gpt, "image", 51, 9_000_000, 300, 300))[0].provider == "openrouter/openai/gpt-5-mini"
    # 15 MB is the gateway's limit on what is sent: 11.25 MB of pages before base64.
    assert gpt.choose(load_of(gpt, "image", 51, 11_249_000, 300, 300))[0] is not None
    route, limit, detail = gpt.choose(load_of(gpt, "image", 51, 11_250_000, 300, 300))
    assert (route, limit) == (None, Limit("bytes", 15_000_300, 15_000_000))
    assert "azure/gpt-5-mini: 51 images, 1 over 50 (1.02 times)" in detail
    assert "openrouter/openai/gpt-5-mini: 15,000,300 bytes, 300 over 15,000,000 (1.00 times)" in detail
    pdf = load_of(grok, "pdf", 20, 1_000_000, 300, 300)
    assert grok.choose(pdf)[0].comparable is False


def test_a_modality_that_no_route_takes_is_the_limit():
    model = Model("m", (Route("openai/m", modalities=("markdown",)),))
    assert model.choose(Load("pdf", 0, 3, 10, (1, 2)))[1:] == (Limit("modality"), "openai/m: takes no pdf")


def test_tokens_count_by_their_lower_bound():
    model = Model("m", (Route("openai/m", max_tokens_in=100),))
    assert model.choose(load_of(model, "markdown", 0, 0, 606, 606))[1:] == (
        Limit("tokens", 101, 100),
        "openai/m: at least 101 tokens, 1 over 100 (1.01 times)",
    )
    assert model.choose(load_of(model, "markdown", 0, 0, 605, 605))[0] is not None


def test_what_a_request_weighs():
    model = Model("m", (), image_tokens=(100, 200), pdf_page_tokens=(10, 30))
    assert load_of(model, "markdown", 0, 0, 600, 700) == Load("markdown", 0, 0, 700, (100, 350))
    # 10 bytes are four groups of three, the last filled up: 16 characters of base64.
    assert load_of(model, "image", 3, 10, 60, 60) == Load("image", 3, 0, 16 + 60, (10 + 300, 30 + 600))
    assert load_of(model, "pdf", 3, 9, 60, 60) == Load("pdf", 0, 3, 12 + 60, (10 + 30, 30 + 90))


@given(st.integers(0, 10**7))
def test_base64_is_as_long_as_said(n):
    assert load_of(Model("m", ()), "pdf", 1, n, 0, 0).n_bytes == (n + 2) // 3 * 4


def test_a_price_by_hand():
    price = Price(0.25, 2.0, "2026-11-29", cached=0.025)
    assert price.cost(1_000_000, 500_000) == 0.25 + 1.0
    assert price.cost(1_000_000, 0, 400_000) == pytest.approx(0.6 * 0.25 + 0.4 * 0.025)
    long = Price(1.25, 2.5, "d", above=200_000, above_times=2.0)
    assert long.cost(200_000, 1_000_000) == 0.25 + 2.5
    assert long.cost(200_001, 1_000_000) == pytest.approx(2 * (0.200001 * 1.25 + 2.5))
    assert find_model("grok-4.3").routes[0].price.above == 200_000
    assert Price(1.0, 1.0, "d").cost(10, 0, 10) == 10 / 1e6, "without a price of their own cached tokens cost the same"


# --- the user's own file ---


def test_an_own_file_adds_and_replaces(tmp_path):
    text = MINE + MINE.replace('"mine"', '"gpt-5-mini"')
    models = read_models(written(tmp_path, text))
    assert models["mine"].routes[0].api_base == "http://127.0.0.1:9/v1"
    assert [route.provider for route in models["gpt-5-mini"].routes] == ["openai/mine"]
    assert "grok-4.3" in models


def test_a_changed_file_is_read_again(tmp_path):
    import os

    path = written(tmp_path, MINE)
    assert find_model("mine", path).parameters == {"max_tokens": 100}
    written(tmp_path, MINE.replace("100", "200"))
    os.utime(path, (1, 1))
    assert find_model("mine", path).parameters == {"max_tokens": 200}


def test_a_model_that_no_file_names_is_itself():
    model = find_model("openai/other", api_base="http://127.0.0.1:9/v1")
    assert (model.routes, model.listed) == ((Route("openai/other", "http://127.0.0.1:9/v1"),), False)
    # An address given by hand is that server, whatever the kit lists under the name.
    assert find_model("openai/gpt-5-mini", api_base="http://127.0.0.1:9/v1").routes[0].max_tokens_in == 0
    assert find_model("local/reader").routes[0].price.cost(10**6, 10**6) == 0.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("127.0.0.1:9", "h:99999"), "api_base is no address"),
        (("127.0.0.1:9", "h:0"), "api_base is no address"),
        (("127.0.0.1:9", "h "), "api_base is no address"),
        (("/v1", "/v1\\n"), "api_base is no address"),
        (("/v1", "/v1\\u00a0"), "api_base is no address"),
        (("name = ", "nmae = "), "model 1: unknown key 'nmae': take some of"),
        (('name = "mine"', ""), "model 1: name is missing"),
        (('name = "mine"', "name = 3"), "name = 3 has to be a text"),
        (('name = "mine"', 'name = "local/mine"'), "names that begin with local/ are the embedded models'"),
        (("provider", "povider"), "route 1: unknown key 'povider'"),
        (('api_base = "http://', 'api_base = "127.0.0.1'), "has to begin with http:// or https://"),
        (("http://127", "http://user:secret@127"), "api_base holds credentials"),
        (("/v1", "/v1?key=abc"), "api_base holds credentials"),
        (("{ max_tokens = 100 }", "3"), "parameters = 3 has to be a table"),
        (("[[model.route]]", "[[model.way]]"), "unknown key 'way'"),
        (('provider = "openai/mine"', 'provider = "openai/mine"\nmax_images = 0'), "max_images = 0 has to be above 0"),
        (('provider = "openai/mine"', 'provider = "openai/mine"\nmax_images = true'), "max_images = True has to be"),
        (('provider = "openai/mine"', 'provider = "openai/mine"\nmodalities = ["audio"]'), "'audio' is unknown"),
        (
            ('provider = "openai/mine"', 'provider = "openai/mine"\nneeds = [3]'),
            "needs = .3. has to be a list of texts",
        ),
        (
            ('provider = "openai/mine"', 'provider = "openai/mine"\nprice = { input = 1 }'),
            "price.output = None has to be",
        ),
        (('provider = "openai/mine"', 'provider = "openai/mine"\nprice = { input = 1, output = 2 }'), "price.read is"),
        (('name = "mine"', 'name = "mine"\nimage_tokens = [5, 2]'), "image_tokens = .5, 2. has to be two whole"),
        (("[[model]]", "[[mdoel]]"), "unknown table 'mdoel'|not TOML"),
        (("[[model]]", "[[model"), "not TOML"),
    ],
)
def test_a_bad_entry_is_named_with_the_mend(tmp_path, change, message):
    with pytest.raises(ModelsFileError, match=message) as caught:
        read_models(written(tmp_path, MINE.replace(*change)))
    assert "mine.toml" in str(caught.value)


@pytest.mark.parametrize(
    ("headers", "message"),
    [
        ('{ X-Team = "hunter2x-9" }', "key, headers and needs name environment variables"),
        ("{ X-Team = 7 }", "key, headers and needs name environment variables"),
        ('{ "X Team" = "MY_TEAM" }', "'X Team' is no name of a header"),
        ('"MY_TEAM"', "headers = 'MY_TEAM' has to be a table"),
    ],
)
def test_headers_name_environment_variables(tmp_path, headers, message):
    with pytest.raises(ModelsFileError, match=message) as caught:
        read_models(written(tmp_path, f"{MINE}headers = {headers}\n"))
    assert "hunter2x" not in str(caught.value)


def test_headers_have_an_address_that_they_go_to(tmp_path, monkeypatch):
    text = f'{MINE}headers = {{ X-Team = "MY_ODD_TEAM" }}\n'
    monkeypatch.setenv("MY_ODD_TEAM", "oddvalue-44-55-66")
    (route,) = read_models(written(tmp_path, text))["mine"].routes
    assert (route.headers, route.variables) == ({"X-Team": "MY_ODD_TEAM"}, ("MY_ODD_TEAM",))
    assert errors.without_keys("it is oddvalue-44-55-66") == "it is [redacted]"
    bare = "\n".join(line for line in text.split("\n") if "api_base" not in line)
    with pytest.raises(ModelsFileError, match="own address alone: give it an api_base"):
        read_models(written(tmp_path, bare))


def test_a_key_in_the_file_is_refused_and_not_repeated(tmp_path):
    text = MINE + 'key = "sk-planted-0123456789"\n'
    with pytest.raises(ModelsFileError, match="name environment variables") as caught:
        read_models(written(tmp_path, text))
    assert "planted" not in str(caught.value)


def test_other_bad_files(tmp_path):
    with pytest.raises(ModelsFileError, match=r"nowhere.toml is missing"):
        read_models(str(tmp_path / "nowhere.toml"))
    with pytest.raises(ModelsFileError, match="two models are named 'mine'"):
        read_models(written(tmp_path, MINE + MINE))
    with pytest.raises(ModelsFileError, match=r"no \[\[model.route\]\]"):
        read_models(written(tmp_path, '[[model]]\nname = "bare"\n'))
    twice = MINE + MINE.partition("[[model.route]]")[2].join(["[[model.route]]", ""])
    with pytest.raises(
        ModelsFileError, match=r"two routes are 'openai/mine at http://127\.0\.0\.1:9/v1': give one of them a label"
    ):
        read_models(written(tmp_path, twice))
    routes_of = read_models(written(tmp_path, twice + 'label = "the other"'))["mine"].routes
    assert [route.name for route in routes_of] == ["openai/mine at http://127.0.0.1:9/v1", "the other"]
    with pytest.raises(ModelsFileError, match="exclude each other"):
        find_model("mine", written(tmp_path, MINE), "http://127.0.0.1:1/v1")


# --- judges ---


def test_a_judge_of_ones_own(tmp_path):
    text = MINE + '[[judge]]\nname = "strict"\nmodel = "mine"\nprompt = "Q {question} R {reference} A {prediction}"\n'
    judge = find_judge("strict", written(tmp_path, text))
    assert judge.ask_text("q", "r", 'a "quote"') == 'Q "q" R "r" A "a \\"quote\\""'
    assert (judge.model.name, judge.parser, judge.parameters) == ("mine", "json", {"max_tokens": 100})
    assert judge.fingerprint != find_judge("mine", written(tmp_path, MINE)).fingerprint


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('prompt = "no fields"', "prompt has to hold {question}, {reference} and {prediction}"),
        ('prompt = "{question} {reference} {prediction} {x}"', "has to hold"),
        ('prompt = "{question"', "is no template"),
        ('parser = "guess"', "parser = 'guess', take one of json, word"),
    ],
)
def test_a_judge_that_cannot_judge_is_refused(tmp_path, line, message):
    text = MINE + f'[[judge]]\nname = "strict"\nmodel = "mine"\n{line}\n'
    with pytest.raises(ModelsFileError, match=message):
        find_judge("strict", written(tmp_path, text))


def test_the_small_judge_of_the_file_is_whole():
    judge = find_judge("my-small-judge")
    assert judge.parser == "word"
    assert judge.ask_text("q", "r", "a").endswith("CORRECT or INCORRECT.\n")
    assert routes.read_judges()["my-small-judge"].note


SECRET_ADDRESSES = [
    *("http://user:hunter2x@127.0.0.1/v1", "http://:hunter2x@127.0.0.1/v1", "http://hunter2x@127.0.0.1/v1"),
    *("http://127.0.0.1/v1?api_key=hunter2x", "http://127.0.0.1/v1#hunter2x", "user:hunter2x@127.0.0.1/v1"),
    *("http://127.0.0.1/v1/sk-hunter2x-0123456789abcdefghij", "http://[hunter2x", "sk-hunter2x-0123456789abcdefghij"),
    *("http://127.0.0.1/v1;token=hunter2x", "http://127.0.0.1/v1%3Ftoken%3Dhunter2x", "http://me%3Ahunter2x%40host/v1"),
]


@pytest.mark.parametrize("address", SECRET_ADDRESSES)
@pytest.mark.parametrize("name", ["openai/other", "local/reader"])
def test_an_address_with_credentials_is_refused_wherever_it_is_given(tmp_path, name, address):
    for refused in (
        lambda: find_model(name, api_base=address),
        lambda: read_models(written(tmp_path, MINE.replace("http://127.0.0.1:9/v1", address))),
    ):
        with pytest.raises(ModelsFileError, match=r"api_base (?:holds credentials|is no address)") as caught:
            refused()
        assert "hunter2x" not in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        ("{ max_tokens = 100 }", '{ api_key = "hunter2x" }'),
        ("{ max_tokens = 100 }", '{ extra_headers = { Authorization = "Bearer hunter2x" } }'),
        ("{ max_tokens = 100 }", '{ stop = ["sk-hunter2x-0123456789abcdefghij"] }'),
        ('name = "mine"', 'name = "mine"\njudge_parameters = { X-Api-Key = "hunter2x" }'),
        ('provider = "openai/mine"', 'provider = "openai/mine"\nextra = { accessToken = "hunter2x" }'),
        ('provider = "openai/mine"', 'provider = "openai/mine"\nextra = { api_keys = ["hunter2x"] }'),
        ('provider = "openai/mine"', 'provider = "openai/mine"\nextra = { pwd = "hunter2x" }'),
        ('name = "mine"', 'name = "mine"\nnote = "sk-hunter2x-0123456789abcdefghij"'),
        ('provider = "openai/mine"', 'provider = "openai/mine"\nextra = { access_token = "hunter2x" }'),
        ('provider = "openai/mine"', 'provider = "openai/mine"\nlabel = "https://me:hunter2x@127.0.0.1"'),
    ],
)
def test_a_key_anywhere_in_a_models_file_is_refused(tmp_path, change):
    assert change[0] in MINE
    with pytest.raises(ModelsFileError, match=r"mine\.toml.* looks like a key: put it into the environment") as caught:
        read_models(written(tmp_path, MINE.replace(*change)))
    assert "hunter2x" not in str(caught.value)


def test_whoever_reads_a_models_file_knows_its_keys_and_keeps_them_out(tmp_path, monkeypatch):
    monkeypatch.setenv("MY_ODD", "oddvalue-77-88-99")
    assert errors.without_keys("it is oddvalue-77-88-99") == "it is oddvalue-77-88-99"
    read_models(written(tmp_path, MINE.replace('provider = "openai/mine"', 'provider = "openai/mine"\nkey = "MY_ODD"')))
    assert errors.without_keys("it is oddvalue-77-88-99") == "it is [redacted]"


def test_what_only_sounds_like_a_key_is_taken(tmp_path):
    text = MINE.replace("{ max_tokens = 100 }", '{ max_tokens = 100, pad_token = "<pad>", stop = ["token: key"] }')
    assert read_models(written(tmp_path, text))["mine"].parameters["pad_token"] == "<pad>"
