"""The family "Guidebook": eight pocket guides to long-distance footpaths, with stages, huts, fares, fees and rules.

The sources are the seventh edition of the guide to the Corvane Ridgeway (2022) and the guide to the Saltmarrow Coast
Path (2020). The siblings are an old edition and a winter handbook of the Ridgeway, an earlier guide to the coast, and
guides to four other paths. Guides have a stage card, a code of conduct, hut rules and a kit list in common, as real
ones do; whatever a question asks for stands in its source only.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from .layout import (
    Block,
    DemoDocument,
    DemoQuestion,
    Style,
    box,
    bullets,
    contents,
    cover,
    heading,
    need,
    numbered,
    page_break,
    page_labels,
    para,
    quote,
    table,
)

DOCUMENT_TYPE = "Guidebook"
FAMILY = "guidebook"
TABLE, TEXT = "Table", "Pure-text (Plain-text)"

# ---------------------------------------------------------------------------------------------------------------------
# What walking guides have in common


@dataclass(frozen=True)
class Stage:
    """One day's walk; the texts in the order in which the stage card prints them."""

    name: str
    distance: str
    ascent: str
    descent: str
    time: str
    grade: str
    highest: str
    water: str
    bus: str
    sheet: str
    texts: tuple[str, ...]


CARD = ("Distance", "Total ascent", "Total descent", "Walking time without rests", "Grade of difficulty", "Highest point of the stage", "Drinking water on the way", "Nearest bus stop", "Map sheet")
MORE = ("Walking on metalled road", "Benches on the way", "Telephone signal on the way", "Suitable for children", "Dogs on this stage", "Rough camping on this stage", "Best months for this stage", "Public toilets on this stage", "Shelter from rain on the way", "Shade in the afternoon", "Surface of the path", "Food on the way", "Traffic on the road")


EASE = ({"1", "a", "Easy", "One bell"}, {"2", "b", "Medium", "Two bells"})


def particulars(one: Stage) -> tuple[str, ...]:
    """The lines of a stage card that no text dwells on, drawn so that they agree with what the texts say."""
    rng = random.Random(f"guidebook|stage|{one.name}|{one.distance}|{one.time}")
    ease = next((i for i, marks in enumerate(EASE) if one.grade in marks), 2)
    winter, told = "snowshoes" in one.time, " ".join(one.texts)
    return (
        f"{rng.randint(2, 39) / 10:.1f} km",
        str(rng.randint(2, 17)),
        rng.choice(("good", "good in most places", "poor in the valleys", "none for an hour")),
        rng.choice((("yes", "from six years"), ("from eight years", "from ten years"), ("from twelve years", "no"))[ease]),
        rng.choice(("on the lead", "on the lead near sheep", "on the lead near cattle")),
        rng.choice(("not allowed", "not allowed", "ask at the farm")),
        rng.choice(("January to March", "February and March") if winter else ("May to July", "May to September", "June to September")),
        rng.choice(("at the start", "at the end", "at the start and at the end", "none")),
        rng.choice(("barn at half way", "none") if one.bus == "None" else ("barn at half way", "bus shelter", "none")),
        "none" if "no shade" in told else rng.choice(("a little", "a little", "hardly any")),
        "snow" if winter else rng.choice(("grass and earth", "stones and earth", "gravel and grass")),
        rng.choice(("none before the end", "bring your own")),
        "none" if one.bus == "None" else rng.choice(("light", "light", "heavy at weekends")),
    )


def stage(number: int, one: Stage, form: str = "Stage {}: {}") -> list[Block]:
    """A stage: heading, card, description."""
    values = (one.distance, one.ascent, one.descent, one.time, one.grade, one.highest, one.water, one.bus, one.sheet)
    lines = [list(pair) for pair in zip(CARD + MORE, values + particulars(one), strict=True)]
    card = table([left + right for left, right in zip(lines[:11], lines[11:], strict=True)], header=False, widths=(1.25, 1.1, 1.25, 0.85), align="llll", size=7.0)
    return [need(215.0), heading(form.format(number, one.name), level=2), card, *(para(text) for text in one.texts)]


def stages(days: Sequence[Stage], form: str = "Stage {}: {}") -> list[Block]:
    return [block for number, one in enumerate(days, start=1) for block in stage(number, one, form)]


HUT_HEADER = ("Hut", "Beds", "Open", "Telephone")
PRICE_HEADER = ("Hut", "Member", "Guest", "Breakfast", "Dinner")


def huts(caption: str, rows: Sequence[Sequence[str]]) -> list[Block]:
    """Two tables: beds, season and telephone; then the prices of bed and board. A row is name, beds, season, four prices, telephone."""
    places = table([list(HUT_HEADER), *([row[0], row[1], row[2], row[7]] for row in rows)], caption=caption, widths=(1.6, 0.8, 1.3, 1.5), align="lrll")
    prices = table([list(PRICE_HEADER), *([row[0], *row[3:7]] for row in rows)], widths=(1.8, 1, 1, 1.1, 1), align="lrrrr")
    return [places, prices]


CODE = (
    "Keep to the waymarked path, even where it is muddy or a short cut looks tempting.",
    "Shut every gate behind you, unless it has plainly been fixed open by the farmer.",
    "Keep dogs on a short lead near sheep, cattle and nesting birds.",
    "Take all your rubbish home with you, fruit peel and tissues included.",
    "Light no open fires; use a stove on bare ground or stone and watch it.",
    "Greet people who live and work on the land, and give way to animals being driven.",
    "Do not pick flowers, do not build cairns and do not move stones from walls.",
    "Fill your bottle wherever the guide shows drinking water; the next spring may be dry.",
    "Leave word of your route and your expected time of arrival before you set out.",
    "Turn back in good time when the weather, the path or your strength gives out.",
    "Camp only where it is allowed, arrive late, leave early and leave no trace.",
    "Cross streams by the bridge, and turn back rather than wade in fast water.",
    "Walk in single file on roads without a pavement and face the traffic.",
    "Report broken signs, fallen trees and damaged bridges to the path office.",
)

HUT_RULES = (
    "Take off your boots in the porch and use the slippers provided.",
    "Sign the hut book on arrival with your name, the number of your party and your destination.",
    "Pay for your night in the evening, since the warden may be out early.",
    "Bring your own sleeping bag liner; blankets and pillows are provided.",
    "Silence is kept in the bunk rooms from ten in the evening until six in the morning.",
    "No cooking is allowed in the bunk rooms, and no candles anywhere.",
    "Reserved beds are kept until seven in the evening and are then given to whoever is there.",
    "Dogs sleep in the shed or the porch, never in the bunk rooms.",
    "Leave the drying room as you would wish to find it, with the stove swept.",
    "Wash up, sweep the floor and fold the blankets before you leave.",
    "Carry your rubbish down to the valley; the hut has no collection.",
    "In the winter room, replace the wood that you burn and put the money in the box.",
)

KIT = (
    "Walking boots with a firm sole", "Waterproof jacket and trousers", "Warm hat and gloves", "Spare socks", "Map of the path and compass", "Torch with spare battery", "Whistle",
    "First aid kit with blister plasters", "Rescue blanket", "Water bottle, one litre", "Food for the day and a reserve", "Sleeping bag liner", "Walking poles", "Sun cream and sun hat", "Money in small coins",
)

GRADES = (
    ("Broad path with little slope", "for everyone in ordinary shoes"),
    ("Good path with some steep stretches", "for walkers with firm shoes and a little practice"),
    ("Narrow or stony path, often steep", "for fit walkers with boots who are sure of foot"),
    ("Rough ground, hands needed in places", "for experienced walkers in dry weather only"),
)

TERMS = (
    ("Ascent", "the sum of all climbs of a stage in metres, small ones included"),
    ("Walking time", "the time a fit adult with a light pack needs, without rests"),
    ("Warden", "the person who looks after a hut, takes the money and keeps the keys"),
    ("Winter room", "a room with bunks and a stove that stays open when the hut is closed"),
    ("Waymark", "a painted sign or a carved post that shows where the path goes"),
    ("Escape route", "a way down to a road or a village for use in bad weather"),
    ("Member", "a person with a valid card of a walking association"),
    ("Stage", "the part of the path between two places where one can sleep"),
)

ALARM = (
    "Stay calm, move everybody away from further danger and keep the injured person warm and dry.",
    "Give first aid, and do not leave an injured person alone unless there is no other way.",
    "Call the rescue service by telephone and say who you are, where you are and what has happened.",
    "Say how many people are hurt, what the weather is like and what you can see around you.",
    "Without a telephone, give six signals in one minute by whistle, torch or voice, then wait one minute.",
    "The answer to the signal is three signals in one minute; go on until you are found.",
    "Stay where you are, spread out something bright and stand with both arms raised when a helicopter comes.",
    "When help is no longer needed, say so, or others will go on searching for you.",
)


FIRST_AID = (
    "Blister: do not open it; cover it with a plaster, change the socks and loosen the boot.",
    "Sprained ankle: leave the boot on, wrap a bandage over it, raise the foot and rest.",
    "Bleeding: press a clean cloth on the wound, raise the limb and keep pressing for ten minutes.",
    "Broken bone: do not move the limb, pad it on both sides and tie it to something stiff.",
    "Heat exhaustion: lie down in the shade, raise the legs, drink small amounts of water with salt.",
    "Cold and shivering: get out of the wind, put on dry clothes, eat and drink something sweet.",
    "Tick bite: pull the tick out straight with tweezers and watch the skin for three weeks.",
    "Adder bite: keep the person still, do not cut or suck the wound, and call for help.",
    "Wasp sting in the mouth: suck ice or cold water and call for help at once.",
    "Chest pain: sit the person up, loosen tight clothes and call the rescue service at once.",
)

WEATHER = (
    "A ring round the sun or the moon: rain within a day and a half.",
    "Fog in the valley and blue sky above in the morning: a fine day is coming.",
    "Clouds like towers before noon: thunder in the afternoon, be off the heights by two.",
    "A sudden calm and a yellow light in the west: a storm is near.",
    "Swallows flying high: the air is dry and the weather will hold.",
    "Distant hills seeming close and sharp: rain before the next morning.",
    "Heavy dew in the evening: no rain during the night.",
    "Wind turning from south-west to north-west: showers, then better weather.",
)


def shuffled(name: str, texts: Sequence[str]) -> list[str]:
    """The shared sentences in the order of this guide."""
    made = list(texts)
    random.Random(f"guidebook|{name}").shuffle(made)
    return made


def code_of_conduct(name: str, form: str) -> Block:
    return numbered(shuffled(f"code|{name}", CODE), form=form)


def hut_rules(name: str, form: str) -> Block:
    return numbered(shuffled(f"huts|{name}", HUT_RULES), form=form)


def alarm(form: str) -> Block:
    """What to do after an accident: the order matters, so it is the same everywhere."""
    return numbered(list(ALARM), form=form)


def kit_list(name: str, months: tuple[str, str], low: int) -> Block:
    """A packing list with weights in grams; ``low`` is the weight of the lightest thing."""
    rng = random.Random(f"guidebook|kit|{name}")
    rows = [["What to pack", "Weight, g", *months]]
    for item in shuffled(f"kit|{name}", KIT):
        rows.append([item, str(low + 5 * rng.randint(0, 150)), rng.choice(["yes", "yes", "useful"]), rng.choice(["yes", "yes", "yes", "useful"])])
    return table(rows, widths=(2.6, 1, 1, 1), align="lrcc")


def first_aid(name: str, form: str, count: int = 6) -> Block:
    return numbered(shuffled(f"aid|{name}", FIRST_AID)[:count], form=form)


def weather_signs(name: str, form: str, count: int = 5) -> Block:
    return numbered(shuffled(f"sky|{name}", WEATHER)[:count], form=form)


def grades(marks: Sequence[str]) -> Block:
    rows = [["Grade", "What the path is like", "Who can walk it"], *([mark, *words] for mark, words in zip(marks, GRADES, strict=True))]
    return table(rows, widths=(0.7, 2.4, 2.8), align="lll")


def terms(form: str) -> Block:
    return bullets([f"**{form.format(word)}** {meaning}." for word, meaning in sorted(TERMS)], mark="\u2013")


def section(title: str, room: float = 150.0) -> list[Block]:
    """A chapter heading that does not stand at the foot of a page."""
    return [need(room), heading(title)]


# ---------------------------------------------------------------------------------------------------------------------
# Corvane Ridgeway, seventh edition


