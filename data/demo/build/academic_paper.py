"""Eight papers on woodchip bioreactors for drainage water: two sources and six siblings from other sites and with other aims.

Results come from small seeded models of the beds (flow, concentration, temperature), so tables, text and questions agree.
All sites, people, journals and cited works are invented.
"""

import json
import random
import statistics
from collections.abc import Mapping, Sequence

from data.demo.build.layout import (
    Block,
    DemoDocument,
    DemoQuestion,
    Style,
    big_title,
    box,
    bullets,
    chart_bar,
    chart_line,
    heading,
    joined,
    note,
    numbered,
    one_column,
    page_break,
    para,
    quote,
    rule,
    spin,
    table,
    title_block,
)

FAMILY = "academic_paper"
TYPE = "Academic paper"

# --- what the field shares: methods, caveats, literature -----------------------------------------------------------

SHARED: dict[str, tuple[str, ...]] = {
    "background": (
        "Subsurface drainage {moves|carries} nitrate from the root zone to ditches and streams faster than any natural process can remove it, and {the nitrate load|the load of nitrate} of drained catchments is {largest|highest} in winter and early spring.",
        "A woodchip bioreactor is a trench or bed filled with wood chips through which drainage water is {led|passed} before it enters the ditch; bacteria in the bed use the carbon of the wood as an electron donor and {reduce|turn} nitrate {to|into} nitrogen gas.",
        "Denitrification in such beds depends on temperature, hydraulic retention time, the nitrate concentration of the inflow and the age of the wood, {and the four are seldom separated|although field studies seldom separate the four} in field studies.",
        "Reported nitrate removal rates range from less than 1 to more than 20 g N per m\u00b3 of bed per day, a spread that {owes as much to the way in which {rates are|removal is} calculated as to the beds themselves|has as much to do with how {rates are|removal is} calculated as with the beds}.",
        "{Unwanted|Undesirable} side effects include the loss of dissolved organic carbon after the filling, the emission of nitrous oxide when denitrification is incomplete, and the production of hydrogen sulphide once nitrate is used up.",
        "Most bioreactors {are built|have been built} with a control structure at either end, in which stop logs set the water level in the bed and hence the retention time, and with a bypass for flows that exceed the hydraulic capacity.",
    ),
    "sampling": (
        "Water samples were {taken|collected} at the inlet and at the outlet control structure with automatic samplers and {supplemented by|checked against} grab samples {every week|each week|once a week}.",
        "Samples were kept {in the dark|cool and dark} at 4 \u00b0C, filtered through 0.45 \u00b5m membranes within {24|48} hours and analysed for nitrate, nitrite, ammonium and dissolved organic carbon.",
        "Nitrate plus nitrite was determined by {cadmium reduction|flow injection} with a detection limit of {0.02|0.05|0.04} mg N per litre; blanks, duplicates and a standard were run with every {twentieth|tenth|fifteenth} sample.",
        "Flow was {measured|recorded} with a V-notch weir and a pressure transducer at intervals of {ten|fifteen|thirty} minutes, and the weir was calibrated by timed volumes at {five|six|seven} stages.",
        "Water temperature, dissolved oxygen and redox potential were logged in {sampling wells|piezometers} along the centre line of the bed, and the loggers were cleaned and checked at each visit.",
        "Rain was measured on site; where the gauge {failed|was blocked}, values from the nearest station were {substituted|used}.",
    ),
    "calculation": (
        "The load was calculated as the product of flow and concentration, with linear interpolation of concentration between samples, and the nitrate removal as the difference between the load at the inlet and the load at the outlet.",
        "The removal rate {is expressed|is given} in grams of nitrate nitrogen per cubic metre of saturated bed per day, and the removal efficiency as the percentage of the inflow load that {did not leave|failed to leave} the bed.",
        "The hydraulic retention time was calculated from the saturated volume, the drainable porosity and the flow; bypass flow was {left out of|not counted in} the removal efficiency of the bed but {included in|counted in} that of the site.",
        "The temperature response was described with a Q10 factor, fitted by least squares to periods in which the outlet nitrate concentration exceeded 1 mg N per litre, so that nitrate was not limiting.",
        "Uncertainty of the loads was {estimated|assessed} by {bootstrap|resampling} of the concentration samples within each month and by {adding|allowing for} an error of five per cent in the rating of the weir.",
        "All statistical analysis was {done|carried out} with free software; differences are called significant when the probability of a larger one under the null hypothesis is below 0.05.",
    ),
    "caution": (
        "Loads at low flow are small, and the percentages {calculated|computed} from them should not be {averaged|compared} without weights.",
        "The composition of the microbial community was not {studied|examined}, and the denitrification rate is {inferred|deduced} from a mass balance in which assimilation and dissimilatory reduction to ammonium are {not distinguished|lumped together}.",
        "Preferential flow along the sides of the bed {may have|could have} shortened the effective retention time, as the difference between nominal and tracer-based values {suggests|indicates}.",
        "The results {hold|apply} for the soils, the drainage design and the weather of the study period; extrapolation to {other catchments|catchments with other crops} {calls for|needs} care.",
        "Hydraulic conductivity was measured on {a few|a small number of} cores of wood chips, and cores are disturbed {however carefully they are taken|by the act of taking them}.",
    ),
    "theory": (
        "At nitrate concentrations {above|well above} 1 mg N per litre denitrification in wood chips is close to zero order: the removal rate depends on the supply of carbon and on temperature and {not|hardly} on the nitrate concentration.",
        "{When|Where} nitrate becomes scarce the process {turns|goes over} to first order, and a removal rate {computed|calculated} from such periods says more about the inflow load than about the bed.",
        "With a Q10 {near|of about} two, a bed that removes all nitrate at 15 \u00b0C in ten hours of hydraulic retention time needs {some|about} twenty hours at 5 \u00b0C.",
        "Dissolved oxygen in drainage water has to be {consumed|used up} before nitrate is reduced, which costs the first {metre|metre or two} of the bed and a little of the wood.",
        "The saturated hydraulic conductivity of fresh wood chips is {so high|high enough} that the water table in the bed is nearly level; with age, fine particles and biofilm fill the pores and the head loss {grows|rises}.",
    ),
    "comparison": (
        "The removal rates found here {lie|are} within the range of field bioreactors of the same age and temperature, and the removal efficiency is {below|lower than} the average of published values, {because|since} the inflow load per cubic metre of wood was high.",
        "Published values of nitrate removal {come mostly|mostly come} from beds with continuous flow and nitrate concentrations above 10 mg N per litre, and {most were|were mostly} measured in the first three years after filling.",
        "A {direct|close} comparison with {other studies|the literature} is {hindered|made difficult} by the different volumes to which the removal rate is {referred|related}: the volume of the trench, the saturated volume or the drainable pore volume.",
        "Laboratory columns {give|yield} higher denitrification rates than field beds with the same wood chips, {partly|in part} because short-circuiting is absent and partly because the temperature is {constant|held constant}.",
        "{Few|Only a few} field studies report dissolved organic carbon, nitrous oxide and nitrate removal for the same bed, so that the trade-offs between them are {poorly|not well} known.",
    ),
    "practice": (
        "For design, the {governing|decisive} choice is the share of the peak flow to be treated: a bed sized for the whole peak stands idle or turns sulphidic for most of the year, {whereas|while} one sized for the median flow lets the largest loads go by.",
        "Stop logs should be {raised|set} with the season, so that retention time is long when the water is cold and short when nitrate is {scarce|low}.",
        "The cost of nitrogen removal depends more on the life of the wood than on the {price of excavation|cost of digging}, and a {longer|better} record of old beds is therefore worth more than another new one.",
        "A bioreactor is no {substitute|replacement} for the better use of fertiliser; it removes at the edge of the field what {should never have left it|was not taken up by the crop}.",
        "Water that leaves the bed should be {aerated|led over a cascade} before it reaches the stream, since it is free of oxygen and, in the first months, rich in dissolved organic carbon.",
    ),
}

OPENERS = (
    "In addition, ",
    "As is usual, ",
    "It should be said that ",
    "Moreover, ",
    "Here as elsewhere, ",
    "We note that ",
    "In this case too, ",
    "Once more, ",
    "Besides, ",
    "In practice, ",
    "It may be recalled that ",
    "As a rule, ",
    "In short, ",
    "In general, ",
    "Throughout, ",
    "For completeness, ",
    "As in other work, ",
    "It is understood that ",
    "Again, ",
)

SURNAMES = (
    "Abara",
    "Brandvold",
    "Castellane",
    "Deverill",
    "Eskola",
    "Fanshawe",
    "Grzelak",
    "Hollinrake",
    "Iwu",
    "Jarlsby",
    "Kettlewood",
    "Lundqvist-Ames",
    "Marchetti-Roe",
    "Ngarimu",
    "Ormsby",
    "Petrakis",
    "Quillfeather",
    "Rasmus",
    "Sallowfield",
    "Tendai",
    "Ubhi",
    "Varga-Holt",
    "Wick",
    "Yelland",
)
JOURNALS = (
    "Journal of Drainage and Water Quality",
    "Ecological Engineering Letters",
    "Water and Field",
    "Transactions on Agricultural Water",
    "Annals of Catchment Science",
    "Biogeochemistry of Small Waters",
)
WORKS = (
    "Woodchip bioreactors for nitrate removal: a review of field performance",
    "Temperature response of denitrification in wood chips",
    "Hydraulic properties of wood chips and their change with time",
    "Denitrification walls, beds and layers: a comparison of designs",
    "Carbon quality and the longevity of denitrifying bioreactors",
    "Nitrous oxide emission from a denitrification bed",
    "Tracer tests in woodchip bioreactors: what the tail can tell",
    "Start-up losses of dissolved organic carbon from fresh wood",
    "Nitrate loads from tile-drained fields in wet and dry years",
    "A mass balance of nitrogen in a drained catchment",
    "The cost of removing nitrate at the edge of the field",
    "Sulphate reduction and mercury methylation in woodchip beds",
    "Hydraulic retention time and removal efficiency in field bioreactors",
    "Farmers' views of edge-of-field practices",
    "Phosphorus sorption by industrial by-products in drainage filters",
    "Winter performance of denitrifying bioreactors",
    "Microbial community of wood chips along a flow path",
    "Design flow and bypass in drainage bioreactors",
    "Ammonium and nitrite in the effluent of woodchip beds",
    "A model of nitrate removal with dual Monod kinetics",
    "Decay of willow, pine and oak under saturated conditions",
    "Measuring flow in shallow drains with V-notch weirs",
    "Uncertainty of nitrate loads from discrete samples",
    "Controlled drainage and bioreactors combined",
    "Baffles and inlet manifolds in horizontal beds",
    "Greenhouse gas balance of nitrogen removal practices",
    "Corn cobs, straw and wood as carbon media",
    "Clogging of wood media by iron and biofilm",
    "The effect of drying and rewetting on woodchip reactivity",
    "Wetlands and bioreactors in one catchment: ten seasons",
    "Saturated buffers and other edge-of-field practices",
    "Bromide and dye as tracers in porous organic media",
    "Redox zonation in denitrification beds",
    "Policy for drainage water: who should pay?",
    "Media replacement intervals and their consequences",
    "Ground frost, snow melt and drainage flow",
)


def _library() -> list[tuple[list[tuple[str, str]], int, str, str, int, int, int]]:
    rng = random.Random("woodchip library")
    works = []
    for title in WORKS:
        authors = [(name, rng.choice("ABCDEGHIJKLMNOPRSTV")) for name in rng.sample(SURNAMES, rng.choice((1, 2, 2, 3)))]
        first = rng.randint(3, 890)
        works.append(
            (
                authors,
                rng.randint(1998, 2018),
                title,
                rng.choice(JOURNALS),
                rng.randint(4, 71),
                first,
                first + rng.randint(6, 21),
            )
        )
    return sorted(works)


LIBRARY = _library()


def references(document: str, count: int, form: str, own: Sequence[str] = ()) -> list[str]:
    """Return ``count`` works of the common literature in the manner of one journal, with the paper's ``own`` entries added."""
    chosen = sorted(random.Random(f"{document}|references").sample(range(len(LIBRARY)), count))
    made = []
    for index in chosen:
        authors, year, title, journal, volume, first, last = LIBRARY[index]
        after = [f"{name}, {initial}." for name, initial in authors]
        before = [f"{initial}. {name}" for name, initial in authors]
        entry = {
            "harvard": f"{', '.join(after)} ({year}). {title}. __{journal}__, {volume}: {first}\u2013{last}.",
            "numeric": f"{', '.join(before)}, {title}, {journal} {volume} ({year}) {first}\u2013{last}.",
            "vancouver": f"{', '.join(f'{name} {initial}' for name, initial in authors)}. {title}. {journal} {year};{volume}:{first}-{last}.",
            "long": f'{" and ".join(after)} {year}. "{title}." {journal}, vol. {volume}, pp. {first} to {last}.',
        }[form]
        made.append(entry)
    return sorted([*made, *own]) if form in ("harvard", "long") else [*made, *own]


