"""The family "Research report": eight surveys of reading and public libraries by four fictional institutes.

The sources are the Halvard Institute's third wave in Quellmark (2021) and the Corriedale Survey Centre's study of the
Merrow Valley (2019). The others ask the same things of other people or in other years: two more waves from Quellmark,
an earlier pilot in the valley, a city, a group of islands and a panel. Every value that a question asks for stands in
its source only.
"""

import random
from collections.abc import Mapping, Sequence

from .layout import (
    Block,
    DemoDocument,
    DemoQuestion,
    Style,
    box,
    bullets,
    chart_bar,
    chart_line,
    contents,
    cover,
    heading,
    letters,
    need,
    numbered,
    page_break,
    page_labels,
    para,
    quote,
    table,
)

DOCUMENT_TYPE = "Research report / Introduction"
FAMILY = "research_report"
TABLE, TEXT = "Table", "Pure-text (Plain-text)"


def front_page(title: str, subtitle: str, institute: str, people: str, reference: str) -> Block:
    return cover(title, subtitle, [people], band_text=institute, bottom=[institute, reference])


def chapter(title: str) -> list[Block]:
    """A heading that starts a new page unless half of this one is free."""
    return [need(340.0), heading(title)]


def section(title: str) -> Block:
    return heading(title, level=2)


def captioned(caption: str, rows: Sequence[Sequence[str]]) -> Block:
    return table(rows, caption=caption)


def bars(caption: str, categories: Sequence[str], values: Sequence[float] | Mapping[str, Sequence[float]]) -> Block:
    series = dict(values) if isinstance(values, Mapping) else {"": values}
    return chart_bar(categories, series, caption=caption, height=150.0)


def lines(caption: str, categories: Sequence[str], values: Sequence[float]) -> Block:
    return chart_line(categories, {"": values}, caption=caption, height=150.0)


def call_out(title: str, text: str | Sequence[str]) -> Block:
    return box(text, title)


def diary(entry: str) -> Block:
    return box(entry, "From the field diary")


def asked_values() -> set[str]:
    """The answers that the generated appendices must not hold."""
    return {question.answer.rstrip("%") for question in questions()}


def percentages(rng: random.Random, centres: Sequence[float], decimals: int, taken: set[str]) -> list[str]:
    """Draw one column that adds up to 100, near the centres, without any value that a question asks for."""
    while True:
        drawn = [max(1.0, centre * rng.uniform(0.95, 1.05) + rng.uniform(-0.5, 0.5)) for centre in centres]
        rounded = [round(100 * value / sum(drawn), decimals) for value in drawn]
        rounded[0] = round(rounded[0] + 100 - sum(rounded), decimals)
        written = [f"{value:.{decimals}f}" for value in rounded]
        if not taken & set(written):
            return written


def topline(
    seed: str,
    legend: str,
    columns: Sequence[str],
    items: Sequence[tuple[str, Sequence[str], Sequence[float]]],
    decimals: int = 1,
) -> list[Block]:
    """The appendix of a survey: each question with its answers in per cent, one column a group."""
    rng, taken = random.Random(f"research_report|{seed}"), asked_values()
    blocks: list[Block] = [para(legend)]
    for wording, answers, centres in items:
        drawn = [percentages(rng, centres, decimals, taken) for _ in columns[1:]]
        rows = [[answer, *(column[i] for column in drawn)] for i, answer in enumerate(answers)]
        blocks.append(table([list(columns), *rows], caption=wording))
    return blocks


# ---------------------------------------------------------------------------------------------------------------------
# The questions that all survey houses share. Each stands once in the tables and once in the questionnaire.

AGREE = ("Agree strongly", "Tend to agree", "Tend to disagree", "Disagree strongly")
OFTEN = ("Every week", "Every month", "A few times", "Never")
SATISFIED = ("Very satisfied", "Fairly satisfied", "Not very satisfied", "Not at all satisfied")
GROUPS = ("All respondents", "Women", "Men")
LETTERS = "abcdefghijklm"
MORE = ("Do more", "Do the same", "Do less", "Cannot say")

Battery = tuple[str, tuple[str, str, str, str], tuple[tuple[str, tuple[int, int, int, int]], ...]]

BATTERIES: tuple[Battery, ...] = (
    ("How much do you agree or disagree with each statement?", AGREE, (
        ("A public library is a place where I can stay as long as I like", (38, 36, 18, 8)),
        ("People like me are welcome in the public library", (47, 33, 13, 7)),
        ("Reading a printed book is more restful than reading on a screen", (44, 29, 18, 9)),
        ("Children who see their parents read become readers themselves", (41, 37, 15, 7)),
        ("The public library should be free for everyone who lives here", (57, 26, 11, 6)),
        ("I would rather own a book than borrow it", (19, 27, 34, 20)),
        ("I know where to find a good book when I want one", (33, 38, 20, 9)),
        ("Staff in the public library have time to help people", (30, 40, 21, 9)),
        ("My nearest public library is open when I need it", (17, 31, 32, 20)),
        ("Fines for late books keep people away from the public library", (14, 26, 36, 24)),
    )),
    ("In the last twelve months, how often did you do each of the following?", OFTEN, (
        ("Borrowed a printed book from a public library", (8, 19, 23, 50)),
        ("Borrowed an e-book or audiobook from a public library", (4, 8, 11, 77)),
        ("Read a newspaper or magazine in a public library", (6, 9, 17, 68)),
        ("Used a computer or printer in a public library", (4, 8, 18, 70)),
        ("Took a child to a public library", (6, 10, 14, 70)),
        ("Asked a member of staff in a public library for advice", (3, 11, 29, 57)),
        ("Took part in an event in a public library", (2, 4, 15, 79)),
        ("Bought a printed book in a bookshop", (2, 14, 41, 43)),
        ("Bought a printed book on the internet", (2, 12, 33, 53)),
        ("Lent a book to a friend or neighbour", (4, 17, 36, 43)),
        ("Read aloud to a child", (20, 9, 12, 59)),
    )),
    ("How satisfied are you with each aspect of the public library nearest to you?", SATISFIED, (
        ("The choice of books for adults", (31, 44, 18, 7)),
        ("The choice of books for children", (42, 41, 12, 5)),
        ("The opening hours of the public library", (21, 38, 27, 14)),
        ("The help given by the staff", (56, 33, 8, 3)),
        ("The seats and tables in the public library", (24, 43, 23, 10)),
        ("The computers and the internet connection", (22, 41, 26, 11)),
        ("The warmth and the light in the public library", (37, 41, 15, 7)),
        ("The way from home to the public library", (34, 35, 20, 11)),
        ("The events for adults in the public library", (18, 44, 28, 10)),
        ("The events for children in the public library", (30, 46, 18, 6)),
    )),
    ("If money were short, what should the public library do more of and what less?", MORE, (
        ("Lending printed books to adults", (33, 49, 9, 9)),
        ("Lending printed books to children", (46, 43, 3, 8)),
        ("Story times for young children", (38, 43, 7, 12)),
        ("Help with forms and applications", (31, 38, 15, 16)),
        ("Courses in reading and writing for adults", (36, 37, 10, 17)),
        ("Home delivery for people who cannot leave home", (43, 36, 8, 13)),
        ("Opening the public library in the evening", (37, 34, 16, 13)),
        ("Opening the public library on Sunday", (28, 29, 29, 14)),
        ("Buying e-books and audiobooks", (23, 39, 21, 17)),
        ("Lending tools and musical instruments", (19, 32, 30, 19)),
    )),
)

Item = tuple[str, tuple[str, ...], tuple[int, ...]]

ITEMS: tuple[Item, ...] = (
    ("How many books have you finished in the last twelve months?", ("None", "One or two", "Three to five", "Six to eleven", "Twelve or more"), (27, 16, 19, 17, 21)),
    ("When did you last visit a public library in person?", ("In the last week", "In the last month", "In the last twelve months", "Longer ago", "Never"), (11, 17, 24, 40, 8)),
    ("What was the main purpose of your last visit to a public library?", ("To borrow or return a book", "To read or study", "To use a computer or printer", "To bring a child", "To take part in an event"), (52, 15, 12, 13, 8)),
    ("How do you usually get to the public library?", ("On foot", "By bicycle", "By bus or train", "By car", "Somebody goes for me"), (51, 13, 12, 21, 3)),
    ("How long does it take you to reach the nearest public library?", ("Under ten minutes", "Ten to nineteen minutes", "Twenty to thirty-nine minutes", "Forty minutes or more"), (31, 36, 22, 11)),
    ("How did you hear about the last book you finished?", ("From a friend or relative", "From a member of staff", "From a newspaper or the radio", "On the internet", "By chance"), (31, 11, 17, 21, 20)),
    ("Who read aloud to you when you were a child?", ("My mother", "My father", "A grandparent", "A teacher", "Nobody"), (41, 13, 12, 13, 21)),
    ("How many books are there in your home?", ("Fewer than 10", "10 to 49", "50 to 199", "200 to 499", "500 or more"), (14, 25, 32, 19, 10)),
)

DISCLOSURE = (
    "Name of the survey",
    "Sponsor of the survey",
    "Survey carried out by",
    "Population of the survey",
    "How the sample was drawn",
    "How the interviews were held",
    "First and last day of fieldwork",
    "Persons or addresses drawn",
    "Interviews completed",
    "Response rate",
    "Average length of an interview",
    "Weights correct for",
    "Largest sampling error of a percentage",
    "Questions about the survey may be sent to",
)


def disclosure(caption: str, *values: str) -> Block:
    """The table by which a survey house accounts for its method."""
    rows = [["Required statement", "This survey"], *([label, value] for label, value in zip(DISCLOSURE, values, strict=True))]
    return table(rows, caption=caption, widths=(1.0, 1.4))


def common_tables(seed: str, code: str, base: str, fixed: Mapping[str, Sequence[str]] | None = None, decimals: int = 1) -> list[Block]:
    """The results of the shared questions, for all and for users.

    ``code`` numbers the questions in the house's own way, ``base`` heads the first column, and ``fixed`` gives the row of a
    statement, among all respondents, where a question asks for it.
    """
    rng, taken = random.Random(f"research_report|common|{seed}"), asked_values()
    sign = "%" if decimals else ""
    blocks: list[Block] = []
    for users in (False, True):
        for number, (lead, scale, statements) in enumerate(BATTERIES, start=1):
            if users and scale is OFTEN:
                continue
            rows = [[f"{base}, users of a public library" if users else f"{base}, all respondents", *scale]]
            for i, (statement, centres) in enumerate(statements):
                drawn = [value + sign for value in percentages(rng, centres, decimals, taken)]
                given = (fixed or {}).get(statement) if not users else None
                rows.append([f"{code.format(number)}.{LETTERS[i]} {statement}", *(given or drawn)])
            blocks.append(table(rows, caption=f"{code.format(number)}. {lead}", widths=(4.8, 1, 1, 1, 1), size=8.0))
    for number, (lead, answers, centres) in enumerate(ITEMS, start=len(BATTERIES) + 1):
        columns = [percentages(rng, centres, decimals, taken) for _ in GROUPS]
        rows = [[base, *GROUPS], *([answer, *(column[i] for column in columns)] for i, answer in enumerate(answers))]
        blocks.append(table(rows, caption=f"{code.format(number)}. {lead}", widths=(3.2, 1.0, 1.0, 1.0), size=8.0))
    return blocks


def questionnaire(code: str) -> list[Block]:
    """The wording of the shared questions, numbered in the house's own way."""
    blocks: list[Block] = []
    for number, (lead, scale, statements) in enumerate(BATTERIES, start=1):
        mark = code.format(number)
        rows = [[mark, f"{lead} ({', '.join(scale).lower()})"], *([f"{mark}.{LETTERS[i]}", statement] for i, (statement, _) in enumerate(statements))]
        blocks.append(table(rows, widths=(1, 9), size=8.0))
    rows = [["", "Question, with the answers on the card"]]
    rows += [[code.format(len(BATTERIES) + i), f"{lead} {', '.join(answers).lower()}"] for i, (lead, answers, _) in enumerate(ITEMS, start=1)]
    return [*blocks, table(rows, widths=(1, 9), size=8.0)]


# ---------------------------------------------------------------------------------------------------------------------
# Quellmark, third wave


