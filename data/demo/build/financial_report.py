"""Eight annual reports of harbour companies: two sources and six siblings with other years, owners and ports.

The accounts are kept by ``keep_books``: a balanced opening sheet is carried forward year by year through flows, so every
statement adds up, reports of one company in different years agree, and a question takes its answer from the books.
All companies, ports, ships and people are invented.
"""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from data.demo.build.layout import (
    Block,
    DemoDocument,
    DemoQuestion,
    Style,
    bare_page,
    big_title,
    box,
    bullets,
    chart_bar,
    chart_line,
    contents,
    cover,
    heading,
    joined,
    letters,
    note,
    numbered,
    page_break,
    page_labels,
    para,
    paras,
    quote,
    rule,
    side_by_side,
    space,
    spin,
    table,
)

FAMILY = "financial_report"
TYPE = "Financial report"


# --- books ----------------------------------------------------------------------------------------------------------


@dataclass
class Books:
    """Yearly figures of one company, whole thousands, by line and year."""

    segments: tuple[str, ...]
    costs: tuple[str, ...]
    lines: dict[str, dict[int, int]] = field(default_factory=dict)

    def put(self, line: str, year: int, value: float) -> int:
        self.lines.setdefault(line, {})[year] = round(value)
        return round(value)

    def __call__(self, line: str, year: int) -> int:
        return self.lines[line][year]

    def millions(self, line: str, year: int) -> str:
        return f"{self(line, year) / 1000:,.1f}"

    def moved(self, line: str, year: int, up: str = "rose", down: str = "fell") -> str:
        old, new = self(line, year - 1), self(line, year)
        return f"{up if new >= old else down} by {abs(new / old - 1) * 100:.1f} per cent"

    def cells(self, line: str, years: Sequence[int], sign: int = 1) -> list[str]:
        return [shown(sign * self(line, year)) for year in years]


def shown(value: int) -> str:
    return f"({-value:,})" if value < 0 else f"{value:,}"


def keep_books(
    seed: str,
    first: int,
    last: int,
    segments: Mapping[str, tuple[float, float]],
    costs: Mapping[str, float],
    fixed: float,
    debt: float,
    rate: float = 0.041,
    tax: float = 0.21,
    payout: float = 0.34,
) -> Books:
    """Return the books of a company: ``segments`` maps a name to (first revenue, yearly growth), ``costs`` to a share of revenue."""
    rng = random.Random(seed)
    books = Books(tuple(segments), tuple(costs))
    revenue = {name: start for name, (start, _) in segments.items()}
    total = sum(revenue.values())
    state = {
        "ppe": round(fixed),
        "intangibles": round(fixed * 0.021 + 37),
        "investments": round(fixed * 0.034 + 11),
        "inventories": round(total * 0.023),
        "receivables": round(total * 0.129),
        "cash": round(total * 0.164),
        "payables": round(total * 0.117),
        "tax_due": round(total * 0.019),
        "provisions": round(total * 0.051),
        "pensions": round(total * 0.083),
        "deferred_tax": round(fixed * 0.047),
        "borrowings": round(debt),
    }
    owed = ("payables", "tax_due", "provisions", "pensions", "deferred_tax", "borrowings")
    capital = round(fixed * 0.18, -2)
    reserves = sum(value for key, value in state.items() if key not in owed) - sum(state[key] for key in owed) - capital
    earlier_profit = total * 0.09
    for year in range(first, last + 1):
        _trade(books, year, rng, segments, costs, revenue, state["ppe"])
        sales = books("revenue", year)
        books.put("finance_income", year, state["cash"] * rng.uniform(0.004, 0.011) + 3)
        books.put("finance_costs", year, state["borrowings"] * rate * rng.uniform(0.9, 1.1))
        before = books.put(
            "before_tax",
            year,
            books("operating_profit", year) + books("finance_income", year) - books("finance_costs", year),
        )
        books.put("tax", year, before * tax * rng.uniform(0.9, 1.08))
        profit = books.put("profit", year, before - books("tax", year))
        books.put("dividends", year, max(earlier_profit, 0) * payout * rng.uniform(0.93, 1.07))
        flows = {
            "inventories": round(sales * rng.uniform(0.019, 0.028)) - state["inventories"],
            "receivables": round(sales * rng.uniform(0.112, 0.147)) - state["receivables"],
            "payables": round(sales * rng.uniform(0.098, 0.134)) - state["payables"],
            "tax_due": round(books("tax", year) * rng.uniform(0.46, 0.61)) - state["tax_due"],
            "provisions": round(state["provisions"] * rng.uniform(-0.14, 0.15)),
            "pensions": round(state["pensions"] * rng.uniform(-0.09, 0.05)),
            "deferred_tax": round(state["deferred_tax"] * rng.uniform(-0.02, 0.04)),
            "intangibles": 0,
            "investments": round(state["investments"] * rng.uniform(-0.02, 0.06)),
        }
        depreciation = books("depreciation", year)
        capex = books.put("capex", year, depreciation * rng.uniform(0.85, 1.5))
        disposals = books.put("disposals", year, depreciation * rng.uniform(0.01, 0.06))
        repaid = books.put("repaid", year, state["borrowings"] * rng.uniform(0.07, 0.12))
        working = -flows["inventories"] - flows["receivables"] + flows["payables"]
        other = flows["tax_due"] + flows["provisions"] + flows["pensions"] + flows["deferred_tax"]
        operating = profit + depreciation + working + other
        free = state["cash"] + operating - capex + disposals - flows["investments"] - repaid - books("dividends", year)
        drawn = books.put("drawn", year, max(sales * rng.uniform(0.014, 0.041), sales * rng.uniform(0.11, 0.19) - free))
        books.put("working", year, working)
        books.put("other_flows", year, other)
        books.put("cash_operating", year, operating)
        books.put("bought", year, flows["investments"])
        books.put("cash_investing", year, disposals - capex - flows["investments"])
        books.put("cash_financing", year, drawn - repaid - books("dividends", year))
        books.put("opening_cash", year, state["cash"])
        for key, change in flows.items():
            state[key] += change
        state["ppe"] += capex - disposals - depreciation
        state["borrowings"] += drawn - repaid
        state["cash"] = free + drawn
        reserves += profit - books("dividends", year)
        earlier_profit = profit
        _close(books, year, state, capital, reserves, rng)
    return books


def _trade(
    books: Books,
    year: int,
    rng: random.Random,
    segments: Mapping[str, tuple[float, float]],
    costs: Mapping[str, float],
    revenue: dict[str, float],
    ppe: float,
) -> None:
    for name, (_, growth) in segments.items():
        revenue[name] *= 1 + growth + rng.uniform(-0.055, 0.06)
        books.put(f"revenue {name}", year, revenue[name])
    sales = books.put("revenue", year, sum(books(f"revenue {name}", year) for name in segments))
    spent = sum(
        books.put(f"cost {name}", year, sales * share * rng.uniform(0.93, 1.08)) for name, share in costs.items()
    )
    depreciation = books.put("depreciation", year, ppe * rng.uniform(0.044, 0.052))
    income = books.put("other_income", year, sales * rng.uniform(0.008, 0.021))
    profit = books.put("operating_profit", year, sales + income - spent - depreciation)
    weights = {name: books(f"revenue {name}", year) * rng.uniform(0.7, 1.4) for name in segments}
    left = profit
    for index, name in enumerate(segments):
        part = left if index == len(segments) - 1 else round(profit * weights[name] / sum(weights.values()))
        books.put(f"result {name}", year, part)
        left -= part


def _close(
    books: Books, year: int, state: Mapping[str, int], capital: float, reserves: float, rng: random.Random
) -> None:
    for key, value in state.items():
        books.put(key, year, value)
    due = books.put("borrowings_current", year, state["borrowings"] * rng.uniform(0.07, 0.12))
    books.put("borrowings_long", year, state["borrowings"] - due)
    books.put("non_current_assets", year, state["ppe"] + state["intangibles"] + state["investments"])
    books.put("current_assets", year, state["inventories"] + state["receivables"] + state["cash"])
    books.put("total_assets", year, books("non_current_assets", year) + books("current_assets", year))
    books.put("current_liabilities", year, state["payables"] + state["tax_due"] + due)
    books.put(
        "non_current_liabilities",
        year,
        books("borrowings_long", year) + state["provisions"] + state["pensions"] + state["deferred_tax"],
    )
    books.put("total_liabilities", year, books("current_liabilities", year) + books("non_current_liabilities", year))
    books.put("capital", year, capital)
    books.put("reserves", year, reserves)
    books.put("equity", year, capital + reserves)
    if books("equity", year) + books("total_liabilities", year) != books("total_assets", year):
        raise AssertionError(f"the balance sheet of {year} does not balance")


# --- statements -----------------------------------------------------------------------------------------------------

LABELS = {
    "revenue": "Revenue",
    "other_income": "Other operating income",
    "depreciation": "Depreciation and amortisation",
    "operating_profit": "Operating profit",
    "finance_income": "Finance income",
    "finance_costs": "Finance costs",
    "before_tax": "Profit before tax",
    "tax": "Income tax expense",
    "profit": "Profit for the year",
    "ppe": "Property, plant and equipment",
    "intangibles": "Intangible assets",
    "investments": "Investments",
    "non_current_assets": "Total non-current assets",
    "inventories": "Inventories",
    "receivables": "Trade and other receivables",
    "cash": "Cash and cash equivalents",
    "current_assets": "Total current assets",
    "total_assets": "Total assets",
    "payables": "Trade and other payables",
    "tax_due": "Current tax liabilities",
    "borrowings_current": "Borrowings due within one year",
    "current_liabilities": "Total current liabilities",
    "borrowings_long": "Borrowings due after one year",
    "provisions": "Provisions",
    "pensions": "Retirement benefit obligations",
    "deferred_tax": "Deferred tax liabilities",
    "non_current_liabilities": "Total non-current liabilities",
    "total_liabilities": "Total liabilities",
    "capital": "Share capital",
    "reserves": "Retained earnings and reserves",
    "equity": "Total equity",
    "working": "Changes in working capital",
    "other_flows": "Other non-cash movements",
    "cash_operating": "Net cash from operating activities",
    "capex": "Purchase of property, plant and equipment",
    "disposals": "Proceeds from disposals",
    "bought": "Purchase of investments",
    "cash_investing": "Net cash used in investing activities",
    "drawn": "New borrowings",
    "repaid": "Repayment of borrowings",
    "dividends": "Dividends paid",
    "cash_financing": "Net cash from financing activities",
}


@dataclass(frozen=True)
class Voice:
    """How a company words and orders its statements: labels that differ from LABELS, the unit, the years shown."""

    unit: str
    years: tuple[int, ...]
    labels: Mapping[str, str] = field(default_factory=dict)

    def label(self, line: str) -> str:
        return self.labels.get(line, LABELS[line])

    def row(self, books: Books, line: str, sign: int = 1) -> list[str]:
        return [self.label(line), *books.cells(line, self.years, sign)]

    def span(self, books: Books, line: str, sign: int = 1) -> str:
        return " ".join(self.row(books, line, sign))

    @property
    def head(self) -> list[str]:
        return [self.unit, *map(str, self.years)]


def income_statement(books: Books, voice: Voice, caption: str) -> Block:
    costs = [[name, *books.cells(f"cost {name}", voice.years, -1)] for name in books.costs]
    rows = [
        voice.head,
        voice.row(books, "revenue"),
        voice.row(books, "other_income"),
        *costs,
        voice.row(books, "depreciation", -1),
    ]
    rows += [
        voice.row(books, line, sign)
        for line, sign in (
            ("operating_profit", 1),
            ("finance_income", 1),
            ("finance_costs", -1),
            ("before_tax", 1),
            ("tax", -1),
            ("profit", 1),
        )
    ]
    return table(rows, caption=caption, total_rows=(-6, -3, -1), keep=True)


def balance_sheet(books: Books, voice: Voice, caption: str, equity_first: bool = False) -> Block:
    assets = (
        "ppe",
        "intangibles",
        "investments",
        "non_current_assets",
        "inventories",
        "receivables",
        "cash",
        "current_assets",
        "total_assets",
    )
    owed = (
        "payables",
        "tax_due",
        "borrowings_current",
        "current_liabilities",
        "borrowings_long",
        "provisions",
        "pensions",
        "deferred_tax",
        "non_current_liabilities",
        "total_liabilities",
    )
    owned = ("capital", "reserves", "equity")
    order = [*assets, *(owned + owed if equity_first else owed + owned)]
    strong = (
        "non_current_assets",
        "current_assets",
        "total_assets",
        "current_liabilities",
        "non_current_liabilities",
        "total_liabilities",
        "equity",
    )
    return table(
        [voice.head, *(voice.row(books, line) for line in order)],
        caption=caption,
        total_rows=[1 + order.index(line) for line in strong],
        keep=True,
    )


def cash_flow(books: Books, voice: Voice, caption: str) -> Block:
    opening = ["Cash at the beginning of the year", *books.cells("opening_cash", voice.years)]
    closing = ["Cash at the end of the year", *books.cells("cash", voice.years)]
    order = (
        ("profit", 1),
        ("depreciation", 1),
        ("working", 1),
        ("other_flows", 1),
        ("cash_operating", 1),
        ("capex", -1),
        ("disposals", 1),
        ("bought", -1),
        ("cash_investing", 1),
    )
    money = (("drawn", 1), ("repaid", -1), ("dividends", -1), ("cash_financing", 1))
    lines = [
        *order,
        *(
            money
            if any(books("dividends", year) for year in voice.years)
            else [m for m in money if m[0] != "dividends"]
        ),
    ]
    rows = [voice.head, *(voice.row(books, line, sign) for line, sign in lines), opening, closing]
    return table(rows, caption=caption, total_rows=(5, 9, len(rows) - 3, len(rows) - 1), keep=True)


def segment_table(books: Books, voice: Voice, caption: str, what: str = "revenue") -> Block:
    total = "revenue" if what == "revenue" else "operating_profit"
    rows = [[name, *books.cells(f"{what} {name}", voice.years)] for name in books.segments]
    return table(
        [voice.head, *rows, [voice.label(total), *books.cells(total, voice.years)]], caption=caption, total_rows=(-1,)
    )


def segment_span(books: Books, voice: Voice, name: str, what: str = "revenue") -> str:
    return " ".join([name, *books.cells(f"{what} {name}", voice.years)])


def summary_table(books: Books, voice: Voice, years: Sequence[int], lines: Sequence[str], caption: str) -> Block:
    rows = [[voice.unit, *map(str, years)], *([voice.label(line), *books.cells(line, years)] for line in lines)]
    return table(rows, caption=caption, widths=[2.4, *[1.0] * len(years)])


def grown(
    seed: str, starts: Mapping[str, float], count: int, drift: float = 0.01, spread: float = 0.09, digits: int = 0
) -> dict[str, list[float]]:
    """Return ``count`` wandering yearly values for each name."""
    rng = random.Random(seed)
    made: dict[str, list[float]] = {}
    for name, start in starts.items():
        values, value = [], start
        for _ in range(count):
            value *= 1 + drift + rng.uniform(-spread, spread)
            values.append(round(value, digits) if digits else round(value))
        made[name] = values
    return made


