import shlex
from dataclasses import replace

import pandas as pd
import pytest
from made_up_study import MODELS, Rows, make_response, make_verdict, tiny

from muddle_utils.analysis import answers, asked_alike, comparisons, frames, tables
from muddle_utils.runs import cli
from muddle_utils.study.paths import Study
from muddle_utils.study.records import Exclusion
from muddle_utils.study.rows import write_rows
from muddle_utils.study.store import Store

# --- long_frame ---


def test_a_row_for_every_request_and_the_declared_columns(rows, frame):
    assert len(frame) == len(rows.requests) == 2 * 60 * (5 + 1 + 1)
    assert not frame.duplicated(["cell_id", "model", "modality"]).any()
    assert {name: str(kind) for name, kind in frame.dtypes.items()} == frames.FRAME_TYPES


def test_sizes_are_sums_over_the_cells_documents(rows, frame):
    cell = next(cell for cell in rows.cells if cell.condition == "hn-4")
    pages = {document.document_id: document.n_pages for document in rows.documents}
    expected = sum(pages[name] for name in cell.document_ids)
    row = frame[frame["cell_id"].eq(cell.cell_id) & frame["modality"].eq("markdown")].iloc[0]
    assert row["n_pages"] == expected
    assert row["n_chars"] == 1000 * expected
    assert frame.loc[frame["modality"].ne("markdown"), "n_chars"].isna().all()


def test_statuses_and_reasons():
    rows = Rows(n_questions=3, n_documents=3)
    control = [
        r for r in rows.requests if r.condition == "control" and r.modality == "markdown" and r.model == MODELS[0]
    ]
    answered = make_response(control[1], "forty-two")
    responses = [make_response(control[0], "", "failed", "Timeout", "no reply in 900 s"), answered]
    verdicts = [make_verdict(answered, False, "unjudged")]
    lost = {"markdown": [Exclusion("cell", "q0002|hn-2", "document not rendered", "h1.pdf: encrypted")]}
    frame = rows.frame(requests=control, responses=responses, verdicts=verdicts, lost=lost)
    shown = frame[["cell_id", "status", "cause", "reason", "answered", "judged"]].values.tolist()
    assert shown == [
        ["q0000|control", "failed", "Timeout", "Timeout: no reply in 900 s", False, False],
        ["q0001|control", "answered", "unjudged", "the reply is no JSON", True, False],
        ["q0002|control", "not_run", "not run", "no response is stored yet", False, False],
        ["q0002|hn-2", "lost", "document not rendered", "h1.pdf: encrypted", False, False],
    ]
    assert frame["correct"].isna().all()
    assert frame["n_response_chars"].tolist()[1] == len("forty-two")
    assert pd.isna(frame["n_response_chars"][0])


def test_an_answer_to_an_older_request_is_not_this_requests_answer(rows):
    older = [replace(row, fingerprint="older") for row in rows.responses]
    frame = rows.frame(responses=older)
    assert frame["status"].eq("not_run").all()


def test_order_of_the_rows_given_does_not_matter(rows, frame):
    other = rows.frame(responses=rows.responses[::-1], verdicts=rows.verdicts[::-1])
    pd.testing.assert_frame_equal(other, frame)


def test_without_requests_the_responses_are_what_was_asked(rows):
    assert len(rows.frame(requests=None)) == len(rows.responses)


def test_an_empty_study_has_an_empty_frame_with_the_columns():
    frame = frames.long_frame([], [], [], {}, [], [], {})
    assert list(frame.columns) == list(frames.FRAME_TYPES)
    assert len(tables.table_1(frame)) == len(tables.coverage(frame)) == len(comparisons.paired(frame)) == 0


@pytest.mark.parametrize("kind", ["responses", "verdicts", "requests"])
def test_a_repeated_row_is_refused_by_name(rows, kind):
    repeated = [*getattr(rows, kind), getattr(rows, kind)[3]]
    with pytest.raises(frames.TablesError, match=r"2 .* share a key.*q00"):
        rows.frame(**{kind: repeated})


def test_a_request_without_its_cell_is_refused_by_name(rows):
    stray = replace(rows.requests[0], cell_id="q9999|control")
    with pytest.raises(frames.TablesError, match=r"q9999\|control.*curation notebook"):
        rows.frame(requests=[*rows.requests, stray])