def quellmark_2021() -> list[Block]:
    """Sober institute prose; the reference wave of the Quellmark series."""
    return [
        front_page("Reading in Quellmark 2021", "Third wave of the provincial reading survey", "Halvard Institute for Public Opinion", "Ilse Varnholt and Teodor Brask", "Report 61 of the Institute, September 2021"),
        contents(),
        *chapter("In brief"),
        para("Every third year the Halvard Institute asks the people of Quellmark what they read, where they get it and what they think of the libraries that their taxes keep open. This report describes the third wave, for which the Institute completed 2,146 interviews in the spring of 2021."),
        para("Three results deserve to be read before the rest. Reading itself has not declined: seven adults in ten finished at least one book in the year before the interview. The places where reading happens have shifted, because the bus reform of the previous autumn put some branches twenty minutes further away than they used to be. And the wish for longer hours, which earlier waves found in the towns only, has reached the villages."),
        captioned(
            "Table 1. Key figures of the third wave",
            [
                ["Measure", "Result", "Base"],
                ["Read at least one book in twelve months", "71.6%", "all adults"],
                ["Books finished, mean", "11.3", "readers"],
                ["Books finished, median", "6", "readers"],
                ["Visited a public library in twelve months", "52.7%", "all adults"],
                ["Hold a valid library card", "46.4%", "all adults"],
                ["Read aloud to a child in the last week", "63.5%", "parents of under-tens"],
                ["Household spending on books in twelve months", "148.60 crowns", "all households"],
            ],
        ),
        call_out("How to read the tables", "Percentages are weighted. Bases are unweighted numbers of interviews. A dash stands for fewer than thirty interviews, and no comparison in the text rests on such a cell."),
        para("The survey was paid for by the Provincial Library Fund. The Fund saw the questionnaire before fieldwork and the report after printing; it had no part in what lies between."),
        *chapter("Who reads, and how much"),
        para("A reader, in this series, is anyone who finished a book in the last twelve months for a purpose other than school or work. By that rule 71.6% of adults in Quellmark are readers. Women are readers more often than men, and the gap has been stubborn: thirteen points now, thirteen points when the series began."),
        para("Among readers the median is six books. The mean is pulled upward by a small company of heavy readers. One respondent, a retired lock-keeper from the lower town, reported 212 books and, when the interviewer hesitated, offered to fetch the notebook in which he enters them."),
        captioned(
            "Table 2. Readers and books finished, by age",
            [
                ["Age", "Interviews", "Readers", "Mean books", "Read every day"],
                ["16 to 29", "388", "66.8%", "7.9", "17.7%"],
                ["30 to 44", "514", "69.5%", "9.6", "22.9%"],
                ["45 to 59", "603", "71.0%", "11.1", "29.8%"],
                ["60 to 74", "447", "77.3%", "14.8", "41.6%"],
                ["75 and over", "194", "74.9%", "13.2", "45.2%"],
            ],
        ),
        bars("Figure 1. Readers by age, per cent of each group", ["16 to 29", "30 to 44", "45 to 59", "60 to 74", "75 and over"], [66.8, 69.5, 71.0, 77.3, 74.9]),
        para("The oldest group reads most often but not most. Eyesight explains much of that: of those over seventy-five who read less than they used to, well over half named their eyes before anything else."),
        *chapter("The library visit"),
        para("Slightly more than half of all adults went into a public library during the year. The spread between districts is the widest the series has recorded, and it follows the bus map almost line by line. Old Town can walk to the Central Library. Moor End lost its direct bus in October and, with it, the habit of combining the library with the Thursday market."),
        captioned(
            "Table 3. Library use by district",
            [
                ["District", "Interviews", "Visited", "Borrowed", "Visits per user"],
                ["Old Town", "402", "67.2%", "58.9%", "9.4"],
                ["Upper Lorn", "318", "61.3%", "52.3%", "8.1"],
                ["Harbour Ward", "377", "52.8%", "43.6%", "6.7"],
                ["Brickfields", "421", "48.1%", "37.5%", "5.9"],
                ["Fenside", "289", "44.9%", "36.2%", "5.2"],
                ["Moor End", "339", "39.4%", "30.8%", "4.6"],
            ],
        ),
        bars("Figure 2. Adults who visited a library, by district (per cent)", ["Old Town", "Upper Lorn", "Harbour Ward", "Brickfields", "Fenside", "Moor End"], [67.2, 61.3, 52.8, 48.1, 44.9, 39.4]),
        para("Upper Lorn is the surprise. It has one small branch in a former toll house, open for nineteen hours a week, yet its people visit nearly as often as those of Old Town. The branch librarian collects reserved books by cargo bicycle, and respondents mentioned the bicycle without being asked about it."),
        section("What happens inside"),
        para("Borrowing remains the chief reason for a visit, but it no longer stands alone. Of the visitors, 31.4% sat down to work or study, 27.0% used a computer or printer, and 18.3% came for an event. Visits that involve no loan at all make up nearly a quarter of the total, which matters to a Fund that still allots money by loans."),
        *chapter("Paper, screen and ear"),
        para("Print is nowhere near its end. What has changed is that one format seldom comes alone. Among readers, those who used print only are still the majority in every group above forty-five; below that age they are not."),
        captioned(
            "Table 4. Formats used by readers, by age",
            [
                ["Format", "16 to 44", "45 to 74", "75 and over", "All readers"],
                ["Print books", "84.1%", "93.7%", "96.6%", "90.2%"],
                ["E-books", "41.3%", "26.5%", "10.9%", "29.7%"],
                ["Audiobooks", "36.0%", "19.2%", "22.4%", "25.6%"],
                ["Comics and picture stories", "24.7%", "8.8%", "3.1%", "13.9%"],
                ["Print only", "38.2%", "56.4%", "72.5%", "50.8%"],
            ],
        ),
        para("Audiobooks show a shape like a bowl: popular among the young, who listen while travelling, less so in the middle years, and again among the oldest, for whom the spoken word replaces the printed one. The digital lending service of the province, Lorna, was known to 58.2% of adults and had been used by 21.7%."),
        para("The Institute asked Lorna's users what irritates them. Waiting times came first. The licence rules that cause them were understood by almost nobody, and several respondents assumed that a file which is 'out' must have been forgotten on somebody's tablet."),
        *chapter("Staying away"),
        para("Adults who had not been in a library for a year were handed a card with nine reasons and could name as many as they liked. The card is the same as in the second wave except for the reason about buses, which was added after the pre-test."),
        captioned(
            "Table 5. Reasons for not visiting a library (adults without a visit, n = 1,015)",
            [
                ["Reason", "Named", "Named first"],
                ["The bus no longer goes there", "34.6%", "21.9%"],
                ["I buy the books I want", "33.1%", "18.4%"],
                ["Closed when I am free", "28.7%", "16.6%"],
                ["No time to read", "26.3%", "15.2%"],
                ["Nothing there for me", "14.5%", "8.7%"],
                ["I use my phone instead", "13.8%", "7.3%"],
                ["Owe a fine or lost a book", "6.9%", "4.4%"],
                ["Stairs or heavy doors", "5.6%", "3.9%"],
                ["Did not feel welcome", "3.4%", "1.7%"],
            ],
        ),
        para("Fines are a small reason in the table and a large one in conversation. A father in Fenside had kept his two children away for four years over a picture atlas that was found, in the end, behind the boiler. The Fund may wish to set the income from fines beside stories of this kind; in 2020 that income came to 23,480 crowns for the whole province."),
        *chapter("What a household spends"),
        para("Households were asked to recall what they had spent on books of every kind, schoolbooks excepted, in twelve months. Recall of spending is poor, and the figures are best used for comparing groups within this wave."),
        captioned(
            "Table 6. Household spending in twelve months, crowns",
            [
                ["Household", "Print books", "E-books", "Audiobooks", "Newspapers", "Total"],
                ["One adult", "83.40", "11.20", "9.70", "104.50", "208.80"],
                ["Two adults, no child", "121.90", "17.60", "13.30", "163.20", "316.00"],
                ["Adults with children", "167.50", "14.80", "26.10", "97.40", "305.80"],
                ["Three or more adults", "139.30", "15.10", "18.90", "141.60", "314.90"],
            ],
        ),
        bars("Figure 3. Spending on print books by household, crowns", ["One adult", "Two adults", "With children", "Three or more"], [83.4, 121.9, 167.5, 139.3]),
        para("Families with children spend the most on print and the least on newspapers. They also borrow the most. The old fear that lending takes the bread from the bookseller's mouth finds no support here: among card holders the mean spending on print is a fifth higher than among those without a card."),
        *chapter("Reading aloud"),
        para("Parents and grandparents who live with a child under ten were asked about the seven days before the interview. In 63.5% of these homes somebody had read aloud. Mothers did so most, grandmothers longest: a median of twenty-five minutes at a sitting, against fifteen for the parents."),
        para("The bedtime bag, a loan of five picture books chosen by the librarian and changed every fortnight, was introduced in nine branches in 2020. Where it exists, reading aloud is more common, though the branches which took it up were keen ones and the difference cannot be laid at the bag's door alone."),
        captioned(
            "Table 7. Homes with a child under ten in which someone read aloud in the last week",
            [
                ["Branch area", "Homes", "Read aloud", "Five days or more"],
                ["Bedtime bag offered", "233", "70.4%", "38.6%"],
                ["Bedtime bag not offered", "251", "57.1%", "25.9%"],
            ],
        ),
        bullets([
            "Fathers read aloud in 41.2% of homes where they live with the child.",
            "In homes where two languages are spoken, one in three sessions is in the language that the school does not use.",
            "Half of the homes could name the last book read; the most frequent answer was a counting story about geese.",
        ]),
        *chapter("What people asked for"),
        para("The last part of the interview put six possible changes to every respondent, with the cost of each in plain figures, and asked which one should come first if only one could come at all. It is the question the Fund was most eager to have answered."),
        captioned(
            "Table 8. Which change should come first?",
            [
                ["Change", "All adults", "Users", "Non-users", "Yearly cost, crowns"],
                ["Open on Sunday afternoons", "26.9%", "32.7%", "20.5%", "312,000"],
                ["A bus stop at the branch", "22.6%", "15.3%", "30.7%", "185,000"],
                ["No fines for children", "16.2%", "14.9%", "17.6%", "23,480"],
                ["More copies of new books", "14.7%", "19.8%", "9.1%", "140,000"],
                ["Quiet rooms for study", "11.1%", "11.6%", "10.5%", "96,500"],
                ["Repair and tool lending", "8.5%", "5.7%", "11.6%", "54,000"],
            ],
        ),
        para("Users want Sundays, non-users want a bus. Both wishes are about reaching a building that people already value. When asked which closed door they minded most on a Sunday, 214 respondents named the branch at Cooper's Stair and 176 the one at Linden Quay; no other branch was named by more than forty."),
        *chapter("How the survey was made"),
        para("The sample was drawn from the residents' register in two stages, first 96 register districts and then 5,545 persons aged sixteen and over. Every person drawn received a letter with a stamp inside, which could be kept. Of the interviews, 1,312 were held by telephone and 834 were completed online."),
        para("Fieldwork ran from 8 March to 30 April 2021 under the direction of Ilse Varnholt. Thirty-four interviewers took part. The response rate, counted as complete interviews over persons drawn, was 38.7%, and the sampling error at the 95 per cent level is at most 2.3 points for the full sample, the design effect of 1.18 included."),
        numbered([
            "Persons drawn without a listed telephone were sent a code for the online form.",
            "After ten days, a second letter went to those who had not replied.",
            "After twenty days, an interviewer called at up to four different hours.",
            "Two in every hundred interviews were repeated in part by a supervisor; three were withdrawn.",
        ]),
        para("Weights correct for age, sex, district and schooling, and were trimmed at 4.0. Open answers were coded by two persons working apart; they agreed on 91 in every hundred."),
        disclosure(
            "Table 9. Statement of method required by the Charter of Survey Houses",
            "Reading in Quellmark, third wave", "Provincial Library Fund of Quellmark", "Halvard Institute for Public Opinion",
            "Residents of the province aged sixteen and over", "In two stages from the residents' register", "By telephone and online",
            "8 March to 30 April 2021", "5,545 persons", "2,146", "38.7%", "31 minutes", "Age, sex, district and schooling", "2.3 points", "The Survey Office, 4 Tanner's Bridge, Quellmark",
        ),
        section("Comparison with earlier waves"),
        para("The order of questions on visits and loans was reversed in this wave, so that a loan is now asked about only after a visit. Small movements in borrowing should for that reason be left alone."),
        *chapter("Appendix: questions and answers"),
        *topline("quellmark-2021", "All adults, by sex and schooling. Per cent.", ["Answer", "All", "Basic school", "Upper school", "University"], [
            ("Q4. How often do you read a book in your free time?", ["Every day", "Several times a week", "Once a week or so", "Less often", "Never"], [29, 24, 14, 15, 18]),
            ("Q9. How did you come to know the last book you finished?", ["A friend or relative", "The library shelf", "A shop window", "Newspaper or radio", "The internet", "Cannot say"], [31, 19, 12, 14, 18, 6]),
            ("Q17. How well does the library nearest to you do its work?", ["Very well", "Fairly well", "Rather badly", "Very badly", "Do not know it"], [33, 38, 7, 3, 19]),
            ("Q22. If the nearest branch closed for good, would your household miss it?", ["A great deal", "Somewhat", "Hardly", "Not at all"], [37, 26, 18, 19]),
            ("Q26. Should libraries lend things other than books?", ["Yes, many things", "Yes, a few", "No", "No opinion"], [28, 39, 21, 12]),
        ]),
        section("The common questions"),
        para("Since its second wave the survey has carried the questions on which the survey houses of the Charter have agreed. They take nine minutes of the interview, and they are the only part of it that may be laid beside figures from elsewhere without a footnote."),
        *common_tables("quellmark-2021", "C.{}", "Third wave", {
            "Staff in the public library have time to help people": ["26.7%", "41.9%", "22.8%", "8.6%"],
        }),
        section("Wording of the common questions"),
        para("Interviewers read the statements in an order drawn afresh for each respondent; online, they appeared one to a screen."),
        *questionnaire("C.{}"),
    ]


# ---------------------------------------------------------------------------------------------------------------------
# Quellmark, second wave