def shared(document: str, topic: str, count: int = 5) -> list[Block]:
    """Return paragraphs on what every such study must say, chosen and worded for this document."""
    rng = random.Random(f"{document}|{topic}")
    chosen = rng.sample(SHARED[topic], count)
    sentences = joined(rng, [spin(rng, sentence) for sentence in chosen], OPENERS)
    cut = rng.randint(1, count - 1) if count > 3 else count
    return [para(" ".join(part)) for part in (sentences[:cut], sentences[cut:]) if part]


WET = {"Autumn": 0.8, "Winter": 1.5, "Spring": 1.1, "Summer": 0.35}
WARM = {"Autumn": 10.4, "Winter": 4.6, "Spring": 8.3, "Summer": 14.2}
SNOWY = {"Autumn": 0.74, "Winter": 0.21, "Spring": 2.2}
COLD = {"Autumn": 6.1, "Winter": 1.9, "Spring": 2.6}


def seasons(
    seed: str,
    names: Sequence[str],
    nitrate: float,
    volume: float,
    rate: float,
    bed: float,
    wet_by: Mapping[str, float] = WET,
    warm_by: Mapping[str, float] = WARM,
) -> list[dict[str, float]]:
    """Return one row a season: inflow volume (m\u00b3), concentrations in and out (mg N/l), loads (kg N), rate and efficiency."""
    rng = random.Random(seed)
    rows = []
    for name in names:
        days = {"Autumn": 91, "Winter": 90, "Spring": 92, "Summer": 92}[name.split()[0]]
        wet = wet_by[name.split()[0]]
        warm = warm_by[name.split()[0]] + rng.uniform(-0.9, 0.9)
        flow = round(volume * wet * rng.uniform(0.75, 1.25))
        inflow = round(nitrate * rng.uniform(0.8, 1.22), 2)
        load = flow * inflow / 1000
        removed = min(
            load * rng.uniform(0.86, 0.93),
            rate * 2.1 ** ((warm - 10) / 10) * bed * days / 1000 * rng.uniform(0.85, 1.1),
        )
        outflow = round(inflow - removed / flow * 1000, 2)
        load, out = round(flow * inflow / 1000, 1), round(flow * outflow / 1000, 1)
        rows.append(
            {
                "flow": flow,
                "warm": round(warm, 1),
                "in": inflow,
                "out": outflow,
                "load": load,
                "left": out,
                "removed": round(load - out, 1),
                "rate": round((load - out) * 1000 / bed / days, 2),
                "share": round((load - out) / load * 100, 1),
            }
        )
    return rows


def season_rows(
    names: Sequence[str],
    rows: Sequence[Mapping[str, float]],
    keys: Sequence[str] = ("flow", "warm", "in", "out", "removed", "rate", "share"),
) -> list[list[str]]:
    form = {
        "flow": "{:,.0f}",
        "warm": "{:.1f}",
        "in": "{:.2f}",
        "out": "{:.2f}",
        "load": "{:.1f}",
        "left": "{:.1f}",
        "removed": "{:.1f}",
        "rate": "{:.2f}",
        "share": "{:.1f}",
    }
    return [[name, *(form[key].format(row[key]) for key in keys)] for name, row in zip(names, rows, strict=True)]


def as_list(*items: str) -> str:
    return json.dumps(list(items))


# --- Aldergate ------------------------------------------------------------------------------------------------------

ALDER_SEASONS = [
    f"{season} {year}" for year in (2018, 2019, 2020) for season in ("Winter", "Spring", "Summer", "Autumn")
]
ALDER = {
    "A": seasons("alder A", ALDER_SEASONS, 13.6, 1930, 6.1, 52.8),
    "B": seasons("alder B", ALDER_SEASONS, 15.2, 2210, 4.3, 61.4),
    "C": seasons("alder C", ALDER_SEASONS, 11.1, 1480, 7.4, 38.5),
}
ALDER_TOTAL = {
    bed: (round(sum(r["load"] for r in rows), 1), round(sum(r["removed"] for r in rows), 1))
    for bed, rows in ALDER.items()
}
ALDER_BEDS = [
    ["Property", "Bed A", "Bed B", "Bed C"],
    ["Wood", "Willow", "Larch", "Mixed hazel and ash"],
    ["Filled", "Sept. 2016", "Sept. 2016", "July 2017"],
    ["Length (m)", "22.0", "24.1", "17.5"],
    ["Saturated volume (m\u00b3)", "52.8", "61.4", "38.5"],
    ["Drainable porosity", "0.58", "0.63", "0.55"],
    ["Median chip length (mm)", "23", "31", "19"],
    ["Drained area (ha)", "6.82", "8.15", "4.37"],
    ["Bypass share of flow (%)", "17.3", "11.8", "24.6"],
]


def aldergate() -> DemoDocument:
    total = sum(t[1] for t in ALDER_TOTAL.values())
    keys = ("flow", "warm", "in", "out", "removed", "rate", "share")
    head = ["Season", "Flow (m\u00b3)", "T (\u00b0C)", "In", "Out", "N removed (kg)", "Rate", "Eff. (%)"]
    story: list[Block] = [
        title_block(
            [
                note(
                    "Journal of Drainage and Water Quality 34 (2021) 289\u2013306. Received 11 March 2021, accepted 2 July 2021"
                ),
                big_title(
                    "Nitrate removal by three woodchip bioreactors under intermittent drainage flow at Aldergate, 2018 to 2020",
                    scale=1.6,
                ),
                para(
                    "Henrike Sollberg\u00b9, Mattias Ekwall\u00b9, Oluchi Brandt\u00b2, Rosalind Peverell\u00b3",
                    centred=True,
                ),
                note(
                    "\u00b9 Institute for Water in Agriculture, Lindfors. \u00b2 Department of Soil Science, University of Carrow. \u00b3 Aldergate Estate Office"
                ),
                box(
                    f"Beds of wood chips are usually studied where drains run all year. At Aldergate they run for 140 to 210 days. Over twelve seasons we measured the removal of nitrate in three beds filled with willow, larch and mixed hazel and ash. Together they removed {total:.1f} kg of nitrate nitrogen. Rates were highest in the first ten days after flow resumed, when they were on average 1.83 times those at the same temperature later on, an effect we call the rewetting bonus. It faded with each year. The willow bed lost volume fastest. We recommend that beds on intermittent drains be allowed to dry in summer but not for longer than eight weeks.",
                    "Abstract",
                ),
                note(
                    "Keywords: denitrification; drainage; drying and rewetting; larch; nitrate; willow; woodchip bioreactor"
                ),
            ]
        ),
        heading("1 Introduction"),
        para(
            "In the villages under the Aldergate ridge the drains are called __singers__, from the sound they make at the outfall, and the day on which they start to sing is written in chalk on the door of the pump house. The earliest such day in the 61 that are legible is 19 September and the latest 6 January. A practice designed for water that flows without pause must here deal with water that comes, stays four or five months and goes."
        ),
        *shared("aldergate", "background", 5),
        para(
            "What drying does to the wood is disputed. Air lets fungi in, which open up lignin that bacteria without oxygen cannot touch; the wood is used up faster but yields more of its carbon to denitrifiers when the water returns. Whether that is a gain depends on how much nitrate passes in the first days. Our questions were three: how large is the effect in the field, does it last, and does it depend on the kind of wood?"
        ),
        *shared("aldergate", "theory", 4),
        heading("2 Site and methods"),
        heading("2.1 The beds", 2),
        para(
            "The farm lies on 4 m of boulder clay over chalk. Drains at 0.9 m depth and 16 m spacing were laid in 1974. Rotations are wheat, beans and oilseed rape. The beds were dug beside the collector, lined with 0.5 mm sheet, filled by conveyor and covered with 0.3 m of topsoil in which, against our intentions, comfrey has established itself. Table 1 describes them."
        ),
        table(ALDER_BEDS, caption="Table 1. The three beds", align="lccc", widths=[1.5, 0.9, 0.9, 1.2]),
        para(
            "Bed B was damaged in November 2018 when a heifer put a foot through the inlet box; four days of flow were lost and are left out."
        ),
        heading("2.2 Sampling and analysis", 2),
        *shared("aldergate", "sampling", 5),
        heading("2.3 Calculation", 2),
        *shared("aldergate", "calculation", 5),
        para(
            "We define a __rewetting event__ as a return of flow after at least 21 dry days, dryness meaning that the water table in the middle well stood below the floor of the bed. There were eleven such events: four in bed A, three in bed B and four in bed C. The rewetting bonus is the removal rate over the first ten days divided by that predicted by the fitted temperature response for the remaining season."
        ),
        heading("3 Results"),
        heading("3.1 Flow and loads", 2),
        para(
            "Winters brought about half of the water and springs much of the removal. Flow ceased altogether in all beds between 2 July and 24 September 2019. The concentration of nitrate in the inflow was highest in bed B in the winter after the bean crop of 2019. Seasonal results are listed in Tables 2 to 4 and their totals in Table 5, all of which stand behind the references."
        ),
        chart_line(
            [f"{n[:2]} {n[-2:]}" for n in ALDER_SEASONS],
            {f"Bed {bed}": [r["rate"] for r in rows] for bed, rows in ALDER.items()},
            "Figure 1. Removal rate by season (g N per m\u00b3 per day)",
            height=190,
        ),
        heading("3.2 Temperature", 2),
        para(
            "The Q10 of the removal rate was 2.14 (willow), 2.38 (larch) and 1.96 (hazel and ash), the last being indistinguishable from two. Below 3 \u00b0C the larch bed removed almost nothing. On 8 February 2019, the coldest day of flow, the outlet of bed B carried as much nitrate as its inlet to within the error of the method."
        ),
        heading("3.3 The rewetting bonus", 2),
        para(
            "Mean bonus over all events was 1.83. It was largest at the first event in each bed and smaller thereafter (Table 6). After the long drought of 2019 the bonus did not exceed that after dry spells of five weeks, and the outflow was the colour of tea for nine days, with dissolved organic carbon of up to 68.5 mg per litre."
        ),
        table(
            [
                ["Event", "Dry days before", "Bed A", "Bed B", "Bed C"],
                ["October 2017", "58", "2.61", "2.08", "2.44"],
                ["November 2018", "73", "1.92", "1.47", "1.85"],
                ["September 2019", "84", "1.63", "\u2013", "1.54"],
                ["August 2020", "34", "1.70", "1.36", "1.53"],
            ],
            caption="Table 6. Rewetting bonus by event",
        ),
        chart_bar(
            ["Oct 2017", "Nov 2018", "Sept 2019", "Aug 2020"],
            {"Bed A": [2.61, 1.92, 1.63, 1.70], "Bed C": [2.44, 1.85, 1.54, 1.53]},
            "Figure 2. Rewetting bonus by event",
            height=150,
        ),
        heading("3.4 Settling and loss of wood", 2),
        para(
            "The surface of bed A had sunk by 214 mm at the end of the study, that of bed B by 61 mm and that of bed C by 137 mm. From the mass of litter bags we estimate annual losses of dry mass of 9.6, 3.2 and 7.1 per cent. Larch, in other words, is slow to give and slow to go."
        ),
        heading("4 Discussion"),
        para(
            "The bonus is real, moderate and mortal. It made up 12.7 per cent of all the nitrogen removed at the site. A farmer who keeps the bed wet through the summer by pumping, as one advisory leaflet suggests, would forgo it and would save, on our figures, about a year and a half of the life of the willow. We would not pump."
        ),
        *shared("aldergate", "caution", 4),
        *shared("aldergate", "comparison", 4),
        para(
            "Comfrey deserves a line. Its roots had reached 1.1 m into bed C by 2020 and hung in the water like horsehair. Removal in that bed was the highest per volume. We do not claim that the one caused the other; we have, however, planted it on bed B."
        ),
        *shared("aldergate", "practice", 4),
        heading("5 Conclusions"),
        numbered(
            [
                f"Three beds on intermittent drains removed {total:.1f} kg of nitrate nitrogen in three years.",
                "Rates after rewetting exceed those of steady flow by some four fifths at first, less each year.",
                "Drying for more than eight weeks costs wood and brings no further gain.",
                "Willow starts best and larch lasts longest; mixed hazel and ash lay between in loss and above both in rate.",
            ]
        ),
        heading("Acknowledgements"),
        para(
            "We thank the tenants of Nether Aldergate Farm, the late Dr Piet Hoorn for the loan of his weirs, and the county drainage board for grant DB/17/0926. The heifer recovered."
        ),
        heading("References"),
        *[
            note(entry)
            for entry in references(
                "aldergate",
                17,
                "harvard",
                [
                    "Sollberg, H. & Peverell, R. (2019). Chalk on the door: 160 years of drain flow dates at Aldergate. __Water and Field__, 27: 61\u201374."
                ],
            )
        ],
        one_column(),
        *[
            table(
                [head, *season_rows(ALDER_SEASONS, ALDER[bed], keys)],
                caption=f"Table {2 + i}. Bed {bed}: inflow, temperature, flow-weighted nitrate (mg N per litre), nitrogen removed, rate (g N per m\u00b3 per day) and efficiency",
                widths=[1.6, 1, 0.8, 0.8, 0.8, 1.2, 0.8, 0.9],
            )
            for i, bed in enumerate("ABC")
        ],
        table(
            [
                ["Bed", "Load in (kg N)", "Removed (kg N)", "Removed (%)"],
                *(
                    [f"Bed {bed}", f"{t[0]:.1f}", f"{t[1]:.1f}", f"{t[1] / t[0] * 100:.1f}"]
                    for bed, t in ALDER_TOTAL.items()
                ),
            ],
            caption="Table 5. Totals over the twelve seasons",
        ),
        page_break(),
        heading("Appendix A. Inflow and outflow loads by season"),
        *[
            table(
                [
                    ["Season", "Load in (kg N)", "Load out (kg N)", "Removed (kg N)"],
                    *season_rows(ALDER_SEASONS, ALDER[bed], ("load", "left", "removed")),
                ],
                caption=f"Table A{i + 1}. Bed {bed}",
            )
            for i, bed in enumerate("ABC")
        ],
        heading("Appendix B. Days on which the drains began to sing"),
        para(
            "Legible dates from the door of the pump house, in the hand of five successive foremen. A dash marks a year in which the chalk was washed off."
        ),
        _singing_table(),
    ]
    style = Style(
        page="b5",
        size=10.4,
        leading=14.4,
        margin=56,
        columns=2,
        gap=16,
        header="H. Sollberg et al.|Journal of Drainage and Water Quality 34 (2021)",
        footer="{page}",
        mirror=True,
        first_label=("arabic", 289, ""),
        headings="plain",
        accent="#222222",
        indent=True,
    )
    return DemoDocument(
        "aldergate-intermittent-flow-2021.pdf",
        "Nitrate removal by three woodchip bioreactors under intermittent drainage flow at Aldergate, 2018 to 2020",
        TYPE,
        FAMILY,
        "source",
        story,
        style,
    )