# --- reading a study's rows ---


def write_study(rows, study):
    for kind in ("questions", "documents", "cells"):
        write_rows(study.rows(kind), getattr(rows, kind))
    for modality in ("markdown", "image", "pdf"):
        write_rows(study.rows(f"renderings_{modality}"), rows.renderings[modality])
        write_rows(study.rows(f"lost_{modality}"), [])
        for model in MODELS:
            asked = [r for r in rows.requests if r.model == model and r.modality == modality]
            write_rows(study.rows(f"requests_{model.replace('/', '-')}_{modality}"), asked)


@pytest.fixture
def stored(tmp_path):
    rows, study = Rows(n_questions=4, n_documents=2), Study("test", str(tmp_path / "runs"), str(tmp_path / "figures"))
    write_study(rows, study)
    with Store(study.store) as store:
        for response in rows.responses:
            store.add_response(response)
        for verdict in rows.verdicts:
            store.add_verdict(verdict)
    return rows, study


def test_a_study_on_disk_gives_the_same_frame(stored):
    rows, study = stored
    frame = answers.read_frame(study, MODELS, ["markdown", "image", "pdf"], "local/rules")
    pd.testing.assert_frame_equal(frame, rows.frame())


def test_two_versions_of_a_judge_are_not_mixed(stored):
    rows, study = stored
    with Store(study.store) as store:
        store.add_verdict(replace(rows.verdicts[0], judge_fingerprint="newer"))
    with pytest.raises(frames.TablesError, match="two versions"):
        answers.read_frame(study, MODELS, ["markdown", "image", "pdf"], "local/rules")


def test_a_verdict_about_another_reference_is_stale(stored):
    rows, study = stored
    changed = [replace(question, answer="43") for question in rows.questions]
    write_rows(study.rows("questions"), changed)
    frame = answers.read_frame(study, MODELS, ["markdown"], "local/rules")
    assert frame["answered"].any()
    assert not frame["judged"].any()
    assert frame.loc[frame["answered"], "cause"].eq("not judged yet").all()


def test_the_majority_of_three_judges(stored):
    rows, study = stored
    judged = [verdict for verdict in rows.verdicts if verdict.status == "judged"]
    first, second, third = judged[:3]
    # b and c overrule the first verdict; b alone stands against the second; on the third one of two is no majority.
    with Store(study.store) as store:
        for name, rows_of in (("b", (first, second, third)), ("c", (first,))):
            for verdict in rows_of:
                store.add_verdict(replace(verdict, judge=name, judge_fingerprint=name, correct=not verdict.correct))
        store.add_verdict(replace(second, judge="c", judge_fingerprint="c"))
    frame = answers.read_frame(
        study, MODELS, ["markdown", "image", "pdf"], "majority", judges=("local/rules", "b", "c")
    )
    keyed = {(row["cell_id"], row["model"], row["modality"]): row for row in frames.as_records(frame)}

    def row(verdict):
        return keyed[verdict.cell_id, verdict.model, verdict.modality]

    assert row(first)["correct"] == (not first.correct)
    assert row(second)["correct"] == second.correct
    assert not row(third)["judged"]
    assert "no majority (local/rules: " in row(third)["reason"]
    assert set(frame.loc[frame["judged"], "judge"]) == {"majority"}
    fourth = judged[3]
    assert not row(fourth)["judged"], "one verdict of three judges is no majority"


def test_an_infeasible_request_says_which_limit_and_by_how_much():
    rows = Rows(n_questions=2, n_documents=2)
    request = replace(rows.requests[0], route="", infeasible="pdf_pages", detail="r: 140 pdf pages, 40 over 100")
    frame = rows.frame(requests=[request], responses=[], verdicts=[])
    (row,) = frames.as_records(frame)
    assert (row["status"], row["cause"], row["reason"]) == ("infeasible", "pdf pages limit", request.detail)
    assert not row["answered"]


# --- orders and joins ---


def test_known_values_stand_in_their_order_and_others_after_them():
    values = pd.Series(["x", "b", "a", "x", "y"])
    assert frames.ordered(values, ["a", "b", "c"]) == ["a", "b", "x", "y"]
    places = frames.places(values, ["a", "b", "c"]).tolist()
    assert [value for _, value in sorted(zip(places, values, strict=True))] == ["a", "b", "x", "x", "y"]


