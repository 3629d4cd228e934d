"""Ranking a local pool: hand-worked cosines, BM25 against its definition, order and limits."""

import math
import re

import numpy as np
import pytest

from muddle_utils.corpus.retrieval import BM25_B, BM25_K1, N_KEYWORDS, fit_pool

TEXTS = {
    "a.pdf": "the river basin holds water and the river floods",
    "b.pdf": "river floods and water levels in the basin",
    "c.pdf": "annual accounts of a software company",
    "d.pdf": "software company accounts and water",
}


def test_cosine_by_hand():
    # Terms of one and two words: alpha, beta, "alpha beta" and alpha, gamma, "alpha gamma"; each occurs once.
    # idf = ln((1 + 2) / (1 + df)) + 1: alpha has df 2, so 1; the others df 1, so ln 1.5 + 1.
    rare = math.log(1.5) + 1
    expected = 1 / (1 + 2 * rare**2)
    index = fit_pool({"x": "alpha beta", "y": "alpha gamma"})
    assert index.cosine("x", "y") == pytest.approx(expected, abs=1e-9)
    assert index.cosine("y", "x") == index.cosine("x", "y")
    assert index.cosine("x", "x") == pytest.approx(1.0)


def test_repeated_words_count_by_their_logarithm():
    # x holds alpha four times and the pair "alpha alpha" three times; y holds alpha alone.
    # alpha has idf 1, the pair ln 1.5 + 1; x = (1 + ln 4, (1 + ln 3)(ln 1.5 + 1)), y = (1, 0).
    one, pair = 1 + math.log(4), (1 + math.log(3)) * (math.log(1.5) + 1)
    index = fit_pool({"x": "alpha alpha alpha alpha", "y": "alpha"})
    assert index.cosine("x", "y") == pytest.approx(one / math.hypot(one, pair), abs=1e-9)


def test_limits():
    index = fit_pool({"same1": "one two three", "same2": "One, TWO; three!", "other": "four five", "empty": ""})
    assert index.cosine("same1", "same2") == pytest.approx(1.0)
    assert index.cosine("same1", "other") == 0.0
    assert index.cosine("same1", "empty") == 0.0


def test_a_pool_of_scans_ranks_by_name_alone():
    for method in ("tfidf", "bm25"):
        index = fit_pool({"b": "", "a": "", "c": " "}, method)
        assert [item.document_id for item in index.rank("b")] == ["a", "c"]
        assert not index.cosines.any()


@pytest.mark.parametrize("method", ["tfidf", "bm25"])
def test_ranks_count_from_one_and_leave_out_the_source(method):
    ranked = fit_pool(TEXTS, method).rank("a.pdf")
    assert [item.rank for item in ranked] == [1, 2, 3]
    assert "a.pdf" not in {item.document_id for item in ranked}
    assert ranked[0].document_id == "b.pdf"
    assert [item.score for item in ranked] == sorted((item.score for item in ranked), reverse=True)


@pytest.mark.parametrize("method", ["tfidf", "bm25"])
def test_equal_scores_are_ordered_by_document_id(method):
    texts = {name: "lake water" for name in ("z", "m", "a")} | {"source": "lake water level"}
    assert [item.document_id for item in fit_pool(texts, method).rank("source")] == ["a", "m", "z"]


@pytest.mark.parametrize("method", ["tfidf", "bm25"])
def test_the_order_of_the_documents_changes_nothing(method):
    one = fit_pool(TEXTS, method)
    other = fit_pool(dict(reversed(TEXTS.items())), method)
    assert one.rank("c.pdf") == other.rank("c.pdf")


def test_rank_carries_the_cosine_under_both_methods():
    tfidf, bm25 = fit_pool(TEXTS), fit_pool(TEXTS, "bm25")
    for item in bm25.rank("c.pdf"):
        assert item.cosine == tfidf.cosine("c.pdf", item.document_id)
    assert any(item.score != item.cosine for item in bm25.rank("c.pdf"))


def naive_bm25(texts, source, document, questions=()):
    """BM25 written out from its definition, on words of two letters or more."""
    words = {name: re.findall(r"\b\w\w+\b", text.lower()) for name, text in texts.items()}
    mean = sum(map(len, words.values())) / len(words)
    df = {word: sum(word in found for found in words.values()) for found in words.values() for word in found}
    idf = {word: math.log(1 + (len(texts) - n + 0.5) / (n + 0.5)) for word, n in df.items()}
    weight = {word: (1 + math.log(words[source].count(word))) * idf[word] for word in set(words[source])}
    query = set(sorted(weight, key=lambda word: -weight[word])[:N_KEYWORDS])
    query |= {word for word in re.findall(r"\b\w\w+\b", " ".join(questions).lower()) if word in df}
    score = 0.0
    for word in query:
        tf = words[document].count(word)
        score += idf[word] * tf * (BM25_K1 + 1) / (tf + BM25_K1 * (1 - BM25_B + BM25_B * len(words[document]) / mean))
    return score


def test_bm25_agrees_with_its_definition():
    questions = {"a.pdf": ("Which company publishes accounts?",)}
    index = fit_pool(TEXTS, "bm25", questions)
    for source in TEXTS:
        for item in index.rank(source):
            expected = naive_bm25(TEXTS, source, item.document_id, questions.get(source, ()))
            assert item.score == pytest.approx(expected, abs=1e-9)


def test_questions_join_the_query():
    plain = fit_pool(TEXTS, "bm25").rank("a.pdf")
    asked = fit_pool(TEXTS, "bm25", {"a.pdf": ("Which software company?",)}).rank("a.pdf")
    score = {item.document_id: item.score for item in plain}
    raised = {item.document_id for item in asked if item.score > score[item.document_id]}
    assert raised == {"c.pdf", "d.pdf"}


def test_only_the_heaviest_words_of_a_long_source_ask():
    # Sixty words of the source, each as rare as the others: ten of them do not ask, and the one document that
    # holds all sixty scores exactly fifty equal shares.
    words = [f"w{number:02d}" for number in range(60)]
    texts = {"source": " ".join(words), "all": " ".join(words), "none": "x" * 5}
    (first, second) = fit_pool(texts, "bm25").rank("source")
    assert (first.document_id, second.score) == ("all", 0.0)
    # length 60 against a mean of (60 + 60 + 1) / 3; df 2 of 3 documents.
    damping = BM25_K1 * (1 - BM25_B + BM25_B * 60 / (121 / 3))
    share = math.log(1 + 1.5 / 2.5) * (BM25_K1 + 1) / (1 + damping)
    assert first.score == pytest.approx(50 * share, abs=1e-8)


def test_faults_are_named():
    with pytest.raises(ValueError, match="method = 'dense'"):
        fit_pool(TEXTS, "dense")
    with pytest.raises(ValueError, match="no document"):
        fit_pool({})
    with pytest.raises(ValueError, match=r"'e\.pdf' is not in the pool"):
        fit_pool(TEXTS).rank("e.pdf")


def test_cosines_stay_in_their_range():
    rng = np.random.default_rng(3)
    vocabulary = [f"word{number}" for number in range(40)]
    texts = {str(number): " ".join(rng.choice(vocabulary, 200)) for number in range(12)}
    index = fit_pool(texts)
    assert index.cosines.min() >= 0.0
    assert index.cosines.max() <= 1.0
    assert np.allclose(index.cosines, index.cosines.T)