def _singing_table() -> Block:
    rng = random.Random("singing")
    months = (
        "19 Sept.",
        "27 Sept.",
        "3 Oct.",
        "8 Oct.",
        "14 Oct.",
        "21 Oct.",
        "30 Oct.",
        "4 Nov.",
        "11 Nov.",
        "17 Nov.",
        "25 Nov.",
        "2 Dec.",
        "13 Dec.",
        "29 Dec.",
        "6 Jan.",
        "\u2013",
    )
    cells = [[str(year), rng.choice(months[1:14])] for year in range(1957, 2021)]
    cells[7][1], cells[44][1] = months[0], months[14]
    rows = [[part for cell in cells[i::16] for part in cell] for i in range(16)]
    return table([["Year", "Day"] * 4, *rows], align="lr" * 4, widths=[1] * 8, keep=True)


# --- Skellbeck ------------------------------------------------------------------------------------------------------

SKELL_YEARS = tuple(range(2011, 2020))


def _skellbeck() -> dict[int, dict[str, float]]:
    rng = random.Random("skellbeck")
    rows, rate, conductivity, porosity, carbon, height = {}, 8.4, 9.6, 0.668, 312.0, 1400.0
    for year in SKELL_YEARS:
        rate *= rng.uniform(0.84, 0.97)
        conductivity *= rng.uniform(0.74, 0.95)
        porosity -= rng.uniform(0.004, 0.019)
        carbon *= rng.uniform(0.85, 0.94)
        height -= rng.uniform(11, 46)
        load = rng.uniform(176, 318)
        removed = min(load * 0.83, rate * rng.uniform(17.5, 21.5))
        rows[year] = {
            "rate": round(rate, 2),
            "k": round(conductivity, 2),
            "porosity": round(porosity, 3),
            "cn": round(carbon),
            "height": round(height),
            "load": round(load, 1),
            "removed": round(removed, 1),
            "share": round(round(removed, 1) / round(load, 1) * 100, 1),
        }
    return rows


SKELL = _skellbeck()
SKELL_FORM = {
    "rate": "{:.2f}",
    "k": "{:.2f}",
    "porosity": "{:.3f}",
    "cn": "{:.0f}",
    "height": "{:,.0f}",
    "load": "{:.1f}",
    "removed": "{:.1f}",
    "share": "{:.1f}",
}


def _skell_row(year: int, keys: Sequence[str]) -> list[str]:
    return [str(year), *(SKELL_FORM[key].format(SKELL[year][key]) for key in keys)]


SKELL_LAYERS = [
    ["Depth (m)", "Dry mass left (%)", "Lignin (%)", "C:N ratio", "Fungal hyphae"],
    ["0.0\u20130.3", "38.7", "41.2", "86", "Abundant"],
    ["0.3\u20130.6", "61.5", "33.8", "124", "Common"],
    ["0.6\u20130.9", "74.9", "29.6", "171", "Rare"],
    ["0.9\u20131.2", "83.3", "27.9", "208", "None seen"],
    ["1.2\u20131.4", "80.6", "28.4", "193", "None seen"],
]
SKELL_COSTS = [
    ["Item", "First filling (\u20ac)", "Refilling (\u20ac)"],
    ["Excavation and lining", "7,845", "0"],
    ["Wood chips, delivered", "4,236", "5,118"],
    ["Control structures", "3,390", "415"],
    ["Removal of old media", "0", "2,672"],
    ["Labour of the farm", "1,160", "985"],
]


def skellbeck() -> DemoDocument:
    lost = SKELL[2011]["rate"] - SKELL[2019]["rate"]
    story: list[Block] = [
        title_block(
            [
                note("Ecological Engineering Letters, volume 12, article 0417 (2020)"),
                big_title(
                    "What nine years do to a bed of wood: ageing of woodchip media in the Skellbeck bioreactor, with the full record",
                    centred=False,
                    scale=1.65,
                ),
                para("Tamsin Okonjo-Reid, Willem Haverkate, Saoirse Lonergan and Bartholomew Fisk"),
                box(
                    [
                        f"The Skellbeck bed was filled with 186 m\u00b3 of spruce chips in April 2011 and dug out in October 2019. In between, the removal rate at 10 \u00b0C fell from {SKELL[2011]['rate']:.2f} to {SKELL[2019]['rate']:.2f} g N per m\u00b3 per day and the saturated hydraulic conductivity from {SKELL[2011]['k']:.2f} to {SKELL[2019]['k']:.2f} cm per second. Ageing was not even: the top 0.3 m, wet and dry by turns, kept 38.7 per cent of its dry mass, the layer from 0.9 to 1.2 m 83.3 per cent.",
                        "Old chips from the middle of the bed, rinsed and put into columns with fresh drainage water, denitrified at two thirds of the rate of new ones. What had failed was not the wood but the way through it. We give the whole monthly record in an appendix.",
                    ],
                    "Summary",
                ),
            ]
        ),
        heading("Why dig it out?"),
        para(
            "Bioreactors are young. When reviewers ask how long the wood will last, authors write __fifteen to twenty years__ and cite each other. In the autumn of 2019 the farmer at Skellbeck told us that he meant to lay a road across the end of our bed, and so we had to do what we should otherwise have put off: take it out, layer by layer, and look.",
            lead=True,
        ),
        *shared("skellbeck", "background", 4),
        para(
            "The literature on age rests on beds of which only the inlet and the outlet were observed. A falling removal rate may mean that the wood is spent, or that it is coated, or that the water has found a short way round. These call for different cures. Refilling is the dearest."
        ),
        *shared("skellbeck", "theory", 4),
        heading("The bed and its history"),
        para(
            "Skellbeck lies at 212 m in the uplands of the Nidder, on loam over slate. The bed is 26 m long, 5.1 m wide and 1.4 m deep, and takes the drains of 11.3 ha of grass and swedes. It was never topped up. There were two accidents. In June 2014 slurry from a burst pipe passed through it for six hours, after which ammonium was found at the outlet for seven weeks. In December 2015 a flood stood on it for three days and left 40 mm of silt on the cover, some of which is now inside."
        ),
        heading("How it was watched"),
        *shared("skellbeck", "sampling", 5),
        para(
            "Conductivity was measured each September by a constant-head test between the second and the fifth well. The test used water from a bowser filled at the village pump, and its result was always announced in the public house."
        ),
        heading("How it was taken apart"),
        para(
            "A digger with a toothless bucket opened a face at 6, 13 and 20 m from the inlet. At each face we cut five blocks, 200 mm on a side, with a bread saw made by the blacksmith of Hartwith. Blocks were weighed wet, dried at 60 \u00b0C, and split for fibre analysis, for microscopy and for the columns. Table 2 gives the means of three faces."
        ),
        heading("What was calculated"),
        *shared("skellbeck", "calculation", 5),
        heading("What the record shows"),
        table(
            [
                ["Year", "Rate at 10 \u00b0C", "K (cm/s)", "Porosity", "C:N"],
                *(_skell_row(y, ("rate", "k", "porosity", "cn")) for y in SKELL_YEARS),
            ],
            caption="Table 1a. State of the media in September",
            widths=[0.7, 1, 1.15, 0.9, 1],
        ),
        table(
            [
                ["Year", "Load (kg N)", "Removed (kg N)", "Eff. (%)", "Height (mm)"],
                *(_skell_row(y, ("load", "removed", "share", "height")) for y in SKELL_YEARS),
            ],
            caption="Table 1b. Nitrogen and bed height",
            widths=[0.7, 1, 1.15, 0.9, 1],
        ),
        para(
            f"The rate at 10 \u00b0C declined in every year, by {lost:.2f} g N per m\u00b3 per day in all. The losses of single years lay between 0.31 and 0.88. No step can be made out after the slurry and none after the flood."
        ),
        chart_line(
            [str(y) for y in SKELL_YEARS],
            {"Rate": [SKELL[y]["rate"] for y in SKELL_YEARS], "Conductivity": [SKELL[y]["k"] for y in SKELL_YEARS]},
            "Figure 1. Rate at 10 \u00b0C and conductivity",
            height=150,
        ),
        para(
            "Conductivity fell faster than anything else. By 2017 the head needed to push the spring flow through the bed stood above the bypass sill, so that a share of the water, 29.4 per cent in that year, never entered it."
        ),
        chart_bar(
            [str(y) for y in SKELL_YEARS],
            {"Load": [SKELL[y]["load"] for y in SKELL_YEARS], "Removed": [SKELL[y]["removed"] for y in SKELL_YEARS]},
            "Figure 2. Nitrogen load and removal (kg N a year)",
            height=165,
        ),
        heading("What was found inside"),
        table(
            SKELL_LAYERS, caption="Table 2. Wood by depth, October 2019", widths=[1, 1.2, 1, 0.9, 1.3], align="lcccl"
        ),
        para(
            "From above, the bed resembled a compost heap; from below, a stack of timber. The boundary was as sharp as a tide mark and lay where the summer water table had stood. Under it one could still read the brand of the sawmill on a piece of slab wood. A shoe, size 42, was recovered from 0.7 m and returned to Mr Haverkate."
        ),
        para(
            "Three cemented sheets of iron and biofilm, each about as thick as a fingernail, ran across the flow within 2.5 m of the inlet. Behind them the chips were nearly clean. When we broke the sheets with a fork and let the water back for one last week, conductivity rose nearly fivefold, from its 2019 value to 5.9 cm per second."
        ),
        heading("Old chips, new water"),
        para(
            "Columns of chips from 0.6 to 0.9 m removed 4.87 g N per m\u00b3 per day at 10 \u00b0C, those of fresh spruce 7.31. Chips from the top layer managed 1.94. Adding acetate raised the first by a factor of 2.6 and the last hardly at all, which suggests that in the middle of the bed carbon is short while at the top there is little wood left to live on."
        ),
        para(
            "Not everyone will agree that a column of chips taken from the bed is a fair sample of the bed. We rinsed them; rinsing removes silt and iron and some of the bacteria. On the other hand, the columns stood at 10 \u00b0C for five weeks before the rates were taken, long enough for a microbial community to grow back, and the removal rates of the last two weeks did not differ. If rinsing had harmed the old chips their rate would still have been rising."
        ),
        *shared("skellbeck", "comparison", 4),
        heading("What it cost"),
        table(SKELL_COSTS, caption="Table 3. Costs of the first filling and of refilling", total_rows=()),
        para(
            "At a discount rate of four per cent and a life of nine years the nitrogen removed cost 11.60 euros a kilogram. Had the inlet third been forked over in the fifth year, as we now recommend, the bed might have served fourteen years at 8.25 euros."
        ),
        heading("Reservations"),
        *shared("skellbeck", "caution", 4),
        heading("What we should do differently"),
        *shared("skellbeck", "practice", 4),
        bullets(
            [
                "Put a sump that can be cleaned before the inlet, and clean it.",
                "Cover the wood with 0.5 m of soil instead of 0.3, so that the top layer stays wet.",
                "Fork over the first 3 m every fifth autumn.",
                "Weigh the bed: a level staff read once a year would have told us most of this.",
            ]
        ),
        quote("I could have told you it was blocked. It stopped gurgling in 2016.", "Mr E. Thwaite, farmer"),
        heading("References"),
        *[note(f"{i}. {entry}") for i, entry in enumerate(references("skellbeck", 16, "vancouver"), start=1)],
        one_column(),
        heading("Appendix. The monthly record, 2011 to 2019"),
        para(
            "Flow is the total of the month through the bed; concentrations are flow-weighted means in milligrams of nitrate nitrogen per litre. A month without flow is left blank."
        ),
        *[block for year in SKELL_YEARS for block in _month_blocks(year)],
        page_break(),
        heading("Appendix B. The fifteen blocks"),
        para(
            "Blocks are named by the face they were cut from, in metres from the inlet, and numbered from the top. The means of the three faces are those of Table 2. Block 13-2 held the shoe and was weighed without it."
        ),
        _blocks_table(),
        page_break(),
        heading("Appendix C. Levels of the cover"),
        para(
            "Millimetres above the lip of the outlet sill, read with a staff at the end of each September at eleven pegs along the centre line. Peg 4 was moved by a tup in 2014 and put back by eye."
        ),
        _levels_table(),
    ]
    style = Style(
        page="b5",
        font="sans",
        size=10.6,
        leading=15.6,
        margin=58,
        columns=2,
        gap=16,
        header="Ageing of woodchip media|Skellbeck",
        footer="Article 0417|{page}",
        headings="ruled",
        accent="#1d3b2a",
        justify=False,
        first_label=("arabic", 1, "0417-"),
    )
    return DemoDocument(
        "skellbeck-media-ageing-2020.pdf",
        "What nine years do to a bed of wood: ageing of woodchip media in the Skellbeck bioreactor",
        TYPE,
        FAMILY,
        "source",
        story,
        style,
    )


