import collections
import datetime

import pytest
from conftest import completion

from muddle_utils.inference import attachment_check, client
from muddle_utils.inference.client import Patience
from muddle_utils.inference.routes import Price, Route
from muddle_utils.runs import cli, doctor

KEY = "sk-planted-0123456789abcdef"
TODAY = datetime.date(2026, 11, 30)
# Every variable that could change what is found here.
VARIABLES = (
    *("OPENAI_API_KEY", "OPENROUTER_API_KEY", "AZURE_API_KEY", "AZURE_API_BASE", "AZURE_AI_API_KEY", "XAI_API_KEY"),
    *("AZURE_AI_API_BASE", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "OPENAI_BASE_URL"),
    *("OPENAI_API_BASE", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"),
)


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(client, "FIRST_WAIT", 0.01)


@pytest.fixture
def run(tmp_path, capsys):
    """Run ``muddle doctor`` and return its exit code and what it printed."""

    def do(*argv):
        code = cli.main(["doctor", "--runs-dir", str(tmp_path), *argv])
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return do


def lines(text, *words):
    return [line for line in text.splitlines() if all(word in line for word in words)]


def checks_of(name, **options):
    (asked,), _ = doctor.find_asked([name], [], **options)
    return doctor.check_model(asked, today=TODAY)


def models_file(tmp_path, text):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    return str(path)


MINE = """
[[model]]
name = "mine"
parameters = { max_tokens = 100 }
[[model.route]]
provider = "openai/small"
api_base = "URL"
price = { input = 1.0, output = 2.0, read = 2026-11-01, source = "mine" }
"""


def test_the_version_of_python_is_looked_at():
    assert doctor.check_python((3, 11, 0)).state == doctor.OK
    old = doctor.check_python((3, 10, 14))
    assert (old.state, old.detail) == (doctor.PROBLEM, "3.10.14 is too old")


def test_a_lock_may_pin_a_library_for_several_pythons():
    lock = "numpy==2.4.6 ; python_full_version < '3.12' \\\n    --hash=x\nnumpy==2.5.5 ; python_version >= '3.12' \\\n"
    lock += "markitdown[pdf]==0.1.9 \\\n    # via numpy\n"
    assert doctor.locked_versions(lock) == {"numpy": ("2.4.6", "2.5.5"), "markitdown": ("0.1.9",)}


@pytest.mark.parametrize(
    ("installed", "state", "said"),
    [
        ("1.110.2", doctor.OK, "as locked"),
        ("1.110.3", doctor.PROBLEM, "1.110.3, and 1.110.2 is locked"),
        ("", doctor.PROBLEM, "not installed, and 1.110.2 is locked"),
        ("1.82.7", doctor.PROBLEM, "sends the keys of this machine to a stranger"),
        ("1.82.8", doctor.PROBLEM, "sends the keys of this machine to a stranger"),
    ],
)
def test_litellm_has_to_be_as_locked(monkeypatch, tmp_path, installed, state, said):
    own = doctor._installed
    monkeypatch.setattr(doctor, "_installed", lambda name: installed if name == "litellm" else own(name))
    lock = tmp_path / "requirements.lock"
    lock.write_text("litellm==1.110.2 \\\n")
    (found,) = [check for check in doctor.check_libraries(lock) if check.what == "litellm"]
    assert found.state == state
    assert said in found.detail


def test_the_libraries_of_this_environment_are_as_locked():
    assert [(check.what, check.state) for check in doctor.check_libraries() if check.state != doctor.OK] == []


def test_another_version_of_another_library_is_noted(monkeypatch):
    own = doctor._installed
    monkeypatch.setattr(doctor, "_installed", lambda name: "0.0.1" if name == "pandas" else own(name))
    (found,) = [check for check in doctor.check_libraries() if check.what == "pandas"]
    assert found.state == doctor.NOTE
    assert found.detail.startswith("0.0.1, and ")


def test_little_room_is_noted_and_a_closed_folder_is_a_problem(monkeypatch, tmp_path):
    usage = collections.namedtuple("usage", "total used free")
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda path: usage(1e12, 0, 4.9e9))
    disk, store = doctor.check_disk(str(tmp_path / "not" / "yet"))
    assert (disk.state, store.state) == (doctor.NOTE, doctor.OK)
    assert "only 4.9 GB free" in disk.detail
    assert list(tmp_path.iterdir()) == [], "nothing is left behind"

    def refuse(prefix, dir):
        assert dir == tmp_path, "it is tried where studies are kept"
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(doctor.tempfile, "TemporaryDirectory", refuse)
    assert doctor.check_disk(str(tmp_path))[1].state == doctor.PROBLEM


