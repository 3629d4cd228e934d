"""Cells: the published draw and placement strings, nesting, exclusion by identity and content, and lost cells."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muddle_utils.corpus.cells import (
    LEAKING_HARD_NEGATIVE,
    POOL_TOO_SMALL,
    TOO_FEW_HARD_NEGATIVES,
    Shortfall,
    build_cells,
    random_draw,
    sample_sources,
    shortfalls,
    source_position,
)
from muddle_utils.corpus.curation import FEWER_HARD_NEGATIVES, Leak
from muddle_utils.corpus.retrieval import fit_pool
from muddle_utils.study.records import CONDITIONS, Condition, Document, Exclusion, HardNegative, Question, condition_of
from muddle_utils.study.rows import write_rows

POOL = [f"d{number:03d}" for number in range(339)]
PASS, FAIL = Leak("pass", ""), Leak("fail", "…here…")


def question(question_id, document_id, document_type="Brochure"):
    return Question(question_id, document_id, "How many?", "1234", "Int", (), ("Table",), document_type)


def document(document_id, sha256=""):
    return Document(document_id, sha256 or f"digest of {document_id}", "", 20, 9, "", "Brochure", "unrelated", "", "")


def placed(source, candidate, position, rank=1):
    return HardNegative(source, candidate, rank, 0.5, 0.5, 0.1, 0.0, "pass", "", 20, "good", "", "", position)


SOURCES = ("s1", "s2", "s3")
# Every source has four of its own; s1's nested order is not its rank order.
HARD_NEGATIVES = [
    placed(source, f"{source}n{number}", position)
    for source in SOURCES
    for number, position in ((1, 3), (2, 1), (3, 4), (4, 2))
]
QUESTIONS = [question("q1", "s1"), question("q2", "s1"), question("q3", "s2"), question("q4", "s3")]
DOCUMENTS = [document(name) for name in (*SOURCES, *(row.candidate_id for row in HARD_NEGATIVES))]
INDEX = fit_pool({item.document_id: f"text of {item.document_id}" for item in DOCUMENTS})
LEAKS = {(asked.question_id, item.document_id): PASS for asked in QUESTIONS for item in DOCUMENTS}


def build(questions=QUESTIONS, documents=DOCUMENTS, hard_negatives=HARD_NEGATIVES, leaks=LEAKS, **settings):
    return build_cells(questions, documents, hard_negatives, settings.pop("index", INDEX), leaks, **settings)


def by_id(built):
    return {cell.cell_id: cell for cell in built.cells}


def distractors(cell):
    return tuple(name for index, name in enumerate(cell.document_ids) if index != cell.source_position)


# --- The strings that the study fixes --------------------------------------------------------------------------------


def test_golden_draws():
    assert random_draw("q0001", POOL) == ("d173", "d040", "d253", "d295")
    assert random_draw("q0002", POOL) == ("d292", "d219", "d070", "d147")


def test_golden_placements():
    keys = {"q0001|hn-2": 2, "q0001|random-2": 2, "q0001|hn-4": 0, "q0001|random-4": 3}
    assert {key: source_position(key, int(key[-1])) for key in keys} == keys


def test_the_draw_does_not_depend_on_the_order_of_the_pool():
    shuffled = POOL.copy()
    random.Random(1).shuffle(shuffled)
    assert random_draw("q0001", shuffled) == random_draw("q0001", set(POOL)) == random_draw("q0001", POOL)


@given(st.text(min_size=1, max_size=12), st.integers(5, 60))
def test_a_draw_holds_four_different_documents_of_the_pool(question_id, size):
    drawn = random_draw(question_id, POOL[:size])
    assert len(set(drawn)) == 4
    assert set(drawn) <= set(POOL[:size])


def test_a_pool_that_is_too_small_is_refused():
    with pytest.raises(ValueError, match="q1: 4 documents cannot be drawn from a pool of 3"):
        random_draw("q1", ["a", "b", "c", "c"])


def test_every_place_is_used_about_equally():
    # 3,000 keys over five places: 600 each, standard deviation about 22; five of them are 110.
    counts = Counter(source_position(f"q{number}|hn-4", 4) for number in range(3000))
    assert sorted(counts) == [0, 1, 2, 3, 4]
    assert all(abs(count - 600) < 110 for count in counts.values())


def test_the_names_of_the_conditions_say_what_they_are():
    assert [(name, condition_of(name)) for name in CONDITIONS] == [
        ("control", Condition("none", 0)),
        ("hn-2", Condition("hard_negative", 2)),
        ("random-2", Condition("random", 2)),
        ("hn-4", Condition("hard_negative", 4)),
        ("random-4", Condition("random", 4)),
    ]
    with pytest.raises(ValueError, match="condition = 'hn-3' is not known"):
        condition_of("hn-3")


# --- Cells -----------------------------------------------------------------------------------------------------------


def test_every_question_in_every_condition():
    built = build()
    assert [cell.cell_id for cell in built.cells] == [
        f"{asked.question_id}|{name}" for asked in QUESTIONS for name in CONDITIONS
    ]
    assert built.exclusions == []
    for cell in built.cells:
        assert len(cell.document_ids) == len(set(cell.document_ids)) == cell.k + 1
        source = next(asked.document_id for asked in QUESTIONS if asked.question_id == cell.question_id)
        assert cell.document_ids[cell.source_position] == source


def test_control_is_the_source_alone():
    cell = by_id(build())["q3|control"]
    assert (cell.document_ids, cell.source_position, cell.k, cell.distractor_type) == (("s2",), 0, 0, "none")
    assert (cell.draw_key, cell.placement_key) == ("", "")


def test_hard_negatives_stand_in_their_nested_order():
    cells = by_id(build())
    assert distractors(cells["q1|hn-4"]) == ("s1n2", "s1n4", "s1n1", "s1n3")
    assert distractors(cells["q1|hn-2"]) == ("s1n2", "s1n4")
    assert cells["q1|hn-4"].draw_key == "hnselv1|s1"
    assert cells["q1|hn-4"].placement_key == "42|q1|hn-4"
    assert cells["q1|hn-4"].source_position == source_position("q1|hn-4", 4)


def test_random_distractors_are_the_hard_negatives_of_other_sources():
    cells = by_id(build())
    others = [row.candidate_id for row in HARD_NEGATIVES if row.document_id != "s1"]
    for asked in ("q1", "q2"):
        four = distractors(cells[f"{asked}|random-4"])
        assert four == random_draw(asked, others)
        assert distractors(cells[f"{asked}|random-2"]) == four[:2]
        assert cells[f"{asked}|random-4"].draw_key == f"randselv2|{asked}"
    assert distractors(cells["q1|random-4"]) != distractors(cells["q2|random-4"])


def test_own_documents_are_never_drawn_by_name_or_by_content():
    # s2n1 holds the bytes of s1 itself, s2n2 those of one of its hard negatives, s3 is drawn from as usual.
    documents = [
        replace(item, sha256={"s2n1": "digest of s1", "s2n2": "digest of s1n3"}.get(item.document_id, item.sha256))
        for item in DOCUMENTS
    ]
    for number in range(60):
        asked = question(f"x{number}", "s1")
        leaks = {(asked.question_id, item.document_id): PASS for item in DOCUMENTS}
        cell = by_id(build([asked], documents, leaks=leaks))[f"x{number}|random-4"]
        assert not set(distractors(cell)) & {"s1", "s1n1", "s1n2", "s1n3", "s1n4", "s2n1", "s2n2"}


def test_two_files_of_the_same_bytes_are_one_in_the_pool():
    documents = [replace(item, sha256="twin") if item.document_id in ("s2n1", "s3n1") else item for item in DOCUMENTS]
    seen = set()
    for number in range(80):
        asked = question(f"x{number}", "s1")
        leaks = {(asked.question_id, item.document_id): PASS for item in DOCUMENTS}
        seen |= set(distractors(by_id(build([asked], documents, leaks=leaks))[f"x{number}|random-4"]))
    assert seen == {"s2n1", "s2n2", "s2n3", "s2n4", "s3n2", "s3n3", "s3n4"}


def test_rejected_candidates_are_in_no_cell():
    rejected = [replace(placed("s1", "s1bad", 0), verdict="bad"), placed("s2", "s2bad", 0)]
    documents = [*DOCUMENTS, document("s1bad"), document("s2bad")]
    assert build(documents=documents, hard_negatives=HARD_NEGATIVES + rejected) == build()


def test_few_hard_negatives_lose_only_the_cells_they_cannot_fill():
    rows = [row for row in HARD_NEGATIVES if not (row.document_id == "s1" and row.position > 3)]
    rows = [row for row in rows if not (row.document_id == "s3" and row.position > 1)]
    built = build(hard_negatives=rows)
    lost = {exclusion.identifier: exclusion for exclusion in built.exclusions}
    assert set(lost) == {"q1|hn-4", "q2|hn-4", "q4|hn-2", "q4|hn-4"}
    assert {exclusion.reason for exclusion in built.exclusions} == {TOO_FEW_HARD_NEGATIVES}
    assert lost["q1|hn-4"].detail == "s1 has 3 of 4"
    assert {exclusion.kind for exclusion in built.exclusions} == {"cell"}
    assert len(built.cells) + len(lost) == len(QUESTIONS) * len(CONDITIONS)


def test_a_small_pool_loses_random_cells():
    rows = [row for row in HARD_NEGATIVES if row.document_id == "s1" or (row.document_id, row.position) < ("s2", 4)]
    built = build([QUESTIONS[0]], hard_negatives=rows)
    (lost,) = built.exclusions
    assert (lost.identifier, lost.reason, lost.detail) == ("q1|random-4", POOL_TOO_SMALL, "3 of 4")
    assert len(distractors(by_id(built)["q1|random-2"])) == 2


def test_a_question_loses_the_cells_whose_hard_negatives_give_it_away():
    # s1n1 stands third in the nested order: in HN-4, not in HN-2. Only q2 is given away.
    built = build(leaks=LEAKS | {("q2", "s1n1"): FAIL})
    (lost,) = built.exclusions
    assert (lost.identifier, lost.reason, lost.detail) == ("q2|hn-4", LEAKING_HARD_NEGATIVE, "s1n1")
    assert {"q1|hn-4", "q2|hn-2"} <= set(by_id(built))


def test_leaking_random_distractors_are_flagged_and_kept():
    plain = by_id(build())["q1|random-4"]
    third = distractors(plain)[2]
    cells = by_id(build(leaks=LEAKS | {("q1", third): FAIL}))
    assert cells["q1|random-4"] == replace(plain, leaking_distractors=(third,))
    assert cells["q1|random-2"].leaking_distractors == ()
    assert all(not cell.leaking_distractors for cell in cells.values() if cell.condition.startswith("hn"))


def test_accidental_hard_negatives_are_flagged_from_a_cosine_of_030():
    drawn = distractors(by_id(build())["q1|random-4"])
    cosines = INDEX.cosines.copy()
    row, at, under = (INDEX.document_ids.index(name) for name in ("s1", drawn[0], drawn[1]))
    cosines[row, :] = 0.0
    cosines[row, at], cosines[row, under] = 0.30, 0.2999
    cells = by_id(build(index=replace(INDEX, cosines=cosines)))
    assert cells["q1|random-4"].accidental_hard_negatives == (drawn[0],)
    assert cells["q1|random-4"].document_ids == by_id(build())["q1|random-4"].document_ids
    assert cells["q1|hn-4"].accidental_hard_negatives == ()


def test_question_k_gives_both_arms_the_same_place():
    cells = by_id(build(placement_key="question_k"))
    for asked in QUESTIONS:
        for k in (2, 4):
            hard, chance = cells[f"{asked.question_id}|hn-{k}"], cells[f"{asked.question_id}|random-{k}"]
            assert hard.source_position == chance.source_position
            assert hard.placement_key == chance.placement_key == f"42|{asked.question_id}|{k}"


def test_the_default_key_gives_the_arms_the_same_place_by_chance_only():
    # One place in three and one in five, over 3,000 keys: three standard deviations are .026 and .022.
    for k, slack in ((2, 0.026), (4, 0.022)):
        same = sum(source_position(f"q{n}|hn-{k}", k) == source_position(f"q{n}|random-{k}", k) for n in range(3000))
        assert same / 3000 == pytest.approx(1 / (k + 1), abs=slack)


def test_another_seed_moves_the_source_and_draws_the_same():
    one, other = build(), build(seed=43)
    assert [distractors(cell) for cell in one.cells] == [distractors(cell) for cell in other.cells]
    assert [cell.source_position for cell in one.cells] != [cell.source_position for cell in other.cells]


def test_a_part_of_the_conditions_gives_the_same_cells():
    part = build(conditions=["random-4", "control"]).cells
    assert [cell.condition for cell in part[:2]] == ["random-4", "control"]
    assert all(cell == by_id(build())[cell.cell_id] for cell in part)


@given(st.permutations(range(len(HARD_NEGATIVES))), st.permutations(range(len(QUESTIONS))))
def test_the_order_of_the_rows_changes_nothing(rows, asked):
    built = build([QUESTIONS[index] for index in asked], DOCUMENTS[::-1], [HARD_NEGATIVES[index] for index in rows])
    assert by_id(built) == by_id(build())


def test_the_same_seed_gives_the_same_bytes(tmp_path):
    one = write_rows(tmp_path / "one.jsonl", build().cells).read_bytes()
    other = write_rows(tmp_path / "other.jsonl", build().cells).read_bytes()
    assert one == other
    assert one.count(b"\n") == 20


def test_faults_are_named():
    with pytest.raises(ValueError, match="placement_key = 'model'"):
        build(placement_key="model")
    with pytest.raises(ValueError, match="condition = 'hn-8'"):
        build(conditions=["hn-8"])
    with pytest.raises(ValueError, match="'s9', which is not among the documents"):
        build([question("q9", "s9")])


# --- A sample of sources ---------------------------------------------------------------------------------------------

SAMPLED = [
    question(f"q{number}", f"{kind}{number % size}", kind)
    for kind, size in (("Brochure", 1), ("Guidebook", 5), ("Academic paper", 2))
    for number in range(12)
]


def test_types_take_turns():
    sample = sample_sources(SAMPLED, 5)
    assert [name[:-1] for name in sample] == ["Academic paper", "Brochure", "Guidebook", "Academic paper", "Guidebook"]
    assert len(set(sample)) == 5


def test_a_larger_sample_adds_to_a_smaller_one():
    everything = sample_sources(SAMPLED, 100)
    assert sorted(everything) == sorted({item.document_id for item in SAMPLED})
    assert all(sample_sources(SAMPLED, n) == everything[:n] for n in range(1, 9))


def test_the_sample_depends_on_the_seed_and_not_on_the_order():
    assert sample_sources(SAMPLED[::-1], 5) == sample_sources(SAMPLED, 5)
    assert len({sample_sources(SAMPLED, 5, seed) for seed in range(10)}) > 1
    with pytest.raises(ValueError, match="n = 0"):
        sample_sources(SAMPLED, 0)


# --- What cannot be built --------------------------------------------------------------------------------------------


def test_what_cannot_be_built_is_listed_by_source_condition_and_reason():
    # s1 keeps two of its own and leaks one to q1; s2 and s3 have none, so nothing is left to draw from beside s1.
    rows = [placed("s1", "s1n1", 1), placed("s1", "s1n2", 2)]
    built = build(hard_negatives=rows, leaks={**LEAKS, ("q1", "s1n2"): FAIL})
    why = [Exclusion("source", "s1", FEWER_HARD_NEGATIVES, "2 of 4; rejected: 3 page band")]
    found = shortfalls(QUESTIONS, [*why, *built.exclusions])
    assert len(built.cells) + sum(row.n_lost for row in found) == len(QUESTIONS) * len(CONDITIONS)
    assert [row for row in found if row.document_id == "s1"] == [
        Shortfall("s1", "hn-2", 2, 1, LEAKING_HARD_NEGATIVE, "s1n2"),
        Shortfall("s1", "random-2", 2, 2, POOL_TOO_SMALL, "0 of 2"),
        Shortfall("s1", "hn-4", 2, 2, TOO_FEW_HARD_NEGATIVES, "2 of 4; rejected: 3 page band"),
        Shortfall("s1", "random-4", 2, 2, POOL_TOO_SMALL, "0 of 4"),
    ]
    assert [(row.condition, row.detail) for row in found if row.document_id == "s2"] == [
        ("hn-2", "s2 has 0 of 2"),
        ("hn-4", "s2 has 0 of 4"),
        ("random-4", "2 of 4"),
    ]
    assert shortfalls(QUESTIONS, []) == []


def test_one_document_alone_has_its_control():
    built = build(questions=[question("q1", "s1")], documents=[document("s1")], hard_negatives=[])
    assert [cell.cell_id for cell in built.cells] == ["q1|control"]
    assert [row.identifier for row in built.exclusions] == ["q1|hn-2", "q1|random-2", "q1|hn-4", "q1|random-4"]