def corvane_2022() -> list[Block]:
    """Warm and exact; written by people who walk it with a measuring wheel."""
    days = [
        Stage("Tallow Gate to Brannock Hut", "14.2 km", "745 m", "290 m", "5 h 10 min", "2", "Stag Cairn, 812 m", "Linn spring, Brannock Hut", "Tallow Gate, church", "Sheet 11", (
            "The Ridgeway begins at an iron gate that has lost its wall. Go through it all the same; everybody does. The path climbs between hazels to the Linn spring, where a ladle hangs on a chain, and leaves the wood at the old charcoal floor.",
            "From here to Stag Cairn the ridge is broad and the walking easy. On the left the land falls to the Tallow, on the right to nothing in particular. The hut stands twenty minutes below the cairn on the lee side and cannot be seen until one is nearly on the roof.",
        )),
        Stage("Brannock Hut to Sorrel Pass", "17.9 km", "920 m", "860 m", "6 h 40 min", "3", "Great Corvane, 1,094 m", "Brannock Hut only", "None", "Sheets 11 and 12", (
            "The longest day. Fill every bottle, because the tarn shown on older maps was drained by a landslip and there is no water before Sorrel Pass. The climb to Great Corvane goes by the north shoulder since the quarry path was closed.",
            "Below the summit the new line keeps to the crest for the sake of the ring ouzels, which nest in the gully from April to July. It costs eighty metres of height and repays them with the best view of the walk: on clear mornings, the lighthouse of Orme, ninety kilometres off.",
        )),
        Stage("Sorrel Pass to Hallin Hut", "11.6 km", "480 m", "515 m", "4 h 05 min", "2", "Little Corvane, 967 m", "Sorrel Pass, Hallin Hut", "Sorrel Pass, customs house", "Sheet 12", (
            "A short stage, so that one may lie in or take the bus up to the pass and start here. The customs house sells cheese and stamps; the stamps are for letters, whatever the shopkeeper may tell you about collectors.",
            "Cross the road with care. The path rises through juniper to the grassy back of Little Corvane, where a bench commemorates the surveyor who got this height wrong by thirty metres and was right about everything else.",
        )),
        Stage("Hallin Hut to Pellow Bridge", "15.3 km", "560 m", "1,030 m", "5 h 30 min", "3", "Hallin Edge, 921 m", "Hallin Hut, fountain at Ewe Steps", "Pellow Bridge, inn", "Sheet 13", (
            "Hallin Edge is a mile of pleasant fright. It is wider than it looks, and there is a path below it for those who would sooner not find out. Both are waymarked and they meet again at Ewe Steps.",
            "The long descent through beech woods is slippery in autumn. The new footbridge at the Dene, opened in 2021, saves the detour by the mill, and the miller has put out a chair for people who miss the detour.",
        )),
        Stage("Pellow Bridge to Mossgrave Hut", "13.8 km", "810 m", "245 m", "5 h 15 min", "3", "Mossgrave Moor, 874 m", "Pellow Bridge, Otter spring, Mossgrave Hut", "Pellow Bridge, inn", "Sheet 13", (
            "Up again, and steeply. The old cart track served a lead mine and is paved with slag that rings underfoot. Otter spring is reliable; Wether spring, an hour on, failed in three of the last five summers and should not be counted on.",
            "On the moor the way is marked by boards laid across the peat at Hag Moss, where the line was moved two hundred metres to the east in 2020. Do not follow the old posts. They lead with confidence into a bog.",
        )),
        Stage("Mossgrave Hut to Stennet", "16.7 km", "390 m", "1,015 m", "5 h 45 min", "2", "Mossgrave Tower, 893 m", "Mossgrave Hut, Stennet chapel", "Stennet, station", "Sheet 14", (
            "The last day goes down more than up. From the tower, a folly built by a brewer who liked to see his chimneys, the whole of the Ridgeway can be followed back to Tallow Gate with a finger.",
            "Stennet receives walkers with a fountain, a station and eleven cafés. Tradition asks that the stick cut at the start be left leaning by the chapel door, and the sexton uses them for his beans.",
        )),
    ]
    return [
        cover("The Corvane Ridgeway", "A walker's guide in six stages", ["Seventh edition, 2022"], band_text="Corvane Walking Association", bottom=["Edited by Ottoline Marsh and Jory Pengelly", "With changes of route up to March 2022"], drop=70.0),
        contents(),
        *section("Before you go"),
        para("The Corvane Ridgeway runs for 89.5 kilometres along the spine of the Corvane hills, from the market town of Tallow Gate to the spa of Stennet. Most people take six days. The record stands at seventeen hours and is held by a postman who, to general regret, has never said what he saw."),
        para("This seventh edition was measured afresh with a wheel and a barometer. The figures differ from those in earlier guides by as much as two kilometres a day, and where your memory disagrees with the wheel, the Association sides with the wheel."),
        box(["The line has changed in three places since the sixth edition: at Pellin Quarry, at Hag Moss and at the Dene footbridge.", "Waymarks there are yellow. White marks are out of date."], "New since 2018"),
        para("Huts must be booked between 15 May and 30 September. Requests are taken from 1 February by the booking office in Stennet, and a deposit of €12.75 a person falls due within ten days. A bed that has been cancelled less than 72 hours ahead is charged in full, because somebody has carried your breakfast up on a mule."),
        para("First-timers often ask which direction is better. Eastbound you have the weather behind you and the fountain ahead; westbound the gradients are kinder to elderly knees. A choir from Dunmere once did both at once, in two halves, and sang a canon where they crossed, somewhere near the juniper. Shepherds still speak of it."),
        *section("Grades and words"),
        grades(("1", "2", "3", "4")),
        terms("{}:"),
        *section("The six stages", 265.0),
        *stages(days),
        table(
            [
                ["Stage", "Distance, km", "Ascent, m", "Descent, m", "Time, h", "Grade"],
                ["1 Brannock Hut", "14.2", "745", "290", "5:10", "2"],
                ["2 Sorrel Pass", "17.9", "920", "860", "6:40", "3"],
                ["3 Hallin Hut", "11.6", "480", "515", "4:05", "2"],
                ["4 Pellow Bridge", "15.3", "560", "1,030", "5:30", "3"],
                ["5 Mossgrave Hut", "13.8", "810", "245", "5:15", "3"],
                ["6 Stennet", "16.7", "390", "1,015", "5:45", "2"],
                ["Whole path", "89.5", "3,905", "3,955", "32:25", ""],
            ],
            caption="All stages at a glance", total_rows=(-1,),
        ),
        *section("A little history"),
        para("Monks from Sorrel drove salt over these hills in the thirteenth century, dodging the bishop's tax at Pellow. Smugglers followed with brandy, then surveyors with chains, then honeymooners with parasols. The first printed itinerary, by the Reverend Lancelot Tresize, advises ladies to bring a footman and gentlemen to refrain from verse."),
        para("The Association grew out of a quarrel. In 1921 the cotton magnate who owned Hallin fenced the crest to breed grouse; some four hundred weavers from Stennet answered by holding their annual picnic on it, complete with brass band. Magistrates fined the tuba. His descendants are life members, and the dented instrument hangs above the counter in the booking office."),
        para("Electric light reached Hallin in 1957, trout in 1962 and television never. During the hard spring of 1979 a helicopter dropped hay for stranded ewes; one bale fell through the porch and is commemorated by a brass tack."),
        *section("Huts and prices"),
        para("The Association keeps three huts and has an agreement with the inn at Pellow Bridge and the hospice on Sorrel Pass. Prices are in euros and hold for 2022. Children under twelve pay half, and children under four sleep where they fall."),
        *huts(
            "Huts on the Ridgeway, prices in euros for 2022",
            [
                ["Brannock Hut", "46", "May to Oct", "18.50", "34.20", "9.80", "19.60", "0471 220 638"],
                ["Sorrel Pass hospice", "28", "all year", "31.00", "38.40", "incl.", "22.30", "0471 220 415"],
                ["Hallin Hut", "62", "May to Oct", "19.50", "35.60", "10.20", "20.40", "0471 226 117"],
                ["Pellow Bridge inn", "17", "all year", "44.00", "52.80", "incl.", "23.90", "0472 318 804"],
                ["Mossgrave Hut", "35", "June to Sept", "17.90", "32.70", "9.40", "18.70", "0472 315 276"],
            ],
        ),
        para("Hallin has hot showers, at €3.70 for four minutes, and a piano. Brannock has neither, but its warden, Sunniva Trask, bakes a rye loaf that people have been known to walk in from the road for. Mossgrave fetches its water by hand in August; wash like a cat."),
        hut_rules("corvane-2022", "{}."),
        *section("Getting there and back"),
        para("Trains run hourly to Stennet. For Tallow Gate, change at Stennet to bus 64, which takes the long way round by the valley villages and is always met by the same dog."),
        table(
            [
                ["Bus 64, daily", "First", "Second", "Third", "Last"],
                ["Stennet, station", "6.52", "9.22", "13.22", "17.37"],
                ["Pellow Bridge, inn", "7.31", "10.01", "14.01", "18.16"],
                ["Sorrel Pass, customs house", "8.08", "10.38", "14.38", "-"],
                ["Tallow Gate, church", "8.49", "11.19", "15.19", "19.34"],
            ],
            caption="Bus 64 from 3 April to 29 October 2022",
        ),
        para("A single ticket from end to end costs €8.60 and the return €14.30. Rucksacks travel free. The last bus does not climb to the pass, and to be stranded there is no hardship, as the hospice keeps a fire."),
        bullets([
            "Luggage can be sent from hut to hut by mule for €16.80 a bag and stage; hand it in by half past seven.",
            "Taxi Wrenfield in Stennet fetches from any road, 0472 311 909.",
            "Cars may be left behind Tallow Gate church for €4.20 a day.",
        ]),
        *section("Geology in a nutshell, by request"),
        para("The crest is gritstone, the shoulders are shale, and everything slides slowly westward at about the rate fingernails grow. Fossil ripples can be stroked on the slabs beyond Ewe Steps. In the bed of the Dene, look for garnets the size of lentils after a thunderstorm; schoolchildren from Pellow sell them to each other for marbles."),
        para("Juniper, once cut for smoking hams, has come back since grazing was thinned. Bilberries ripen in the last days of July, and purple-mouthed walkers are a reliable indicator of the best patches, whose whereabouts this guide, bribed with jam, omits."),
        *section("What to carry"),
        para("We weigh things, too. The list was packed on the kitchen scales of a hut and came out lighter than most people's, for the editors are neither young nor strong."),
        kit_list("corvane-2022", ("June", "October"), 40),
        para("Camera batteries sulk on frosty mornings: keep them inside your vest. Binoculars repay their heaviness at the ouzel gully, where peregrines also hunt. Umbrellas, mocked by the hardy, have been adopted by both editors and are especially recommended for lunch."),
        *section("A taste of the valleys"),
        para("Every village claims its own dumpling. Tallow boils them with nettles, Pellow fries them in goose fat, and Stennet, being refined, calls them quenelles. Sheep's cheese is best bought at Ewe Steps from Keziah Blythe, who stamps each wheel with a thimble. Try her whey soda; the second gulp is better than the first."),
        para("On the last Saturday in August the shepherds' fair fills Pellow with fiddles, raffles and auctioneers. Tents of strangers are pitched on the cricket square. Ask before photographing the wrestlers, who are shy, mostly dentists, and train the whole year for ninety seconds of glory."),
        *section("How to behave"),
        para("The hills belong to eleven parishes and some nine thousand sheep. Walkers are welcome in both, on the understanding that they behave as follows."),
        code_of_conduct("corvane-2022", "{}."),
        *section("When things go wrong"),
        para("The rescue post for the whole ridge is at Stennet fire station, telephone 0472 300 112; mobile telephones work on the crest but not in the beech woods below Hallin. In 2021 the post was called out 38 times, and 23 of the calls were for ankles."),
        alarm("{}."),
        heading("First aid", level=2),
        para("The editors asked a doctor and a shepherd for one page each. The doctor's came back with footnotes, the shepherd's smelling of tobacco."),
        first_aid("corvane-2022", "{}.", 8),
        heading("Reading the sky", level=2),
        para("Jory keeps a tally of how often each sign came true; the swallows are winning."),
        weather_signs("corvane-2022", "{}.", 6),
        box("Thunder comes from the south-west and gives about forty minutes' notice. Leave the crest at once by the nearest of the five escape routes, which are marked with a red E on a post.", "Thunderstorms"),
        table(
            [
                ["Escape route", "Leaves the ridge at", "Leads to", "Down in", "Shelter"],
                ["E1", "Stag Cairn", "Tallow mill", "55 min", "barn"],
                ["E2", "Great Corvane, south", "Coldwell farm", "1 h 50 min", "farm"],
                ["E3", "Little Corvane", "Sorrel road", "35 min", "bus shelter"],
                ["E4", "Ewe Steps", "Hallin village", "1 h 10 min", "school porch"],
                ["E5", "Mossgrave Tower", "Upper Stennet", "1 h 25 min", "brewery"],
            ],
            caption="Escape routes from the crest",
        ),
        *section("People to ask"),
        table(
            [
                ["For", "Ask", "Telephone"],
                ["Beds", "Booking office, Stennet, Mrs Adelheid Coyne", "0472 311 045"],
                ["State of the path", "Path warden, Jory Pengelly", "0472 311 046"],
                ["Membership", "Secretary of the Association", "0472 311 047"],
                ["Weather, recorded", "Hill forecast, from six each morning", "0472 300 550"],
                ["Lost property", "Stennet station, window 2", "0472 340 021"],
            ],
            caption="Contacts", widths=(1.1, 2.4, 1.1), align="lll",
        ),
        para("A year's membership costs €46.00, for a household €71.00. It pays for itself on the third night. Corrections to this guide are rewarded with a pot of Corvane honey; the editors have so far given away nineteen."),
    ]


# ---------------------------------------------------------------------------------------------------------------------
# Corvane Ridgeway, fourth edition