def grown_table(
    head: Sequence[str], values: Mapping[str, Sequence[float]], caption: str, total: str = "", digits: int = 0
) -> Block:
    form = f"{{:,.{digits}f}}"
    rows = [[name, *(form.format(value) for value in row)] for name, row in values.items()]
    if total:
        rows.append([total, *(form.format(sum(column)) for column in zip(*values.values(), strict=True))])
    return table([list(head), *rows], caption=caption, total_rows=(-1,) if total else ())


def row_text(name: str, values: Sequence[float], digits: int = 0) -> str:
    return " ".join([name, *(f"{value:,.{digits}f}" for value in values)])


def as_list(*items: str) -> str:
    return json.dumps(list(items))


# --- what every annual report has to say, in its own words ----------------------------------------------------------

CUSTOMARY: dict[str, tuple[str, ...]] = {
    "Responsibility for the accounts": (
        "{board} {is|are} {responsible for|charged with} preparing the annual report and the financial statements {in accordance with|under} {the applicable law and accounting standards|the law and the accounting standards that apply}.",
        "{In doing so|For that purpose} {board} {must|is required to|has to} select suitable accounting policies, apply them consistently, and make judgements and {accounting estimates|estimates} that are {reasonable and prudent|prudent and reasonable}.",
        "Adequate accounting records {must be kept|have to be kept|are kept} which {disclose|show} with reasonable accuracy at any time the financial position of {org}, and the assets {must be|have to be|are} safeguarded against fraud and other irregularities.",
        "The financial statements {were prepared|are prepared|have been prepared} on a going concern basis, {since|because|as} there is {a reasonable expectation|good reason to expect} that {org} has adequate resources to {continue in operational existence|carry on its business} for the foreseeable future.",
        "{board} {confirms|states} that, to the best of {its|their} knowledge, the annual report {gives|presents} a fair review of the {development and performance|performance and development} of the business and {describes|of} the principal risks and uncertainties.",
    ),
    "Report of the independent auditor": (
        "We have audited the financial statements of {org}, which {comprise|consist of} the income statement, the balance sheet, the cash flow statement and the notes to the accounts, including a summary of significant accounting policies.",
        "In our opinion the financial statements give a true and fair view of the financial position of {org} {at|as of} the balance sheet date and of its financial performance and cash flows for the year then ended.",
        "{We conducted our audit|Our audit was conducted} in accordance with auditing standards; {our responsibilities under them|what they require of us} {are|is} described below, and we are independent of {org}.",
        "The {key audit matter|matter that took most of our time} was the {carrying amount|valuation} of the {quays and harbour works|harbour works and quays}, where the useful lives, the residual values and the {assessment|test} of impairment {depend on|rest upon} judgement; we {inspected|visited} a sample of assets, {compared|checked} useful lives {against|with} engineering reports and {recalculated|reperformed} depreciation.",
        "{A second matter|Another matter} was the recognition of revenue from port dues: we {traced|followed} a sample of ship calls from the log of the harbour office to the invoice and to the receipt of cash, and found {no misstatement that mattered|differences below our threshold|no material misstatement}.",
        "Reasonable assurance is a high level of assurance, but {is not a guarantee|no guarantee} that an audit will always detect a material misstatement when it exists; misstatements can arise from fraud or error.",
        "The other information in the annual report is the responsibility of {board}; we have read it and have nothing to report {in this regard|about it}.",
    ),
    "Internal control and risk management": (
        "{board} {has|bears} overall responsibility for the system of internal control and for reviewing its effectiveness; such a system can {manage|reduce} but not eliminate the risk of failure to achieve business objectives.",
        "A risk register is {kept|maintained} by management, reviewed {quarterly|every quarter|four times a year} and {brought before|presented to} {board} {twice a year|in spring and autumn}, with the likelihood and the impact of each risk scored before and after controls.",
        "The marine safety management system is audited each year against the port marine safety code, and the designated person {reports|has direct access} to {board}.",
        "The main features of internal control are a clear organisational structure with limits of authority, an annual budget approved by {board}, monthly management accounts {compared|set} against budget, and appraisal of capital expenditure before it is {committed|approved}.",
        "{No significant weakness|No significant control failing} was identified {in the year|during the year under review}; {the recommendations|recommendations} of the internal audit have been {accepted|agreed} and are followed up by the audit committee.",
    ),
    "Financial risk": (
        "Credit risk arises from trade receivables and from cash held with banks; customers are assessed before credit is given, ships' agents provide {deposits or guarantees|guarantees or deposits}, and an allowance for expected credit losses is made {on the basis of|from} past experience.",
        "Liquidity risk is managed by {keeping|maintaining} adequate cash and committed borrowing facilities, by monitoring forecast and actual cash flows and by {matching|spreading} the maturity of borrowings.",
        "Interest rate risk comes from borrowings at floating rates; {a part|a proportion} of the term loan is fixed, and a rise of one percentage point in market interest rates would {reduce|lower} the profit before tax {by a modest amount|without endangering the covenants}.",
        "Foreign exchange risk is {small|limited}, {since|because} nearly all income and expenditure is in the currency of the accounts; spare parts for cranes are the exception.",
        "The capital of {org} consists of equity and net debt; the objective is to {safeguard|preserve} the ability to continue as a going concern while keeping a capital structure that {allows|permits} investment in the harbour.",
        "Energy price risk has {grown|increased}: electricity and marine diesel are bought {partly|in part} at fixed prices for the winter months.",
    ),
    "Significant accounting policies": (
        "Property, plant and equipment is stated at cost less accumulated depreciation and impairment losses; cost includes expenditure directly attributable to bringing the asset to the location and condition {necessary|needed} for it to operate as intended.",
        "Depreciation is {calculated|charged} on a straight-line basis to write off the cost less the residual value over the estimated useful life of the asset; land is not depreciated, and useful lives are reviewed at each balance sheet date.",
        "Revenue is measured at the {fair value of the consideration received or receivable|consideration to which the port is entitled} and is recognised when control of the service passes to the customer, net of discounts and value added tax.",
        "Trade receivables are recognised initially at the invoiced amount and {subsequently|afterwards} measured at amortised cost less a loss allowance.",
        "Cash and cash equivalents comprise cash at bank and in hand and short-term deposits with {an original maturity|a maturity} of three months or less.",
        "Inventories of {fuel and spare parts|spare parts and fuel} are {valued|stated} at the lower of cost and net realisable value.",
        "Borrowings are recognised initially at fair value, net of transaction costs incurred, and subsequently stated at amortised cost using the effective interest method.",
        "Government grants relating to property, plant and equipment are {treated|recognised} as deferred income and released to the income statement over the expected useful life of the assets concerned.",
        "Provisions are recognised when there is a present obligation as a result of a past event, when it is probable that an outflow of resources will be required to settle it, and when the amount can be estimated reliably.",
        "Deferred tax is provided on temporary differences between the carrying amount of assets and liabilities and their tax base, using tax rates enacted {at|by} the balance sheet date.",
    ),
    "Critical judgements and estimates": (
        "The preparation of financial statements requires judgements, estimates and assumptions that affect the reported amounts of assets and liabilities, income and expenses; actual results may differ from these estimates.",
        "The useful life of quay walls and breakwaters is the most significant estimate: an increase of {five|ten} years in the average remaining life would {reduce|lower} the annual depreciation charge by about {a tenth|one tenth|nine per cent}.",
        "An impairment review of cash-generating units was carried out; the recoverable amount, {based on|being} value in use, exceeded the carrying amount in each case, and no reasonably possible change in {the|a} key assumption would cause an impairment loss.",
        "The distinction between maintenance dredging, which is {expensed|charged to the income statement} as incurred, and capital dredging, which is capitalised, requires judgement about the declared depth of the channel.",
        "The retirement benefit obligation depends on assumptions about the discount rate, inflation and {mortality|life expectancy}, which were {set|chosen} on actuarial advice.",
    ),
    "Environment and climate": (
        "The port {reports|measures} direct emissions from fuel burnt in cranes, vehicles and harbour craft, and indirect emissions from purchased electricity; emissions of visiting ships in the port are {estimated|calculated} from their time at berth.",
        "{A transition plan|The plan adopted by {board}} {aims|seeks} to halve direct emissions by 2030 through electric cranes, shore power and {renewable diesel|biofuel} in the pilot launch.",
        "Dredged material is sampled before disposal under licence at sea, and where it is clean sand it is {used|placed} for beach nourishment or for reclamation.",
        "Water quality in the inner harbour is monitored {each month|monthly}; ballast water, ship's waste and oily water are {received|accepted} ashore {under|according to} the waste management plan.",
        "The harbour is exposed to sea level rise, to more frequent storms and to heavier rain; {new works|all new quays} are designed with an allowance for the sea level expected at the end of their life.",
    ),
    "People, health and safety": (
        "The safety of employees, contractors and harbour users comes before any commercial consideration, and everyone on the quays has the authority to stop work that {appears|looks} unsafe.",
        "Training {concentrated|centred} on mooring operations, lifting equipment, confined spaces and emergency response; a full exercise with the coast guard, the fire brigade and the ambulance service {took place|was held} in the {spring|autumn}.",
        "Pay is settled by collective agreement with the recognised trade unions; employees are consulted on matters that affect them through the works committee and kept informed of the financial performance of the business.",
        "{Applications for employment by disabled persons are always fully considered, bearing in mind|Disabled applicants are considered in full, with regard to} the aptitudes of the applicant.",
        "Every effort is made to {retrain|keep in work} employees who become disabled.",
        "Apprentices are taken on each September in the marine, mechanical and electrical trades, with a place on the permanent staff for those who complete their time.",
    ),
}

OPENERS = (
    "In addition, ",
    "As in earlier years, ",
    "It is recorded that ",
    "Moreover, ",
    "As before, ",
    "It may be added that ",
    "In particular, ",
    "Further, ",
    "As a matter of course, ",
    "In common with other ports, ",
    "As explained elsewhere, ",
    "Broadly, ",
    "In line with usual practice, ",
    "It is understood that ",
    "At the same time, ",
    "In this respect, ",
)

GLOSSARY: dict[str, str] = {
    "Berth": "{A place|The place} at a quay where a ship may lie {and work cargo|to load or discharge}",
    "Bollard pull": "The pulling force of a tug, {measured|taken} at zero speed",
    "Conservancy": "The {duty|task} of keeping a channel {marked, lit and deep enough|lit, marked and dredged}",
    "Declared depth": "The least depth {published for|promised in} a channel at chart datum",
    "Dues": "Charges on ships, goods or passengers for the use of {a|the} harbour",
    "Dwell time": "How long {a container or cargo|cargo or a container} stays in port between ship and gate",
    "Gross tonnage": "A measure of the {enclosed volume|whole enclosed volume} of a ship, on which dues are charged",
    "Linkspan": "A {hinged|movable} bridge between {quay and ferry|a ferry and the quay}",
    "Maintenance dredging": "Removal of {new silt|silt and sand} to restore a depth that {existed|was there} before",
    "Net debt": "Borrowings less cash and {cash equivalents|short-term deposits}",
    "Ro-ro": "Roll-on, roll-off: cargo that is {driven or towed|wheeled} aboard",
    "Shore power": "Electricity supplied to ships at berth so that {auxiliary engines can be stopped|they may stop their engines}",
    "TEU": "Twenty-foot equivalent unit, the measure of container {traffic|capacity}",
    "Working capital": "Inventories and receivables less {trade payables|payables}",
}


def customary(
    document: str, topic: str, org: str, board: str, count: int = 4, title: str = "", level: int = 1
) -> list[Block]:
    """Return a section on a topic every report covers: ``count`` sentences, chosen and worded for this document alone."""
    rng = random.Random(f"{document}|{topic}")
    pool = CUSTOMARY[topic]
    sentences = joined(
        rng,
        [spin(rng, sentence, org=org, board=board) for sentence in rng.sample(pool, min(count, len(pool)))],
        OPENERS,
    )
    cut = rng.randint(1, max(1, len(sentences) - 1))
    return [
        heading(title or topic, level),
        *paras(*(" ".join(part) for part in (sentences[:cut], sentences[cut:]) if part)),
    ]


def glossary(document: str, count: int = 9, title: str = "Glossary") -> list[Block]:
    """Return a table of port terms, each defined in words chosen for this document."""
    rng = random.Random(f"{document}|glossary")
    terms = sorted(rng.sample(sorted(GLOSSARY), count))
    return [
        heading(title),
        table([["Term", "Meaning"], *([term, spin(rng, GLOSSARY[term])] for term in terms)], align="ll", widths=[1, 3]),
    ]


# --- Harrowmouth Harbour Company ------------------------------------------------------------------------------------

HARROW = keep_books(
    "harrowmouth",
    2012,
    2021,
    {
        "Bulk terminals": (21400, 0.028),
        "Ferry and ro-ro": (15900, 0.012),
        "Conservancy and pilotage": (8700, 0.016),
        "Estate and marina": (5200, 0.035),
    },
    {
        "Staff costs": 0.271,
        "Dredging and marine": 0.083,
        "Plant hire and maintenance": 0.118,
        "Energy": 0.046,
        "Rents, rates and insurance": 0.057,
        "Other operating costs": 0.064,
    },
    fixed=118000,
    debt=46000,
)
HARROW_21 = Voice("\u00a3 thousand", (2021, 2020))
HARROW_18 = Voice(
    "\u00a3'000",
    (2018, 2017),
    {
        "revenue": "Turnover",
        "profit": "Profit after taxation",
        "tax": "Taxation",
        "ppe": "Tangible fixed assets",
        "before_tax": "Profit on ordinary activities before taxation",
    },
)
HARROW_CARGO = grown(
    "harrow cargo",
    {
        "Animal feed": 612,
        "Roundwood": 388,
        "Cement and clinker": 274,
        "Road salt": 141,
        "Barley and malt": 97,
        "Scrap metal": 203,
    },
    10,
    0.004,
    0.12,
)
HARROW_YEARS = tuple(range(2012, 2022))


def _cargo(years: Sequence[int]) -> dict[str, list[float]]:
    return {name: [values[HARROW_YEARS.index(year)] for year in years] for name, values in HARROW_CARGO.items()}


HARROW_MEETINGS = [
    ["Director", "Board", "Audit and risk", "Safety and marine", "Remuneration"],
    ["Dame Orla Pettifer (chair)", "9 of 9", "\u2013", "4 of 4", "3 of 3"],
    ["Tobias Wrenfield (chief executive)", "9 of 9", "\u2013", "4 of 4", "\u2013"],
    ["Sunniva Achterberg (finance)", "9 of 9", "5 of 5", "\u2013", "\u2013"],
    ["Captain Idris Fallowes (harbour master)", "8 of 9", "\u2013", "4 of 4", "\u2013"],
    ["Mercy Oduya-Lamb", "9 of 9", "5 of 5", "\u2013", "3 of 3"],
    ["Lionel Garrick-Tay", "7 of 9", "4 of 5", "\u2013", "\u2013"],
    ["Fenella Strake", "8 of 9", "\u2013", "3 of 4", "2 of 3"],
    ["Rev. Amos Tindle (elected by harbour users)", "9 of 9", "\u2013", "4 of 4", "\u2013"],
]