def _blocks_table() -> Block:
    rng = random.Random("skellbeck blocks")
    rows = [["Block", "Depth (m)", "Dry mass left (%)", "Lignin (%)", "C:N ratio", "Water (% of wet mass)"]]
    lean = {
        name: (rng.uniform(1.1, 5.2), rng.uniform(0.4, 1.9), rng.randint(3, 12))
        for name in (row[0] for row in SKELL_LAYERS[1:])
    }
    for face, side in ((6, -1), (13, 0), (20, 1)):
        for number, (depth, mass, lignin, ratio, _) in enumerate(SKELL_LAYERS[1:], start=1):
            by_mass, by_lignin, by_ratio = (round(side * value, 1) for value in lean[depth])
            rows.append(
                [
                    f"{face}-{number}",
                    depth,
                    f"{float(mass) + by_mass:.1f}",
                    f"{float(lignin) - by_lignin:.1f}",
                    f"{int(ratio) + by_ratio:.0f}",
                    f"{rng.uniform(61, 78):.1f}",
                ]
            )
    return table(rows, widths=[0.8, 1, 1.2, 1, 1, 1.3])


def _levels_table() -> Block:
    rng = random.Random("skellbeck levels")
    rows = [["Peg", *map(str, SKELL_YEARS)]]
    heights = []
    for year in SKELL_YEARS:
        offsets = [rng.randint(-14, 14) for _ in range(10)]
        heights.append([round(SKELL[year]["height"]) + offset for offset in [*offsets, -sum(offsets)]])
    rows += [[str(peg + 1), *(str(column[peg]) for column in heights)] for peg in range(11)]
    rows.append(["Mean", *(f"{SKELL[year]['height']:.0f}" for year in SKELL_YEARS)])
    return table(rows, widths=[0.8, *[1.0] * 9], total_rows=(-1,))


def _month_blocks(year: int) -> list[Block]:
    rng = random.Random(f"skellbeck months {year}")
    wet = (1.6, 1.5, 1.2, 0.9, 0.5, 0.2, 0.1, 0.15, 0.3, 0.8, 1.2, 1.5)
    warm = (4.1, 3.8, 5.2, 7.4, 9.8, 12.3, 13.9, 14.1, 12.6, 10.2, 7.3, 5.0)
    rows = [["Month", "Flow (m\u00b3)", "T (\u00b0C)", "Nitrate in", "Nitrate out", "DOC out (mg/l)", "Retention (h)"]]
    for month, share, degrees in zip(
        "January February March April May June July August September October November December".split(),
        wet,
        warm,
        strict=True,
    ):
        if (
            share * rng.uniform(0.5, 1.5) < 0.11
            or (year == 2011 and month in ("January", "February", "March"))
            or (year == 2019 and month in ("November", "December"))
        ):
            rows.append([month, *[""] * 6])
            continue
        flow = round(2600 * share * rng.uniform(0.6, 1.4))
        inflow = rng.uniform(6.1, 13.9)
        left = inflow * rng.uniform(0.18, 0.75)
        rows.append(
            [
                month,
                f"{flow:,}",
                f"{degrees + rng.uniform(-1, 1):.1f}",
                f"{inflow:.2f}",
                f"{left:.2f}",
                f"{rng.uniform(4, 31) * (1.8 if year == 2011 else 1):.1f}",
                f"{186 * 0.62 / max(flow, 60) * 720:.1f}",
            ]
        )
    wet_rows = [row for row in rows[1:] if row[1]]
    chart = chart_line(
        [row[0][:3] for row in wet_rows],
        {"Nitrate in": [float(row[3]) for row in wet_rows], "Nitrate out": [float(row[4]) for row in wet_rows]},
        f"Nitrate at both ends of the bed in {year} (mg N per litre)",
        height=165,
    )
    return [table(rows, caption=f"Skellbeck, {year}", widths=[1.3, 1, 0.8, 1, 1, 1.2, 1.1], size=8.6), chart]


# --- six siblings ---------------------------------------------------------------------------------------------------


def moorend() -> DemoDocument:
    rng = random.Random("moorend")
    weeks = (1, 2, 3, 4, 6, 8, 12, 16, 24, 36, 52)
    beds = {"Alder": (412, 0.62), "Birch": (353, 0.58), "Pine": (268, 0.49), "Poplar": (527, 0.71)}
    rows = [["Week", *beds]]
    for week in weeks:
        rows.append(
            [str(week), *(f"{start * week**-power * rng.uniform(0.86, 1.14):.1f}" for start, power in beds.values())]
        )
    story: list[Block] = [
        title_block(
            [
                big_title(
                    "First flush: dissolved organic carbon, colour and oxygen demand from four newly filled woodchip bioreactors",
                    scale=1.6,
                ),
                para("K. Ferreby, L. Anand-Moss and G. Trelawney", centred=True),
                para(
                    "__Moorend Fen Research Farm; Department of Rural Water, Ostwick Technical College__", centred=True
                ),
                note(
                    f"**Abstract.** The first water to leave a fresh woodchip bioreactor is brown, smells of a timber yard and contains no oxygen. We followed it for a year from four beds of one size and four kinds of wood in the same drained fen field. Dissolved organic carbon in the first week was between {min(map(float, rows[1][1:])):.0f} and {max(map(float, rows[1][1:])):.0f} mg per litre and fell with the 0.49th to 0.71st power of time. Poplar lost 4.6 per cent of its carbon in twelve months and pine 1.7. Fish in the receiving dyke were not harmed, but midge larvae disappeared over 140 m until May. Filling in spring, when drains run least and dykes are warm, was the worst choice that could have been made; it was ours."
                ),
                rule(),
            ]
        ),
        heading("1. Introduction"),
        *shared("moorend", "background", 3),
        para(
            "Every new bed has been accused, by someone who walks a dog along the ditch, of poisoning it. The accusation is not foolish. Fresh wood holds sugars, tannins and resin acids that dissolve in days, and a flow of two litres a second through a hundred cubic metres of it makes a weak tea by the tanker load. Regulators in two districts have asked for the first effluent to be held back. Nobody could tell them for how long."
        ),
        para(
            "The present study was set up to tell them. It was designed by the three of us in a car outside the drainage office, after a meeting in which the word __leachate__ had been used eleven times."
        ),
        *shared("moorend", "theory", 3),
        para(
            "Three streams of work touch on the matter. Columns of fresh wood chips in the laboratory give off most of their dissolved organic carbon in the first ten pore volumes; but ten pore volumes may be two days in a wet spring and two months in a dry one. Timber yards have been studied for the tannins in their run-off, with results from fish that swam in nothing else. And there are some beds, mentioned in passing by authors with another purpose, where one sample was taken in the first week and the next in the tenth. None of this tells a drainage board on what day to open the gate."
        ),
        heading("2. Field, beds and wood"),
        para(
            "The field of 15.7 ha lies half a metre below the sea on peat over blue clay. Four beds, each 12 by 3 by 1 m, were dug across the head drain in March and filled on one day, 2 April, with chips of alder, birch, pine and poplar felled in the same winter within nine kilometres. The chipper was one machine with one set of knives. Flow was split by a box with four equal weirs that had been levelled to a millimetre and had to be levelled again in August."
        ),
        table(
            [
                ["", "Alder", "Birch", "Pine", "Poplar"],
                ["Dry density (kg/m\u00b3)", "187", "214", "196", "159"],
                ["Hot-water extract (%)", "6.9", "5.2", "3.8", "9.4"],
                ["Lignin (%)", "24.1", "21.7", "28.3", "19.5"],
                ["Chip length, median (mm)", "21", "22", "24", "18"],
                ["Bark (%)", "13", "16", "9", "11"],
            ],
            caption="Table 1. The wood as filled",
        ),
        heading("3. Sampling"),
        *shared("moorend", "sampling", 4),
        para(
            "Colour was read at 436 nm against distilled water. Biochemical oxygen demand was determined over five days at 20 \u00b0C by students of the second year, in triplicate and with great care once it had been explained that the result would be theirs."
        ),
        heading("4. Evaluation"),
        *shared("moorend", "calculation", 3),
        heading("5. Results"),
        heading("5.1 Carbon", 2),
        para(
            "Table 2 shows concentrations at the outlets. On double-logarithmic paper they lie on straight lines as far as the twelfth week and above them afterwards, when the loss of the stored extract gives way to the slow decay of the wood itself. What began higher fell faster, so that the four curves meet near 60 mg per litre in about the twenty-second week."
        ),
        table(rows, caption="Table 2. Dissolved organic carbon at the outlet (mg per litre)"),
        chart_line(
            [str(w) for w in weeks],
            {name: [float(row[i + 1]) for row in rows[1:]] for i, name in enumerate(beds)},
            "Figure 1. The first year (weeks after filling)",
        ),
        chart_bar(
            list(beds),
            {"Week 1": [float(c) for c in rows[1][1:]], "Week 12": [float(c) for c in rows[7][1:]]},
            "Figure 2. Carbon at the outlet in the first and the twelfth week (mg per litre)",
            height=150,
        ),
        para(
            "A simple model with two stores, one emptied by washing and the other by decay, fits all four curves with a root mean square error of 7.9 mg per litre. The washing constant was the same for all woods, about one tenth per pore volume, so that the woods differ in the size of the store and in nothing else; the store in turn was two thirds of the hot-water extract. This is convenient. It means that a saucepan on a kitchen stove predicts the first flush of a woodchip bioreactor to within a fifth."
        ),
        heading("5.2 Colour and oxygen", 2),
        para(
            "Colour followed carbon, except that alder was twice as dark as its carbon would suggest. Five-day oxygen demand in the first fortnight was 96 to 233 mg per litre. The dyke, 4 m wide and nearly still, lost its oxygen along 320 m by the end of April and had it back on 9 June, after the weed had been cut upstream and not, as we should like to say, because of anything we did."
        ),
        heading("5.3 Nitrate", 2),
        para(
            "All beds removed nitrate from the third day. Mean rates from May to September were 11.2 (poplar), 9.7 (alder), 8.5 (birch) and 5.8 (pine) g N per m\u00b3 per day at a mean of 15.6 \u00b0C; half a year later, in water of 5 \u00b0C, they were 3.4, 2.9, 2.7 and 2.2. Sulphide could be smelt in July and August, when outlet nitrate stood below 0.1 mg N per litre for 37 days."
        ),
        chart_bar(
            ["Poplar", "Alder", "Birch", "Pine"],
            {"May to September": [11.2, 9.7, 8.5, 5.8], "Half a year later": [3.4, 2.9, 2.7, 2.2]},
            "Figure 3. Nitrate removal rate (g N per m\u00b3 per day)",
            height=165,
        ),
        para(
            "The ranking of the woods was thus the same for nitrate removal as for the loss of dissolved organic carbon, and the spread between them shrank in step. A wood that is generous to bacteria in the bed is generous to those in the dyke. One cannot have the one without the other, at least in the first year, and a designer who wants a quiet start will choose pine and a longer bed."
        ),
        heading("5.4 Animals", 2),
        para(
            "Ten-spined sticklebacks in cages survived at all stations (59 of 60; the sixtieth was eaten by another). Kick samples told a different story for larvae of midges, of which none was found between the outfall and the second culvert in April and early May. They had returned by midsummer. Water lice did well throughout."
        ),
        heading("6. Discussion"),
        para(
            "How long should the first flush be held back, then? If the aim is 60 mg per litre of dissolved organic carbon, the answer is five months, whatever the wood. If the aim is that the dyke should keep its oxygen, the first six weeks decide, in which the woods differ by two to one, and so does the season: the same load in November would have met cold, moving water and would have been in the estuary within a day."
        ),
        *shared("moorend", "caution", 3),
        *shared("moorend", "comparison", 3),
        para(
            "Was the removal of nitrate worth the loss of carbon? Over the first year each bed kept between 19 and 33 kg of nitrate nitrogen from the dyke and gave it between 61 and 148 kg of dissolved organic carbon in exchange, most of it before midsummer. From the second year onward, by all accounts, the balance is nearly free of charge. A bioreactor should therefore be judged like an orchard, by what it bears and not by the mess of planting it."
        ),
        para(
            "Bark made less difference than we had thought and the hot-water extract nearly all of it. The test takes an hour and a saucepan. We suggest that suppliers of chips be asked for the figure, as they are asked for the moisture."
        ),
        *shared("moorend", "practice", 3),
        heading("7. Recommendations to drainage boards"),
        bullets(
            [
                "Fill between October and December, never between March and July.",
                "Recirculate or spread the first 600 litres per cubic metre of wood on grass.",
                "Ask for the hot-water extract; refuse wood above 8 per cent beside a slow dyke.",
                "Tell the neighbours before the water turns brown.",
            ]
        ),
        heading("Acknowledgements"),
        para(
            "The dog walkers of Moorend kept a diary of colour and smell which agreed with our instruments in all but four weeks, in which they were probably right."
        ),
        heading("References"),
        *[note(f"[{i}] {entry}") for i, entry in enumerate(references("moorend", 17, "numeric"), start=1)],
        one_column(),
        heading("Supplement: weekly means at the splitting box"),
        _weekly(
            "moorend box",
            36,
            ("Flow (l/s)", "Nitrate-N (mg/l)", "DOC (mg/l)", "T (\u00b0C)"),
            ((0.4, 3.1), (4.2, 17.9), (7.5, 21.0), (4.0, 17.5)),
        ),
    ]
    style = Style(
        page="b5",
        size=12,
        leading=19.4,
        margin=70,
        columns=2,
        gap=16,
        header="First flush from woodchip bioreactors||Ferreby et al.",
        footer="Annals of Catchment Science 41|{page}",
        headings="plain",
        accent="#000000",
        first_label=("arabic", 77, ""),
    )
    return DemoDocument(
        "moorend-first-flush-2018.pdf",
        "First flush: dissolved organic carbon from four newly filled woodchip bioreactors",
        TYPE,
        FAMILY,
        "hard_negative",
        story,
        style,
    )