def corvane_2014() -> list[Block]:
    """The old warden's guide: short sentences, strong opinions."""
    days = [
        Stage("Tallow Gate to Brannock Hut", "13.1 km", "690 m", "240 m", "4 h 30 min", "2", "Stag Cairn, 809 m", "Linn spring", "Tallow Gate, market", "Sheet 3 of the old series", (
            "Start early. The wood is full of flies by nine. There is nothing to see in it that you have not got at home, so step out. At the charcoal floor turn left. There used to be a sign, and somebody has it in his bar.",
            "The hut was burnt in 1951 and rebuilt by men I knew. Look at the roof timbers. They were carried up, two men to a beam, by fellows who then went down and did a day's work.",
        )),
        Stage("Brannock Hut to Sorrel Pass", "16.4 km", "840 m", "805 m", "6 h", "3", "Great Corvane, 1,091 m", "Brannock Hut, Corvane tarn", "None", "Sheets 3 and 4 of the old series", (
            "Take the quarry path. It is loose in two places and needs no comment. At the top you will find a heap of stones to which every fool adds one. Take one off.",
            "The tarn is good to drink from if you go to the inflow. Sheep use the other end. On the way to the pass the wind is always against you, in whichever direction you walk.",
        )),
        Stage("Sorrel Pass to Hallin Hut", "10.9 km", "450 m", "470 m", "3 h 30 min", "2", "Little Corvane, 937 m", "Sorrel Pass", "Sorrel Pass", "Sheet 4 of the old series", (
            "Nothing happens on this stage. I have walked it two hundred times and recommend it to those who have something to think over. If a bull stands in the second pasture, he is called Emil, and he does not mean it.",
        )),
        Stage("Hallin Hut to Pellow Bridge", "16.2 km", "540 m", "985 m", "5 h", "4", "Hallin Edge, 918 m", "Hallin Hut, Ewe Steps", "Pellow Bridge, smithy", "Sheet 4 of the old series", (
            "The Edge is for people who can walk. If you must ask whether you can, take the lower path. In ice neither is any good. I took eleven people off it one Easter, roped like sausages, and had no thanks from the eleventh.",
            "After Ewe Steps follow the mill stream round by the mill. It is the long way, and there is no other, whatever the boy at the inn says about a plank.",
        )),
        Stage("Pellow Bridge to Mossgrave Hut", "14.5 km", "795 m", "220 m", "5 h", "3", "Mossgrave Moor, 871 m", "Otter spring, Wether spring", "Pellow Bridge, smithy", "Sheet 5 of the old series", (
            "Slag all the way to the mine. The miners went up and down it twice a day in clogs. On the moor follow the posts, which I set myself in 1987, and have painted every second year since.",
            "Both springs run in all seasons. At Wether spring a tin cup hangs from a nail. It was my mother's. Hang it back.",
        )),
        Stage("Mossgrave Hut to Stennet", "17.4 km", "370 m", "990 m", "5 h 30 min", "2", "Mossgrave Tower, 890 m", "Mossgrave Hut", "Stennet, baths", "Sheet 5 of the old series", (
            "All downhill, and hard on the knees. Do not climb the tower; the steps are rotten on the north side, the brewer's heirs having other uses for their money. In Stennet drink the water at the fountain. It tastes of nails and does no harm.",
        )),
    ]
    return [
        cover("The Corvane Ridgeway", "Described by its warden", ["Fourth edition, 2014"], band_text="Corvane Walking Association", bottom=["Ebenezer Stroud, warden of the path 1979 to 2014"], drop=70.0),
        para("I have been asked to keep this short. The path is 88.5 kilometres long by my reckoning, with a chain, on my own feet. You will be told other figures. It has six stages, as God and the innkeepers arranged."),
        para("Walk from Tallow Gate to Stennet and not the other way. In the other direction you have the sun in your eyes all morning and the English all evening."),
        contents(),
        *section("How the Ridgeway came about"),
        para("Nobody made the Ridgeway. It was trodden out by peddlers, deserters, midwives and a particular sort of curate who botanised. My predecessor, old Cornelius Hatch, joined the bits together in 1934 with a pot of whitewash and a borrowed bicycle, and was fined for defacing a milestone."),
        para("During the war the crest was forbidden ground. A searchlight battery stood on Stag Cairn and its concrete plinth makes a passable lunch table. The gunners kept hens, whose descendants, gone quite feral, were still laying in the bracken when I took over; I found the last of them in a snowdrift, upright, with an expression of reproach."),
        para("In 1963 the Rambling Congress debated for an entire weekend whether the route should be called a Trail, a Track or a Way. A motion in favour of Ridgeway was carried at half past one on the Sunday because the delegates from the coast had a charabanc to catch. I was eighteen, and in charge of the sandwiches."),
        *section("On the difficulty of paths"),
        para("The Association wishes me to use grades. I have done so. A grade says what the path is like. It does not say what you are like."),
        grades(("I.", "II.", "III.", "IV.")),
        *section("The stages", 265.0),
        *stages(days, "Day {}. {}"),
        *section("Creatures"),
        para("You will hope for an eagle. It will be a buzzard. Ravens breed in the quarry, and roll on their backs in March like schoolboys. The wild cats that visitors report from Coldwell belong to Mrs Pascoe, who starves them so as to keep the granary free of rats, and feeds them on Christmas Eve out of remorse."),
        para("Adders are fewer than they were. So are glow-worms, cuckoos, orchids and blacksmiths. What thrives is bramble. I have cut the same bramble back at Ewe Steps for three decades with the same billhook, to which I've fitted two new blades and four handles."),
        para("Of cattle, fear the heifers, who are inquisitive; of dogs, the small ones; of horses, those ridden by solicitors. Midges detest pipe smoke. I began smoking on their account, and the physician may say whatever he likes."),
        *section("Distances, for those who collect them"),
        table(
            [
                ["Day", "Distance, km", "Ascent, m", "Descent, m", "Time, h", "Grade"],
                ["1 Brannock Hut", "13.1", "690", "240", "4:30", "II"],
                ["2 Sorrel Pass", "16.4", "840", "805", "6:00", "III"],
                ["3 Hallin Hut", "10.9", "450", "470", "3:30", "II"],
                ["4 Pellow Bridge", "16.2", "540", "985", "5:00", "IV"],
                ["5 Mossgrave Hut", "14.5", "795", "220", "5:00", "III"],
                ["6 Stennet", "17.4", "370", "990", "5:30", "II"],
            ],
            caption="By chain and aneroid",
        ),
        *section("The huts"),
        para("There are three huts. They are not hotels. A hut is a roof, a stove and a rule. If you desire a shower there is weather. The inn at Pellow Bridge is dear and the beds are short; the hospice on the pass gives soup to anyone who can say grace, and I have known men learn it on the doorstep."),
        *huts(
            "Huts, beds and what they ask, euros, 2014",
            [
                ["Brannock Hut", "38", "May to Oct", "11.00", "19.50", "6.50", "12.80", "220 38"],
                ["Sorrel Pass hospice", "24", "all year", "20.00", "24.50", "incl.", "13.70", "220 15"],
                ["Hallin Hut", "54", "June to Oct", "11.50", "20.50", "6.80", "13.20", "226 17"],
                ["Pellow Bridge inn", "15", "all year", "29.00", "36.50", "incl.", "16.40", "318 04"],
                ["Mossgrave Hut", "30", "June to Sept", "10.50", "18.90", "6.20", "12.10", "315 76"],
            ],
        ),
        para("No bookings are taken at Brannock or Mossgrave. You come, and if it is full you sleep on the table. Hallin takes bookings by postcard to the warden, Bartholomew Kyte, with a stamp for the answer, and keeps a third of the bunks for people who did not think of it."),
        para("Rules follow. I did not invent them. Each was made on the morning after somebody had shown it to be needed."),
        hut_rules("corvane-2014", "({})"),
        para("Food in the huts is plain. Mutton stew, barley, prunes. A gentleman from a newspaper called it penitential, whereupon the cook at Hallin framed his article and hung it in the privy. Should you be given a second dumpling, you have been approved of. Vegetarians were first catered for in 1996, by removing the mutton with a spoon."),
        *section("Coming and going"),
        para("The bus goes three times a day, except on Sundays, when the driver sings in the choir. Fare to Tallow Gate €5.40. Buy the ticket from the driver with the right money. He gives change in sweets."),
        table(
            [
                ["Bus", "Morning", "Noon", "Evening"],
                ["Stennet, baths", "7.05", "12.10", "17.20"],
                ["Pellow Bridge, smithy", "7.50", "12.55", "18.05"],
                ["Sorrel Pass", "-", "13.35", "-"],
                ["Tallow Gate, market", "9.00", "14.20", "19.15"],
            ],
            caption="Weekdays only, in my experience",
        ),
        *section("What to put in the rucksack"),
        para("Less. I give the weights because I have carried other people's rucksacks down, and in one of them there was an iron."),
        kit_list("corvane-2014", ("Summer", "Autumn"), 55),
        *section("Conduct"),
        para("Most walkers know how to behave. This page is for the rest, and will be read by the wrong ones. When I began, in the year of the great snow, nobody had rules and nobody needed telling that a gate is a gate."),
        code_of_conduct("corvane-2014", "({})"),
        quote("A good walker is one of whom the farmer says at supper that nobody came by.", "The author's father"),
        *section("Remarks on boots, sticks and company"),
        para("Boots want grease, not spray. Break them in by wearing them to church. A hazel stick cut on a waning moon is said to last longer, and mine has, but then I varnished it. Modern poles click, fold and go astray; eleven stand in my shed, all of them right-handed."),
        para("Pick companions who eat at your speed. A cheerful bore is worse than foul weather, since weather stops. Should you be walking with your intended, take Hallin Edge together: I have known it to settle matters in both directions, and was best man twice."),
        *section("Accidents"),
        para("In thirty-five years I have been out on 412 calls. A third were for people who had gone on because they had paid for a bed. The telephone of the post is in the warden's house at Stennet, 300 12. If my wife answers, speak up."),
        alarm("Order {}."),
        heading("First aid", level=2),
        para("I passed the course three times, once by mistake. What follows is what I remember with cold hands."),
        first_aid("corvane-2014", "({})"),
        heading("Reading the sky", level=2),
        para("Old men's sayings. I have put down those that did not let me down."),
        weather_signs("corvane-2014", "({})"),
        table(
            [
                ["Way off the ridge", "From", "To", "Time"],
                ["By the mill", "Stag Cairn", "Tallow mill", "1 h"],
                ["By the farm", "Great Corvane", "Coldwell farm", "1 h 40 min"],
                ["By the road", "Little Corvane", "Sorrel road", "30 min"],
                ["By the school", "Ewe Steps", "Hallin village", "1 h 20 min"],
            ],
            caption="Ways down in a storm; I have used all of them",
        ),
        *section("Of inscriptions"),
        para("Eleven stones on the crest bear letters. Most say GC, for the Grand Contour, a canal which was dug on paper by an optimistic baronet. One at Little Corvane reads 'Agnes, wait'. I have made enquiries in four registries. Nobody knows whether she did."),
        para("The Latin on the hospice lintel has been translated by every schoolmaster who slept there, never twice alike. My own version, arrived at during a thunderstorm with the prior holding the candle, is: 'Wipe them.'"),
        *section("Words"),
        terms("{} is"),
        *section("A last word"),
        para("This is my last edition. The young people will make the next, and they have bought a wheel. I wish them joy of it. I have left my aneroid to the hut at Mossgrave, where it will be found on the hook behind the door, reading twelve metres too low, as it has done since I dropped it on the Edge in the summer of 1992."),
        para("Membership of the Association is €27.00 a year, payable to the treasurer at Michaelmas. It brings you nothing but a cheaper night and the knowledge that the posts are painted."),
    ]


# ---------------------------------------------------------------------------------------------------------------------
# Corvane Ridgeway in winter