def harrowmouth_2021() -> DemoDocument:
    b, v = HARROW, HARROW_21
    five = (2021, 2020, 2019, 2018, 2017)
    story: list[Block] = [
        cover(
            "Annual Report and Accounts 2021",
            "Harrowmouth Harbour Company plc",
            ["For the year ended 31 December 2021", "Incorporated by the Harrowmouth Harbour Act 1863"],
            "HARROWMOUTH",
            ["Registered office: The Custom House, Lantern Quay, Harrowmouth", "Company number 0041 863"],
        ),
        contents(levels=1),
        page_break(),
        page_labels("arabic", 1),
        heading("Chair's letter to shareholders"),
        para(
            "In the last week of November the wind sat in the north-east for five days, and on the Friday night it reached a mean of 61 knots at the pier head. I walked the Long Arm the next morning with the harbour master. Two hundred and twelve metres of parapet had gone into the outer basin, the light was out, and the ferry __Saint Wulfra__ lay safe where the pilots had put her eleven hours earlier, against the advice of a forecast that had promised much less.",
            lead=True,
        ),
        *paras(
            f"A year that ends like that is easily remembered for its ending. It should be remembered also for what went before. Revenue {b.moved('revenue', 2021)} to \u00a3{b.millions('revenue', 2021)} million, the operating profit came to \u00a3{b.millions('operating_profit', 2021)} million, and for the first time since the crash of the roundwood trade every one of our four segments contributed to it.",
            "The Board asked two questions of every proposal this year: will it still earn its keep at a sea level forty centimetres higher, and would we be content to explain it to the people who live on Lantern Quay? The second question stopped more than the first. We did not proceed with the scrap shredder at Coldharbour, for which we had permission, because nobody on the Board could answer it with a straight face.",
            "I have said in earlier letters that a harbour company is a steward first and a business second. That is not modesty. The dues we may charge are fixed by an Act which also obliges us to keep the channel at its declared depth for all comers, and a channel does not know who its shareholders are. Our reward for keeping it is a modest and durable return. The proposed final dividend of 6.35 pence a share follows that principle; together with the interim of 2.90 pence it is covered 2.3 times by earnings.",
            "Lionel Garrick-Tay leaves us at the annual meeting after nine years in which he never once let a lazy adjective pass in a Board paper. Fenella Strake will take over the audit and risk committee. We thank them both, and the three hundred and forty-one people whose work is described in these pages.",
        ),
        para("**Dame Orla Pettifer**, Chair. Harrowmouth, 14 March 2022"),
        heading("The year at a glance"),
        summary_table(
            b,
            v,
            (2021, 2020),
            (
                "revenue",
                "operating_profit",
                "before_tax",
                "profit",
                "cash_operating",
                "capex",
                "total_assets",
                "equity",
            ),
            "Financial highlights",
        ),
        side_by_side(
            [
                heading("What went well", 3),
                bullets(
                    [
                        "Berth productivity at the Malt Quay rose from 14.2 to 16.9 tonnes a gang-minute after the second hopper was commissioned in May.",
                        "No lost-time injury among the stevedores for 417 consecutive days up to the year end.",
                        "The night ferry carried more lorries in October than in any month since it began.",
                    ]
                ),
            ],
            [
                heading("What did not", 3),
                bullets(
                    [
                        "The parapet of the Long Arm failed in the November gale; the repair is put at \u00a34.65 million.",
                        "Capital dredging of the Coldharbour turning circle was 19 weeks late.",
                        "Two apprentices in three left before finishing; we have changed how they are supervised.",
                    ]
                ),
            ],
        ),
        chart_bar(
            [str(y) for y in reversed(five)],
            {
                "Revenue": [b("revenue", y) / 1000 for y in reversed(five)],
                "Operating profit": [b("operating_profit", y) / 1000 for y in reversed(five)],
            },
            "Revenue and operating profit, 2017 to 2021",
            unit="\u00a3 million",
        ),
        heading("Chief executive's review"),
        *paras(
            "Harrowmouth handles what the country behind it needs and sells: feed for the hill farms in winter, salt for the roads above them, timber and barley going the other way. None of it is glamorous and most of it is heavy. When the weather closes the passes we are busy; when the harvest is late we wait. In 2021 the passes closed early and the harvest was good, which is the best that can be asked of any year.",
            "Ferry traffic is another matter. Passengers have not come back in the numbers we knew, and I doubt they will. Lorries have more than made good the loss. The operator, Skarre Line, moved the larger of its two ships to our night sailing in June and has asked for a longer linkspan; the heads of terms we signed in December commit them to 1,140 calls a year until 2031 and us to a lift-on span of 9.2 metres' greater length.",
        ),
        heading("Bulk terminals", 2),
        *paras(
            "The Malt Quay was rebuilt without ever closing. Work went on at night between tides, and the second hopper, nicknamed the Thrush by the gang for the noise it makes, has shortened the average discharge of a coaster by three hours and ten minutes. Scrap and salt were handled across it for the first time while their own berths were being mended.",
            "During the spring berths 3, 5 and 11 were out of use for the renewal of fenders and quay furniture; the order was chosen so that feed ships, which cannot wait, never lacked a place.",
        ),
        grown_table(
            ["Thousand tonnes", *map(str, five)], _cargo(five), "Cargo over the quays by commodity", "All cargo"
        ),
        heading("Conservancy, pilotage and the channel", 2),
        *paras(
            "We keep 31 kilometres of buoyed channel. The trailing suction dredger __Margery Dunn__, chartered from her owners in February to replace our own worn-out craft, lifted 486,300 cubic metres in 143 working days, most of it from the Sallow Bar. The declared depth at the bar was restored to 8.4 metres on 2 July after eighteen months at 7.9.",
            "Pilots boarded 2,764 ships. A new cutter, built at Penhallick to our own drawings, goes into service in the spring; her name was chosen by the pupils of Quayside School from a list that had, against advice, been left open.",
        ),
        heading("Estate and marina", 2),
        para(
            "All 264 marina berths are let and 88 names stand on the waiting list. The Ropewalk warehouses, empty since 2009, were let to a maker of sails, a baker, and the county archive, which needed 5.6 kilometres of dry shelving and found it above the baker's ovens. Rents from the estate are shown in note 3."
        ),
        quote(
            "They told me the archive had asked for the warmest floor in the building. I told them it comes with the smell of bread.",
            "Estates surveyor, in the staff newsletter",
        ),
        heading("Financial review"),
        *paras(
            f"Revenue {b.moved('revenue', 2021)}. Staff costs came to \u00a3{b('cost Staff costs', 2021):,} thousand and remain our largest expense; energy, although it is a small one, gave the most trouble, since the price of shore power is set by a contract that ran out in September. Net finance costs reflect the margin on the term loan, which falls by a quarter of a point whenever net debt is below two and a half times cash earnings.",
            f"Capital expenditure was \u00a3{b('capex', 2021):,} thousand, chiefly the Malt Quay and the first instalment on the cutter. We drew \u00a3{b('drawn', 2021):,} thousand under the facility and repaid \u00a3{b('repaid', 2021):,} thousand of older loans. Nothing was spent in the year on the parapet of the Long Arm beyond making it safe; the insurers have accepted the claim above an excess of \u00a3350,000.",
            "We have looked at the accounts as a lender would under three bad futures: the loss of the ferry, a wet harvest twice running, and interest rates three points higher. The company stays within its covenants in each taken alone. In the first and third together it would not, by a narrow margin, from the second year; the directors would then suspend the dividend.",
        ),
        segment_table(b, v, "Revenue by segment"),
        segment_table(b, v, "Operating profit by segment", "result"),
        chart_line(
            [str(y) for y in reversed(five)],
            {name: [b(f"revenue {name}", y) / 1000 for y in reversed(five)] for name in b.segments},
            "Segment revenue since 2017",
            unit="\u00a3 million",
        ),
        heading("Principal risks"),
        table(
            [
                ["Risk", "What we do about it", "Trend"],
                [
                    "Overtopping and failure of the outer works",
                    "Rebuild the parapet to a crest of 9.75 metres; inspect after every storm above force 9",
                    "Worse",
                ],
                [
                    "Loss of the ferry operator",
                    "Contract to 2031; minimum guarantee; berth can be adapted for unaccompanied trailers",
                    "Better",
                ],
                [
                    "A serious accident on the quays",
                    "Stop-work rule used 57 times this year, each time without reproach",
                    "Unchanged",
                ],
                [
                    "Siltation faster than dredging",
                    "Quarterly surveys; charter of the dredger has two options of a year each",
                    "Better",
                ],
                [
                    "Cyber attack on the vessel traffic system",
                    "Rehearsed two-day working on paper and radio in October",
                    "Worse",
                ],
            ],
            widths=[1.4, 2.6, 0.7],
            align="lll",
            caption="Register of principal risks, as the Board left it in December",
        ),
        heading("Governance"),
        *paras(
            "The company applies its own code, which the harbour users may read at the Custom House and may amend by two thirds at the annual meeting. One director is elected by them. The Board met nine times; one meeting was held aboard the dredger so that members might see what they were paying for.",
            "The audit and risk committee spent most of its time on the valuation of the estate and on a whistle-blower's letter about overtime sheets, which proved to be well founded. Fourteen people were repaid. The committee is grateful to the writer, who has since allowed herself to be thanked by name inside the company.",
        ),
        table(HARROW_MEETINGS, caption="Attendance at meetings in 2021", widths=[2.6, 1, 1.2, 1.3, 1.2], align="lcccc"),
        heading("Directors' remuneration", 2),
        table(
            [
                ["\u00a3", "Salary or fee", "Bonus", "Pension", "Total"],
                ["Tobias Wrenfield", "171,500", "38,200", "20,580", "230,280"],
                ["Sunniva Achterberg", "139,750", "29,900", "16,770", "186,420"],
                ["Captain Idris Fallowes", "124,300", "17,650", "14,916", "156,866"],
                ["Dame Orla Pettifer", "54,000", "\u2013", "\u2013", "54,000"],
                ["Other non-executive directors (each)", "27,250", "\u2013", "\u2013", "27,250"],
            ],
            caption="Remuneration for 2021",
        ),
        *customary("harrowmouth-2021", "Internal control and risk management", "the company", "the Board", 5, level=2),
        *customary("harrowmouth-2021", "Environment and climate", "the company", "the Board", 5, "Environment"),
        *customary("harrowmouth-2021", "People, health and safety", "the company", "the Board", 5, "Our people"),
        *customary(
            "harrowmouth-2021",
            "Responsibility for the accounts",
            "the company",
            "the directors",
            4,
            "Statement of directors' responsibilities",
        ),
        *customary(
            "harrowmouth-2021",
            "Report of the independent auditor",
            "the company",
            "the directors",
            7,
            "Independent auditor's report",
        ),
        page_break(),
        heading("Financial statements"),
        income_statement(b, v, "Income statement for the year ended 31 December"),
        page_break(),
        balance_sheet(b, v, "Balance sheet at 31 December"),
        page_break(),
        cash_flow(b, v, "Cash flow statement for the year ended 31 December"),
        para(
            "The statements were approved by the Board on 14 March 2022 and signed on its behalf by T. Wrenfield and S. Achterberg."
        ),
        heading("Notes to the accounts"),
        heading("1 Basis of preparation", 2),
        para(
            "The accounts follow the standards adopted for use in this country and the historical cost convention, except that investment property is carried at the surveyor's valuation. The directors believe the company can meet its debts for at least eighteen months and have prepared the accounts accordingly."
        ),
        heading("2 Accounting policies", 2),
        *paras(
            "__Revenue.__ Dues on ships are recognised when the ship clears the pier head, dues on goods when the last slings leave the hold. Rents accrue by the day. Where a customer has promised a minimum tonnage and will plainly miss it, the shortfall is taken at the year end and not before.",
            "__Quays and outer works.__ Masonry is written off over ninety years, steel piling over forty, fenders over twelve. A storm does not shorten a life by itself; what it destroys is written out at its carrying amount in the year of the storm. On this account \u00a3298 thousand left the books in November.",
            "__Dredging.__ Deepening is capitalised; keeping a depth is an expense. The line between them has been drawn, as in all years since 1998, at the declared depth of the chart of that year.",
            "__Pensions.__ The old scheme, closed in 2004, is valued by its actuary at a discount rate of 1.85 per cent. Gains and losses go to reserves.",
        ),
        *customary(
            "harrowmouth-2021", "Significant accounting policies", "the company", "the Board", 8, "Further policies", 3
        ),
        *customary(
            "harrowmouth-2021",
            "Critical judgements and estimates",
            "the company",
            "the Board",
            5,
            "Critical judgements",
            3,
        ),
        heading("3 Segments", 2),
        para(
            "Segments are those on which the chief executive reports to the Board. Assets are not divided among them, because the channel serves all. Rents included in Estate and marina were \u00a33,118 thousand from land and buildings and the rest from moorings."
        ),
        heading("4 Staff", 2),
        table(
            [
                ["Average number of employees", "2021", "2020"],
                ["Marine and pilotage", "87", "84"],
                ["Stevedores and plant", "138", "149"],
                ["Engineering", "61", "58"],
                ["Administration", "55", "57"],
                ["All employees", "341", "348"],
            ],
            total_rows=(-1,),
            caption="Employees by function",
        ),
        heading("5 Tangible assets", 2),
        table(
            [
                ["\u00a3 thousand", "Quays and outer works", "Craft", "Plant", "Total"],
                *_asset_rows(b, 2021, "harrow assets"),
            ],
            caption="Movement of property, plant and equipment",
            total_rows=(-1,),
            widths=[2, 1.4, 1, 1, 1],
        ),
        heading("6 Borrowings", 2),
        para(
            "The term loan of the Northern Mercantile Bank bears interest at 1.65 points over base rate and is repaid in quarterly instalments to June 2029. The debenture of 1911, of which \u00a3212,400 is outstanding, pays four per cent for ever and is held by the descendants of the men who drove the first piles."
        ),
        *customary(
            "harrowmouth-2021", "Financial risk", "the company", "the Board", 6, "Management of financial risk", 3
        ),
        heading("7 Events after the year end", 2),
        para(
            "On 9 February 2022 the company accepted a tender of \u00a34,412,000 for the rebuilding of the parapet. The contractor is bound to finish before the equinoctial gales, on pain of \u00a36,500 a day."
        ),
        heading("Five-year record"),
        summary_table(
            b,
            v,
            five,
            (
                "revenue",
                "operating_profit",
                "finance_costs",
                "profit",
                "dividends",
                "cash_operating",
                "capex",
                "total_assets",
                "borrowings_long",
                "equity",
            ),
            "Five-year record",
        ),
        note(
            "Figures for earlier years are as first published, except that 2019 has been restated for the change in pension discounting described in that year's report."
        ),
        *glossary("harrowmouth-2021", 11, "Words used in this report"),
        heading("For shareholders and harbour users"),
        para(
            "The annual meeting will be held in the Sail Loft, Lantern Quay, on Thursday 12 May 2022 at eleven o'clock. Harbour users may attend and speak on any business but the dividend. The register closes on 22 April; the final dividend, if approved, is paid on 27 May."
        ),
        bullets(
            [
                "Registrar: Pellow & Haste, 4 Assembly Row",
                "Auditor: Dunmallard LLP",
                "Bankers: Northern Mercantile Bank",
                "Solicitors: Quill, Tregarth & Co.",
            ]
        ),
    ]
    style = Style(
        page="b5",
        size=10.8,
        leading=15,
        margin=60,
        header="Harrowmouth Harbour Company plc|Annual Report and Accounts 2021",
        footer="{section}|{page}",
        mirror=True,
        first_label=("roman", 1, ""),
        headings="ruled",
        accent="#22384f",
    )
    return DemoDocument(
        "harrowmouth-annual-report-2021.pdf",
        "Harrowmouth Harbour Company plc: Annual Report and Accounts 2021",
        TYPE,
        FAMILY,
        "source",
        story,
        style,
    )