def quellmark_2018() -> list[Block]:
    """An older author: numbered, technical, suspicious of conclusions."""
    return [
        front_page("Reading in Quellmark 2018", "Results of the second wave, with technical notes", "Halvard Institute for Public Opinion", "Dr Osric Pallander", "Report 44 of the Institute, January 2019"),
        contents(),
        heading("1. Purpose and limits"),
        para("1.1 The present report sets out the results of the second provincial survey of reading, commissioned under the Libraries Ordinance, article 12. It replaces the provisional tables issued in November, two of which contained an error of rounding."),
        para("1.2 The reader is warned at the outset that a survey measures what people say. Persons who enjoy the good opinion of an interviewer will remember a novel which they only began. A validation exercise, described in 8.5, suggests that reported loans exceed recorded loans by roughly one seventh."),
        para("1.3 The tables rest on 1,873 interviews. Where the base of a cell is below fifty the percentage stands in brackets, and the Institute asks newspapers to leave such cells unquoted. The request was ignored in the first wave."),
        captioned(
            "Table 1.1 Principal indicators",
            [
                ["Indicator", "First wave", "Second wave"],
                ["Adults who finished a book in the reference year", "70.1%", "70.9%"],
                ["Adults who entered a public library in the reference year", "57.8%", "58.6%"],
                ["Card holders", "49.7%", "50.3%"],
                ["Parents of children under ten who read aloud in the last week", "n.a.", "59.7%"],
                ["Mean yearly outlay on books per household (crowns)", "118.20", "126.90"],
            ],
        ),
        para("1.4 None of the differences between waves in Table 1.1 is significant at the five per cent level. The Institute declines to speak of a trend."),
        heading("2. Readers and non-readers"),
        para("2.1 Definition. A person is counted as a reader who has completed, in the reference year, one or more books not prescribed by an employer or a teacher. Cookery books and travel guides count if read through, which, as the pre-test showed, some people do."),
        para("2.2 The distribution of books read is strongly skewed. The median is five, the arithmetic mean 10.4, the ninetieth percentile 26. It follows that a headline such as 'the average citizen reads ten books' describes hardly anyone."),
        captioned(
            "Table 2.1 Readers by age class",
            [
                ["Age class", "n", "Readers", "Mean number of books", "Daily readers"],
                ["16 to 29", "352", "68.9%", "8.3", "19.1%"],
                ["30 to 44", "466", "68.0%", "9.0", "21.4%"],
                ["45 to 59", "521", "70.7%", "10.2", "27.5%"],
                ["60 to 74", "371", "75.8%", "13.7", "38.8%"],
                ["75 and over", "163", "72.4%", "12.1", "42.3%"],
            ],
        ),
        para("2.3 Sex. The proportion of readers is 77.0 per cent among women and 64.3 per cent among men. Standardising for age and schooling reduces the difference by less than two points; it is not an artefact of composition."),
        para("2.4 Schooling. Persons with university schooling are readers in 86.2 per cent of cases. It is sometimes forgotten that the majority of persons with basic schooling only, 57.5 per cent, are readers too."),
        bars("Figure 2.1 Readers by age class, per cent", ["16 to 29", "30 to 44", "45 to 59", "60 to 74", "75 +"], [68.9, 68.0, 70.7, 75.8, 72.4]),
        heading("3. Use of public libraries"),
        para("3.1 An entry is any passage through the door of a public library or a library bus for whatever purpose. Sheltering from rain counts; the item was discussed at length with the Fund and retained."),
        para("3.2 Use is highest in Old Town, as in the first wave, and lowest in Moor End. The order of the remaining districts depends on whether entries or loans are compared. The branch in Fenside was closed for eleven weeks of the reference year owing to a burst main, and its figures are not typical."),
        captioned(
            "Table 3.1 Use of public libraries by district",
            [
                ["District", "n", "Entered", "Borrowed", "Entries per user"],
                ["Old Town", "359", "66.1%", "60.2%", "10.3"],
                ["Upper Lorn", "271", "60.4%", "54.8%", "8.8"],
                ["Harbour Ward", "333", "58.5%", "49.4%", "7.6"],
                ["Brickfields", "372", "56.7%", "46.3%", "6.8"],
                ["Fenside", "247", "50.6%", "42.7%", "5.5"],
                ["Moor End", "291", "55.4%", "45.1%", "6.2"],
            ],
        ),
        bars("Figure 3.1 Adults entering a public library, per cent by district", ["Old Town", "Upper Lorn", "Harbour Ward", "Brickfields", "Fenside", "Moor End"], [66.1, 60.4, 58.5, 56.7, 50.6, 55.4]),
        para("3.3 Distance. A logistic model of entry on age, schooling, possession of a car and minutes on foot to the nearest branch gives a coefficient for distance of the expected sign and moderate size. Each further ten minutes on foot lowers the odds of entry by 17 per cent, with an interval from 9 to 24."),
        para("3.4 Purpose. Of those who entered, 82.6 per cent did so at least once in order to borrow or return; 24.1 per cent used a reading place; 22.8 per cent a computer; 11.5 per cent attended an event. Answers overlap."),
        heading("4. Formats"),
        para("4.1 The questionnaire of the first wave spoke of 'electronic books' without defining them, and a number of elderly respondents took this to mean books about electronics. The present wave uses a show card with pictures. No comparison between waves is offered."),
        captioned(
            "Table 4.1 Formats used by readers",
            [
                ["Format", "16 to 44", "45 to 74", "75 and over", "All readers"],
                ["Print", "91.3%", "96.1%", "98.0%", "94.4%"],
                ["E-book", "32.6%", "18.7%", "5.2%", "22.3%"],
                ["Audiobook", "23.9%", "12.0%", "14.6%", "17.1%"],
                ["Print and nothing else", "52.0%", "69.8%", "82.1%", "64.7%"],
            ],
        ),
        para("4.2 The lending platform then under construction was described to respondents in two sentences; 36 per cent said that they would probably use it. Intentions of this sort are commonly realised by about half of those who express them."),
        para("4.3 Compact discs. The Institute was asked to record whether compact discs with spoken texts are still played. They are, by 9.4 per cent of readers, chiefly in cars of a certain age."),
        heading("5. Non-use"),
        para("5.1 Non-users were shown a card of eight reasons in an order rotated at random. The rotation matters: the reason standing first on the card was chosen six points more often than the same reason standing last."),
        captioned(
            "Table 5.1 Reasons for non-use (n = 775)",
            [
                ["Reason", "Mentioned", "Main reason"],
                ["Buys books instead", "38.0%", "24.2%"],
                ["Lack of time", "35.5%", "22.0%"],
                ["Opening hours", "25.2%", "14.1%"],
                ["Distance", "18.6%", "9.9%"],
                ["Lack of interest", "17.9%", "12.4%"],
                ["Health, stairs", "7.7%", "6.1%"],
                ["Outstanding fine", "7.1%", "4.9%"],
                ["Poor welcome", "2.9%", "1.3%"],
            ],
        ),
        para("5.2 The category 'lack of time' is a courtesy. Persons who gave it watch as much television as persons who did not, and in the follow-up a third of them withdrew it when asked what they would give up for an hour of reading."),
        para("5.3 Fines. Income from fines amounted to 27,150 crowns in 2017. Collection, by the Fund's own reckoning, cost 19,300."),
        heading("6. Expenditure"),
        para("6.1 Respondents were invited to consult receipts. Eleven did so. The table below should be judged in that light, and the second decimal is an artefact of division."),
        captioned(
            "Table 6.1 Yearly outlay per household by type (crowns)",
            [
                ["Type of household", "Print books", "E-books", "Audiobooks", "Newspapers", "Total"],
                ["One adult", "76.10", "6.40", "5.50", "131.70", "219.70"],
                ["Two adults without child", "109.20", "9.90", "7.20", "188.40", "314.70"],
                ["Adults with child", "143.70", "7.70", "15.80", "124.10", "291.30"],
                ["Three adults or more", "122.50", "8.60", "10.40", "166.90", "308.40"],
            ],
        ),
        bars("Figure 6.1 Outlay on newspapers by household, crowns", ["One adult", "Two adults", "With child", "Three or more"], [131.7, 188.4, 124.1, 166.9]),
        para("6.2 Newspapers still take more than books in three of the four types. Since subscriptions are paid by standing order and remembered exactly, while books are bought singly and forgotten, the true ratio is likely to be closer to equality."),
        heading("7. Opinions on the service"),
        para("7.1 Items of opinion were added at the request of the Fund. The author would have preferred to leave them out, as the wording of an opinion item decides its answer more than most people suppose; a split-ballot experiment in the pre-test moved approval by fourteen points through one adjective."),
        captioned(
            "Table 7.1 Priority among five proposals",
            [
                ["Proposal", "All", "Users", "Non-users"],
                ["Longer evening hours", "28.8%", "33.4%", "22.3%"],
                ["Newer stock", "24.5%", "27.7%", "20.0%"],
                ["More staff at the desk", "17.2%", "18.8%", "14.9%"],
                ["A second library bus", "15.6%", "9.5%", "24.2%"],
                ["Modernised furniture", "13.9%", "10.6%", "18.6%"],
            ],
        ),
        para("7.2 Satisfaction. Among users, 86.8 per cent described the service as good or very good. Satisfaction with anything that costs nothing at the point of use tends to this value."),
        para("7.3 The interviewers were asked to note any remark made at the door. The most common concerned the smell of the old Central Library, which is said by some to be dust and by others to be history."),
        heading("8. Method"),
        para("8.1 Design. Two-stage sample from the residents' register, 84 primary units, 4,360 persons; 1,873 interviews; response 43.0 per cent. All interviews were held face to face in the home, with an average length of 37 minutes."),
        para("8.2 Period. 5 February to 29 March 2018. In the second week fieldwork was suspended for four days because of snow."),
        para("8.3 Personnel. The fieldwork was directed by Magda Ferreol; 41 interviewers were employed, of whom 29 had taken part in the first wave."),
        para("8.4 Weighting. Cell weighting by age, sex and district, followed by a ratio adjustment for schooling; largest weight 3.2, design effect 1.24, sampling error at most 2.5 points."),
        para("8.5 Validation. With their consent, 318 respondents' reported loans were compared with the register of the library. The reports exceeded the register for 44 per cent, agreed with it for 39 and fell short for 17."),
        numbered([
            "Consent was asked for at the end of the interview, in writing.",
            "The card number was copied by the interviewer and checked by its last digit.",
            "The library returned counts, without titles.",
            "The key was destroyed on 30 June in the presence of the data officer.",
        ]),
        para("8.6 The table below answers the fourteen heads of the Charter. Nothing in it is new; it is printed because a colleague at another institute, who shall remain unnamed, reported a response of 'almost complete'."),
        disclosure(
            "Table 8.1 Heads of disclosure",
            "Second provincial survey of reading", "Library Fund, under article 12 of the Ordinance", "Halvard Institute, Section for Social Statistics",
            "Resident persons of sixteen years or more", "Two stages, register, 84 primary units", "Face to face, at home",
            "5 February to 29 March 2018", "4,360 persons", "1,873", "43.0%", "37 minutes", "Age, sex, district; schooling by ratio", "2.5 points", "Dr Pallander, in writing",
        ),
        heading("Annex. Frequencies"),
        *topline("quellmark-2018", "Weighted frequencies by sex and age. Per cent.", ["Category", "Total", "Female", "Male"], [
            ("F2. Frequency of reading books outside work and school.", ["Daily", "Weekly", "Monthly", "Rarely", "Never"], [27, 30, 11, 14, 18]),
            ("F6. Source of the book last completed.", ["Bought", "Borrowed from a library", "Borrowed privately", "Gift", "Owned for years", "No answer"], [41, 24, 12, 14, 7, 2]),
            ("F11. Preferred place of reading.", ["Bed", "Armchair or sofa", "Train or bus", "Kitchen", "Garden or bench", "Elsewhere"], [36, 33, 12, 8, 7, 4]),
            ("F15. Overall judgement of the library service.", ["Very good", "Good", "Middling", "Poor", "No judgement"], [34, 36, 9, 2, 19]),
            ("F19. Agreement: a library is as necessary as a school.", ["Agree fully", "Agree in part", "Disagree in part", "Disagree fully", "Undecided"], [39, 31, 13, 8, 9]),
        ]),
        section("Harmonised items"),
        para("The items that follow were imposed by agreement between institutes. The author voted against four of them. They are reproduced with the results in the order of the printed form, and differences of fewer than three points between columns are to be treated as nought."),
        *common_tables("quellmark-2018", "H.{}", "Second wave"),
        section("Form of the harmonised items"),
        para("The show cards were grey, so as to favour no answer."),
        *questionnaire("H.{}"),
    ]


# ---------------------------------------------------------------------------------------------------------------------
# Quellmark, fourth wave


def quellmark_2023() -> list[Block]:
    """A new house style: short findings, big numbers, readers in a hurry."""
    return [
        front_page("Reading in Quellmark 2023", "Ten findings from the fourth wave", "Halvard Institute for Public Opinion", "Prepared by the Culture Desk", "October 2023"),
        call_out("The short version", "More people came back to the library than left it. Sunday opening worked. Audiobooks overtook e-books. The rest of this booklet is evidence, one finding at a time, with the table beside the claim so you can check us."),
        para("We spoke to 2,407 adults between January and March 2023, nearly all of them online. If you remember our earlier reports as thick grey volumes, you will notice that this one is neither. The long tables have moved to the data portal; what remains is what we were asked about most."),
        bullets([
            "Jump to Finding 3 if you run a branch.",
            "Jump to Finding 5 if you plan buses.",
            "Jump to Finding 7 if you have small children and little sleep.",
        ]),
        *chapter("Finding 1. Seven in ten still read, and they read a bit less"),
        para("The share of adults who finished a book stands at 70.2%. That is flat. The number of books finished is not: the typical reader got through five, and the mean slid below eleven for the first time since we began asking."),
        captioned(
            "Reading by age",
            [
                ["Age", "Asked", "Finished a book", "Mean books", "Read daily"],
                ["16 to 29", "461", "69.4%", "7.2", "16.3%"],
                ["30 to 44", "588", "66.6%", "8.7", "20.7%"],
                ["45 to 59", "655", "69.1%", "10.5", "28.4%"],
                ["60 to 74", "492", "76.4%", "14.1", "40.9%"],
                ["75 and over", "211", "73.7%", "12.9", "44.0%"],
            ],
        ),
        para("Why less? Our guess is evenings. Four in ten of those who read less than before say a series ate the hour before sleep. Nobody blamed work, which surprised us."),
        bars("Mean books finished, by age", ["16 to 29", "30 to 44", "45 to 59", "60 to 74", "75 +"], [7.2, 8.7, 10.5, 14.1, 12.9]),
        para("The other suspect was the news. In the parallel interviews several people described evenings spent scrolling through headlines with a novel lying open, face down, on the arm of the sofa. A shift worker at the glass foundry had worked out that she reads nine chapters in a quiet week and none at all in a week of elections."),
        para("Daily reading, though, is remarkably stable. Whoever has made a ritual of it, with the same lamp and the same cushion, hardly ever appears among those who cut back. Habit beats motivation, which is worth remembering whenever somebody proposes yet another campaign with posters of celebrities holding classics."),
        *chapter("Finding 2. Teenagers rescued the comic"),
        para("Our youngest group, sixteen to nineteen, reads comics more than any other kind of book. School librarians told us they saw it coming when the drawing club outgrew its room. One of them now buys two copies of everything, one for reading and one for tracing."),
        captioned(
            "What the youngest read last (n = 148)",
            [
                ["Kind of book", "Share"],
                ["Comic or manga", "33.8%"],
                ["Fantasy novel", "24.3%"],
                ["Other novel", "18.9%"],
                ["Non-fiction", "13.5%"],
                ["Poetry or play", "4.7%"],
                ["Cannot remember", "4.8%"],
            ],
        ),
        para("Fantasy comes second and grows with every instalment of whatever saga happens to be in fashion. Poetry has doubled since we last looked, admittedly from almost nothing; open-mike nights at the skate hall deserve the credit, along with one charismatic Latin teacher whose pupils have to recite before they may complain."),
        para("Parents tend to worry about all this. We asked specialists at the teachers' college whether they should. Their verdict: reluctant readers who start with drawings mostly add prose later, provided nobody sneers in the meantime."),
        heading("Finding 3. The library is busy again"),
        para("In all, 56.1% of adults walked into a library during the year. Every district is up on the last wave except Old Town, which had nowhere to go. The jump in Moor End is the biggest single change in this booklet, and we checked it twice."),
        captioned(
            "Library visits and loans by district",
            [
                ["District", "Asked", "Visited", "Borrowed", "Visits per user"],
                ["Old Town", "447", "65.7%", "56.4%", "9.1"],
                ["Upper Lorn", "352", "62.2%", "50.9%", "8.4"],
                ["Harbour Ward", "431", "57.9%", "46.0%", "7.2"],
                ["Brickfields", "468", "53.1%", "39.9%", "6.3"],
                ["Fenside", "331", "49.3%", "38.1%", "5.7"],
                ["Moor End", "378", "50.8%", "37.0%", "6.0"],
            ],
        ),
        bars("Visited a library, by district (%)", ["Old Town", "Upper Lorn", "Harbour Ward", "Brickfields", "Fenside", "Moor End"], [65.7, 62.2, 57.9, 53.1, 49.3, 50.8]),
        call_out("A number to remember", "41% of visitors did not borrow anything on their last visit. They came to sit, print, meet, charge a phone or get warm."),
        para("What happened in Moor End? Three things at once: the express bus, a heated reading porch knitted together out of two shipping containers, and a caretaker, Mr Bolko, who unlocks at seven for commuters although his contract says nine. Ask locals and they credit Mr Bolko."),
        *chapter("Finding 4. Ears beat screens"),
        para("Audiobooks passed e-books this year. The crossing happened in every group under sixty, and it happened because of the kitchen: cooking is now the most common moment for listening, ahead of the commute."),
        captioned(
            "Formats readers used",
            [
                ["Format", "16 to 44", "45 to 74", "75 and over", "All readers"],
                ["Print", "81.5%", "92.2%", "95.8%", "88.3%"],
                ["Audiobook", "45.7%", "29.3%", "27.2%", "35.1%"],
                ["E-book", "38.9%", "27.7%", "12.8%", "29.2%"],
                ["Comic", "31.6%", "9.7%", "2.6%", "17.5%"],
            ],
        ),
        para("The provincial app is known to three quarters of adults. Its reputation improved when the waiting list began to show a date instead of a place in the queue, a change that cost an afternoon to program."),
        para("Narrators matter more than authors to this audience. A third choose by voice, and some follow a favourite reader from crime into gardening without noticing the change of subject. Publishers have understood; two local actors now earn more from recording booths than from the municipal stage."),
        para("E-readers are far from dead. They rule on holiday, in hospital beds and wherever type must be enlarged. They have merely stopped being new, so owners forget to charge them."),
        *chapter("Finding 5. Fix the bus and they will come"),
        para("Non-users told us what keeps them away. Distance and buses led the last wave; they do not lead this one, after line 14 was put back on the map. Time is the top answer again, as it always is when nothing practical stands in the way."),
        captioned(
            "Why people stayed away (n = 1,057)",
            [
                ["Reason", "Share"],
                ["Never have time", "35.9%"],
                ["Prefer to own books", "32.3%"],
                ["Phone or tablet is enough", "20.1%"],
                ["Awkward to get to", "16.8%"],
                ["Hours do not suit", "15.7%"],
                ["Not interested", "15.0%"],
                ["Too noisy now", "7.4%"],
                ["Worried about a fine", "2.2%"],
            ],
        ),
        para("Look at the bottom row. Fines for children went in 2022. A year later hardly anyone mentions them, and 1,940 children who had not borrowed for two years used their card again."),
        bars("Why people stayed away, top five (%)", ["No time", "Own books", "Phone", "Hard to reach", "Hours"], [35.9, 32.3, 20.1, 16.8, 15.7]),
        *chapter("Finding 6. Money is tighter, so borrowing looks clever"),
        para("Average household spending on books fell to 139.80 crowns. Families with children cut most. In the same homes loans per child rose, which is the nearest thing to a controlled experiment that real life will give us."),
        captioned(
            "What households spent, crowns",
            [
                ["Household", "Print", "E-books", "Audio", "Newspapers", "Total"],
                ["One adult", "79.90", "12.70", "19.40", "82.60", "194.60"],
                ["Two adults", "117.30", "18.20", "25.00", "137.80", "298.30"],
                ["With children", "148.20", "15.90", "38.50", "71.30", "273.90"],
                ["Three or more adults", "131.10", "16.60", "29.20", "118.70", "295.60"],
            ],
        ),
        para("Audio subscriptions have become the second line in the book budget of the young family. Ask them what they pay, though, and most must look it up, because it is bundled with something else."),
        para("Booksellers read this chapter before publication, and were less gloomy than we had feared. Gift vouchers are up, impulse purchases down. One shop in Harbour Ward has begun to stock second-hand copies beside the new ones, and reports that customers with thin purses no longer pretend to be browsing."),
        heading("Finding 7. Bedtime is holding"),
        para("In 66.9% of homes with a child under ten, somebody read aloud last week. Fathers are catching up: they read in half of the homes they live in. The bedtime bag is now offered everywhere, so this time we can say nothing about homes without it."),
        para("A mother of twins in Brickfields sent us a photograph of the bag hanging from the door handle with the note 'do not even think of watching another one'. We have printed it, with her leave, on the back of the summary leaflet."),
        bullets([
            "Average session: 17 minutes.",
            "Most frequent interruption: a glass of water.",
            "Favourite title, again: the geese.",
        ]),
        *chapter("Finding 8. Sunday was worth it"),
        para("Two branches have opened on Sunday afternoons since April 2022 as a trial. We asked everyone in their catchment what they made of it. Approval is overwhelming, attendance is good, and staff, who were interviewed separately, are split down the middle."),
        captioned(
            "The Sunday trial, first year",
            [
                ["Measure", "Figure"],
                ["Sunday visits", "38,260"],
                ["Share of the week's visits", "19.6%"],
                ["First-time visitors among them", "12.1%"],
                ["Cost for the year, crowns", "347,500"],
                ["Residents in favour of keeping it", "78.4%"],
            ],
        ),
        bars("Who came on Sundays (% of visitors)", ["Families", "Students", "Retired", "Others"], [46, 27, 15, 12]),
        para("The staff split deserves an honest sentence or two. Those in favour enjoy the unhurried mood and the brunch crowd. Those against have families, allotments, choirs. A rota with volunteers was attempted in May and abandoned in June after the alarm went off during a christening next door."),
        heading("Finding 9. Trust is the library's capital"),
        para("Asked which public bodies they trust, adults put the library at the top with 84.7%, before the fire service for the first time. Trust is no reason to relax. People trust what they can see into, and a building with large windows has an unfair advantage over a tax office."),
        para("We asked what could damage that trust. Selling data came first, far ahead of closing branches. A library which takes up a loyalty programme, to quote one respondent in Harbour Ward, 'should hand back the word library'."),
        *chapter("Finding 10. And next?"),
        para("The first wish used to be longer hours. It is now more rooms: places to learn together, to hold a video call, to be loud in. After that come new books, then repair evenings, which began as a joke in our questionnaire in an earlier wave and have become a programme in four branches."),
        captioned(
            "What should come next?",
            [
                ["Wish", "All", "Users", "Non-users"],
                ["Rooms for groups and calls", "27.6%", "31.2%", "23.4%"],
                ["More new books", "21.4%", "24.6%", "16.9%"],
                ["Repair evenings", "19.1%", "16.0%", "23.1%"],
                ["Sunday in every branch", "18.0%", "20.4%", "14.8%"],
                ["Home delivery", "13.9%", "7.8%", "21.8%"],
            ],
        ),
        *chapter("How we did it"),
        para("We drew 7,180 adults from the residents' register and invited them by letter to an online form; 2,407 completed it, a response of 33.5%. People who prefer the telephone could ring Joris Anselm, who led the fieldwork, and 190 did. The field period was 9 January to 24 March 2023. Sampling error is at most 2.2 points. Weighted by age, sex, district and schooling."),
        disclosure(
            "The Charter's checklist, filled in",
            "Reading in Quellmark, wave four", "Library Fund", "Halvard Institute, Culture Desk",
            "Adults of sixteen plus", "Register sample, one stage", "Online, with a telephone option",
            "9 January to 24 March 2023", "7,180 persons", "2,407", "33.5%", "19 minutes", "Age, sex, district, schooling", "2.2 points", "Joris Anselm",
        ),
        para("Moving from telephone to screen changes answers a little. In a parallel test with 300 people, those on the telephone reported about one more book than those online. We think the screen is more honest."),
        *topline("quellmark-2023", "A few more answers, by age. Per cent.", ["Answer", "All", "16 to 29", "30 to 59", "60 and over"], [
            ("When do you mostly read?", ["Before sleep", "Mornings", "While travelling", "Weekends", "Whenever possible"], [41, 9, 15, 17, 18]),
            ("Where did the last book come from?", ["Bookshop", "Library", "Online shop", "Somebody lent it", "Street book box", "Already at home"], [27, 26, 22, 9, 8, 8]),
            ("Have you used the provincial app in the last month?", ["Yes, often", "Yes, once or twice", "No, but I know it", "Never heard of it"], [14, 16, 45, 25]),
        ]),
        *chapter("The standard questions"),
        para("These are the ones we share with other survey houses, warts and all. Somebody always asks for them, usually at five on a Friday."),
        *common_tables("quellmark-2023", "N.{}", "2023"),
        section("And how they were put"),
        para("On a phone screen, one at a time, with a way back. Nobody could skip, but everyone could say that they would rather not answer."),
        *questionnaire("N.{}"),
    ]


