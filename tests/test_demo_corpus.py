"""The embedded corpus: what it has to hold, that its builder gives exactly these files, and that no sibling leaks."""

import ast
import importlib
import importlib.util
import json
import re
import subprocess
import sys
import unicodedata
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import pymupdf
import pytest
from named_sources import named, names_and_years
from sklearn.feature_extraction.text import TfidfVectorizer

from muddle_utils.study.records import ANSWER_FORMATS, DOCUMENT_TYPES, NOT_ANSWERABLE

ROOT = Path(__file__).resolve().parents[1]
DEMO = ROOT / "data" / "demo"


def read(name: str) -> list[dict]:
    return [json.loads(line) for line in (DEMO / name).read_text("utf-8").splitlines()]


DOCUMENTS = {row["document_id"]: row for row in read("documents.jsonl")}
QUESTIONS = read("questions.jsonl")
ANSWERABLE = [row for row in QUESTIONS if row["answer_format"] != "None"]
FAMILIES: dict[str, list[str]] = defaultdict(list)
for _row in DOCUMENTS.values():
    FAMILIES[_row["family"]].append(_row["document_id"])


@cache
def pages(document_id: str) -> tuple[str, ...]:
    with pymupdf.open(DEMO / "documents" / document_id) as document:
        return tuple(page.get_text() for page in document)


def flat(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split())


def items(question: dict) -> list[str]:
    return json.loads(question["answer"]) if question["answer_format"] == "List" else [question["answer"]]


def words(document_id: str) -> set[str]:
    return set(re.findall(r"\w+", unicodedata.normalize("NFKC", " ".join(pages(document_id))).lower()))


def family_pairs() -> list[tuple[str, str]]:
    return [(a, b) for members in FAMILIES.values() for i, a in enumerate(members) for b in members[i + 1 :]]


# --- The leak gate once more, written as plainly as it can be: an oracle for the one in corpus.curation. ------------


def plain(text: str) -> str:
    """Lower case, one kind of dash and quote, single spaces, no thousands separators."""
    text = flat(text).lower()
    for character, simple in (("\u2013", "-"), ("\u2014", "-"), ("\u2019", "'"), ("\u2018", "'")):
        text = text.replace(character, simple)
    while (shorter := re.sub(r"(\d),(\d\d\d)(?!\d)", r"\1\2", text)) != text:
        text = shorter
    return text


def skipped(item: str) -> bool:
    short = len(item) < 4 and not any(sign in item for sign in "%$\u20ac\u00a3\u00a5.")
    return short or (item.isdigit() and int(item) < 100)


def is_part_of_a_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def stands_in(item: str, text: str) -> bool:
    """Whether the item stands in the text and is not part of a longer word or number on either side."""
    start = text.find(item)
    while start >= 0:
        before, after = " " + text[:start][-2:], text[start + len(item) :][:2] + "  "
        free = not is_part_of_a_word(before[-1]) and not is_part_of_a_word(after[0])
        decimal = (item[0].isdigit() and before[-1] == "." and before[-2].isdigit()) or (
            item[-1].isdigit() and after[0] == "." and after[1].isdigit()
        )
        if free and not decimal:
            return True
        start = text.find(item, start + 1)
    return False


def leaks(question: dict, text: str) -> bool:
    searched = [plain(item) for item in items(question) if not skipped(plain(item))]
    return bool(searched) and all(stands_in(item, text) for item in searched)


def test_the_oracle_finds_a_leak_and_knows_what_to_skip():
    listed = {"answer_format": "List", "answer": '["Kettle Reach", "Ambler Sound"]'}
    number = {"answer_format": "Int", "answer": "4218"}
    assert leaks(number, plain("a sum of 4,218 tonnes")) and not leaks(number, plain("14,218 or 4,218.5 or 42180"))
    assert leaks(listed, plain("from Ambler\nSound to Kettle Reach")) and not leaks(listed, plain("in Kettle Reach"))
    assert all(map(skipped, ("12", "yes", "287"))) and not any(map(skipped, ("7%", "3.5", "1998", "larch")))