def test_what_sends_requests_elsewhere_is_named_and_not_shown(monkeypatch):
    assert [check.state for check in doctor.check_environment([])] == [doctor.OK]
    monkeypatch.setenv("OPENAI_BASE_URL", "http://user:secret-word@elsewhere.example/v1")
    monkeypatch.setenv("https_proxy", "http://user:secret-word@proxy.example")
    found = doctor.check_environment([])
    assert [(check.what, check.state) for check in found] == [
        ("OPENAI_BASE_URL", doctor.NOTE),
        ("https_proxy", doctor.NOTE),
    ]
    assert "secret-word" not in doctor.report(found)
    assert "elsewhere.example" not in doctor.report(found)


def test_prices_have_a_date_and_age():
    def state(price, **route):
        return doctor.check_price("x", Route("openai/x", price=price, **route), TODAY)

    # 180 days before 30 November 2026 is 3 June 2026.
    assert state(Price(1, 2, "2026-06-03", "list")).state == doctor.OK
    old = state(Price(1, 2, "2026-06-02", "list"))
    assert (old.state, "181 days ago" in old.detail) == (doctor.NOTE, True)
    assert state(Price(1, 2, "some day", "list")).state == doctor.NOTE
    unknown = state(None, api_base="http://127.0.0.1:9")
    assert (unknown.state, unknown.detail) == (doctor.NOTE, "price unknown")


def test_every_model_of_the_files_without_a_key_is_no_problem(run):
    code, text = run()
    assert (code, lines(text, "PROBLEM")) == (0, [])
    assert lines(text, "claude-sonnet-4.6", "ANTHROPIC_API_KEY is not set")
    assert lines(text, "azure/gpt-5-mini", "at most 50 images, 272,000 tokens")
    assert lines(text, "openai/gpt-5.4-nano", "$0.2 in, $1.25 out") and not lines(text, "would be sent {")
    assert lines(text, "models file", "what one would be sent is looked at when it is named")
    assert text.rstrip().endswith("No problem.")


def test_a_model_that_was_named_has_to_work(run, monkeypatch):
    code, text = run("--model", "openai/gpt-5-mini")
    assert code == 1
    assert lines(text, "PROBLEM", "none of its routes can be used")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    code, text = run("--model", "openai/gpt-5-mini", "--judge", "openai/gpt-5.4-nano")
    assert code == 0
    assert lines(text, "ok", "openai/gpt-5-mini", "OPENAI_API_KEY is set")
    assert lines(text, "judge openai/gpt-5.4-nano", '"reasoning_effort": "none"')
    assert KEY not in text
    assert KEY[3:20] not in text


def test_one_usable_route_is_enough(monkeypatch):
    monkeypatch.setenv("OPENROUTER_API_KEY", KEY)
    found = checks_of("gpt-5-mini")
    assert all(check.state != doctor.PROBLEM for check in found)
    assert any("AZURE_API_KEY and AZURE_API_BASE are not set" in check.detail for check in found)


def test_embedded_models_need_nothing(run):
    code, text = run("--model", "local/reader", "--judge", "local/rules")
    assert code == 0
    assert len(lines(text, "runs in this process")) == 2


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["--model", "zzz/nope"], "'zzz/nope' is unknown to litellm"),
        (["--judge", "local/reader"], "judges none"),
        (["--models-file", "/nowhere/mine.toml"], "/nowhere/mine.toml is missing"),
    ],
)
def test_what_cannot_work_gives_exit_code_1(run, argv, said):
    code, text = run(*argv)
    assert code == 1
    assert lines(text, "PROBLEM", said)


def test_a_parameter_that_would_be_lost_is_a_problem(run, tmp_path):
    file = models_file(
        tmp_path,
        MINE.replace("URL", "http://127.0.0.1:9/v1")
        .replace("openai/small", "anthropic/claude-3-haiku-20240307")
        .replace("max_tokens = 100", "logit_bias = { a = 1 }"),
    )
    code, text = run("--models-file", file, "--model", "mine")
    assert code == 1
    assert lines(text, "PROBLEM", "logit_bias")


def test_nothing_is_sent_without_probe(run, tmp_path, chat_server):
    file = models_file(tmp_path, MINE.replace("URL", chat_server.url))
    code, text = run("--models-file", file, "--model", "mine", "--judge", "mine")
    assert code == 0
    assert lines(text, "needs no key")
    assert chat_server.requests == []