# ---------------------------------------------------------------------------------------------------------------------
# Merrow Valley, second study: the long one


def merrow_2019() -> list[Block]:
    """A discursive report with a field diary between the tables; roman front matter."""
    return [
        front_page("Shelf Life", "Libraries and their readers in the Merrow Valley, 2019", "Corriedale Survey Centre", "Perpetua Langwith, Amos Tredinnock and Lil Osgathorpe", "Corriedale Papers, number 27"),
        heading("Foreword"),
        para("When the Centre was asked to repeat its study of the libraries of the valley, I said that I would write this page only if I was allowed to say that surveys are walked, not typed. The interviewers of this study wore out, by their own count, eleven pairs of boots. They were bitten by two dogs and one goose. They were given tea in 1,960 kitchens, which is a figure that I trust more than most in the tables, since the claims for the biscuits passed across my desk."),
        para("What they brought back is a portrait of six towns that are fond of their libraries in six ways. Aldermoss is proud of its building, Thrale of its librarian, Sallowby of having saved the thing at all. Great Pinnock argues about parking. Wether Cross would like the roof mended. Netherhope has a van on Tuesdays and makes more of it than some towns make of a palace."),
        para("I thank everyone who opened a door. Those who did not open it are thanked too; the weights in the appendix speak for you, but they do so with reluctance."),
        para("Honor Quillfeather, Warden of the Centre"),
        page_break(),
        contents(levels=2),
        call_out("About the diary", "Between the chapters stand short extracts from the field diary that Lil Osgathorpe kept from January to May. Names of private persons have been changed. The weather has not."),
        page_break(),
        page_labels("arabic", 1),
        heading("1. What this study found"),
        para("Between 14 January and 24 May 2019 the Corriedale Survey Centre interviewed 3,078 people aged fifteen and over in the six towns of the Merrow Valley. The interviews were held at home, from a sample of 6,948 addresses, and lasted 44 minutes on average. The response rate was 44.3%."),
        bullets([
            "Just over half of the people in the valley, 52.4%, had been in a library or the library van in the past year.",
            "Of those who had, three in four could name a member of staff.",
            "Borrowing of adult fiction has fallen; borrowing for children has not.",
            "Volunteers now give 812 hours a month across the valley, nearly half of them in Sallowby.",
            "One resident in nine has taken part in something at a library that had nothing to do with books.",
        ]),
        para("The study of 2016 was a trial by telephone in the same towns. Its method differed so much from ours that we print its results nowhere in these pages, and the reader who lays the two side by side does so without our blessing."),
        captioned(
            "Table 1. The six towns and the sample",
            [
                ["Town", "Residents", "Addresses", "Interviews", "Interviewers"],
                ["Aldermoss", "31,450", "1,604", "721", "9"],
                ["Great Pinnock", "22,870", "1,355", "588", "8"],
                ["Sallowby", "17,240", "1,121", "496", "6"],
                ["Thrale", "19,060", "1,187", "534", "7"],
                ["Wether Cross", "11,730", "923", "402", "5"],
                ["Netherhope", "8,390", "758", "337", "4"],
                ["Valley", "110,740", "6,948", "3,078", "39"],
            ],
        ),
        section("Words we use"),
        para("A visitor has been inside a library, or up the steps of the van, at least once in twelve months. A member holds a card that has not lapsed. The two circles overlap less than one would think: a sixth of all members never came in the year, and a quarter of all visitors have no card and want none."),
        diary("16 January, Thrale. Mr A. will not be interviewed about the library but will talk about the library for fifty minutes on the step. I ask whether I may write it down as an interview. 'Certainly not', he says, and asks me in."),
        *chapter("2. Coming through the door"),
        para("Thrale comes first in nearly every table of this study. It is neither the richest town nor the one with the longest hours. It has had the same librarian for twenty-six years, and she has the habit, which respondents described in almost the same words from one end of the town to the other, of putting a book aside for people who have not asked for it."),
        captioned(
            "Table 2. Visitors and members by town, per cent of adults",
            [
                ["Town", "Visitors", "Members", "Visited monthly", "Attended an event"],
                ["Aldermoss", "59.6%", "50.1%", "24.8%", "13.9%"],
                ["Great Pinnock", "54.2%", "44.6%", "19.3%", "8.1%"],
                ["Sallowby", "47.7%", "45.9%", "20.6%", "16.7%"],
                ["Thrale", "63.8%", "55.3%", "31.1%", "15.4%"],
                ["Wether Cross", "42.5%", "38.7%", "14.2%", "5.0%"],
                ["Netherhope", "35.7%", "33.2%", "17.5%", "4.6%"],
            ],
        ),
        bars("Figure 1. Visitors by town, per cent of adults", ["Aldermoss", "Great Pinnock", "Sallowby", "Thrale", "Wether Cross", "Netherhope"], [59.6, 54.2, 47.7, 63.8, 42.5, 35.7]),
        para("Sallowby deserves a second look. Its visitors are fewer than those of Great Pinnock, yet more of its people are members and twice as many go to events. When the council proposed to close the branch in 2014, four hundred people took out a card in a week as a form of protest. Most have kept it up, as one keeps up a flag."),
        section("Getting there"),
        para("Nearly two visitors in three walk. The median walk is eleven minutes in the five towns with a branch. In Netherhope it is four, because the van stops at the pump, and the pump is where everything is. Only one visitor in five drives, but those who do account for most of the complaints about the car park of Great Pinnock, which was mentioned 133 times in answer to questions that had nothing to do with it."),
        *chapter("3. Hours, staff and the van"),
        para("Opening hours were taken from the notices on the doors, copied by the interviewers on the day, and differ in three cases from those on the county's website. Where they differ we believe the door."),
        captioned(
            "Table 3. Branches, hours and people",
            [
                ["Branch", "Hours a week", "Paid staff", "Volunteers", "Visits in the year"],
                ["Aldermoss Central", "48", "11", "14", "142,700"],
                ["Aldermoss Mill Lane", "22", "3", "6", "31,900"],
                ["Great Pinnock", "41", "7", "9", "97,300"],
                ["Sallowby", "33", "2", "47", "58,600"],
                ["Thrale", "36", "5", "17", "104,200"],
                ["Thrale Station Room", "15", "1", "4", "12,450"],
                ["Wether Cross", "24", "2", "11", "29,800"],
                ["Netherhope van", "6", "1", "3", "9,240"],
            ],
        ),
        para("A branch is busy for reasons that hours do not exhaust. Thrale, open for 36 hours, has seven thousand more visits in the year than Great Pinnock, open for 41. The van, with six hours, a driver and three helpers, receives one visit for every resident of Netherhope and some to spare."),
        call_out("The van in figures", "The van covers 148 stops in the county, of which five are in Netherhope parish. Over all its rounds it issued 41,320 loans in 2018. It is nineteen years old, and a new one would cost £163,500."),
        para("Members of staff were known by name to 76% of visitors in Thrale and to 29% in Aldermoss, where the desk was replaced by machines in 2017. Nobody in Aldermoss asked for the old desk back. A good many asked for somebody to talk to, which is a different request and should not be answered with furniture."),
        diary("7 February, Netherhope. The van is late because of ice. Eleven people are waiting at the pump with their books under their coats. Nobody goes home. An old woman tells me that she has been up since five so as to finish, and has nine pages left, and if the van is late enough she will manage it."),
        *chapter("4. What people borrow"),
        para("The county supplied the loans of each branch for the calendar year 2018. They are counts, not estimates, and carry no margin of error beyond the odd book that beeps twice."),
        captioned(
            "Table 4. Loans in the valley in 2018 by kind",
            [
                ["Kind", "Loans", "Change on year", "Loans per copy"],
                ["Adult fiction", "184,620", "-6.3%", "4.1"],
                ["Crime and thrillers", "121,480", "-1.9%", "5.6"],
                ["Adult non-fiction", "96,750", "-8.8%", "2.2"],
                ["Large print", "47,130", "+2.6%", "4.9"],
                ["Picture books", "138,260", "+3.7%", "6.8"],
                ["Children's fiction", "112,940", "+1.2%", "4.4"],
                ["Spoken word", "23,580", "-11.5%", "3.3"],
                ["E-books", "38,410", "+19.4%", "7.9"],
                ["Jigsaws and games", "6,870", "+41.0%", "8.2"],
            ],
        ),
        bars("Figure 2. Loans in thousands by kind", ["Fiction", "Crime", "Non-fiction", "Large print", "Picture b.", "Child. fict.", "Spoken", "E-books"], [184.6, 121.5, 96.8, 47.1, 138.3, 112.9, 23.6, 38.4]),
        para("The jigsaws began as a donation by a widower in Wether Cross, whose wife had done one a week for forty years. The branch lends them with a slip on which the borrower states, on honour, how many pieces are missing. Half the slips also carry advice, such as 'leave the sky until Sunday'."),
        section("What they would like to borrow"),
        para("Respondents could name one thing that the library does not lend and should. Tools came first, then musical instruments, then a surprising demand for cake tins in unusual shapes. The librarian of Thrale had eighteen such tins in a cupboard within a month of hearing it."),
        *chapter("5. Homes and books"),
        para("Every respondent was asked how many books there are in the home, on a card with drawings of shelves. Books are unevenly shared. A tenth of homes own more than five hundred; a seventh own fewer than ten, and these are the homes in which the library matters most and is visited least."),
        captioned(
            "Table 5. Books in the home and library use",
            [
                ["Books at home", "Homes", "Visitors", "Read to a child daily", "Spent on books, £"],
                ["Fewer than 10", "14.1%", "33.4%", "21.8%", "9.20"],
                ["10 to 49", "24.9%", "46.2%", "35.5%", "31.60"],
                ["50 to 199", "31.7%", "57.1%", "48.9%", "68.40"],
                ["200 to 499", "18.8%", "64.7%", "57.6%", "112.80"],
                ["500 or more", "10.5%", "61.9%", "60.3%", "187.50"],
            ],
        ),
        para("The last row bends down. Owners of very many books use the library a little less than those with merely a great many. Asked why, several said that they were afraid of what would happen if they started bringing more of them into the house."),
        para("Spending was lowest where books were fewest, as one would expect. It was not the case that these homes lacked interest: of the parents in them, seven in ten wanted their children to read more than they themselves had, and most of those knew the opening hours of the nearest branch within half an hour."),
        bars("Figure 3. Yearly spending on books in pounds, by number of books in the home", ["Under 10", "10 to 49", "50 to 199", "200 to 499", "500 or more"], [9.2, 31.6, 68.4, 112.8, 187.5]),
        *chapter("6. Those who stay outside"),
        para("We met 1,465 people who had not been in a library for a year. The word 'non-user' suggests a decision. Few of them had taken one. They had moved house, had a child, lost a card, started a shift, and found three years later that they had become people who do not go."),
        captioned(
            "Table 6. Main reason for not going, by age, per cent",
            [
                ["Main reason", "15 to 34", "35 to 59", "60 and over", "All"],
                ["Got out of the habit", "29.7%", "27.2%", "22.1%", "26.5%"],
                ["Working hours", "20.9%", "28.4%", "2.3%", "18.8%"],
                ["Have all I need at home", "17.8%", "16.1%", "24.0%", "19.0%"],
                ["Cannot get there", "5.2%", "4.7%", "25.6%", "10.9%"],
                ["Do not read books", "19.5%", "17.3%", "12.9%", "16.7%"],
                ["Bad memory of a library", "6.9%", "6.3%", "13.1%", "8.1%"],
            ],
        ),
        para("Bad memories are a small category full of large feelings. A man of seventy-one in Great Pinnock was struck on the knuckles with a date stamp in the year of the flood. He told the interviewer that he had forgiven the lady but not the building."),
        section("What would bring them back"),
        para("Four in ten could be tempted by a reason to go that is not a book: a warm room, a repair table, help with a form, company. The figures for company are highest among men living alone, who are also the least likely to say so until the second cup of tea."),
        diary("3 March, Great Pinnock. Rain all day, seven refusals, then Mrs D., ninety-three, who has read every Western in the branch and starts again at A each January. She marks the inside cover with a small horseshoe so that she knows. The staff have known about the horseshoes for years and say nothing."),
        *chapter("7. Reading together"),
        para("There are 31 reading groups in the valley that meet at least once a month. Our colleagues sat in with three of them, chosen for being unlike each other: the Cobbler's Yard group of Aldermoss, the Little Ashing group above Sallowby and the Sandle Bridge group near Thrale."),
        para("Cobbler's Yard is chaired, minuted and runs to time. It has read 214 books since it began and can produce a mark out of ten for each. Little Ashing has never finished a book, as a matter of principle, and reads aloud in turns until the fire is low. Sandle Bridge is made up of bell-ringers. They choose books that can be discussed between peals, and their verdicts are short."),
        captioned(
            "Table 7. Three reading groups observed",
            [
                ["Group", "Founded", "Members", "Meetings seen", "Longest speech, minutes"],
                ["Cobbler's Yard", "1988", "19", "4", "7"],
                ["Little Ashing", "2003", "8", "3", "22"],
                ["Sandle Bridge", "2011", "12", "5", "2"],
            ],
        ),
        para("All three said, unprompted, that the books are only half of it. In the survey as a whole, people in a reading group were a third less likely to say that they had felt lonely in the past fortnight. Perhaps groups ward off loneliness, or perhaps the lonely do not join groups. A survey that asks once cannot tell."),
        section("Children"),
        para("In homes with a child under eight, an adult read to the child daily in 45.8% of cases and never in 12.7%. The summer challenge, for which a child reads six books and receives a medal, was taken up by 2,317 children in the valley and completed by 1,584 of them. The medals are wooden and are made by the father of a former winner."),
        *chapter("8. Volunteers"),
        para("A volunteer keeps the door of Sallowby open for twenty of its thirty-three hours. Opinions about this are divided along a line that does not follow politics. Some hold that a service run by neighbours is the best sort; others, that a council which is let off once will be let off always. Both are right often enough to keep the argument alive."),
        captioned(
            "Table 8. Hours given by volunteers in an average month",
            [
                ["Task", "Hours", "Persons"],
                ["Opening and the desk", "331", "38"],
                ["Shelving", "164", "29"],
                ["Home delivery", "121", "17"],
                ["Story times", "88", "15"],
                ["Computer help", "63", "9"],
                ["Garden and repairs", "45", "12"],
            ],
        ),
        para("Volunteers are older than visitors and better housed. They stay for five years on average. The one request they made again and again was for a rota that is not kept in a biscuit tin, and it is to be hoped that someone at the county will read as far as this sentence."),
        quote("I came in to get out of the rain in 2006. Nobody has told me it has stopped.", "A volunteer in Sallowby"),
        *chapter("9. Satisfaction, and its limits"),
        para("Visitors marked eight aspects of their library from 1 to 5. The means are high everywhere and vary less than the buildings do. Wether Cross, where buckets stand between the shelves from October, gives its staff the second highest mark of the valley and its building the lowest mark we have ever printed."),
        captioned(
            "Table 9. Mean marks out of five given by visitors",
            [
                ["Aspect", "Aldermoss", "Great Pinnock", "Sallowby", "Thrale", "Wether Cross", "Netherhope"],
                ["Staff", "4.12", "4.27", "4.51", "4.83", "4.62", "4.58"],
                ["Stock", "4.05", "3.71", "3.38", "3.96", "3.27", "3.19"],
                ["Hours", "3.88", "3.52", "3.61", "3.79", "2.94", "2.47"],
                ["Building", "4.66", "3.64", "3.87", "4.08", "1.86", "2.75"],
                ["Computers", "3.93", "3.47", "2.92", "3.55", "2.63", "-"],
                ["Events", "3.84", "3.16", "4.37", "4.24", "3.08", "2.89"],
                ["Quiet", "3.32", "3.74", "3.43", "3.58", "4.19", "-"],
                ["Welcome", "3.90", "4.10", "4.55", "4.78", "4.41", "4.69"],
            ],
        ),
        para("There is a danger in good marks. People who would be angry if the service were bad have mostly left it, and are found in chapter 6. The Centre recommends that the county should weigh a mark for welcome given by a visitor together with the number of those who no longer come to be asked."),
        diary("2 May, Wether Cross. Count of buckets: fourteen. The librarian has named them. She says that the Romance bucket fills first."),
        *chapter("10. What might be done"),
        para("It is not for a survey centre to run libraries. We were, however, asked for suggestions, and so were the 3,078. We print the five that were made most often and could be carried out by the county without an act of anyone else."),
        numbered([
            "Mend the roof of Wether Cross before buying anything for under it.",
            "Give the van a second afternoon in Netherhope, on a market day.",
            "Put one named person at a visible place in every branch where machines do the lending.",
            "Let members keep a card after moving within the county, without asking for a new proof of address.",
            "Keep Sallowby's two paid posts, on which the forty-seven unpaid ones rest.",
        ]),
        para("The cost of the second afternoon was estimated for us by the county at £8,750 a year. The roof was estimated three times and no two estimates agree; the lowest is £71,200."),
        captioned(
            "Table 10. Support for five measures, per cent of adults",
            [
                ["Measure", "Strongly for", "For", "Against", "No view"],
                ["Mend the Wether Cross roof", "58.3%", "30.2%", "2.1%", "9.4%"],
                ["Second van afternoon", "37.9%", "33.6%", "10.3%", "18.2%"],
                ["A named person in each branch", "43.1%", "35.8%", "6.5%", "14.6%"],
                ["Cards that move with the member", "49.4%", "31.9%", "3.8%", "14.9%"],
                ["Keep Sallowby's paid posts", "40.7%", "29.3%", "12.6%", "17.4%"],
            ],
        ),
        *chapter("Appendix A. How we worked"),
        para("Addresses were drawn with equal chance from the county's register of dwellings, after a stratification by town and by distance from the nearest branch. At each address one person was selected by the birthday rule. Interviewers called up to six times, on different days and at least twice after six in the evening."),
        para("Amos Tredinnock directed the fieldwork; the data were edited by Lil Osgathorpe. The questionnaire went through four drafts, of which the second, nine pages longer, is remembered with horror. Fifty interviews by each of two methods of asking about income showed that a card with letters is refused less often than a question in words."),
        para("Non-response was studied with a doorstep form of three questions, which 1,204 of those who refused were willing to answer. They go to libraries less than our respondents: 41.1% against 52.4%. The weights bring the two together in part."),
        captioned(
            "Table A1. Outcome of the addresses",
            [
                ["Outcome", "Addresses"],
                ["Interview completed", "3,078"],
                ["Refused, doorstep form filled in", "1,204"],
                ["Refused outright", "1,391"],
                ["Nobody met in six calls", "862"],
                ["Empty or not a dwelling", "286"],
                ["Ill, away or another language", "127"],
            ],
        ),
        disclosure(
            "Table A2. The fourteen points of the Charter of Survey Houses",
            "Shelf Life", "The county library service and the Quillfeather Trust", "Corriedale Survey Centre",
            "People of fifteen and over living in the six towns", "Addresses, stratified; one person by the birthday rule", "In person, at home",
            "14 January to 24 May 2019", "6,948 addresses", "3,078", "44.3%", "44 minutes", "Town, age, sex, size of household", "1.9 points", "Lil Osgathorpe at the Centre",
        ),
        *chapter("Appendix B. Answers to the main questions"),
        *topline("merrow-2019", "Weighted per cent. The larger towns are Aldermoss and Great Pinnock.", ["Answer", "Valley", "Larger towns", "Smaller towns"], [
            ("B7. Where was your last book when you got it?", ["On a library shelf", "In a shop", "In a charity shop", "On a friend's shelf", "On the internet", "In a parcel"], [25, 21, 17, 14, 15, 8]),
            ("C5. Did you speak to anyone?", ["Staff", "Someone I knew", "A stranger", "Nobody"], [46, 22, 9, 23]),
            ("C9. Could you find what you had come for?", ["Yes, all of it", "Yes, in part", "No, ordered it", "No, gave up", "Came for nothing in particular"], [44, 20, 12, 6, 18]),
            ("D1. How would you describe the noise?", ["Too quiet", "About right", "Rather noisy", "Far too noisy"], [8, 69, 17, 6]),
            ("D4. Is your library better or worse than five years ago?", ["Much better", "A little better", "The same", "A little worse", "Much worse"], [11, 21, 36, 20, 12]),
            ("E6. Who first took you to a library?", ["Mother", "Father", "Grandparent", "Teacher", "Went alone", "Nobody ever did"], [38, 11, 14, 19, 9, 9]),
            ("F3. Would you give two hours a month to your library?", ["Already do", "Yes, surely", "Perhaps", "No"], [4, 15, 33, 48]),
        ]),
        section("The questions we share with other houses"),
        para("They were asked last, when the tea was cold and the answers came quickly. The third statement on agreement led to more conversation than all the others together, and one interviewer was shown a bookcase by way of proof."),
        *common_tables("merrow-2019", "M.{}", "Valley", {
            "The opening hours of the public library": ["19.3%", "36.3%", "29.4%", "15.0%"],
        }),
        *chapter("Appendix C. Wording of the shared questions"),
        para("Printed on cards the size of a paperback. Two cards were lost in Thrale and have not been heard of since."),
        *questionnaire("M.{}"),
    ]