def _weekly(seed: str, weeks: int, head: Sequence[str], ranges: Sequence[tuple[float, float]]) -> Block:
    rng = random.Random(seed)
    values = [rng.uniform(*pair) for pair in ranges]
    rows = [["Week", *head]]
    for week in range(1, weeks + 1):
        for i, (low, high) in enumerate(ranges):
            values[i] = min(high, max(low, values[i] + rng.uniform(-0.18, 0.18) * (high - low)))
        rows.append([str(week), *(f"{value:.2f}" if value < 10 else f"{value:.1f}" for value in values)])
    return table(rows, widths=[0.7, *[1.0] * len(head)])


def tiverne() -> DemoDocument:
    rng = random.Random("tiverne")
    runs = [
        [
            "Run",
            "Baffles",
            "Flow (l/s)",
            "Nominal (h)",
            "Tracer mean (h)",
            "First arrival (h)",
            "Dead volume (%)",
            "Tanks in series",
        ]
    ]
    for i in range(1, 17):
        baffles = (0, 0, 0, 0, 2, 2, 2, 2, 4, 4, 4, 4, 6, 6, 6, 6)[i - 1]
        flow = (0.5, 1.0, 2.0, 4.0)[(i - 1) % 4]
        nominal = 97.4 * 0.6 / flow / 3.6
        mean = nominal * (0.61 + 0.048 * baffles + rng.uniform(-0.03, 0.03))
        runs.append(
            [
                str(i),
                str(baffles),
                f"{flow:.1f}",
                f"{nominal:.1f}",
                f"{mean:.1f}",
                f"{mean * (0.31 + 0.05 * baffles) * rng.uniform(0.95, 1.05):.1f}",
                f"{(1 - mean / nominal) * 100:.1f}",
                f"{1.4 + 0.9 * baffles + rng.uniform(-0.3, 0.3):.1f}",
            ]
        )
    story: list[Block] = [
        big_title(
            "Short-circuiting in a wide denitrifying bed",
            "Sixteen bromide tests with and without baffles at Tiverne",
            scale=1.9,
        ),
        para(
            "Ignatius Rourke and Perpetua Szil\u00e1gyi-Brown, Hydraulics Group, School of Engineering, Tiverne",
            centred=True,
        ),
        para(
            "Manuscript accepted for __Transactions on Agricultural Water__; lines double-spaced for the reader's pencil",
            centred=True,
        ),
        heading("Abstract"),
        para(
            "A bed of wood chips 9 m wide and 18 m long was tested with bromide pulses at four flows, first as built and then with two, four and six baffles of pond liner. Without baffles the tracer mean residence time was 0.61 of the nominal one. Six baffles brought it to about nine tenths. Nitrate removal at 2 litres per second went from 34.2 to 51.7 per cent. Head loss rose, and at 4 litres per second the bed with six baffles overflowed. Four seem right."
        ),
        heading("1. The problem"),
        *shared("tiverne", "background", 3),
        para(
            "A hydraulic retention time is a quotient, and quotients hide things. Divide the pore volume of a bed by its flow and you have a number of hours that no parcel of water need ever have spent there. Part of the water knows a short way. Another part sits in a corner and grows old. The chemistry responds to the distribution of ages, and above all to its young end, since nitrate that arrives early is nitrate that has not been removed."
        ),
        para(
            "Wide beds are in fashion because drained fields offer wide headlands. They are fed, as a rule, by one pipe in the middle. Anyone who has watched rain run down a window can predict what follows; we wished to measure it, and then to see what a hundred euros' worth of pond liner can do."
        ),
        *shared("tiverne", "theory", 3),
        heading("2. The bed"),
        para(
            "The bed holds 97.4 m\u00b3 of saturated poplar and robinia chips behind the engineering farm. Water comes from a lagoon and is dosed with calcium nitrate to 12 mg N per litre, because a drain would not have waited for us. A slotted pipe crosses the outlet end. Baffles, when there are any, hang from alternate sides and leave a gap of 1.5 m; they were slid in through slits cut with a hay knife and weighted with roof tiles."
        ),
        heading("3. Tests"),
        para(
            "Each test began with 820 g of potassium bromide in forty litres of warm water, poured into the inlet chamber in half a minute. Conductivity at the outlet was logged each minute, and bromide determined by electrode in samples drawn by a carousel built from a record player. Tests ran until three nominal residence times had passed. Recovery of bromide was between 93 and 104 per cent, after one test with 71, in which the cleaner had emptied the bottles, had been repeated."
        ),
        heading("3.1 Sampling for nitrogen", 2),
        *shared("tiverne", "sampling", 3),
        heading("3.2 Evaluation", 2),
        *shared("tiverne", "calculation", 3),
        para(
            "From each breakthrough curve we took the mean, the time at which the first twentieth of the mass had arrived, and the number of equal stirred tanks in series that has the same variance. Dead volume is one minus the quotient of tracer mean and nominal residence time."
        ),
        page_break(),
        heading("4. Results"),
        table(
            runs,
            caption="Table 1. The sixteen tests",
            widths=[0.6, 0.9, 0.9, 1, 1.1, 1.1, 1.1, 1],
            align="rrrrrrrr",
            keep=True,
        ),
        para(
            "At every flow the first arrival was later, the mean longer and the curve narrower with each pair of baffles. Without them the first bromide came out in a quarter to a third of the mean; a dye test showed why. A tongue of green went straight from the pipe to the outlet, about two metres broad, and both flanks stayed brown until evening."
        ),
        chart_bar(
            ["0", "2", "4", "6"],
            {
                "Dead volume at 1 l/s": [float(runs[r][6]) for r in (2, 6, 10, 14)],
                "Dead volume at 2 l/s": [float(runs[r][6]) for r in (3, 7, 11, 15)],
            },
            "Figure 1. Dead volume (%) by number of baffles",
        ),
        table(
            [
                ["Baffles", "Removal at 1 l/s (%)", "Removal at 2 l/s (%)", "Head loss at 2 l/s (mm)"],
                ["0", "52.9", "34.2", "46"],
                ["2", "61.3", "40.8", "83"],
                ["4", "70.1", "48.6", "137"],
                ["6", "72.4", "51.7", "229"],
            ],
            caption="Table 2. Nitrate removal and head loss",
        ),
        para(
            "The sixth baffle, in other words, bought three points of nitrate for ninety-two millimetres of head. Where a drain has no fall to spare, as in most of the country we know, that is a bad bargain. At the highest flow it could not be struck at all: the water left by the manhole, carrying a frog."
        ),
        chart_line(
            ["0", "2", "4", "6"],
            {"Head loss (mm)": [46, 83, 137, 229]},
            "Figure 2. Head loss at 2 litres per second by number of baffles",
        ),
        para(
            "We also looked at where the nitrate went. Wells in the flanks of the bed without baffles held water with less than 0.3 mg of nitrate nitrogen per litre and a smell of eggs; those in the tongue held eight or nine. The average of the two, weighted by volume, would have made a fine removal efficiency. Weighted by flow, as it must be, it made a poor one. With four baffles no well differed from its neighbours by more than a milligram, and the sulphide was gone."
        ),
        heading("5. What the tail says"),
        para(
            "Long tails have two parents. Chips are porous, and bromide wanders into them and out again; and corners are slow. In laboratory columns of the same chips, where there are no corners, the tail beyond twice the mean held 3.7 per cent of the mass. In the bed without baffles it held 18.2 and with six 5.9. Most of the tail, then, was corner."
        ),
        *shared("tiverne", "comparison", 3),
        heading("6. Limits"),
        *shared("tiverne", "caution", 3),
        heading("7. Use"),
        *shared("tiverne", "practice", 3),
        para(
            "For a bed wider than half its length we should hang four baffles or, better, feed it by a manifold over the whole width, which does the same at less head. We have since built one from drain pipe, and the school's first-year class is to test it."
        ),
        page_break(),
        heading("References"),
        *[
            note(entry)
            for entry in references(
                "tiverne",
                12,
                "long",
                [
                    'Rourke, I. and Szil\u00e1gyi-Brown, P. 2016. "A carousel sampler from a record player." Tiverne Engineering Notes, no. 118.'
                ],
            )
        ],
        heading("Appendix: breakthrough at 1 litre per second, no baffles"),
        _weekly(
            "tiverne curve",
            20,
            ("Bromide (mg/l)", "Conductivity (\u00b5S/cm)", "Nitrate-N (mg/l)"),
            ((0.2, 31.0), (412, 688), (4.1, 7.9)),
        ),
    ]
    style = Style(
        page="a4",
        size=12,
        leading=25,
        margin=96,
        header="",
        footer="{page}",
        headings="plain",
        accent="#000000",
        justify=False,
        tables="grid",
        first_label=("arabic", 1, ""),
    )
    return DemoDocument(
        "tiverne-tracer-baffles-2017.pdf",
        "Short-circuiting in a wide denitrifying bed: sixteen bromide tests at Tiverne",
        TYPE,
        FAMILY,
        "hard_negative",
        story,
        style,
    )


