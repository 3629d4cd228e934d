"""Ranks the documents of a local pool by how close their text is to a source document.

Two rankings of the same frozen pool: the cosine of TF-IDF vectors, and BM25 with the source's own TF-IDF keywords and
its questions as the query (paper, section 3.4). Both are deterministic; equal scores are ordered by document_id.
The cosine is computed under either ranking, because the topical band and the accidental hard negatives are read on it.
Nothing here is searched for on the network, and nothing is accepted or rejected; ``curation`` does that.

scikit-learn takes two seconds to import, and most notebooks only read what was ranked: it is imported when a pool is
fitted.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

METHODS: Final = ("tfidf", "bm25")
TOKEN: Final = r"(?u)\b\w\w+\b"
BM25_K1: Final = 1.5
BM25_B: Final = 0.75
N_KEYWORDS: Final = 50


class Ranked(NamedTuple):
    """One document of the pool at its retrieval rank (from 1) for a source."""

    document_id: str
    rank: int
    score: float
    cosine: float


@dataclass(frozen=True)
class PoolIndex:
    """The fitted pool: n documents in order of document_id, and two n-by-n matrices with the source as row."""

    document_ids: tuple[str, ...]
    method: str
    scores: NDArray[np.float64]
    cosines: NDArray[np.float64]

    def cosine(self, one: str, other: str) -> float:
        """Return the TF-IDF cosine of two documents of the pool, in [0, 1]."""
        return float(self.cosines[self._row(one), self._row(other)])

    def rank(self, source_id: str) -> list[Ranked]:
        """Return every other document of the pool, best first."""
        row = self._row(source_id)
        others = [column for column in range(len(self.document_ids)) if column != row]
        others.sort(key=lambda column: (-self.scores[row, column], self.document_ids[column]))
        return [
            Ranked(self.document_ids[column], rank, float(self.scores[row, column]), float(self.cosines[row, column]))
            for rank, column in enumerate(others, start=1)
        ]

    def _row(self, document_id: str) -> int:
        try:
            return self.document_ids.index(document_id)
        except ValueError:
            raise ValueError(f"document {document_id!r} is not in the pool: give its text to fit_pool") from None


def fit_pool(
    texts: Mapping[str, str], method: str = "tfidf", questions: Mapping[str, Sequence[str]] | None = None
) -> PoolIndex:
    """Fit the vectorisers on ``texts`` and score every document against every other.

    The TF-IDF vectors are pinned: lower-cased words of two letters or more, one- and two-word terms, 1 + log(tf),
    smoothed idf over this pool, unit length. A cosine therefore depends on the pool it was fitted on. Scores are
    rounded to ten decimals, so that the order does not hang on the last bit of a sum.

    Args:
        texts: document_id to text, for the whole pool, sources included.
        method: ``tfidf`` or ``bm25``, what ``rank`` orders by.
        questions: document_id to the questions about it; they join the query of ``bm25`` and change nothing else.

    Raises:
        ValueError: the method is unknown or there is no document.
    """
    if method not in METHODS:
        raise ValueError(f"method = {method!r} is not known: take one of {', '.join(METHODS)}")
    if not texts:
        raise ValueError("the pool holds no document")
    document_ids = tuple(sorted(texts))
    ordered = [texts[document_id] for document_id in document_ids]
    cosines = _cosines(ordered)
    scores = cosines
    if method == "bm25":
        asked = [" ".join((questions or {}).get(document_id, ())) for document_id in document_ids]
        scores = _bm25(ordered, asked)
    return PoolIndex(document_ids, method, scores, cosines)


def _cosines(texts: Sequence[str]) -> NDArray[np.float64]:
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectoriser = TfidfVectorizer(
        lowercase=True, token_pattern=TOKEN, ngram_range=(1, 2), sublinear_tf=True, smooth_idf=True, norm="l2"
    )
    try:
        vectors = vectoriser.fit_transform(texts)
    except ValueError:
        # Raised for a pool without a single word, such as scanned pages only.
        return np.zeros((len(texts), len(texts)))
    return np.asarray(np.clip((vectors @ vectors.T).toarray(), 0.0, 1.0).round(10), dtype=np.float64)


def _counts(texts: Sequence[str], extra: Sequence[str]) -> "tuple[csr_matrix, csr_matrix]":
    from scipy.sparse import csr_matrix
    from sklearn.feature_extraction.text import CountVectorizer

    vectoriser = CountVectorizer(lowercase=True, token_pattern=TOKEN)
    try:
        counts = vectoriser.fit_transform(texts)
    except ValueError:
        empty = csr_matrix((len(texts), 1))
        return empty, empty
    return csr_matrix(counts), csr_matrix(vectoriser.transform(extra))


def _bm25(texts: Sequence[str], questions: Sequence[str]) -> NDArray[np.float64]:
    """Return BM25 scores, row = query, column = document.

    score = sum over query terms of idf · tf · (k1 + 1) / (tf + k1 · (1 − b + b · length / mean length)), with
    idf = ln(1 + (N − df + ½) / (df + ½)) (Robertson and Zaragoza 2009, equation 3.15, with the non-negative idf).
    """
    counts, asked = _counts(texts, questions)
    n_documents = counts.shape[0]
    lengths = np.asarray(counts.sum(axis=1), dtype=np.float64).ravel()
    frequency = np.asarray((counts > 0).sum(axis=0), dtype=np.float64).ravel()
    idf = np.log1p((n_documents - frequency + 0.5) / (frequency + 0.5))
    weights = counts.tocoo().astype(np.float64)
    damping = BM25_K1 * (1.0 - BM25_B + BM25_B * lengths / max(lengths.mean(), 1.0))
    weights.data = idf[weights.col] * weights.data * (BM25_K1 + 1.0) / (weights.data + damping[weights.row])
    columns = weights.tocsc()
    queries = [_query(counts[row], asked[row], idf) for row in range(n_documents)]
    scores = [np.asarray(columns[:, query].sum(axis=1)).ravel() for query in queries]
    return np.asarray(np.vstack(scores).round(10), dtype=np.float64)


def _query(counts: "csr_matrix", asked: "csr_matrix", idf: NDArray[np.float64]) -> list[int]:
    """Return the columns of a source's keywords (the heaviest by (1 + ln tf) · idf) and of its questions' words."""
    weighted = [
        (-(1.0 + math.log(count)) * float(idf[column]), int(column))
        for column, count in zip(counts.indices, counts.data, strict=True)
    ]
    keywords = {column for _, column in sorted(weighted)[:N_KEYWORDS]}
    return sorted(keywords | {int(column) for column in asked.indices})
