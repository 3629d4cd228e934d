"""Whether a question says which document it is about, by rule, so that made-up and real questions can be compared.

A document's subject words stand on its first page or on a quarter of its pages. A question names its source if, for
each of the four documents that are likest to it, a name or year in the question is a subject word of the source alone.
"""

import re
from collections import Counter

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

N_LIKEST = 4
_WORD = re.compile(r"[^\W_]+(?:['’][a-z]+)?")


def _plain(word):
    return word.lower().replace("’", "'").removesuffix("'s")


def _words(text):
    return {_plain(word) for word in _WORD.findall(text)}


def names_and_years(question):
    """Return the words with a capital that do not begin a sentence, and the years, of a question."""
    found = set()
    for match in _WORD.finditer(question):
        begins = re.search(r"(?:^|[.?!:])\s*[\"'“]?$", question[: match.start()])
        if (match[0][0].isupper() and not begins) or re.fullmatch(r"(?:19|20)\d\d", match[0]):
            found.add(_plain(match[0]))
    return found


def subject_words(pages):
    """Return the words of three letters or more on the first page, or on a quarter of the pages and on two at least."""
    counts = Counter(word for page in pages for word in _words(page))
    first = _words(pages[0])
    return {word for word, n in counts.items() if len(word) > 2 and (word in first or n >= max(2, len(pages) / 4))}


def named(documents, questions):
    """Return of each (document, question) whether it names its source; ``documents`` are pages of text by name."""
    names = list(documents)
    matrix = TfidfVectorizer(sublinear_tf=True).fit_transform([" ".join(pages) for pages in documents.values()])
    likeness = (matrix @ matrix.T).toarray()
    np.fill_diagonal(likeness, -1)
    subjects = {name: subject_words(pages) for name, pages in documents.items()}
    return [
        all(
            names_and_years(question) & subjects[name] - subjects[names[other]]
            for other in np.argsort(-likeness[names.index(name)])[:N_LIKEST]
        )
        for name, question in questions
    ]