def corvane_winter() -> list[Block]:
    """A safety handbook by the mountain rescue post: checklists, times, temperatures."""
    days = [
        Stage("Stennet to Mossgrave Hut", "16.7 km", "1,015 m", "390 m", "7 h 30 min on snowshoes", "3", "Mossgrave Tower", "None, melt snow", "Stennet, station", "Winter sheet A", (
            "In winter we walk the Ridgeway from east to west, so that the prevailing wind is met on the first two days while food is plentiful and legs are fresh. Start by headlamp at six. If the tower is not reached by noon, turn round.",
            "Avalanche ground: the gully under the tower after heavy snow from the north. Pass one at a time, straps undone. The winter room of Mossgrave holds eight. Check the stove pipe for birds' nests before lighting.",
        )),
        Stage("Mossgrave Hut to Pellow Bridge", "13.8 km", "245 m", "810 m", "6 h on snowshoes", "3", "Mossgrave Moor", "Otter spring, often frozen", "Pellow Bridge, inn", "Winter sheet A", (
            "Poles with reflectors stand at fifty paces across the moor. In drifting snow, one member of the party stays at a pole until the next is found. The boards at the moss are glazed from December; the frozen bog beside them bears a person in most years and should not be asked to bear two.",
        )),
        Stage("Pellow Bridge to Hallin Hut", "17.1 km", "1,140 m", "670 m", "8 h on snowshoes", "4", "Below Hallin Edge", "Pellow Bridge", "Pellow Bridge, inn", "Winter sheet B", (
            "The Edge is closed from 1 November to 30 April and there is no discussion about this. The winter line stays in the beeches, crosses by the forest road and gains the hut from behind. It is long and dull, and nobody has been hurt on it in nine years.",
            "Two of our volunteers ski this stage each Thursday to stock the winter room with wood. You may leave a bar of chocolate for them under the third step.",
        )),
        Stage("Hallin Hut to Sorrel Pass", "11.6 km", "515 m", "480 m", "5 h on snowshoes", "2", "Little Corvane", "Hallin Hut, melt snow", "Sorrel Pass, when ploughed", "Winter sheet B", (
            "A good stage for beginners and a fair test of whether the rest is wise. The bench on Little Corvane serves as gauge: when only the back shows, the snow is deep enough for the direct descent; when nothing shows, follow the road.",
        )),
        Stage("Sorrel Pass to Brannock Hut", "19.2 km", "1,010 m", "1,070 m", "9 h on snowshoes", "4", "Great Corvane, south shoulder", "None", "None", "Winter sheet C", (
            "For strong parties with a forecast of under thirty kilometres of wind an hour. The north shoulder collects slabs. We go by the south, in spite of the extra kilometre, and rope up for the forty metres at the notch.",
            "Should cloud come down on the plateau, do not look for the edge. Sit in the bivouac bag. In January 2019 a party of four sat for eleven hours, sang, and walked in to breakfast.",
        )),
        Stage("Brannock Hut to Tallow Gate", "14.2 km", "290 m", "745 m", "5 h on snowshoes", "2", "Stag Cairn", "Linn spring", "Tallow Gate, church", "Winter sheet C", (
            "Downhill through the wood, with tracks of hare and marten. Report at the church: the sexton telephones us when a party is down, and we can then go to bed.",
        )),
    ]
    return [
        cover("The Corvane Ridgeway in Winter", "Handbook for parties, season 2022/23", ["Read it before you pack, then pack it"], band_text="Corvane Mountain Rescue", bottom=["Stennet rescue post", "Responsible: Post leader Hedda Moorcroft"], drop=70.0),
        box(["Nobody walks alone between 1 November and 30 April.", "Every party registers by noon of the day before, 0472 300 113.", "Every party carries a shovel, a probe and two bivouac bags."], "Three rules without exceptions"),
        para("This handbook is not an invitation. The summer guide is full of cheese and benches; ours is about cold. We print it because people will go in any case, some of them superbly prepared, and because in the winter of 2021/22 we spent 1,146 hours outdoors looking for the others."),
        contents(),
        *section("Is it a day to go?"),
        para("Answer the questions in the table in the hut, aloud, the evening before. Each member answers. Two answers in the right-hand column mean a day of cards."),
        table(
            [
                ["Question", "Go", "Wait"],
                ["Wind on the crest by forecast", "under 45 km/h", "45 km/h or more"],
                ["Fresh snow in two days", "under 20 cm", "20 cm or more"],
                ["Temperature at the post at six", "-14 °C or warmer", "colder than -14 °C"],
                ["Avalanche level", "1 or 2", "3 and above"],
                ["Slowest member yesterday", "within plan", "over an hour late"],
                ["Appetite at breakfast", "everybody", "somebody not"],
            ],
            caption="Six questions, asked aloud", align="lll",
        ),
        para("The last line makes people laugh. It was proposed by a doctor with forty winters of experience and has proved the best predictor of all."),
        grades(("W1", "W2", "W3", "W4")),
        para("Learn to dislike cornices. They are meringues: crisp on top, hollow below, and always bigger than supposed. Last February one broke off above the customs house with a bang that set off car alarms in the lay-by. It measured sixty paces. Footprints led up to the fracture, then, mercifully, back."),
        para("Pulk, splitboard, skinny skis or rackets? Any, provided the whole group uses the same. Mixed outfits drift apart, and drifting apart is how search operations start. Instructor Lowenna Pask keeps a collection of abandoned single ski skins, pinned like butterflies."),
        *section("The winter line", 265.0),
        *stages(days, "Leg {}: {}"),
        *section("Winter rooms"),
        para("From October the huts are locked, save for one room each. There are no wardens, no meals and no light. Keys are not needed; manners are. The tariff goes in the iron box, and we do count."),
        *huts(
            "Where one can sleep in winter, euros, 2022/23",
            [
                ["Brannock winter room", "10", "Nov to Apr", "9.00", "14.00", "none", "none", "none"],
                ["Sorrel Pass hospice", "28", "all year", "36.00", "43.50", "incl.", "25.10", "0471 220 415"],
                ["Hallin winter room", "12", "Nov to Apr", "9.50", "14.50", "none", "none", "radio"],
                ["Pellow Bridge inn", "17", "not Jan", "48.00", "57.20", "incl.", "26.70", "0472 318 804"],
                ["Mossgrave winter room", "8", "Oct to May", "8.50", "13.50", "none", "none", "none"],
            ],
        ),
        para("A bundle of wood costs €5.20. Two bundles warm the room of Hallin for a night, three that of Brannock, whose door faces the wrong way. Leave the axe indoors."),
        hut_rules("corvane-winter", "R{}"),
        para("Carbon monoxide is odourless and kills quicker than frost. Keep the ventilator unblocked even though it whistles. We have fitted alarms; whoever takes the battery out for a headlamp will, if identified, be invited to carry firewood until Candlemas."),
        *section("Transport from November to April"),
        table(
            [
                ["Winter bus", "Weekdays", "Saturday", "Sunday"],
                ["Stennet, station", "7.22", "8.22", "9.52"],
                ["Pellow Bridge, inn", "8.06", "9.06", "10.36"],
                ["Sorrel Pass, customs house", "8.51", "9.51", "-"],
                ["Tallow Gate, church", "9.40", "10.40", "11.45"],
            ],
            caption="One bus a day each way; chains may add thirty minutes",
        ),
        para("The single fare is €9.10. When the barrier at Coldwell is down, the bus ends there and passengers are lent sledges, which must be brought back. Of twenty sledges, seventeen are left."),
        *section("Equipment"),
        para("We check equipment at registration. In the season just past, we turned back nine parties, seven because of batteries. The weights are for one person; shovel, probe and rope come on top and are shared."),
        kit_list("corvane-winter", ("Dec", "March"), 75),
        para("Goggles fog when breath is trapped; loosen the scarf. Zips ice up; rub them with candle wax. Chocolate shatters teeth at minus eighteen, so choose marzipan. Contact lenses freeze overnight in their solution and belong inside your sleeping bag, beside the gas canister, tomorrow's socks and anything else you are fond of."),
        para("Practise with transceivers until it bores you. Our training park behind the tennis courts has six buried targets, switched on from dusk, free of charge. The club record for finding three is two minutes forty, set by a retired organist, Wilhelmina Crake, aged seventy-four."),
        *section("Building a snow hole"),
        para("Choose a firm drift at least three metres deep, well away from gullies. Dig a slot, kneel, and burrow upward, since heat rises and cold drains out of the entrance. Smooth the ceiling or it drips. Poke a ventilation shaft with a ski stick and wiggle it hourly. One person, equipped with spade and whistle, remains awake."),
        para("Excavating takes three hours for inexperienced diggers, who will be soaked in sweat. Strip layers beforehand. A tarpaulin roofed with blocks is quicker for emergencies; a rucksack plugs the doorway. Hang something gaudy outside. Volunteers once probed straight through a slumbering accountant's mattress."),
        *section("Cold injuries"),
        table(
            [
                ["What you see", "What it is", "What to do"],
                ["Shivering, clumsy, cheerful", "mild hypothermia", "dry clothes, sweet drink, walk on"],
                ["No longer shivering, drowsy", "severe hypothermia", "lie flat, insulate, do not rub, call us"],
                ["White, numb skin", "frostnip", "warm under the arm of a friend"],
                ["Hard, waxy skin", "frostbite", "keep frozen until the hut, then warm water at 38 °C"],
            ],
            caption="The four stages of cold", align="lll",
        ),
        para("Snow blindness is painful, common and harmless if the eyes are covered for a day. Bring two pairs of goggles. Tea with rum is for the evening, and in the hut, and for those who are dry."),
        *section("Alarm"),
        para("The post is manned day and night at 0472 300 112. On the crest try two networks. The helicopter at Orme needs nineteen minutes in daylight and does not fly in cloud; from Stennet on foot we need four hours to Great Corvane, in good snow."),
        alarm("A{}"),
        heading("First aid", level=2),
        para("A refresher from the summer course. The cold table above takes precedence."),
        first_aid("corvane-winter", "F{}", 9),
        heading("Reading the sky", level=2),
        para("The official forecast decides. These help you to doubt it in time."),
        weather_signs("corvane-winter", "F{}", 8),
        *section("Conduct in the snow"),
        para("Capercaillie and deer live on what they saved in autumn. Each flight costs a bird a day's food. Stay on the line, and tell off those who do not, kindly."),
        code_of_conduct("corvane-winter", "C{}"),
        *section("Vocabulary for the radio"),
        terms("{} means"),
        table(
            [
                ["Call-outs by season", "Parties registered", "Call-outs", "Hours", "Frostbite"],
                ["2019/20", "188", "14", "702", "3"],
                ["2020/21", "241", "19", "958", "5"],
                ["2021/22", "263", "21", "1,146", "4"],
            ],
            caption="What we did in three winters",
        ),
        para("The rescue post lives on donations. A winter badge is €15.00 and looks well on a rucksack. Registration is free, and will remain so: we'd rather know."),
    ]


# ---------------------------------------------------------------------------------------------------------------------
# Saltmarrow Coast Path, 2020: the long one


def saltmarrow_2020() -> list[Block]:
    """The guide of a coast office: tides, ferries, kissing gates, and a fondness for signs."""
    days = [
        Stage("Orrin Haven to Gannet Head", "12.7 km", "310 m", "280 m", "3 h 50 min", "1", "Coastguard lookout, 96 m", "Tap at Orrin harbour, Gannet Head café", "Orrin Haven, quay", "Coast sheet 1", (
            "The path leaves the quay between the ice house and the smokery. You'll smell which is which. After the last boatshed it climbs to the cliff top and stays there, with the sea on your right for the next six days.",
            "The lookout is manned by volunteers on summer weekends. Knock, and they will show you through the big telescope a ship you can already see, but larger. From May to July the ledges below are white with gannets and the noise carries to the road.",
        )),
        Stage("Gannet Head to Sister Creek", "15.9 km", "265 m", "290 m", "4 h 40 min", "2", "Bell Down, 121 m", "Gannet Head café, Holloway farm", "Holloway farm end", "Coast sheet 1", (
            "Steps, and plenty of them: 412 in all, counted by the class of 2019 of Holloway school, who also named them. The worst flight, after Bell Down, is called Tuesday.",
            "Sister Creek is crossed by the rowing ferry. Ring the bell on the post, once for one passenger and twice for more. Old Mr Penhallis takes the tide as it comes, so have your tea first.",
        )),
        Stage("Sister Creek to Marrow St Anne", "18.4 km", "120 m", "125 m", "5 h 05 min", "1", "Sea wall at Long Reach, 9 m", "Marrow St Anne only", "Long Reach, pumping station", "Coast sheets 1 and 2", (
            "Flat, wide and full of sky. The sea wall was raised after the great flood by prisoners, monks and a rugby club. There's no shade and no water for fifteen kilometres: carry two litres a head in summer.",
            "At Long Reach the path crosses the Strood, a causeway that is under water for three hours at each high tide. Look at the table in this guide and at the board beside the causeway. If they disagree, believe the water.",
        )),
        Stage("Marrow St Anne to the Chain Ferry", "13.5 km", "190 m", "185 m", "4 h", "1", "Windmill Rise, 52 m", "Marrow St Anne, mill yard", "Ferry Road", "Coast sheet 2", (
            "Through the saltings, where the path is of oyster shell and squeaks. Samphire may be picked for your own supper between the two white posts. The rest belongs to the geese, who are very clear about it.",
            "The chain ferry takes nine minutes and nobody has ever found out why it stops in the middle. Foot passengers stand on the left.",
        )),
        Stage("The Chain Ferry to Candle Bay", "16.8 km", "540 m", "520 m", "5 h 35 min", "3", "Beacon Point, 203 m", "Chain ferry kiosk, Nare spring", "Nare Cross", "Coast sheet 3", (
            "The roughest stage. South of Nare the cliff has been slipping since 2017, and the path now goes inland by Nare Cross for two kilometres. The signs with a red hand mean what they appear to mean.",
            "Candle Bay takes its name from a wreck with a cargo of tallow. Householders down here still own candles. The campsite shop will sell you one for twenty pence, and you will be glad of it when the generator stops at ten.",
        )),
        Stage("Candle Bay to Ludd's Mole", "14.1 km", "415 m", "430 m", "4 h 45 min", "2", "Candle Down, 168 m", "Candle Bay, Port Ludd", "Port Ludd, station", "Coast sheet 3", (
            "A day of coves. At low tide the sands between Little Candle and Pipers may be walked, which saves an hour of climbing. Keep an eye behind you; the sea comes in round the back.",
            "The path ends at the tip of Ludd's Mole, where a brass plate says so in five languages, three of them correctly. Touch it, turn round, and join the queue for chips.",
        )),
    ]
    return [
        cover("Saltmarrow Coast Path", "The official guide", ["Orrin Haven to Port Ludd in six easy stages, one of which is not easy"], band_text="Saltmarrow Coast Office", bottom=["Guide for the season of 2020", "Compiled by Philippa Rusk, coast path officer"], drop=70.0),
        heading("Welcome"),
        para("You are holding the official guide, which is the one with the tide tables in it. There are prettier books about our coast in the gift shops, and we've written two of them. Put this one in the pocket that you can reach with a wet hand."),
        para("The Saltmarrow Coast Path is 91.4 kilometres long and was opened, after forty years of argument with six landowners and one hermit, on 27 June 2009. It follows the coast as closely as the coast allows. Each winter takes a piece and each spring we move a fence."),
        para("It is signed with a white gannet on blue. There are 1,382 gannets along the way, and if at any point you have not seen one for ten minutes, you've gone wrong. Please do not bring home a gannet; they cost us £23.40 apiece."),
        para("I walked every metre of it in March with a clipboard and a patient dog. Mistakes are mine. Mud is yours."),
        contents(),
        page_break(),
        page_labels("arabic", 1),
        para("A word about erosion, since journalists always enquire. Boulder clay at Nare retreats by roughly the length of a bathtub annually, chalk at Bell Down by a teacup. The lighthouse keeper's former cabbage patch now grows kelp. Surveyors re-peg us each April, cheerfully, with biodegradable stakes and a thermos of something restorative."),
        *section("How to use this guide"),
        para("Each stage begins with a card. Times are walking times for someone neither young nor in a hurry; add half as much again for children, photographers and anyone who knows about birds. Distances come from the satellite receiver of the university and have been rounded by me."),
        grades(("G1", "G2", "G3", "G4")),
        terms("By {} we mean"),
        *section("Stage by stage", 265.0),
        *stages(days),
        *section("The whole path in one table"),
        table(
            [
                ["Stage", "Distance, km", "Ascent, m", "Descent, m", "Time, h", "Stiles", "Kissing gates"],
                ["1 Gannet Head", "12.7", "310", "280", "3:50", "14", "22"],
                ["2 Sister Creek", "15.9", "265", "290", "4:40", "19", "17"],
                ["3 Marrow St Anne", "18.4", "120", "125", "5:05", "3", "41"],
                ["4 Chain Ferry", "13.5", "190", "185", "4:00", "6", "28"],
                ["5 Candle Bay", "16.8", "540", "520", "5:35", "25", "11"],
                ["6 Ludd's Mole", "14.1", "415", "430", "4:45", "21", "9"],
            ],
            caption="Six stages, with obstacles", total_rows=(),
        ),
        para("Kissing gates are being put in for stiles at the rate of a dozen a year. If you'd like one named after somebody, a plaque is £185.00, and the gate will squeak for them in perpetuity."),
        *section("Tides and the Strood"),
        para("The sea sets the timetable on stage 3. The causeway called the Strood can be crossed on foot from three hours after high water until ninety minutes before the next. In the summer of 2019 the lifeboat fetched off 31 people, among them a geography class."),
        table(
            [
                ["Date, 2020", "High water", "Safe from", "Safe until", "Height, m"],
                ["Saturday 6 June", "11.48", "14.48", "22.31", "5.6"],
                ["Saturday 20 June", "11.17", "14.17", "22.02", "5.2"],
                ["Saturday 4 July", "10.39", "13.39", "21.27", "5.7"],
                ["Saturday 18 July", "10.06", "13.06", "20.58", "5.1"],
                ["Saturday 1 August", "9.33", "12.33", "20.24", "5.8"],
                ["Saturday 15 August", "8.41", "11.41", "19.36", "4.9"],
                ["Saturday 29 August", "8.12", "11.12", "19.07", "5.9"],
            ],
            caption="Crossing times on Saturdays; the office has a leaflet for other days",
        ),
        box("There are two refuges on the Strood, white boxes on legs with a ladder. Should you be caught, climb up, close the hatch and ring the bell. It will be wet, it will be boring, and it will be all right.", "Caught by the tide?"),
        *section("Ferries"),
        para("Two ferries belong to the path. Neither can be booked, and both have been known to run for a single sandwich."),
        table(
            [
                ["Ferry", "Runs", "Adult", "Child", "Dog", "Bicycle"],
                ["Sister Creek, rowing", "April to October, 9 to 18", "£2.80", "£1.40", "free", "£1.10"],
                ["Chain ferry, foot", "all year, 6 to 22", "£1.90", "£0.95", "£0.45", "£1.25"],
                ["Candle Bay launch", "July and August, by the tide", "£7.35", "£3.70", "£0.60", "-"],
            ],
            caption="Ferry fares in 2020", widths=(1.8, 2.2, 0.8, 0.8, 0.8, 0.9), align="llrrrr",
        ),
        para("In a southerly gale Mr Penhallis stays at home and the way round by Sister Bridge adds 7.6 kilometres. A red flag on the far bank, visible from Holloway farm, tells you before you have walked down to look."),
        *section("Where to sleep"),
        para("The Coast Office runs the two bothies and the campsite at Candle Bay; the others are friends of ours. Reserve by telephone between nine and one on weekdays. The season for all of them begins on 28 March, and beds at weekends in August are gone by Whitsun."),
        *huts(
            "Bothies, farms and houses on the path, prices in pounds",
            [
                ["Gannet Head bothy", "22", "Apr to Oct", "£13.50", "£18.75", "£4.85", "none", "01994 555 207"],
                ["Holloway farm", "9", "all year", "£29.00", "£33.25", "incl.", "£12.60", "01994 555 319"],
                ["St Anne's Priory", "40", "all year", "£16.20", "£21.90", "£5.40", "£9.85", "01994 555 461"],
                ["Ferry House", "14", "Mar to Nov", "£31.50", "£36.80", "incl.", "£14.30", "01994 555 528"],
                ["Candle Bay bothy", "26", "Apr to Oct", "£13.50", "£18.75", "£4.85", "£8.95", "01994 555 640"],
            ],
        ),
        para("At St Anne's Priory you are woken by plainsong at five, or, if you ask Brother Ambrose, at seven with a mug. The bothy at Gannet Head is kept by Merrin Tolley, who also writes up the weather; her blackboard has been right on 271 days of the last year, against 258 for the wireless."),
        hut_rules("saltmarrow-2020", "{})"),
        para("Camping elsewhere is a matter of asking. Farmers generally point to a field and the field has generally a view. What they mind is finding you there in the morning as a surprise."),
        *section("Buses and trains"),
        para("The coast bus, C7, follows the path at a respectful distance. It may be stopped by holding out an arm anywhere the driver can do so without going into the hedge."),
        table(
            [
                ["Coast bus C7", "Mon to Fri", "Saturday", "Sunday", "Fare from Orrin"],
                ["Orrin Haven, quay", "7.40", "8.10", "9.55", "-"],
                ["Holloway farm end", "8.19", "8.49", "10.34", "£2.65"],
                ["Long Reach, pumping station", "8.52", "9.22", "11.07", "£3.90"],
                ["Ferry Road", "9.27", "9.57", "11.42", "£5.15"],
                ["Nare Cross", "9.58", "10.28", "-", "£6.45"],
                ["Port Ludd, station", "10.36", "11.06", "12.41", "£7.80"],
            ],
            caption="First bus of the day, 23 May to 27 September 2020",
        ),
        para("A rover ticket for seven days is £24.60 and covers the chain ferry. From Port Ludd trains go inland every two hours, the last at 20.14. The station buffet closes when the last walker has been fed, or says so."),
        *section("Packing"),
        para("We are by the sea, so the wind does half of the damage and the sun the other half. Here's what the office recommends, with weights from our own shop scale, which was made for fish."),
        kit_list("saltmarrow-2020", ("May", "September"), 60),
        *section("The coast code"),
        para("Cliffs, nests, cattle and other people's sandwiches: all are spoiled more easily than mended. The code was agreed in the back room of the Drowned Bell by farmers, birders and the lifeboat crew, and it is the only thing they have ever agreed on."),
        code_of_conduct("saltmarrow-2020", "{})"),
        numbered([
            "On the cliff path, keep two metres from the edge; what looks like turf may be overhang.",
            "Do not go down to a beach without knowing how to come up from it.",
            "Flying machines with cameras are forbidden between Gannet Head and Bell Down from 1 March to 31 August.",
            "Metal objects with fins are to be left alone and reported. We still get one or two a year.",
        ], start=15, form="{})"),
        *section("If you need help"),
        para("For accidents on cliffs and beaches call the coastguard, 01994 555 999; for anything inland the county ambulance. Every gannet post carries a number on its back, such as SM 0614. Read it out and the crew knows where you are to within sixty metres."),
        alarm("Do {}:"),
        heading("First aid", level=2),
        para("From the poster in the lifeboat house, with the cartoons left out for reasons of taste."),
        first_aid("saltmarrow-2020", "{})", 10),
        heading("Reading the sky", level=2),
        para("Coast weather is somebody else's weather arriving early. Merrin swears by these."),
        weather_signs("saltmarrow-2020", "{})", 8),
        table(
            [
                ["Landmark", "Post number", "Telephone signal", "Nearest road", "Defibrillator"],
                ["Coastguard lookout", "SM 0109", "good", "0.9 km", "yes"],
                ["Foot of Tuesday", "SM 0338", "none", "2.4 km", "no"],
                ["Long Reach sluice", "SM 0614", "fair", "0.2 km", "yes"],
                ["Windmill Rise", "SM 0827", "good", "0.5 km", "no"],
                ["Nare spring", "SM 1045", "none", "1.7 km", "no"],
                ["Pipers cove", "SM 1293", "poor", "3.1 km", "no"],
            ],
            caption="Posts to remember",
        ),
        *section("Birds, seals and the hermit"),
        para("Gannets arrive in February and leave in September. The colony has grown from 640 pairs at the opening of the path to 2,215 at the last count. Seals lie on the Pipers in autumn with their pups; forty metres is the least distance, and the cow will let you know if you have misjudged it."),
        para("The hermit of Nare gave up his objection to the path in 2008 in exchange for a letter box. He answers every letter. He does not answer knocks."),
        bullets([
            "Terns nest on the shingle at Long Reach: follow the roped line, and mind your head.",
            "Adders sunbathe on the path in April. Stamp; they hear with their ribs.",
            "Our rarest plant, the sea holly of Candle Down, grows inside the fence for a reason.",
        ]),
        para("Rockpoolers: blennies, hermit crabs, beadlet anemones and, by torchlight, cuttlefish the length of a thumb. Replace boulders gently, barnacles uppermost. A jellyfish as wide as a dustbin lid is a barrel jellyfish and harmless; a mauve one as dainty as a teacup isn't. Vinegar is useless against it, whatever grandmothers allege."),
        para("Mermaid purses wash ashore after equinoctial gales. Post yours to the aquarium, stating beach and weekday, and the skate scientists will send a crayoned thank-you. Amber has been picked up twice, ambergris once, by a spaniel, which ate it."),
        *section("The path passport"),
        para("Collect six stamps and claim the badge. The passport is £3.25 and is stamped at these places; the badge is free, though there's a box for the lifeboat."),
        table(
            [
                ["Stage", "Where the stamp is", "What it shows", "Badges claimed in 2019"],
                ["1", "Gannet Head café", "gannet", "4,870"],
                ["2", "Bell post, Sister Creek", "oar", "4,115"],
                ["3", "Priory gate", "goose", "3,640"],
                ["4", "Chain ferry kiosk", "link of chain", "3,590"],
                ["5", "Campsite shop, Candle Bay", "candle", "2,955"],
                ["6", "Chip shop, Port Ludd", "fish", "2,780"],
            ],
            caption="Stamps of the passport", align="llll", widths=(0.6, 2, 1.2, 1.6),
        ),
        *section("Eating, drinking, dawdling"),
        para("Oysters at Marrow, kippers at Orrin, saffron buns at Holloway and a peculiar liquorice rope at Port Ludd, sold by the cubit: gluttons could plan an itinerary on these alone. The Drowned Bell pulls a stout called Undertow. Vegans are looked after at the lido kiosk, where chef Zennor Bray does unspeakable, delicious things with dulse."),
        para("Artists will want to linger at Pipers, where the painter Gulval Rowe spent eleven summers failing to capture green. Forty-three failures hang in the institute. Admission is by knocking loudly; the caretaker is deaf in the left ear and practises the euphonium."),
        *section("Who we are"),
        table(
            [
                ["Matter", "Person", "Telephone"],
                ["Path officer", "Philippa Rusk", "01994 555 101"],
                ["Signs and gates", "Denzil Carveth", "01994 555 102"],
                ["Bothy bookings", "Ysella Trewin", "01994 555 103"],
                ["School parties", "Tobias Hume", "01994 555 104"],
                ["Tide leaflet", "answering machine", "01994 555 105"],
            ],
            caption="The Coast Office, Customs Steps, Orrin Haven", align="lll", widths=(1.2, 1.6, 1.2),
        ),
        para("The office looks after the path with a staff of five, a van and £118,600 a year from the county. Friends of the Path pay £15.50 and come out on the first Sunday of the month with loppers. Last year they gave us 3,044 hours. There is soup."),
    ]