def code_words(url):
    return {name: attachment_check.code_word(f"openai/small at {url}", name) for name in ("markdown", "image", "pdf")}


def test_a_probe_says_what_arrived(run, tmp_path, chat_server):
    words = code_words(chat_server.url)

    def respond(number, body):
        content = body["messages"][0]["content"]
        kinds = {"text"} if isinstance(content, str) else {block["type"] for block in content}
        # The PDF is lost on the way, and the model has nothing to read.
        if "file" in kinds:
            return (
                200,
                {},
                {
                    **completion("Not answerable"),
                    "usage": {"prompt_tokens": 3, "completion_tokens": 1, "total_tokens": 4},
                },
            )
        return 200, {}, completion("I see nothing" if "image_url" in kinds else f"It is {words['markdown']}.")

    chat_server.respond = respond
    file = models_file(tmp_path, MINE.replace("URL", chat_server.url))
    code, text = run("--models-file", file, "--model", "mine", "--probe")
    assert "--probe sends one small page 3 times, which costs a few hundred tokens each" in text
    assert lines(text, "ok", "probe mine", "markdown", "proven: the code word came back")
    assert lines(text, "note", "probe mine", "image", "not proven: no code word in 'I see nothing'")
    assert lines(text, "PROBLEM", "probe mine", "pdf", "attachment_lost")
    assert code == 1
    assert len(chat_server.requests) == 3
    assert {body["max_tokens"] for body in chat_server.requests} == {100}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.toml"], "the store is thrown away"


def test_a_probe_never_shows_a_key(run, tmp_path, chat_server, monkeypatch):
    monkeypatch.setenv("MINE_KEY", KEY)
    chat_server.respond = lambda number, body: (401, {}, {"error": {"message": f"Incorrect API key provided: {KEY}"}})
    route = '[[model.route]]\nkey = "MINE_KEY"\nmodalities = ["markdown"]'
    text = MINE.replace("URL", chat_server.url).replace("[[model.route]]", route)
    code, said = run("--models-file", models_file(tmp_path, text), "--model", "mine", "--probe")
    assert code == 1
    assert lines(said, "PROBLEM", "credentials")
    assert lines(said, "MINE_KEY is set")
    assert KEY not in said


def test_a_probe_of_a_dead_server_ends_soon(tmp_path):
    file = models_file(
        tmp_path,
        MINE.replace("URL", "http://127.0.0.1:9/v1").replace(
            "[[model.route]]", '[[model.route]]\nmodalities = ["markdown"]'
        ),
    )
    patience = Patience(timeout=5.0, seconds=2.0)
    asked, _ = doctor.find_asked(["mine"], [], file)
    (check,) = doctor.run_probes(doctor.probes(asked), patience=patience)
    assert check.state == doctor.PROBLEM
    assert "connection" in check.detail
    unnamed = [each for each in doctor.find_asked([], [], file)[0] if each.name == "mine"]
    (check,) = doctor.run_probes(doctor.probes(unnamed), patience=patience)
    assert check.state == doctor.NOTE, "nobody said that it has to be there"


def test_each_route_is_probed_in_what_it_takes(monkeypatch):
    monkeypatch.setenv("XAI_API_KEY", KEY)
    asked, _ = doctor.find_asked(["xai/grok-4.3", "local/reader"], ["xai/grok-4.3"])
    sent = [(each.name, modality) for each, _, modality in doctor.probes(asked)]
    assert sent == [("xai/grok-4.3", "markdown"), ("xai/grok-4.3", "image"), ("judge xai/grok-4.3", "markdown")]


def test_the_report_puts_each_mend_under_what_it_mends():
    checks = [doctor.Check("a", doctor.OK, "fine"), doctor.Check("b", doctor.PROBLEM, "broken", "mend it so")]
    said = doctor.report(checks).splitlines()
    assert [line.split() for line in said[1:4]] == [
        ["ok", "a", "fine"],
        ["PROBLEM", "b", "broken"],
        "mend: mend it so".split(),
    ]
    assert said[-1] == "1 problem."


def test_a_file_where_studies_should_go_is_a_problem(tmp_path):
    place = tmp_path / "runs"
    place.write_text("x")
    for wanted in (place, place / "below"):
        (found,) = doctor.check_disk(str(wanted))
        assert found.state == doctor.PROBLEM and str(place) in found.detail and "--runs-dir" in found.mend
