"""The report: what the page says, that no text can act on it, and how Chromium, a phone and the keyboard take it."""

import base64
import contextlib
import dataclasses
import hashlib
import html
import io
import itertools
import json
import os
import re
import shlex
import shutil
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import without_override
from made_up_study import Rows
from matplotlib.figure import Figure

from muddle_utils.analysis import answers as answers_module
from muddle_utils.analysis import frames
from muddle_utils.figures.items import ITEMS, SECTIONS
from muddle_utils.figures.style import save_figure
from muddle_utils.figures.writers import save_table
from muddle_utils.inference import prompts
from muddle_utils.judging.judges import find_judge
from muddle_utils.runs import cli, executed
from muddle_utils.runs.release import methods_text, provenance, report
from muddle_utils.study.paths import Study, StudyError, project_root, slug
from muddle_utils.study.records import Exclusion
from muddle_utils.study.rows import file_sha256, write_rows
from muddle_utils.study.store import Store

EVIL = '"><script>alert(1)</script><img src=x onerror="alert(2)">'
LONG = "a-document-whose-name-nobody-could-break-" * 4
METHOD = "95 % made-up interval over 4 source documents, 300 resamples, seed 42"
MADE = {"command": "muddle run --study s", "date": "2026-03-02", "digest": "d" * 64}
PROBLEM = "no discordant pairs"

PAIRED = pd.DataFrame(
    {
        "research_question": ["RQ1", "RQ1", "RQ2"],
        "contrast": ["random-2 − hn-2", "random-4 − hn-4", "control − hn-4"],
        "model": ["local/reader"] * 3,
        "modality": ["markdown"] * 3,
        "difference": [0.0351, -0.0123, 0.0702],
        "low": [0.0012, -0.05, None],
        "high": [0.0701, 0.0213, None],
        "n_pairs": [114, 113, 112],
        "n_documents": [14, 14, 13],
        "test": ["exact McNemar"] * 3,
        "p": [0.0312, 0.5, 0.0004],
        "p_holm": [0.0624, 0.5, 0.0004],
        "n_family": [2, 2, 7],
        "not_applicable": ["", "", f"interval: {PROBLEM}"],
        "method": [METHOD, METHOD, ""],
    }
)
CLAIMS = pd.DataFrame(
    {
        "research_question": ["RQ1", "RQ2", "RQ3"],
        "claim": [
            "Random distractors cost less: Random-2 − HN-2 is +3.5 points.",
            f"Length costs {EVIL}.",
            f"Markdown − PDF: not applicable, {PROBLEM}.",
        ],
        "model": ["local/reader", "azure/gpt-5-mini", "local/reader"],
        "modality": ["markdown", "image", "markdown, pdf"],
        "difference": [0.0351, -0.0123, None],
        "low": [0.0012, -0.05, None],
        "high": [0.0701, 0.0213, None],
        "n_pairs": [114, 1113, 0],
        "n_documents": [14, 14, 0],
        "p": [0.0312, 0.0004, None],
        "p_holm": [1, 0.0008, None],
        "verdict": ["suggested", "shown", ""],
        "not_applicable": ["", "", PROBLEM],
    }
)
DISAGREEMENTS = pd.DataFrame(
    {
        "model": ["local/reader"],
        "document_id": [f"{LONG}.pdf"],
        "question": [f"What is {EVIL}?"],
        "text": [f"It is {EVIL}"],
        "not_applicable": [""],
    }
)
ONE_JUDGE = pd.DataFrame({"judges": ["local/rules"], "value": [None], "n_judges": [1], "not_applicable": ["one judge"]})
WIDE = pd.DataFrame(
    {"model": ["m" * 40, "n"], **{f"a_rather_long_heading_{number}": [number / 7, 1] for number in range(20)}}
)


def picture(width=6.8, height=3.0):
    figure = Figure(figsize=(width, height))
    axes = figure.add_subplot()
    axes.plot(range(3), [0.3, 0.2, 0.4])
    return figure


def make_figures(study):
    """Save tables and figures such as the notebooks save."""
    save_table("claims", CLAIMS, study, "What the study shows.", metadata=MADE)
    save_table("disagreements", DISAGREEMENTS, study, "Answers to read.", metadata=MADE)
    save_table("between_models", PAIRED.head(0), study, "Models against each other.", metadata=MADE)
    save_table("judge_agreement", ONE_JUDGE, study, "Agreement.", metadata=MADE)
    save_table("paired", PAIRED, study, "Paired differences.", f"A note {EVIL}", metadata=MADE)
    save_table("anything", WIDE, study, f"A wide table {EVIL}", metadata=MADE)
    save_figure("figure_gaps", picture(), study, "Gaps by k.", PAIRED, MADE)
    save_figure("figure_power", picture(3.3), study, "Power by n.", WIDE.assign(n=5), MADE)


def set_time(rows, hour):
    return [dataclasses.replace(row, time=f"2026-03-02T{hour:02d}:30:00+00:00") for row in rows]


RULES = find_judge("local/rules")


def make_rows(study, rows, judge_fingerprint):
    """Write the rows of a made-up study where a run writes them; the first answers are hostile."""
    write_rows(study.rows("questions"), rows.questions)
    write_rows(study.rows("documents"), rows.documents)
    write_rows(study.rows("cells"), rows.cells)
    write_rows(study.rows("exclusions"), [Exclusion("question", f"q{n}", "no text evidence", EVIL) for n in range(3)])
    write_rows(study.rows("lost_pdf"), [Exclusion("cell", "q1|hn-4", "document not rendered", "encrypted")])
    for pair in dict.fromkeys((row.model, row.modality) for row in rows.requests):
        own = [row for row in rows.requests if (row.model, row.modality) == pair]
        write_rows(study.rows(f"requests_{slug(pair[0])}_{pair[1]}"), own)
    served = {"local/reader": "local/reader", "azure/gpt-5-mini": f"gpt-5-mini-2026-01-01{EVIL}"}
    with Store(study.store) as store:
        for response in set_time(rows.responses, 8):
            store.add_response(
                dataclasses.replace(
                    response,
                    model_returned=served[response.model],
                    route="azure" if "azure" in response.model else "local/reader",
                    error_class=response.error_class and "rate_limited",
                    versions='{"litellm": "1.2.3"}',
                    sent='{"max_tokens": 2048}',
                )
            )
        for verdict in set_time(rows.verdicts, 9):
            store.add_verdict(dataclasses.replace(verdict, judge_fingerprint=judge_fingerprint, parser=RULES.reading))