# ---------------------------------------------------------------------------------------------------------------------
# Merrow Valley, telephone pilot


def merrow_2016() -> list[Block]:
    """A pilot that spends half its pages on its own mistakes."""
    return [
        front_page("Ringing Round", "A telephone pilot on library use in the Merrow Valley, 2016", "Corriedale Survey Centre", "Jonah Skerritt", "Corriedale Papers, number 19"),
        heading("Before you read on"),
        para("This is the report of a pilot. It was meant to show whether people in the valley could be asked about libraries by telephone, cheaply and in a fortnight. They can, up to a point, and the point is the subject of the second half. Please do not quote the first half without it."),
        para("I was the whole of the project team, with eight interviewers on loan from the transport panel. They were used to asking about buses. In the first two days a number of respondents were asked which library they changed at."),
        call_out("In a nutshell", ["1,024 interviews in thirteen days at a cost of £14.85 each.", "45% of adults said they had used a library in the past year.", "The landline sample was too old, too settled and too polite."]),
        contents(),
        heading("Who uses libraries, as far as we can tell"),
        para("All six towns are in the sample, though not as they ought to be. Netherhope was dialled on two evenings when the whole of it was at the ploughing supper, and we ended with 41 people there. I give its line in the table in whole numbers for the sake of completeness and would not build a shelf on it, let alone a policy."),
        captioned(
            "Table A. Library use by town (per cent, rounded)",
            [
                ["Town", "Calls answered", "Interviews", "Used a library", "Have a card", "Used it last month"],
                ["Aldermoss", "934", "312", "51", "55", "22"],
                ["Great Pinnock", "702", "221", "46", "48", "18"],
                ["Sallowby", "509", "167", "44", "52", "19"],
                ["Thrale", "561", "184", "53", "54", "27"],
                ["Wether Cross", "327", "99", "36", "41", "12"],
                ["Netherhope", "143", "41", "29", "32", "17"],
            ],
        ),
        bars("Figure A. Used a library in the past year, per cent", ["Aldermoss", "Gt Pinnock", "Sallowby", "Thrale", "Wether Cross", "Netherhope"], [51, 46, 44, 53, 36, 29]),
        para("Readers with a head for such things will see that more people say they hold a card than say they have used it. On the telephone nobody looks in the drawer. When a hundred card holders were asked to read out the number, sixty-three could, twenty-two could not find it, and fifteen discovered during the call that it was a card for a swimming pool."),
        heading("What they do there"),
        para("Users were read a list. A list read aloud favours its end: I had the order turned round at half time, and 'attending an event', which had stood last, lost a third of its share by standing first. The figures below are the mean of the two halves."),
        captioned(
            "Table B. Things done at the library in the past year, users only",
            [
                ["Activity", "Men", "Women", "All users"],
                ["Borrowed a book", "78", "87", "83"],
                ["Brought a child", "19", "34", "27"],
                ["Read a newspaper", "31", "14", "21"],
                ["Used a computer", "23", "18", "20"],
                ["Asked for information", "16", "17", "17"],
                ["Attended an event", "6", "10", "8"],
            ],
        ),
        para("Newspapers are a man's affair, apparently, and a warm one. In Great Pinnock the three chairs beside the radiator have owners in all but law. One of them, reached at home, cut the interview short because it was five to ten and the doors open at ten."),
        para("Loans were not asked about in number. In rehearsal, people gave answers such as 'two a week, so about thirty', and the arithmetic of the interviewer became a part of the answer."),
        heading("What they would change"),
        para("Here the telephone shines. People talk freely about what annoys them when they can look out of the window while doing so. The coding of the 1,377 remarks took longer than the calls."),
        captioned(
            "Table C. Suggestions made, all respondents",
            [
                ["Suggestion", "Remarks", "Most often from"],
                ["Open in the evening", "284", "Aldermoss"],
                ["Parking", "241", "Great Pinnock"],
                ["Keep it open at all", "206", "Sallowby"],
                ["Newer books", "189", "Wether Cross"],
                ["Toilets", "163", "every town"],
                ["Coffee", "118", "Aldermoss"],
                ["No coffee", "57", "Aldermoss"],
                ["Other", "119", "Thrale"],
            ],
        ),
        bullets([
            "Evening opening is asked for by people at work and by people who remember being at work.",
            "The wish for coffee and the wish for its absence come from the same building.",
            "Nobody suggested a larger van. I had a whole section prepared on vans.",
        ]),
        heading("Money"),
        para("Respondents estimated what their household had paid for books since the previous Christmas. The median estimate is £40 and the mean £77.25, which says that a few people buy a great deal and that many people like the number forty."),
        captioned(
            "Table D. Estimated spending on books in a year",
            [
                ["Household", "Median, £", "Mean, £", "Refused to say"],
                ["One person", "25", "49.30", "12"],
                ["Couple", "45", "83.75", "17"],
                ["With children", "50", "96.45", "9"],
                ["Others", "30", "61.80", "14"],
            ],
        ),
        bars("Figure B. Mean spending on books in pounds", ["One person", "Couple", "With children", "Others"], [49.3, 83.75, 96.45, 61.8]),
        heading("Mistake one: the list of numbers"),
        para("The numbers came from the directory. A third of households are not in it any longer. Those who are in it tend to be owners, long resident, and over fifty-five. I knew this and thought that weighting would see to it. It does so for age. It does not do so for whatever makes a person stay in a directory, and I suspect that this same thing makes a person renew a library card."),
        para("There is evidence for the suspicion. With the help of the housing association, 120 mobile numbers were dialled in Sallowby as a side experiment. Of the people reached, 32 per cent had used a library. In the directory sample of the same town and the same ages the figure was 43."),
        heading("Mistake two: the time of day"),
        para("Calls were made from five to eight in the evening. Between five and six one reaches people who are cooking; between six and seven, nobody who is willing; between seven and eight, a nation in front of its television. I moved a third of the calls to Saturday morning in the second week, and the refusals fell by half."),
        captioned(
            "Table E. Calls and outcomes by time of day",
            [
                ["Hour", "Calls made", "Answered", "Interviews", "Minutes per interview"],
                ["Weekday, 5 to 6", "2,310", "1,015", "301", "10.4"],
                ["Weekday, 6 to 7", "2,540", "972", "187", "9.1"],
                ["Weekday, 7 to 8", "1,890", "793", "289", "11.6"],
                ["Saturday, 10 to 12", "860", "396", "247", "13.9"],
            ],
        ),
        para("The Saturday interviews are longer too. It was on a Saturday that a woman in Thrale read me, over the line, the whole of a poem by her daughter about the smell of returned books. It is not in the data set. I have it still."),
        bars("Figure C. Interviews per hundred answered calls", ["5 to 6", "6 to 7", "7 to 8", "Saturday"], [30, 19, 36, 62]),
        heading("Mistake three: being quick"),
        para("An interview of ten minutes leaves no room for a second thought. I recalled forty respondents after a week with the same six questions. On whether they had used a library in the year, five of the forty gave the opposite answer, four of them from no to yes. Time to remember, it would seem, is worth several points."),
        numbered([
            "Ask about the last visit first, with its month, and about the year afterwards.",
            "Name the branch. 'The library' means the county, the building or the school, depending on who is asked.",
            "Let the interviewer wait for three full seconds before going on.",
            "Do not thank people for a yes.",
        ]),
        heading("What a full study would cost"),
        para("A study at home, from addresses, with three thousand interviews, is estimated at £128,000 and would take the better part of a year. A telephone study of the same size would cost £44,550 and be wrong in ways that are now at least known. I recommend the former, and will not be applying to run it, since my knees are not what they were."),
        captioned(
            "Table F. Three designs compared",
            [
                ["Design", "Interviews", "Cost, £", "Weeks", "Expected response"],
                ["Telephone, directory", "3,000", "44,550", "6", "28%"],
                ["Telephone, mixed numbers", "3,000", "59,300", "9", "22%"],
                ["At home, from addresses", "3,000", "128,000", "30", "45%"],
            ],
        ),
        para("Thanks are due to the eight, who never want to hear the word radiator again: Bea, Colm, Dorcas, Ines, Piet, Rufus, Una and Wilf. They made 7,600 calls between them. Wilf, who made the last one, was asked by the respondent what it was all for, and replied that he was hoping to read about it."),
        disclosure(
            "Table G. What the Charter wants to know",
            "Ringing Round", "The Centre itself, from the training budget", "Corriedale Survey Centre (one man, eight voices)",
            "Whoever is eighteen and answers", "Every eighth entry of the directory", "By telephone",
            "Thirteen days in April 2016", "7,600 calls", "1,024", "Not worth computing", "Under twelve minutes", "Age and sex", "3.8 points, on paper", "Jonah Skerritt, evenings",
        ),
        heading("The questions, with plain counts"),
        para("Unweighted percentages, so that nobody can mistake them for an estimate."),
        *topline("merrow-2016", "Per cent of those asked, unweighted, whole numbers.", ["Reply", "All", "Under 55", "55 and over"], [
            ("1. Have you used a library in the past year?", ["Yes", "No", "Not sure"], [46, 51, 3]),
            ("2. Which branch do you know best?", ["One in my town", "One where I work", "One I knew as a child", "None"], [61, 9, 16, 14]),
            ("3. Is it easy to get to?", ["Very", "Fairly", "Not very", "Not at all"], [47, 32, 12, 9]),
            ("4. Would you mind if it shut?", ["A lot", "A bit", "No"], [58, 25, 17]),
            ("5. May we ring again?", ["Yes", "No", "Hung up"], [63, 31, 6]),
        ], decimals=0),
        heading("The long list"),
        para("Four hundred people were kept on the line for the questions which all houses ask. It was too many questions for a telephone. Around the thirtieth, voices go flat; by the fortieth, a kettle can be heard. I print the results since somebody went to the trouble of answering."),
        *common_tables("merrow-2016", "L-{}", "Pilot", decimals=0),
        heading("The long list as it was read out"),
        para("Slowly, with a pause where there is a full stop."),
        *questionnaire("L-{}"),
    ]