# ---------------------------------------------------------------------------------------------------------------------
# Saltmarrow Coast Path, 2016


def saltmarrow_2016() -> list[Block]:
    """A parish production: several hands, several opinions, one typewriter."""
    days = [
        Stage("Orrin Haven to Gannet Head", "12.1 km", "300 m", "270 m", "3 h 30 min", "1", "Lookout, 94 m", "Orrin pump", "Orrin Haven, Ship Inn", "Coast sheet 1, old print", (
            "(By the churchwarden.) The walker sets forth from the lychgate of St Orrin, having, it is hoped, looked in. The rood screen was saved from the Commissioners by being used as a hen house. The bench ends repay study, save one.",
            "Thence by Cliff Lane to the lookout. The coastguard having been withdrawn, the building is let to a potter.",
        )),
        Stage("Gannet Head to Sister Creek", "16.6 km", "270 m", "295 m", "5 h", "2", "Bell Down, 120 m", "Holloway farm", "Holloway farm end", "Coast sheet 1, old print", (
            "(By Mrs Holloway.) You come through our yard. Shut the top gate or you will have the heifers at Bell Down before you are. I do teas at £3.60 with a scone, in the barn if wet. The steps are bad for the knees, so my husband has put a rail on the worst of it.",
            "The creek: ask for Jem Penhallis at the boathouse. If he is haymaking you walk round.",
        )),
        Stage("Sister Creek to Marrow St Anne", "19.3 km", "110 m", "115 m", "5 h 30 min", "1", "Sea wall, 8 m", "Marrow St Anne", "Long Reach", "Coast sheet 2, old print", (
            "(By the schoolmaster.) Observe how the marsh was won in strips, each with its drain, by the canons of St Anne. The pupils have measured the silt at the sluice: eleven millimetres a year. The Strood floods on every tide, and a table hangs in the post office.",
        )),
        Stage("Marrow St Anne to the Chain Ferry", "14.0 km", "185 m", "180 m", "4 h", "1", "Windmill Rise, 51 m", "Mill", "Ferry Road", "Coast sheet 2, old print", (
            "(By the miller.) I grind on Wednesdays. Visitors are shown the stones if they keep their scarves in. From the cap one sees the whole of the saltings, and on the horizon, the county town, which sees nothing of us.",
        )),
        Stage("The Chain Ferry to Nare", "9.2 km", "350 m", "190 m", "3 h", "2", "Nare Down, 174 m", "Nare spring", "Nare Cross", "Coast sheet 3, old print", (
            "(By the doctor.) Good for the heart, bad for the hips. South of Nare the path ran until last winter along the very brink, and I set two wrists and a collar bone there in a season. It still does. Take care.",
        )),
        Stage("Nare to Port Ludd", "21.7 km", "600 m", "765 m", "7 h", "3", "Beacon Point, 201 m", "Candle Bay", "Port Ludd, station", "Coast sheet 3, old print", (
            "(By the landlord of the Drowned Bell.) It's long, and there's not a pint on it before Candle Bay. Then there is mine. Walkers who came by the sands with wet feet get the settle by the fire. Last orders are when I say.",
            "After that you can see the mole, and the chips do the rest.",
        )),
    ]
    return [
        cover("The Coast Path in the Parishes of Saltmarrow", "A guide by those who live along it", ["Price £4.00, all of it for the bell frame"], band_text="The Seven Parishes", bottom=["Typed by Miss E. Rundle, Easter 2016"], drop=70.0),
        para("Seven parishes lie along the Coast Path. Each was asked to describe its own part. The committee has corrected spelling, though not opinions, and where two parishes claim the same view, both are printed."),
        para("The length is said by the county to be 92.9 kilometres. The parish of Marrow St Anne considers this to be an exaggeration on the part of Orrin Haven."),
        contents(),
        para("A vote of thanks is recorded to the hedging class, the Brownies, Colonel Fanshawe for the loan of his theodolite, and the late Canon Prideaux, whose sermon on footpaths lasted for fifty minutes and was remembered in two wills. The photographs promised in the prospectus were unluckily developed in the font."),
        *section("Signs, gradings and such"),
        para("The county has put up gannets. We were not asked. The following gradings were devised by the doctor, who has seen the results."),
        grades(("Class A", "Class B", "Class C", "Class D")),
        *section("The walk", 265.0),
        *stages(days, "{}. {}"),
        *section("Tides"),
        para("The wise ask at the post office in Marrow St Anne. Miss Rundle will also tell you who was cut off last and what he said. For those arriving out of hours:"),
        table(
            [
                ["Date, 2016", "High water", "Cross after", "Cross before"],
                ["Saturday 11 June", "9.52", "13.00", "20.15"],
                ["Saturday 25 June", "9.18", "12.30", "19.45"],
                ["Saturday 9 July", "8.55", "12.05", "19.20"],
                ["Saturday 23 July", "8.21", "11.30", "18.45"],
                ["Saturday 6 August", "7.44", "10.55", "18.10"],
            ],
            caption="The Strood on alternate Saturdays, allowing for prudence",
        ),
        *section("Beds in the parishes"),
        *huts(
            "Where the committee would send its own relations",
            [
                ["Gannet Head bothy", "16", "May to Sept", "£9.00", "£12.25", "none", "none", "01994 217"],
                ["Mrs Holloway", "6", "not lambing", "£22.00", "£26.50", "incl.", "£8.75", "01994 319"],
                ["St Anne's Priory", "32", "all year", "£12.40", "£16.60", "£3.90", "£7.20", "01994 461"],
                ["The Drowned Bell", "7", "all year", "£27.50", "£32.40", "incl.", "£11.45", "01994 583"],
                ["Vicarage lawn", "12 tents", "June to Aug", "£3.00", "£4.50", "£2.95", "none", "01994 122"],
            ],
        ),
        para("Dom Ambrose of the Priory, then a novice and now guest master, asks that walkers do not hang socks on the Stations of the Cross. The vicar's tents are canvas and of a certain age; bring your own pegs."),
        hut_rules("saltmarrow-2016", "\u2013 {} \u2013"),
        *section("Ferries and carriers"),
        table(
            [
                ["Crossing", "By whom", "Fare", "Remarks"],
                ["Sister Creek", "Jem Penhallis", "£1.50", "not in hay time"],
                ["Chain ferry", "the county", "£1.20", "dogs 30p"],
                ["Marsh, by cart", "Abel Tonkin", "£6.25", "to be agreed"],
            ],
            caption="Crossings and what is asked", align="llll",
        ),
        para("The bus runs on weekdays and its number changes yearly. At £4.95 from one end to the other it is not cheap, and the driver's views on the Coast Path are included in the fare. On market day he waits for Mrs Tonkin."),
        table(
            [
                ["Coast bus", "Weekdays", "Market day"],
                ["Orrin Haven, Ship Inn", "8.05", "7.35"],
                ["Holloway farm end", "8.47", "8.17"],
                ["Long Reach", "9.21", "8.51"],
                ["Ferry Road", "9.55", "9.25"],
                ["Port Ludd, station", "11.02", "10.32"],
            ],
            caption="The bus, when it runs",
        ),
        para("Bicycles are tolerated, tandems admired. Horse-drawn conveyances may be arranged through Abel Tonkin, whose cob, Gladstone, halts at every public house from long habit formed under a previous owner. Passengers wishing to arrive are advised to sit at the back and whistle hymns."),
        *section("What to bring, from the Mothers' Union"),
        para("Many a party has been dried out in the vestry. The Union has weighed what sensible young people brought and what the others lacked."),
        kit_list("saltmarrow-2016", ("Whitsun", "Harvest"), 45),
        *section("Manners"),
        para("On one point all seven parishes were unanimous, namely gates. The remainder of the code comes from the county, and the committee passed it with one abstention."),
        code_of_conduct("saltmarrow-2016", "Item {}."),
        *section("The seven churches"),
        para("Every church on the coast is open by day, and its tower was once a seamark. The ringers of Marrow St Anne welcome a visiting arm on practice night, which is Friday."),
        table(
            [
                ["Church", "Bells", "Tenor, cwt", "Key is with"],
                ["St Orrin, Orrin Haven", "8", "17", "the Ship Inn"],
                ["Holy Cross, Gannet", "3", "6", "nobody; push"],
                ["St Sister, Creek", "1", "2", "Mrs Holloway"],
                ["St Anne, Marrow", "10", "24", "Miss Rundle"],
                ["St Nare, Nare", "5", "9", "the doctor"],
                ["St Wick, Candle Bay", "6", "11", "the Drowned Bell"],
                ["St Ludd, Port Ludd", "8", "19", "station master"],
            ],
            caption="Churches along the path", align="lrrl",
        ),
        para("The bell frame of St Anne, for which this booklet is sold, has been condemned by two architects. It requires £38,250, of which £11,730 has come in, in great part from cake."),
        para("Sundry superstitions persist. Ringers will not count rooks; fishermen never utter the word for a long-eared burrowing animal; a bride passing Gannet lych-gate must be lifted over the drain. The vicar has preached against all three and been observed, in a hurry, going round by the drain."),
        *section("Flora of the hedgebanks, by Miss Rundle"),
        para("Primroses open at Candlemas below the Priory wall. Campion, stitchwort and bluebell give us the parish colours in May. Alexanders, brought by Romans for the pot, have escaped everywhere, and taste of regret. I have pressed one hundred and ninety species between volumes of the county history, their chief employment."),
        *section("In trouble"),
        para("Ring the coastguard at Port Ludd, or, between the Creek and the Ferry, ring the church bell backwards: everyone will come. It was last done in the flood, and once by a choirboy."),
        alarm("Point {}."),
        heading("First aid", level=2),
        para("(By the doctor, for use when he is out.)"),
        first_aid("saltmarrow-2016", "Case {}."),
        heading("Reading the sky", level=2),
        para("(By the coxswain, dictated.)"),
        weather_signs("saltmarrow-2016", "Case {}."),
        *section("Terms used by walkers, explained for parishioners"),
        terms("{} signifies"),
        *section("From the visitors' books"),
        quote("Came for the gannets, stayed for the scones.", "Holloway barn, August 2015"),
        quote("Where is everybody? Lovely.", "St Nare, no date"),
        para("A prize of one jar of samphire is given each year for the best entry. The committee, which consists of the contributors, has never yet been able to agree on the best and gives it to the shortest."),
    ]