# --- What the issue asks for -----------------------------------------------------------------------------------------


def test_size_and_composition():
    roles = Counter(row["role"] for row in DOCUMENTS.values())
    assert roles["source"] >= 14 and roles["hard_negative"] >= 42
    assert {row["document_type"] for row in DOCUMENTS.values()} == set(DOCUMENT_TYPES)
    for family, members in FAMILIES.items():
        own = Counter(DOCUMENTS[name]["role"] for name in members)
        assert own["source"] >= 2 and own["hard_negative"] >= 6, family
        assert len({DOCUMENTS[name]["document_type"] for name in members}) == 1, family
    assert {row["licence"] for row in DOCUMENTS.values()} == {"CC0-1.0"}
    files = sorted(path.name for path in (DEMO / "documents").iterdir())
    assert files == sorted(DOCUMENTS)
    assert sum(path.stat().st_size for path in DEMO.rglob("*") if path.is_file()) <= 8_000_000


def test_questions_cover_formats_skills_and_sources():
    assert len(QUESTIONS) >= 70
    assert len({row["question_id"] for row in QUESTIONS}) == len(QUESTIONS)
    assert {row["answer_format"] for row in QUESTIONS} == set(ANSWER_FORMATS)
    for wanted in ("recall", "reasoning"):
        assert sum(row["skill"] == wanted for row in ANSWERABLE) >= len(ANSWERABLE) / 5, wanted
    from_tables = sum("Table" in row["evidence_sources"] for row in ANSWERABLE)
    assert len(ANSWERABLE) / 3 <= from_tables <= len(ANSWERABLE) * 2 / 3
    for name, row in DOCUMENTS.items():
        asked = [question for question in ANSWERABLE if question["document_id"] == name]
        assert len(asked) >= 5 if row["role"] == "source" else not asked, name
    for row in QUESTIONS:
        assert (row["answer"] == NOT_ANSWERABLE) == (row["answer_format"] == "None"), row["question_id"]
        assert bool(row["evidence_spans"]) == (row["answer_format"] != "None"), row["question_id"]


def test_page_band_and_recorded_page_facts():
    for name, row in DOCUMENTS.items():
        assert 10 <= row["n_pages"] <= 40 and row["n_pages"] == len(pages(name)), name
        assert row["n_chars"] == sum(map(len, pages(name))), name


def test_the_pages_are_varied():
    labelled = image_only = 0
    widths, lengths = set(), []
    for name in DOCUMENTS:
        with pymupdf.open(DEMO / "documents" / name) as document:
            lengths.append(len(document))
            widths.add(round(document[0].rect.width))
            labelled += any(page.get_label() not in ("", str(page.number + 1)) for page in document)
            image_only += sum(not page.get_text().strip() and bool(page.get_images()) for page in document)
    assert image_only >= 1
    assert image_only == sum(len(row["scanned_pages"]) for row in DOCUMENTS.values())
    assert labelled >= 8
    assert len(widths) >= 3
    assert sum(length >= 18 for length in lengths) >= 2


@pytest.mark.parametrize("question", ANSWERABLE, ids=lambda row: row["question_id"])
def test_answer_is_on_its_evidence_page(question):
    told = pages(question["document_id"])
    where = question["evidence_pages"]
    assert where == sorted(set(where)) and all(1 <= page <= len(told) for page in where)
    if question["requires_visual"]:
        # The page is a scan: the builder checked the spans against its text before it became a picture.
        assert all(not told[page - 1].strip() for page in where)
    else:
        evidence = [flat(told[page - 1]) for page in where]
        for span in question["evidence_spans"]:
            assert any(flat(span) in text for text in evidence), span
        for page, text in zip(where, evidence, strict=True):
            assert any(flat(span) in text for span in question["evidence_spans"]), page
    spans = plain(" \u00b6 ".join(question["evidence_spans"]))
    if question["skill"] == "recall" and question["task_type"] in ("lookup", "enumerate"):
        for item in items(question):
            assert number_stands_in(item, spans) or stands_in(plain(item), spans), item
    if question["task_type"] in ("derive", "compare", "count"):
        assert derivable(question, spans), (question["answer"], spans)