def test_a_join_keeps_every_row_once_and_refuses_to_repeat_one():
    left = pd.DataFrame({"key": ["a", "b", "b"]})
    right = pd.DataFrame({"key": ["b"], "value": [1]})
    assert frames.join(left, right, ["key"], "m:1")["value"].fillna(0).tolist() == [0, 1, 1]
    with pytest.raises(pd.errors.MergeError):
        frames.join(left, pd.concat([right, right]), ["key"], "m:1")


def test_a_cell_with_a_document_of_unknown_size_has_none():
    assert frames.total_size(["a", "b"], {"a": 2, "b": 3}) == 5
    assert frames.total_size(["a", "b"], {"a": 2}) is None


# --- several studies, and where the rows come from ---


def test_one_study_is_itself_with_its_name():
    frame = tiny({"control": [True, False]})
    one = answers.side_by_side({"mine": frame})
    assert one["study"].eq("mine").all()
    pd.testing.assert_frame_equal(one.drop(columns="study"), frame)


def test_a_model_of_two_studies_becomes_two_and_its_questions_pair():
    frame = tiny({"control": [True, False]})
    both = answers.side_by_side({"one": frame, "two": frame})
    assert both["model"].unique().tolist() == ["m (one)", "m (two)"]
    assert both["question_id"].unique().tolist() == ["q0000", "q0001"]
    assert len(both) == 4


def test_models_of_one_study_each_keep_their_names():
    both = answers.side_by_side(
        {"one": tiny({"control": [True]}, model="a"), "two": tiny({"control": [True]}, model="b")}
    )
    assert both["model"].tolist() == ["a", "b"]


@pytest.mark.parametrize("column", ["question", "reference", "document_id"])
def test_a_question_that_means_something_else_elsewhere_pairs_with_nothing(column):
    frame = tiny({"control": [True, False]}, model="a")
    other = tiny({"control": [True, False]}, model="b")
    other.loc[0, column] = "another"
    both = answers.side_by_side({"one": frame, "two": other})
    assert both["question_id"].tolist() == ["one:q0000", "q0001", "two:q0000", "q0001"]


def test_a_third_study_that_means_something_else_parts_nothing_of_the_first_two():
    asked = {name: tiny({"control": [True, False]}, model=name) for name in "abcd"}
    for name in "cd":
        asked[name].loc[0, "reference"] = "43"
    together = answers.side_by_side(asked)
    named = together.groupby("study")["question_id"].agg(list).to_dict()
    assert named["a"] == named["b"] == ["a:q0000", "q0001"]
    assert named["c"] == named["d"] == ["c:q0000", "q0001"]
    pairs = asked_alike.between_models(together).set_index(["first", "second"])["n_pairs"].to_dict()
    assert pairs == {("a", "b"): 2, ("a", "c"): 1, ("a", "d"): 1, ("b", "c"): 1, ("b", "d"): 1, ("c", "d"): 2}


def test_names_made_for_models_and_questions_are_nobody_elses():
    frame = tiny({"control": [True]})
    models = {"A": frame.assign(model="m"), "B": pd.concat([frame.assign(model="m"), frame.assign(model="m (A)")])}
    both = answers.side_by_side(models)
    assert both["model"].tolist() == ["m (A)", "m (B)", "m (A) (B)"]
    assert both["own_model"].tolist() == ["m", "m", "m (A)"]
    questions = {"A": frame, "B": frame.assign(reference="43"), "C": frame.assign(question_id="A:q0000")}
    several = answers.side_by_side(questions)
    assert several["question_id"].tolist() == ["A:q0000", "B:q0000", "C:A:q0000"]


def test_a_study_named_twice_is_refused():
    with pytest.raises(frames.TablesError, match="named twice"):
        answers.read_frames([Study("one"), Study("one")], ["m"], ["markdown"], "local/rules")


def test_the_origin_changes_with_the_rows_and_with_nothing_else():
    frame = tiny({"control": [True, False]}).assign(time="2026-03-04T05:06:07+00:00")
    first = frames.origin_of(Study("s"), "muddle run", frame)
    assert first == frames.origin_of(Study("s", runs_dir="/elsewhere"), "muddle run", frame.copy())
    assert first["date"] == "2026-03-04"
    assert (first["study"], first["command"]) == ("s", "muddle run")
    other = frame.assign(text="another answer")
    assert frames.origin_of(Study("s"), "muddle run", other)["digest"] != first["digest"]
    assert frames.origin_of(Study("s"), "muddle run", frame.head(0))["date"] == ""