def _asset_rows(b: Books, year: int, seed: str, parts: Sequence[float] = (0.74, 0.11)) -> list[list[str]]:
    """Return a movement schedule in three classes that ends at the balance-sheet figure."""
    rng = random.Random(seed)

    def split(total: int) -> list[str]:
        first = round(total * parts[0] * rng.uniform(0.97, 1.03))
        second = round(total * parts[1] * rng.uniform(0.9, 1.1))
        return [str(first), str(second), str(total - first - second), str(total)]

    opening, bought = split(b("ppe", year - 1)), split(b("capex", year))
    sold, worn = split(-b("disposals", year)), split(-b("depreciation", year))
    closing = [str(sum(int(row[i]) for row in (opening, bought, sold, worn))) for i in range(4)]
    named = zip(
        ("Opening carrying amount", "Additions", "Disposals", "Depreciation", "Closing carrying amount"),
        (opening, bought, sold, worn, closing),
        strict=True,
    )
    return [[name, *(shown(int(cell)) for cell in row)] for name, row in named]


def harrowmouth_2018() -> DemoDocument:
    b, v = HARROW, HARROW_18
    years = (2018, 2017, 2016)
    story: list[Block] = [
        bare_page(),
        space(60),
        big_title(
            "Harrowmouth Harbour Company plc", "Report of the directors and statement of accounts, 2018", scale=2.2
        ),
        rule(),
        para(
            "Presented to the one hundred and fifty-fifth annual meeting of the company, to be held at the Custom House on Wednesday 8 May 2019",
            centred=True,
        ),
        space(30),
        table(
            [
                ["Directors", ""],
                ["Sir Gerald Mompesson", "Chairman (retires at the meeting)"],
                ["Tobias Wrenfield", "Chief executive, from 1 September 2018"],
                ["Hallam Prewitt", "Finance director"],
                ["Captain Bryony Askew", "Harbour master"],
                ["Lionel Garrick-Tay", "Non-executive"],
                ["Dame Orla Pettifer", "Non-executive, chairman designate"],
                ["Jonah Pascoe", "Elected by harbour users"],
            ],
            align="ll",
            widths=[1, 1.4],
        ),
        page_break(),
        heading("Chairman's statement"),
        *paras(
            "This is the twelfth statement I have signed and it will be the last. I shall therefore be brief about the past year and a little less brief about the next ten.",
            f"Turnover {b.moved('revenue', 2018)} to \u00a3{b('revenue', 2018):,} thousand. The roundwood trade lost its largest shipper when the Ellerby mill shut its gates on 30 April, without a week's warning to anyone, and what had been the pride of our Timber Quay became a car park for trailers. That it earns more as a car park is a fact in which I take no pleasure.",
            "The new linkspan was opened on 16 July. It cost \u00a38.73 million against an estimate of \u00a38.9 million, and it was ready eleven days before it was promised. I record both facts because I shall not be believed otherwise. Skarre Line brought the __Saint Wulfra__ to it on the same afternoon.",
            "To my successor I leave three pieces of unfinished business. The outer works are older than any of us and stand in deeper water than they were built for. The pension scheme, although closed, will want money until 2040. And the town does not love us as it did when one household in four lived by the port; it is one in nineteen now. I should put the last of these first.",
            "The directors recommend a final dividend of 5.10 pence, making 7.40 pence for the year.",
        ),
        para("**Gerald Mompesson**, 20 March 2019"),
        heading("Directors' report"),
        heading("Trade of the port", 2),
        *paras(
            "Ships entering numbered 2,391, of which ferries made 706. The mean size of a cargo ship went up again: fewer calls, more on each. Animal feed had a mild winter to contend with and road salt a worse one; the stockpile on the Salt Field stood at 44,000 tonnes on New Year's Eve and had to be sheeted.",
            "The grab crane at berth 7, delivered in 1974, was retired with some ceremony. Its driver for twenty-six of those years, Mr Dudley Cobbold, lowered the hook for the last time and has been asked to write down what he knows about the tides in the inner basin, which no instrument of ours has yet explained.",
        ),
        grown_table(["Tonnes, thousand", *map(str, years)], _cargo(years), "Goods landed and shipped", "Total goods"),
        heading("Dredging", 2),
        para(
            "Our own dredger __Lady Mompesson__ was laid up for 96 days with a cracked pump casing. The bar silted by half a metre before the autumn and the declared depth was brought down to 8.0 metres on 3 October. Enquiries are being made about chartering a larger vessel. The Board is not sentimental about names."
        ),
        heading("Property", 2),
        para(
            "Planning consent for 48 dwellings on the former gasworks was refused on appeal. The Ropewalk remains unlet. The marina, opened in 2003 for 240 boats, is full in summer and three quarters full in winter, and is to be extended by a pontoon of two dozen berths as soon as the sea bed has been tested for metals."
        ),
        heading("Employees", 2),
        para(
            "The company employed 372 people on average. Two accidents were reportable. A ballot on the shift pattern for stevedores was held in June; 71 per cent of those voting preferred four days on and three off, which began in September."
        ),
        chart_bar(
            ["2014", "2015", "2016", "2017", "2018"],
            {"Turnover": [b("revenue", y) / 1000 for y in range(2014, 2019)]},
            "Turnover in five years (\u00a3 million)",
            labels=False,
        ),
        *customary("harrowmouth-2018", "People, health and safety", "the company", "the directors", 3, "Safety", 2),
        *customary("harrowmouth-2018", "Environment and climate", "the company", "the directors", 3, "Environment", 2),
        *customary(
            "harrowmouth-2018", "Internal control and risk management", "the company", "the directors", 4, level=2
        ),
        heading("Finance director's report"),
        *paras(
            f"The profit after taxation was \u00a3{b('profit', 2018):,} thousand. Depreciation took \u00a3{b('depreciation', 2018):,} thousand, more than before, because the linkspan was brought into the books at mid-year and the old one, which should have been fully written down, turned out not to have been.",
            f"Borrowing to finish the linkspan amounted to \u00a3{b('drawn', 2018):,} thousand. The bank's covenant requires operating profit to cover interest three times; it did so with something to spare. There is no intention to borrow in 2019.",
            "Mr Prewitt adds a personal note: the ledger of the company has been kept without a break since 1864, and with the change of system in January the last bound volume, number 139, was closed. It may be seen at the Custom House.",
        ),
        *customary("harrowmouth-2018", "Financial risk", "the company", "the directors", 6, level=2),
        segment_table(b, v, "Turnover by activity"),
        segment_table(b, v, "Operating profit by activity", "result"),
        *customary("harrowmouth-2018", "Responsibility for the accounts", "the company", "the directors", 3),
        *customary(
            "harrowmouth-2018",
            "Report of the independent auditor",
            "Harrowmouth Harbour Company plc",
            "the directors",
            5,
            "Auditor's report to the members",
        ),
        page_break(),
        heading("Statement of accounts"),
        income_statement(b, v, "Profit and loss account, year to 31 December"),
        page_break(),
        balance_sheet(b, v, "Balance sheet, 31 December", equity_first=True),
        page_break(),
        cash_flow(b, v, "Statement of cash flows"),
        heading("Notes"),
        numbered(
            [
                "__Convention.__ Cost, less depreciation. The masonry of the harbour, whose cost nobody knows, stands at the value put on it by arbitration in 1921.",
                "__Lives.__ Piling thirty-five years; craft twenty; cranes fifteen; vehicles six; the linkspan thirty.",
                "__Turnover__ is stated without value added tax and after rebates to shippers of more than 50,000 tonnes a year, which came to \u00a3614 thousand.",
                "__Bad debts.__ The Ellerby mill owed \u00a3527 thousand when it closed. Ninety per cent has been provided; a lien on 6,100 cubic metres of sawn timber accounts for the remainder.",
                "__Pensions.__ Discount rate 2.80 per cent; inflation 3.10; a pensioner aged sixty-five is expected to live to eighty-six and five months.",
                "__Audit.__ The auditors' fee was \u00a371,250. They were paid nothing else.",
                "__Commitments.__ Contracts placed and not provided for: \u00a31,094 thousand, nearly all for the marina pontoon and a new salt conveyor.",
            ]
        ),
        *customary(
            "harrowmouth-2018", "Significant accounting policies", "the company", "the directors", 8, "Policies", 2
        ),
        *customary(
            "harrowmouth-2018", "Critical judgements and estimates", "the company", "the directors", 3, "Estimates", 2
        ),
        heading("Fixed assets", 2),
        table(
            [
                ["\u00a3'000", "Works", "Craft", "Plant", "Total"],
                *_asset_rows(b, 2018, "harrow assets 18", (0.71, 0.14)),
            ],
            total_rows=(-1,),
            caption="Tangible fixed assets",
        ),
        heading("Ten points for the new chairman"),
        para(
            "At the request of the Board the retiring chairman set down, in place of a speech, the matters that had most occupied him. They are printed as he gave them."
        ),
        numbered(
            [
                "Walk the Long Arm once a month in bad weather. No report describes it.",
                "The harbour master is right about ships and the finance director about money; beware of the days on which they agree.",
                "A shipper who threatens to leave has nowhere to go. A shipper who falls silent has already gone.",
                "Never raise dues and cut a sailing in the same quarter.",
                "Keep the dredging in plain sight. It is the one thing we do for everyone.",
                "Ask the stevedores first.",
                "Do not sell land.",
                "When the auditors are bored, be glad.",
                "Answer letters from the town yourself.",
                "Leave in time.",
            ]
        ),
        *glossary("harrowmouth-2018", 6, "Terms"),
        heading("Three-year table", 2),
        summary_table(
            b,
            v,
            years,
            ("revenue", "operating_profit", "before_tax", "profit", "dividends", "ppe", "equity"),
            "Summary of three years",
        ),
    ]
    style = Style(
        page="b5",
        size=10.5,
        leading=14.6,
        margin=60,
        header="",
        footer="Harrowmouth Harbour Company plc  2018|{page}",
        headings="centred",
        accent="#111111",
        indent=True,
        tables="rules",
    )
    return DemoDocument(
        "harrowmouth-report-2018.pdf",
        "Harrowmouth Harbour Company plc: Report and accounts 2018",
        TYPE,
        FAMILY,
        "hard_negative",
        story,
        style,
    )


# --- Ostrevik Havn --------------------------------------------------------------------------------------------------

OSTREVIK = keep_books(
    "ostrevik",
    2014,
    2022,
    {
        "Container and general cargo": (148200, 0.031),
        "Fish and cold storage": (116900, 0.044),
        "Cruise and passenger": (52400, 0.01),
        "Property": (39800, 0.028),
    },
    {
        "Personnel expenses": 0.296,
        "Maintenance of quays": 0.091,
        "Purchased services": 0.127,
        "Electricity and fuel": 0.058,
        "Other expenses": 0.083,
    },
    fixed=812000,
    debt=339000,
    rate=0.034,
    tax=0.22,
    payout=0.41,
)
OSTREVIK_22 = Voice(
    "NOK thousand",
    (2022, 2021),
    {
        "revenue": "Operating revenue",
        "before_tax": "Result before tax",
        "profit": "Result for the year",
        "payables": "Suppliers and other creditors",
        "reserves": "Other equity",
        "receivables": "Customers and other debtors",
    },
)
OSTREVIK_19 = Voice(
    "NOK 1,000",
    (2018, 2019),
    {
        "revenue": "Total operating income",
        "before_tax": "Profit before taxes",
        "profit": "Net profit",
        "cash": "Bank deposits",
        "reserves": "Retained earnings",
        "current_assets": "Sum current assets",
        "total_assets": "Sum assets",
    },
)
OSTREVIK_FISH = grown(
    "ostrevik fish",
    {"Herring": 41200, "Cod and haddock": 23700, "Salmon, farmed": 57900, "Shrimp": 3450, "Blue whiting": 18800},
    9,
    0.015,
    0.13,
)
OSTREVIK_YEARS = tuple(range(2014, 2023))
OSTREVIK_ENERGY = grown(
    "ostrevik energy",
    {"Cold stores": 21350, "Shore power to ships": 2960, "Cranes and lighting": 4870, "Buildings": 3540},
    9,
    0.03,
    0.1,
)


def _ostrevik(values: Mapping[str, Sequence[float]], years: Sequence[int]) -> dict[str, list[float]]:
    return {name: [row[OSTREVIK_YEARS.index(year)] for year in years] for name, row in values.items()}