def numbers(text: str) -> list[float]:
    return [float(found) for found in re.findall(r"\d+(?:\.\d+)?", text)]


def number_stands_in(item: str, spans: str) -> bool:
    bare = item.rstrip("%").replace(",", "")
    return bool(re.fullmatch(r"-?\d+(\.\d+)?", bare)) and abs(float(bare)) in numbers(spans)


def within(values, wanted: float, answer: str) -> bool:
    """Whether one of the values rounds to the answer at the answer's own number of decimals."""
    digits = len(answer.rstrip("%").partition(".")[2])
    return any(abs(abs(value) - wanted) <= 0.5001 * 10**-digits for value in values)


def derivable(question: dict, spans: str) -> bool:
    """Whether the answer stands in the spans or is made of their numbers in one step.

    A step is a sum, difference, product, ratio, percentage or change of two numbers, a sum and difference of three, or
    the sum of neighbours. A count may be of anything in the spans, so it only has to be no larger than their words.
    """
    answer = question["answer"]
    if question["answer_format"] in ("Str", "List"):
        return all(any(word in spans for word in plain(item).split()) for item in items(question))
    wanted, told = abs(float(answer.rstrip("%").replace(",", ""))), numbers(spans)
    if wanted in told or (question["task_type"] == "count" and wanted <= len(spans.split())):
        return True
    made = [value for a in told for b in told for value in (a - b, a + b, a * b)]
    made += [value for a in told for b in told if b for value in (a / b, 100 * a / b, 100 * (a - b) / b)]
    made += [a + s * b + t * c for a in told for b in told for c in told for s in (1, -1) for t in (1, -1)]
    made += [sum(told[start:stop]) for start in range(len(told)) for stop in range(start + 2, len(told) + 1)]
    return within(made, wanted, answer)


def test_a_derived_answer_has_to_follow_from_its_spans():
    asked = {"answer_format": "Float", "task_type": "derive", "answer": "1.501"}
    # 7.31 / 4.87 = 1.50102...; no sum, difference, product or percentage of 7.31 and 4.00 rounds to 1.501.
    assert derivable(asked, "old 4.87 new 7.31") and not derivable(asked, "old 4.00 new 7.31")


def test_no_sibling_gives_an_answer_away():
    texts = {name: plain("\n".join(pages(name))) for name in DOCUMENTS}
    found = [
        (question["question_id"], sibling)
        for question in ANSWERABLE
        for sibling in FAMILIES[DOCUMENTS[question["document_id"]]["family"]]
        if sibling != question["document_id"] and leaks(question, texts[sibling])
    ]
    assert not found
    searchable = sum(any(not skipped(plain(item)) for item in items(question)) for question in ANSWERABLE)
    assert searchable >= 0.7 * len(ANSWERABLE)


def test_no_sibling_leaks_by_the_curation_gate():
    curation = pytest.importorskip("muddle_utils.corpus.curation", reason="the gate is not written yet")
    corpora = pytest.importorskip("muddle_utils.corpus.corpora", reason="the loader is not written yet")
    corpus = corpora.load_corpus("demo")
    family = {name: row["family"] for name, row in DOCUMENTS.items()}
    texts = {name: "\n".join(pages(name)) for name in DOCUMENTS}
    home = {question.question_id: family[question.document_id] for question in corpus.questions}
    found = curation.find_leaks(corpus.questions, texts)
    assert not [key for key, leak in found.items() if leak.status == "fail" and family[key[1]] == home[key[0]]]