def jarvsund() -> DemoDocument:
    names = [f"{season} {year}" for year in (2014, 2015, 2016, 2017) for season in ("Autumn", "Winter", "Spring")]
    north, south = (
        seasons("jarv north", names, 9.1, 2680, 2.2, 71.0, SNOWY, COLD),
        seasons("jarv south", names, 8.2, 3120, 2.4, 84.5, SNOWY, COLD),
    )
    head = ["Season", "Flow (m\u00b3)", "In", "Out", "Removed (kg N)", "Rate", "Eff. (%)"]
    keys = ("flow", "in", "out", "removed", "rate", "share")
    story: list[Block] = [
        title_block(
            [
                big_title(
                    "Four winters with denitrifying beds at J\u00e4rvsund: snow melt, ground frost and the removal of nitrate at two degrees",
                    scale=1.55,
                ),
                para("Aino Kestil\u00e4, Per-Olof Granath, Jude Mbeki-Lind", centred=True),
                box(
                    "Can a bioreactor work where the drains run mainly in snow melt, at 1 to 4 \u00b0C? Two beds of spruce and birch chips in the north of the country were followed over four winters. They never froze. The northern one, under 0.4 m of peat, kept a minimum of 1.3 \u00b0C when the air was at minus 31. Snow melt brought 63 per cent of the year's nitrate in twenty-four days and was treated at retention times of less than five hours, so that only 14.8 per cent of it was removed. A pond that holds the melt for a week, proposed here with costs, would double the figure.",
                    "Abstract",
                ),
                note(
                    "Keywords: cold climate, denitrification, nitrate load, retention time, snow melt, woodchip bioreactor"
                ),
            ]
        ),
        heading("Introduction"),
        para(
            "The month in which the fields of J\u00e4rvsund lose their nitrogen has no name in the official calendar. Locally it is __rasputa__, the time when the road will bear neither sledge nor wheel. The drains, which have been silent since Christmas under a metre of frost, wake in the afternoon, run brown through the evening and fall silent again towards morning. This lasts three weeks or four. Then it is summer."
        ),
        *shared("jarvsund", "background", 4),
        para(
            "Nearly all that is known of denitrifying beds comes from places where the water is warmer than ten degrees for half the year. To apply the usual design rules here would mean to build beds of the size of churches. Before advising anyone to do so, or not to, we built two of modest size and waited for four winters."
        ),
        *shared("jarvsund", "theory", 3),
        heading("Two beds"),
        para(
            "The northern bed (71.0 m\u00b3) serves 18.6 ha of barley and ley, the southern (84.5 m\u00b3) 21.9 ha of which a third is potatoes. Both have chips of spruce and birch in equal parts. The northern was covered with peat and the southern with sawdust in old fertiliser sacks, a cover which cost nothing and which the crows opened. Frost tubes filled with dye stand beside and above the beds."
        ),
        table(
            [
                ["", "North", "South"],
                ["Saturated volume (m\u00b3)", "71.0", "84.5"],
                ["Drained area (ha)", "18.6", "21.9"],
                ["Cover", "Peat, 0.4 m", "Sawdust in sacks"],
                ["Lowest bed temperature (\u00b0C)", "1.3", "0.7"],
                ["Greatest frost depth beside bed (m)", "1.12", "0.94"],
                ["Longest snow cover (days)", "168", "151"],
            ],
            caption="Table 1. Sites",
            align="lcc",
        ),
        heading("Methods"),
        *shared("jarvsund", "sampling", 4),
        para(
            "In the melt the samplers were set to one bottle an hour. Someone had to be there to change them, and the authors record with gratitude the sauna of the Nieminen family."
        ),
        *shared("jarvsund", "calculation", 4),
        heading("Results"),
        heading("Did they freeze?", 2),
        para(
            "They did not. Water entering at four degrees in November gives up its warmth slowly under a cover, and a bed with some flow is a long hot-water bottle. In January 2016, with minus 31 in the air, ice was found in the outlet manhole of the southern bed and nowhere else. The weir froze on nineteen nights and was freed with a kettle."
        ),
        chart_line(
            ["Nov", "Dec", "Jan", "Feb", "Mar", "Apr", "May"],
            {"North bed": [4.8, 3.1, 2.0, 1.5, 1.4, 2.2, 4.3], "South bed": [4.4, 2.6, 1.5, 0.9, 0.8, 2.0, 4.6]},
            "Figure 2. Mean temperature in the beds (\u00b0C)",
            height=140,
        ),
        para(
            "Heat was lost through the cover and, more than we had thought, through the outlet pipe, which drew cold air into the chamber like a chimney. A flap of rubber cured it in the third winter. From then on the water in the last well was never more than half a degree colder than in the first, and the denitrification rate in February was a third higher than in the two winters before, at a cost of one old tyre."
        ),
        heading("How much did they remove?", 2),
        para(
            "Tables 2 and 3 give the seasons. Summers are left out; there was no flow in any. The autumns were good and the winters tolerable, given the temperature; it is the springs that decide the year, and in the springs most of the nitrate was through before the bacteria had, so to speak, put on their boots."
        ),
        table(
            [head, *season_rows(names, north, keys)],
            caption="Table 2. North: flow, nitrate in and out (mg N/l), nitrogen removed, rate (g N/m\u00b3/d), efficiency",
            size=7.6,
            widths=[1.9, 1.1, 0.9, 0.9, 1.3, 0.9, 1],
        ),
        table(
            [head, *season_rows(names, south, keys)],
            caption="Table 3. South",
            size=7.6,
            widths=[1.9, 1.1, 0.9, 0.9, 1.3, 0.9, 1],
        ),
        chart_bar(
            names[2::3],
            {"North": [r["share"] for r in north[2::3]], "South": [r["share"] for r in south[2::3]]},
            "Figure 1. Removal efficiency in spring (%)",
            height=140,
        ),
        chart_line(
            names,
            {"North": [r["rate"] for r in north], "South": [r["rate"] for r in south]},
            "Figure 3. Removal rate by season (g N per m\u00b3 per day)",
            height=150,
        ),
        heading("Temperature response", 2),
        para(
            "Between 1 and 12 \u00b0C the rate followed a Q10 of 2.57, steeper than is usual in warmer countries. At 2 \u00b0C it still was 1.17 g N per m\u00b3 per day, a small number but not zero. Bacteria taken from the bed in March and warmed in the laboratory did not do better than those from a bed in the south of the continent; cooled, they did twice as well."
        ),
        heading("What a pond would do"),
        para(
            "A pond of 2,900 m\u00b3 above the northern bed, filled in the afternoon and let out over a week, would lengthen the mean retention time in the melt from 4.7 to 22 hours. Using the fitted rate, removal in spring would rise from 14.8 to 31 per cent. It would cost 27,500 euros and half a hectare of the worst land on the farm, where the tractor has been stuck in nine springs of the last ten."
        ),
        heading("Discussion"),
        *shared("jarvsund", "caution", 3),
        *shared("jarvsund", "comparison", 3),
        para(
            "A visitor asked why we did not simply build larger. The sum is short. To treat the melt at the retention time of the autumn, a bed of 380 m\u00b3 would be needed on the north field alone; it would stand without flow for 310 days in the year, drying in the midnight sun, and the wood would be gone in six years. A pond, by contrast, stores cold water, which is what the country has, instead of wood chips, which somebody has to fell, chip and haul."
        ),
        para(
            "The sacks of sawdust were nearly as good as the peat while they lasted. What counted most was the snow; where the wind had swept it off, the frost tubes went down by another forty centimetres. A row of spruce saplings to windward, as along a road, may be the cheapest insulation of all."
        ),
        *shared("jarvsund", "practice", 3),
        heading("Conclusion"),
        para(
            "Beds survive the north without harm. They treat autumn and winter water decently and the snow melt hardly, and in a year of which the melt is two thirds that is the point which matters. Store first, then treat."
        ),
        heading("Thanks"),
        para(
            "To Martta Nieminen, who wrote down the hour at which the drains woke on every day of four springs, and to the school bus driver who carried the bottles."
        ),
        heading("References"),
        *[note(f"{i}. {entry}") for i, entry in enumerate(references("jarvsund", 15, "harvard"), start=1)],
        page_break(),
        heading("Appendix: the melt of 2016, north bed"),
        _weekly(
            "jarvsund melt",
            30,
            ("Flow (l/s)", "In (mg N/l)", "Out (mg N/l)", "T (\u00b0C)"),
            ((0.6, 9.8), (3.9, 12.6), (3.1, 10.4), (1.3, 5.6)),
        ),
    ]
    style = Style(
        page="a5",
        font="serif",
        heading_font="sans",
        size=10.8,
        leading=15.6,
        margin=50,
        header="{page}|Kestil\u00e4 et al.: Four winters",
        footer="Water and Field 22 (2019)",
        mirror=True,
        headings="bar",
        accent="#31435e",
        indent=True,
        first_label=("arabic", 411, ""),
    )
    return DemoDocument(
        "jarvsund-four-winters-2019.pdf",
        "Four winters with denitrifying beds at J\u00e4rvsund",
        TYPE,
        FAMILY,
        "hard_negative",
        story,
        style,
    )


def _nitrate_pair(rng: random.Random) -> list[str]:
    inflow = rng.uniform(5.5, 12.4)
    return [f"{inflow:.2f}", f"{inflow * rng.uniform(0.48, 0.7):.2f}"]


def dunholm() -> DemoDocument:
    rng = random.Random("dunholm")
    months = [f"{m} {y}" for y in (2015, 2016) for m in ("Jan", "Mar", "May", "Jul", "Sep", "Nov")]
    rows = [["Month", "P in (\u00b5g/l)", "P after wood", "P after slag", "N in (mg/l)", "N out (mg/l)", "pH out"]]
    for i, month in enumerate(months):
        phosphorus = rng.uniform(96, 284)
        rows.append(
            [
                month,
                f"{phosphorus:.0f}",
                f"{phosphorus * rng.uniform(0.9, 1.25):.0f}",
                f"{phosphorus * (0.09 + 0.036 * i) * rng.uniform(0.85, 1.15):.0f}",
                *_nitrate_pair(rng),
                f"{11.4 - 0.21 * i + rng.uniform(-0.15, 0.15):.1f}",
            ]
        )
    story: list[Block] = [
        title_block(
            [
                big_title(
                    "A cartridge of steel slag downstream of a woodchip bioreactor: phosphorus, pH and what became of the nitrogen",
                    scale=1.55,
                ),
                para("Esther Plumtree, Donal MacNaughtan-Ito, Viveka Sandel", centred=True),
                note("__Dunholm Agricultural Institute, Estuary Road, Dunholm__"),
                note(
                    "**Summary** Woodchip beds take out nitrate and let phosphorus through; some even add to it. At Dunholm we hung a cartridge of 1.9 tonnes of steel slag in the outlet chamber of a bed of 44 m\u00b3 and followed both nutrients for two years. The slag held back 1.38 kg of phosphorus, 69 per cent of what reached it. It raised the pH of the effluent to 11.4 at first, which is more than a stream should be asked to bear, and to 9.1 at the end. It took no nitrate. Seventeen per cent of its pores had been filled with lime when we opened it. The cartridge can be changed by two people with a tractor in forty minutes."
                ),
            ]
        ),
        heading("1 Two nutrients, one drain"),
        *shared("dunholm", "background", 3),
        para(
            "The estuary at Dunholm is green in May from phosphorus and green again in August from nitrogen. People who sail on it are unmoved by the distinction. The bed that we had built in 2012 was praised by them for the August and blamed, not without reason, for the May: from wood that is under water and without oxygen, iron dissolves, and with it the phosphate that the iron had held."
        ),
        para(
            "Slag from the electric furnace at Corsie, ten kilometres off, is sold for road stone. It is rich in lime and iron and binds phosphate in the first minutes of contact. It is also caustic, contains some vanadium, and sets like poor concrete if it is left wet and dry by turns. We have tried to give all of these their due."
        ),
        *shared("dunholm", "theory", 3),
        para(
            "Earlier filters for phosphorus were built into the bed itself, as a layer between wood and outlet. They worked until they clogged, and then the whole of the bed had to be opened to reach them. The thought behind the cartridge is that of the oil filter: what wears out quickly should come out quickly. A woodchip bioreactor has a life of ten to fifteen years and a charge of slag one of two."
        ),
        heading("2 Construction"),
        para(
            "The cartridge is a cage of galvanised mesh, 1.2 m on a side, lined with felt, and lifted by four eyes. Water enters at the foot and leaves over the rim, after a nominal contact of nineteen minutes at the median flow. Grains are of 8 to 16 mm. Before filling, the slag was washed on a sieve with ditch water by the third author, who does not wish to repeat it."
        ),
        table(
            [
                ["Oxide or metal", "Share"],
                ["CaO (%)", "38.6"],
                ["Fe2O3 (%)", "26.9"],
                ["SiO2 (%)", "14.3"],
                ["MgO (%)", "7.2"],
                ["Al2O3 (%)", "5.8"],
                ["V (mg/kg)", "473"],
                ["Cr (mg/kg)", "1,920"],
            ],
            caption="Table 1. Composition of the slag",
        ),
        heading("3 Observations"),
        *shared("dunholm", "sampling", 4),
        para(
            "Phosphate was measured by molybdenum blue on the day of sampling, since it does not keep. The person who did so on every second Sunday for two years is the first author."
        ),
        *shared("dunholm", "calculation", 4),
        heading("4 Results"),
        heading("4.1 Phosphorus", 2),
        para(
            f"The wood added phosphorus in {sum(float(row[2]) > float(row[1]) for row in rows[1:])} samplings of twelve. The slag then removed nearly all of it in the first winter and about half in the second; one reads from Table 2 that by November 2016 the cartridge was tired. Cumulated, it had retained 0.73 g per kg of slag, a third of what the shaking test had promised."
        ),
        table(rows, caption="Table 2. Six samplings a year", size=7.4, widths=[1.2, 1, 1.1, 1.1, 1, 1, 0.8]),
        chart_line(
            months,
            {"In": [float(r[1]) for r in rows[1:]], "After slag": [float(r[3]) for r in rows[1:]]},
            "Figure 1. Phosphorus (\u00b5g per litre)",
            height=140,
        ),
        chart_line(months, {"pH": [float(r[6]) for r in rows[1:]]}, "Figure 2. pH of the effluent", height=140),
        para(
            "Shaking tests in the laboratory had promised 2.2 g of phosphorus per kg. The difference has three causes that we could name. Organic acids from the wood occupy places on the slag. Lime deposits cover them. And water in a hurry, as it is for thirty days in the year, goes up along the felt and sees little slag at all, a short-circuit which a dye showed plainly and which a tighter cage would cure."
        ),
        heading("4.2 pH and metals", 2),
        para(
            "From 11.4 the pH came down by a fifth of a unit every two months. Eighty metres below the outfall it could no longer be told from that of the stream. Vanadium reached 64 \u00b5g per litre in the first week and stayed under 10 from the sixth. A white crust grew on the outfall pipe and was picked off by children, to whom we are obliged for bringing it to us."
        ),
        heading("4.3 Nitrogen", 2),
        para(
            "The bed removed 41.3 per cent of the nitrate, at a rate of 3.36 g N per m\u00b3 per day. Passing through the slag changed nothing except that some ammonium, up to 0.4 mg N per litre, was lost as gas from the caustic water. It could be smelt."
        ),
        heading("5 Changing the cartridge"),
        para(
            "On 3 December 2016 the cartridge was lifted with a front loader by the farmer and his daughter, and a new one put in. It took thirty-nine minutes, of which eleven were spent in looking for a shackle. Spent slag was spread on an acid pasture at 3 tonnes a hectare, where it now lies under clover. A year's phosphorus thus cost 148 euros, labour at the tariff included, or 214 euros a kilogram. That is dear. It is less than the town pays."
        ),
        heading("6 Discussion"),
        *shared("dunholm", "caution", 3),
        *shared("dunholm", "comparison", 3),
        chart_bar(
            months[::2],
            {"N in": [float(r[4]) for r in rows[1::2]], "N out": [float(r[5]) for r in rows[1::2]]},
            "Figure 3. Nitrate at the inlet of the wood and the outlet of the slag (mg N per litre)",
            height=140,
        ),
        para(
            "One could put the slag upstream, where it would see less iron and no organic acids. We tried this for a month in a barrel. The caustic water then passed through the wood, and denitrification stopped as though switched off. Order matters: first wood, then slag, then a riffle with plenty of air."
        ),
        *shared("dunholm", "practice", 3),
        quote("It looks like a lobster pot for giants.", "A visitor on the open day, 11 June 2016"),
        heading("7 In brief"),
        numbered(
            [
                "Wood beds may release phosphorus; measure it.",
                "A cartridge is quickly changed and must be, about every twenty months.",
                "The pH is the price.",
                "Nitrate does not notice.",
            ]
        ),
        heading("References"),
        *[
            note(entry)
            for entry in references(
                "dunholm",
                15,
                "harvard",
                [
                    "Plumtree, E. (2014). Green in May: a sailor's record of algae in the Dunholm estuary. __Estuary Notes__, 9: 2\u201317."
                ],
            )
        ],
        page_break(),
        heading("Annex. Fortnightly record of the outlet chamber"),
        _weekly(
            "dunholm chamber",
            40,
            ("Flow (l/s)", "P (\u00b5g/l)", "pH", "Iron (mg/l)"),
            ((0.2, 2.7), (21, 188), (9.0, 11.4), (0.1, 3.4)),
        ),
    ]
    style = Style(
        page="a5",
        font="serif",
        size=10.8,
        leading=16,
        margin=50,
        header="E. PLUMTREE and others||Slag after wood",
        footer="Ecological Engineering Letters 8 (2017)|{page}",
        headings="ruled",
        accent="#333333",
        first_label=("arabic", 1033, ""),
    )
    return DemoDocument(
        "dunholm-slag-cartridge-2017.pdf",
        "A cartridge of steel slag downstream of a woodchip bioreactor",
        TYPE,
        FAMILY,
        "hard_negative",
        story,
        style,
    )