def make_notebooks(study, **parameters):
    study.notebooks.mkdir(parents=True, exist_ok=True)
    for name in ("03_inference--m--markdown", "03_inference--m--pdf", "05_analysis", "06_failures", "10_robustness"):
        own = {"study": study.name, "seed": 42, "judge": "local/rules", "notebook": name, **parameters}
        metadata = {"papermill": {"parameters": own, "exception": None}}
        (study.notebooks / f"{name}.ipynb").write_text(json.dumps({"metadata": metadata, "cells": []}))


@pytest.fixture(scope="module")
def rows():
    # A seed that leaves something failed, unsent, unjudged and without a verdict.
    return Rows(8, 4, seed=1)


@pytest.fixture(scope="module")
def finished(tmp_path_factory, rows):
    """A finished study on disk; tests change copies only."""
    folder = tmp_path_factory.mktemp("finished")
    study = Study("s", str(folder / "runs"), str(folder / "figures"))
    make_rows(study, rows, RULES.fingerprint)
    make_notebooks(study)
    make_figures(study)
    return study


@pytest.fixture
def study(finished, tmp_path):
    """A copy of the finished study that a test may change."""
    copy = Study("s", str(tmp_path / "runs"), str(tmp_path / "figures"))
    shutil.copytree(finished.folder, copy.folder)
    shutil.copytree(finished.figures, copy.figures)
    return copy


@pytest.fixture(scope="module")
def text(finished):
    return report.render(report.page_of(finished))