def test_siblings_are_close_but_no_duplicates():
    token_sets = {name: words(name) for name in DOCUMENTS}
    for one, other in family_pairs():
        a, b = token_sets[one], token_sets[other]
        assert len(a & b) / len(a | b) < 0.45, (one, other)
    names = sorted(DOCUMENTS)
    vectors = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True).fit_transform("\n".join(pages(n)) for n in names)
    cosine = (vectors @ vectors.T).toarray()
    place = {name: index for index, name in enumerate(names)}
    for members in FAMILIES.values():
        siblings = [name for name in members if DOCUMENTS[name]["role"] == "hard_negative"]
        for source in (name for name in members if DOCUMENTS[name]["role"] == "source"):
            values = [cosine[place[source], place[name]] for name in siblings]
            strangers = [cosine[place[source], place[name]] for name in names if name not in members]
            assert max(values) <= 0.85 and min(values) > max(strangers), source
            if DOCUMENTS[source]["document_type"] != "Academic paper":
                # Academic distractors are found by citation and have no cosine band; four of the others must be in it.
                assert sum(value >= 0.30 for value in values) >= 4, (source, values)


def test_no_two_documents_share_a_paragraph():
    """Sixty words running are more than any one sentence of the corpus, so a shared run would be a shared paragraph."""
    seen: dict[tuple[str, ...], str] = {}
    for name in DOCUMENTS:
        told = re.findall(r"\w+", flat(" ".join(pages(name))))
        for start in range(len(told) - 59):
            run = tuple(told[start : start + 60])
            assert seen.setdefault(run, name) == name, (name, seen[run], " ".join(run[:12]))


# --- The builder -----------------------------------------------------------------------------------------------------

needs_reportlab = pytest.mark.skipif(
    importlib.util.find_spec("reportlab") is None, reason="reportlab, which sets the PDFs, is not here"
)