def brannagh() -> DemoDocument:
    rng = random.Random("brannagh")
    months = [f"{m} {y}" for y in (2016, 2017) for m in ("February", "April", "June", "August", "October", "December")]
    rows = [
        [
            "Campaign",
            "Retention (h)",
            "Nitrate removed (mg N/l)",
            "Dissolved N2O out (\u00b5g N/l)",
            "Surface flux (mg N/m\u00b2/d)",
            "N2O share (%)",
        ]
    ]
    for month in months:
        hours, removed = rng.uniform(6, 41), rng.uniform(2.1, 8.8)
        dissolved, flux = 240 / hours * rng.uniform(0.8, 1.9), rng.uniform(0.6, 7.9)
        rows.append(
            [
                month,
                f"{hours:.1f}",
                f"{removed:.2f}",
                f"{dissolved:.1f}",
                f"{flux:.2f}",
                f"{(dissolved / 1000 + 0.004 * flux) / removed * 100:.2f}",
            ]
        )
    story: list[Block] = [
        big_title(
            "Is the cure worse? Nitrous oxide from a woodchip bioreactor beside Lough Brannagh",
            centred=False,
            scale=1.9,
        ),
        para("Fiachra Delahunt, Yewande Soames and Ulrike Pfann"),
        para(
            "__Preprint, version 3, deposited 14 September 2018. Comments of two anonymous readers have been answered in a separate file.__"
        ),
        heading("Plain summary"),
        box(
            [
                "Bacteria that turn nitrate into harmless nitrogen gas sometimes stop half way, at nitrous oxide, a strong greenhouse gas. We asked how often they do so in a bed of wood chips and whether the climate loses more than the lake gains.",
                f"In twelve campaigns over two years, {sum(float(row[5]) for row in rows[1:]) / 12:.2f} per cent of the nitrate removed left as nitrous oxide, on the mean of campaigns, most of it dissolved in the outflow. The shorter the retention time, the larger was the share. Left in the water, the same nitrate would have produced about as much on its way to the sea. On the climate's account the bed thus comes out even.",
            ]
        ),
        heading("1 Question"),
        *shared("brannagh", "background", 4),
        para(
            "A practice paid for by the public to clean water may not foul the air; or if it does, the public should know at what rate of exchange. The figure most often quoted for nitrous oxide, that four per cent of the nitrate goes that way, stems from three afternoons at one bed in a dry summer. Its authors said as much. Those who quote them have not."
        ),
        *shared("brannagh", "theory", 3),
        heading("2 Place"),
        para(
            "The bed (63.2 m\u00b3, chips of sitka spruce, filled in October 2013) treats the drainage of 9.6 ha of intensively used grass on the eastern shore of Lough Brannagh, which is low, green and windy. Cattle are kept off it by an electric fence which, as the second author established, works. Its surface is of turf on hessian on wood."
        ),
        heading("3 Means"),
        heading("3.1 Dissolved gas", 2),
        para(
            "Water was drawn into gas-tight syringes from the inlet, six wells and the outlet, shaken with helium for three minutes and the headspace injected on the spot into a chromatograph in the back of a horse box. The coefficient of variation of ten repeats was 2.9 per cent."
        ),
        heading("3.2 Flux through the surface", 2),
        para(
            "Nine chambers, of which the lids were made from the bottoms of paint drums, stood on collars driven in two months beforehand. Each was closed for 36 minutes and sampled four times. Fluxes were fitted by a straight line unless the curvature was obvious, as it was in 21 of 108 cases."
        ),
        heading("3.3 Everything else", 2),
        *shared("brannagh", "sampling", 4),
        *shared("brannagh", "calculation", 4),
        heading("4 Findings"),
        table(rows, caption="Table 1. Twelve campaigns", widths=[1.3, 1, 1.2, 1.2, 1.2, 1], align="lrrrrr"),
        para(
            "Nitrous oxide rose along the first third of the bed, where oxygen gave out, and fell along the rest. When the water came fast it reached the outlet before the fall had begun. That is the whole mechanism, as far as we can see, and retention time the only lever: fitted by a power law it explained 74 per cent of the variance between campaigns, and temperature added nothing."
        ),
        chart_bar(
            ["In", "1", "2", "3", "4", "5", "6", "Out"],
            {"Slow, 34 h": [3, 41, 88, 57, 31, 17, 9, 6], "Fast, 8 h": [3, 12, 29, 55, 78, 91, 87, 71]},
            "Figure 1. Dissolved nitrous oxide along the bed (\u00b5g N per litre) at two retention times",
        ),
        para(
            "The surface gave off little except in thaw. On 2 February 2017, a day after the ground had softened, one chamber returned 58 mg N per m\u00b2 per day, more than the others together, and we found a vole's tunnel under it. We have left it in."
        ),
        table(
            [
                ["Source", "kg CO2 equivalent per kg N removed"],
                ["Nitrous oxide in the outflow", "2.71"],
                ["Nitrous oxide through the surface", "0.94"],
                ["Methane, both ways", "1.58"],
                ["Building, spread over fifteen years", "0.67"],
                ["Avoided downstream (emission factor)", "\u20133.51"],
            ],
            caption="Table 2. Greenhouse gas account",
            widths=[2, 1.4],
        ),
        chart_line(
            [r[0][:3] + r[0][-2:] for r in rows[1:]],
            {"Nitrate removed": [float(r[2]) for r in rows[1:]], "Flux": [float(r[4]) for r in rows[1:]]},
            "Figure 2. Nitrate removed (mg N per litre) and surface flux (mg N per m\u00b2 per day) by campaign",
        ),
        heading("5 Does it matter?"),
        para(
            "Per kilogram of nitrogen kept from the lough the net cost to the climate is 2.39 kg of carbon dioxide equivalent, or a drive to the co-operative and back. Set against the fertiliser which would have replaced that nitrogen had the farmer been a saint and spread less, it is a third. We conclude that the cure is not worse; it is merely no cure for the climate."
        ),
        *shared("brannagh", "caution", 4),
        *shared("brannagh", "comparison", 3),
        heading("6 For designers"),
        *shared("brannagh", "practice", 3),
        bullets(
            [
                "Do not let retention fall below ten hours while water still goes through the bed; use the bypass.",
                "Draw the outflow from mid-depth.",
                "Do not stir the surface in a thaw.",
            ]
        ),
        heading("7 Replies to readers of version 2"),
        para(
            "Reader A doubted that the collars had been sealed in the drought of June 2016. So did we, and have repeated the campaign; the new values, in the table, are lower by a tenth. Reader B thought the title flippant. The lough has been called worse things."
        ),
        heading("References"),
        *[note(entry) for entry in references("brannagh", 14, "vancouver")],
        page_break(),
        heading("Supplement: chamber fluxes and wells"),
        _weekly(
            "brannagh wells",
            36,
            ("N2O (\u00b5g N/l)", "Oxygen (mg/l)", "Nitrate-N (mg/l)", "Redox (mV)"),
            ((2.1, 96.0), (0.1, 6.9), (0.4, 9.7), (-148, 312)),
        ),
    ]
    style = Style(
        page="letter",
        font="sans",
        size=11.8,
        leading=21,
        margin=96,
        header="PREPRINT - not peer reviewed|v3",
        footer="|{page}|",
        headings="plain",
        accent="#7a1f2b",
        justify=False,
        tables="zebra",
        first_label=("arabic", 1, ""),
    )
    return DemoDocument(
        "brannagh-nitrous-oxide-2018.pdf",
        "Is the cure worse? Nitrous oxide from a woodchip bioreactor beside Lough Brannagh",
        TYPE,
        FAMILY,
        "hard_negative",
        story,
        style,
    )