# ---------------------------------------------------------------------------------------------------------------------
# Oberlinde


def oberlinde_2021() -> list[Block]:
    """A report to a city council: resolutions, quarters, cost centres."""
    return [
        front_page("Report to the Council on the Residents' Survey 'City Library 2021'", "Submitted under Council resolution 2020/118", "Tannhof Institut, Oberlinde", "Dipl.-Soz. Wiebke Raumann", "Council paper 2021/204, public"),
        heading("Summary for members in haste"),
        para("The Council resolved on 3 November 2020 that residents should be consulted before the lease of the Main Library in the Kornmarkt is renewed. The Tannhof Institut was engaged for a fee of €61,900 net. Members will find the answer to the question of the lease in section 5 and the reasons for it in the sections before."),
        letters([
            "Residents wish the Main Library to remain in the Kornmarkt (67.8% in favour).",
            "They would accept a shorter working day for two quarter libraries in return.",
            "They reject an annual fee for adults by a narrow majority.",
            "They were, in 214 cases, unaware that there is a library in their own quarter.",
        ]),
        para("The Institut draws attention to the low participation in Nordvorstadt, which limits what can be said about the quarter where a closure has been discussed."),
        contents(),
        heading("Section 1: Mandate and conduct"),
        para("A questionnaire of eight pages was sent by post to 6,000 residents aged eighteen or over, drawn by the Statistical Office from the register. A version in four further languages could be asked for by card; 173 residents did so. Up to the closing date, 4 June 2021, there came back 2,594 questionnaires fit for use, or 43.2% of those sent."),
        para("Members have asked why the post was chosen. It reaches every household, it is answered at leisure and it leaves paper, which the auditors prefer. It also brings remarks in the margin. These were typed out by two student assistants and make up a volume of 190 pages that lies open for inspection in room 12."),
        captioned(
            "Overview 1: Dispatch and return by quarter",
            [
                ["Quarter", "Sent", "Returned", "Return rate"],
                ["Kornmarkt", "790", "421", "53.3%"],
                ["Gerbergraben", "980", "438", "44.7%"],
                ["Am Linderwehr", "1,150", "535", "46.5%"],
                ["Südhang", "1,060", "527", "49.7%"],
                ["Ziegelhof", "960", "372", "38.8%"],
                ["Nordvorstadt", "1,060", "301", "28.4%"],
            ],
        ),
        bars("Diagram 1: Return rate by quarter in per cent", ["Kornmarkt", "Gerbergraben", "Linderwehr", "Südhang", "Ziegelhof", "Nordvorstadt"], [53.3, 44.7, 46.5, 49.7, 38.8, 28.4]),
        disclosure(
            "Overview 1a: Particulars under the Charter of Survey Houses",
            "Residents' survey City Library 2021", "City of Oberlinde, Department IV", "Tannhof Institut",
            "Registered residents of eighteen years and over", "Simple random sample by the Statistical Office", "By post, eight pages",
            "19 April to 4 June 2021", "6,000 persons", "2,594", "43.2%", "Not applicable", "Quarter, age, sex", "1.9 points", "Dipl.-Soz. Raumann, extension 318",
        ),
        heading("Section 2: Use of the six libraries"),
        para("For the purposes of this paper a user is a resident who has entered at least one of the six municipal libraries since June 2020, closures for building work not being held against anyone. On this definition 48.9% of residents are users. The Main Library accounts for more visits than all quarter libraries taken together."),
        captioned(
            "Overview 2: Users, card holders and events by quarter of residence",
            [
                ["Quarter", "Users", "Card holders", "Attended an event", "Visits per user"],
                ["Kornmarkt", "64.1%", "53.9%", "21.1%", "11.8"],
                ["Gerbergraben", "51.2%", "41.5%", "12.6%", "7.4"],
                ["Am Linderwehr", "47.4%", "40.6%", "11.9%", "7.0"],
                ["Südhang", "55.8%", "49.2%", "17.8%", "8.3"],
                ["Ziegelhof", "40.3%", "34.4%", "6.5%", "5.1"],
                ["Nordvorstadt", "33.9%", "29.5%", "7.7%", "4.8"],
            ],
        ),
        para("The quarter of Südhang has no library of its own. Its residents cross the river to the Kornmarkt and are, in spite of this, the second most frequent users. The Library Directorate regards this as proof of the pull of a good building; the citizens' association of Südhang, in a letter annexed to the margin volume, regards it as proof of neglect."),
        para("Students are counted where they are registered. Since a good number of them are registered with their parents elsewhere, the reading rooms are fuller than the table would lead one to expect, above all in the weeks before the examinations in law."),
        heading("Section 3: Media and loans"),
        para("The Directorate made available its loan statistics for 2020. Digital loans have more than doubled since the regional consortium was joined. It should be borne in mind that a digital loan ends by itself, whereas a printed book must be carried back, so that the number of loans per title is bound to be greater."),
        captioned(
            "Overview 3: Loans in 2020 by medium and location (thousands)",
            [
                ["Medium", "Main Library", "Quarter libraries", "Online", "Acquisition cost, €"],
                ["Fiction", "161.3", "104.8", "88.2", "143,700"],
                ["Non-fiction", "137.9", "46.1", "51.7", "168,250"],
                ["Children and youth", "118.6", "172.4", "39.9", "121,480"],
                ["Music and film", "49.5", "21.2", "17.3", "38,600"],
                ["Newspapers", "-", "-", "64.0", "57,310"],
                ["Sheet music", "8.7", "0.4", "-", "9,870"],
            ],
        ),
        bars("Diagram 2: Loans of the quarter libraries in thousands", ["Fiction", "Non-fiction", "Children", "Music, film", "Sheet music"], [104.8, 46.1, 172.4, 21.2, 0.4]),
        para("Sheet music is a municipal peculiarity. The collection goes back to the bequest of an organist and is used by eleven choirs. When it was proposed to sell it, the Council chamber was sung at for a quarter of an hour; the minutes record the piece."),
        heading("Section 4: Obstacles"),
        para("Non-users (n = 1,325) were asked to tick what applies. Opening hours lead in all quarters but Ziegelhof, where the underpass is named by one in three. The Civil Engineering Department has been informed."),
        captioned(
            "Overview 4: Obstacles named by non-users",
            [
                ["Obstacle", "Women", "Men", "Total"],
                ["Opening hours", "31.6%", "29.1%", "30.4%"],
                ["Other pastimes preferred", "22.7%", "34.2%", "28.4%"],
                ["Buy or am given books", "29.8%", "21.5%", "25.9%"],
                ["Way there unpleasant after dark", "24.4%", "8.6%", "17.0%"],
                ["Annual card too dear", "9.3%", "10.9%", "10.1%"],
                ["Do not feel addressed", "8.0%", "11.3%", "9.5%"],
                ["Language", "5.5%", "6.2%", "5.8%"],
            ],
        ),
        para("The difference between women and men on the way home is the largest in the survey. Two remarks out of the margin may stand for many. 'I go on Wednesdays, when my son has training and can walk with me.' 'You ask about the library. Ask about the lamps.'"),
        para("Residents of non-local origin tick 'language' less often than the working group had presumed and 'do not feel addressed' more often. The Institut would understand this as a request for faces rather than dictionaries."),
        heading("Section 5: The Kornmarkt lease"),
        para("The lease runs out on 31 December 2022. The owner asks for €31.40 per square metre in place of the present €22.75. Three options were put to residents on a double page with a plan of each, drawn to the same scale and without adjectives."),
        captioned(
            "Overview 5: Options for the Main Library",
            [
                ["Option", "In favour", "Against", "Undecided", "Yearly cost, €"],
                ["Remain in the Kornmarkt", "67.8%", "18.9%", "13.3%", "1,046,000"],
                ["Move to the former customs yard", "23.2%", "61.1%", "15.7%", "688,000"],
                ["Divide among quarter libraries", "19.0%", "64.9%", "16.1%", "731,500"],
            ],
        ),
        para("Residents could favour more than one option; the columns therefore need not add up across rows. Even in Nordvorstadt, which would gain most from a division, the Kornmarkt has a majority of 54.6%."),
        call_out("Annual fee", "An annual fee of €12 for adults, with exemptions, is approved by 44.5% and refused by 49.8%. Among present card holders approval is greater than refusal. The Treasury expects receipts of €187,000."),
        bars("Diagram 3: In favour of remaining in the Kornmarkt, per cent by quarter", ["Kornmarkt", "Gerbergraben", "Linderwehr", "Südhang", "Ziegelhof", "Nordvorstadt"], [81.5, 68.4, 66.2, 73.7, 60.5, 54.6]),
        heading("Section 6: Hours"),
        para("Respondents filled in a grid of seven days and fourteen hours with their three favourite times. The result is a plain recommendation: fewer mornings, more evenings. The hour from eleven to twelve on Mondays was chosen by six persons in the whole of the city, three of whom are members of staff."),
        captioned(
            "Overview 6: Preferred times, share of residents choosing them",
            [
                ["Time", "Weekdays", "Saturday", "Sunday"],
                ["9 to 12", "7.9%", "28.7%", "5.4%"],
                ["12 to 15", "10.2%", "24.8%", "16.6%"],
                ["15 to 18", "37.3%", "15.9%", "21.9%"],
                ["18 to 20", "42.1%", "7.2%", "6.1%"],
                ["20 to 22", "18.4%", "3.3%", "2.8%"],
            ],
        ),
        para("The staff council was heard. It does not oppose evenings in principle but asks for the presence of two persons after seven, which would require 3.75 further posts in the Main Library. Sunday work would need an exemption by the district government; applications from other towns have taken fourteen months."),
        heading("Section 7: Confidence and wishes"),
        para("Some questions were taken from the general residents' survey so as to allow comparison between municipal services. The libraries enjoy the confidence of 82.3% of residents. The baths follow with 74.0%, refuse collection with 71.9%, the citizens' office with 49.6%."),
        captioned(
            "Overview 7: Wishes, up to three per person",
            [
                ["Wish", "Under 40", "40 to 64", "65 and over"],
                ["Work places with power sockets", "46.4%", "22.5%", "6.8%"],
                ["A garden or terrace", "31.7%", "29.0%", "27.7%"],
                ["Advice from a person", "14.3%", "25.6%", "43.8%"],
                ["Lending of tools and devices", "25.0%", "23.8%", "9.0%"],
                ["Lectures on the city", "8.2%", "20.3%", "35.2%"],
                ["A lift that works", "5.7%", "12.8%", "38.1%"],
            ],
        ),
        para("Concerning the lift, the Institut permits itself to note that it was stuck for ninety minutes in it, in the company of the Deputy Mayor, and that this part of the report was drafted there."),
        heading("Section 8: Proposals for resolution"),
        para("The Council may wish to resolve as follows."),
        numbered([
            "The lease in the Kornmarkt is renewed for ten years, with a break clause after six.",
            "The opening hours of the Main Library are moved by two hours towards the evening from 1 March 2022.",
            "The quarter libraries of Ziegelhof and Gerbergraben open at one in the afternoon.",
            "The underpass in Ziegelhof is lit all night.",
            "The Administration reports on the lift.",
        ]),
        para("Financial effects: additional expenditure of €358,000 yearly for rent and €214,300 for staff; reduced expenditure of €41,750 through shorter mornings. Cover is to be found under cost centre 4210."),
        para("The Committee for Culture has advised in favour by seven votes to four. The Committee for Finance asks that the annual fee should be examined again after the next budget."),
        heading("Annex: Distribution of answers"),
        *topline("oberlinde-2021", "Weighted percentages of the returned questionnaires, by quarter group.", ["Answer", "City", "Inner quarters", "Outer quarters"], [
            ("Question 3: How long have you lived in Oberlinde?", ["Since birth", "Over 20 years", "5 to 20 years", "Under 5 years"], [29, 28, 26, 17]),
            ("Question 8: With whom do you go to the library?", ["Alone", "With children", "With a partner", "With friends", "Not at all"], [25, 15, 6, 5, 49]),
            ("Question 14: How do you return borrowed media?", ["At the desk", "Machine", "Night slot", "Through others", "Nothing borrowed"], [17, 22, 5, 4, 52]),
            ("Question 19: Is the Main Library easy to find for strangers?", ["Yes", "Rather yes", "Rather no", "No"], [44, 29, 17, 10]),
            ("Question 23: How do you judge the prices of the cafeteria?", ["Cheap", "Fair", "Dear", "Never been there"], [6, 31, 18, 45]),
        ]),
        heading("Annex 2: Common questions of the survey houses"),
        para("The Committee for Culture asked that the city be made comparable with others. The common questions were therefore printed on pages six and seven of the form. They were translated in committee; the present wording is the official one, and the Institut bears no responsibility for its elegance."),
        *common_tables("oberlinde-2021", "K.{}", "Oberlinde"),
        heading("Annex 3: Wording"),
        para("Boxes to be ticked with a ball pen. Pencil was accepted."),
        *questionnaire("K.{}"),
    ]