# ---------------------------------------------------------------------------------------------------------------------
# Hessel Drovers' Road


def hessel_2021() -> list[Block]:
    """A cattle dealer's grandson explains the road by its beasts."""
    days = [
        Stage("Hessel Market to Smithy Ford", "18.2 km", "270 m", "345 m", "5 h", "a", "Toll Hill, 318 m", "Market trough, Smithy Ford", "Hessel, cattle market", "Road map, strip 1", (
            "Four hundred head a day went out by the Drovers' Gate in its best years, shod for the road like horses, two shoes to a foot. My grandfather held the lantern. You walk out by the same gate between a tyre dealer and a chapel.",
            "The road is eighteen paces broad from wall to wall, by law, so that the beasts could graze as they went. Keep to the middle. At the ford a smith could shoe a bullock in four minutes, and charged more for the ones that kicked.",
        )),
        Stage("Smithy Ford to Three Shires Inn", "21.4 km", "510 m", "205 m", "6 h 20 min", "b", "Windy Yat, 562 m", "Smithy Ford, trough at Penny Bield", "None", "Road map, strips 1 and 2", (
            "Up to the moor, and no mistake. At Penny Bield the geese were driven through tar and sand to give them boots. It worked. A goose so shod did ten miles a day and arrived in better temper than its driver.",
            "The inn stands where three shires meet, so that a man wanted in one could finish his supper in another. The line runs across the bar, and the tap-room clock keeps two times.",
        )),
        Stage("Three Shires Inn to Long Stance", "16.0 km", "330 m", "390 m", "4 h 55 min", "b", "Herdsman's Law, 607 m", "Inn, burn at Cold Fold", "None", "Road map, strip 2", (
            "A stance is a field where a drove might rest the night for a halfpenny a head. Long Stance is the finest left: nine hectares of green in a country of brown, dunged for three hundred years. Lie down in it.",
            "Near Cold Fold you will see a heap of small bones under glass. The drovers' dogs were sent home alone while the men went on to the harvest, and were fed at the inns on credit. Not all of them got there.",
        )),
        Stage("Long Stance to Bargate", "19.7 km", "240 m", "480 m", "5 h 30 min", "a", "Salter's Rigg, 441 m", "Long Stance pump, Bargate", "Salter's Rigg end", "Road map, strip 3", (
            "Salt came up this way and cattle went down, and they met on the Rigg, where the road is double. In wet weather the lower branch drowns. So did a dealer, in the year of the railway, with two hundred guineas on him; it is still looked for on Sundays.",
        )),
        Stage("Bargate to Great Tryst", "15.1 km", "160 m", "225 m", "4 h 10 min", "a", "Bargate Top, 266 m", "Bargate, canal cottage", "Great Tryst, bus station", "Road map, strip 3", (
            "The last day was the dangerous one, for beasts put on weight by standing and lose it by hurrying. Stroll. The tryst ground is now a retail park. Where the bankers' tents stood they sell garden furniture, and the bargaining is poor.",
            "Finish at the bronze bullock. His nose is bright with rubbing. It is worth what you will give for it.",
        )),
    ]
    return [
        cover("The Hessel Drovers' Road", "A handbook for those who follow the cattle", ["Five days' droving without the beasts"], band_text="Drovers' Road Trust", bottom=["Lachlan Ferris, dealer's grandson", "Second printing, 2021"], drop=70.0),
        para("A drover's day was dawn to dusk with a two-hour stop for the cattle, never the man. He made eighteen kilometres of it. So do we, give or take, and the stages in this handbook are the old stances, since the beasts knew better than any surveyor where there is grass, water and shelter from the east."),
        para("The road is 90.4 kilometres long, green for two thirds of it and black for the remainder. It was last used in earnest in 1906, when a man called Rory Tweddle took sixty stirks to Great Tryst for a bet and found that nobody had come."),
        contents(),
        para("Droving was a credit business. A farmer parted with his bullocks in August against a scribbled promise and saw silver at Martinmas, or saw nothing. Three Hessel banks failed in one winter through trusting a handsome dealer named Cosmo Laidlaw, who retired to Portugal and sent marmalade."),
        *section("How hard is it?"),
        para("Bullocks found it easy. A heifer is slower and a sheep is a fool. For people there are four grades and you'll meet with two."),
        grades(("a", "b", "c", "d")),
        *section("From stance to stance", 265.0),
        *stages(days, "Stance {}: {}"),
        table(
            [
                ["Stance", "Distance, km", "Ascent, m", "Descent, m", "Time, h", "Old toll, pence a score"],
                ["1 Smithy Ford", "18.2", "270", "345", "5:00", "10"],
                ["2 Three Shires", "21.4", "510", "205", "6:20", "none"],
                ["3 Long Stance", "16.0", "330", "390", "4:55", "8"],
                ["4 Bargate", "19.7", "240", "480", "5:30", "14"],
                ["5 Great Tryst", "15.1", "160", "225", "4:10", "21"],
            ],
            caption="The road in figures, and what it once cost",
        ),
        *section("Bed and board"),
        para("Drovers slept in their plaids beside the herd, on oatmeal and onions. You may do better. The Trust owns two bothies; they are unmanned, and paid for by dropping coins in the hollow horn by the door."),
        *huts(
            "Lodgings from west to east",
            [
                ["Smithy Ford bothy", "12", "all year", "£10.00", "£14.00", "none", "none", "none"],
                ["Three Shires Inn", "19", "all year", "£38.00", "£41.50", "incl.", "£15.20", "01770 555 333"],
                ["Long Stance bothy", "18", "Apr to Nov", "£10.00", "£14.00", "none", "none", "none"],
                ["Bargate, Mrs Ure", "5", "Mar to Oct", "£30.00", "£32.75", "incl.", "£13.90", "01770 555 812"],
                ["Tryst Lodge", "88", "all year", "£49.00", "£55.00", "£7.60", "£16.45", "01770 555 004"],
            ],
        ),
        para("Mrs Ure keeps Highland cattle as pets and will tell you their pedigrees. Take the second helping; it shortens the pedigrees. At the Three Shires ask for the room with the hole in the wall, by which a sheriff once left."),
        hut_rules("hessel", "[{}]"),
        *section("Beasts on the road today"),
        table(
            [
                ["What you meet", "What it wants", "What you do"],
                ["Bullocks, running", "company", "stand still, open your arms"],
                ["Cow with calf", "distance", "go round; let the dog go"],
                ["Bull among cows", "nothing", "walk on, do not sing"],
                ["Tups in October", "a fight", "put a wall between you"],
                ["Geese", "your sandwich", "give it up"],
            ],
            caption="Manners of livestock", align="lll",
        ),
        para("Seventeen farms border the road and all of them graze it by ancient right. Nothing frightens a beast like a nervous person. Talk to them about anything. My grandfather used to read them the prices."),
        *section("On and off the road"),
        table(
            [
                ["Bus 118", "Weekdays", "Saturday", "Market day"],
                ["Hessel, cattle market", "7.15", "8.30", "6.45"],
                ["Smithy Ford", "7.58", "9.13", "7.28"],
                ["Salter's Rigg end", "-", "10.40", "9.05"],
                ["Great Tryst, bus station", "10.10", "11.25", "9.50"],
            ],
            caption="The only bus, by way of the new road",
        ),
        para("Fare £9.40; a crate of hens counts as a child. Between Smithy Ford and Salter's Rigg there's no bus and no shop and one telephone box, at Windy Yat, which takes cards and holds a library."),
        *section("The pack"),
        para("A drover owned a plaid, a knife, a ram's horn of whisky and a bag of meal. Weighed for the museum it came to under five kilos. Ours comes to more, and I don't know that we are happier."),
        kit_list("hessel", ("Spring", "Back end"), 50),
        para("Tartan is optional. Waxed cotton stinks, gaiters baffle nettles, and a shepherd's umbrella, the sort with a nine-rib frame, will turn hail, shade a nap and pacify an inquisitive heifer when opened abruptly. Ours was won at quoits."),
        *section("Law of the road"),
        para("The oldest rule of the road, from 1597, fines a man for whistling at night, lest the herds should rise. The others are newer."),
        code_of_conduct("hessel", "Rule {}"),
        *section("Calamities"),
        para("Herdsman's Law is a bad place in a blizzard. The Tryst team comes out from the east and the Hessel team from the west, and each will tell you the other would have taken longer: 01770 555 900 for both. They had 16 calls last year, four of them for cattle."),
        alarm("Step {}"),
        heading("First aid", level=2),
        para("The old cure for everything was tar. These are the new ones."),
        first_aid("hessel", "[{}]"),
        heading("Reading the sky", level=2),
        para("A topsman who misread the sky lost a week's grass. They learned these with the Lord's Prayer."),
        weather_signs("hessel", "[{}]"),
        *section("Dealers' words and walkers' words"),
        terms("{}, that is,"),
        table(
            [
                ["Dealers' word", "Meaning"],
                ["Stirk", "a beast between one year and two"],
                ["Luck penny", "coin handed back to the buyer"],
                ["Topsman", "head drover, who rode ahead for grass"],
                ["Cow couper", "dealer, not always a compliment"],
                ["Stell", "round stone fold for snow"],
                ["Drift", "drove on the move"],
            ],
            caption="What was shouted at the tryst", align="ll",
        ),
        para("Ballads were the newspapers of the road. A blind fiddler, Hector Munro, walked beside the herds for nine autumns and could identify every farm by its echo. Twenty of his tunes survive, including a slow air for a lame heifer which reduces grown auctioneers to tears. Buskers at the multi-storey still end on it."),
        para("Archaeologists sieving the ford turned up hooks, buttons, clay pipes, a Venetian ducat and thousands of tiny crescent shoes. Replicas are struck on open days by farrier Morag Tulloch; bring ear plugs and offspring."),
        *section("Counting"),
        para("Drovers counted in scores with a notch on a stick, and a boy who lost count was sent to the back with the dust. The Trust counts walkers with a beam of light at Penny Bield. It made 6,318 in 2019 and rather fewer since, with a surge of 212 on one afternoon which turned out to be a hen and her chickens going to and fro."),
        para("Membership is £18.00. You get the journal, __The Topsman__, and a vote on what to do about the retail park."),
    ]