def wend_valley() -> DemoDocument:
    rng = random.Random("wend")
    rows = [["No.", "Built", "Volume (m\u00b3)", "Area (ha)", "Cost (\u00a3)", "Hours a year", "State in 2019"]]
    states = ("Working", "Working", "Working", "Slow", "Bypassed", "Dry", "Overgrown")
    for i in range(1, 27):
        volume = rng.randint(18, 131)
        rows.append(
            [
                str(i),
                str(rng.randint(2007, 2016)),
                str(volume),
                f"{volume * rng.uniform(0.08, 0.19):.1f}",
                f"{round(volume * rng.uniform(58, 121) + 1450, -1):,.0f}",
                f"{rng.uniform(0.5, 22):.1f}",
                rng.choice(states),
            ]
        )
    most = max(rows[1:], key=lambda row: float(row[5]))
    most[6] = "Working"
    counts = {
        state: sum(row[6] == state for row in rows[1:]) for state in ("Working", "Slow", "Bypassed", "Dry", "Overgrown")
    }
    story: list[Block] = [
        title_block(
            [
                big_title(
                    "What becomes of them: upkeep, cost and fate of twenty-six woodchip bioreactors in the Wend valley",
                    centred=False,
                    scale=1.6,
                ),
                para("Philippa Oakeshott-Dray and Modou Jallow, Rural Practice Unit, Wendover Cross"),
                box(
                    f"Subsidy schemes count bioreactors when they are built. Nobody counts them later. We visited all twenty-six that were built in one valley between 2007 and 2016, measured what could be measured in a day, and talked to those who live with them for as long as they would. Between {counts['Working']} and {counts['Working'] + counts['Slow']}, depending on how strict one is, still did what they had been paid for. Failures were seldom of the wood and mostly of the stop logs, the mower, and the telephone number of an adviser who had moved. Where the farmer had dug the bed himself it was twice as likely to be working.",
                    "Abstract",
                ),
            ]
        ),
        heading("Background"),
        *shared("wend", "background", 3),
        para(
            "The Wend rises in chalk, crosses 40 km of drained clay and supplies water to 310,000 people, whose company spends \u00a32.1 million a year in taking nitrate out of it. Between 2007 and 2016 that company and the ministry together paid for bioreactors on any farm that asked, on condition that they be kept up for ten years. The condition was never checked, for which this study offers no reproach: checking is dull, and until the second author bought a bicycle there was no cheap way of doing it."
        ),
        *shared("wend", "theory", 3),
        para(
            "Surveys of conservation practices usually ask farmers whether they are satisfied, and they usually are, being polite. We asked instead to be shown the key to the control chamber. It was produced at once by twelve, after some searching by six, and by the rest not at all; the handsomest answer was that it had been kept so safe. The removal of nitrate is a biological process, but whether it takes place depends on the whereabouts of a key."
        ),
        heading("Approach"),
        para(
            "We knocked at doors. Of twenty-six owners twenty-four received us, one had died and one let us see the bed on condition that we did not mention his daughter-in-law. Conversations lasted from eleven minutes to six hours. They were not recorded; each of us wrote notes in the evening without seeing the other's, and what only one had noted was left out."
        ),
        para(
            "At each bed we measured nitrate at the inlet and the outlet, flow if there was any, and the settling of the cover. We noted whether the stop logs could be moved by hand. That last test, which takes ten seconds, turned out to predict nearly everything else."
        ),
        *shared("wend", "sampling", 3),
        *shared("wend", "calculation", 3),
        heading("What we found"),
        table(
            rows,
            caption="Table 1. The twenty-six beds, numbered from the source downstream",
            size=7.4,
            widths=[0.5, 0.8, 1, 0.8, 1.1, 0.9, 1.3],
            align="rrrrrrl",
            keep=False,
        ),
        table(
            [["State", "Number of beds"], *([state, str(count)] for state, count in counts.items()), ["All", "26"]],
            caption="Table 2. State at the time of the visit",
            total_rows=(-1,),
        ),
        para(
            "Beds that worked removed between 12 and 71 per cent of the nitrate on the day of our visit. The median removal rate was 2.94 g N per m\u00b3 per day at 7.7 \u00b0C. Since a day is a poor witness for a year we make no more of these figures than that they are not nothing."
        ),
        chart_bar(
            list(counts), {"Beds": list(counts.values())}, "Figure 1. State of the beds", height=140, labels=True
        ),
        chart_bar(
            [str(i) for i in range(1, 27, 2)],
            {"Volume of the bed (m\u00b3)": [float(r[2]) for r in rows[1::2]]},
            "Figure 2. Size of every second bed, from the source downstream",
            height=140,
        ),
        heading("Why beds fail"),
        para(
            "__Stop logs.__ In eleven beds the logs had swollen fast. Three owners had never been told that they were meant to be moved. One had glued them. Plastic boards cost \u00a312 apiece more."
        ),
        para(
            "__Mowers.__ Four control chambers had been struck by a flail. All four were painted green. The five that had been painted orange had not been touched."
        ),
        para(
            "__Trees.__ An ash had rooted in number 17 so that the bed was, in its owner's phrase, a pot plant. Bed 6 had been adopted by badgers and with it the protection of the law."
        ),
        para(
            "__People.__ Nine owners had at some time rung the scheme's number for advice. Two had got through. The ministry's adviser for the valley changed five times in ten years, and the file, it seems, did not always change hands with the post."
        ),
        quote(
            "They gave me a bioreactor and a ring binder. The ring binder had somebody else's farm in it.",
            "Owner of bed 21",
        ),
        para(
            "__Water.__ Six beds lay where no drain had enough flow to fill them, having been sited by the gate for the convenience of visitors. Wood chips that are neither wet nor dry rot within three years. In two beds the digger had cut a second drain and not joined it up again, so that most of the drainage water went past them underground, for nine winters, without anybody\u2019s knowing."
        ),
        heading("What it costs to live with one"),
        para(
            f"The median owner spent {statistics.median(float(row[5]) for row in rows[1:]):.1f} hours and \u00a346 a year. Some spent next to nothing, and it showed. The most careful, a retired marine engineer, spent {most[5]} hours; he keeps a log with the barometer in it, and his bed is the best in the valley. Spread over an assumed life of fifteen years and over those beds only which work, a kilogram of nitrogen cost \u00a319.40. Had all worked, it would have been \u00a311.85."
        ),
        heading("Reading the numbers with care"),
        *shared("wend", "caution", 3),
        *shared("wend", "comparison", 3),
        para(
            "It may be objected that a third of failures is not many, that hedges and ponds fare no better, and that the beds which work have paid for those which do not. All of this is so. Our point is a smaller one. The money for a bioreactor is spent on a day, the nitrate load is removed over fifteen years, and nobody is paid for the years. A scheme which paid a third of the grant for the digging and the rest for evidence of flow would cost the same, and we should expect it to remove about half as much nitrogen again."
        ),
        heading("What we should advise"),
        *shared("wend", "practice", 3),
        numbered(
            [
                "Paint the chambers orange.",
                "Pay a fifth of the grant in the fifth year, on sight of a log that moves.",
                "Print one telephone number and keep it.",
                "Let the owner dig.",
            ]
        ),
        heading("Afterword"),
        para(
            "In the month after our last visit the company engaged a warden for bioreactors, two days a week. She has freed seven sets of stop logs already. We claim no credit; it was her bicycle too."
        ),
        heading("References"),
        *[note(f"({i}) {entry}") for i, entry in enumerate(references("wend", 13, "long"), start=1)],
        page_break(),
        heading("Appendix: one day's readings at each bed"),
        _weekly(
            "wend beds",
            26,
            ("In (mg N/l)", "Out (mg N/l)", "T (\u00b0C)", "Flow (l/s)"),
            ((3.8, 16.2), (1.4, 12.9), (6.1, 9.6), (0.1, 4.4)),
        ),
    ]
    style = Style(
        page="a5",
        font="sans",
        size=10,
        leading=15.4,
        margin=52,
        header="Twenty-six bioreactors|P. Oakeshott-Dray and M. Jallow",
        footer="Water and Field 23 (2020)|{page}",
        headings="centred",
        accent="#2a2a2a",
        indent=True,
        first_label=("arabic", 5, ""),
    )
    return DemoDocument(
        "wend-valley-survey-2020.pdf",
        "What becomes of them: upkeep, cost and fate of twenty-six woodchip bioreactors in the Wend valley",
        TYPE,
        FAMILY,
        "hard_negative",
        story,
        style,
    )


# --- the family -----------------------------------------------------------------------------------------------------


def documents() -> list[DemoDocument]:
    return [aldergate(), skellbeck(), moorend(), tiverne(), jarvsund(), dunholm(), brannagh(), wend_valley()]


TEXT = ("Pure-text (Plain-text)",)
TABLE = ("Table",)


def questions() -> list[DemoQuestion]:
    return [*_aldergate_questions(), *_skellbeck_questions()]


def _aldergate_questions() -> list[DemoQuestion]:
    source = "aldergate-intermittent-flow-2021.pdf"
    keys = ("flow", "warm", "in", "out", "removed", "rate", "share")
    rows = {bed: dict(zip(ALDER_SEASONS, season_rows(ALDER_SEASONS, ALDER[bed], keys), strict=True)) for bed in "ABC"}
    totals = {bed: f"Bed {bed} {t[0]:.1f} {t[1]:.1f} {t[1] / t[0] * 100:.1f}" for bed, t in ALDER_TOTAL.items()}
    flow = rows["B"]["Winter 2020"]
    both = ALDER_TOTAL["A"][1] + ALDER_TOTAL["C"][1]
    return [
        DemoQuestion(
            "academic-01",
            source,
            "In the Aldergate bioreactor study, what volume of water in m\u00b3 flowed through bed B in the winter of 2020?",
            flow[1].replace(",", ""),
            "Int",
            TABLE,
            (" ".join(flow),),
        ),
        DemoQuestion(
            "academic-02",
            source,
            "How many kilograms of nitrate nitrogen did beds A and C at Aldergate remove together over the twelve seasons?",
            f"{both:.1f}",
            "Float",
            TABLE,
            (totals["A"], totals["C"]),
            "derive",
            "reasoning",
        ),
        DemoQuestion(
            "academic-03",
            source,
            "What was the Q10 of the removal rate in the larch bed at Aldergate?",
            "2.38",
            "Float",
            TEXT,
            ("The Q10 of the removal rate was 2.14 (willow), 2.38 (larch) and 1.96 (hazel and ash)",),
        ),
        DemoQuestion(
            "academic-04",
            source,
            "Which plant rooted in the cover of the Aldergate beds against the authors' intentions?",
            "comfrey",
            "Str",
            TEXT,
            ("0.3 m of topsoil in which, against our intentions, comfrey has established itself",),
        ),
        DemoQuestion(
            "academic-05",
            source,
            "With which kinds of wood were the three bioreactors at Aldergate filled?",
            as_list("Willow", "Larch", "Mixed hazel and ash"),
            "List",
            TABLE,
            ("Wood Willow Larch Mixed hazel and ash",),
            "enumerate",
        ),
        DemoQuestion(
            "academic-06",
            source,
            "By how many millimetres had the surface of Aldergate's bed A sunk further than that of bed B at the end of the study?",
            str(214 - 61),
            "Int",
            TEXT,
            ("The surface of bed A had sunk by 214 mm at the end of the study, that of bed B by 61 mm",),
            "derive",
            "reasoning",
        ),
        DemoQuestion(
            "academic-07",
            source,
            "According to Table 6 of the Aldergate paper, at how many rewetting events was the bonus of bed A above 1.9?",
            "2",
            "Int",
            TABLE,
            (
                "October 2017 58 2.61 2.08 2.44",
                "November 2018 73 1.92 1.47 1.85",
                "September 2019 84 1.63 \u2013 1.54",
                "August 2020 34 1.70 1.36 1.53",
            ),
            "count",
            "reasoning",
        ),
        DemoQuestion(
            "academic-08",
            source,
            "Which microbial genus dominated the wood chips of the larch bed at Aldergate?",
            "Not answerable",
            "None",
        ),
    ]


def _skellbeck_questions() -> list[DemoQuestion]:
    source = "skellbeck-media-ageing-2020.pdf"
    state = {y: " ".join(_skell_row(y, ("rate", "k", "porosity", "cn"))) for y in SKELL_YEARS}
    nitrogen = {y: " ".join(_skell_row(y, ("load", "removed", "share", "height"))) for y in SKELL_YEARS}
    slow = min(y for y in SKELL_YEARS if SKELL[y]["k"] < 3)
    sunk = int(SKELL[2011]["height"] - SKELL[2019]["height"])
    return [
        DemoQuestion(
            "academic-09",
            source,
            "What was the saturated hydraulic conductivity of the Skellbeck bed in September 2016, in cm per second?",
            f"{SKELL[2016]['k']:.2f}",
            "Float",
            TABLE,
            (state[2016],),
        ),
        DemoQuestion(
            "academic-10",
            source,
            "By how many millimetres did the height of the Skellbeck bed decrease from 2011 to 2019?",
            str(sunk),
            "Int",
            TABLE,
            (nitrogen[2011], nitrogen[2019]),
            "derive",
            "reasoning",
        ),
        DemoQuestion(
            "academic-11",
            source,
            "How many kilograms of nitrogen did the Skellbeck bioreactor remove in the first year in which its conductivity stood below 3 cm per second?",
            f"{SKELL[slow]['removed']:.1f}",
            "Float",
            TABLE,
            (*state.values(), nitrogen[slow]),
            "compare",
            "reasoning",
        ),
        DemoQuestion(
            "academic-12",
            source,
            "How many euros did the wood chips for refilling the Skellbeck bed cost, delivered?",
            "5118",
            "Int",
            TABLE,
            ("Wood chips, delivered 4,236 5,118",),
        ),
        DemoQuestion(
            "academic-13",
            source,
            "Where was the saw made with which blocks were cut out of the Skellbeck bed?",
            "Hartwith",
            "Str",
            TEXT,
            ("with a bread saw made by the blacksmith of Hartwith",),
        ),
        DemoQuestion(
            "academic-14",
            source,
            "In the Skellbeck paper, which two things are reported to have befallen the bed in June 2014 and in December 2015?",
            as_list("slurry from a burst pipe", "a flood"),
            "List",
            TEXT,
            (
                "In June 2014 slurry from a burst pipe passed through it",
                "In December 2015 a flood stood on it for three days",
            ),
            "enumerate",
        ),
        DemoQuestion(
            "academic-15",
            source,
            "What is the ratio of the removal rate of fresh spruce chips to that of the old chips from 0.6 to 0.9 m in the Skellbeck columns? Round to three decimals.",
            f"{7.31 / 4.87:.3f}",
            "Float",
            TEXT,
            ("removed 4.87 g N per m\u00b3 per day at 10 \u00b0C, those of fresh spruce 7.31",),
            "derive",
            "reasoning",
        ),
        DemoQuestion(
            "academic-16",
            source,
            "What does Skellbeck's summary give as the share of dry mass kept by the layer from 0.9 to 1.2 m, in per cent?",
            "83.3%",
            "Float",
            TEXT,
            ("the layer from 0.9 to 1.2 m 83.3 per cent",),
        ),
    ]