def ostrevik_2022() -> DemoDocument:
    b, v = OSTREVIK, OSTREVIK_22
    years = (2022, 2021, 2020)
    story: list[Block] = [
        cover(
            "Annual report 2022",
            "Ostrevik Havn AS",
            ["A port for fish, for freight and for the town"],
            "OSTREVIK HAVN",
            ["Owned by the municipality of Ostrevik (72 per cent) and by Nordre Fjordkommune (28 per cent)"],
            drop=110,
        ),
        contents(levels=2),
        page_break(),
        heading("This is Ostrevik Havn"),
        *paras(
            "We own 3.4 kilometres of quay in the inner fjord and at Skarvholmen, two cold stores, a cruise terminal that is a gymnasium in winter, and the land between the railway and the sea. We are 118 people. Six boats out of ten that land herring between the two capes land it here.",
            "Our task is set by the owners in one sentence: the port shall be open, safe and in use every hour of the year, and shall pay its own way.",
        ),
        table(
            [
                ["Key figures", "2022", "2021"],
                ["Calls of ships", "4,927", "4,683"],
                ["Containers (TEU)", "38,416", "36,052"],
                ["Cruise passengers", "61,740", "9,385"],
                ["Sick leave, per cent", "5.6", "6.3"],
                ["Near misses reported", "214", "131"],
            ],
            caption="Key figures for the port",
        ),
        heading("Letter from the managing director"),
        para(
            "On 3 March at twenty past six in the morning the ammonia alarm went in Cold Store 2. Eighteen people were inside. All of them were out in four minutes, because they had practised it on the Tuesday before, grumbling. Nobody was hurt. I begin with this since nothing else we did in 2022 matters as much.",
            lead=True,
        ),
        *paras(
            f"The year was otherwise a good one. Operating revenue {b.moved('revenue', 2022)} and reached NOK {b.millions('revenue', 2022)} million. Farmed salmon again filled the cold stores to the doors, and in the second half of the year we turned away 5,200 pallets for want of room.",
            "The war in the east changed the price of everything we buy and the direction of some of what we ship. Steel for the new roller doors cost twice the estimate. Feed that used to come by rail now comes by sea, which is good for us and bad for those who eat it.",
            "In May the owners decided to build Cold Store 3 at Skarvholmen. It will hold 14,500 pallets at minus twenty-five degrees and will be cooled by sea water, with carbon dioxide in the pipes and no ammonia at all. The budget is NOK 287 million. We expect to put the first fish in it in August 2024.",
        ),
        para("Ragnhild Storvik Aune, managing director"),
        heading("Sustainability"),
        heading("Climate and energy", 2),
        *paras(
            "We count what we burn, what we buy, and what the ships burn at our quays. The last is by far the largest and the one we can do least about, except by giving them a plug. Shore power was connected 1,263 times; a trawler that used to run an auxiliary engine for thirty hours now lies silent under the windows of the nursing home, whose residents sent a cake.",
            "Our own emissions fell to 1,872 tonnes of CO2 equivalent. Two reach stackers went over to batteries. The pilot boat could not, since the makers withdrew the model.",
        ),
        grown_table(
            ["MWh", *map(str, years)],
            _ostrevik(OSTREVIK_ENERGY, years),
            "Electricity used in the port area",
            "All uses",
        ),
        heading("The sea bed", 2),
        para(
            "Old sins lie on the bottom. Together with the environment agency we have capped 46,000 square metres of the inner basin with clean crushed rock. Samples of mussels taken a year later held a third less tributyltin. Three moorings dating from the thirties, a delivery van and a church bell were brought up; the bell has gone back to Holm chapel, from which it was stolen in 1948."
        ),
        heading("Neighbours and working life", 2),
        *paras(
            "Complaints about noise came to 39, most of them about reversing alarms. We have changed the alarms to a hiss which can be heard at ten metres but not at a hundred.",
            "The working environment committee met six times. Of 118 employees 31 are women; among crane drivers it is five of fourteen, which we believe is a record in this country. Everyone has had the course in cold-water rescue, including the board, who were the loudest.",
        ),
        heading("Our four businesses"),
        segment_table(b, v, "Operating revenue by business"),
        segment_table(b, v, "Operating result by business", "result"),
        heading("Fish and cold storage", 2),
        para(
            "Landings were the second largest since records began. The auction hall sold 27,640 tonnes under the hammer, and the rest went straight to the plants under contract. A new ice machine makes 180 tonnes a day; the old one is kept for the Saturday boats, whose skippers say that the new ice is too dry."
        ),
        grown_table(
            ["Tonnes landed", *map(str, years)], _ostrevik(OSTREVIK_FISH, years), "Landings by species", "All species"
        ),
        heading("Container and general cargo", 2),
        para(
            "A weekly call by the Baltlink feeder began in week 14. Average dwell time of an import box shortened to 2.83 days from 3.4. Windmill blades for the Hestfjell plateau, 67.5 metres long, were taken through the town on eleven nights with the traffic lights laid flat."
        ),
        heading("Cruise and passenger", 2),
        para(
            "The ships are back, and so is the question how many the town wants. With the council we have agreed on a ceiling of 4,000 guests in a day, to apply from 2024. The three largest calls this year, those of the __Aurelia Borealis__, the __Queen Sigrun__ and the __Meridian Star__, would each have broken it."
        ),
        heading("Property", 2),
        para(
            "The grain silo was sold to a developer who will put forty flats and a concert room into it. A lease of nine years was signed with the coast guard for the whole of Pier House. Vacancy at the end of the year was 6.8 per cent of the floor area."
        ),
        chart_bar(
            [str(y) for y in range(2017, 2023)],
            {
                "Operating revenue": [b("revenue", y) / 1000 for y in range(2017, 2023)],
                "Operating result": [b("operating_profit", y) / 1000 for y in range(2017, 2023)],
            },
            "Six years in millions of kroner",
            unit="NOK million",
        ),
        heading("Report of the board"),
        *paras(
            f"The board proposes that of the result for the year, NOK {b('profit', 2022):,} thousand, four tenths be paid to the owners and the rest kept to build with. The board confirms that the accounts have been drawn up on the assumption that the company goes on.",
            "The company's risks are those of the sea, of prices and of interest. About 60 per cent of the debt is fixed for seven years on average. A rise of one point in the market rate would cost NOK 1.37 million a year before tax. Customers pay within thirty days or do not sail; losses on debts were NOK 84,000.",
            "Liability insurance has been taken out for the members of the board and the managing director with a limit of NOK 50 million for each claim.",
        ),
        table(
            [
                ["Member", "Appointed by", "Since", "Fee (NOK)"],
                ["Torbj\u00f8rn Eikrem (chair)", "Ostrevik", "2017", "192,000"],
                ["Liv Marit Sandnes", "Ostrevik", "2019", "118,000"],
                ["Odd-Erling Vatne", "Nordre Fjordkommune", "2020", "104,500"],
                ["Ayaan Warsame", "Ostrevik", "2021", "104,500"],
                ["Synn\u00f8ve Brekke", "Employees", "2016", "97,000"],
            ],
            caption="The board of directors",
            align="lllr",
            widths=[2, 1.6, 0.8, 1],
        ),
        *customary(
            "ostrevik-2022",
            "Internal control and risk management",
            "the company",
            "the board",
            5,
            "Internal control",
            2,
        ),
        *customary("ostrevik-2022", "Financial risk", "the company", "the board", 6, "Financial risk", 2),
        *customary(
            "ostrevik-2022",
            "Responsibility for the accounts",
            "the company",
            "the board and the managing director",
            5,
            "Declaration by the board",
            2,
        ),
        page_break(),
        heading("Accounts"),
        income_statement(b, v, "Income statement"),
        page_break(),
        balance_sheet(b, v, "Balance sheet at 31 December", equity_first=True),
        page_break(),
        cash_flow(b, v, "Cash flow"),
        heading("Notes"),
        letters(
            [
                "**Principles.** The accounts follow the law and good accounting practice for other enterprises. Grants are deducted from the cost of what they paid for; those received in the year, for shore power and for the capping of the sea bed, were NOK 23,650 thousand.",
                "**Fixed assets.** Quays are divided into piles, deck and fenders with lives of 60, 40 and 15 years. Land is not written off.",
                "**Pensions.** The company is in the municipal scheme. The premium of 12.4 per cent of pay is charged as it falls due, and the obligation for those retired before the scheme was joined is shown in the balance sheet.",
                "**Loans.** The municipal bank lends at three-month rate plus 0.55; the bond of 2018, NOK 120 million, carries 3.12 per cent and falls due in November 2025. The quays at Skarvholmen are pledged.",
                "**Shares.** There are 10,000 shares in one class. The sale of shares to any but a municipality needs the consent of both owners.",
                "**Auditor.** Fee for the audit NOK 412,000 and for other attestations NOK 67,000, without value added tax.",
                "**Related parties.** The municipality paid NOK 3,940 thousand in rent for the fire boat's berth and the gymnasium, on terms a stranger would have had.",
            ]
        ),
        *customary(
            "ostrevik-2022",
            "Significant accounting policies",
            "the company",
            "the board",
            9,
            "Principles in more detail",
            2,
        ),
        *customary("ostrevik-2022", "Critical judgements and estimates", "the company", "the board", 5, "Estimates", 2),
        table(
            [
                ["NOK thousand", "Quays", "Buildings", "Machinery", "Total"],
                *_asset_rows(b, 2022, "ostrevik assets", (0.52, 0.33)),
            ],
            total_rows=(-1,),
            caption="Fixed assets, movements in 2022",
        ),
        *customary(
            "ostrevik-2022", "Report of the independent auditor", "Ostrevik Havn AS", "the board", 7, "Auditor's report"
        ),
        *customary(
            "ostrevik-2022",
            "People, health and safety",
            "the company",
            "the board",
            5,
            "Appendix: safety work in 2022",
            1,
        ),
        *glossary("ostrevik-2022", 12, "Port words"),
    ]
    style = Style(
        page="a4",
        font="sans",
        size=10.8,
        leading=16,
        margin=80,
        header="",
        footer="Ostrevik Havn AS|{page}|Annual report 2022",
        headings="plain",
        accent="#134f52",
        justify=False,
        tables="zebra",
        bullet="\u2013",
    )
    return DemoDocument(
        "ostrevik-havn-2022.pdf", "Ostrevik Havn AS: Annual report 2022", TYPE, FAMILY, "source", story, style
    )


def ostrevik_2019() -> DemoDocument:
    b, v = OSTREVIK, OSTREVIK_19
    years = (2017, 2018, 2019)
    story: list[Block] = [
        big_title("Ostrevik Havn AS", "Annual report and accounts for 2019", centred=False, scale=2.4),
        box(
            [
                "The port in 2019: 4,412 calls, 33,908 containers, 88,215 cruise guests, 109 colleagues, one new quay, one strike.",
                f"Total operating income NOK {b('revenue', 2019):,} thousand; net profit NOK {b('profit', 2019):,} thousand.",
            ],
            "In short",
        ),
        heading("1 The managing director's account"),
        *paras(
            "Some years are remembered for what was built. Skarvholmen Quay 4 was finished in October after twenty-six months, and when the first coaster lay alongside, her mate leaned over and asked whether we had anything longer. It is 172 metres. We have a good deal that is shorter.",
            "Others are remembered for what stopped. The terminal workers were out from 11 to 29 September in a dispute that was national and, as far as I could see, about something that nobody here had asked for. We kept the fish moving with the consent of the union. I should like to thank the shop steward, Synn\u00f8ve Brekke, who stood in the rain with both sides and let neither of us say anything we should have regretted.",
            f"Total operating income {b.moved('revenue', 2019)} from the year before. The cruise season was the longest we have had, from the second of April to the sixth of November, and the town has begun to count the coaches. That conversation has to be had; we would rather it were had with us than about us.",
        ),
        quote(
            "The quay is straight. I have sighted along it myself.",
            "Harbour master Bj\u00f8rn Tveit, on handing over Quay 4",
        ),
        para("Halvard Nesse, managing director until 31 March 2020"),
        heading("2 Directors' report"),
        heading("2.1 Nature of the business", 2),
        para(
            "The company runs the port of Ostrevik, its stores and its land. The head office is in Pier House. A merger with the port of Nordre Fjordkommune was agreed in principle in June; the two councils vote in the spring."
        ),
        heading("2.2 Result, investment, financing", 2),
        *paras(
            f"Investments came to NOK {b('capex', 2019):,} thousand, for the most part Quay 4 and the dredging in front of it, where 91,000 cubic metres of mud and shell sand were taken out and 2,300 of rock blasted. The final account with the contractor is still argued over; we have set aside NOK 6.2 million and think it enough.",
            "Interest on the building loan was capitalised until the day the quay was taken into use. The bond issued in 2018 was not touched. Cash at the end of the year was enough for eleven weeks of ordinary spending.",
        ),
        table(
            [
                ["Largest customers", "Share of income, 2019 (%)", "Share of income, 2018 (%)"],
                ["Fjordlaks group", "17.9", "16.2"],
                ["Nordstjerna feeder", "11.3", "12.7"],
                ["Herring sales association", "9.4", "8.8"],
                ["Baltic cruise agencies", "7.1", "5.9"],
            ],
            caption="Concentration of income",
        ),
        heading("2.3 People", 2),
        para(
            "Sick leave was 7.2 per cent, too high, and highest among those who lash containers. A physiotherapist has been in the shed every other Thursday since May. One serious injury: a hand crushed between a spreader and a cell guide. The investigation by the labour inspectorate ended with an order concerning lighting, which was met in nine days."
        ),
        heading("2.4 Outside surroundings", 2),
        para(
            "Oil was spilt four times, 640 litres in all, of which about 500 was recovered. Plugs for shore power stand on two quays only; they were used 187 times, mostly by the rescue boat. An application for support to equip three more was sent to the state in August."
        ),
        *customary("ostrevik-2019", "Financial risk", "Ostrevik Havn", "the board", 5, "2.5 Financial risk", 2),
        *customary(
            "ostrevik-2019", "Internal control and risk management", "Ostrevik Havn", "the board", 4, "2.6 Control", 2
        ),
        *customary("ostrevik-2019", "Environment and climate", "Ostrevik Havn", "the board", 4, "2.7 Climate", 2),
        *customary(
            "ostrevik-2019",
            "Responsibility for the accounts",
            "Ostrevik Havn",
            "the board",
            4,
            "2.8 Statement of responsibility",
            2,
        ),
        heading("3 Activity"),
        para(
            "Fish is what most people think of when they hear the name of our town, and for good reason. The herring came late and fat. Blue whiting, landed for meal, doubled the length of the queue in February and was smelt as far as the church."
        ),
        grown_table(["Tonnes", *map(str, years)], _ostrevik(OSTREVIK_FISH, years), "Fish over the quays", "Sum"),
        para(
            "General cargo was calm. Road salt, gypsum and a railway locomotive for the museum were the curiosities of the year. The bulk hall leaks, and will until it is pulled down in 2021 to make room for the second cold store's extension."
        ),
        segment_table(b, v, "Income by activity"),
        segment_table(b, v, "Result by activity", "result"),
        chart_line(
            [str(y) for y in range(2014, 2020)],
            {name: [b(f"revenue {name}", y) / 1000 for y in range(2014, 2020)] for name in b.segments},
            "Income by activity, NOK million",
        ),
        page_break(),
        heading("4 Annual accounts"),
        income_statement(b, v, "Profit and loss account"),
        page_break(),
        balance_sheet(b, v, "Balance at year end"),
        page_break(),
        cash_flow(b, v, "Cash flow statement"),
        heading("5 Notes to the accounts"),
        bullets(
            [
                "Principles: historical cost; the law for other than small enterprises; no changes from last year.",
                "Wages: the managing director received NOK 1,486,000, the board together NOK 471,500. No loans or sureties have been given to any of them.",
                "Depreciation: straight line, quays 50 years, buildings 33, cranes 20, cars 5.",
                "Tax: the rate is 22 per cent; temporary differences lie mainly in quays and in a profit-and-loss account for the sale of Strandgata 9.",
                "Receivables have been reduced by NOK 390 thousand for expected losses, after the bankruptcy of a stevedoring firm in the next fjord.",
                "Restricted cash: NOK 4,016 thousand in tax withheld from employees.",
                "Events after the balance sheet date: none at signing on 12 March 2020, though the board noted that three cruise companies had that week asked to move their first calls to June.",
            ]
        ),
        table(
            [
                ["NOK 1,000", "Quays", "Buildings", "Machinery", "Sum"],
                *_asset_rows(b, 2019, "ostrevik assets 19", (0.56, 0.30)),
            ],
            total_rows=(-1,),
            caption="Tangible assets",
        ),
        *customary(
            "ostrevik-2019", "Significant accounting policies", "Ostrevik Havn", "the board", 8, "Principles", 2
        ),
        *customary(
            "ostrevik-2019", "Critical judgements and estimates", "Ostrevik Havn", "the board", 4, "Judgements", 2
        ),
        *customary(
            "ostrevik-2019", "People, health and safety", "Ostrevik Havn", "the board", 4, "Working environment", 2
        ),
        heading("6 Outlook"),
        para(
            "We end as usual with what we believe about the coming year, so that we may be laughed at in the next report. We believe in more salmon, a little less herring, a cruise season like the last, and a merger that will be signed before the summer holidays."
        ),
        *customary(
            "ostrevik-2019",
            "Report of the independent auditor",
            "Ostrevik Havn AS",
            "the board",
            6,
            "7 Independent auditor's report",
        ),
        *glossary("ostrevik-2019", 7, "8 Terms"),
    ]
    style = Style(
        page="b5",
        font="sans",
        size=10,
        leading=14.4,
        margin=56,
        header="Ostrevik Havn AS||2019",
        footer="|{page}|",
        headings="bar",
        accent="#3a3a3a",
        justify=False,
        tables="grid",
        rule_under_header=False,
    )
    return DemoDocument(
        "ostrevik-havn-2019.pdf",
        "Ostrevik Havn AS: Annual report and accounts for 2019",
        TYPE,
        FAMILY,
        "hard_negative",
        story,
        style,
    )


# --- four other ports -----------------------------------------------------------------------------------------------