@needs_reportlab
def test_the_builder_gives_exactly_the_committed_files(tmp_path):
    command = [sys.executable, "-m", "data.demo.build", "--output", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, done.stderr
    for name in ("questions.jsonl", "documents.jsonl"):
        assert (tmp_path / name).read_bytes() == (DEMO / name).read_bytes(), name
    for name in DOCUMENTS:
        assert (tmp_path / "documents" / name).read_bytes() == (DEMO / "documents" / name).read_bytes(), name


@needs_reportlab
def test_a_part_of_the_corpus_is_never_written_over_the_whole():
    command = [sys.executable, "-m", "data.demo.build", "--family", "brochure"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 2 and "--output" in done.stderr


HEAD = '+++\ntitle = "A leaf"\nrole = "source"\n\n[style]\nfont = "sans"\n+++\n'
LEAF = """
# First part

A paragraph of **two**
lines & one *sum*.

\\1. No list.

{form = "Rule {}:"}
3. Shut the gate
   behind you.
4. Pay.

a. Lettered.

{caption = "Prices", widths = [2, 1], total_rows = [-1]}
| Item  | Price |
| ----- | :---: |
| Bread | 1,200 |
| Sum   | 1,200 |

|     |     |
| --- | --- |
| no  | head |

> Bread is dear.
>
> — A baker

{title = "Boxed"}
:::box
One.

Two.
:::

:::note
1. Small print.
:::

{unit = "£"}
:::bar-chart
|      | Bread | Oil |
| ---- | ----- | --- |
| 2021 | 1.5   | 2   |
| 2022 | 1.75  | 3   |
:::

::page-break

::page-labels "roman"

## Second part

:::columns
:::column
Left.
:::

:::column
Right.
:::
:::
"""


@pytest.fixture
def builder(monkeypatch):
    pytest.importorskip("reportlab", reason="reportlab, which sets the PDFs, is not here")
    monkeypatch.syspath_prepend(str(ROOT))
    return importlib.import_module("data.demo.build.sources"), importlib.import_module("data.demo.build.layout")


def source(tmp_path, text: str) -> Path:
    path = tmp_path / "brochure" / "leaf.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def test_a_document_is_plain_text(builder, tmp_path):
    """Every family's text stands in its sources, none of it in a program."""
    sources, layout = builder
    document = sources.read_document(source(tmp_path, HEAD + LEAF), "Brochure")
    assert (document.document_id, document.title, document.family) == ("leaf.pdf", "A leaf", "brochure")
    first, second = (flat(text) for text in layout.build_pdf(document)[1])
    for told in (
        "First part A paragraph of two lines & one sum. 1. No list.",
        "Rule 3: Shut the gate behind you. Rule 4: Pay.",
        "(a) Lettered. Prices Item Price Bread 1,200 Sum 1,200 no head Bread is dear. A baker Boxed One. Two.",
        "1. Small print.",
    ):
        assert told in first
    assert {"2021", "2022", "Bread", "Oil", "£"} <= set(first.split())
    assert second.startswith("Second part Left. Right.")


@pytest.mark.parametrize(
    ("body", "line", "told"),
    [
        ("Good.\n\n:::bax\nText.\n:::\n", 11, "'bax'"),
        (":::box\nText.\n\nMore.\n", 9, "no ::: at its end"),
        ("Text.\n\n:::\n", 11, "ends nothing"),
        (":::box\nText.\n:::\nMore.\n", 9, "blank line"),
        ("| A | B |\n| --- | --- |\n| 1 |\n", 11, "1 cells"),
        ("| A | B |\n| 1 | 2 |\n| 3 | 4 |\n", 9, "rule"),
        ("{widths = [1]}\n| A | B |\n| --- | --- |\n| 1 | 2 |\n", 9, "1 widths for 2 columns"),
        ("Text.\n- item\n", 9, "begins another block"),
        ("- item\nText.\n", 9, "is no item"),
        ("# Head\nText.\n", 9, "blank line"),
        ("#### Deep\n", 9, "a heading is"),
        ("{bold = true}\nText.\n", 9, "bold"),
        ("{lead = }\nText.\n", 9, ""),
        ("{lead = true}\n\nText.\n", 9, "above their block"),
        ("::need much\n", 9, ""),
        ("::page-brake\n", 9, "page-break"),
        (":::columns\n:::column\nText.\n:::\n:::\n", 9, ""),
        (":::title-block\n# Head\n\n:::bax\n:::\n:::\n", 12, "'bax'"),
        (":::line-chart\n| | A |\n| --- | --- |\n| 2021 | many |\n:::\n", 9, "many"),
        ("Fine.\n\n→ no glyph\n", 11, "→"),
    ],
)
def test_a_fault_in_a_document_is_told_with_its_line(builder, tmp_path, body, line, told):
    sources, _ = builder
    path = source(tmp_path, f"{HEAD}\n{body}")
    with pytest.raises(sources.SourceError) as caught:
        sources.read_document(path, "Brochure")
    assert str(caught.value).startswith(f"{path}, line {line}: ") and told in str(caught.value)


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ("title = 'A leaf'\n", "+++"),
        ("+++\ntitle = 'A leaf'\n+++\n", "role"),
        ("+++\ntitle = 'A leaf'\nrole = 'source'\npages = 3\n+++\n", "pages"),
        ("+++\ntitle = 'A leaf'\nrole = 'source'\nstyle.font = 'gothic'\n+++\n", "'gothic'"),
        ("+++\ntitle = 'A leaf'\nrole = 'source'\nstyle.colour = 'red'\n+++\n", "colour"),
        ("+++\ntitle = A leaf\n+++\n", "line 1"),
    ],
)
def test_a_fault_in_a_head_is_told(builder, tmp_path, head, told):
    sources, _ = builder
    path = source(tmp_path, f"{head}\nText.\n")
    with pytest.raises(sources.SourceError) as caught:
        sources.read_document(path, "Brochure")
    assert str(caught.value).startswith(f"{path}: ") and told in str(caught.value)


