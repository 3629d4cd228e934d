"""Gates and the choice of hard negatives: limits exactly at their edges, leaks by hand, replacements, rechecks."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from muddle_utils.corpus.corpora import load_corpus
from muddle_utils.corpus.curation import (
    FEWER_HARD_NEGATIVES,
    RECHECK_JACCARD,
    RECHECK_LEAK,
    Gates,
    Leak,
    answer_leak,
    containment,
    curate,
    find_leaks,
    jaccard,
    recheck_gates,
    shingles,
    tokens,
)
from muddle_utils.corpus.retrieval import Ranked, fit_pool
from muddle_utils.scoring.phrases import find_phrase, normalise, searchable_items
from muddle_utils.study.records import Document, HardNegative, Question
from muddle_utils.study.rows import as_row, from_row


def question(answer, answer_format="Str", question_id="q1", document_id="s"):
    return Question(question_id, document_id, "What is it?", answer, answer_format, (), ("Table",), "Brochure")


def leak(answer, text, answer_format="Str"):
    return answer_leak(question(answer, answer_format), normalise(text)).status


# --- Answer leak -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "searchable"),
    [
        ("Oslo", True),
        ("yes", False),  # three characters
        ("5%", True),  # short, but holds a percent sign
        ("$7", True),
        ("€7", True),
        ("3.5", True),  # short, but a decimal
        ("a.b", False),  # a point, not a decimal
        ("42", False),  # a bare whole number under 100
        ("-42", False),
        ("0099", False),  # still under 100
        ("100", False),  # three characters
        ("1000", True),
        ("2019", True),  # years stay
        ("1,200", True),
        ("Not answerable", False),
    ],
)
def test_what_is_searched_for(answer, searchable):
    assert bool(searchable_items(question(answer))) is searchable
    if not searchable:
        assert leak(answer, f"here stands {answer} in full") == "not_applicable"


@pytest.mark.parametrize(
    ("answer", "text", "status"),
    [
        ("Oslo", "The office is in OSLO.", "fail"),
        ("Oslo", "Osloers live there", "pass"),  # word boundary
        ("Oslo", "", "pass"),
        ("Less well-off", "they feel less well-\noff than before", "fail"),  # broken at the line end
        ("information", "more infor-\nmation here", "fail"),
        ("the World’s best", "THE WORLD'S   BEST", "fail"),  # quotes, case, runs of spaces
        ("“Project Alder”", "called project alder by all", "fail"),
        ("1,234", "a total of 1234 units", "fail"),
        ("1234", "a total of 1,234 units", "fail"),
        ("1234", "a total of 1,234,000 units", "pass"),  # inside a longer number
        ("1234", "a total of 11234 units", "pass"),
        ("1234", "a total of 1234.5 units", "pass"),
        ("1234", "it was 1234.", "fail"),
        ("3.5", "version 3.5.1", "pass"),
        ("3.5", "rose by 13.5", "pass"),
        ("3.5", "rose by 3.55", "pass"),
        ("3.5", "rose by 3.5, then fell", "fail"),
        ("21%", "rose to 21 percent", "fail"),
        ("21%", "rose to 21 per cent", "fail"),
        ("21%", "rose to 21 %", "fail"),
        ("21%", "rose to 0.21%", "pass"),
        ("21%", "aged 21", "pass"),
        ("$1577.00", "costs $ 1,577.00 each", "fail"),
        ("-3.65%", "fell by −3.65 %", "fail"),  # U+2212
        ("2019", "in 2019-2020", "fail"),
        ("ﬁnance", "the finance team", "fail"),  # ligature
        ("东京大学", "公司在东京大学附近", "fail"),  # scripts without spaces have no word boundaries
        ("Straße 12", "in der STRASSE 12", "pass"),  # lower case, not case folding
    ],
)
def test_leaks_by_hand(answer, text, status):
    assert leak(answer, text) == status


@pytest.mark.parametrize(
    ("answer", "text", "status", "warning"),
    [
        ("['Oslo', 'Bergen']", "Bergen, Voss and Oslo", "fail", ""),
        ("['Oslo', 'Bergen']", "only Bergen", "pass", "bergen"),
        ("['Oslo', 'Bergen']", "nowhere", "pass", ""),
        ("['Oslo', '7']", "in Oslo", "fail", ""),  # the 7 cannot be searched for
        ("['7', '8']", "7 and 8", "not_applicable", ""),
        ("['Oslo, Norway', 'Bergen']", "Bergen; Oslo, Norway", "fail", ""),  # a comma inside an item
    ],
)
def test_a_list_leaks_if_all_of_it_is_found(answer, text, status, warning):
    found = answer_leak(question(answer, "List"), normalise(text))
    assert (found.status, found.warning) == (status, warning)


def test_a_leak_quotes_where_it_stands():
    found = answer_leak(question("Oslo"), normalise(f"{'far ' * 50} the office in Oslo opened {'late ' * 50}"))
    assert found.where.startswith("…")
    assert "the office in oslo opened" in found.where
    assert len(found.where) < 100


@pytest.mark.parametrize(
    ("text", "phrase", "found"),
    [
        ("sold 12 units", "12", True),
        ("sold 12,000 units", "12", False),
        ("sold 12.5 units", "12", False),
        ("sold 0.12 units", "12", False),
        ("sold 12, then 13", "12", True),
        ("sold 12.", "12", True),
        ("the category", "cat", False),
        ("a cat sat", "cat", True),
        ("scat cat", "cat", True),
        ("up 5% on", "5%", True),
        ("up 15% on", "5%", False),
        ("anything", "", False),
    ],
)
def test_phrases_are_found_between_word_and_number_boundaries(text, phrase, found):
    assert (find_phrase(phrase, text) >= 0) is found


def test_phrases_are_found_after_a_longer_word_that_holds_them():
    assert find_phrase("oslo", "osloers of oslo") == 11
    assert find_phrase("3.5", "13.5 and 3.5") == 9
    assert find_phrase("a+b", "sum a+b here") == 4  # nothing in a phrase is a pattern


def test_find_leaks_covers_every_pair_but_the_source():
    asked = [question("Oslo", question_id="q1"), question("Rome", question_id="q2", document_id="t")]
    leaks = find_leaks(asked, {"s": "Oslo", "t": "Oslo Rome", "u": "Rome"})
    assert {key: value.status for key, value in leaks.items()} == {
        ("q1", "t"): "fail",
        ("q1", "u"): "pass",
        ("q2", "s"): "pass",
        ("q2", "u"): "fail",
    }


# --- Token overlap ---------------------------------------------------------------------------------------------------


def test_jaccard_by_hand():
    # {the, cat, sat} and {the, cat, ran, off}: 2 in common of 5.
    one, other = set(tokens("The cat sat; the CAT!")), set(tokens("the cat ran off"))
    assert jaccard(one, other) == jaccard(other, one) == pytest.approx(2 / 5)
    assert jaccard(one, one) == 1.0
    assert jaccard(set(), set()) == jaccard(one, set()) == 0.0


def test_tokens_are_normalised():
    assert tokens("Ｆｕｌｌ ﬁle_1, naïve 3.5%") == ["full", "file_1", "naïve", "3", "5"]


def test_containment_by_hand():
    # Word 2-grams: (a b), (b c), (c d) of which (a b), (b c) are in the source; the other way round 2 of 4.
    candidate, source = shingles("a b c d".split(), 2), shingles("x a b c y".split(), 2)
    assert containment(candidate, source) == pytest.approx(2 / 3)
    assert containment(source, candidate) == pytest.approx(2 / 4)
    assert containment(shingles(["a"] * 4), source) == 0.0  # too short for a 5-gram


# --- Choice ----------------------------------------------------------------------------------------------------------


class Pool:
    """A source ``s`` and candidates whose ranks and cosines are given, all fit unless a test changes one."""

    def __init__(self, cosines, document_type="Brochure", answers=("Oslo",)):
        self.names = list(cosines)
        self.questions = [question(answer, question_id=f"q{n}") for n, answer in enumerate(answers, start=1)]
        names = ["s", *self.names]
        self.documents = {
            name: Document(name, f"digest of {name}", "", 20, 9, "", document_type, "unrelated", "", "")
            for name in names
        }
        # Ten words of each document's own and one that all share: Jaccard 1/21.
        self.texts = {name: " ".join(["shared", *(f"{name}word{n}" for n in range(10))]) for name in names}
        ranks = {"s": [Ranked(name, rank, c, c) for rank, (name, c) in enumerate(cosines.items(), start=1)]}
        others = [Ranked("s", 1, 0.5, 0.5)]
        self.index = SimpleNamespace(rank=lambda source: ranks.get(source, others))

    def change(self, name, **fields):
        self.documents[name] = replace(self.documents[name], **fields)

    def curate(self, chosen=(), **gates):
        leaks = find_leaks(self.questions, self.texts)
        named = {"s": chosen} if chosen else None
        return curate(self.questions, self.documents.values(), self.texts, self.index, leaks, Gates(**gates), named)


def six(**settings):
    return Pool({name: 0.8 - 0.05 * rank for rank, name in enumerate("abcdef")}, **settings)


def kept(curation):
    return {row.candidate_id for row in curation.hard_negatives if row.position}


def row_of(curation, name):
    return next(row for row in curation.hard_negatives if row.candidate_id == name)


def test_the_four_best_are_kept_and_the_walk_ends():
    curation = six().curate()
    assert [row.candidate_id for row in curation.hard_negatives] == ["a", "b", "c", "d"]
    assert sorted(row.position for row in curation.hard_negatives) == [1, 2, 3, 4]
    assert {row.verdict for row in curation.hard_negatives} == {"good"}
    assert curation.exclusions == []
    first = curation.hard_negatives[0]
    assert (first.document_id, first.rank, first.cosine, first.n_pages, first.leak) == ("s", 1, 0.8, 20, "pass")
    assert first.jaccard == pytest.approx(1 / 21, abs=1e-6)


def test_the_nested_order_is_drawn_from_the_source_and_stable():
    # random.Random("hnselv1|s") shuffling a, b, c, d, as CPython 3.11 does it.
    order = sorted(six().curate().hard_negatives, key=lambda row: row.position)
    assert [row.candidate_id for row in order] == ["c", "d", "a", "b"]
    assert six().curate() == six().curate()


@pytest.mark.parametrize(
    ("pages", "fits"), [(9, False), (10, True), (40, True), (41, False)], ids=["9", "10", "40", "41"]
)
def test_the_page_band_holds_both_ends(pages, fits):
    pool = six()
    pool.change("b", n_pages=pages)
    row = row_of(pool.curate(), "b")
    assert (row.verdict == "good", row.position > 0) == (fits, fits)
    if not fits:
        assert (row.reason, row.detail) == ("page band", f"{pages} pages, not 10 to 40")


@pytest.mark.parametrize(("cosine", "fits"), [(0.8501, False), (0.85, True), (0.30, True), (0.2999, False)])
def test_the_cosine_band_holds_both_ends(cosine, fits):
    row = row_of(Pool({"a": cosine, "b": 0.5}).curate(), "a")
    assert (row.position > 0) is fits
    assert row.cosine == cosine
    assert fits or f"{cosine:.3f}" in row.detail


def test_academic_papers_have_no_cosine_band():
    curation = Pool({"a": 0.99, "b": 0.05}, document_type="Academic paper").curate()
    assert kept(curation) == {"a", "b"}
    assert {row.verdict for row in curation.hard_negatives} == {"good"}
    assert row_of(curation, "b").cosine == 0.05


def test_jaccard_of_045_is_refused():
    # 9 of 20 tokens in common is .45 exactly; 8 of 20 is not.
    pool = six()
    common = [f"c{n}" for n in range(9)]
    pool.texts["s"] = " ".join([*common, *(f"s{n}" for n in range(5))])
    pool.texts["a"] = " ".join([*common, *(f"a{n}" for n in range(6))])
    pool.texts["b"] = " ".join([*common[:8], *(f"b{n}" for n in range(6))])
    curation = pool.curate()
    fault = row_of(curation, "a")
    assert (fault.reason, fault.detail) == ("token overlap", "Jaccard 0.450, not under 0.45")
    assert row_of(curation, "b").jaccard == pytest.approx(8 / 20)
    assert row_of(curation, "b").position > 0
    # 5-grams of b: 10, of which the first four lie within the eight common words.
    assert row_of(curation, "b").shingle_containment == pytest.approx(4 / 10)


@pytest.mark.parametrize(
    ("fields", "reason", "detail"),
    [
        ({"problem": "encrypted"}, "unreadable", "encrypted"),
        ({"sha256": "digest of s"}, "same bytes as the source", ""),
        ({"sha256": "digest of a"}, "same bytes as another candidate", "a"),
    ],
)
def test_documents_that_never_are_hard_negatives(fields, reason, detail):
    pool = six()
    pool.change("b", **fields)
    curation = pool.curate()
    row = row_of(curation, "b")
    assert (row.verdict, row.reason, row.detail) == ("bad", reason, detail)
    assert kept(curation) == {"a", "c", "d", "e"}
    assert row_of(curation, "b").replaced_by == "e"


def test_a_row_of_an_earlier_version_has_its_detail_after_a_colon():
    row = row_of(six().curate(), "b")
    old = as_row(row) | {"verdict": "bad", "reason": "answer leak: 1 of 2 searchable answers; q1: …Oslo…"}
    read = from_row(HardNegative, {name: value for name, value in old.items() if name != "detail"})
    assert (read.reason, read.detail) == ("answer leak", "1 of 2 searchable answers; q1: …Oslo…")
    assert from_row(HardNegative, as_row(read)) == read


def test_a_candidate_without_text_is_refused():
    pool = six()
    pool.texts["a"] = " \n "
    assert row_of(pool.curate(), "a").reason == "no text layer"


def test_sources_are_candidates_only_where_allowed():
    pool = six()
    pool.questions.append(question("Bergen", question_id="other", document_id="b"))
    curation = pool.curate()
    assert row_of(curation, "b").reason == "already in the benchmark"
    assert "b" in kept(pool.curate(allow_sources=True))


def test_every_rejection_says_who_took_the_place():
    # a and e fall out: a's slot is offered to e, then to f, which stays.
    pool = six()
    pool.change("a", n_pages=50)
    pool.texts["e"] += " in Oslo"
    curation = pool.curate()
    assert kept(curation) == {"b", "c", "d", "f"}
    assert [(row.candidate_id, row.replaced_by) for row in curation.hard_negatives if row.verdict == "bad"] == [
        ("a", "f"),
        ("e", "f"),
    ]
    leaking = row_of(curation, "e")
    assert leaking.leak == "fail"
    assert leaking.leak_where.startswith("q1: …")
    assert leaking.reason == "answer leak"
    assert leaking.detail.startswith("1 of 1 searchable answers; q1: ")


def test_two_slots_get_two_replacements():
    pool = six()
    for name in ("b", "c"):
        pool.change(name, n_pages=9)
    curation = pool.curate()
    assert {name: row_of(curation, name).replaced_by for name in "bc"} == {"b": "e", "c": "f"}


def test_a_source_with_too_few_is_listed_with_the_reasons():
    pool = six()
    for name in ("a", "c", "e"):
        pool.change(name, n_pages=50)
    pool.texts["d"] += " Oslo"
    curation = pool.curate()
    (exclusion,) = curation.exclusions
    assert (exclusion.kind, exclusion.identifier, exclusion.reason) == ("source", "s", FEWER_HARD_NEGATIVES)
    assert exclusion.detail == "2 of 4; rejected: 3 page band, 1 answer leak"
    assert len(curation.hard_negatives) == 6
    # The spares e and f went into the first free slot, a's; none was left for c's and d's.
    assert {name: row_of(curation, name).replaced_by for name in "acde"} == {"a": "f", "c": "", "d": "", "e": "f"}


def test_depth_ends_the_walk():
    pool = six()
    pool.change("a", n_pages=50)
    curation = pool.curate(depth=4)
    assert kept(curation) == {"b", "c", "d"}
    assert len(curation.hard_negatives) == 4


def test_one_leaking_question_rejects_for_the_whole_source():
    pool = six(answers=("Oslo", "Bergen"))
    pool.texts["a"] += " Bergen"
    assert row_of(pool.curate(), "a").leak_where.startswith("q2: ")
    assert "a" not in kept(pool.curate())
    by_question = pool.curate(leak_scope="question")
    assert "a" in kept(by_question)
    assert row_of(by_question, "a").leak == "fail"
    pool.texts["a"] += " Oslo"
    assert "a" not in kept(pool.curate(leak_scope="question"))


def test_not_applicable_is_not_a_pass():
    curation = six(answers=("7", "Not answerable")).curate()
    assert {row.leak for row in curation.hard_negatives} == {"not_applicable"}
    assert len(kept(curation)) == 4


def test_weak_candidates_fill_up_only_where_asked():
    pool = Pool({"a": 0.4, "b": 0.2, "c": 0.1, "d": 0.0})
    assert kept(pool.curate()) == {"a"}
    curation = pool.curate(keep_weak=True)
    assert kept(curation) == {"a", "b", "c"}
    assert [row.verdict for row in curation.hard_negatives] == ["good", "weak", "weak", "bad"]
    weak = row_of(curation, "b")
    assert (weak.reason, weak.detail) == ("cosine under the band", "0.200 < 0.3")


@pytest.mark.parametrize("document_type", ["Brochure", "Academic paper"])
def test_what_any_two_documents_have_in_common_makes_no_hard_negative(document_type):
    pool = Pool({"a": 0.4, "b": 0.05, "c": 0.0499, "d": 0.009}, document_type)
    curation = pool.curate(keep_weak=True)
    assert kept(curation) == {"a", "b"}
    distant = row_of(curation, "c")
    assert (distant.reason, distant.detail) == ("cosine under the floor", "0.0499 < 0.05")
    assert row_of(curation, "d").verdict == "bad"
    (exclusion,) = curation.exclusions
    assert exclusion.detail == "2 of 4; rejected: 2 cosine under the floor"
    assert kept(pool.curate(keep_weak=True, floor=0.2)) == {"a"}


def test_a_pool_of_one_document_has_no_candidate_and_says_so():
    curation = Pool({}).curate()
    assert curation.hard_negatives == []
    assert [row.detail for row in curation.exclusions] == ["0 of 4; the pool holds no other document"]


def order_of(curation, source="s"):
    own = [row for row in curation.hard_negatives if row.document_id == source and row.position]
    return [row.candidate_id for row in sorted(own, key=lambda row: row.position)]


def test_chosen_candidates_come_first_in_their_order_and_retrieval_fills_up():
    curation = six().curate(("f", "d"))
    assert order_of(curation)[:2] == ["f", "d"]
    assert set(order_of(curation)[2:]) == {"a", "b"}
    assert [(row.candidate_id, row.origin) for row in curation.hard_negatives] == [
        ("f", "chosen"),
        ("d", "chosen"),
        ("a", "retrieved"),
        ("b", "retrieved"),
    ]
    assert row_of(curation, "f").rank == 6
    assert order_of(six().curate(("f", "c", "a", "e"))) == ["f", "c", "a", "e"]


def test_the_floor_does_not_bind_what_a_person_chose_and_its_cosine_is_shown():
    curation = Pool({"a": 0.4, "b": 0.009, "c": 0.0}).curate(("c", "b"))
    assert order_of(curation) == ["c", "b", "a"]
    assert [(row.verdict, row.cosine) for row in curation.hard_negatives] == [
        ("good", 0.0),
        ("good", 0.009),
        ("good", 0.4),
    ]


@pytest.mark.parametrize(
    ("fields", "text", "reason"),
    [
        ({"sha256": "digest of s"}, "", "same bytes as the source"),
        ({"sha256": "digest of e"}, "", "same bytes as another candidate"),
        ({"problem": "encrypted"}, "", "unreadable"),
        ({"n_pages": 9}, "", "page band"),
        ({}, " in Oslo", "answer leak"),
        ({}, " swordSAME" + "".join(f" sword{n}" for n in range(10)), "token overlap"),
    ],
)
def test_the_other_gates_bind_what_a_person_chose(fields, text, reason):
    pool = six()
    pool.change("f", **fields)
    pool.texts["f"] += text
    curation = pool.curate(("e", "f"))
    assert (row_of(curation, "f").verdict, row_of(curation, "f").origin) == ("bad", "chosen")
    assert row_of(curation, "f").reason == reason
    assert order_of(curation)[0] == "e"
    assert set(order_of(curation)[1:]) == {"a", "b", "c"}


def test_a_fifth_choice_steps_in_or_is_not_needed():
    chosen = ("f", "e", "d", "c", "b")
    curation = six().curate(chosen)
    assert order_of(curation) == list(chosen[:4])
    spare = row_of(curation, "b")
    assert (spare.position, spare.reason, spare.detail) == (0, "not needed", "4 stand before it")
    pool = six()
    pool.change("e", n_pages=50)
    curation = pool.curate(chosen)
    assert order_of(curation) == ["f", "d", "c", "b"]
    assert row_of(curation, "e").replaced_by == "b"


def test_a_choice_may_be_a_source_but_not_the_source():
    pool = six()
    pool.questions.append(question("Bergen", question_id="other", document_id="b"))
    assert order_of(pool.curate(("b",)))[0] == "b"
    for name in ("s", "nowhere"):
        with pytest.raises(ValueError, match=f"'{name}' is chosen for 's'"):
            six().curate((name,))


def test_good_candidates_come_before_weak_ones_of_a_better_rank():
    # Ranked by another score than the cosine: b stands before c and is weak.
    curation = Pool({"a": 0.5, "b": 0.2, "c": 0.6, "d": 0.7}).curate(keep_weak=True, keep=3)
    assert kept(curation) == {"a", "c", "d"}
    assert (row_of(curation, "b").verdict, row_of(curation, "b").replaced_by) == ("weak", "d")


def test_wrong_limits_are_refused():
    for settings in (
        {"leak_scope": "cell"},
        {"pages": (40, 10)},
        {"cosine": (0.9, 0.3)},
        {"keep": 0},
        {"depth": 0},
        {"floor": 0.0},
    ):
        with pytest.raises(ValueError, match=next(iter(settings))):
            Gates(**settings)


def test_every_row_names_a_good_position_or_a_reason():
    pool = six(answers=("Oslo", "Bergen"))
    pool.change("c", n_pages=5)
    pool.texts["d"] += " Oslo"
    for row in pool.curate().hard_negatives:
        assert (row.position > 0) != bool(row.reason)


# --- Recheck ---------------------------------------------------------------------------------------------------------


def test_recheck_finds_what_another_rendering_makes_readable():
    pool = six()
    rows = pool.curate().hard_negatives
    assert recheck_gates(rows, pool.questions, pool.texts) == []
    texts = pool.texts | {"a": pool.texts["a"] + " Oslo", "b": pool.texts["s"], "f": "Oslo"}
    found = recheck_gates(rows, pool.questions, texts)
    assert [(item.kind, item.identifier, item.reason) for item in found] == [
        ("hard_negative", "s|a", RECHECK_LEAK),
        ("hard_negative", "s|b", RECHECK_JACCARD),
    ]
    assert found[0].detail.startswith("q1: …")
    assert found[1].detail == "1.000, was 0.048"


def test_recheck_does_not_repeat_a_known_leak():
    pool = six(answers=("Oslo", "Bergen"))
    pool.texts["a"] += " Bergen"
    rows = pool.curate(leak_scope="question").hard_negatives
    assert recheck_gates(rows, pool.questions, pool.texts) == []


# --- Real documents --------------------------------------------------------------------------------------------------


def test_reports_of_one_institute_are_each_others_hard_negatives(mmlongbench, tmp_path):
    """The gates on four real reports: every kept candidate keeps the limits when they are computed anew."""
    import pymupdf

    reports = (
        "PG_2020.03.09_US-Germany_FINAL.pdf",
        "PG_20.07.30_U.S.-Views-China_final.pdf",
        "PH_2016.06.08_Economy-Final.pdf",
        "Independents-Report.pdf",
    )
    (tmp_path / "documents").mkdir()
    for name in reports:
        (tmp_path / "documents" / name).symlink_to(mmlongbench / "documents" / name)
    (tmp_path / "samples_v1.json").symlink_to(mmlongbench / "samples_v1.json")
    corpus = load_corpus("mmlongbench", str(tmp_path))
    texts = {}
    for document in corpus.documents:
        with pymupdf.open(document.path) as pdf:
            texts[document.document_id] = "\n".join(page.get_text() for page in pdf)
    index = fit_pool(texts)
    gates = Gates(keep_weak=True, allow_sources=True)
    leaks = find_leaks(corpus.questions, texts)
    curation = curate(corpus.questions, corpus.documents, texts, index, leaks, gates)
    chosen = [row for row in curation.hard_negatives if row.position]
    assert chosen
    for row in chosen:
        assert 10 <= row.n_pages <= 40
        assert jaccard(set(tokens(texts[row.document_id])), set(tokens(texts[row.candidate_id]))) < 0.45
        for asked in corpus.questions:
            if asked.document_id == row.document_id:
                assert leaks[asked.question_id, row.candidate_id].status != "fail"
    assert isinstance(next(iter(leaks.values())), Leak)
    assert recheck_gates(curation.hard_negatives, corpus.questions, texts) == []