# ---------------------------------------------------------------------------------------------------------------------
# Lake Ysolde Round


def ysolde_2019() -> list[Block]:
    """The tourist board: cheerful, in the second person, everything within reach of cake."""
    days = [
        Stage("Ysolde Spa to Rosewater", "9.8 km", "140 m", "140 m", "2 h 45 min", "Easy", "Mirador, 487 m", "Spa pump room, Rosewater beach", "Ysolde Spa, pier", "Lake map, north", (
            "Good morning! Fill your bottle at the pump room (try the warm tap, it is supposed to make you beautiful) and set off along the promenade under 214 lime trees. In the second half of June the scent alone is worth the fare.",
            "You will be in Rosewater for lunch. Order the perch. In the afternoon there is nothing you must do, and the lido rents deckchairs at CHF 4.50.",
        )),
        Stage("Rosewater to Castle Ammer", "13.3 km", "360 m", "330 m", "4 h 10 min", "Medium", "Vineyard Chapel, 641 m", "Five village fountains", "Ammer, castle gate", "Lake map, north", (
            "Vines, vines, vines! The path wanders up and down between them, with an honesty fridge at every second gate. Put your coins in the boot. Growers take turns to open their cellars; a flag means come in.",
            "The castle sleeps on its island like a stone duck. Be there before six and the ferryman will blow his horn for your children.",
        )),
        Stage("Castle Ammer to Waterfall Inn", "11.9 km", "620 m", "270 m", "4 h 40 min", "Demanding", "Foot of the falls, 803 m", "Ammer, spring above the sawmill", "Sawmill bridge", "Lake map, east", (
            "Today you earn your dessert. Leave the shore by the old pilgrims' stair, 388 steps, each given by somebody who got well. Halfway up, the nuns sell lemonade through a hatch and you never see more than a hand.",
            "The falls are 94 metres high and best before ten, when the sun puts a rainbow in them. Ponchos at the desk. You will still get wet, and you will laugh.",
        )),
        Stage("Waterfall Inn to Silver Bay", "14.6 km", "410 m", "760 m", "4 h 55 min", "Medium", "Alp Linetta, 1,012 m", "Inn, Alp Linetta", "Silver Bay, landing", "Lake map, east", (
            "Cowbells, cheese and the whole lake at your feet. On Alp Linetta the Bersini sisters make forty wheels a week, and let you turn one. Turn it well; they have turned 61,000.",
            "Then down through the chestnut woods to Silver Bay, where in 1878 a steamer sank with the takings of the casino aboard. Divers welcome.",
        )),
        Stage("Silver Bay to Ysolde Spa", "12.2 km", "190 m", "200 m", "3 h 30 min", "Easy", "Organ Rock, 511 m", "Silver Bay, botanic garden", "Ysolde Spa, pier", "Lake map, south", (
            "The home stretch, with gardens all the way. In the botanic garden each walker who shows the round ticket gets a seedling. Don't say no; they look at you so.",
            "At the pier the bandstand plays at five, except Mondays. Your circle is complete. Hot springs until ten, and you may keep the badge on.",
        )),
    ]
    return [
        cover("Five Days Round Lake Ysolde", "Your companion to the lakeside round", ["Walk a little, swim a little, eat well"], band_text="Ysolde Tourism", bottom=["Summer 2019", "With vouchers (already removed from this copy)"], drop=70.0),
        para("Welcome to the friendliest long walk in the country! The Lake Ysolde Round is 61.8 kilometres of shore, vineyard and alp, and at no point will you be more than two hours from a cake. We've divided it into five days, but you can get on and off wherever there is a pier, and there are 14."),
        para("Who is it for? For grandparents and toddlers, honeymooners, people with a bad knee and a good appetite. Serious mountaineers are welcome too, and will be treated with sympathy."),
        contents(),
        *section("Which days suit you?"),
        grades(("Easy", "Medium", "Demanding", "Alpine")),
        para("There is no Alpine day on the round. We list the grade since guests ask, and so that you can tell your friends that you considered it."),
        *section("Day by day", 265.0),
        *stages(days, "Day {}: {}"),
        table(
            [
                ["Day", "Distance, km", "Ascent, m", "Descent, m", "Time, h", "Swimming places", "Cafés"],
                ["1 Rosewater", "9.8", "140", "140", "2:45", "7", "11"],
                ["2 Castle Ammer", "13.3", "360", "330", "4:10", "4", "8"],
                ["3 Waterfall Inn", "11.9", "620", "270", "4:40", "1", "3"],
                ["4 Silver Bay", "14.6", "410", "760", "4:55", "2", "4"],
                ["5 Ysolde Spa", "12.2", "190", "200", "3:30", "6", "13"],
            ],
            caption="What really matters",
        ),
        *section("Sweet dreams"),
        para("All our partner houses have drying rooms, early breakfasts and a smile. Book the five nights as a package for CHF 598.00 in a double, luggage transfer, lake ticket and a pot of plum jam included. Single travellers pay 74 francs more, and we are sorry about that."),
        *huts(
            "Partner houses, per person, in Swiss francs",
            [
                ["Pension Lime Tree", "30", "all year", "84.00", "96.00", "incl.", "29.50", "091 555 20 10"],
                ["Rosewater hostel", "72", "Apr to Oct", "41.00", "48.00", "8.50", "17.00", "091 555 31 44"],
                ["Ammer Old Customs", "25", "May to Oct", "78.00", "89.00", "incl.", "27.00", "091 555 46 05"],
                ["Waterfall Inn", "36", "May to Sept", "59.00", "66.00", "incl.", "24.50", "091 555 58 73"],
                ["Silver Bay Chalets", "48", "all year", "66.00", "73.00", "11.50", "26.00", "091 555 67 29"],
            ],
        ),
        para("House rules are the same everywhere, which saves you reading them five times. (The one about candles dates from a proposal of marriage. She said yes. The curtains did not.)"),
        hut_rules("ysolde", "{}:"),
        *section("Steamers, lifts and little trains"),
        para("Tired? Sail! The paddle steamer __Fürstin__ has been going round since 1904 and gives walkers a third off. Stand by the engine room window; the engineer likes an audience."),
        table(
            [
                ["Ride", "Runs", "Full fare", "With round ticket"],
                ["Steamer, any two piers", "hourly", "13.80", "9.20"],
                ["Steamer, day pass", "hourly", "37.00", "24.60"],
                ["Funicular to the falls", "every 20 min", "11.40", "5.70"],
                ["Alp Linetta chairlift", "9 to 17", "18.60", "12.40"],
                ["Vineyard train", "weekends", "6.90", "free"],
            ],
            caption="Fares in francs, season 2019", align="llrr",
        ),
        table(
            [
                ["Steamer from", "Morning", "Late morning", "Afternoon", "Dinner cruise"],
                ["Ysolde Spa, pier", "8.15", "10.45", "14.15", "18.30"],
                ["Rosewater", "8.50", "11.20", "14.50", "19.05"],
                ["Ammer, castle", "9.35", "12.05", "15.35", "19.50"],
                ["Silver Bay, landing", "10.20", "12.50", "16.20", "20.35"],
            ],
            caption="Sailings anticlockwise",
        ),
        *section("In your daypack"),
        para("We send your suitcase ahead, so all you carry is what fits between the sun cream and the swimsuit. Our trainee, Gion, put everything on the letter scale at reception."),
        kit_list("ysolde", ("July", "Sept"), 35),
        *section("Be a lovely guest"),
        para("Eleven thousand people call the lakeside home, plus some very photogenic goats. You'll get along famously if you remember these few things."),
        code_of_conduct("ysolde", "{}/"),
        *section("With children"),
        bullets([
            "Ask at any pier for the treasure sheet. There are nine bronze frogs, and one is under water.",
            "Pushchairs with big wheels manage days 1 and 5 from end to end.",
            "Under sixes eat free at lunch if they order for themselves.",
            "The donkeys of Ammer can be hired by the half day, CHF 52.00, saddlebags included; they know the way and set the pace.",
        ]),
        para("The frog sheet was handed in complete by 1,207 children last summer. The record is held by Mila, five, who found all of the frogs in one day, with a grandfather on a bicycle."),
        para("Rainy afternoon? Try the marionette museum, the chocolate conche in the old tram depot, or a lesson in alphorn (lips like cushions, says maestro Urs). The aquarium's sturgeon, Bertha, predicts football results by nudging a buoy, with a success rate embarrassing to journalists."),
        *section("Festivals"),
        table(
            [
                ["When", "What", "Where"],
                ["15 June", "Lime blossom ball", "Spa promenade"],
                ["6 July", "Swim across the lake, 2.3 km", "Rosewater"],
                ["1 August", "Bonfires on the water", "everywhere"],
                ["24 August", "Cheese rolling", "Alp Linetta"],
                ["14 September", "Grape procession", "Castle Ammer"],
            ],
            caption="Dates to walk towards", align="lll",
        ),
        para("Rooms go early for the bonfires. If you come away disappointed, try the monastery of the lemonade hatch: the sisters put up eight women at the price of an evening's plum stoning."),
        para("Night owls can join astronomer Flurin on the observatory terrace for telescopes and hot elderflower punch, cloud permitting. Early risers get yoga on the jetty with Ladina, herons included. Between the two there is, of course, breakfast: bircher muesli, chestnut honey, rhubarb compote, gentian marmalade and eleven kinds of bun."),
        para("Souvenirs? Skip the fridge magnets. Ask potter Seraina for a cup glazed with lake sand, or let the basket weavers teach you a trivet while the kettle sings. Postage home is reasonable, envy of neighbours complimentary."),
        *section("Safe and sound"),
        para("Nothing will happen to you, but let's be prepared. The lake police answer on 091 555 11 17 in four languages. Storm lights on the piers flash forty times a minute as a warning and ninety times when the wind has arrived: out of the water, please, and into a café."),
        alarm("Tip {}"),
        heading("First aid", level=2),
        para("Every hostess on the round has done the course, and most of them enjoyed the bandages."),
        first_aid("ysolde", "{}:"),
        heading("Reading the sky", level=2),
        para("Impress your fellow guests over breakfast!"),
        weather_signs("ysolde", "{}:"),
        *section("Walkers' words for beginners"),
        terms("A word, {}:"),
        para("Did you enjoy it? Tell us at the counter, under the big clock, where Dorothea Alder and her team have a guest book and a bowl of mints. We read everything. One family has been round 22 times and has opinions on the jam."),
    ]


# ---------------------------------------------------------------------------------------------------------------------
# Five Bells Way