def test_two_runs_with_the_same_results_have_the_same_digest(frame):
    first = frames.origin_of(Study("s"), "muddle run", frame)["digest"]
    again = frame.assign(time="2027-01-01T00:00:00+00:00", cost=3.5, fingerprint="another")
    failed = ~frame["answered"] & frame["status"].ne("infeasible")
    assert failed.any()
    again["reason"] = again["reason"].mask(failed, "Timeout: no reply in 61.3 s to request 7")
    assert frames.origin_of(Study("s"), "muddle run", again)["digest"] == first
    assert frames.origin_of(Study("s"), "muddle run", again)["date"] == "2027-01-01"
    flipped = frame.assign(correct=frame["correct"].mask(frame["judged"], ~frame["correct"]))
    columns = ("cause", "status", "text", "judge_fingerprint", "cell_digest", "tokens_in", "reasoning")
    changes = [frame.assign(**{name: 1 if name == "tokens_in" else "another"}) for name in columns]
    for other in (flipped, frame.head(len(frame) - 1), *changes):
        assert frames.origin_of(Study("s"), "muddle run", other)["digest"] != first


def test_the_origin_is_of_the_rows_and_not_of_what_a_notebook_makes_of_them(frame):
    study = Study("s")
    first = frames.origin_of(study, "muddle run", frame)
    for same in (
        answers.side_by_side({"s": frame}),
        frame.sample(frac=1, random_state=3),
        frame[frame.columns[::-1]].assign(extra=1),
        frame.astype({"n_pages": "Float64"}),
    ):
        assert frames.origin_of(study, "muddle run", same) == first
    beside = answers.side_by_side({"s": frame, "t": frame})
    assert frames.origin_of(study, "muddle run", beside)["digest"] != first["digest"]
    moved = beside.assign(study=beside["study"].map({"s": "t", "t": "s"}))
    assert frames.origin_of(study, "muddle run", moved) != frames.origin_of(study, "muddle run", beside)


# --- the order of rows ---


def test_rows_are_arranged_by_what_they_are_and_models_by_who_was_asked_first():
    rows = [("b", "pdf", "hn-4", "q1"), ("a", "pdf", "control", "q2"), ("a", "own", "control", "q1")]
    rows += [("b", "markdown", "hn-10", "q1"), ("b", "markdown", "hn-2", "q2"), ("b", "markdown", "hn-2", "q1")]
    frame = pd.DataFrame(rows, columns=frames.ONCE)
    assert frames.arranged(frame).values.tolist() == [
        ["b", "markdown", "hn-2", "q1"],
        ["b", "markdown", "hn-2", "q2"],
        ["b", "markdown", "hn-10", "q1"],
        ["b", "pdf", "hn-4", "q1"],
        ["a", "pdf", "control", "q2"],
        ["a", "own", "control", "q1"],
    ]
    with pytest.raises(frames.TablesError, match=r"2 of these share a key.*model = 'b'.*question_id = 'q1'"):
        frames.arranged(pd.concat([frame, frame.head(1)]), "of these")
    # Rows whose labels repeat, as those of two frames below each other, are rows of their own.
    assert len(frames.arranged(pd.concat([frame, frame.assign(model="c")]))) == 2 * len(frame)


def test_the_command_of_an_analysis_is_one_that_a_shell_takes():
    study = Study("s", runs_dir="/secret/place")
    command = frames.analysis_command(study, "05", ["a b"], ["markdown"], ["j", "k"], "k")
    words = shlex.split(command)
    assert words[:4] == ["muddle", "run", "--study", "s"]
    assert words[4:] == "--model|a b|--modality|markdown|--judge|j|--judge|k|--headline|k|--only|05".split("|")
    assert "--headline" not in frames.analysis_command(study, "05", ["a"], ["markdown"], ["j"], "j")
    settings = cli.settings_from(cli.parser().parse_args(words[1:]))
    assert (settings.models, settings.judges, settings.headline) == (("a b",), ("j", "k"), "k")