# ---------------------------------------------------------------------------------------------------------------------
# Sondry Islands


def sondry_2020() -> list[Block]:
    """A field course of students writes up an island survey with hypotheses and a boat."""
    return [
        front_page("Books Across the Sound", "Reading and libraries on the Sondry Islands, 2020", "Brackwater University Polling Unit", "Field Course 4B with Dr Hesper Nance", "Working paper of the Polling Unit, no. 12"),
        heading("Abstract"),
        para("Seventeen students and one lecturer spent nine weeks on four islands and asked 946 islanders about reading. We test five hypotheses. Distance to the book boat matters less than we expected; having a reader next door matters more. Islands without a library read as much as the island with one, and pass each copy on about four times. We discuss what a loan is in a place where books travel by bread van."),
        call_out("Our hypotheses", ["H1 Islanders read less than the mainland mean of 69%.", "H2 The farther from the landing, the fewer boat loans.", "H3 Winter reading exceeds summer reading.", "H4 People with good internet read fewer printed books.", "H5 Sharing replaces borrowing where there is no library."]),
        contents(),
        heading("Getting there: setting and sample"),
        para("Sondry Mhor has the ferry, the school and the only library, a former customs office with a stove. Ansay, Little Ansay and Corran have none. A book boat, the Lettice, calls at each landing every second Wednesday from March to October and whenever the skipper feels like it from November to February."),
        para("There is no register we were allowed to draw from, so we made a list of chimneys. Every inhabited house was numbered by walking round; from 1,410 houses we drew 1,122 and spoke with one adult in each, chosen by a die. In 946 houses somebody agreed, an 84% response, which our lecturer says we shall never see again in our lives."),
        captioned(
            "Table 1: Houses and interviews",
            [
                ["Island", "Houses", "Drawn", "Interviews", "Library?"],
                ["Sondry Mhor", "846", "612", "503", "yes"],
                ["Ansay", "318", "288", "247", "no"],
                ["Little Ansay", "97", "91", "83", "no"],
                ["Corran", "149", "131", "113", "no"],
            ],
        ),
        para("We wore yellow jackets so as to be visible from afar. It meant that every house knew of our coming and that cake had generally been cut. A control for cake was suggested at the seminar and turned down."),
        bars("Figure 1: Interviews by island", ["Sondry Mhor", "Ansay", "Little Ansay", "Corran"], [503, 247, 83, 113]),
        heading("H1: Do islanders read less?"),
        para("No. Taking the usual definition, a book finished in twelve months for pleasure, 74% of islanders are readers. The island without a shop, Little Ansay, has the highest share. It also has the longest list of titles that respondents wished to lend to their interviewers, and two of us came home with more luggage than we had set out with."),
        captioned(
            "Table 2: Readers and books by island",
            [
                ["Island", "Readers, %", "Books, mean", "Books, median", "Read daily, %"],
                ["Sondry Mhor", "72", "12.6", "7", "33"],
                ["Ansay", "73", "13.1", "8", "34"],
                ["Little Ansay", "83", "19.7", "12", "48"],
                ["Corran", "79", "15.8", "9", "41"],
            ],
        ),
        para("The difference from the mainland figure is five points with a standard error of 1.6, so H1 is rejected and in fact reversed. We looked for an explanation in age, as the islands are old. Adjusting for age leaves three of the five points."),
        para("Fishermen are readers of long books. Crab boats wait for the tide for hours with the engine off; one skipper has read all of a nineteen-volume history of Byzantium in this manner and would now like to talk to somebody about it."),
        heading("H2: Distance and the boat"),
        para("For each house the walk to the landing was timed by the same two students at the same pace. Between the nearest and the farthest quarter of houses, boat loans fall from 9.2 a year to 7.7. The slope is real but gentle. Carrying six books up a hill seems to be no obstacle to people who carry gas bottles up it."),
        captioned(
            "Table 3: Loans from the book boat by walking time",
            [
                ["Walk to landing", "Houses", "Use the boat, %", "Loans a year", "Wait over an hour, %"],
                ["Under 10 minutes", "131", "62", "9.2", "8"],
                ["10 to 19 minutes", "118", "57", "8.8", "11"],
                ["20 to 39 minutes", "109", "58", "8.1", "15"],
                ["40 minutes or more", "85", "51", "7.7", "22"],
            ],
        ),
        bars("Figure 2: Boat loans a year by walking time in minutes", ["Under 10", "10 to 19", "20 to 39", "40 or more"], [9.2, 8.8, 8.1, 7.7]),
        para("The final column, waiting, turned out to be the better predictor. Where the landing is exposed, the boat is late, and it is not the walk but the standing about that puts people off. The islanders of Corran have asked for a shelter since before most of us were born. A quotation of £6,480 exists, in a drawer."),
        heading("H3: Winter and summer"),
        para("The question was asked in the form of a clock of twelve months, on which respondents laid ten beans. Beans were chosen since they neither roll nor blow away; both had happened with counters. On average 6.7 of the ten beans were laid between October and March."),
        captioned(
            "Table 4: Beans laid on each season, mean out of ten",
            [
                ["Group", "Winter", "Spring", "Summer", "Autumn"],
                ["Crofters", "4.4", "1.2", "0.9", "3.5"],
                ["Fishing", "4.1", "1.7", "1.5", "2.7"],
                ["Guest houses", "4.9", "1.6", "0.4", "3.1"],
                ["Retired", "3.2", "2.3", "2.1", "2.4"],
                ["Pupils", "2.6", "2.0", "3.6", "1.8"],
            ],
        ),
        para("H3 holds, except for pupils, who have set books in winter and freedom in July. The keepers of guest houses read least in summer of anyone we met. One showed us a novel with a bus ticket of May in it at page 31; it was then late August, and the ticket had not moved."),
        heading("H4: Does the internet eat the book?"),
        para("The cable reached Sondry Mhor and Ansay in 2017. Little Ansay and Corran make do with a mast. This should be as good as an experiment, and the result is a nuisance: print reading does not differ, and listening is more common where the connection is worse, because people load their recordings at the school once a week and then use them."),
        captioned(
            "Table 5: Formats by connection, readers only, %",
            [
                ["Format", "Cable islands", "Mast islands", "Difference"],
                ["Printed books", "93", "95", "+2"],
                ["E-reader or tablet", "24", "19", "-5"],
                ["Recorded books", "18", "29", "+11"],
                ["Radio readings", "37", "52", "+15"],
            ],
        ),
        para("We therefore drop H4, with some regret, as one of us has built a dissertation on it. There is a hint that shows are watched instead of read aloud in the cable homes with children (31% read aloud daily against 44%), but the bases are small."),
        bars("Figure 3: Formats on cable islands and mast islands, per cent of readers", ["Print", "E-reader", "Recorded", "Radio"], {"Cable": [93, 24, 18, 37], "Mast": [95, 19, 29, 52]}),
        heading("H5: Sharing"),
        para("We borrowed a method from the study of infectious diseases. Thirty copies of newly published novels were let loose in October with a slip inside, on which each reader was to write a date and the name of the island. After five months, 26 of the slips were recovered. They bear between them 118 readings."),
        captioned(
            "Table 6: Thirty books let loose",
            [
                ["Island of release", "Copies", "Slips recovered", "Readings", "Islands visited, mean"],
                ["Sondry Mhor", "10", "7", "22", "1.4"],
                ["Ansay", "8", "8", "37", "2.1"],
                ["Little Ansay", "5", "5", "34", "2.8"],
                ["Corran", "7", "6", "25", "1.9"],
            ],
        ),
        para("A copy released on Little Ansay was read nearly seven times, one released beside the library three times. We take that as support for H5. The bread van and the vet are the chief vectors. The vet, Mr Innes Garrow, has a crate in his car, and it is said on Corran that nobody there has called him to a sick ewe without asking what is in it."),
        quote("We never had a library, so we had to become one.", "Woman of 68, Little Ansay"),
        para("Four books have not been heard of. One slip was returned from a research ship off Greenland."),
        heading("What people want"),
        para("Our client, the Islands Council, wished to know if it should pay for a second librarian, a new engine for the Lettice, or a room on Ansay. We put the choice with its price. Opinion goes by island, as one may suppose, but the engine comes first or second everywhere."),
        captioned(
            "Table 7: First choice by island, %",
            [
                ["Choice", "Sondry Mhor", "Ansay", "Little Ansay", "Corran", "Price, £"],
                ["New engine for the boat", "34", "31", "58", "53", "27,900"],
                ["Second librarian", "39", "9", "6", "8", "24,350"],
                ["Room on Ansay", "8", "47", "13", "5", "36,700"],
                ["Landing shelters", "12", "8", "19", "30", "19,440"],
                ["None of these", "7", "5", "4", "4", "0"],
            ],
        ),
        para("The librarian, Miss Thora Bewick, was not asked in the survey, being an interested party, but was asked by all seventeen of us in turn over her stove. She would take the engine. A library that nobody can reach, she says, is a storeroom with opening hours."),
        heading("What we learned about method"),
        para("Islanders compare notes. By the fourth week people were answering question 9 before it was put, and improving on the neighbours' answers. We now randomise the order of villages and would, another time, randomise the questions."),
        numbered([
            "Ask permission of the oldest person on the landing. It is not a rule; it is quicker.",
            "Count chimneys in the morning, when they smoke.",
            "Write times in full. 'After the boat' can mean any hour.",
            "Carry a spare pencil for the respondent's grandchild.",
            "Leave before the second cake.",
        ]),
        para("Weights were computed for island, sex and age from the health board's list of patients. The sampling error is about 3.0 points for the whole and 10 points for Little Ansay. Two interviews were lost when a rucksack went overboard; the rucksack was found, the interviews were legible, and we have left them out because they had been read by everybody at the inn."),
        disclosure(
            "Table 8: Charter declaration, completed by the students",
            "Books Across the Sound", "Islands Council of Sondry", "Brackwater University Polling Unit",
            "Islanders of sixteen and over", "Inhabited houses, counted by us; one adult by die", "In person, on doorsteps and in boats",
            "29 June to 30 August 2020", "1,122 houses", "946", "84%", "52 minutes, cake included", "Island, sex, age", "3.0 points", "Dr Nance, who did the sums again",
        ),
        heading("Appendix: selected replies"),
        *topline("sondry-2020", "Per cent, rounded. Weighted.", ["Reply", "All islands", "Sondry Mhor", "Ansay", "Small islands"], [
            ("A. From whom did you get your last book?", ["A neighbour", "Family", "The book boat", "The library", "A shop", "The post"], [27, 17, 15, 13, 10, 18]),
            ("B. To whom will you give it next?", ["A neighbour", "Family", "Back where it came from", "I keep it", "No idea"], [31, 20, 25, 18, 6]),
            ("C. How is the light where you read?", ["Good", "Fair", "Poor", "I read in bed with a torch"], [51, 30, 10, 9]),
            ("D. Which is the best book about the islands?", ["The one by the minister", "The bird book", "The shipwreck book", "None is right", "Has not been written"], [19, 26, 22, 14, 19]),
            ("E. Would you take part again?", ["Yes", "Yes, in winter", "No"], [55, 36, 9]),
        ], decimals=0),
        heading("Appendix: the common block"),
        para("Every survey house asks these, so we did too. Several do not fit islands. 'By bus or train' produced great merriment on Corran, and for 'the public library nearest to you' people on Ansay pointed at the sea. We coded the sea as the boat."),
        *common_tables("sondry-2020", "i.{}", "Islands", decimals=0),
        heading("Appendix: the common block, wording"),
        para("We learned it by heart on the ferry."),
        *questionnaire("i.{}"),
    ]


# ---------------------------------------------------------------------------------------------------------------------
# Northern Dales