def bells_2023() -> list[Block]:
    """A brotherhood's guide to a pilgrim road: slow, bare, a little dry."""
    days = [
        Stage("St Audrey to Hollin Priory", "17.1 km", "230 m", "195 m", "4 h 50 min", "One bell", "Hollin Heath, 214 m", "Pilgrim's well, Hollin", "St Audrey, abbey", "Way sheet i", (
            "The pilgrim knocks at the abbey door three times and is asked where he comes from. Any answer will do. He is given a bread roll and the way is pointed out with a stick, though it can hardly be missed, being straight.",
            "Heath for most of the day, and larks. Walk the first hour in silence. It is recommended, and nobody will check.",
        )),
        Stage("Hollin Priory to the Ferry Cell", "20.5 km", "310 m", "355 m", "6 h", "Two bells", "Gallows Cross, 289 m", "Hollin, Mere farm", "Mere crossroads", "Way sheet ii", (
            "At Gallows Cross pilgrims used to pray for the hanged and empty their shoes, in that order. The view is extensive. Those who suffer from the feet may turn left to Mere and take the bus, with no loss of merit.",
            "The cell on the river had one hermit for each of five centuries and then a bridge. The last of them, Brother Eloi, kept on calling the crossing after the bridge was built. He is buried on the far side.",
        )),
        Stage("The Ferry Cell to Kingsholt", "14.4 km", "455 m", "180 m", "4 h 45 min", "Two bells", "Kingsholt Ridge, 436 m", "Ferry Cell only", "None", "Way sheet ii", (
            "A climbing day. Where the forest closes in, the path was lined with wayside shrines, of which four are left. Somebody tends them; fresh moss, always, and never any sign of who.",
        )),
        Stage("Kingsholt to Thorn Abbey", "19.3 km", "290 m", "520 m", "5 h 40 min", "Two bells", "Shepherd's Seat, 471 m", "Kingsholt, spring at Thorn Grange", "Thorn Grange", "Way sheet iii", (
            "High and lonely. On the Seat, sit. The tower of Thorn appears when the wind drops, or seems to; the bells have been heard from here at eleven kilometres by people with no cause to invent it.",
            "The abbey was unroofed for its lead and serves now as a sheepfold of great beauty. Compline is said in it on summer Fridays by whoever has come.",
        )),
        Stage("Thorn Abbey to Bellminster", "16.6 km", "150 m", "240 m", "4 h 30 min", "One bell", "Vesper Hill, 233 m", "Thorn, Vesper almshouse", "Bellminster, close", "Way sheet iii", (
            "From Vesper Hill all five bells could once be heard at the same time, and a pilgrim who heard them was home, wherever he lived. Four ring still. The fifth was melted for a cannon, which burst.",
            "In the minster, go to the north porch, give your name to the verger and put down your pack. There is no certificate. There is a chair.",
        )),
    ]
    return [
        cover("The Five Bells Way", "A road book for pilgrims and others", ["St Audrey to Bellminster, on foot"], band_text="Brotherhood of the Way", bottom=["Written down by Brother Cuthman Vane, MMXXIII"], drop=70.0),
        para("People ask us what the Way is for. It is 87.9 kilometres from one church to another, with three between. Some walk it for a reason and find it was another reason; some have none and are not worse off. The Brotherhood keeps the roofs on and the wells clean."),
        para("We were founded in 1311 to carry sick pilgrims, disbanded in 1538, and founded again in 1984 by two retired schoolteachers and a policeman. There are twelve of us. We would be glad of a plumber."),
        contents(),
        *section("Of the steepness of the road"),
        para("A road is as steep as your burden. For those who want a measure, here is the measure of the other guides, in bells."),
        grades(("One bell", "Two bells", "Three bells", "Four bells")),
        *section("The five days", 265.0),
        *stages(days, "{}. From {}"),
        table(
            [
                ["Day", "Distance, km", "Ascent, m", "Descent, m", "Time, h", "Bell, hundredweight"],
                ["1 Hollin", "17.1", "230", "195", "4:50", "13"],
                ["2 Ferry Cell", "20.5", "310", "355", "6:00", "none"],
                ["3 Kingsholt", "14.4", "455", "180", "4:45", "31"],
                ["4 Thorn", "19.3", "290", "520", "5:40", "22"],
                ["5 Bellminster", "16.6", "150", "240", "4:30", "58"],
            ],
            caption="Table of the days",
        ),
        *section("Of the five bells"),
        table(
            [
                ["Bell", "Church", "Cast in", "Note", "Rung"],
                ["Audrey", "St Audrey", "1402", "F", "at dawn"],
                ["Great Hollin", "Hollin Priory", "1377", "D", "on Sundays"],
                ["King Edmund", "Kingsholt", "1519", "C", "at nine"],
                ["Mary Thorn", "Thorn Abbey", "1290", "-", "no more"],
                ["Bellminster Tom", "Bellminster", "1633", "A flat", "hourly"],
            ],
            caption="The bells, their ages and hours", align="lllll",
        ),
        para("A bell is tuned by cutting metal out of it and cannot be tuned upward. There is a sermon in that. Brother Anselm preaches it every Michaelmas and we look at our shoes."),
        *section("Of shelter"),
        para("The five pilgrim houses ask for a gift. Since guests have begged us to say how much is meant, we print what a night costs us to give. Nobody is turned away for want of it, and nobody need explain."),
        *huts(
            "What a night costs the Brotherhood",
            [
                ["Abbey Gatehouse", "15", "all year", "£12.00", "£15.60", "£4.10", "£7.90", "01352 555 010"],
                ["Hollin Priory barn", "20", "Mar to Nov", "£8.50", "£11.80", "£3.30", "£6.70", "01352 555 026"],
                ["Ferry Cell", "4", "all year", "£6.00", "£8.20", "bread", "soup", "none"],
                ["Kingsholt school", "24", "holidays", "£7.40", "£10.10", "none", "none", "01352 555 074"],
                ["Thorn Grange", "13", "Apr to Oct", "£19.00", "£23.30", "incl.", "£10.60", "01352 555 093"],
            ],
        ),
        para("At the Ferry Cell the soup is on the hob and the warden is in the garden. Help yourself to the first and do not disturb the second between noon and two. He is eighty-eight."),
        hut_rules("bells", "{};"),
        para("Vespers are sung where there are voices and mumbled where there are not. Pilgrims of other creeds, or none, have occasionally outnumbered believers in the choir stalls, and tenors of every persuasion are pounced upon. The psalter at Hollin is chained, having been borrowed in 1743 by a Methodist."),
        *section("Of companions"),
        para("Walk alone or with one. Three talk about the fourth. If you fall in with somebody slower, go at that pace until the next well, and then say that you would like to sit; it can be done with honour on both sides."),
        bullets([
            "Donkeys are received at Hollin and at Thorn.",
            "Children do well on the Way if they are allowed to carry the stick.",
            "Mourners are asked to tell the warden, who will see to it that they are left in peace or not, as they prefer.",
        ]),
        *section("Of conveyances"),
        table(
            [
                ["Bus 9", "Morning", "Noon", "Evening"],
                ["St Audrey, abbey", "7.50", "12.25", "16.55"],
                ["Mere crossroads", "8.36", "13.11", "17.41"],
                ["Thorn Grange", "9.25", "14.00", "-"],
                ["Bellminster, close", "10.04", "14.39", "18.52"],
            ],
            caption="For sore feet",
        ),
        para("It costs £5.85. To ride one stage is held to be no shame. To ride all five has been done, by an archdeacon."),
        *section("Of the pack"),
        para("Lay out all that you mean to take. Put half of it back. Brother Cuthman weighed what remained, on the scales which the almonry uses for flour."),
        kit_list("bells", ("Lent", "Martinmas"), 30),
        *section("Of conduct"),
        para("The rule of the Brotherhood has one sentence, which is 'Leave it better'. Commentaries have grown up around it."),
        code_of_conduct("bells", "{};"),
        *section("Of mishaps"),
        para("We carry still, though nowadays with a stretcher on a bicycle wheel. Between Ferry Cell and Thorn call 01352 555 911, and the four brothers who live nearest will come. In 2022 they carried nine people and one tuba."),
        alarm("No. {}"),
        heading("First aid", level=2),
        para("The infirmarian wrote these on the inside of the medicine chest."),
        first_aid("bells", "{};"),
        heading("Reading the sky", level=2),
        para("From the almanac of the almonry, where it is bound in with the psalms."),
        weather_signs("bells", "{};"),
        *section("Of words"),
        terms("{} we call"),
        *section("Of silence"),
        para("Silence is not the absence of noise. Tractors, starlings, aeroplanes and one's own knees are all compatible with it. What it excludes is commentary. Novices find the second afternoon hardest, when every grievance since childhood queues for an audience; treat them courteously, like geese, and keep moving."),
        para("A few carry a pebble from home to lay on the cairn of burdens at Shepherd's Seat. Geologists among us have identified basalt, coral, brick, a doorknob and a kneecap prosthesis. The heap is levelled every jubilee and begins again by teatime."),
        *section("Of money"),
        table(
            [
                ["Received and spent, 2022", "£"],
                ["Gifts in the boxes", "21,460"],
                ["Legacies", "6,500"],
                ["Sale of this book", "1,935"],
                ["Roofs", "17,840"],
                ["Soup", "3,110"],
                ["Bell ropes", "725"],
            ],
            caption="Accounts on one leaf",
        ),
        para("You may enrol as a Companion for £20.00, or for a day's work with the barrow. Most come for the barrow. Last summer 4,402 people knocked at the abbey door, and 3,871 gave their names to the verger; the others, we hope, found what they wanted on the way."),
    ]


# ---------------------------------------------------------------------------------------------------------------------
# What the builder takes

CORVANE, SALTMARROW = "guide-corvane-ridgeway-2022.pdf", "guide-saltmarrow-coast-2020.pdf"


def documents() -> list[DemoDocument]:
    """The two sources and their six siblings."""

    def one(name: str, title: str, author: str, story: Sequence[Block], style: Style, role: str = "hard_negative") -> DemoDocument:
        return DemoDocument(name, title, DOCUMENT_TYPE, FAMILY, role, story, style, author=author)

    return [
        one(CORVANE, "The Corvane Ridgeway: a walker's guide, seventh edition, 2022", "Corvane Walking Association", corvane_2022(),
            Style(page="a5", size=9.2, margin=42.0, header="The Corvane Ridgeway | {section}", footer="{page}", mirror=True, headings="ruled", accent="#35511f"), "source"),
        one(SALTMARROW, "Saltmarrow Coast Path: the official guide, 2020", "Saltmarrow Coast Office", saltmarrow_2020(),
            Style(page="a5", font="sans", size=9.6, leading=13.4, margin=42.0, header="{section} | Coast Path 2020", footer="{page}", first_label=("roman", 1, ""), headings="bar", tables="zebra", justify=False, accent="#0f4c75"), "source"),
        one("guide-corvane-ridgeway-2014.pdf", "The Corvane Ridgeway, described by its warden, fourth edition, 2014", "Ebenezer Stroud", corvane_2014(),
            Style(page="a5", size=9.4, margin=44.0, footer="{page}", headings="plain", tables="grid", accent="#222222")),
        one("guide-corvane-winter-2022.pdf", "The Corvane Ridgeway in winter: handbook for parties, 2022/23", "Corvane Mountain Rescue", corvane_winter(),
            Style(page="a5", font="sans", size=9.0, leading=12.4, margin=42.0, header="Corvane Mountain Rescue | 2022/23", footer="Page {page}", headings="caps", tables="grid", justify=False, accent="#8a1c1c")),
        one("guide-saltmarrow-parishes-2016.pdf", "The Coast Path in the parishes of Saltmarrow, 2016", "The Seven Parishes", saltmarrow_2016(),
            Style(page="a5", size=9.4, margin=44.0, header="The Coast Path | {section}", footer="- {page} -", headings="centred", accent="#3b2f5c")),
        one("guide-hessel-drovers-road-2021.pdf", "The Hessel Drovers' Road: a handbook, 2021", "Drovers' Road Trust", hessel_2021(),
            Style(page="a5", size=9.4, margin=44.0, header="The Hessel Drovers' Road", footer="{page}", first_label=("arabic", 5, ""), heading_font="sans", accent="#5b3a1e")),
        one("guide-lake-ysolde-2019.pdf", "Five days round Lake Ysolde, 2019", "Ysolde Tourism", ysolde_2019(),
            Style(page="a5", font="sans", size=9.0, leading=12.6, margin=42.0, footer="Ysolde Tourism | {page}", headings="bar", tables="zebra", justify=False, accent="#00707a")),
        one("guide-five-bells-way-2023.pdf", "The Five Bells Way: a road book, 2023", "Brotherhood of the Way", bells_2023(),
            Style(page="a5", size=9.6, margin=46.0, header="The Five Bells Way", footer="{page}", headings="centred", indent=True, accent="#444444")),
    ]


def questions() -> list[DemoQuestion]:
    """Answerable questions on both sources and one that the guide to the Ridgeway does not answer."""

    def one(key: str, document: str, question: str, answer: str, form: str, source: str, spans: tuple[str, ...], task: str = "lookup") -> DemoQuestion:
        skill = "recall" if task in {"lookup", "enumerate"} else "reasoning"
        return DemoQuestion(key, document, question, answer, form, (source,), spans, task, skill)

    return [
        one("corvane-brannock-guest", CORVANE, "What does a guest pay for a night at Brannock Hut in euros in 2022?",
            "34.20", "Float", TABLE, ("Brannock Hut 18.50 34.20",)),
        one("corvane-hallin-phone", CORVANE, "What is the telephone number of Hallin Hut in the 2022 guide to the Corvane Ridgeway?",
            "0471 226 117", "Str", TABLE, ("Hallin Hut 62 May to Oct 0471 226 117",)),
        one("corvane-deposit", CORVANE, "How many euros a person is the deposit for a hut booking on the Corvane Ridgeway in 2022?",
            "12.75", "Float", TEXT, ("a deposit of €12.75 a person falls due within ten days",)),
        one("corvane-ascent-gap", CORVANE, "How many metres more ascent has stage 2 to Sorrel Pass than stage 6 to Stennet in the 2022 Corvane Ridgeway guide?",
            "530", "Int", TABLE, ("2 Sorrel Pass 17.9 920", "6 Stennet 16.7 390"), "derive"),
        one("corvane-rerouted", CORVANE, "In which three places has the line of the Corvane Ridgeway changed since the sixth edition?",
            '["Pellin Quarry", "Hag Moss", "Dene footbridge"]', "List", TEXT, ("at Pellin Quarry, at Hag Moss and at the Dene footbridge",), "enumerate"),
        one("corvane-warden", CORVANE, "Who is the warden of Brannock Hut in the seventh edition of the Corvane Ridgeway guide?",
            "Sunniva Trask", "Str", TEXT, ("its warden, Sunniva Trask, bakes",)),
        one("corvane-bed-gap", CORVANE, "How many more beds does Hallin Hut have than Mossgrave Hut in 2022?",
            "27", "Int", TABLE, ("Hallin Hut 62", "Mossgrave Hut 35"), "derive"),
        one("corvane-two-stages", CORVANE, "How many metres of ascent have stages 4 and 5 of the Corvane Ridgeway together, by the 2022 guide?",
            "1370", "Int", TABLE, ("4 Pellow Bridge 15.3 560", "5 Mossgrave Hut 13.8 810"), "derive"),
        one("corvane-mule", CORVANE, "How much does it cost in euros to send luggage by mule from hut to hut for one bag and stage?",
            "16.80", "Float", TEXT, ("by mule for €16.80 a bag and stage",)),
        one("saltmarrow-signs", SALTMARROW, "How many gannets are there along the Saltmarrow Coast Path as signs in 2020?",
            "1382", "Int", TEXT, ("There are 1,382 gannets along the way",)),
        one("saltmarrow-creek-fare", SALTMARROW, "What is the adult fare of the Sister Creek ferry in 2020?",
            "£2.80", "Str", TABLE, ("Sister Creek, rowing April to October, 9 to 18 £2.80",)),
        one("saltmarrow-high-water", SALTMARROW, "At what time is high water at the Strood on Saturday 18 July 2020?",
            "10.06", "Float", TABLE, ("Saturday 18 July 10.06",)),
        one("saltmarrow-gate-ratio", SALTMARROW, "What is the ratio of kissing gates on the stage to Marrow St Anne to kissing gates on the stage to Gannet Head in 2020? Round to two decimals.",
            "1.86", "Float", TABLE, ("1 Gannet Head 12.7 310 280 3:50 14 22", "3 Marrow St Anne 18.4 120 125 5:05 3 41"), "derive"),
        one("saltmarrow-bothy-keeper", SALTMARROW, "Who keeps the bothy at Gannet Head in the 2020 guide to the Saltmarrow Coast Path?",
            "Merrin Tolley", "Str", TEXT, ("is kept by Merrin Tolley",)),
        one("saltmarrow-badges", SALTMARROW, "How many more badges of the Saltmarrow path passport were claimed in 2019 for stage 1 than for stage 6?",
            "2090", "Int", TABLE, ("1 Gannet Head café gannet 4,870", "6 Chip shop, Port Ludd fish 2,780"), "derive"),
        one("saltmarrow-no-signal", SALTMARROW, "Which landmarks on the Saltmarrow Coast Path have telephone signal 'none' in the 2020 guide?",
            '["Foot of Tuesday", "Nare spring"]', "List", TABLE, ("Foot of Tuesday SM 0338 none", "Nare spring SM 1045 none"), "enumerate"),
        one("saltmarrow-post", SALTMARROW, "What is the post number of the landmark Pipers cove?",
            "SM 1293", "Str", TABLE, ("Pipers cove SM 1293",)),
        one("saltmarrow-colony", SALTMARROW, "To how many pairs had the gannet colony of the Saltmarrow Coast Path grown at the last count?",
            "2215", "Int", TEXT, ("to 2,215 at the last count",)),
        one("saltmarrow-gates", SALTMARROW, "Which person at the Saltmarrow Coast Office is responsible for signs and gates in 2020?",
            "Denzil Carveth", "Str", TABLE, ("Signs and gates Denzil Carveth",)),
        DemoQuestion("corvane-insurance", CORVANE, "What does rescue insurance for one season cost on the Corvane Ridgeway in 2022?",
                     "Not answerable", "None", (), (), "lookup", "recall"),
    ]