class Reader(HTMLParser):
    """Reads a page strictly: every element that has an end is closed in order."""

    VOID = frozenset({"meta", "link", "img", "br", "hr"})

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.elements, self.words = [], [], {}
        self.feed(text)
        self.close()
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        assert len(names) == len(set(names)), (tag, names)
        self.elements.append((tag, dict(attributes), tuple(self.open)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> inside {self.open}"
        self.open.pop()

    def handle_data(self, data):
        inside = self.open[-1] if self.open else ""
        self.words.setdefault(inside, []).append(data)

    def all(self, tag):
        return [attributes for name, attributes, _ in self.elements if name == tag]


def words(text):
    """Return what a reader reads, with single spaces and without the page's style."""
    reader = Reader(text)
    return " ".join(" ".join(part for tag, parts in reader.words.items() if tag != "style" for part in parts).split())


# --- What the page says ---------------------------------------------------------------------------------------------


def test_a_claim_is_a_card_with_its_numbers():
    found = methods_text.claims_of(CLAIMS.convert_dtypes())
    assert [question.partition(",")[0] for question in found] == ["RQ1", "RQ2", "RQ3"]
    first, second, third = (claim for claims in found.values() for claim in claims)
    assert first.text == "Random distractors cost less: Random-2 − HN-2 is +3.5 points."
    assert first.about == "local/reader, Markdown"
    assert first.verdict == "suggested"
    assert first.numbers == [
        ("Difference [interval]", "+3.5 points [+0.1,\u00a0+7.0]"),
        ("Pairs", "114"),
        ("Source documents", "14"),
        ("p", "0.031"),
        ("p (Holm)", "1.000"),
    ]
    assert second.numbers[1] == ("Pairs", "1,113")
    assert second.numbers[3] == ("p", "<0.001")
    assert third.text == f"Markdown − PDF: not applicable, {PROBLEM}."
    # Its own words say why there is no number.
    assert third.missing == ""
    assert third.about == "local/reader, Markdown, PDF"


def test_a_model_with_a_colon_in_its_name_splits_no_claim(study):
    frame = CLAIMS.head(1).assign(model="ft:gpt: mine", claim="ft:gpt: mine is worse: A − B is +1.0 points [0.1, 2.0].")
    ((claim,),) = methods_text.claims_of(frame).values()
    assert claim.about == "ft:gpt: mine, Markdown"
    assert claim.text == "ft:gpt: mine is worse: A − B is +1.0 points [0.1,\u00a02.0]."
    save_table("claims", frame, study, "Claims.", metadata=MADE)
    text = report.render(report.page_of(study))
    assert "<h4>ft:gpt: mine, Markdown</h4>" in text
    assert "<p>ft:gpt: mine is worse: A − B is +1.0 points [0.1,\u00a02.0].</p>" in text


def test_a_claim_without_words_or_interval_says_why():
    frame = pd.DataFrame(
        {"claim": ["A.", "B."], "difference": [None, 0.01], "not_applicable": ["no pairs", "one pair"]}
    )
    ((question, (first, second)),) = methods_text.claims_of(frame).items()
    assert question == "Other claims"
    assert (first.missing, first.numbers) == ("no pairs", [])
    assert second.numbers == [("Difference [interval]", "+1.0 points (one pair)")]


def test_every_interval_says_its_level():
    stated = methods_text.claims_of(CLAIMS.assign(level=[95, 90, 95], difference=0.01))
    headings = [claim.numbers[0][0] for claims in stated.values() for claim in claims]
    assert headings == [f"Difference [{level} % interval]" for level in (95, 90, 95)]


def test_claims_come_first_and_the_rest_in_a_sensible_order(text):
    headings = re.findall(r'<h2 id="([a-z]+)">', text)
    assert headings == [
        "before",
        "claims",
        "brief",
        "differences",
        "robustness",
        "judges",
        "more",
        "methods",
        "prompts",
        "manifest",
    ]
    items = re.findall(r'<h3 id="item-([a-z-]+)">', text)
    assert items == [
        "claims",
        "figure-gaps",
        "paired",
        "between-models",
        "figure-power",
        "judge-agreement",
        "disagreements",
        "anything",
    ]


def test_the_sections_and_their_order_are_those_that_are_declared():
    sections = report.sections_of([report.Item(item.name, "") for item in reversed(ITEMS) if item.section])
    assert [(section.name, section.title) for section in sections] == list(SECTIONS.items())[:-1]
    placed = sorted((item for item in ITEMS if item.section), key=lambda item: list(SECTIONS).index(item.section))
    assert [(held.name, section.name) for section in sections for held in section.items] == [
        (item.name, item.section) for item in placed
    ]


def test_what_is_not_declared_comes_last_tables_first_and_figure_10_after_figure_9():
    image = report.Image("", 1, 1, "")
    items = [report.Item(f"figure_{number}", "Paired gaps", image=image) for number in (10, 9)]
    (first, last) = report.sections_of([*items, report.Item("made_up", "Accuracy"), report.Item("judges", "")])
    assert (first.name, last.name) == ("judges", "more")
    assert [item.name for item in last.items] == ["made_up", "figure_9", "figure_10"]


def test_tables_keep_captions_notes_and_how_they_were_made(text):
    said = words(text)
    assert "Paired differences." in said
    assert f"A note {EVIL}" in said
    assert "<code>paired</code>, of rows up to 2026-03-02, digest dddddddddddd…" in text
    assert "It has no rows: this study holds nothing of the kind." in said
    # A figure's data that a table shows is not shown twice.
    assert 'Its numbers are those of <a href="#item-paired">' in text
    assert said.count("The numbers of this figure") == 1
    # A table without any value is the reason and not an empty row.
    assert "Not applicable: one judge." in said


def test_methods_hold_the_tables_own_methods_and_counted_numbers(text, rows):
    said = words(text)
    assert f"{METHOD} (in paired)." in said
    assert "Exact McNemar (in paired)." in said
    assert "Holm's adjustment spans 2 comparisons of RQ1, 7 comparisons of RQ2 (in paired)." in said
    sources = {question.document_id for question in rows.questions}
    assert f"{len(rows.questions)} questions about {len(sources)} source documents, 0 of them without" in said
    assert f"make {len(rows.cells)} cells over the conditions Control, HN-2, Random-2, HN-4, Random-4." in said
    assert "judged right or wrong by local/rules" in said
    assert "The tables go by local/rules." in said


def cells_of(text, title):
    """Return the rows of a manifest table by its caption."""
    table = re.search(rf"<caption>{re.escape(title)}</caption>.*?</table>", text, re.DOTALL).group()
    rows = re.findall(r"<tr>(.*?)</tr>", table)
    return [tuple(html.unescape(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)) for row in rows][1:]


def test_the_manifest_holds_the_digests_of_rows_lock_and_files(text, finished):
    data = {name: (count, digest) for name, count, digest in cells_of(text, "Data")}
    for path in finished.folder.glob("*.jsonl"):
        count = len(path.read_text().splitlines())
        assert data[path.name] == (f"{count:,}", hashlib.sha256(path.read_bytes()).hexdigest())
    assert data["requirements.lock"][1] == file_sha256(project_root() / "requirements.lock")
    with Store(finished.store) as store:
        path = write_rows(finished.folder.parent / "responses.jsonl", store.attempts())
    assert data["all stored responses, as JSON lines"][1] == file_sha256(path)
    ((names, *origin),) = cells_of(text, "Origin of tables and figures")
    assert names.split(", ")[:2] == ["anything", "between_models"]
    assert origin == [MADE["command"], MADE["date"], MADE["digest"]]
    files = dict(cells_of(text, "Files of tables and figures"))
    assert files == {
        path.name: file_sha256(path) for path in finished.figures.iterdir() if path.name != "manifest.json"
    }


def test_the_manifest_counts_answers_failures_and_verdicts(text, rows):
    found = Counter()
    for model, modality, status, cause, count, _ in cells_of(text, "Requests by status and cause"):
        found[model, modality, status, cause.partition(":")[0]] += int(count.replace(",", ""))
    wanted = Counter(
        (row.model, row.modality, row.status, "rate_limited" * bool(row.error_class)) for row in rows.responses
    )
    stored = {(row.cell_id, row.model, row.modality) for row in rows.responses}
    for row in rows.requests:
        if (row.cell_id, row.model, row.modality) not in stored:
            wanted[row.model, row.modality, "not yet sent", ""] += 1
    for model in ("local/reader", "azure/gpt-5-mini"):
        wanted[model, "pdf", "lost", "a document has no rendering"] = 1
    assert found == wanted
    judged = sum(int(row[-1]) for row in cells_of(text, "Verdicts by status and cause") if row[3] == "judged")
    assert judged == sum(row.status == "judged" for row in rows.verdicts)


def test_the_manifest_names_models_as_the_server_did_with_routes_costs_and_tokens(text, rows):
    served = cells_of(text, "Models as the server named them, and routes")
    answered = Counter((row.model, row.modality) for row in rows.responses if row.status == "answered")
    assert {(row[0], row[1]): int(row[4]) for row in served} == answered
    assert {row[3] for row in served if row[0] == "azure/gpt-5-mini"} == {f"gpt-5-mini-2026-01-01{EVIL}"}
    spent = {row[0]: row[1:] for row in cells_of(text, "Tokens and costs")}
    own = [row for row in rows.responses if (row.model, row.modality) == ("local/reader", "pdf")]
    assert spent["local/reader, pdf"][:3] == (f"{len(own)}", f"{100 * len(own):,}", f"{5 * len(own)}")
    assert spent["local/reader, pdf"][4] == f"${0.01 * len(own):.4f}"
    # Verdicts that say no cost are unknown, not free.
    assert spent["local/rules (judge)"][4] == "–"
    assert spent["local/rules (judge)"][5] == str(len(rows.verdicts))


def test_the_manifest_holds_parameters_exclusions_judges_and_times(text):
    assert ("question", "no text evidence", "3") in cells_of(text, "Exclusions by reason")
    assert ("cell", "document not rendered", "1") in cells_of(text, "Exclusions by reason")
    parameters = cells_of(text, "Parameters of the notebooks")
    assert ("seed", "42", "all 5 that take it") in parameters
    assert ("notebook", "05_analysis", "05_analysis") in parameters
    assert any(row[3] == '{"max_tokens": 2048}' for row in cells_of(text, "Parameters of requests"))
    assert cells_of(text, "Judges")[0][:2] == ("local/rules", RULES.fingerprint)
    assert "2026-03-02 08:30 UTC to 2026-03-02 09:30 UTC" in words(text)
    versions = cells_of(text, "Package versions, as stored with the answers")
    assert [row[:2] for row in versions] == [("litellm", "1.2.3")]
    assert {"python", "numpy", "pandas", "scipy"} <= {row[0] for row in cells_of(text, _INSTALLED)}


_INSTALLED = "Package versions of the analysis, as installed now"


def test_prompts_stand_word_for_word(text):
    shown = {html.unescape(part) for part in re.findall(r"<pre[^>]*>(.*?)</pre>", text, re.DOTALL)}
    assert prompts.JUDGE_PROMPT in shown
    for modality in ("markdown", "image", "pdf"):
        assert any(part.startswith(prompts.question_text(modality, "{question}")) for part in shown)


def test_a_prompt_that_is_not_the_judges_is_not_shown_as_its(study, rows, tmp_path):
    other = Study("other", str(tmp_path / "runs"), study.figures_dir)
    make_rows(other, rows, "another")
    found = provenance.read_study(other)
    counts = provenance.verdict_counts(found)
    judged = [int(n) for status, n in zip(counts["Status"], counts["Answers"], strict=True) if status == "judged"]
    assert sum(judged) == sum(row.status == "judged" for row in rows.verdicts)
    (prompt,) = provenance.judge_prompts(found)
    assert prompt.text == ""
    assert "no verdict was made with" in prompt.doubt


def test_answers_to_another_instruction_are_said(study):
    found = provenance.read_study(study)
    old = json.dumps({"prompt": "another"})
    changed = dataclasses.replace(
        found, responses=[dataclasses.replace(row, components=old) for row in found.responses]
    )
    n = sum(row.modality == "pdf" for row in found.responses)
    assert [prompt.doubt for prompt in provenance.model_prompts(changed)][-1] == (
        f"{n} of {n} stored answers were asked for with another instruction"
    )


def test_downloads_are_the_files(text, finished):
    links = [each for each in Reader(text).all("a") if "download" in each]
    names = {each["download"] for each in links}
    files = {path.name for path in finished.figures.iterdir() if path.suffix in (".csv", ".tex", ".pdf")}
    # The data of a figure that shows a table are the table's.
    assert names == files - {"figure_gaps.csv"}
    for link in links:
        content = base64.b64decode(link["href"].partition(";base64,")[2], validate=True)
        assert content == (finished.figures / link["download"]).read_bytes()


def test_a_long_table_is_cut_on_the_page_and_whole_in_its_download(study):
    n = report.TABLE_ROWS + 7
    save_table("long", pd.DataFrame({"item": [f"row {place}" for place in range(n)], "n": range(n)}), study, "Long.")
    text = report.render(report.page_of(study))
    shown = cells_of(text, "Long.")
    assert [row[0] for row in shown] == [f"row {place}" for place in range(report.TABLE_ROWS)]
    assert f"The first {report.TABLE_ROWS} of {n} rows; the data hold all." in words(text)
    downloads = {each["download"]: each["href"] for each in Reader(text).all("a") if "download" in each}
    content = base64.b64decode(downloads["long.csv"].partition(",")[2]).decode()
    assert content.count("\n") == n + 1
    assert "long.tex" not in downloads


def test_pictures_say_their_key_numbers(text):
    by_caption = {each["alt"].partition(".")[0]: each["alt"] for each in Reader(text).all("img")}
    assert by_caption["Gaps by k"] == (
        "Gaps by k. difference: 0.035 (Random-2 − HN-2); −0.012 (Random-4 − HN-4); 0.070 (Control − HN-4)."
    )


def test_many_values_are_said_by_their_ends_and_none_by_the_reason():
    many = pd.DataFrame(
        {"condition": ["control", "hn-2", "hn-4", "random-2", "random-4"], "accuracy": [0.5, 0.4, 0.1, 0.6, 0.5]}
    )
    assert report.in_words(many) == "5 values; accuracy from 0.100 (HN-4) to 0.600 (Random-2)."
    none = pd.DataFrame({"accuracy": [None], "not_applicable": ["no judged answer"]}).convert_dtypes()
    assert report.in_words(none) == "No value is shown: no judged answer."
    power = pd.DataFrame(
        {"gap": [0.01, 0.02, 0.03] * 2, "n_questions": [90] * 3 + [270] * 3, "power": np.arange(6) / 10}
    )
    assert report.in_words(power) == (
        "6 values; power from 0.000 (questions 90, gap 0.010) to 0.500 (questions 270, gap 0.030)."
    )
    assert report.in_words(many.assign(accuracy=0)) == "5 values; accuracy is 0 in all."
    assert report.in_words(pd.DataFrame()) == "0 rows of data."


# --- No text acts on the page ---------------------------------------------------------------------------------------


def test_hostile_texts_stay_texts(text):
    reader = Reader(text)
    assert reader.all("script") == []
    assert all(each["src"].startswith("data:image/png;base64,") for each in reader.all("img"))
    assert not [name for _, attributes, _ in reader.elements for name in attributes if name.startswith("on")]
    # They are all there, to be read.
    said = words(text)
    for part in (
        f"What is {EVIL}?",
        f"It is {EVIL}",
        f"Length costs {EVIL}.",
        f"A wide table {EVIL}",
        f"gpt-5-mini-2026-01-01{EVIL}",
    ):
        assert part in said


def test_the_page_may_load_nothing(text):
    reader = Reader(text)
    (policy,) = [each["content"] for each in reader.all("meta") if each.get("http-equiv") == "Content-Security-Policy"]
    assert {"default-src 'none'", "img-src data:", "style-src 'unsafe-inline'"} <= set(policy.split("; "))
    addresses = [each[name] for _, each, _ in reader.elements for name in ("src", "href") if name in each]
    assert all(address.startswith(("#", "data:")) for address in addresses)
    assert "url(" not in text and "@import" not in text


@pytest.mark.parametrize(
    "fragment",
    [
        "<table><tr><td><script>x</script></td></tr></table>",
        '<table onclick="x"><tr></tr></table>',
        '<table class="a b&quot; onclick=x"></table>',
        "<p>no table</p>",
        "<table><tr><td>not closed",
    ],
)
def test_a_fragment_is_a_table_or_is_refused(tmp_path, fragment):
    path = tmp_path / "table.html"
    path.write_text(fragment)
    with pytest.raises(report.ReportError, match=r"table\.html is no table fragment"):
        report.checked_fragment(path)


def test_a_fragment_as_it_is_saved_is_taken(finished):
    fragment = report.checked_fragment(finished.figures / "disagreements.html")
    assert html.escape(EVIL) in fragment
    assert fragment.endswith("</table>")


def test_folders_and_keys_stay_at_home(study, monkeypatch):
    monkeypatch.setenv("MADE_UP_API_KEY", "correct-horse-battery")
    make_notebooks(
        study,
        models_file="/home/zorblax/secret-project/mine.toml",
        api_base="http://zorblax:correct-horse-battery@10.0.0.1/v1",
        data_dir="/home/zorblax/secret-project/pdfs/",
    )
    text = report.render(report.page_of(study))
    for hidden in ("zorblax", "secret-project", "correct-horse-battery", str(study.folder.parent)):
        assert hidden not in words(text), hidden
    assert "…/mine.toml" in text
    assert "The models file of the run is not there any more: …/mine.toml." in words(text)


def test_a_brief_page_holds_claims_gaps_and_doubts_and_the_whole_page_the_rest(study, text):
    path = report.write_report(study, brief=True)
    brief = path.read_text("utf-8")
    assert path.name == "report-brief.html"
    assert re.findall(r'<h2 id="([a-z]+)">', brief) == ["before", "claims", "brief"]
    assert re.findall(r'<h3 id="item-([a-z-]+)">', brief) == ["claims", "figure-gaps"]
    assert "muddle report s --brief" in words(brief)
    assert len(brief) < len(text)
    reader = Reader(brief)
    ids = [attributes["id"] for _, attributes, _ in reader.elements if "id" in attributes]
    assert all(link["href"][1:] in ids for link in reader.all("a") if link["href"].startswith("#"))


# --- The form of the page -------------------------------------------------------------------------------------------


def test_the_page_is_well_formed_and_its_anchors_lead_somewhere(text):
    assert text.startswith("<!DOCTYPE html>\n")
    reader = Reader(text)
    ids = [attributes["id"] for _, attributes, _ in reader.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for link in reader.all("a"):
        assert not link["href"].startswith("#") or link["href"][1:] in ids
    for _, attributes, _ in reader.elements:
        assert attributes.get("aria-labelledby", ids[0]) in ids
    assert reader.all("html")[0]["lang"] == "en"
    assert {"width=device-width, initial-scale=1"} <= {each.get("content") for each in reader.all("meta")}


def test_headings_skip_no_level(text):
    levels = [int(tag[1]) for tag, _, _ in Reader(text).elements if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in itertools.pairwise(levels))


def test_tables_have_captions_and_headings_and_scroll_in_a_box_of_their_own(text):
    reader = Reader(text)
    assert len(reader.all("caption")) == len(reader.all("table")) >= 10
    assert all(each.get("scope") in ("col", "row") for each in reader.all("th"))
    boxes = [each for each in reader.all("div") if each.get("class") == "scroll"]
    assert all(each["tabindex"] == "0" and each["role"] == "region" and each["aria-label"] for each in boxes)
    assert len(boxes) == len(reader.all("table")) + len(reader.all("img"))


def test_the_same_files_give_the_same_bytes(study):
    first = report.write_report(study).read_bytes()
    assert first == report.write_report(study).read_bytes()
    assert first == report.render(report.page_of(study)).encode()
    assert b"2026-03-02" in first


def luminance(colour):
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_colours_can_be_read_in_light_and_dark():
    style = (Path(report.__file__).parent / "report.html").read_text()
    palettes = [
        dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", part)) for part in re.findall(r":root \{.*?\}", style, re.DOTALL)
    ]
    light, dark = palettes[:2]
    for palette in (light, dark):
        for ground, inks in {
            "paper": ("ink", "soft", "accent"),
            "raised": ("ink", "soft", "accent"),
            "marked": ("ink", "mark"),
        }.items():
            for ink in inks:
                pale, deep = sorted((luminance(palette[ground]), luminance(palette[ink])), reverse=True)
                assert (pale + 0.05) / (deep + 0.05) >= 4.5, (ground, ink)


def test_a_large_picture_is_made_smaller_and_keeps_its_size(tmp_path, finished):
    from PIL import Image

    small = finished.figures / "figure_gaps.png"
    image = report.read_image(small, "x")
    assert base64.b64decode(image.source.partition(",")[2]) == small.read_bytes()
    assert image.width == round(6.8 * 96 * 1.3)
    large = tmp_path / "large.png"
    noise = np.random.default_rng(0).integers(0, 256, (400, 300, 3), dtype=np.uint8)
    Image.fromarray(noise).save(large, dpi=(300, 300))
    assert large.stat().st_size > report.PNG_BYTES
    content = base64.b64decode(report.read_image(large, "x").source.partition(",")[2])
    assert len(content) < large.stat().st_size
    with Image.open(large) as before, Image.open(io.BytesIO(content)) as after:
        assert after.size == before.size


# --- What is missing, damaged or half done --------------------------------------------------------------------------


def test_an_unknown_study_is_refused(study):
    with pytest.raises(StudyError, match=r"'nobody' is unknown below .*there are s"):
        from muddle_utils.study.paths import find_study

        find_study("nobody", study.runs_dir, study.figures_dir)


def test_no_figures_yet_says_what_to_run(study):
    shutil.rmtree(study.figures)
    with pytest.raises(report.ReportError, match=r"manifest\.json is missing.*run muddle run --study s ") as caught:
        report.page_of(study)
    whole = f"--judge local/rules --only 05 --only 06 --only 10 --runs-dir {study.runs_dir}"
    assert "--modality markdown --modality image --modality pdf" in str(caught.value) and whole in str(caught.value)


@pytest.mark.parametrize(
    "content",
    [
        "not json",
        "[]",
        "{}",
        '{"items": []}',
        '{"items": {"t": {}}}',
        '{"items": {"t": {"caption": 1, "notes": [], "files": {}, "metadata": {}}}}',
        '{"items": {"t": {"caption": "", "notes": [], "files": {"../../secret": "x"}, "metadata": {}}}}',
        '{"items": {"t": {"caption": "", "notes": [], "files": {"/etc/passwd": "x"}, "metadata": {}}}}',
        "\udcff",
    ],
)
def test_a_damaged_manifest_is_one_clear_error(study, content):
    (study.figures / "manifest.json").write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(report.ReportError, match=r"manifest\.json is no manifest of figures \(.*delete it and run"):
        report.page_of(study)


@pytest.mark.parametrize("name", ["paired.csv", "paired.html", "figure_gaps.png", "figure_gaps.pdf"])
def test_a_file_that_is_another_or_gone_is_named(study, name):
    path = study.figures / name
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(report.ReportError, match=rf"{re.escape(name)} is not the file that the manifest lists"):
        report.page_of(study)
    path.unlink()
    with pytest.raises(report.ReportError, match=rf"{re.escape(name)} is in the manifest and not on disk"):
        report.page_of(study)


def replace_file(study, item, name, content):
    """Put another file where one was, and its digest into the manifest."""
    (study.figures / name).write_bytes(content)
    path = study.figures / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["items"][item]["files"][name] = hashlib.sha256(content).hexdigest()
    path.write_text(json.dumps(manifest))


def test_a_picture_or_csv_that_is_none_is_named(study):
    replace_file(study, "figure_gaps", "figure_gaps.png", b"no picture")
    with pytest.raises(report.ReportError, match=r"figure_gaps\.png is no picture"):
        report.page_of(study)
    replace_file(study, "paired", "paired.csv", b"")
    with pytest.raises(report.ReportError, match=r"paired\.csv cannot be read as CSV"):
        report.page_of(study)


def test_a_table_of_an_older_version_can_still_be_downloaded(study):
    path = study.figures / "manifest.json"
    manifest = json.loads(path.read_text())
    del manifest["items"]["paired"]["files"]["paired.html"]
    path.write_text(json.dumps(manifest))
    text = report.render(report.page_of(study))
    said = words(text)
    assert "No layout of this table is on disk: run muddle run --study s --model azure/gpt-5-mini" in said
    assert study.runs_dir not in said
    assert 'download="paired.csv"' in text


def test_the_page_works_without_claims(study):
    path = study.figures / "manifest.json"
    manifest = json.loads(path.read_text())
    del manifest["items"]["claims"]
    path.write_text(json.dumps(manifest))
    text = report.render(report.page_of(study))
    Reader(text)
    assert 'id="claims"' not in text and "#claims" not in text


def notices(study):
    page = report.page_of(study)
    Reader(report.render(page))
    return page.notices


def test_a_half_run_study_says_what_is_missing(study):
    found = notices(study)
    assert any(re.fullmatch(r"\d+ requests are not sent yet\.", notice) for notice in found)
    assert any(re.fullmatch(r"\d+ requests failed or were refused\.", notice) for notice in found)
    assert any(re.fullmatch(r"\d+ verdicts could not be read\.", notice) for notice in found)
    assert any(re.fullmatch(r"\d+ answers have no verdict yet\.", notice) for notice in found)
    (study.notebooks / "06_failures.ipynb").unlink()
    (notice,) = [notice for notice in notices(study) if notice.startswith("Notebook 06 was not run yet")]
    command = notice.partition("earlier run: ")[2].rstrip(".")
    given = cli.parser().parse_args(shlex.split(command)[1:])
    assert (given.only, given.model) == (["06"], ["azure/gpt-5-mini", "local/reader"])
    assert given.modality == ["markdown", "image", "pdf"]


def test_analyses_with_other_parameters_are_a_doubt(study):
    assert not any("with the same seed" in notice for notice in notices(study))
    path = study.notebooks / "06_failures.ipynb"
    path.write_text(path.read_text().replace('"seed": 42', '"seed": 43, "models": ["m"]'))
    (notice,) = [notice for notice in notices(study) if "with the same seed" in notice]
    assert notice.startswith(
        "The analyses did not all run with the same seed: notebook 05 and 10 with 42; 06 with 43: "
    )
    assert "make them again with muddle run --study s --model" in notice and study.runs_dir not in notice
    make_notebooks(study, others=["panel"])
    assert any(n.startswith("Notebook 05 sets panel beside this study: its tables, its claims") for n in notices(study))


def test_the_notebooks_that_it_asks_for_are_the_pipelines():
    assert executed.ANALYSES is executed.ANALYSES is executed.ANALYSES


def test_a_study_with_nothing_but_figures_has_no_page(study, capsys):
    shutil.rmtree(study.folder)
    study.folder.mkdir()
    assert command(study) == 1
    said = capsys.readouterr().err
    assert said.startswith(
        "muddle: study 's' has no answer yet, so there is nothing to report: run muddle run --study s "
    )
    assert said.count("\n") == 1 and not study.store.exists()


def test_a_study_that_asked_nobody_or_got_no_answer_has_no_page(study):
    with Store(study.store) as store:
        failed = [dataclasses.replace(row, status="failed") for row in store.responses()]
    for path in study.folder.glob("store.sqlite*"):
        path.unlink()
    for rows in ((), failed):
        if rows:
            with Store(study.store) as store:
                store.add_all(rows)
        with pytest.raises(report.ReportError, match="has no answer yet"):
            report.page_of(study)


def test_an_answer_without_rows_of_the_questions_still_has_a_page(study):
    for path in [*study.folder.glob("requests_*"), study.rows("questions"), study.rows("cells")]:
        path.unlink()
    assert "No requests are planned yet." in notices(study)
    assert "The questions and cells of this study are not on disk." in words(report.render(report.page_of(study)))


def test_programs_are_not_taken_for_models(study):
    assert any("says nothing about language models" in notice for notice in notices(study))


def test_a_notebook_that_failed_is_said(study):
    path = study.notebooks / "05_analysis.ipynb"
    path.write_text(path.read_text().replace('"exception": null', '"exception": true'))
    assert "Notebook 05_analysis ended with an error." in notices(study)


def test_a_notebook_that_failed_since_is_said_and_its_copy_counts_no_more_than_for_that(study):
    path = study.notebooks / "05_analysis.ipynb"
    (path.parent / "failed").mkdir()
    failed = path.read_text().replace('"exception": null', '"exception": true').replace("local/rules", "nobody")
    (path.parent / "failed" / path.name).write_text(failed)
    said = notices(study)
    assert "Notebook 05_analysis ended with an error." in said
    assert not any("nobody" in notice for notice in said)


def test_a_damaged_executed_notebook_is_named(study):
    (study.notebooks / "05_analysis.ipynb").write_text("{")
    with pytest.raises(ValueError, match=r"05_analysis\.ipynb is no executed notebook"):
        report.page_of(study)


def test_tables_of_other_or_earlier_rows_are_said(study):
    assert not any("rows up to" in notice or "not all made" in notice for notice in notices(study))
    save_table("paired", PAIRED, study, "Paired.", metadata=MADE | {"digest": "e" * 12, "date": "2026-03-01"})
    found = notices(study)
    assert any("not all made from the same rows" in notice for notice in found)
    assert any("are of rows up to 2026-03-01, and there are rows up to 2026-03-02" in notice for notice in found)
    assert not any("same models" in notice for notice in found)


def make_whole(study):
    """Give a study executed notebooks with all parameters, and a table of each, made of the rows on disk."""
    for modality in ("markdown", "image", "pdf"):
        write_rows(study.rows(f"renderings_{modality}"), [])
        if modality != "pdf":
            write_rows(study.rows(f"lost_{modality}"), [])
    write_rows(study.rows("lost_pdf"), [])
    shared = {"models": ["local/reader"], "modalities": ["markdown"], "judges": ["local/rules"]}
    make_notebooks(study, **shared)
    frame = answers_module.read_frame(study, shared["models"], shared["modalities"], "local/rules")
    for name, number in (("paired", "05"), ("anything", "06")):
        command = frames.analysis_command(study, number, *shared.values(), "local/rules")
        save_table(name, PAIRED, study, "Any.", metadata=frames.origin_of(study, command, frame))


def other_rows(study):
    return [notice for notice in notices(study) if "other rows than those on disk" in notice]


def test_tables_of_the_rows_on_disk_are_no_doubt(study, capsys):
    make_whole(study)
    with Store(study.store) as store:
        # Another time alone changes no result, and what another model said is in no table.
        store.add_response(dataclasses.replace(store.responses("local/reader", "markdown")[0], time="2026-03-02T23"))
        store.add_response(dataclasses.replace(store.responses("azure/gpt-5-mini", "markdown")[0], text="Else."))
    assert other_rows(study) == []
    report.write_report(study)
    assert capsys.readouterr().err == ""


def answer_anew(store):
    answered = next(row for row in store.responses("local/reader", "markdown") if row.status == "answered")
    store.add_response(dataclasses.replace(answered, text="Something else."))


def drop_a_verdict(store):
    judged = [row for row in store.verdicts("local/rules", "local/reader", "markdown") if row.status == "judged"]
    store.supersede(judged[:1], "2026-03-02T10:00:00+00:00")


def drop_an_answer(store):
    answered = [row for row in store.responses("local/reader", "markdown") if row.status == "answered"]
    store.supersede(answered[:1], "2026-03-02T10:00:00+00:00")


@pytest.mark.parametrize("change", [answer_anew, drop_a_verdict, drop_an_answer])
def test_tables_of_other_rows_than_those_on_disk_are_said_first(study, capsys, change):
    make_whole(study)
    with Store(study.store) as store:
        change(store)
    (notice,) = other_rows(study)
    assert notices(study)[0] == notice
    assert notice.startswith("Tables and figures of notebook 05 and 06 were made of other rows than those on disk")
    words_of_command = shlex.split(notice.partition(": run ")[2].rstrip("."))
    given = cli.parser().parse_args(words_of_command[1:])
    assert (given.study, given.only) == ("s", ["05", "06"]) and study.runs_dir not in notice
    assert html.escape("other rows than those on disk") in report.write_report(study).read_text()
    said = capsys.readouterr().err
    assert said.startswith("muddle: Tables and figures of notebook 05 and 06 were made of other rows")
    assert said.count("\n") == 1 and f"--runs-dir {study.runs_dir}" in said


def test_rows_that_make_no_tables_any_more_are_said(study):
    make_whole(study)
    study.rows("lost_markdown").unlink()
    (notice,) = [notice for notice in notices(study) if "cannot be told" in notice]
    assert "lost_markdown.jsonl" in notice and study.runs_dir not in notice


def test_two_notebooks_may_digest_different_frames_of_the_same_models(study):
    command = MADE["command"]
    save_table("paired", PAIRED, study, "Paired.", metadata=MADE | {"command": f"{command} --only 05", "digest": "e"})
    save_table("anything", WIDE, study, "Any.", metadata=MADE | {"command": f"{command} --only 06", "digest": "f"})
    assert not any("not all made" in notice for notice in notices(study))
    save_table("anything", WIDE, study, "Any.", metadata=MADE | {"command": f"{command} --model m --only 06"})
    assert any("not all made for the same models" in notice for notice in notices(study))


# --- The command ----------------------------------------------------------------------------------------------------


def command(study, *more):
    return cli.main(["report", "s", "--runs-dir", study.runs_dir, "--figures-dir", study.figures_dir, *more])


def test_the_command_writes_the_page_and_says_where(study, tmp_path, capsys):
    assert command(study) == 0
    assert capsys.readouterr().out == f"{study.folder / 'report.html'}\n"
    (tmp_path / "own").mkdir()
    assert command(study, "--out", str(tmp_path / "own" / "page.html")) == 0
    assert (tmp_path / "own" / "page.html").read_bytes() == (study.folder / "report.html").read_bytes()
    assert command(study, "--out", str(tmp_path / "own")) == 0
    assert (tmp_path / "own" / "report.html").is_file()


@pytest.mark.parametrize(
    ("place", "problem"),
    [("missing/page.html", "missing is missing"), ("file/page.html", "file is missing"), ("missing/", "missing")],
)
def test_a_place_that_cannot_be_written_is_one_clear_error(study, tmp_path, capsys, place, problem):
    (tmp_path / "file").write_text("")
    assert command(study, "--out", f"{tmp_path}/{place}") == 1
    said = capsys.readouterr().err
    assert problem in said and said.count("\n") == 1 and "another --out" in said and not (tmp_path / "missing").exists()


def test_a_folder_that_may_not_be_written_is_one_clear_error(study, tmp_path, monkeypatch):
    def refuse(path, data):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(report, "write_atomically", refuse)
    with pytest.raises(
        report.ReportError, match=r"--out .*p\.html cannot be written \(Permission denied\): give another"
    ):
        report.write_report(study, tmp_path / "p.html")


def test_the_command_fails_in_one_line(study, capsys):
    (study.figures / "paired.csv").unlink()
    assert command(study) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("muddle: ") and said.err.count("\n") == 1
    assert "paired.csv" in said.err
    assert not (study.folder / "report.html").exists()


# --- In a browser ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def chromium():
    executable = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if executable is None:
        pytest.skip("there is no Chromium on the path: apt-get install chromium")
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with api.sync_playwright() as playwright:
        sandbox = [] if os.geteuid() else ["--no-sandbox"]
        with contextlib.closing(playwright.chromium.launch(executable_path=executable, args=sandbox)) as browser:
            yield browser


@pytest.fixture(scope="module")
def page_file(finished):
    return report.write_report(finished)


@contextlib.contextmanager
def opened(chromium, path, width=1280, **options):
    """Open the page; yield it with what it asked for and what the console said."""
    with contextlib.closing(chromium.new_context(viewport={"width": width, "height": 800}, **options)) as context:
        page = context.new_page()
        asked, said = [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(path.as_uri())
        yield page, asked, said


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_chromium_opens_it_without_an_error_or_a_request(chromium, page_file, scheme):
    with opened(chromium, page_file, color_scheme=scheme) as (page, asked, said):
        assert said == []
        assert [address for address in asked if not address.startswith("data:")] == [page_file.as_uri()]
        pictures = page.eval_on_selector_all("img", "all => all.map(one => [one.alt, one.naturalWidth])")
        assert len(pictures) == 2
        assert all(alt and width > 0 for alt, width in pictures)
        ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 22, 26)"}[scheme]


def test_nothing_hostile_ran_or_was_made(chromium, page_file):
    with opened(chromium, page_file) as (page, _, said):
        page.on("dialog", lambda dialog: pytest.fail(dialog.message))
        assert page.locator("script").count() == 0
        assert page.evaluate("document.querySelectorAll('img:not([src^=\"data:image/png\"])').length") == 0
        assert said == []


def test_a_script_could_not_run_if_one_got_in(chromium, page_file, tmp_path):
    # Not the escaping but the policy is tried here.
    path = tmp_path / "page.html"
    text = page_file.read_text().replace("</main>", "<script>document.title = 'taken'</script></main>")
    path.write_text(text)
    with opened(chromium, path) as (page, _, said):
        assert page.title() != "taken"
        assert any("Content Security Policy" in line for line in said)


@pytest.mark.parametrize("width", [320, 360, 768, 1280])
def test_no_width_scrolls_the_page_sideways(chromium, page_file, width):
    with opened(chromium, page_file, width) as (page, _, _):
        page.eval_on_selector_all("details", "all => all.forEach(one => one.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        # What is wide scrolls in its box.
        # A figure is as wide as it was drawn, or can still be read; never blown up.
        drawn = page.eval_on_selector_all("img", "all => all.map(one => [one.clientWidth, +one.getAttribute('width')])")
        assert [shown <= own for shown, own in drawn] == [True, True]
        wide = page.locator("div.scroll", has=page.locator("table caption", has_text="A wide table")).first
        assert wide.evaluate("one => one.scrollWidth > one.clientWidth")
        sizes = page.eval_on_selector_all(
            "p, dd, li, td", "all => all.map(one => parseFloat(getComputedStyle(one).fontSize))"
        )
        assert min(sizes) >= 12


def focused(page):
    """Return what has the focus: its class, else its tag, and its label or text."""
    return page.evaluate(
        "(() => { const one = document.activeElement;"
        " return [one.className || one.tagName, one.ariaLabel || one.textContent.trim().slice(0, 60)]; })()"
    )


def unfold(page):
    """Open the parts that are folded."""
    page.eval_on_selector_all("section > details", "all => all.forEach(one => one.open = true)")


def test_the_keyboard_reaches_the_skip_link_first_and_every_table(chromium, page_file):
    with opened(chromium, page_file, 360) as (page, _, _):
        unfold(page)
        page.keyboard.press("Tab")
        assert focused(page) == ["skip", "To the content"]
        assert page.locator("a.skip").bounding_box()["y"] >= 0
        page.keyboard.press("Enter")
        assert focused(page)[0] == "MAIN"
        boxes = page.eval_on_selector_all(
            "main .scroll", "all => all.filter(one => !one.closest('details:not([open])')).map(one => one.ariaLabel)"
        )
        reached = []
        for _ in range(150):
            page.keyboard.press("Tab")
            kind, label = focused(page)
            if kind == "BODY":
                break
            reached += [label] if kind == "scroll" else []
        assert reached == boxes
        assert any(label.startswith("Table: A wide table") for label in boxes)


def test_a_link_to_what_is_folded_opens_it(chromium, page_file):
    with opened(chromium, page_file) as (page, _, _):
        wanted = page.locator("#item-paired")
        assert not wanted.is_visible()
        page.locator('nav a[href="#item-paired"]').click()
        assert wanted.is_visible()


def test_a_focused_table_shows_it_and_scrolls_by_arrow_keys(chromium, page_file):
    with opened(chromium, page_file, 360) as (page, _, _):
        page.emulate_media(reduced_motion="reduce")
        unfold(page)
        wide = page.locator("div.scroll", has=page.locator("table caption", has_text="A wide table")).first
        page.keyboard.press("Tab")
        wide.focus()
        assert wide.evaluate("one => getComputedStyle(one).outlineStyle") == "solid"
        page.keyboard.press("ArrowRight")
        for _ in range(100):
            if wide.evaluate("one => one.scrollLeft > 0"):
                return
            page.wait_for_timeout(20)
        pytest.fail("the arrow key does not scroll the table")


def test_a_summary_opens_by_key_and_a_link_downloads_the_data(chromium, page_file, finished, tmp_path):
    with opened(chromium, page_file) as (page, _, _):
        unfold(page)
        summary = page.locator("summary", has_text="The numbers of this figure").first
        summary.focus()
        page.keyboard.press("Enter")
        assert summary.evaluate("one => one.parentElement.open")
        with page.expect_download() as waiting:
            page.locator('a[download="paired.csv"]').click()
        waiting.value.save_as(tmp_path / "got.csv")
        assert (tmp_path / "got.csv").read_bytes() == (finished.figures / "paired.csv").read_bytes()


def test_in_print_everything_is_open_and_nothing_is_for_the_screen(chromium, page_file):
    with opened(chromium, page_file) as (page, _, _):
        page.emulate_media(media="print")
        assert page.locator("nav").evaluate("one => getComputedStyle(one).display") == "none"
        assert page.locator(".skip").evaluate("one => getComputedStyle(one).display") == "none"
        folded = page.locator("details .scroll").first
        assert folded.evaluate("one => one.getBoundingClientRect().height") > 0


def test_a_study_that_cannot_be_written_is_reported_elsewhere(study, tmp_path):
    expected = report.render(report.page_of(study))
    places = ["s", "--runs-dir", study.runs_dir, "--figures-dir", study.figures_dir]
    with without_override.read_only(study.folder), without_override.read_only(study.figures):
        refused = without_override.muddle("report", *places)
        done = without_override.muddle("report", *places, "--out", tmp_path / "page.html")
        answers = without_override.muddle("predictions", *places[:3], "--out", tmp_path / "answers.json")
    assert (answers.returncode, len(json.loads((tmp_path / "answers.json").read_text()))) == (0, 8), answers.stderr
    assert refused.returncode == 1
    assert refused.stderr.strip() == (
        f"muddle: --out {study.folder}/report.html cannot be written (Permission denied): give another --out"
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "page.html").read_text("utf-8") == expected