def calder_reach() -> DemoDocument:
    b = keep_books(
        "calder reach",
        2016,
        2021,
        {
            "Ship and passenger dues": (9340, 0.018),
            "Cargo handling": (12870, 0.022),
            "Fishing and leisure": (3910, 0.03),
            "Rents": (2760, 0.024),
        },
        {
            "Wages and salaries": 0.312,
            "Dredging and navigation": 0.104,
            "Repairs": 0.087,
            "Administration": 0.092,
            "Insurance": 0.031,
        },
        fixed=61400,
        debt=17300,
        payout=0.0,
        tax=0.12,
    )
    v = Voice(
        "\u00a3000",
        (2020, 2021),
        {
            "revenue": "Income",
            "operating_profit": "Operating surplus",
            "before_tax": "Surplus before tax",
            "profit": "Surplus retained for the trust",
            "tax": "Tax",
            "capital": "Founding stock",
            "reserves": "Accumulated surpluses",
            "ppe": "Harbour works, craft and equipment",
            "equity": "Total trust funds",
        },
    )
    cargo = grown(
        "calder cargo",
        {"Grain": 233, "Fertiliser": 161, "Aggregates": 409, "Timber products": 187, "Wind turbine parts": 12},
        2,
        0.01,
        0.15,
    )
    story: list[Block] = [
        cover(
            "Holding the water open",
            "Calder Reach Port Trust: annual report to stakeholders, 2021",
            ["A trust port has no owners. It has neighbours."],
            drop=170,
            bottom=["Trust Office, 1 Weighhouse Steps, Calder Reach"],
        ),
        heading("What a trust is, and why you are reading this"),
        *paras(
            "Nobody owns Calder Reach. Parliament made the trust in 1788 to keep the river fit for ships and gave it the dues to do so with; what is left over at the end of a year must be put back into the water, the walls or the people. This report goes to everyone who has asked for one, which in 2021 meant 1,870 households, and to a good many who have not.",
            "It is arranged by the six promises we made at the open meeting of 2019. Under each we say what we said, what we did, and what a fair-minded critic would say about it. The accounts are at the back, complete.",
        ),
        heading("Promise one: deep water, honestly measured"),
        *paras(
            "We said the approach would never be shallower than 6.2 metres. On 41 days it was. The plough dredger did what it could; the trouble was the collapse of the training wall at Hob's Elbow in the February spate, which let a hundred thousand tonnes of gravel go where it liked.",
            "The wall has been rebuilt on 178 driven piles. The survey is now published every fortnight on the web, soundings and all, including the ones which embarrass us.",
        ),
        box(
            '"You published the bad soundings in June and I lost a cargo by it. In July I sent two, because I believed the good ones." A letter from a shipper at Brackwater.',
            "A critic writes",
        ),
        heading("Promise two: nobody hurt"),
        para(
            "We broke it. A linesman, Peter Ansty, lost two fingers on 19 August when a spring parted on the grain berth. The inquiry, chaired by an outsider, made thirteen recommendations; eleven are done and two, about the layout of the bollards, wait for the berth to be rebuilt. Mr Ansty is back, training others."
        ),
        heading("Promise three: room for small boats"),
        para(
            "Sixty-eight inshore boats work from the Strand, two more than in 2020. Their landing dues have been frozen at 1.9 per cent of the catch. The slip was lengthened by 14 metres, and the ice plant given to the fishermen's cooperative for a pound, with a handshake and a maintenance manual."
        ),
        table(
            [
                ["Leisure and fishing", "2020", "2021"],
                ["Licensed inshore boats", "66", "68"],
                ["Yacht visits, nights", "2,385", "5,162"],
                ["Rowing gigs housed", "7", "9"],
                ["Sea school pupils", "412", "1,036"],
            ],
            caption="Small craft at Calder Reach",
        ),
        heading("Promise four: trade that suits the river"),
        para(
            "Tower sections and nacelles for the Far Shoal wind farm came through from March; the laydown area, 3.2 hectares of what had been a tip, earned its cost back in seventeen months. Aggregates for the bypass were the largest single cargo. A proposal to import wood pellets was withdrawn by its promoters after they had met the allotment society."
        ),
        grown_table(["000 tonnes", "2020", "2021"], cargo, "Cargo", "All cargo"),
        segment_table(b, v, "Where the income came from"),
        heading("Promise five: clean hands, clean river"),
        para(
            "The water bailiffs counted 61 otter sightings. Less happily, we counted 23 tonnes of rubbish taken out by the debris barge and 9 fines for discharges, three of them to contractors of our own. Our diesel use fell by a sixth when the pilot launch began to wait on a mooring instead of steaming about."
        ),
        heading("Promise six: money that stays here"),
        *paras(
            f"Income {b.moved('revenue', 2021)} and the surplus retained was \u00a3{b('profit', 2021):,} thousand. Four pounds in five of what we bought was bought within thirty miles. The pay of the chief executive, Nasreen Holloway-Byrd, was \u00a3112,400, which is 5.3 times that of the median employee.",
            f"We spent \u00a3{b('capex', 2021):,} thousand on the works. A loan of \u00a3{b('drawn', 2021):,} thousand was taken from the Public Works Lending Office at 2.07 per cent for fifteen years. The commissioners do not like debt, and there was a division on it: seven for, four against.",
        ),
        chart_bar(
            ["2017", "2018", "2019", "2020", "2021"],
            {
                "Income": [b("revenue", y) for y in range(2017, 2022)],
                "Operating surplus": [b("operating_profit", y) for y in range(2017, 2022)],
            },
            "Income and surplus",
            unit="\u00a3000",
        ),
        heading("The commissioners"),
        table(
            [
                ["Commissioner", "Chosen for", "Meetings (of 11)", "Allowance (\u00a3)"],
                ["Prof. Edda Lindqvist-Shaw, chair", "Coastal engineering", "11", "18,000"],
                ["Wilf Harbottle", "Fishing", "10", "4,600"],
                ["Candace Obi", "Finance", "11", "7,150"],
                ["Raj Pemberton", "Shipping", "9", "4,600"],
                ["Gwen Tolliver", "Town", "11", "4,600"],
                ["Dr Isaac Marchbanks", "Environment", "8", "4,600"],
            ],
            align="llcr",
            widths=[2, 1.4, 1, 1],
            caption="Who sat and what they were paid",
        ),
        *customary(
            "calder",
            "Internal control and risk management",
            "the trust",
            "the commissioners",
            5,
            "How we are kept honest",
        ),
        *customary("calder", "Environment and climate", "the trust", "the commissioners", 5, "The longer view"),
        *customary("calder", "People, health and safety", "the trust", "the commissioners", 5, "Working for the trust"),
        page_break(),
        heading("Accounts of the trust"),
        income_statement(b, v, "Income and expenditure, year ended 31 December"),
        page_break(),
        balance_sheet(b, v, "Position of the trust at 31 December", equity_first=True),
        page_break(),
        cash_flow(b, v, "Cash flow"),
        heading("What the numbers rest on", 2),
        bullets(
            [
                "Harbour works built before 1948 are carried at nil. The commissioners think this absurd and have been advised to leave it alone.",
                "Dredging for maintenance is spent as it happens; the new training wall, \u00a32,316 thousand, will be written off over fifty years.",
                "Dues are counted when a ship berths. Yachts are counted when they pay.",
                "The pension deficit was valued in March at a discount rate of 2.2 per cent and is being paid off at \u00a3185 thousand a year until 2033.",
                "Nineteen tenants were given rent holidays in 2020. All but one of them have since caught up.",
            ]
        ),
        *customary(
            "calder", "Significant accounting policies", "the trust", "the commissioners", 8, "Policies in full", 2
        ),
        *customary("calder", "Critical judgements and estimates", "the trust", "the commissioners", 4, "Estimates", 2),
        *customary("calder", "Financial risk", "the trust", "the commissioners", 5, "Risks to the money", 2),
        *customary(
            "calder",
            "Responsibility for the accounts",
            "the trust",
            "the commissioners",
            4,
            "Who answers for the accounts",
            2,
        ),
        *customary(
            "calder",
            "Report of the independent auditor",
            "Calder Reach Port Trust",
            "the commissioners",
            6,
            "What the auditor says",
            2,
        ),
        table(
            [
                ["\u00a3000", "Works", "Craft", "Equipment", "Total"],
                *_asset_rows(b, 2021, "calder assets", (0.81, 0.09)),
            ],
            total_rows=(-1,),
            caption="Harbour works, craft and equipment in the year",
        ),
        *glossary("calder", 10, "Harbour words for landsmen"),
        heading("Come and argue"),
        para(
            "The open meeting is on Saturday 18 June 2022 at the rowing club, from ten until everyone has finished. Children are welcome and the sluice will be worked by hand at noon for those who have never seen it."
        ),
    ]
    style = Style(
        page="b5",
        font="serif",
        size=10.5,
        leading=14.8,
        margin=60,
        header="Holding the water open|{page}",
        footer="",
        headings="plain",
        accent="#4a2f1a",
        tables="rules",
        justify=False,
    )
    return DemoDocument(
        "calder-reach-port-trust-2021.pdf",
        "Calder Reach Port Trust: Holding the water open, annual report 2021",
        TYPE,
        FAMILY,
        "hard_negative",
        story,
        style,
    )


def tarrawick() -> DemoDocument:
    b = keep_books(
        "tarrawick",
        2016,
        2021,
        {
            "Grain elevation": (38600, 0.02),
            "Mineral sands": (44100, 0.035),
            "Marine services": (21700, 0.017),
            "Storage and leases": (11900, 0.02),
        },
        {
            "Employee benefits": 0.238,
            "Fuel and power": 0.079,
            "Repairs and consumables": 0.126,
            "Channel levies": 0.048,
            "Insurance and other": 0.091,
        },
        fixed=203000,
        debt=99000,
        rate=0.052,
        tax=0.3,
        payout=0.55,
    )
    v = Voice(
        "$'000",
        (2021, 2020),
        {
            "revenue": "Revenue from customers",
            "other_income": "Other income",
            "finance_costs": "Borrowing costs",
            "capital": "Contributed equity",
            "reserves": "Retained profits",
            "borrowings_current": "Loans, current portion",
            "borrowings_long": "Loans, non-current portion",
            "pensions": "Employee entitlements",
        },
    )
    story: list[Block] = [
        space(20),
        big_title(
            "Tarrawick Marine Terminals Limited",
            "Directors' report and financial statements for the year ended 30 June 2021",
            scale=2.0,
        ),
        contents(title="", levels=1),
        page_break(),
        heading("Directors' report"),
        para(
            "The directors of Tarrawick Marine Terminals Limited present their report together with the financial statements of the company for the year ended 30 June 2021 and the auditor's report on them. Years in the statements end in June."
        ),
        heading("Directors", 2),
        table(
            [
                ["Name and qualifications", "Experience", "Attended", "Eligible"],
                ["Merrilyn Keogh, BCom", "Grain marketing; chair since 2018", "12", "12"],
                ["Desmond Achari, BE (Mech)", "Managing director; formerly of the Gulf pilots", "12", "12"],
                ["Aroha Whitcombe, LLB", "Maritime law; native title negotiations", "10", "12"],
                ["Stelios Varda, FCA", "Audit partner, retired", "11", "12"],
                ["Colm Dargan", "Nominee of Southern Sands Pty", "6", "7"],
            ],
            widths=[1.6, 2.4, 0.8, 0.8],
            align="llcc",
        ),
        heading("Principal activities", 2),
        para(
            "The company elevates grain, loads heavy mineral concentrates and provides towage and line boats at Port Tarrawick under a lease from the state that expires in 2067. There was no significant change in these activities, apart from the end of live cattle loading in October, which the company had carried on since 1959 and will not resume."
        ),
        heading("Review of operations", 2),
        *paras(
            "Cyclone Petra crossed the coast forty kilometres to the north on 11 January. The port was cleared and cycloned down in nineteen hours. Loader No. 2 broke its storm pin and ran along the rails for 120 metres into the end stops, where it stayed for the rest of the season. Nobody was on it. A hired loader came from the west by barge in March and saved the harvest.",
            f"Revenue from customers {b.moved('revenue', 2021)}. Growers delivered 1,386,000 tonnes to the sheds, a record, and cursed the queue, which on 3 December was 214 trucks long. A booking system by telephone message was put in within the week by the weighbridge clerk's daughter and is still in use.",
            "Zircon and rutile fared well; ilmenite less so. The customers' dredge at Nine Mile came to the end of its path and will be moved inland, so that the stockpile will run down in the second half of the coming year.",
            "Two tugs, the __Curlew__ and the __Dotterel__, passed their twenty-year surveys. A third of larger bollard pull has been ordered from a builder in the islands for $11.6 million.",
        ),
        heading("Dividends", 2),
        para(
            f"Dividends of ${b('dividends', 2021):,} thousand were paid, fully franked. Since the end of the year the directors have declared a further 8.25 cents a share to be paid on 30 September 2021."
        ),
        heading("Environmental regulation", 2),
        para(
            "The company holds licence 8824/3 under the state's Act. Dust at the boundary exceeded 50 micrograms on nine days, of which the regulator attributed seven to bush fire. One show-cause notice, concerning wash-down water from the concentrate shed, was answered by building a second sump."
        ),
        heading("Likely developments and matters after year end", 2),
        para(
            "A memorandum with the Wirrali people, signed on 22 July 2021, gives their corporation a seat on the board, cultural heritage monitors during any digging and 1.5 per cent of stevedoring revenue for twenty years. Otherwise the directors are not aware of anything since 30 June that would affect these accounts."
        ),
        *customary("tarrawick", "People, health and safety", "the company", "the directors", 5, "Safety and people", 2),
        *customary(
            "tarrawick", "Internal control and risk management", "the company", "the directors", 5, "Risk management", 2
        ),
        heading("Remuneration report"),
        para(
            "Pay is set by the whole board on the advice of an outside firm, which cost $38,000. Short-term incentives are paid on injuries, on tonnes per net hour and on cash, in that order; the gate for all of them is that no one has died."
        ),
        table(
            [
                ["$", "Fixed", "Incentive", "Superannuation", "Total"],
                ["D. Achari", "486,000", "121,500", "25,000", "632,500"],
                ["Chief financial officer, J. Tran", "329,400", "70,300", "24,600", "424,300"],
                ["Operations manager, B. Nolan", "274,800", "0", "24,100", "298,900"],
                ["M. Keogh", "128,000", "0", "12,160", "140,160"],
            ],
            total_rows=(),
        ),
        note("Mr Nolan gave up his incentive at his own request after the loss of the loader."),
        *customary("tarrawick", "Environment and climate", "the company", "the directors", 4, "Climate", 2),
        heading("Operating statistics"),
        grown_table(
            ["Year to June", "2017", "2018", "2019", "2020", "2021"],
            grown(
                "tarrawick tonnes",
                {"Wheat": 611, "Barley": 342, "Canola": 128, "Ilmenite": 506, "Zircon and rutile": 187},
                5,
                0.03,
                0.14,
            ),
            "Tonnes loaded ('000)",
            "Total loaded",
        ),
        table(
            [
                ["", "2021", "2020"],
                ["Net loading rate, grain (t/h)", "1,164", "1,211"],
                ["Net loading rate, sands (t/h)", "873", "846"],
                ["Ship days at anchor", "396", "268"],
                ["Total recordable injuries per million hours", "5.9", "8.8"],
                ["Employees (full-time equivalent)", "291", "279"],
                ["Tug jobs", "1,059", "1,012"],
            ],
            caption="How the terminals ran",
        ),
        chart_line(
            ["2017", "2018", "2019", "2020", "2021"],
            {name: [b(f"revenue {name}", y) / 1000 for y in range(2017, 2022)] for name in b.segments},
            "Revenue by division ($ million)",
        ),
        page_break(),
        heading("Financial statements"),
        balance_sheet(b, v, "Statement of financial position as at 30 June"),
        page_break(),
        income_statement(b, v, "Statement of profit or loss"),
        cash_flow(b, v, "Statement of cash flows"),
        heading("Notes to the financial statements"),
        *paras(
            "**1 Reporting entity and basis.** For-profit, unlisted, rounded to the nearest thousand dollars under the relief for companies of its size. The lease liability for the port land is measured at the present value of fixed rents only.",
            "**2 Revenue.** Elevation is a single promise, kept when grain passes the spout. Storage is kept day by day. Take-or-pay shortfalls by two shippers, $2,140 thousand, were recognised in June when it had become certain that they could not be made up.",
            "**3 Loss of Loader No. 2.** Carrying amount written off $3,905 thousand; insurance recoveries virtually certain at balance date $3,400 thousand, shown within receivables. Business interruption has not been agreed and is not recognised.",
            "**4 Leave.** Employee entitlements are discounted at the corporate bond rate, 1.49 per cent, and allow for the wandering habits of tug crews, of whom one in eight takes long service leave within a month of qualifying.",
            "**5 Loans.** A club of three banks lends $140 million to 2025. Covenants: interest cover above 3.0, gearing under 55 per cent. Both were met throughout.",
            "**6 Contingencies.** A claim by a charterer for eleven days' detention during the cyclone is being defended; counsel's view is that weather is weather.",
        ),
        *customary(
            "tarrawick", "Significant accounting policies", "the company", "the directors", 9, "Other policies", 2
        ),
        *customary(
            "tarrawick", "Critical judgements and estimates", "the company", "the directors", 5, "Judgements", 2
        ),
        *customary("tarrawick", "Financial risk", "the company", "the directors", 6, "Financial instruments", 2),
        segment_table(b, v, "7 Division revenue"),
        segment_table(b, v, "8 Division result", "result"),
        table(
            [
                ["$'000", "Wharves", "Tugs", "Loaders and plant", "Total"],
                *_asset_rows(b, 2021, "tarrawick assets", (0.49, 0.17)),
            ],
            total_rows=(-1,),
            caption="9 Property, plant and equipment",
        ),
        heading("Directors' declaration"),
        para(
            "In the opinion of the directors the statements and notes give a true and fair view and there are reasonable grounds to believe that the company will be able to pay its debts as and when they fall due. Signed at Port Tarrawick, 27 August 2021, M. Keogh, chair."
        ),
        *customary(
            "tarrawick",
            "Report of the independent auditor",
            "Tarrawick Marine Terminals Limited",
            "the directors",
            7,
            "Independent auditor's report to the members",
        ),
        *customary(
            "tarrawick",
            "Responsibility for the accounts",
            "the company",
            "the directors",
            5,
            "Directors' responsibilities",
            2,
        ),
        *glossary("tarrawick", 11, "Terms used"),
    ]
    style = Style(
        page="letter",
        font="sans",
        size=10.5,
        leading=15.5,
        margin=80,
        header="{title}",
        footer="{page}",
        headings="caps",
        accent="#5a1d1d",
        tables="rules",
        first_label=("arabic", 1, ""),
    )
    return DemoDocument(
        "tarrawick-marine-terminals-fy2021.pdf",
        "Tarrawick Marine Terminals Limited: Directors' report and financial statements 2021",
        TYPE,
        FAMILY,
        "hard_negative",
        story,
        style,
    )


