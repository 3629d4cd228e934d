"""Every table and figure that the kit makes, each declared once.

Notebooks name an item and ``show`` writes it; the report takes sections and order from here, the runner the items of
the paper, and the checks all of it. The columns of a table stand where it is computed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

# Where the report puts what is not declared here.
UNDECLARED: Final = "more"
# The parts of the report, in order; what follows the first is folded, and left out of a brief report.
BRIEF: Final = "brief"
SECTIONS: Final = {
    BRIEF: "In brief",
    "accuracy": "Accuracy",
    "differences": "Paired differences",
    "robustness": "How far the differences hold",
    "failures": "Wrong answers",
    "judges": "Judges and runs",
    "asked": "What was asked",
    "published": "Beside the published values",
    UNDECLARED: "More tables and figures",
}


@dataclass(frozen=True)
class Item:
    """A table or figure.

    Attributes:
        name: of its files; a figure's begins with ``figure_``.
        notebook: the digits of the notebook that makes it.
        section: of ``SECTIONS``; empty where the report has no section for it.
        caption: what it shows.
        note: what has to be known to read it; ``{name}`` stands for a value that ``show`` is given.
        paper_item: what the paper calls it.
        needs_texts: whether it is computed from the documents' text.
    """

    name: str
    notebook: str
    section: str
    caption: str
    note: str = ""
    paper_item: str = ""
    needs_texts: bool = False

    @property
    def kind(self) -> Literal["table", "figure"]:
        """Whether it is a table or a figure."""
        return "figure" if self.name.startswith("figure_") else "table"


# In the order of the report.
ITEMS: Final = (
    # The claims stand at the head of the report, before all sections.
    Item("claims", "05", "", "What the study shows, by rule."),
    Item("table_1", "05", BRIEF, "Judge accuracy by model, modality and condition.", paper_item="Table 1"),
    Item("figure_2", "05", "accuracy", "Judge accuracy by condition with 95 % intervals."),
    Item(
        "table_4",
        "05",
        "accuracy",
        "Judge accuracy, F1 and exact match by modality and condition.",
        paper_item="Table 4",
    ),
    Item("tokens", "10", "accuracy", "Accuracy and context length in tokens by arm."),
    Item("figure_tokens", "10", "accuracy", "Accuracy over context length."),
    Item("paired", "05", "differences", "Paired differences, first arm minus second, by research question."),
    Item("figure_3", "05", "differences", "Paired differences with 95 % intervals."),
    Item("figure_gaps", "05", BRIEF, "The topical gap by k and pooled."),
    Item("by_model", "05", "differences", "RQ4: the topical gap and the drop to HN-4 by model."),
    Item("between_models", "05", "differences", "Models against each other, on the questions they share."),
    Item("cochran", "10", "differences", "Cochran's Q over the conditions."),
    Item("equivalence", "05", "differences", "Random distractors against the control, within a margin."),
    Item("shared", "05", "differences", "What every two models were asked alike."),
    Item("intervals", "10", "robustness", "Every paired difference with its interval by each method."),
    Item("sensitivity", "10", "robustness", "The headline comparisons under other choices."),
    Item("sensitivity_summary", "10", "robustness", "Whether each headline stands under every choice."),
    Item("figure_sensitivity", "10", "robustness", "The gap under other choices."),
    Item("figure_forest", "10", "robustness", "The topical gap by source document."),
    Item("sources", "10", "robustness", "The pooled topical gap by source document, and without it."),
    Item("sources_summary", "10", "robustness", "Whether one document carries the topical gap."),
    Item(
        "length_effects",
        "10",
        "robustness",
        "Topic at equal tokens, and length, within the question and in percentage points.",
        "If nothing else differs between the arms.",
    ),
    Item(
        "figure_power",
        "10",
        "robustness",
        "Power against the true gap, with the share of discordant pairs of this study; no gap is larger.",
    ),
    Item("settling", "10", "robustness", "What this study can find, and what would settle it."),
    Item("variance", "10", "robustness", "Uncertainty by its source: questions, runs, judges."),
    Item("calibration", "10", "robustness", "How far tests and intervals hold what they say, simulated."),
    Item("flips", "06", "failures", "Questions from control to each arm: kept, lost, gained, never right."),
    Item("figure_flips", "06", "failures", "Questions from control to each arm."),
    Item("origins", "06", "failures", "Where the text of wrong answers stands, by condition.", needs_texts=True),
    Item("figure_origins", "06", "failures", "Where wrong answers come from.", needs_texts=True),
    Item("placebo", "06", "failures", "Wrong answers found in distractors, net of coincidence.", needs_texts=True),
    Item("abstention", "05", "failures", "Share of answers that decline, by answerability."),
    Item("judges", "10", "judges", "Accuracy by judge, and by the majority of the judges."),
    Item(
        "judge_agreement",
        "10",
        "judges",
        "Agreement of the judges: pair by pair, and all together.",
        "Agreement of a pair: Wilson's interval, which takes answers for independent; of all: without interval.",
    ),
    Item("disagreements", "10", "judges", "Answers that one judge calls right and another wrong."),
    Item("replicates", "10", "judges", "Accuracy run by run, and how far runs and questions differ."),
    Item("figure_1", "05", "asked", "Construction of the study, with its counts.", paper_item="Figure 1"),
    Item("table_2", "05", "asked", "Context conditions, with the cells of this study.", paper_item="Table 2"),
    Item(
        "table_3",
        "05",
        "asked",
        "Cell sizes by condition (medians) and page ranges of documents.",
        paper_item="Table 3",
    ),
    Item("coverage", "05", BRIEF, "What was asked, answered and judged, and what became of the rest."),
    Item("infeasible", "05", "asked", "Requests that no route can carry, by the limit that they break."),
    Item("figure_infeasible", "05", "asked", "Share of infeasible requests."),
    Item("published", "05", "published", "Judge accuracy of this study beside the published values."),
)

# What the numbers that the paper prints say by themselves, whatever a study holds.
PUBLISHED_ITEMS: Final = (
    Item(
        "implied_counts",
        "11",
        "",
        "Whole counts behind the published accuracies, and the intervals that the paper does not print.",
    ),
    Item("implied_gaps", "11", "", "Published gaps in whole answers, against what the paper's text states."),
    Item(
        "implied_discordance",
        "11",
        "",
        "Discordant pairs that each test needs to give the published p-values.",
    ),
    Item(
        "implied_intervals",
        "11",
        "",
        "Intervals of the published gaps, from the discordant pairs that they imply.",
    ),
    Item(
        "implied_pooling",
        "11",
        "",
        "The pooled p-value if each question counts once, by how its two sizes of context fall together.",
    ),
    Item("implied_multiplicity", "11", "", "The published p-values with Holm's adjustment, in two families."),
    Item(
        "implied_lengths",
        "11",
        "",
        "How well the published arms are matched in length, and which way a mismatch would move the gap.",
    ),
)

# What a scoring of predictions makes, by notebook 09 and ``muddle score``; ``counted`` says how missing ones count.
SCORE_ITEMS: Final = (
    Item(
        "scores",
        "09",
        "",
        "Accuracy, recall, precision and F1 by MMLongBench-Doc-V2, and by its first scorer without a judge.",
        "{counted} least and most are the values if all unjudged responses turn out wrong, or right.",
    ),
    Item(
        "breakdown",
        "09",
        "",
        "Accuracy by stratum, evidence source, document type, task type, answer format and need to be seen.",
        "{counted} Strata are disjoint; a question may have several evidence sources. Task type and requires "
        "visual are labels that a model made.",
    ),
    Item(
        "interplay",
        "09",
        "",
        "Accuracy by whether the evidence is a chart or figure, against whether the page has to be seen.",
        "{counted}",
    ),
    Item(
        "disagreements",
        "09",
        "",
        "Where the first scorer and V2 disagree, by the rule that decided the first scorer's score.",
        "gap is the row's part of V2's accuracy minus the first scorer's, over judged responses. One example each.",
    ),
    Item(
        "systems",
        "09",
        "",
        "Paired differences in V2 accuracy between systems, on the same questions.",
        "p is the exact McNemar test, p (documents) the sign-flip test with documents as units, Holm's over pairs.",
    ),
    Item("predictions", "09", "", "What each predictions file holds."),
    Item("score_judges", "09", "", "How far the judges agree."),
    Item(
        "figure_systems",
        "09",
        "",
        "V2 scores of each system with 95 % intervals over documents; in paired differences, right of zero the first "
        "system is better.",
    ),
)


def paper_items(notebook: str) -> list[Item]:
    """Return the items of the paper that a notebook makes: its tables, then its figures."""
    own = [item for item in ITEMS if item.notebook == notebook and item.paper_item]
    return sorted(own, key=lambda item: (item.kind != "table", item.paper_item))