QUESTION = (
    "[[question]]\nquestion_id = 'b-1'\ndocument_id = '{}'\nquestion = 'How many?'\nanswer = {}\n"
    "answer_format = 'Int'\ntask_type = 'lookup'\nskill = 'recall'\n"
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (QUESTION.format("leaf.pdf", 4), "b-1: answer"),
        (QUESTION.format("leaf.pdf", "'4'") + "colour = 'red'\n", "b-1: "),
        (QUESTION.format("leaf.pdf", "'4"), "line 5"),
        (QUESTION.format("tree.pdf", "'4'"), "['tree.pdf']"),
        (QUESTION.format("leaf.pdf", "'4'") * 2, "['b-1']"),
    ],
)
def test_a_fault_in_the_questions_is_told(builder, tmp_path, monkeypatch, text, told):
    sources, _ = builder
    main = importlib.import_module("data.demo.build.__main__")
    monkeypatch.setattr(main, "SOURCES", tmp_path)
    path = source(tmp_path, HEAD).with_name("questions.toml")
    path.write_text(text, "utf-8")
    with pytest.raises(sources.SourceError) as caught:
        main.read_family("brochure", "Brochure", ["leaf"])
    assert str(caught.value).startswith(f"{path}: ") and told in str(caught.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[brochure]\ndocument_type = 'Brochure'\ndocuments = []\n", "['leaf']"),
        ("[brochure]\ndocument_type = 'Brochure'\ndocuments = ['leaf', 'tree']\n", "['tree']"),
        ("[brochure]\ndocuments = ['leaf']\n", "document_type"),
    ],
)
def test_a_fault_in_the_list_of_documents_is_told(builder, tmp_path, monkeypatch, text, told):
    sources, _ = builder
    monkeypatch.setattr(sources, "SOURCES", tmp_path)
    source(tmp_path, HEAD)
    (tmp_path / "corpus.toml").write_text(text, "utf-8")
    with pytest.raises(sources.SourceError) as caught:
        sources.read_plan()
    assert str(caught.value).startswith(str(tmp_path / "corpus.toml")) and told in str(caught.value)


@needs_reportlab
def test_an_unknown_family_is_told():
    command = [sys.executable, "-m", "data.demo.build", "--check", "--family", "broshure"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 2 and "broshure" in done.stderr and "brochure" in done.stderr


# --- Which document is meant ----------------------------------------------------------------------------------------


def test_what_names_a_source_by_hand():
    boats = {"a": ["Oak Bay 2020", "Herring."], "b": ["Oak Bay 2021", "Herring."], "c": ["Elm Quay", "Cod of Oak Bay."]}
    boats |= {"d": ["Ash Quay", "Cod."], "e": ["Fir Quay", "Eel."]}
    assert names_and_years("Bay? How much Herring did Oak's Bay land in 2020?") == {"herring", "oak", "bay", "2020"}
    asked = ["How much did Oak Bay land?", "How much did Oak Bay land in 2020?", "How much was landed?"]
    assert named(boats, [("a", question) for question in asked]) == [False, True, False]


def test_as_many_questions_name_their_source_as_real_ones(mmlongbench):
    # Real questions on text and tables: 44 %; those of the demo have to be like them.
    found = {path.name: path for path in sorted((mmlongbench / "documents").glob("*.pdf"))}
    documents = {}
    for name, path in found.items():
        with pymupdf.open(path) as document:
            documents[name] = [page.get_text() for page in document]
    asked = [
        (row["doc_id"], row["question"])
        for row in json.loads((mmlongbench / "samples_v2.json").read_text("utf-8"))
        if row["doc_id"] in documents
        and row["answer_format"] != "None"
        and set(ast.literal_eval(row["evidence_sources"])) <= {"Table", "Pure-text (Plain-text)"}
        and ast.literal_eval(row["evidence_sources"])
    ]
    real = named(documents, asked)
    assert len(real) > 150
    assert sum(real) / len(real) == pytest.approx(0.44, abs=0.02)


def test_less_than_half_of_the_questions_name_their_source():
    asked = [(row["document_id"], row["question"]) for row in ANSWERABLE]
    share = sum(named({name: list(pages(name)) for name in DOCUMENTS}, asked)) / len(asked)
    assert len(asked) == 200 and share == pytest.approx(0.44, abs=0.02)