def portavell() -> DemoDocument:
    b = keep_books(
        "portavell",
        2017,
        2022,
        {
            "Passenger lines": (26300, 0.01),
            "Port dues": (18400, 0.025),
            "Concessions": (14900, 0.022),
            "Marina and services": (6120, 0.03),
        },
        {
            "Salaries": 0.274,
            "External services": 0.142,
            "Repairs and upkeep": 0.078,
            "Contribution to the state ports fund": 0.041,
            "Supplies": 0.037,
        },
        fixed=187000,
        debt=41000,
        rate=0.028,
        tax=0.04,
        payout=0.0,
    )
    v = Voice(
        "\u20ac thousand",
        (2022, 2021),
        {
            "revenue": "Turnover of the year",
            "tax": "Corporate tax",
            "profit": "Result of the year",
            "before_tax": "Result before taxes",
            "operating_profit": "Operating result",
            "ppe": "Tangible fixed assets",
            "capital": "Assigned patrimony",
            "reserves": "Accumulated results and grants",
            "equity": "Net worth",
            "current_assets": "Current assets, total",
            "non_current_assets": "Fixed assets, total",
            "current_liabilities": "Current liabilities, total",
        },
    )
    lines = grown(
        "portavell lines",
        {"Illa Gran": 702, "Mirasol": 318, "Port Tormo": 251, "Cruise, in transit": 166},
        4,
        0.05,
        0.2,
    )
    lines = {
        name: [round(value * factor) for value, factor in zip(values, (1, 0.31, 0.58, 1.02), strict=True)]
        for name, values in lines.items()
    }
    story: list[Block] = [
        cover(
            "Memoria 2022",
            "Portavell Harbour Authority: annual report in English",
            ["Approved by the Board of Administration in session 5/2023"],
            "AUTORITAT PORTUARIA DE PORTAVELL",
            drop=120,
        ),
        heading("A conversation with the president"),
        para(
            "__The report opens, as in other years, with an interview made by pupils of the secondary school of the harbour quarter. This time they were Iris Bonmat\u00ed and Pau Ferrer, both sixteen.__"
        ),
        *paras(
            "**Is it a good job?** Most days. On the day of Sant Telm I have to dance.",
            "**Why did the ferry to Mirasol stop?** It did not stop, it lost its morning sailing. The shipping company had one ship in the yard at Tormo for eighty-three days and preferred to keep the evening. We offered a bonus on the dues; they took it and kept to the evening all the same. I have learned from that how to write a bonus.",
            "**Our teacher says that the harbour takes the beach away.** Your teacher is right. Since the breakwater was lengthened in 1996 the sand goes round the head and does not return. This winter we carried 138,000 cubic metres back by pipe, at 5.40 euros a cubic metre, and the sea has already taken a fifth. We shall go on carrying while we study something better.",
            "**How much do you earn?** 94,316 euros, before taxes. It is in the official gazette.",
            "**What would you do with a hundred million?** Electric plugs for every ferry, a lift bridge for the fishermen's basin, and I should give you back the swimming baths.",
        ),
        heading("The port in figures"),
        grown_table(
            ["Passengers, thousands", "2019", "2020", "2021", "2022"], lines, "Passengers by line", "All passengers"
        ),
        table(
            [
                ["Traffic", "2022", "2021"],
                ["Goods, tonnes", "3,806,900", "3,541,200"],
                ["of which on ro-ro ships", "2,297,400", "2,188,750"],
                ["Cement, tonnes", "402,300", "377,100"],
                ["Ships, number", "9,318", "8,092"],
                ["Vehicles in passage", "512,640", "398,870"],
                ["Berths for pleasure craft", "811", "811"],
            ],
            caption="Traffic of the port",
        ),
        heading("Services and concessions"),
        *paras(
            "At the end of the year 164 concessions were in force. The longest, that of the boatyard of the Vidal brothers, dates from 1931 and expires, by an oversight which nobody wishes to correct, in 2081. The largest is the fuel terminal, whose fee of 2.26 million euros was raised on review.",
            "The concession of the marina was put to tender in April. Four offers came; the winner undertakes to invest 12.8 million in eleven years and to keep a third of the berths for boats under seven metres.",
            "The clock of the maritime station was repaired after forty years. It had been stopped at ten past four, and a small number of residents asked whether it could be stopped again.",
        ),
        heading("Works of the year"),
        table(
            [
                ["Work", "Budget (\u20ac)", "Certified to date (\u20ac)", "State"],
                ["Electric supply to berths P1 and P2", "7,350,000", "5,918,000", "Under way"],
                ["Paving of the northern esplanade", "2,112,000", "2,098,400", "Finished"],
                ["New sanitary post", "684,500", "702,950", "Finished"],
                ["Raising of the breakwater, phase 1", "19,740,000", "3,265,000", "Under way"],
                ["Footbridge of the fish market", "431,000", "0", "Appealed"],
            ],
            widths=[2.2, 1, 1.2, 0.9],
            align="lrrl",
            caption="Principal works",
        ),
        heading("People and environment"),
        *paras(
            "The staff numbered 176, the police of the port included. Absence was 4.4 per cent. A collective agreement was signed on 30 June after fifteen sessions, the last of which ended at a quarter to five in the morning with hot chocolate.",
            "The stations measured nitrogen dioxide over the limit on eleven hours, all of them with three ferries in port and wind from the south-east. Plugs will cure this when the first ships are able to take them, in the summer of 2024 according to the lines and somewhat later according to us.",
            "Posidonia meadows to the west of the entrance were mapped by students with a sonar lent by the navy. The meadow covers 212 hectares, a little more than was thought; anchoring on it is now forbidden and punished.",
        ),
        *customary(
            "portavell", "Environment and climate", "the Authority", "the Board of Administration", 4, "Climate", 2
        ),
        *customary(
            "portavell", "People, health and safety", "the Authority", "the Board of Administration", 4, "Prevention", 2
        ),
        *customary(
            "portavell",
            "Internal control and risk management",
            "the Authority",
            "the Board of Administration",
            4,
            "Control",
            2,
        ),
        heading("Economic report"),
        para(
            f"Turnover {b.moved('revenue', 2022)}, helped by the return of visitors. The operating result was {b('operating_profit', 2022):,} thousand euros. As a public body the Authority distributes nothing; it pays a share of its income into the fund of the state's ports, from which poorer harbours are helped, and has itself received from that fund in nine of the last twenty years."
        ),
        segment_table(b, v, "Turnover by origin"),
        chart_bar(
            ["2018", "2019", "2020", "2021", "2022"],
            {"Turnover": [b("revenue", y) / 1000 for y in range(2018, 2023)]},
            "Turnover, millions of euros",
        ),
        summary_table(
            b,
            v,
            (2022, 2021, 2020, 2019),
            ("revenue", "operating_profit", "profit", "capex", "borrowings_long", "equity"),
            "Four years",
        ),
        page_break(),
        heading("Annual accounts"),
        balance_sheet(b, v, "Balance of situation at 31 December"),
        page_break(),
        income_statement(b, v, "Account of losses and gains"),
        cash_flow(b, v, "State of cash flows"),
        heading("Memory of the accounts (extract)"),
        letters(
            [
                "The Authority is a body of public law with its own patrimony, created in 1870 as the Board of Works of the Port. Its accounts follow the general plan, with the adaptations for ports.",
                "Works are valued at cost. Breakwaters are amortised in 50 years, buildings in 35, pavements in 15, buoys in 10.",
                "Grants from European funds, 4,870 thousand euros in the year, are carried to results at the pace of the works they paid for.",
                "A court has annulled the fee for slow-moving goods charged from 2011 to 2014. The refund with its interest, 1,235 thousand, is provided for.",
                "Debt is owed to the European investment bank at a fixed rate of 1.19 per cent, with two years of grace.",
                "Trade debtors more than a year old are written down entirely; the ship __Nadir Azul__, abandoned at the outer quay since 2017, owes 391 thousand and will be auctioned for what her steel will bring.",
            ],
            form="{})",
        ),
        *customary(
            "portavell",
            "Significant accounting policies",
            "the Authority",
            "the Board of Administration",
            8,
            "Norms of valuation",
            2,
        ),
        *customary(
            "portavell", "Financial risk", "the Authority", "the Board of Administration", 5, "Management of risk", 2
        ),
        *customary(
            "portavell",
            "Critical judgements and estimates",
            "the Authority",
            "the Board of Administration",
            4,
            "Estimates",
            2,
        ),
        table(
            [
                ["\u20ac thousand", "Breakwaters and quays", "Buildings", "Other", "Total"],
                *_asset_rows(b, 2022, "portavell assets", (0.69, 0.2)),
            ],
            total_rows=(-1,),
            caption="Tangible fixed assets: movement",
            widths=[2, 1.5, 1, 1, 1],
        ),
        *customary(
            "portavell",
            "Report of the independent auditor",
            "Portavell Harbour Authority",
            "the Board of Administration",
            6,
            "Report of the intervention",
        ),
        *customary(
            "portavell",
            "Responsibility for the accounts",
            "the Authority",
            "the Board of Administration",
            4,
            "Formulation of the accounts",
            2,
        ),
        *glossary("portavell", 6, "Vocabulary"),
    ]
    style = Style(
        page="a4",
        font="serif",
        heading_font="sans",
        size=11.5,
        leading=16.5,
        margin=82,
        header="Memoria 2022|{section}",
        footer="|Autoritat Portuaria de Portavell|{page}",
        headings="ruled",
        accent="#2b2b55",
        tables="grid",
    )
    return DemoDocument(
        "portavell-memoria-2022.pdf",
        "Portavell Harbour Authority: Memoria 2022",
        TYPE,
        FAMILY,
        "hard_negative",
        story,
        style,
    )


