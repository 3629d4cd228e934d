"""The protocol's prompts, filled strictly and fingerprinted; their texts are the files under ``prompts/``.

The instruction and the judge's rules are quoted from the MUDDLE paper (appendix A.3); the paper leaves open how the
question, reference and prediction are inserted into the judge prompt. Here they are JSON strings on lines of their
own, so that no answer can break out of its line and pose as a rule.
"""

import json
import re
import string
from pathlib import Path
from typing import Final


def _text(name: str) -> str:
    return Path(__file__).with_name("prompts").joinpath(f"{name}.txt").read_text(encoding="utf-8")


# The paper's (appendix A.3).
INSTRUCTION: Final = _text("instruction").rstrip("\n")
DOCUMENT_FORMS: Final = {
    "markdown": "documents (converted to markdown)",
    "image": "documents as page images",
    "pdf": "PDF documents",
}
# The paper's rules (appendix A.3) around three lines of data.
JUDGE_PROMPT: Final = _text("judge")
# For judges too small for JSON: the same rules, and one word to say. Not the paper's.
WORD_PROMPT: Final = _text("judge_word")
# For predictions on MMLongBench-Doc-V2: its README's three properties in our own words. The judge gets no document, the
# reference is the only thing that it can agree with, and the reply is one object of three keys.
EQUIVALENCE_PROMPT: Final = _text("equivalence")
JUDGE_PROMPTS: Final = {"muddle": JUDGE_PROMPT, "muddle-word": WORD_PROMPT, "equivalence": EQUIVALENCE_PROMPT}
_JUDGED_LINES: Final = re.compile(
    r'^Question: (?P<question>".*")\nReference answer: (?P<reference>".*")\nModel prediction: (?P<prediction>".*")$',
    re.MULTILINE,
)


def instruction(modality: str) -> str:
    """Return the paper's instruction for one modality (appendix A.3).

    Raises:
        ValueError: the modality is unknown.
    """
    if modality not in DOCUMENT_FORMS:
        raise ValueError(f"modality = {modality!r} is unknown: take one of {', '.join(DOCUMENT_FORMS)}")
    return INSTRUCTION.format(form=DOCUMENT_FORMS[modality])


def question_text(modality: str, question: str) -> str:
    """Return the opening of a message: the instruction, then the question (paper, section 4.2).

    Raises:
        ValueError: the question is empty, or the modality is unknown.
    """
    if not question.strip():
        raise ValueError("the question is empty")
    return f"{instruction(modality)}\n\nQuestion: {question}\n"


def document_header(index: int) -> str:
    """Return the neutral header of the ``index``-th document, counted from 1: neither its name nor its role."""
    return f"## Document {index}\n"


def judge_prompt(question: str, reference: str, prediction: str, prompt: str = JUDGE_PROMPT) -> str:
    """Return a judge's prompt with the three texts as JSON strings."""
    filled = {"question": question, "reference": reference, "prediction": prediction}
    return prompt.format(**{name: _one_line(text) for name, text in filled.items()})


def _one_line(text: str) -> str:
    """Return a text as a JSON string on one line, also for readers to whom other characters end a line."""
    written = json.dumps(text, ensure_ascii=False)
    for character in "\u0085\u2028\u2029":
        written = written.replace(character, f"\\u{ord(character):04x}")
    return written


def judge_prompt_problem(prompt: str) -> str:
    """Return what keeps a text from being a judge prompt, or an empty text."""
    try:
        fields = [name for _, name, _, _ in string.Formatter().parse(prompt) if name is not None]
    except ValueError as error:
        return f"is no template ({error}): write {{{{ and }}}} for braces that are meant as such"
    wanted = ["prediction", "question", "reference"]
    return "" if sorted(fields) == wanted else "has to hold {question}, {reference} and {prediction}, once each"


def judged_texts(prompt: str) -> tuple[str, str, str]:
    """Return (question, reference, prediction) from a prompt that ``judge_prompt`` made.

    Raises:
        ValueError: the text is not such a prompt.
    """
    match = _JUDGED_LINES.search(prompt)
    if match is None:
        raise ValueError("this is not a judge prompt: its three data lines are missing")
    question, reference, prediction = (str(json.loads(text)) for text in match.groups())
    return question, reference, prediction


def asks_equivalence(prompt: str) -> bool:
    """Return whether a judge prompt asks for ``equivalent`` and ``abstained``, whatever its three data lines hold."""
    return '"equivalent"' in _JUDGED_LINES.sub("", prompt)