def dales_2022() -> list[Block]:
    """Question-and-answer journalism over a panel followed for five years."""
    return [
        front_page("Who stopped going?", "Five years of libraries in the Northern Dales, from the Pellworth Panel", "Pellworth Panel", "Story: Rosalind Achterberg. Data: Kit Mallender", "Panel Briefing, spring 2022"),
        heading("Start here"),
        para("Most surveys meet you once. The Pellworth Panel has been pestering the same people every February since 2018. That lets us answer a question no snapshot can: when library visits go down, is everybody going a little less, or are a few people vanishing altogether?"),
        para("The answer is people vanishing. They vanish at three moments, and each of the three can be seen coming. In this briefing we follow 1,688 panel members who answered all five waves, meet four of them, and end with what it would take to win back the ones who left."),
        call_out("Five numbers", ["1,688 people, five Februaries, 8,440 interviews.", "61% visited in the first year, 51% in the last.", "Of every ten who quit, six quit within twelve months of a move, a birth or a retirement.", "One in five quitters came back.", "Mean gap before coming back: 26 months."]),
        *chapter("Isn't everyone just reading on their phone?"),
        para("They are, and it makes little difference. We compared people who took up reading on a screen with people who did not, before and after. Both groups' visits fell at the same pace. Those who took up audiobooks in fact went to the library slightly more, chiefly in search of things to cancel a subscription with."),
        captioned(
            "Visits a year, before and after taking up a format",
            [
                ["Took up", "People", "Visits before", "Visits after", "Change"],
                ["E-books", "291", "5.37", "4.72", "-0.65"],
                ["Audiobooks", "347", "4.88", "5.06", "+0.18"],
                ["Neither", "1,050", "5.14", "4.43", "-0.71"],
            ],
        ),
        para("Phones do something else. They fill the small gaps, the queue and the bus stop, in which a paperback used to live. Panel members who said so did not read fewer books. They read them in fewer and longer sittings, and their books got thicker."),
        lines("Adults who visited a library, per cent of the panel by year", ["2018", "2019", "2020", "2021", "2022"], [61.0, 59.3, 56.2, 52.0, 51.1]),
        *chapter("So who quits?"),
        para("We call a quitter anyone with a visit in two running waves and then none in the next two. There are 236 of them. They are not the people you would guess. They own more books than average, they earn about the mean, and four in five rated their branch good or excellent in the last wave before they left it."),
        captioned(
            "Quitters and stayers compared at their last common wave",
            [
                ["Trait", "Quitters", "Stayers"],
                ["Age, mean", "44.7", "51.3"],
                ["Has a child under six", "31.8%", "13.6%"],
                ["Moved within a year", "28.4%", "6.7%"],
                ["Retired within a year", "9.3%", "3.5%"],
                ["Rated the branch good or excellent", "79.2%", "86.1%"],
                ["Owes a fine", "12.3%", "5.9%"],
                ["Household income, £ a week", "612", "598"],
            ],
        ),
        para("Look at 'moved'. A person who changes house within the same dale, often by under two miles, is four times as likely to quit. The card still works, the hours are alike. What breaks is the route: the library was on the way to something, and now it isn't on the way to anything."),
        *chapter("Meet Duncan, who went every Saturday and then did not"),
        para("Duncan Oakshott is a joiner in Hardraw Bridge. For three waves he visited fifty times a year with his daughter. In the autumn of 2019 she began to play football on Saturdays. 'I never thought, I'll stop going', he told us. 'There was a match, and another match. Then I'd have been embarrassed, as she used to wave at us.' She is the librarian, Nell Farrant, who remembers the pair exactly and had supposed that they moved away."),
        para("He still reads. His books come from a box in the changing room, left by other parents. When we asked what would get him back he said, without a pause: 'If it opened on Sunday. Or if someone rang up.'"),
        quote("You would miss a dentist's appointment and they'd send a text. I missed two years of library and nobody said a word.", "Duncan Oakshott, panel member since the first wave"),
        *chapter("Does it depend on where you live?"),
        para("Less than councillors think. The five dales started from different levels and fell in step, apart from Swinnerdale, where the branch moved into the school. There the visits of adults fell by more than in any other dale, while those of children rose so much that the total hardly moved."),
        captioned(
            "Visitors by dale, first and last wave",
            [
                ["Dale", "Panel members", "2018", "2022", "Branches"],
                ["Arkendale", "418", "64.3%", "56.5%", "4"],
                ["Swinnerdale", "297", "60.2%", "43.7%", "2"],
                ["Upper Thorne", "366", "62.7%", "54.0%", "3"],
                ["Coverhead", "224", "57.0%", "48.8%", "1"],
                ["Raysdale", "383", "58.9%", "49.1%", "3"],
            ],
        ),
        bars("Visitors by dale in the first and the last wave, per cent", ["Arkendale", "Swinnerdale", "Upper Thorne", "Coverhead", "Raysdale"], {"2018": [64.3, 60.2, 62.7, 57.0, 58.9], "2022": [56.5, 43.7, 54.0, 48.8, 49.1]}),
        para("Adults told us that they feel odd walking past a classroom. A side door and a coat of paint, at a cost of £17,250, have been promised for the summer. We shall know by the next wave whether oddness can be painted over."),
        *chapter("What about money?"),
        para("Since 2018 the average panel household has spent £94.60 a year on books, with remarkably little movement. Quitting does not raise it. People who stop borrowing do not begin to buy; they own what they own, swap, or let the habit shrink."),
        captioned(
            "Spending on books by year and group, £",
            [
                ["Year", "Stayers", "Quitters", "Never visited"],
                ["2018", "97.10", "101.70", "72.30"],
                ["2019", "95.90", "102.20", "74.80"],
                ["2020", "104.40", "108.50", "81.60"],
                ["2021", "98.80", "93.10", "76.20"],
                ["2022", "92.60", "88.90", "70.70"],
            ],
        ),
        para("One household on the panel spends more than £2,000 in every wave. We rang to see if there was a slip of the pen. There was not. There is, however, an extension."),
        lines("Quitters' spending on books by year, £", ["2018", "2019", "2020", "2021", "2022"], [101.7, 102.2, 108.5, 93.1, 88.9]),
        *chapter("Who comes back?"),
        para("Forty-nine of the 236 returned. Returners have something in common that surprised Kit when it fell out of the data at eleven at night: they were asked. Thirty-five had been invited by somebody, nearly always a child, a colleague or a member of staff met in a shop. Posters brought back one. Leaflets, nobody."),
        captioned(
            "What brought returners back",
            [
                ["Trigger", "Returners"],
                ["A child wanted to go", "17"],
                ["Staff met by chance", "10"],
                ["A colleague or friend", "8"],
                ["Needed a printer", "7"],
                ["Cold house", "6"],
                ["A poster", "1"],
            ],
        ),
        para("It is a small number of people, and chance plays a part in so small a number. Even so we'd bet a modest sum on the telephone. A call costs the county £1.90 with everything included. A leaflet drop in Arkendale in 2020 cost £3,860 and, as far as our panel can show, brought back no one."),
        *chapter("Meet Farida, who came back for the radiator"),
        para("Farida Lund had not been inside a library since her exams. Last winter she did the sums on heating her flat in Askrigg Row by day and carried her laptop to the branch instead. She was going to stay until spring. In April the manager asked if she would look after the seedlings, the library having started to lend seeds, and she has been keeper of the seed drawer ever since."),
        para("'I haven't borrowed a book yet', she says. 'I'm working up to it.' In our data she counts as a returner with thirty-one visits and no loans, and in the county's data, which count loans, she does not exist."),
        *chapter("Will they win the rest back?"),
        para("We asked the quitters who have not returned what they'd need. They could pick two."),
        captioned(
            "Picked by quitters who have not returned (n = 187)",
            [
                ["Would bring me back", "Picked", "Picked first"],
                ["Open when I am off work", "44.9%", "29.9%"],
                ["A message when a book I'd like comes in", "38.5%", "24.1%"],
                ["Wiping out old fines", "21.4%", "17.6%"],
                ["Something for toddlers on weekends", "20.3%", "13.9%"],
                ["A branch nearer to the new house", "19.8%", "10.2%"],
                ["Nothing would", "9.6%", "4.3%"],
            ],
        ),
        para("Only one in ten says that nothing would. On the evidence of the panel, it is a service people drift away from and not one they walk out of. Drift can be reversed, but it has no sound, and somebody has to be listening for it."),
        bars("Picked by quitters, per cent", ["Hours", "Message", "Fines", "Toddlers", "Nearer", "Nothing"], [44.9, 38.5, 21.4, 20.3, 19.8, 9.6]),
        *chapter("Small print that matters"),
        para("The panel began with 2,960 people recruited in 2017 from the electoral roll. Every wave loses some: 2,213 were left in the third wave, and 1,688 have answered in all five. Those who leave the panel are younger and move more, so we probably underestimate quitting. The weights used try to undo it and cannot do so altogether."),
        numbered([
            "We ask by telephone, or on paper for the forty-odd members who hate telephones.",
            "Every member gets the same interviewer each year if both are still about.",
            "Answers that contradict the last wave are read back, once, without comment.",
            "Members are paid £8 a wave; a third give it to the air ambulance.",
        ]),
        para("Nothing here was paid for by a library authority. The panel lives on a bequest from the Pellworth flour mill, whose founder wished to know 'what the Dales are thinking, and whether they can be got to think otherwise'. We have dropped the second half."),
        disclosure(
            "Charter of Survey Houses: our declaration",
            "Pellworth Panel, libraries briefing", "The Pellworth bequest", "Pellworth Panel",
            "Adults in five dales since 2017", "Electoral roll, fixed panel", "By telephone; paper on request",
            "1 to 28 February 2022", "2,623 members", "1,842", "70.2%", "24 minutes", "Age, moves, earlier visits", "2.7 points", "Kit Mallender",
        ),
        captioned(
            "How the panel shrank",
            [
                ["Wave", "Invited", "Answered", "Moved away", "Died"],
                ["February 2018", "2,960", "2,681", "41", "22"],
                ["February 2019", "2,897", "2,438", "67", "29"],
                ["February 2020", "2,801", "2,213", "58", "33"],
                ["February 2021", "2,710", "1,985", "49", "38"],
                ["February 2022", "2,623", "1,842", "62", "35"],
            ],
        ),
        *chapter("More answers from the last wave"),
        *topline("dales-2022", "February 2022, per cent.", ["Answer", "All", "Stayers", "Quitters", "Never visited"], [
            ("Do you know where your library card is?", ["In my wallet", "At home somewhere", "Lost", "Never had one"], [33, 29, 14, 24]),
            ("When someone says 'library', what comes to mind first?", ["Books", "Quiet", "Childhood", "A building", "A person", "Being told off"], [38, 17, 19, 12, 8, 6]),
            ("How do you pick a book?", ["By author", "By the cover", "Someone told me", "Reviews", "Whatever is there"], [32, 13, 24, 12, 19]),
            ("Do you finish books you do not like?", ["Always", "Mostly", "Seldom", "Never"], [18, 27, 30, 25]),
        ]),
        heading("The questions everybody asks"),
        para("Survey houses have a shared list. In a panel it does double duty, as a check that our long-suffering members have not become odd through being asked things for years. So far as we can see they have become slightly more honest about fines."),
        *common_tables("dales-2022", "P.{}", "Panel 2022"),
        heading("Word for word"),
        para("Exactly as read over the telephone, in the accent of the interviewer."),
        *questionnaire("P.{}"),
    ]


# ---------------------------------------------------------------------------------------------------------------------
# What the builder takes

QUELLMARK, MERROW = "research-quellmark-2021.pdf", "research-merrow-2019.pdf"


def documents() -> list[DemoDocument]:
    """The two sources and their six siblings."""

    def one(name: str, title: str, author: str, story: Sequence[Block], style: Style, role: str = "hard_negative") -> DemoDocument:
        return DemoDocument(name, title, DOCUMENT_TYPE, FAMILY, role, story, style, author=author)

    halvard = "Halvard Institute for Public Opinion"
    corriedale = "Corriedale Survey Centre"
    return [
        one(QUELLMARK, "Reading in Quellmark 2021", halvard, quellmark_2021(),
            Style(size=10.5, header="Halvard Institute | Reading in Quellmark 2021", footer="{page}", headings="ruled", accent="#5a2328"), "source"),
        one(MERROW, "Shelf Life: libraries and their readers in the Merrow Valley, 2019", corriedale, merrow_2019(),
            Style(page="b5", size=10.0, margin=54.0, header="{section} | Shelf Life", mirror=True, first_label=("roman", 1, ""), headings="centred", indent=True, accent="#2d4a2b"), "source"),
        one("research-quellmark-2018.pdf", "Reading in Quellmark 2018", halvard, quellmark_2018(),
            Style(size=10.5, header="Report 44 | Second wave | {section}", footer="- {page} -", tables="grid", accent="#333333")),
        one("research-quellmark-2023.pdf", "Reading in Quellmark 2023", halvard, quellmark_2023(),
            Style(font="sans", size=10.5, leading=15.0, justify=False, footer="Halvard Institute, Culture Desk | {page}", headings="bar", tables="zebra", accent="#0b5563")),
        one("research-merrow-2016.pdf", "Ringing Round: a telephone pilot on library use in the Merrow Valley, 2016", corriedale, merrow_2016(),
            Style(page="b5", size=10.5, margin=58.0, header="Corriedale Papers 19", footer="{page}", first_label=("arabic", 3, ""), accent="#2d4a2b")),
        one("research-oberlinde-2021.pdf", "Report to the Council on the Residents' Survey 'City Library 2021'", "Tannhof Institut", oberlinde_2021(),
            Style(font="sans", size=10.0, leading=14.0, header="Stadt Oberlinde | Council paper 2021/204", footer="Page {page}", tables="grid", headings="plain", justify=False, accent="#1d2f5e")),
        one("research-sondry-2020.pdf", "Books Across the Sound: reading and libraries on the Sondry Islands, 2020", "Brackwater University Polling Unit", sondry_2020(),
            Style(size=11.0, leading=14.6, header="{title}", footer="{page}", headings="plain", heading_font="sans", accent="#24506e")),
        one("research-dales-2022.pdf", "Who stopped going? Five years of libraries in the Northern Dales", "Pellworth Panel", dales_2022(),
            Style(font="serif", heading_font="sans", size=11.0, leading=15.0, footer="Pellworth Panel, spring 2022 | {page}", headings="ruled", tables="zebra", accent="#7a4a00", justify=False)),
    ]


def questions() -> list[DemoQuestion]:
    """Answerable questions on both sources and one that the Merrow report does not answer."""

    def one(key: str, document: str, question: str, answer: str, form: str, source: str, spans: tuple[str, ...], task: str = "lookup") -> DemoQuestion:
        skill = "recall" if task in {"lookup", "enumerate"} else "reasoning"
        return DemoQuestion(key, document, question, answer, form, (source,), spans, task, skill)

    return [
        one("quellmark-upper-lorn", QUELLMARK, "What percentage of adults in Upper Lorn visited a library in Quellmark's 2021 survey?",
            "61.3%", "Float", TABLE, ("Upper Lorn 318 61.3%",)),
        one("quellmark-interviews", QUELLMARK, "How many interviews did the Halvard Institute complete in Quellmark in 2021?",
            "2146", "Int", TEXT, ("the Institute completed 2,146 interviews",)),
        one("quellmark-gap", QUELLMARK, "By how many percentage points was the share of library visitors higher in Old Town than in Moor End in Quellmark in 2021?",
            "27.8", "Float", TABLE, ("Old Town 402 67.2%", "Moor End 339 39.4%"), "derive"),
        one("quellmark-director", QUELLMARK, "Under whose direction was the fieldwork in Quellmark in 2021?",
            "Ilse Varnholt", "Str", TEXT, ("under the direction of Ilse Varnholt",)),
        one("quellmark-sunday", QUELLMARK, "Which closed door did more respondents in Quellmark mind on a Sunday in 2021, Cooper's Stair or Linden Quay?",
            "Cooper's Stair", "Str", TEXT, ("214 respondents named the branch at Cooper's Stair and 176 the one at Linden Quay",), "compare"),
        one("quellmark-reasons", QUELLMARK, "Which reasons for not visiting a library were named by more than 30% of adults without a visit in Quellmark in 2021?",
            '["The bus no longer goes there", "I buy the books I want"]', "List", TABLE, ("The bus no longer goes there 34.6%", "I buy the books I want 33.1%"), "enumerate"),
        one("quellmark-print-ratio", QUELLMARK, "What is the ratio of print book spending of adults with children to that of one adult in Quellmark in 2021? Round to two decimals.",
            "2.01", "Float", TABLE, ("One adult 83.40", "Adults with children 167.50"), "derive"),
        one("quellmark-sunday-cost", QUELLMARK, "What is the yearly cost in crowns to open on Sunday afternoons according to the Quellmark survey of 2021?",
            "312000", "Int", TABLE, ("Open on Sunday afternoons 26.9% 32.7% 20.5% 312,000",)),
        one("quellmark-staff-time", QUELLMARK, "What percentage of all respondents in Quellmark in 2021 agreed strongly that staff in the public library have time to help people?",
            "26.7%", "Float", TABLE, ("C.1.h Staff in the public library have time to help people 26.7%",)),
        one("merrow-thrale-members", MERROW, "What percentage of adults in Thrale were library members in 2019?",
            "55.3%", "Float", TABLE, ("Thrale 63.8% 55.3%",)),
        one("merrow-addresses", MERROW, "From a sample of how many addresses were people in the Merrow Valley interviewed in 2019?",
            "6948", "Int", TEXT, ("from a sample of 6,948 addresses",)),
        one("merrow-gap", MERROW, "How many percentage points more of the adults were library visitors in Thrale than in Netherhope in 2019?",
            "28.1", "Float", TABLE, ("Thrale 63.8%", "Netherhope 35.7%"), "derive"),
        one("merrow-warden", MERROW, "Who is the Warden of the Corriedale Survey Centre in 2019?",
            "Honor Quillfeather", "Str", TEXT, ("Honor Quillfeather, Warden of the Centre",)),
        one("merrow-groups", MERROW, "Which three reading groups of the Merrow Valley did colleagues of the Corriedale Survey Centre sit in with?",
            '["Cobbler\'s Yard", "Little Ashing", "Sandle Bridge"]', "List", TEXT, ("the Cobbler's Yard group of Aldermoss, the Little Ashing group above Sallowby and the Sandle Bridge group",), "enumerate"),
        one("merrow-picture-books", MERROW, "How many loans of picture books were there in the Merrow Valley in 2018?",
            "138260", "Int", TABLE, ("Picture books 138,260",)),
        one("merrow-loan-ratio", MERROW, "What is the ratio of picture books loans to spoken word loans in the Merrow Valley in 2018? Round to two decimals.",
            "5.86", "Float", TABLE, ("Picture books 138,260", "Spoken word 23,580"), "derive"),
        one("merrow-branch-hours", MERROW, "How many branches in the Merrow Valley were open more than 30 hours a week in 2019?",
            "4", "Int", TABLE, ("Aldermoss Central 48", "Great Pinnock 41", "Sallowby 33", "Thrale 36"), "count"),
        one("merrow-interview-gap", MERROW, "How many more interviews were held in Aldermoss than in Wether Cross in the Merrow Valley study of 2019?",
            "319", "Int", TABLE, ("Aldermoss 31,450 1,604 721", "Wether Cross 11,730 923 402"), "derive"),
        one("merrow-medals", MERROW, "How many children in the Merrow Valley completed the summer challenge for a medal?",
            "1584", "Int", TEXT, ("completed by 1,584 of them",)),
        one("merrow-hours-satisfied", MERROW, "What percentage of all respondents in the Merrow Valley in 2019 were very satisfied with the opening hours of the public library?",
            "19.3%", "Float", TABLE, ("M.3.c The opening hours of the public library 19.3%",)),
        DemoQuestion("merrow-wages", MERROW, "What was the average monthly wage of paid library staff in the Merrow Valley in 2019?",
                     "Not answerable", "None", (), (), "lookup", "recall"),
    ]