def saint_brannoc() -> DemoDocument:
    b = keep_books(
        "saint brannoc",
        2017,
        2022,
        {
            "Produce and cider": (5230, 0.02),
            "Channel ferry berth": (4480, 0.012),
            "Dry dock": (3160, 0.03),
            "Cottages and moorings": (1890, 0.027),
        },
        {
            "Pay and social charges": 0.334,
            "Materials and subcontractors": 0.121,
            "Dredging": 0.069,
            "Local taxes": 0.034,
            "Sundry": 0.051,
        },
        fixed=22600,
        debt=8100,
        rate=0.037,
        tax=0.25,
        payout=0.6,
    )
    v = Voice(
        "Euros, thousands",
        (2022, 2021),
        {
            "revenue": "Sales",
            "profit": "Net profit",
            "before_tax": "Profit before corporation tax",
            "tax": "Corporation tax",
            "ppe": "Works, dock and equipment",
            "receivables": "Debtors",
            "payables": "Creditors",
            "cash": "Cash at bank and in hand",
            "capital": "Shares of the founders",
            "reserves": "Profits kept",
            "equity": "Belonging to the shareholders",
        },
    )
    story: list[Block] = [
        space(40),
        big_title(
            "The Saint-Brannoc Port Company",
            "Letter to the family and the other shareholders on the business of 2022",
            centred=False,
            scale=2.0,
        ),
        rule(),
        para("Dear cousins, dear partners,"),
        *paras(
            "When our great-grandmother bought the dock from the receiver she wrote in the margin of the deed, in pencil, __It will want mending.__ I have had it framed. It hangs over my desk, and this is my ninth attempt to report to you how the mending goes.",
            f"We sold for \u20ac{b('revenue', 2022):,} thousand, which {b.moved('revenue', 2022)} compared with the year before, and after everybody had been paid, the state among them, there was \u20ac{b('profit', 2022):,} thousand left. I propose that we share out a little more than half. Those who would rather see it in the caisson gate may say so on the enclosed card; last year twenty-three of you did and the gate is the better for it.",
            "I shall write first about the dock, then about onions and apples, then about the ferry, and come to the money last, because a letter which begins with money ends there.",
        ),
        heading("The dock"),
        *paras(
            "Thirty-seven hulls were docked, four of them lightships for conversion into who knows what. The longest job was the training barque __Armelle__: two hundred and eighteen days, nine kilometres of caulking, one stowaway cat. The school that owns her paid on the nail.",
            "The caisson gate, laid down in 1907, was lifted out in August for the first time since the war. Under the paint we found the plates to be thinner than a coin in three places. Riveters being extinct, we had it welded, and a man of eighty-four came from Lorme each morning on the bus to watch and shake his head.",
            "Pumping the dock dry takes five hours and fifty minutes with the new motor, against seven and a half with the steam-age one. Electricity for it came to \u20ac61,800 all the same.",
        ),
        heading("Onions and apples"),
        *paras(
            "It did not rain from the ninth of May until the end of July. The pink onions were small, sweet and few: 8,140 tonnes went over the quay, a third fewer than we are used to. The cider houses on the other hand had apples as big as fists and took every tank we had. We chartered a small wine tanker, scrubbed her for a fortnight, and sent 1.9 million litres across.",
            "The strings and plaits of onions that still leave on deck with the last of the bicycle sellers weigh 26 tonnes and pay no dues. I trust that nobody will ever move that they should.",
        ),
        table(
            [
                ["Produce shipped", "2022", "2021", "2020"],
                ["Onions (tonnes)", "8,140", "12,075", "11,690"],
                ["Artichokes (tonnes)", "3,322", "3,518", "2,947"],
                ["Cider in bulk (thousand litres)", "1,936", "1,204", "1,387"],
                ["Seed potatoes (tonnes)", "6,451", "6,038", "6,229"],
            ],
            caption="What went over the produce quay",
        ),
        heading("The ferry berth"),
        para(
            "We own the berth and Manche-Celtique sails from it. They made 318 crossings and carried 143,700 people, many with bicycles. New frontier rules have doubled the length of the queue; the hall was built for eighty and held, on one Saturday in August, six hundred and twelve and a wedding. A tent with a wooden floor was our answer, and the bride's. An extension has been drawn, costed at \u20ac1.62 million, and deferred."
        ),
        heading("The cottages and the moorings"),
        para(
            "The eleven coastguard cottages are let by the year to people who live in them. I know what could be got from holiday letting, for Cousin Mathilde sends me the advertisements. Moorings: 96, of which four sank their owners' hopes when the chain parted in the January swell. The chain was ours and so was the bill."
        ),
        heading("Those who work here"),
        para(
            "Seventy-four, plus nine apprentices. Yannick Quer\u00e9, dockmaster, retires in June after forty-one years. His successor is his deputy, Solenn Abgrall, who was the first woman to be taken on in the yard and who has asked me not to mention it. The sickness rate was 3.3 per cent."
        ),
        quote("Measure it wet, cut it dry, and never lend your maul.", "Y. Quer\u00e9, asked for advice"),
        *customary(
            "brannoc", "People, health and safety", "the company", "the family council", 4, "Safety, seriously", 2
        ),
        *customary(
            "brannoc", "Environment and climate", "the company", "the family council", 4, "Weather and water", 2
        ),
        heading("The money"),
        *paras(
            f"You will see from the tables that the works cost us \u20ac{b('capex', 2022):,} thousand, and that we borrowed \u20ac{b('drawn', 2022):,} thousand to do them, from the cooperative bank at 2.95 per cent over ten years. Net debt is now a shade over two years' cash profit, which our grandfather would have called reckless and our bankers call timid.",
            "Two matters are in dispute. The department wants us to pay the land tax on the foreshore for five years past, \u20ac187 thousand; our lawyer says that the foreshore is the sea. And the cider tanker's owner bills us for the smell.",
            "The price of a share, as settled by the family council on the formula of 1974, is \u20ac412.50. Three parcels changed hands.",
        ),
        segment_table(b, v, "Sales by trade"),
        segment_table(b, v, "Profit by trade", "result"),
        chart_line(
            [str(y) for y in range(2018, 2023)],
            {name: [b(f"revenue {name}", y) for y in range(2018, 2023)] for name in b.segments},
            "Sales by trade, thousands of euros",
        ),
        para("With my respects to the aunts, and the usual invitation to come and see for yourselves,"),
        para("**Corentin Le Dantec-Moore**, manager. Saint-Brannoc, 2 April 2023"),
        page_break(),
        heading("Tables"),
        income_statement(b, v, "A. Profit and loss"),
        page_break(),
        cash_flow(b, v, "B. Where the cash went"),
        balance_sheet(b, v, "C. What we have and what we owe, 31 December"),
        heading("Remarks on the tables", 2),
        numbered(
            [
                "The dock floor is granite and is not depreciated. The gate is, over twenty-five years from its return.",
                "Stocks of oak and elm are carried at what they cost, which for the elm was nothing; the trees fell in the park.",
                "A provision is held for dredging the fore-dock every fourth year. The next is due in 2024 and should cost \u20ac540 thousand.",
                "The accountant's fee was \u20ac19,300.",
                "No salary is paid to members of the family council. They drink \u20ac1,150 worth of cider, at cost.",
            ]
        ),
        *customary(
            "brannoc",
            "Significant accounting policies",
            "the company",
            "the family council",
            8,
            "Policies the accountant insists on",
            2,
        ),
        *customary("brannoc", "Financial risk", "the company", "the family council", 6, "Risks", 2),
        *customary(
            "brannoc", "Critical judgements and estimates", "the company", "the family council", 4, "Guesses", 2
        ),
        *customary(
            "brannoc",
            "Responsibility for the accounts",
            "the company",
            "the family council",
            4,
            "Who is responsible",
            2,
        ),
        *customary(
            "brannoc",
            "Report of the independent auditor",
            "The Saint-Brannoc Port Company",
            "the manager",
            6,
            "The auditor's letter",
            2,
        ),
        table(
            [
                ["Thousands", "Dock and quays", "Boats", "Tools", "Total"],
                *_asset_rows(b, 2022, "brannoc assets", (0.66, 0.08)),
            ],
            total_rows=(-1,),
            caption="D. Works, dock and equipment",
        ),
        summary_table(
            b,
            v,
            (2018, 2019, 2020, 2021, 2022),
            ("revenue", "operating_profit", "profit", "dividends", "capex", "cash"),
            "E. Five years",
        ),
        *customary(
            "brannoc", "Internal control and risk management", "the company", "the family council", 3, "Control", 2
        ),
        *glossary("brannoc", 8, "For the younger cousins: what the words mean"),
        heading("The family council", 2),
        table(
            [
                ["Branch", "Represented by", "Shares", "Votes"],
                ["Le Dantec", "Corentin Le Dantec-Moore", "4,212", "12"],
                ["Moore", "Mathilde Moore", "3,508", "10"],
                ["Abhervez", "Dr Loig Abhervez", "1,977", "6"],
                ["Outside holders", "Me Clotilde Rannou, notary", "2,303", "7"],
            ],
            align="llrr",
            widths=[1, 1.8, 0.8, 0.6],
        ),
    ]
    style = Style(
        page="a5",
        font="serif",
        size=9.8,
        leading=13.2,
        margin=46,
        header="",
        footer="{page}",
        headings="plain",
        accent="#20401f",
        indent=True,
        tables="rules",
    )
    return DemoDocument(
        "saint-brannoc-letter-2022.pdf",
        "The Saint-Brannoc Port Company: Letter on the business of 2022",
        TYPE,
        FAMILY,
        "hard_negative",
        story,
        style,
    )


# --- the family -----------------------------------------------------------------------------------------------------


def documents() -> list[DemoDocument]:
    return [
        harrowmouth_2021(),
        ostrevik_2022(),
        harrowmouth_2018(),
        ostrevik_2019(),
        calder_reach(),
        tarrawick(),
        portavell(),
        saint_brannoc(),
    ]


TEXT = ("Pure-text (Plain-text)",)
TABLE = ("Table",)


def questions() -> list[DemoQuestion]:
    return [*_harrowmouth_questions(), *_ostrevik_questions()]


def _harrowmouth_questions() -> list[DemoQuestion]:
    b, v, source = HARROW, HARROW_21, "harrowmouth-annual-report-2021.pdf"
    bulk, ferry = (b(f"revenue {name}", 2021) for name in ("Bulk terminals", "Ferry and ro-ro"))
    cargo = _cargo((2021, 2020))
    fell = max(cargo, key=lambda name: cargo[name][1] - cargo[name][0])
    attended = [row[0] for row in HARROW_MEETINGS[1:] if row[1] == "9 of 9"]
    five = (2021, 2020, 2019, 2018, 2017)
    return [
        DemoQuestion(
            "financial-01",
            source,
            "What were Harrowmouth Harbour Company's total current assets at 31 December 2021, in thousands of pounds?",
            str(b("current_assets", 2021)),
            "Int",
            TABLE,
            (v.span(b, "current_assets"),),
        ),
        DemoQuestion(
            "financial-02",
            source,
            "By how many thousand pounds did the 2021 revenue of Harrowmouth's Bulk terminals segment exceed that of its Ferry and ro-ro segment?",
            str(bulk - ferry),
            "Int",
            TABLE,
            (segment_span(b, v, "Bulk terminals"), segment_span(b, v, "Ferry and ro-ro")),
            "derive",
            "reasoning",
        ),
        DemoQuestion(
            "financial-03",
            source,
            "What is Harrowmouth Harbour Company's current ratio (total current assets to total current liabilities) for 2021? Round to three decimal places.",
            f"{b('current_assets', 2021) / b('current_liabilities', 2021):.3f}",
            "Float",
            TABLE,
            (v.span(b, "current_assets"), v.span(b, "current_liabilities")),
            "derive",
            "reasoning",
        ),
        DemoQuestion(
            "financial-04",
            source,
            "Which dredger did the Harrowmouth Harbour Company charter in February 2021 to replace its own craft?",
            "Margery Dunn",
            "Str",
            TEXT,
            ("The trailing suction dredger Margery Dunn, chartered from her owners in February",),
        ),
        DemoQuestion(
            "financial-05",
            source,
            "Which three tenants took the Ropewalk warehouses at Harrowmouth, according to the 2021 annual report?",
            as_list("a maker of sails", "a baker", "the county archive"),
            "List",
            TEXT,
            ("were let to a maker of sails, a baker, and the county archive",),
            "enumerate",
        ),
        DemoQuestion(
            "financial-06",
            source,
            "According to the attendance table of Harrowmouth's 2021 annual report, how many directors attended all nine Board meetings?",
            str(len(attended)),
            "Int",
            TABLE,
            tuple(" ".join(row[:2]) for row in HARROW_MEETINGS[1:] if row[1] == "9 of 9"),
            "count",
            "reasoning",
        ),
        DemoQuestion(
            "financial-07",
            source,
            "How many thousand tonnes did the commodity that lost the most tonnage over Harrowmouth's quays between 2020 and 2021 still make up in 2021?",
            str(cargo[fell][0]),
            "Int",
            TABLE,
            tuple(row_text(name, _cargo(five)[name]) for name in HARROW_CARGO),
            "compare",
            "reasoning",
        ),
        DemoQuestion(
            "financial-08",
            source,
            "What final dividend in pence per share did the Harrowmouth board propose for 2021?",
            "6.35",
            "Float",
            TEXT,
            ("The proposed final dividend of 6.35 pence a share",),
        ),
        DemoQuestion(
            "financial-09",
            source,
            "What tender price in pounds did Harrowmouth Harbour Company accept in February 2022 for rebuilding the parapet of the Long Arm?",
            "4412000",
            "Int",
            TEXT,
            ("the company accepted a tender of \u00a34,412,000 for the rebuilding of the parapet",),
        ),
        DemoQuestion(
            "financial-10",
            source,
            "What was the carbon footprint of Harrowmouth Harbour Company in 2021, in tonnes of CO2 equivalent?",
            "Not answerable",
            "None",
        ),
    ]


def _ostrevik_questions() -> list[DemoQuestion]:
    b, v, source = OSTREVIK, OSTREVIK_22, "ostrevik-havn-2022.pdf"
    years = (2022, 2021, 2020)
    energy, fish = _ostrevik(OSTREVIK_ENERGY, years), _ostrevik(OSTREVIK_FISH, years)
    results = {name: b(f"result {name}", 2022) for name in b.segments}
    ratio = b("total_liabilities", 2022) / b("equity", 2022)
    return [
        DemoQuestion(
            "financial-11",
            source,
            "How many MWh of electricity did the cold stores of Ostrevik Havn use in 2022?",
            str(energy["Cold stores"][0]),
            "Int",
            TABLE,
            (row_text("Cold stores", energy["Cold stores"]),),
        ),
        DemoQuestion(
            "financial-12",
            source,
            "How many tonnes more herring were landed at Ostrevik in 2022 than in 2021? Give a negative number if it was less.",
            str(round(fish["Herring"][0] - fish["Herring"][1])),
            "Int",
            TABLE,
            (row_text("Herring", fish["Herring"]),),
            "derive",
            "reasoning",
        ),
        DemoQuestion(
            "financial-13",
            source,
            "What is the ratio of total liabilities to total equity of Ostrevik Havn at the end of 2022? Round to three decimal places.",
            f"{ratio:.3f}",
            "Float",
            TABLE,
            (v.span(b, "total_liabilities"), v.span(b, "equity")),
            "derive",
            "reasoning",
        ),
        DemoQuestion(
            "financial-14",
            source,
            "What will it cost, in millions of kroner, to build Cold Store 3 at Skarvholmen according to the budget in Ostrevik Havn's 2022 report?",
            "287",
            "Int",
            TEXT,
            ("The budget is NOK 287 million",),
        ),
        DemoQuestion(
            "financial-15",
            source,
            "Which three ships made the largest cruise calls at Ostrevik in 2022?",
            as_list("Aurelia Borealis", "Queen Sigrun", "Meridian Star"),
            "List",
            TEXT,
            ("those of the Aurelia Borealis, the Queen Sigrun and the Meridian Star",),
            "enumerate",
        ),
        DemoQuestion(
            "financial-16",
            source,
            "In Ostrevik Havn's 2022 report, to what did the average dwell time of an import box shorten, in days?",
            "2.83",
            "Float",
            TEXT,
            ("Average dwell time of an import box shortened to 2.83 days from 3.4",),
        ),
        DemoQuestion(
            "financial-17",
            source,
            "Which chapel got back the bell found on the sea bed at Ostrevik?",
            "Holm chapel",
            "Str",
            TEXT,
            ("the bell has gone back to Holm chapel, from which it was stolen in 1948",),
        ),
        DemoQuestion(
            "financial-18",
            source,
            "How many more cruise passengers did Ostrevik Havn report for 2022 than for 2021?",
            str(61740 - 9385),
            "Int",
            TABLE,
            ("Cruise passengers 61,740 9,385",),
            "derive",
            "reasoning",
        ),
        DemoQuestion(
            "financial-19",
            source,
            "What operating result in NOK thousand did Ostrevik's most profitable business earn in 2022?",
            str(max(results.values())),
            "Int",
            TABLE,
            tuple(segment_span(b, v, name, "result") for name in b.segments),
            "compare",
            "reasoning",
        ),
    ]
