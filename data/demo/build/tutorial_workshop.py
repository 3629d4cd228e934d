"""The Tutorial/Workshop family: handouts of workshops on keeping records of honey-bee colonies.

Eight clubs, schools and services teach the same subject, each with its own colonies, thresholds, prices and people.
"""

import random

from data.demo.build.layout import (
    Block,
    DemoDocument,
    DemoQuestion,
    Style,
    big_title,
    box,
    bullets,
    heading,
    numbered,
    page_break,
    para,
    table,
)

TYPE = "Tutorial/Workshop"
TEXT = ("Pure-text (Plain-text)",)
TABLE = ("Table",)
# The sentences of the imagined national code of practice: each handout quotes most of them, in an order of its own.
CODE = {
    "naming": [
        "Give every colony a number of its own and keep that number for as long as the colony lives.",
        "Fix the number of the colony to the floor or the stand, not to the roof of the hive.",
        "When two colonies are united, close one record and write the number of the other colony in it.",
        "When a swarm is hived, open a new record on the day on which the swarm was taken.",
        "When a colony is moved to another apiary, write down the date, the place and the reason for the move.",
        "Never use the number of a dead colony again for a new colony in the same apiary.",
        "Mark the queen in the colour of the year and write the year of the queen in the record.",
        "A nucleus has a record of its own from the day on which it is made.",
        "Write the number of the colony and the year of the queen at the head of every record of the colony.",
    ],
    "inspection": [
        "Write the date, the time and the name of the beekeeper at the head of every inspection record.",
        "Say whether the queen was seen, and if the queen was not seen, say whether there were eggs.",
        "Count the frames of brood and the frames of stores, and write down what was counted, not what was expected.",
        "Count the frames covered with bees before the frames of brood are lifted out of the hive.",
        "Write down queen cells with their number and their stage, and say what was done about the queen cells.",
        "Do not open the hive in cold wind or in rain only because the calendar says that an inspection is due.",
        "Fill in the record at the hive, while the hive is still open, and before the next hive is opened.",
        "Leave no box of the record empty: write a nought for nothing and a question mark for not looked at.",
        "Look at the record of the last inspection before the smoker is lit.",
        "At the foot of the record write what must be done at the next inspection and what must be brought.",
        "Write down the number of frames covered with bees, the number of frames of brood and the number of frames of stores.",
        "If there are queen cells in the hive, write down on which day the next inspection must be made.",
        "Write down the number of frames of brood and the number of frames covered with bees before the hive is closed.",
        "Do not open the hive when the record of the last inspection says that nothing must be done.",
    ],
    "mites": [
        "Count the mites in every colony at least three times between April and September.",
        "Always write the method of counting beside the number of mites, since the methods do not find the same number.",
        "Take the sample of bees from a frame of open brood and make sure that the queen is not on the frame.",
        "Count again after the treatment, to see whether the treatment has worked.",
        "Divide the number of mites by the number of bees in the sample and multiply by a hundred.",
        "If a sticky board is used, divide the number of mites on the board by the number of days.",
        "Treat all the colonies of an apiary at the same time when one colony is over the threshold.",
        "A colony with no mites on the board may be a colony without brood, so look before you rejoice.",
        "Write down the number of mites, the number of bees in the sample and the number of days on the board.",
        "When the number of mites is over the threshold, write down the date on which the treatment was begun.",
        "Write down the date of the count, the method of the count and the number of mites in the sample of bees.",
        "Do not count the mites in a colony without brood with a colony with brood.",
    ],
    "weighing": [
        "Weigh the hive early in the morning, before the bees fly, and always at the same hour.",
        "Write down the weight of the empty hive, so that the weight of the stores can be found by subtraction.",
        "A full frame of honey in a deep box weighs about as much as two full frames in a shallow box.",
        "Write down the honey taken from each hive separately, in kilograms, on the day on which it is taken.",
        "Write down the sugar or syrup given to each colony, with the date and the strength of the syrup.",
        "Do not feed while there are supers on the hive from which honey will be taken.",
        "Stop feeding when the colony has the weight of stores which it needs for the winter.",
        "Heft the hive once a month in winter and write down whether it is light or heavy.",
        "Write down the weight of the hive, the weight of the stores and the weight of the honey taken.",
        "When the hive is light and the bees cannot fly, give sugar and write down how much was given.",
        "Write down the honey taken from the hive and the sugar given to the colony on the day on which it is done.",
    ],
    "medicines": [
        "Keep a record of every veterinary medicine given to the bees, with the name of the product and the batch number.",
        "Write down the date of the first day and the date of the last day of the treatment.",
        "Write down the hives which were treated and the quantity which was given to each hive.",
        "Write down the withdrawal period, even when the withdrawal period is nought days.",
        "Keep the invoice with the medicine record, so that the bee inspector can compare the two.",
        "Take the supers off before the treatment begins, unless the label of the product allows them to stay.",
        "Tell the bee inspector at once when there are signs of foulbrood in any colony.",
        "Follow the label of the product, and never give more or less than the label says.",
        "Write down the name of the product, the batch number and the date on which the product was bought.",
        "Write down the hives, the quantity which was given, the date of the first day and the date of the last day.",
    ],
    "queens": [
        "Write down where the queen came from, who bred her and in which year she hatched.",
        "Judge the temper of a colony on at least three inspections before the queen is blamed for it.",
        "Compare colonies only with other colonies in the same apiary and in the same season.",
        "When a queen is replaced, write down the reason, the date and what became of the old queen.",
        "Breed from the colonies with the best records, not from the colonies which happen to swarm.",
        "A colony which has changed its queen must be judged afresh, as if it were a new colony.",
        "Write down the year in which the queen was mated and the apiary in which the queen was mated.",
        "If the queen was not seen at the last inspection, look for eggs before looking for the queen.",
        "Write the number of the mother colony in the record of every new queen.",
    ],
    "keeping": [
        "Keep the records of the apiary in a dry place, apart from the hives, and keep a second copy elsewhere.",
        "Make a summary at the end of the season with the honey, the feed and the losses of every colony.",
        "Give the buyer of a colony a copy of its record, with the last count of mites and the last treatment.",
        "Write so that another beekeeper can read the record and look after the bees when you are away.",
        "Count the colonies on the first of October and again on the first of April, and write down both numbers.",
        "A winter loss is the number of colonies lost divided by the number of colonies in October.",
        "Do not correct an old record: strike the mistake through and write the correction beside it.",
        "Look through the records of the last season in January, before the plans for the new season are made.",
        "In the summary of the season, write the honey of each colony beside the sugar which was given to the colony.",
        "Keep the record of a dead colony, and write in the record why the colony died.",
        "Write down the number of colonies in October, the number of colonies in April and the number of colonies lost.",
    ],
    "hygiene": [
        "Clean the hive tool between one apiary and the next, and wash the gloves and the bee suit often.",
        "Do not move frames of brood between colonies unless both colonies are known to be healthy.",
        "Replace at least two old combs in every brood box each year and write the year on the top bar of new frames.",
        "Close the entrance of a dead hive on the day on which it is found, so that it cannot be robbed.",
        "Have a bucket of water and a first-aid box at the apiary whenever a hive is open.",
        "Tell somebody where the apiary is and when you will be back from the inspection.",
    ],
}
HARROWMERE = "harrowmere-keeping-colony-records-2019.pdf"
TESSALY = "tessaly-hive-log-course-notes-2021.pdf"


def _code(topic: str, count: int, seed: str, form: str) -> Block:
    chosen = random.Random(f"{seed}|{topic}").sample(CODE[topic], count)
    return numbered(chosen, form=form)


def _harrowmere() -> DemoDocument:
    story = [
        big_title(
            "Keeping Colony Records", "A one-day workshop of the Harrowmere Beekeepers' Association", centred=False
        ),
        para("Saturday 6 April 2019, Lode Mill Hall, half past nine for ten o'clock"),
        para(
            "Tutors: Agnes Pellow and Rohan Vickery. Tea urn in the charge of Mrs Tansley, who must not be argued with."
        ),
        box(
            "Sign the sheet by the door, take one blank card and one pencil, and write your apiary's name on the card. We shall use it all day. The fee of £38.50 (members £29.00) includes soup.",
            title="Before you sit down",
        ),
        para(
            "This handout is made of the slides, in order. Wide margins are left on purpose: scribble in them. If you lose it, Rohan has a few spares, and they cost a pound each for the roof fund."
        ),
        page_break(),
        heading("How the day runs"),
        table(
            [
                ["Time", "Session", "Led by"],
                ["10.00", "Why bother? Three stories from the association's books", "Agnes"],
                ["10.40", "The card and its twelve boxes", "Rohan"],
                ["11.30", "Coffee; look at other people's cards", "everybody"],
                ["11.50", "Reading a season: the Damson and Rowan stocks", "Agnes"],
                ["13.00", "Soup", "Mrs Tansley"],
                ["13.45", "Mite counts, with real mites", "Rohan"],
                ["14.45", "Medicines, dates and the law", "Agnes"],
                ["15.30", "Exercises in pairs, then home", "both"],
            ],
            widths=(6, 43, 9),
        ),
        para(
            "We shall open no hives before lunch, whatever the weather does. In 2016 we did, and nobody came back for the afternoon."
        ),
        page_break(),
        heading("Why bother?"),
        para(
            "Our secretary asked every member to return a form after the bad winter. Of 168 forms sent out 121 came back, and together they reported 143 colonies lost. Only nineteen forms could say when the colony had last been looked at, and only eleven could say what it weighed."
        ),
        bullets(
            [
                "A record is for the person you will be in March, who remembers nothing.",
                "A record lets somebody else look after your bees when you are in hospital. It happened to Agnes; her neighbour found the cards in the shed and did not lose a single stock.",
                "A record stops you from treating twice, or from not treating at all.",
                "A record settles arguments about which queen was the bad-tempered one.",
            ]
        ),
        box("A diary. Feelings about the weather are welcome, on the back.", title="What it is not"),
        para("Housekeeping, from the code, with which we begin because a certain committee insists:"),
        _code("hygiene", 5, "harrowmere", "({})"),
        page_break(),
        heading("The card has twelve boxes"),
        table(
            [
                ["Box", "Write", "When"],
                ["1 to 3", "Date, who looked, how warm it was", "every visit"],
                ["4", "Queen: seen, or eggs seen, or neither", "every visit"],
                ["5", "Brood frames, counted in halves", "every visit"],
                ["6", "Stores, in frames, with 2.2 kg to the frame", "every visit"],
                ["7", "Temper, from 1 (lambs) to 5 (run)", "every visit"],
                ["8", "Swarm cells: none, cups, charged, sealed", "April to July"],
                ["9", "Mite drop per day", "once a month"],
                ["10", "Supers on and off", "when moved"],
                ["11", "Fed or treated: what and how much", "when done"],
                ["12", "What to bring next time", "every visit"],
            ],
            widths=(5, 36, 12),
        ),
        para(
            "Box twelve is the one people leave empty and the one that saves most journeys. Rohan's allotment is four miles from his shed, so he speaks from the heart."
        ),
        page_break(),
        heading("Fill it in at the hive, not at home"),
        para(
            "Agnes keeps a bulldog clip on the inside of each lid. The card lives there in a freezer bag with a pencil, since biros stop in the cold and felt tips run."
        ),
        numbered(
            [
                "Read box 12 from the last visit before you light the smoker.",
                "Look for the one thing you came to learn, then close up.",
                "Write before the roof goes back on. Propolis thumbprints are a sign of honesty.",
                "At home, copy only three figures into the year book: brood frames, stores, mite drop.",
            ]
        ),
        para(
            'Common excuses heard in this hall: "I was being stung", "it was obvious", "I would remember". The first is the only one we accept.'
        ),
        para("What the national code has to say about inspections, in an order of our own:"),
        _code("inspection", 11, "harrowmere", "Code {}."),
        page_break(),
        heading("A season read aloud: the Rowan stock, 2018"),
        table(
            [
                ["Visited", "Brood frames", "Stores (kg)", "Drop per day", "Done"],
                ["14 April", "4.5", "6.6", "1", "fed nothing"],
                ["5 May", "7", "8.8", "2", "super on"],
                ["2 June", "9.5", "13.2", "4", "split, queen to nucleus"],
                ["7 July", "8", "19.8", "9", "second super off"],
                ["11 August", "6.5", "24.2", "37", "thymol started"],
                ["15 September", "5", "17.6", "6", "9 litres of syrup"],
            ],
            widths=(10, 8, 8, 8, 19),
        ),
        para(
            'Look at the August line. The stores were splendid, the brood was tidy, the temper was a 2, and only the drop told us that the stock was in trouble. Had Agnes kept a diary instead of a card she would have written "lovely visit".'
        ),
        page_break(),
        heading("What the six teaching stocks gave in 2018"),
        table(
            [
                ["Stock", "Queen from", "Honey (kg)", "Sugar fed (kg)", "Net of feed (kg)"],
                ["Damson", "2016", "31.7", "8.5", "23.2"],
                ["Rowan", "2017", "26.4", "11.0", "15.4"],
                ["Medlar", "2017", "18.9", "4.0", "14.9"],
                ["Bullace", "2015", "9.3", "12.5", "-3.2"],
                ["Quince", "2018", "22.6", "6.5", "16.1"],
                ["Sloe", "2016", "14.8", "7.0", "7.8"],
            ],
            widths=(7, 8, 8, 10, 11),
        ),
        para(
            "Bullace ate more than it made. Every year somebody says that the table must be wrong; it is not. An old queen, a shaded corner and a kind beekeeper with a bag of sugar will do it every time. We requeened in August from Damson."
        ),
        para("Agnes reads these out from the code every year, so that nobody can say that they were not told:"),
        _code("weighing", 9, "harrowmere", "({})"),
        page_break(),
        heading("Mite counts without tears"),
        para(
            "We roll bees in icing sugar. It is cheap, the bees go home cross and clean, and it agrees well enough with the washing method."
        ),
        bullets(
            [
                "Take about 300 bees (half a cup) from a brood frame; look twice for the queen.",
                "Two level spoons of icing sugar, lid with 3 mm mesh, roll for a minute, stand for two.",
                "Shake over a white tray with a little water and count.",
                "Divide by three: that is mites per hundred bees.",
            ]
        ),
        table(
            [
                ["Month", "Leave alone", "Watch", "Treat"],
                ["May", "under 1", "1 to 2", "over 2"],
                ["July", "under 2", "2 to 3", "over 3"],
                ["September", "under 1.5", "1.5 to 2.5", "over 2.5"],
            ],
            widths=(7, 10, 9, 7),
        ),
        box("One count is gossip, two counts are news.", title="Rohan's rule"),
        para("And the code, which was written by people with laboratories:"),
        _code("mites", 9, "harrowmere", "{}."),
        page_break(),
        heading("Medicines and the law"),
        para(
            "The medicine record is the only one you may be asked to show. The bee inspector for our district, Mr Leopold Strand, visited 46 members last year and asked every one of them for it; nine could not produce it."
        ),
        bullets(
            [
                "Name of product, batch number, date bought, from whom.",
                "Which hives, how much, first and last day.",
                "Withdrawal period, even when it is nought days.",
                "Keep the page for five years, also when the colony has died or been sold.",
            ]
        ),
        para("Photograph the packet. Labels fade, and batch numbers on strips are printed by somebody who hates us."),
        para("From the code, for the inside of your cupboard door:"),
        _code("medicines", 8, "harrowmere", "{}."),
        page_break(),
        heading("Things we wish we had not done"),
        para("Three mistakes turn up in nearly every box of old cards, and all three are ours:"),
        bullets(
            ["renumbering hives after a move", "writing the verdict without the count", "two cards for one colony"]
        ),
        para(
            "When Agnes moved eleven hives from Withy Lane to the orchard in 2009 she gave them new numbers in a neat row. Two years of history became useless in an afternoon. Give the number to the colony's queen line and paint it on the floor, never on the roof: roofs wander."
        ),
        para("The national code of practice, which hangs in the hall next to the fire notice, puts it more drily:"),
        _code("naming", 8, "harrowmere", "Code {}."),
        page_break(),
        heading("What it costs to do it properly"),
        table(
            [
                ["Item", "Where", "Price"],
                ["Waterproof record book, 80 leaves", "association table", "£6.20"],
                ["Pencils, box of a dozen", "anywhere", "£2.15"],
                ["Luggage scale with hook, to 50 kg", "angling shop", "£18.45"],
                ["Mesh lid and jar for sugar roll", "make it yourself", "£1.30"],
                ["Digital hive scale with display", "by post", "£164.00"],
                ["Rubber stamp, six boxes", "Tolley the printer", "£11.75"],
            ],
            widths=(30, 15, 7),
        ),
        para(
            "You need the first four. The digital scale is a pleasure and not a necessity; the association owns one and lends it for a fortnight at a time. Book it with the librarian, Constance Ardley, and bring it back dry."
        ),
        page_break(),
        heading("Exercises in pairs"),
        numbered(
            [
                "Swap cards with your neighbour. Without asking anything, say what you would do at the next visit. Then ask how right you were.",
                "From the Rowan season, work out how fast stores grew between 5 May and 7 July, in kilograms a week.",
                "Which two teaching stocks would you breed from? Defend the choice with one figure and one observation.",
                'A card says "queen not seen, eggs not seen, temper 4, drop 0". Write three possible stories and the check that would tell them apart.',
                "Draft box 12 for a colony which you will see again in three weeks, in a heatwave.",
            ]
        ),
        para("Answers are not in the back. There is no back."),
        para("Before you answer question 3, the code on queens:"),
        _code("queens", 9, "harrowmere", "{}."),
        page_break(),
        heading("After today"),
        para(
            "The winter follow-up meets on 16 November at the same hall; bring a full card or an honest empty one. Questions in the meantime go to the records group, which is Agnes, Rohan and whoever answers the telephone."
        ),
        table(
            [
                ["For", "Ask"],
                ["Blank cards (free, also by post)", "Constance Ardley"],
                ["Advice on mite counts", "Rohan Vickery"],
                ["Nucleus list and waiting list", "Peregrine Lowe"],
                ["Medicine book, large print", "Agnes Pellow"],
            ],
            widths=(28, 14),
        ),
        box(
            "The hall committee lets us have the room for nothing because in 1987 a swarm in the boiler house was taken by a member without fuss. She wrote it on a card. We still have it.",
            title="Thank you",
        ),
        para("Last page of the code, for January evenings:"),
        _code("keeping", 9, "harrowmere", "{}."),
    ]
    return DemoDocument(
        "harrowmere-keeping-colony-records-2019.pdf",
        "Keeping Colony Records",
        TYPE,
        "tutorial_workshop",
        "source",
        style=Style(
            page="a4-landscape",
            font="sans",
            size=11.8,
            margin=54.0,
            header="Harrowmere Beekeepers' Association | Keeping Colony Records",
            footer="April 2019 | slide {page}",
            headings="ruled",
            accent="#7a4a00",
            justify=False,
            tables="zebra",
        ),
        story=story,
    )


def _tessaly() -> DemoDocument:
    story = [
        big_title(
            "The Hive Log on Paper and on Screen",
            "Course notes, autumn term 2021. Tessaly Valley Apiary School, Wednesday evenings in Room 4",
            centred=False,
        ),
        para("Prepared by Marit Oyelaran with the help of the evening class of the year before"),
        heading("About these notes", 2),
        para(
            "The course has six evenings and one Saturday in the teaching apiary. Each evening has a short talk, something to do with your hands and something to do on a screen. The notes hold what was on the projector together with the remarks that students told us they had wanted to keep."
        ),
        para(
            "The program is called HiveLedger. It is free, it was written by a former student, Ignatius Bell, and it runs on old telephones. Nothing in the course depends on it: each screen has a paper twin, and marks are given for the paper."
        ),
        box(
            "Hand in a log of one colony with at least eight inspections, two mite counts and a feeding plan. The log may be in any form that another person can read.",
            title="Passing the course",
        ),
        page_break(),
        heading("Evening plan"),
        table(
            [
                ["Evening", "Date", "Subject", "Paper twin"],
                ["1", "15 September", "Naming things: apiary, stand, colony, queen", "Form N"],
                ["2", "22 September", "The inspection screen", "Form K"],
                ["3", "29 September", "Counting mites; thresholds", "Form V"],
                ["4", "6 October", "Weighing and feeding", "Form W"],
                ["5", "13 October", "Reports: what a season adds up to", "Form S"],
                ["6", "20 October", "Sharing, backing up, handing over", "Form H"],
                ["Saturday", "25 September", "Teaching apiary, nine until noon", "all"],
            ],
            widths=(9, 11, 36, 8),
        ),
        para(
            "Enrolment closed with 27 students, three of them by video link from the upper valley, where the road had slipped."
        ),
        page_break(),
        heading("Evening 1: a name that lasts"),
        para(
            "Everything in HiveLedger hangs from four nouns. An apiary has stands; a stand holds a colony; a colony has a queen; a queen has a mother. If a colony moves, its stand changes and its name does not."
        ),
        bullets(
            [
                "Use short names. The teaching apiary uses birds: Dipper, Wren, Plover, Siskin, Bittern.",
                "A split gets its parent's name and a letter: Wren-b.",
                "A united colony keeps the name of the queen that lived.",
                "A dead colony is closed, not deleted. The program refuses to delete it, by design.",
            ]
        ),
        para(
            "In the first version it was possible to delete. A student removed Plover in a fit of tidiness, and with it four seasons of figures. Ignatius took the button out the next morning."
        ),
        para("The national code of practice, part one, as we read it together on the first evening:"),
        _code("naming", 9, "tessaly", "1.{}"),
        page_break(),
        heading("Evening 2: the inspection screen"),
        para(
            "One screen, nine fields, big buttons for thumbs in gloves. It opens on the last inspection so that you see what you promised yourself."
        ),
        table(
            [
                ["Field", "Entered as", "Compulsory"],
                ["Queen evidence", "seen, eggs, larvae, none", "yes"],
                ["Frames of brood", "number, quarters allowed", "yes"],
                ["Frames of bees", "number", "no"],
                ["Stores", "kilograms, estimated by eye", "yes"],
                ["Temperament", "four faces", "no"],
                ["Queen cells", "number and stage", "April to August"],
                ["Health", "tick list", "yes"],
                ["Photograph", "one per frame at most", "no"],
                ["Next action", "free text and a date", "yes"],
            ],
            widths=(13, 22, 12),
        ),
        para(
            "Save works without a signal. The log travels when the telephone next sees a network, and the tick in the corner turns from grey to green. Do not close the program on grey."
        ),
        para("The national code of practice, part two:"),
        _code("inspection", 11, "tessaly", "2.{}"),
        page_break(),
        heading("Evening 2, by hand: Dipper's log"),
        table(
            [
                ["Inspection", "Brood", "Bees", "Stores (kg)", "Cells", "Minutes"],
                ["17 April", "3.25", "6", "7.4", "0", "12"],
                ["1 May", "5.00", "8", "6.1", "0", "14"],
                ["15 May", "7.75", "11", "9.0", "2", "26"],
                ["29 May", "8.50", "14", "14.3", "7", "41"],
                ["19 June", "6.25", "15", "21.9", "0", "19"],
                ["10 July", "6.00", "13", "28.6", "0", "15"],
            ],
            widths=(12, 7, 6, 8, 7, 9),
        ),
        para(
            "The minutes column was the class's own idea. On 29 May two students hunted for the old queen and found her on the floor; they wrote down the time because they were late for the bus. It turned out to be the most telling figure on the page: trouble takes longer."
        ),
        para(
            "Marit's marginal note: never let the brood fall by a quarter between inspections without writing down why."
        ),
        page_break(),
        heading("Evening 3: counting mites"),
        para(
            "The school compares three ways of counting, on the same five colonies and the same afternoon, and publishes the result whether or not it is flattering."
        ),
        table(
            [
                ["Colony", "Sticky board, 72 h", "Sugar shake, per 100", "Alcohol wash, per 100"],
                ["Dipper", "58", "2.7", "3.4"],
                ["Wren", "21", "0.9", "1.1"],
                ["Plover", "94", "4.8", "5.9"],
                ["Siskin", "33", "1.6", "1.8"],
                ["Bittern", "12", "0.4", "0.7"],
            ],
            widths=(8, 12, 14, 14),
        ),
        para(
            "The shake found about four fifths of what the wash found. That is good enough to decide and too poor to boast about. HiveLedger asks which method was used before it will draw a line through two counts, and students find this annoying until evening 5."
        ),
        box(
            "The school treats at 3 per hundred by wash in August. The inspector, Dr Halvard Quist, prefers 2; we have agreed to print both.",
            title="Treat or wait?",
        ),
        para("Part three of the code, to be copied by hand into the front of your log:"),
        _code("mites", 10, "tessaly", "3.{}"),
        page_break(),
        heading("Evening 4: weighing and feeding"),
        para(
            "A hive on a balance tells you about nectar while you are asleep. The school has one electronic stand scale, bought in 2020 for 412 euros with a gift from the creamery, and six spring balances that cost 19 euros apiece."
        ),
        numbered(
            [
                "Weigh at the same hour, before the bees fly.",
                "Lift one side, then the other, and add the readings.",
                "Subtract the empty hive: write its weight on the stand in paint.",
                "Enter the net figure, then look at the curve, not at the figure.",
            ]
        ),
        table(
            [
                ["Week of", "Siskin net (kg)", "Bittern net (kg)", "In bloom"],
                ["3 May", "11.8", "9.9", "dandelion"],
                ["17 May", "15.5", "12.7", "maple, fruit"],
                ["31 May", "13.9", "10.2", "nothing"],
                ["14 June", "23.4", "16.8", "bramble"],
                ["28 June", "34.7", "21.3", "lime"],
            ],
            widths=(7, 11, 11, 10),
        ),
        para("The gap at the end of May is real, and so was the panic in class."),
        para("Part four of the code:"),
        _code("weighing", 8, "tessaly-3", "4.{}"),
        page_break(),
        heading("Feeding plan, Form W"),
        para(
            "Autumn weight wanted at the school: 24 kg of stores for a colony on one box, 31 kg on two. Syrup of two parts sugar gives about 0.75 kg of stores a litre."
        ),
        table(
            [
                ["Colony", "Stores on 1 Sept (kg)", "Wanted (kg)", "Syrup needed (litres)", "Given"],
                ["Dipper", "19.5", "31", "15.3", "15"],
                ["Wren", "22.5", "24", "2.0", "2"],
                ["Plover", "11.2", "24", "17.1", "12, then united"],
                ["Siskin", "27.1", "31", "5.2", "6"],
                ["Bittern", "16.6", "24", "9.9", "10"],
            ],
            widths=(8, 15, 8, 14, 10),
        ),
        para(
            "Students may laugh at a tenth of a litre. It is there so that you can check the arithmetic, and three of you have found mistakes in former years."
        ),
        para("Part six of the code belongs to no evening. We put it here, where there was room:"),
        _code("hygiene", 5, "tessaly-1", "6.{}"),
        page_break(),
        heading("Evening 5: what a season adds up to"),
        para(
            "Reports come last, because a report is only as good as Form K on a wet evening in May. Press Season and choose the colony; the program adds up honey, feed, inspections, stings and hours."
        ),
        table(
            [
                [
                    "Season at the school",
                    "Colonies",
                    "Honey sold (kg)",
                    "Jars",
                    "Inspections logged",
                    "Losses in winter",
                ],
                ["2017", "7", "103", "296", "64", "2"],
                ["2018", "9", "171", "489", "97", "1"],
                ["2019", "9", "128", "366", "118", "3"],
                ["2020", "11", "214", "611", "152", "1"],
            ],
            widths=(14, 10, 11, 6, 13, 11),
        ),
        para(
            "Discuss: was 2019 a poor year because we looked too often, or did we look often because it was poor? Nobody has yet persuaded the whole room. The jars are of 350 g, so a pedant can check the second column from the third."
        ),
        para("Part five of the code, for everybody who wishes to draw conclusions about queens:"),
        _code("queens", 9, "tessaly", "5.{}"),
        page_break(),
        heading("Evening 6: handing over"),
        para(
            "The last evening is about other people. Your log should survive a lost telephone, a divorce, a flood and an inspector."
        ),
        bullets(
            [
                "Export on the first of the month. HiveLedger writes a plain table and a page for printing.",
                "Two copies, one of them not in your house. The school keeps yours in the cellar of the savings bank if you ask.",
                "Form H goes to whoever buys the colony: queen line, last two counts, treatments with dates, known habits.",
                "Never share a map of your stands in public. In the spring of 2020 five hives were stolen from a list on a club's noticeboard.",
            ]
        ),
        para("Three things a buyer of a colony must receive, in the school's opinion:"),
        bullets(["queen line with year", "last two mite counts", "treatment dates with batch"]),
        para("Part seven, read aloud by Marit with the lights low:"),
        _code("keeping", 9, "tessaly", "7.{}"),
        page_break(),
        heading("Frequently wrong"),
        para("Collected from 2019 and 2020 hand-ins by our marker, Lucasta Feng, who reads every log twice."),
        table(
            [
                ["Fault", "Logs with it, of 45", "Marks lost"],
                ["Date missing or impossible", "17", "2 each"],
                ["Stores copied from last time", "14", "5"],
                ["Mite method not given", "22", "3"],
                ["Next action empty", "29", "1 each"],
                ["Colony renamed midway", "6", "10"],
            ],
            widths=(24, 13, 7),
        ),
        para(
            'She adds: "The best log I ever marked was in green crayon, by a boy of eleven, and it had no fault at all. The worst was from a statistician."'
        ),
        para("The eighth part is the one on which marks are lost without argument:"),
        _code("medicines", 8, "tessaly-2", "8.{}"),
        page_break(),
        heading("Practical matters"),
        para(
            "Room 4 is up the outside stair. Veils can be borrowed on the Saturday; boots cannot. The fee is 96 euros, or 54 euros for students and the unemployed, and it covers the notes, the forms and the wax for the last evening."
        ),
        para(
            "HiveLedger needs 38 MB and an account with no personal data but a name. Help is given by Ignatius Bell on Mondays after seven; he asks that you first try turning the page back."
        ),
        box(
            "The course is offered again from 9 March, if at least fifteen people have put down their names by the end of January.",
            title="Spring repeat",
        ),
    ]
    return DemoDocument(
        "tessaly-hive-log-course-notes-2021.pdf",
        "The Hive Log on Paper and on Screen",
        TYPE,
        "tutorial_workshop",
        "source",
        style=Style(
            page="a4",
            font="serif",
            heading_font="sans",
            size=11.9,
            margin=62.0,
            header="Tessaly Valley Apiary School | Course notes 2021",
            footer="{page}",
            mirror=True,
            first_label=("arabic", 1, "N-"),
            accent="#2d5a3d",
            justify=False,
        ),
        story=story,
    )


def _quillan() -> DemoDocument:
    story = [
        big_title(
            "Record Cards That Survive the Rain",
            "Quillan Coast Beekeeping Club · spring workshop, Sunday 22 April 2018 · the old lifeboat shed",
            centred=False,
        ),
        para("Tutors on the day: Tomas Ferriday (cards), Winifred Orme (mites), Gil Tregarrow (scales and salt)"),
        para(
            "You will go home with a card that has been under a tap. Charge: £22, under-eighteens nothing. Dogs stay in the vans."
        ),
        box(
            "We get 1,340 mm of rain and a wind that eats paper. Everything in this booklet was chosen because something else dissolved.",
            title="On this coast",
        ),
        page_break(),
        heading("What's on"),
        bullets(
            [
                "9.15 Coffee, find a seat away from the slipway door",
                "9.30 Tomas: paper, plastic, slate. What we tried and what floated off",
                "10.45 Fill in a card with wet gloves (yes, we'll wet them)",
                "11.30 Winifred: counting mites in a gale",
                "12.30 Pasties",
                "13.15 Gil: weights, and why a cliff apiary weighs wrong",
                "14.30 Club figures for 2017, the good and the grim",
                "15.30 Questions, clear up, tide permitting",
            ]
        ),
        para("Safety and clean tools, because the harbour master asked:"),
        _code("hygiene", 5, "quillan", "Rule {}:"),
        page_break(),
        heading("Paper, plastic, slate"),
        table(
            [
                ["Carrier", "Cost each", "Legible after one winter", "Verdict"],
                ["Office card", "4p", "11 in 100", "no"],
                ["Laminated card, chinagraph", "62p", "71 in 100", "fair"],
                ["Yellow site paper, pencil", "29p", "93 in 100", "club choice"],
                ["Roofing slate, chalk", "free", "38 in 100", "charming"],
                ["Ear tag with numbers only", "85p", "98 in 100", "for hive names"],
            ],
            widths=(23, 7, 18, 11),
        ),
        para(
            "Tomas hung ten of each in the lee of the shed from October to March and read them back with a stranger holding the torch. \"If a stranger can't read it, it isn't a record, it's a keepsake.\""
        ),
        page_break(),
        heading("The Quillan card: eight lines, no more"),
        numbered(
            [
                "Date and wind.",
                "Queen or eggs?",
                "Seams of bees, counted from above. Don't lift brood in a blow.",
                "Brood frames, whole numbers only.",
                "Stores: light, fair, heavy (heft it).",
                "Mites on the board since last time.",
                "Did what.",
                "Do next.",
            ]
        ),
        para(
            "We dropped temper years ago. Down here they're all bad-tempered from a north-westerly and sweet again by tea."
        ),
        para("The mainland code, for comparison. They've never met our wind."),
        _code("naming", 6, "quillan", "Rule {}:"),
        page_break(),
        heading('One cliff colony, all of 2017: "Gannet"'),
        table(
            [
                ["Seen", "Seams", "Brood frames", "Heft (kg)", "Board, per day", "Note"],
                ["9 April", "5", "3", "16.5", "0", "salt on the porch"],
                ["7 May", "7", "6", "18.0", "2", "super"],
                ["28 May", "9", "8", "23.5", "3", "cells, split made"],
                ["25 June", "10", "7", "31.0", "5", "thrift over"],
                ["30 July", "9", "6", "36.5", "16", "strips in"],
                ["3 September", "7", "4", "27.0", "4", "honey off, heather no"],
            ],
            widths=(9, 7, 8, 7, 9, 17),
        ),
        para(
            "Heft is the whole hive on Gil's balance less the empty box. Gannet stood through the March storm with two straps. Its neighbour Shag did not, and the card for Shag ends in the middle of a word."
        ),
        para("More of the code. Tomas reads, you nod:"),
        _code("inspection", 11, "quillan", "Rule {}:"),
        page_break(),
        heading("Honey in 2017, club apiary"),
        table(
            [
                ["Colony", "Queen line", "Crop (kg)", "Syrup given (litres)"],
                ["Gannet", "Ferriday 2015", "19.6", "7"],
                ["Shag", "lost in March", "0", "0"],
                ["Puffin", "Orme 2016", "24.1", "5"],
                ["Fulmar", "swarm, 2016", "11.2", "10"],
                ["Kittiwake", "Ferriday 2016", "16.7", "6"],
                ["Tern", "Orme 2017", "8.9", "13"],
            ],
            widths=(8, 12, 7, 13),
        ),
        para(
            "Poor by inland standards; the mean of the five survivors would make a valley beekeeper laugh. Puffin faces the bramble hollow. That is all the secret there is."
        ),
        para(
            "Members' returns: 88 colonies went into winter, 67 came out. Most losses had a card that stopped in September."
        ),
        para("On queens the code is right and we are sinners:"),
        _code("queens", 7, "quillan", "Rule {}:"),
        page_break(),
        heading("Winifred on mites"),
        para("Nobody rolls bees in sugar on a wet cliff: you get marzipan. We use boards under a mesh floor."),
        bullets(
            [
                "Grease the board. Ants are the enemy of statistics.",
                "Leave it three days, no more than five.",
                "Count all of it. Don't count a quarter and multiply unless you like being wrong by four.",
                "Divide by days. Write the method beside the number.",
            ]
        ),
        table(
            [
                ["On the board per day", "In June", "In August"],
                ["Do nothing", "below 4", "below 8"],
                ["Count again in a week", "4 to 7", "8 to 14"],
                ["Treat", "8 or more", "15 or more"],
            ],
            widths=(18, 8, 9),
        ),
        para("Code again. Good stuff, if dry:"),
        _code("mites", 10, "quillan", "Rule {}:"),
        page_break(),
        heading("Gil on weighing in the wind"),
        para(
            "A breeze of force 5 took 1.9 kg off the reading of one of my hives, and put it back on again when it dropped. So:"
        ),
        bullets(
            [
                "weigh at first light or not at all",
                "pull the hook straight, read twice, write the lower",
                "weigh the strap too: ours is 1.2 kg wet",
                "salt gets in the spring; oil it and check it against two full buckets at the new year",
            ]
        ),
        para("I've a curve at home of one hive and the tide table. There's nothing in it. I drew it anyway."),
        para("What the code asks for when you weigh:"),
        _code("weighing", 9, "quillan-1", "Rule {}:"),
        page_break(),
        heading("Treatments book"),
        para(
            "Club rule since 2013: nobody treats alone and nobody treats unwritten. The red book hangs on the hook inside the shed door."
        ),
        table(
            [
                ["Column", "Example"],
                ["Product and batch", "formic strip, lot 7F-221"],
                ["Hives", "Gannet, Tern"],
                ["In and out", "30 July, 6 August"],
                ["Temperature that noon", "21 degrees"],
                ["Who, and who watched", "T. Ferriday; W. Orme"],
            ],
            widths=(17, 20),
        ),
        para(
            "The inspector, Mrs Bronagh Sale, has read the red book four times and signed it. She says it smells of mackerel."
        ),
        para("Pinned above the red book, from the code:"),
        _code("medicines", 8, "quillan", "Rule {}:"),
        page_break(),
        heading("Shed stores and prices"),
        table(
            [
                ["Thing", "Members pay"],
                ["Site-paper cards, pack of 25", "£7.00"],
                ["Clutch pencil on a lanyard", "£3.40"],
                ["Greased boards, pair", "£4.80"],
                ["Spring balance to 60 kg (two left)", "£27.50"],
                ["Storm strap, ratchet", "£9.95"],
            ],
            widths=(29, 9),
        ),
        para("Money in the tin. Ask Delphine Rooke for a receipt if you want one. Nobody has yet."),
        page_break(),
        heading("Have a go"),
        numbered(
            [
                "Write a whole card in ninety seconds with the wet gloves on. Pass it left. Can they read it?",
                "Gannet's heft fell between the end of July and the start of September. Give an honest reason and a dishonest one.",
                "A board shows sixty mites after four days in August. What does the table tell you to do?",
                "You find a hive on its side at dawn. What goes on the card first, and what can wait?",
            ]
        ),
        box(
            "Keep it dry, keep it short, keep it by the hive. Autumn meeting: 7 October, same shed, bring your worst card.",
            title="Last word",
        ),
        para("For the long nights, last of the code:"),
        _code("keeping", 9, "quillan-1", "Rule {}:"),
    ]
    return DemoDocument(
        "quillan-coast-record-cards-2018.pdf",
        "Record Cards That Survive the Rain",
        TYPE,
        "tutorial_workshop",
        "hard_negative",
        style=Style(
            page="a4-landscape",
            font="sans",
            size=12.6,
            margin=60.0,
            footer="Quillan Coast Beekeeping Club | {page}",
            headings="bar",
            accent="#0b4f6c",
            justify=False,
            tables="grid",
        ),
        story=story,
    )


def _oxmarsh() -> DemoDocument:
    story = [
        big_title(
            "Numbers from the Hive: an Introduction to Apicultural Records",
            "Oxmarsh Agricultural College, Department of Short Courses. Module BK-104, January 2022 intake",
            centred=False,
        ),
        para("Module leader: Dr Philippa Nkemelu. Laboratory demonstrator: Sven Hallgarth. Credit value: six points"),
        heading("Learning outcomes", 2),
        para("On completion of the module the participant will be able to:"),
        bullets(
            [
                "define the unit of observation in an apiary record and distinguish it from the unit of management;",
                "design an inspection form in which every entry is either counted, measured or chosen from a list;",
                "estimate the infestation of a colony by mites and state the uncertainty of the estimate;",
                "summarise a season in a table which an outside reader can check.",
            ]
        ),
        para(
            "Assessment is by a portfolio (60 per cent) and a short test without books (40 per cent). Attendance at both laboratory sessions is required."
        ),
        page_break(),
        heading("Timetable of the block week"),
        table(
            [
                ["Day", "Morning", "Afternoon"],
                ["Monday", "Lecture: observation and inference", "Laboratory: reading comb photographs"],
                ["Tuesday", "Lecture: counts and their errors", "Laboratory: alcohol wash, sample size"],
                ["Wednesday", "College apiary, three groups", "Data entry and checking"],
                ["Thursday", "Lecture: weight curves", "Seminar: critique of published records"],
                ["Friday", "Test", "Portfolio clinic, close at four"],
            ],
            widths=(8, 28, 34),
        ),
        para(
            "Bring a laboratory coat. The apiary visit takes place even when no colony can be opened, in which case we study hive floors, of which the college has an instructive collection."
        ),
        para("Conduct in the apiary is governed by the Code:"),
        _code("hygiene", 5, "oxmarsh-2", "H{}"),
        page_break(),
        heading("Definitions which will be used"),
        para(
            "A __record__ is a statement of what was observed, by whom, when, and by which method. A __note__ lacks one of the four. Most of what is found in an apiary shed is notes."
        ),
        para(
            "The __unit of observation__ is one colony at one inspection. The __unit of management__ may be the stand, the yard, or the whole enterprise. Confusing the two is the commonest error in submitted portfolios: forty colonies fed on one date are one decision, and not forty."
        ),
        box(
            "In this module stores are given in kilograms of honey equivalent, brood in square decimetres, infestation in mites per hundred adult bees, and temperament on the four-point scale of the college.",
            title="Convention",
        ),
        para(
            "The following statements of the national Code of Practice define identity. Participants should mark each as definition, instruction or prohibition."
        ),
        _code("naming", 9, "oxmarsh", "A{}"),
        page_break(),
        heading("The inspection form, revision 9"),
        table(
            [
                ["Item", "Type of entry", "Permitted values"],
                ["Queen status", "list", "laying, virgin, absent, unknown"],
                ["Sealed brood", "measured", "0 to 80 square decimetres"],
                ["Adult bees", "counted", "seams, halves allowed"],
                ["Stores", "measured", "by weight, not by eye"],
                ["Queen cells", "counted", "with stage"],
                ["Temperament", "list", "1 to 4"],
                ["Disease signs", "list", "seven named, or none"],
                ["Remarks", "free", "at most twenty words"],
            ],
            widths=(11, 10, 26),
        ),
        para(
            "Revision 8 had allowed remarks without limit. An audit of 230 forms found that remarks had replaced measurements on two thirds of them."
        ),
        para("Statements of the Code on inspection:"),
        _code("inspection", 12, "oxmarsh-2", "B{}"),
        page_break(),
        heading("Laboratory 1: how well do we see?"),
        para(
            "Twenty participants of the former intake judged the same six comb photographs by eye; the true area was then obtained by tracing."
        ),
        table(
            [
                ["Photograph", "True area (square dm)", "Mean judgement", "Standard deviation"],
                ["A", "4.2", "5.1", "0.9"],
                ["B", "7.9", "8.3", "1.4"],
                ["C", "11.6", "10.7", "1.8"],
                ["D", "2.5", "3.6", "0.7"],
                ["E", "9.4", "8.8", "1.6"],
                ["F", "6.3", "6.6", "1.1"],
            ],
            widths=(12, 14, 11, 12),
        ),
        para(
            "Small areas are overestimated and large ones underestimated. The participant should reproduce the plot and comment on the slope."
        ),
        page_break(),
        heading("Laboratory 2: how many bees must be washed?"),
        para(
            "If the true infestation is 3 mites per hundred bees, a sample of one hundred bees will show none at all in about one case in twenty. With three hundred the chance is negligible."
        ),
        table(
            [
                [
                    "Bees in sample",
                    "Expected mites",
                    "Probability of finding none",
                    "Half width of 95 per cent interval",
                ],
                ["100", "3", "0.048", "3.3"],
                ["200", "6", "0.0023", "2.4"],
                ["300", "9", "0.00011", "1.9"],
                ["500", "15", "below 0.000001", "1.5"],
            ],
            widths=(10, 10, 20, 23),
        ),
        para(
            "The table treats mites as independently distributed, which they are not. Hallgarth's own washes of paired frames suggest that the variance is 1.7 times that of the simple model."
        ),
        para("Statements of the Code on the counting of mites:"),
        _code("mites", 10, "oxmarsh", "C{}"),
        page_break(),
        heading("The college apiary in 2021"),
        table(
            [
                [
                    "Colony",
                    "Race of queen",
                    "Brood at peak (square dm)",
                    "Crop (kg)",
                    "Feed (kg)",
                    "Mites per 100, August",
                ],
                ["K1", "Carnica", "58", "29.3", "14.0", "1.9"],
                ["K2", "Carnica", "61", "33.8", "13.5", "2.6"],
                ["K3", "local", "44", "20.7", "9.0", "1.2"],
                ["K4", "local", "47", "25.5", "9.5", "3.8"],
                ["K5", "Buckfast", "66", "36.9", "16.0", "4.4"],
                ["K6", "Buckfast", "63", "27.2", "15.5", "5.1"],
            ],
            widths=(8, 11, 16, 7, 7, 14),
        ),
        para(
            "Participants should resist the conclusion that one race is better. There are two colonies of each, they stood in two rows, and the row nearest the rape field had all the odd numbers."
        ),
        para("Statements of the Code on queens and comparison:"),
        _code("queens", 9, "oxmarsh", "F{}"),
        page_break(),
        heading("Weight curves"),
        para(
            "The scale beneath K2 reports every ten minutes. Over the 2021 season the record has 51,264 readings, of which 388 were discarded: a cow, a student, and a lightning strike."
        ),
        bullets(
            [
                "Fit the night-time level, not the daily maximum.",
                "A swarm is a step of between 1.5 and 3.5 kg within an hour.",
                "Rain on the roof of a wooden hive is worth as much as 0.8 kg and dries within the day.",
                "Robbing looks like a flow in reverse; consult the inspection form before writing a theory.",
            ]
        ),
        para("Statements of the Code on weight and feed:"),
        _code("weighing", 9, "oxmarsh", "D{}"),
        page_break(),
        heading("Legal registers"),
        para(
            "Keepers of food-producing animals, bees included, maintain a register of veterinary medicines. The college's register is kept by the technician, Ottoline Braga, and is examined at Friday's test as a source."
        ),
        numbered(
            [
                "State the authorised product and its batch.",
                "State the quantity per colony and the number of colonies.",
                "State the dates of the first and the last administration.",
                "State the withdrawal period.",
                "Retain the entry for the statutory time, together with the invoice.",
            ]
        ),
        para("Statements of the Code on medicines (these restate law):"),
        _code("medicines", 9, "oxmarsh", "E{}"),
        page_break(),
        heading("Portfolio: what we look for"),
        table(
            [
                ["Component", "Weight (per cent)", "Commonest criticism"],
                ["Design of form", "15", "too many free fields"],
                ["Data, at least thirty colony-inspections", "20", "method not stated"],
                ["Summary tables", "25", "units missing"],
                ["Estimate of infestation with interval", "25", "interval missing"],
                ["Reflection, one page", "15", "three pages"],
            ],
            widths=(32, 11, 18),
        ),
        para(
            "Of the 34 portfolios of the July 2021 intake, 29 passed at the first attempt. The fee for re-examination is £45; the fee for the module itself is £310, or £265 for employees of registered bee farms."
        ),
        para("Statements of the Code on preservation and summary:"),
        _code("keeping", 10, "oxmarsh", "G{}"),
        page_break(),
        heading("Seminar reading and questions"),
        para(
            "Participants should read the two handouts on the shared drive before Thursday, and come with one table which they believe to be wrong."
        ),
        bullets(
            [
                "Was the observer blind to the treatment? Could a beekeeper ever be?",
                "Would the conclusion survive the removal of one colony?",
                "If the record had been kept on paper only, which of the errors would have been found, and which would not have been made?",
            ]
        ),
        para(
            "A former participant discovered that the winter loss in a well-known set of records had been divided by the colonies of the wrong autumn. She is now our external examiner."
        ),
    ]
    return DemoDocument(
        "oxmarsh-numbers-from-the-hive-2022.pdf",
        "Numbers from the Hive",
        TYPE,
        "tutorial_workshop",
        "hard_negative",
        style=Style(
            page="a4",
            font="serif",
            size=12.5,
            margin=70.0,
            header="BK-104 Numbers from the Hive | {section}",
            footer="Oxmarsh Agricultural College | {page}",
            headings="plain",
            accent="#333333",
        ),
        story=story,
    )


def _pellworth() -> DemoDocument:
    story = [
        big_title(
            "Records for the New Beekeeper",
            "Pellworth & District Honey Society · beginners' afternoon · 14 March 2020",
            centred=False,
        ),
        para(
            "with Beatrix Culshaw (thirty-one years of bees), Humphrey Dade (four) and Nadia Szell (one, so she remembers what it was like)"
        ),
        para(
            "Welcome. You have no bees yet, or you have had them since last summer and feel you ought to be writing something down. You are right, and it is not difficult. Please interrupt."
        ),
        box("No question is silly. If it is, Humphrey asked it in 2016.", title="House rules"),
        page_break(),
        heading("The five questions"),
        para(
            "Every visit to a hive answers five questions, and your record is simply the answers. Beatrix learned them from her aunt."
        ),
        numbered(
            [
                "Is the queen there and laying?",
                "Have they room?",
                "Have they enough to eat until I come again?",
                "Are they building up as they should, compared with the others?",
                "Is there anything that looks ill?",
            ]
        ),
        para(
            "If you cannot answer one of them write a question mark. A question mark is a good record: it tells you what to look for next week."
        ),
        para("And here is how the proper code of practice says the same thing, at more length:"),
        _code("inspection", 10, "pellworth", "{})"),
        page_break(),
        heading("Your first card"),
        table(
            [
                ["Visit", "1 Queen", "2 Room", "3 Food", "4 Building up", "5 Health"],
                ["25 April", "eggs", "yes", "3 frames", "yes", "well"],
                ["2 May", "seen!", "yes", "3 frames", "yes", "well"],
                ["9 May", "eggs", "tight", "4 frames", "yes", "chalk brood, a bit"],
                ["16 May", "?", "super on", "4 frames", "ahead of Ivy", "same"],
                ["23 May", "eggs, 2 cups", "yes", "5 frames", "ahead of Ivy", "clear"],
            ],
            widths=(7, 9, 6, 8, 11, 13),
        ),
        para(
            "This is Nadia's, from last year, from a hive called Clover. She would like it known that the exclamation mark on the second of May was deserved."
        ),
        page_break(),
        heading("Do I really have to? (questions we are asked)"),
        para("**How long does it take?** Two minutes. Looking for the card takes ten, so keep it under the roof."),
        para(
            '**Telephone or paper?** Whatever you can work with honey on your thumbs. Humphrey dictates to his, and it once wrote "the green is in a fowl mood".'
        ),
        para(
            "**How far back must I keep them?** For the medicines, as long as the law says. For the rest, until you no longer learn from them, which is never."
        ),
        para("**I have only one hive. Compare it with what?** With a friend's. We pair you up today before tea."),
        para('**What if I forget?** Write "forgot". Then at least the gap has a name.'),
        page_break(),
        heading("A year of jobs, with what to write"),
        table(
            [
                ["Month", "Job", "Put on the card"],
                ["March", "lift the hive, don't open", "light or heavy"],
                ["April", "first look", "frames of brood"],
                ["May", "swarm checks weekly", "cells or none"],
                ["June", "supers", "how many, how full"],
                ["July", "take honey", "kilograms, each hive"],
                ["August", "mites, treatment", "count, product, dates"],
                ["September", "feed", "litres of syrup"],
                ["October", "mouse guards", "done"],
                ["December", "oxalic acid", "date, dose"],
            ],
            widths=(7, 19, 18),
        ),
        page_break(),
        heading("Honey: our beginners' results in 2019"),
        para(
            "The society follows each year's beginners and prints the takings, by permission. Do not be discouraged by Gorse, which was our tallest tale of the season."
        ),
        table(
            [
                ["Hive", "Keeper's year", "Taken (kg)", "Left for bees (kg)", "Syrup (litres)"],
                ["Clover", "first", "12.4", "13.0", "8"],
                ["Ivy", "first", "5.5", "15.5", "11"],
                ["Gorse", "second", "41.3", "12.0", "14"],
                ["Heather", "second", "17.8", "14.5", "6"],
                ["Teasel", "first", "0", "17.0", "15"],
                ["Borage", "third", "28.2", "11.5", "9"],
            ],
            widths=(6, 10, 7, 13, 10),
        ),
        para("Teasel swarmed twice and the keeper was on honeymoon. She has both husband and bees still."),
        para("The code on weights and feeding. Humphrey has underlined the third."),
        _code("weighing", 8, "pellworth-6", "{})"),
        page_break(),
        heading("Mites in ten minutes"),
        para(
            "We will not frighten you: nearly every colony has them, and nearly every colony is all right if somebody counts."
        ),
        bullets(
            [
                "Slide the tray in for a week in May, July and the end of August.",
                "Count the reddish-brown ovals. Crab-shaped, wider than long.",
                "Divide by seven.",
            ]
        ),
        table(
            [
                ["Falling each day", "What Beatrix would do"],
                ["fewer than 3", "nothing, have tea"],
                ["3 to 9", "count again in two weeks"],
                ["10 and more", "telephone her"],
            ],
            widths=(14, 22),
        ),
        para(
            "Nadia's highest count was 13 a day on the thirtieth of August. She telephoned. Treatment cost her £16.80 for the hive, and the count in October was nought."
        ),
        para("From the code, for later in life:"),
        _code("mites", 8, "pellworth-1", "{})"),
        page_break(),
        heading("Writing down a treatment"),
        para(
            "It is the one page the inspector will want. For us he is Mr Cornelius Abney, he is kind, and he comes on a motorcycle."
        ),
        table(
            [
                ["Asked", "You write, for instance"],
                ["What", "thymol gel, batch and use-by date"],
                ["From", "the society's shop"],
                ["Where", "Clover, Ivy"],
                ["When", "on 1 September, off 29 September"],
                ["Supers", "off; back on never this year"],
            ],
            widths=(7, 29),
        ),
        para("Practise now, on the blank page that follows in your folder, with the empty packet on your table."),
        para("In the code's words:"),
        _code("medicines", 7, "pellworth-1", "{})"),
        page_break(),
        heading("What you need to buy"),
        para("Not much, please. New beekeepers are sold a great many objects."),
        table(
            [
                ["Item", "Price", "Needed?"],
                ["Society record book, spiral", "£4.50", "yes"],
                ["Pencil and string", "60p", "yes"],
                ["White tray for counting", "£3.25", "yes"],
                ["Kitchen scale for supers, to 40 kg", "£14.95", "soon"],
                ["Queen-marking pen", "£5.10", "soon"],
                ["Hive telephone sensor", "£139.00", "no"],
            ],
            widths=(28, 7, 9),
        ),
        para("Humphrey bought the sensor. It told him the hive had fallen over. He had noticed; it was on his foot."),
        para("Things that cost nothing, from the code:"),
        _code("hygiene", 5, "pellworth-9", "{})"),
        page_break(),
        heading("Four beginners, four cards"),
        bullets(
            [
                "__Nadia__ writes at the hive and nothing at home.",
                "__Old Mr Jessop__ writes at home and nothing at the hive. His bees are fictional from June onward.",
                "__The Farrow sisters__ write two cards for the same hive and then compare. They found they disagreed about the amount of brood by a whole frame, every time, the same way round.",
                "__Humphrey__ lost his book in August 2017 and learned that five of his six colonies were strangers to him.",
            ]
        ),
        para("Which are you? Talk about it with the person you were paired with."),
        para(
            "Grown-up rules about numbers, from the code of practice. Skip what you don't follow; it will make sense by June."
        ),
        _code("naming", 6, "pellworth", "{})"),
        page_break(),
        heading("Practice sheet"),
        numbered(
            [
                "Look at the photograph on the easel for one minute. Answer the five questions.",
                "Clover had three frames of food on 25 April and five on 23 May. Was that enough? What else would you need to know?",
                "Write out the August line for a hive with eighty-four mites on the tray after a week.",
                "Tear the corner off your card. Now you know whether the name should be in the corner.",
            ]
        ),
        para("When you have more than one hive you will want these as well:"),
        _code("queens", 7, "pellworth-1", "{})"),
        page_break(),
        heading("Come again"),
        para(
            "The spring mentors' list is pinned beside the kitchen hatch: 23 new members, 16 mentors, so some of you will share. The first open hive afternoon is on 26 April at Culshaw's orchard, provided the weather is above fourteen degrees and Beatrix's knee permits."
        ),
        para(
            "Fee for today: £12, and £9 of it comes back when you show a filled card in October. Last year 19 of 26 beginners had their money back."
        ),
        para("Cut out and keep, from the code:"),
        _code("keeping", 7, "pellworth-2", "{})"),
    ]
    return DemoDocument(
        "pellworth-records-for-the-new-beekeeper-2020.pdf",
        "Records for the New Beekeeper",
        TYPE,
        "tutorial_workshop",
        "hard_negative",
        style=Style(
            page="a4-landscape",
            font="serif",
            heading_font="sans",
            size=13.2,
            margin=60.0,
            footer="Pellworth & District Honey Society, 14 March 2020 | {page}",
            headings="centred",
            accent="#8a2b2b",
            justify=False,
        ),
        story=story,
    )


def _orrin() -> DemoDocument:
    story = [
        big_title(
            "Weigh, Count, Write", "A weekend in the walled garden of Saint Orrin, 9 to 11 June 2017", centred=False
        ),
        para("Led by Brother Aldhelm, keeper of the bees, with Ysolde Marchbank of the county apiary"),
        box(
            "Come for the figures, stay for compline. No faith is required beyond a readiness to be corrected by a balance.",
            title="An invitation",
        ),
        para(
            "The monastery has kept bees since 1893 and has written about them in the same series of ledgers. You will handle three of the ledgers. Please wash your hands first; the monks of the 1920s did not, and one can still smell the smoke."
        ),
        page_break(),
        heading("The shape of the weekend"),
        table(
            [
                ["Hour", "Friday", "Saturday", "Sunday"],
                ["7.00", "", "Weighing, six hives", "Weighing again"],
                ["9.30", "", "Counting: mites, bees, cells", "Adding up"],
                ["11.30", "", "Ledgers of 1911 and 1934", "Exercise and talk"],
                ["14.00", "Arrival", "Writing at the hive", "Departure"],
                ["17.00", "A walk round the hives", "Rest, or not", ""],
                ["19.30", "What a ledger is for", "Ysolde: the county returns", ""],
            ],
            widths=(6, 16, 24, 13),
        ),
        para(
            "Guests are lodged in the west range; meals are in silence, during which many people report having their best ideas about apiary numbering."
        ),
        para("Of good order in the garden, from the code:"),
        _code("hygiene", 5, "orrin-25", "({})"),
        page_break(),
        heading("What a ledger is for"),
        para(
            'Brother Odo wrote in May 1911: "Number four light. Gave comb. Do not trust number four." Six years later another hand added: "Nor I." A record is a letter to somebody you will not meet.'
        ),
        bullets(["It must be true on the day.", "It must be plain to a stranger.", "It must not improve with age."]),
        para(
            'We keep no scores for temper. Brother Odo\'s word for a cross colony was "forthright", and we have not found a better.'
        ),
        para("Beside the ledger we lay the modern code, which says in its plain way:"),
        _code("naming", 6, "orrin", "({})"),
        page_break(),
        heading("Weighing"),
        para(
            "The balance is a steelyard from the old dairy. It is slow, and that is half of its virtue: while the arm settles, you look at the entrance."
        ),
        numbered(
            [
                "Two people lift; the third reads.",
                "Read to the half pound, then turn it to kilograms at the desk: one pound is 0.454 kg.",
                "Take away the hive, which for our oak boxes is 21.5 kg.",
                "Write the weight, then the weather, and only then your opinion.",
            ]
        ),
        table(
            [
                ["Hive", "Friday evening (kg)", "Sunday morning (kg)", "In flower within a mile"],
                ["Ambrose", "28.1", "30.4", "clover, lime in bud"],
                ["Gobnait", "24.6", "26.0", "the same"],
                ["Modomnoc", "33.2", "36.9", "the same"],
                ["Bernard", "19.7", "19.5", "the same"],
            ],
            widths=(7, 14, 14, 19),
        ),
        para("The table is last year's. Bernard was queenless, and the arm of the steelyard knew it before we did."),
        para("The modern code, concerning weight:"),
        _code("weighing", 8, "orrin-1", "({})"),
        page_break(),
        heading("Counting"),
        para(
            "Ysolde's part of the weekend. She has washed, rolled and drowned more mites than anybody in the county, and keeps the best one in resin on her key ring."
        ),
        table(
            [
                ["Method", "Takes", "Finds, of 100 present", "For whom"],
                ["Tray beneath the hive, 4 days", "5 minutes", "varies", "the patient"],
                ["Icing sugar roll", "10 minutes", "76", "the tender-hearted"],
                ["Washing in spirit", "15 minutes", "95", "the exact"],
                ["Drone brood forked out", "8 minutes", "a rough idea", "the curious"],
            ],
            widths=(24, 9, 15, 15),
        ),
        box(
            "In the second week of August, two and a half in the hundred. Above that treat the whole garden, since mites do not respect walls.",
            title="Her threshold",
        ),
        para(
            "The code on this subject was partly drafted by Ysolde, and she asks you to find the sentence which was not:"
        ),
        _code("mites", 10, "orrin-5", "({})"),
        page_break(),
        heading("The county returns"),
        para(
            "Every October the keepers of the county send a postcard. Ysolde adds them up, and on Saturday evening she reads them aloud like a bidding prayer."
        ),
        table(
            [
                ["Year", "Postcards", "Colonies in autumn", "Colonies in spring", "Crop per colony (kg)"],
                ["2012", "74", "391", "288", "6.2"],
                ["2013", "69", "342", "271", "15.9"],
                ["2014", "83", "407", "365", "21.4"],
                ["2015", "80", "433", "379", "13.7"],
                ["2016", "92", "468", "402", "17.1"],
            ],
            widths=(6, 11, 12, 12, 14),
        ),
        para(
            "The summer of 2012 needs no comment from anybody who was out in it. Note that a keeper who has lost all his bees tends to lose his postcard as well."
        ),
        page_break(),
        heading("The garden in 2016, from the ledger"),
        table(
            [
                ["Hive", "Queen's mother", "Visits", "Honey (kg)", "Sugar (kg)"],
                ["Ambrose", "Ambrose 2013", "11", "25.2", "6.0"],
                ["Gobnait", "Modomnoc 2014", "13", "20.9", "7.5"],
                ["Modomnoc", "unknown, a swarm", "9", "38.6", "5.0"],
                ["Bernard", "Ambrose 2014", "17", "3.1", "10.5"],
                ["Columba", "Gobnait 2014", "12", "16.3", "8.0"],
                ["Isidore", "Modomnoc 2015", "10", "22.7", "5.5"],
            ],
            widths=(7, 15, 8, 8, 7),
        ),
        para(
            'Brother Aldhelm asks each group to say why the most visited hive gave the least honey, and forbids the answer "because it was visited".'
        ),
        para("The modern code, concerning queens, with apologies to the bishops:"),
        _code("queens", 7, "orrin", "({})"),
        page_break(),
        heading("Writing at the hive"),
        para(
            "The page is ruled in seven columns, as it was in 1893: day, hive, bees, brood, honey, health, hand. The seventh is the writer's initials; the Rule is strict about who said what."
        ),
        bullets(
            [
                "Ink, never pencil. A mistake is struck through once and stays readable.",
                "No ditto marks. Brother Odo used them for a whole June, and we do not know what he meant.",
                "If two writers disagree both sign. There are eleven such entries, and they are the most useful in the series.",
                "Close the ledger before closing the hive? No: close the hive.",
            ]
        ),
        para("The code, to be heard standing:"),
        _code("inspection", 11, "orrin-9", "({})"),
        page_break(),
        heading("Remedies"),
        para(
            "The infirmarian's book of remedies has had a chapter for bees since 1986. The inspector, Miss Clementine Harbottle, was shown it in April and copied out the headings for other people to use."
        ),
        table(
            [
                ["Heading", "As written for Bernard, 2016"],
                ["Complaint", "mites, five in the hundred"],
                ["Remedy", "oxalic acid by drip, second bottle, number 0613"],
                ["Quantity", "5 ml a seam, six seams"],
                ["Given", "19 December, by Brother Fintan"],
                ["Honey withheld", "not applicable, no supers"],
                ["Outcome", "214 mites on the tray in three days"],
            ],
            widths=(11, 40),
        ),
        para("The modern code, concerning remedies:"),
        _code("medicines", 8, "orrin-4", "({})"),
        page_break(),
        heading("Three pages from the old ledgers"),
        para(
            "__From 1911.__ A June with nineteen swarms, all numbered, four of them twice. The numbering broke down and the cellarer was called in."
        ),
        para(
            "__From 1934.__ Hives renamed after bishops. Nobody wished to write that a bishop was diseased, and for three summers no disease is recorded."
        ),
        para(
            "__From 1976.__ The drought. Weights fell from the second week of July by 300 grams a day, and someone has drawn a small sun in the margin, every day, for forty-one days."
        ),
        para("Discuss in the cloister, in pairs, walking."),
        para("The modern code, concerning the keeping of what was written:"),
        _code("keeping", 9, "orrin-10", "({})"),
        page_break(),
        heading("Exercise for Sunday"),
        numbered(
            [
                "Weigh the hive that you drew by lot, and turn pounds into kilograms without a machine.",
                "From your weights and those of Friday, say how much nectar came in. Which two corrections have you left out?",
                "Compose one ledger line of not more than twenty-five words which Brother Odo would have approved.",
                "Read your neighbour's line. Sign if you agree.",
            ]
        ),
        para("The offering for the weekend is £85 with lodging, or £40 without. It mends the wall."),
    ]
    return DemoDocument(
        "saint-orrin-weigh-count-write-2017.pdf",
        "Weigh, Count, Write",
        TYPE,
        "tutorial_workshop",
        "hard_negative",
        style=Style(
            page="a4-landscape",
            font="serif",
            size=12.3,
            margin=60.0,
            header="Saint Orrin",
            footer="{page}",
            first_label=("roman", 1, ""),
            headings="centred",
            accent="#4b3621",
            rule_under_header=False,
        ),
        story=story,
    )


def _dunmarrow() -> DemoDocument:
    story = [
        big_title(
            "From Notebook to Spreadsheet: Apiary Data for Small Producers",
            "Dunmarrow Extension Service · workshop series on farm records, no. 14 · February 2023",
            centred=False,
        ),
        para(
            "Presenters: Kayla Ortmann, extension educator; Desmond Fitch, commercial beekeeper, 340 hives; Prudence Alvey, bookkeeper"
        ),
        bullets(
            [
                "Registration $35 per farm, lunch included, two people max per table",
                "Laptops: bring your own or share one of our nine",
                "Template file: DES-Bees-3.2, on the stick in your folder",
            ]
        ),
        page_break(),
        heading("Objectives"),
        para("By 3 p.m. you'll have a workbook with four tabs that you can actually keep up:"),
        bullets(
            [
                "**Yards**: one row per location",
                "**Hives**: one row per colony, never reused",
                "**Visits**: one row each time a lid comes off",
                "**Money**: one row per dollar in or out",
            ]
        ),
        para(
            "Desmond ran 340 hives for eleven years from a truck-door notebook. When the truck burned at the Coldwater exit in 2019, he was left with a checkbook and a good memory. He'd like to spare you that."
        ),
        page_break(),
        heading("Rule one: one row, one thing"),
        table(
            [
                ["Bad cell", "What's wrong", "Fix"],
                ['"strong, fed 2 gal"', "two facts", "split into Strength, Feed_gal"],
                ['"same"', "same as what?", "write the value"],
                ['"5-6"', "not a number", "pick one: 5.5"],
                ['"June"', "no day, no year", "2022-06-11"],
                ["yellow fill", "color isn't data", "add a column named Flag"],
                ["blank", "zero or not checked?", "0 or NA"],
            ],
            widths=(14, 17, 22),
        ),
        para(
            "Prudence has closed books for sixty farms. Her estimate is that seven hours in ten spent on farm data is undoing clever formatting."
        ),
        page_break(),
        heading("The Visits tab"),
        table(
            [
                ["Column", "Unit", "Example", "Allowed"],
                ["visit_date", "yyyy-mm-dd", "2022-05-07", "real dates"],
                ["hive_id", "text", "CW-017", "on Hives tab"],
                ["frames_bees", "frames", "14", "0 to 40"],
                ["frames_brood", "frames", "7", "0 to 20"],
                ["stores_lb", "pounds", "38", "0 to 150"],
                ["mites_300", "mites in 300 bees", "6", "0 to 300"],
                ["queen", "code", "QS, QE, QL, NQ", "list"],
                ["feed_gal", "gallons", "1.5", "0 to 5"],
                ["minutes", "minutes", "9", "1 to 90"],
            ],
            widths=(10, 13, 10, 10),
        ),
        para("Set data validation once on the first row and drag. Do it before lunch; after lunch nobody does."),
        para("Where the columns come from: the code of practice on inspections."),
        _code("inspection", 11, "dunmarrow-4", "#{}"),
        page_break(),
        heading("Mites: sample, enter, act"),
        para(
            "Alcohol wash, half a cup, from the brood nest. Enter the raw number of mites, not the percentage. The sheet divides by three for you."
        ),
        table(
            [
                ["Period", "OK", "Plan", "Act now"],
                ["April, May", "0 to 3 per 300", "4 to 5", "6 and up"],
                ["June, July", "0 to 5", "6 to 8", "9 and up"],
                ["August, September", "0 to 6", "7 to 9", "10 and up"],
            ],
            widths=(14, 11, 6, 9),
        ),
        box(
            "A wash takes 7 minutes. A dead-out costs $215 to replace. I can wash a lot of bees for $215.",
            title="Desmond's math",
        ),
        para("Code of practice, mites:"),
        _code("mites", 10, "dunmarrow", "#{}"),
        page_break(),
        heading("Desmond's 2022 season by yard"),
        table(
            [
                ["Yard", "Hives", "Honey (lb per hive)", "Syrup (gal per hive)", "Fall wash, mean", "Dead by March"],
                ["Coldwater", "64", "71.5", "2.4", "5.2", "9"],
                ["Sawmill Road", "48", "58.0", "3.1", "8.7", "15"],
                ["Dutch Creek", "80", "83.2", "1.9", "4.1", "7"],
                ["Airport", "36", "40.6", "4.5", "11.3", "17"],
                ["Brewster's", "72", "66.9", "2.2", "6.0", "12"],
                ["Home", "40", "62.3", "2.8", "3.4", "4"],
            ],
            widths=(10, 7, 13, 13, 10, 9),
        ),
        para(
            "Pivot tables get you here from 2,186 visit rows in four clicks. Airport is being closed. It should've been closed two years back, and the notebook never said so because nobody added it up."
        ),
        para("Code of practice, identity section. Yes, it's metric and it's polite. Follow it anyway."),
        _code("naming", 7, "dunmarrow-3", "#{}"),
        page_break(),
        heading("Hands on 1: clean this up"),
        para("The file messy_2021 holds ninety-six rows from a real operation (names changed). With your partner:"),
        numbered(
            [
                "Find six dates that can't be right.",
                'Count how many spellings of "queenright" there are. Hint: more than eight.',
                "Split the Notes column into two honest columns.",
                "Find the hive that died twice.",
            ]
        ),
        para("When you get stuck raise the orange card. Kayla circulates."),
        page_break(),
        heading("Money tab: what a hive earns"),
        table(
            [
                ["Line, 2022, per hive", "Dollars"],
                ["Honey, bulk at $2.35 a pound", "152.40"],
                ["Pollination, one contract", "68.00"],
                ["Nucs sold", "21.75"],
                ["Feed", "-27.30"],
                ["Mite treatments", "-18.85"],
                ["Replacement queens", "-14.10"],
                ["Truck and fuel", "-39.60"],
                ["Left over before labor", "142.30"],
            ],
            widths=(23, 9),
        ),
        para(
            "Labor is the row everybody leaves out. At 4.2 hours a hive and year, you can do that division yourself, and then decide whether to tell your spouse."
        ),
        para("Code of practice, weights and feed (convert at 2.2 pounds):"),
        _code("weighing", 8, "dunmarrow-14", "#{}"),
        page_break(),
        heading("Treatment log and VFD paperwork"),
        para(
            "Antibiotics for bees need a veterinarian's directive; mite products need their label followed. The state apiarist, Lyle Hendershot, audits about one operation in twelve."
        ),
        bullets(
            [
                "Product, EPA number, lot",
                'Hive_ids treated (not "all")',
                "Date in, date out; the sheet warns if out is missing after 56 days",
                "Supers on or off",
                "Applicator initials",
            ]
        ),
        para("Keep three years. We say five, since hard drives don't read the statute."),
        para("Code of practice, medicines. Same idea as the statute, better grammar."),
        _code("medicines", 8, "dunmarrow-11", "#{}"),
        page_break(),
        heading("Backups"),
        table(
            [
                ["Copy", "Where", "How often"],
                ["1", "laptop", "every day you type"],
                ["2", "stick in the freezer, in a jar", "Sundays"],
                ["3", "a relative's house in another county", "each quarter"],
            ],
            widths=(6, 28, 15),
        ),
        para(
            "Kayla has recovered spreadsheets for 17 farms. For 9 more she could not. In none of them did the bees do it."
        ),
        para("Print the Hives tab once a year and put it in the truck. Paper boots instantly."),
        para("Code of practice, records office edition:"),
        _code("keeping", 9, "dunmarrow-10", "#{}"),
        page_break(),
        heading("Hands on 2: ask the sheet a question"),
        bullets(
            [
                "Which yard lost the largest share of its hives over winter?",
                "Does more syrup go with fewer losses? Make the scatter before you answer.",
                "What would Dutch Creek have made at $2.60 a pound?",
                "If you could visit every hive one time less, how many hours would come back?",
            ]
        ),
        para(
            "Write the answer in a complete sentence with a unit. That is the whole secret of record keeping; the rest is typing."
        ),
        para("Before you blame a queen, from the code:"),
        _code("queens", 8, "dunmarrow-1", "#{}"),
        page_break(),
        heading("Follow-up"),
        bullets(
            [
                "Office hours by phone: Tuesdays, 1 to 3, ask for Kayla",
                "Advanced session (mapping, barcodes) on March 28, limited to 18 seats",
                'Evaluation form: pink sheet. Be blunt; last year\'s "too much coffee, not enough pivot" was acted on',
            ]
        ),
        para(
            "Funding for the series: county board, $6,200, and the Honey Packers' fund, $2,750. Neither saw these slides first."
        ),
        para("And before you drive home, the yard rules of the code:"),
        _code("hygiene", 5, "dunmarrow-25", "#{}"),
    ]
    return DemoDocument(
        "dunmarrow-apiary-data-workshop-2023.pdf",
        "From Notebook to Spreadsheet: Apiary Data for Small Producers",
        TYPE,
        "tutorial_workshop",
        "hard_negative",
        style=Style(
            page="a4-landscape",
            font="sans",
            size=12.2,
            margin=50.0,
            header="DES Workshop 14: Apiary Data",
            footer="Dunmarrow Extension Service | {page} | February 2023",
            headings="ruled",
            accent="#1d4e89",
            justify=False,
            tables="zebra",
            bullet="\u2013",
        ),
        story=story,
    )


def _vessing() -> DemoDocument:
    story = [
        big_title(
            "Queen Lines on Paper",
            "Record workshop of the Vessing Island Breeding Group, 21 August 2021",
            centred=False,
        ),
        para("Speaker: Mette Aagaard-Rolle. Mating station report: Jorun Pask. Translation and slides: Edmund Lisle"),
        para(
            "The island has no bees but ours. Forty-two virgin queens fly each week in July, and every drone in the air has a grandmother whom we can name. This workshop is about how we know."
        ),
        box(
            "A breeding record which is right nine times in ten is worthless by the seventh generation: 0.9 multiplied by itself seven times is below one half.",
            title="Why so strict?",
        ),
        page_break(),
        heading("Programme"),
        table(
            [
                ["From", "Item"],
                ["10.00", "Ferry meets minibus; boots are disinfected on the quay"],
                ["10.45", "Mette: what a line is, and what it is not"],
                ["11.30", "The stud card and the colony card"],
                ["12.30", "Lunch (herring)"],
                ["13.30", "Jorun: the station's year"],
                ["14.15", "Scoring: temper, calmness, swarming, hygiene, honey"],
                ["15.15", "Practical: read a pedigree aloud"],
                ["16.40", "Ferry. It does not wait."],
            ],
            widths=(6, 44),
        ),
        para("The common code, hygiene:"),
        _code("hygiene", 5, "vessing-172", "§{}"),
        page_break(),
        heading("Two cards, never one"),
        para(
            "The __colony card__ follows a box of bees through one summer. The __stud card__ follows a queen for ever, across boxes, owners and death. Beginners merge the two, and when the queen is moved half of her life is left behind."
        ),
        table(
            [
                ["On the colony card", "On the stud card"],
                ["inspections", "code, year, breeder"],
                ["brood, stores, supers", "mother and drone line"],
                ["mite counts", "station and week of mating"],
                ["treatments", "all scores, with number of colonies compared"],
                ["feeding", "daughters raised, where they went"],
            ],
            widths=(17, 36),
        ),
        para("The common code on queens, our favourite part:"),
        _code("queens", 7, "vessing-1", "§{}"),
        page_break(),
        heading("The code"),
        para(
            "V-21-307-MP means: Vessing, hatched 2021, queen number 307, breeder Mette's pen. Nothing else may be put in a code. In 2008 someone put the colour of the tail in; the tail changed."
        ),
        bullets(
            [
                "Numbers are never used again, even for a queen that was lost on her first flight.",
                "The disc on her back is a help and not a proof. Discs fall off: 23 of 410 did so last year.",
                "Daughters carry their own number; the mother stands in the pedigree and not in the name.",
                'If in doubt, write "unknown". Eleven honest unknowns are cheaper than one false mother.',
            ]
        ),
        para("The common code of practice, which the group accepts and then tightens:"),
        _code("naming", 7, "vessing-3", "§{}"),
        page_break(),
        heading("Scoring at the hive"),
        para("Scores go from 1 to 6, and 6 is best. A score means nothing without the colonies beside it."),
        table(
            [
                ["Trait", "6", "3", "1"],
                ["Temper", "no veil needed", "veil, some smoke", "back to the boat"],
                ["Calm on comb", "sits still", "walks", "drips off the corner"],
                ["Swarming", "no cups", "cups, charged cells", "gone"],
                ["Hygiene, pinned brood in 24 h", "over 95 of 100 cleared", "about 70", "under 40"],
                ["Overwintering", "brood on 6 frames by May", "4", "1 or 2"],
            ],
            widths=(21, 19, 14, 15),
        ),
        para(
            "Two people score without speaking and then compare. If they are more than one point apart both numbers are kept."
        ),
        page_break(),
        heading("The test yard, summer 2020"),
        table(
            [
                ["Queen", "Mother", "Temper", "Hygiene", "Honey (kg)", "Mites per 100, July"],
                ["V-19-118", "V-17-044", "5.5", "97", "34.2", "0.8"],
                ["V-19-121", "V-17-044", "5.0", "91", "30.9", "1.4"],
                ["V-19-133", "V-16-209", "4.0", "88", "43.5", "2.3"],
                ["V-19-140", "V-16-209", "3.5", "72", "39.8", "3.1"],
                ["V-19-152", "V-17-061", "6.0", "64", "21.3", "2.9"],
                ["V-19-159", "V-17-061", "5.5", "69", "23.6", "3.6"],
            ],
            widths=(8, 8, 8, 9, 8, 13),
        ),
        para(
            "Daughters of 209 fill the barrel and sting the neighbours. Daughters of 061 are lambs with mites. Forty-four is dull in everything, and dull is what we breed."
        ),
        para("The common code on mites:"),
        _code("mites", 10, "vessing-22", "§{}"),
        page_break(),
        heading("Jorun's report from the mating station"),
        table(
            [
                ["Week", "Mating hives brought", "Queens mated", "Lost or drone-laying", "Mean wind (m/s)"],
                ["25", "96", "71", "25", "6.8"],
                ["26", "112", "93", "19", "5.1"],
                ["27", "120", "104", "16", "4.0"],
                ["28", "108", "61", "47", "9.2"],
                ["29", "84", "69", "15", "4.7"],
            ],
            widths=(6, 13, 8, 14, 10),
        ),
        para(
            "Week 28 was the gale, and the minibus driver's wedding. Both are on the card, since a later reader may wonder. The station fee stays at 65 kroner a queen; it was 48 when Jorun began."
        ),
        para(
            "Boxes without a stud code are turned back at the quay. There were four this year, and one of the four breeders wept."
        ),
        para("The common code on medicines, read out each year on the quay:"),
        _code("medicines", 8, "vessing-3", "§{}"),
        page_break(),
        heading("Colony record within the test"),
        para(
            "Test colonies are treated alike, and the record shows that they were: same feed, same day, same number of visits."
        ),
        numbered(
            [
                "Uniting to equal strength on 10 April, weighed, 1.6 kg of bees each.",
                "Inspections every ninth day until midsummer.",
                "Supers by rule: when bees cover eight frames, never by feeling.",
                "Pin test twice; take the mean.",
                "No treatment before the July count. After it everything is treated.",
                "Winter feed 16 kg of sugar each, weighed out by one person.",
            ]
        ),
        para("The inspector for the islands, Solveig Brandt, countersigns the list at point 5."),
        para("The common code on inspections, binding in the test yard:"),
        _code("inspection", 11, "vessing-5", "§{}"),
        page_break(),
        heading("Errors that we have made in public"),
        bullets(
            [
                "A drone line was credited to the station in 1999 while its colonies stood ashore with foulbrood quarantine. We wrote to 58 breeders.",
                'Honey of two colonies was spun together, then divided by two. Both queens became "average", and the better was culled.',
                "A row of five boxes was entered from the wrong end. The mistake was found by a child who noticed that the cross hive was in the wrong place.",
            ]
        ),
        para("Mette keeps a framed copy of the first letter over her desk."),
        para("The common code on weights, which would have saved the second of these queens:"),
        _code("weighing", 8, "vessing-4", "§{}"),
        page_break(),
        heading("Practical: read a pedigree aloud"),
        box(
            "V-21-307, daughter of V-19-118, daughter of V-17-044, daughter of V-15-012; drones from sisters of V-18-090.",
            title="Read",
        ),
        numbered(
            [
                "How many years lie between the oldest queen named and the youngest?",
                "Which of them can you find in the table of the test yard, and what was her honey?",
                "The next breeder wants more crop. Which mother would you add, and what is the price in temper?",
                "Write the stud card of a daughter hatched next year. Leave blank what cannot yet be known.",
            ]
        ),
        page_break(),
        heading("Membership and papers"),
        table(
            [
                ["Paper", "Price (kroner)", "Kept by"],
                ["Stud book, bound, 200 queens", "240", "breeder"],
                ["Colony cards, fifty", "55", "breeder"],
                ["Station passport, per box", "12", "quay"],
                ["Yearbook with all test results", "95", "library"],
                ["Loan of microscope, per week", "30", "Edmund"],
            ],
            widths=(27, 10, 7),
        ),
        para(
            "The group has 37 breeders, nine of them on the mainland, and meets in February to vote on lines. A line needs two thirds. Forty-four passed by one vote."
        ),
        para("The common code on keeping:"),
        _code("keeping", 9, "vessing-12", "§{}"),
    ]
    return DemoDocument(
        "vessing-queen-lines-on-paper-2021.pdf",
        "Queen Lines on Paper",
        TYPE,
        "tutorial_workshop",
        "hard_negative",
        style=Style(
            page="a4-landscape",
            font="sans",
            size=12.8,
            margin=60.0,
            header="Vessing Island Breeding Group | Queen Lines on Paper | 2021",
            footer="{page}",
            headings="plain",
            accent="#5b2a86",
            justify=False,
            tables="grid",
        ),
        story=story,
    )


def documents() -> list[DemoDocument]:
    return [_harrowmere(), _tessaly(), _quillan(), _oxmarsh(), _pellworth(), _orrin(), _dunmarrow(), _vessing()]


def questions() -> list[DemoQuestion]:
    return [
        DemoQuestion(
            "tutorial_workshop-01",
            HARROWMERE,
            "How many colonies did members of the Harrowmere Beekeepers' Association report lost after the bad winter?",
            "143",
            "Int",
            TEXT,
            ("they reported 143 colonies lost",),
            "lookup",
            "recall",
        ),
        DemoQuestion(
            "tutorial_workshop-02",
            HARROWMERE,
            "How many kilograms of honey did the Damson stock give in 2018, according to the Harrowmere workshop handout?",
            "31.7",
            "Float",
            TABLE,
            ("Damson 2016 31.7 8.5 23.2",),
            "lookup",
            "recall",
        ),
        DemoQuestion(
            "tutorial_workshop-03",
            HARROWMERE,
            "In the Rowan stock's 2018 season in the Harrowmere handout, on which visit was the mite drop per day highest?",
            "11 August",
            "Str",
            TABLE,
            ("11 August 6.5 24.2 37 thymol started",),
            "compare",
            "reasoning",
        ),
        DemoQuestion(
            "tutorial_workshop-04",
            HARROWMERE,
            "By how many pounds is the luggage scale dearer than the waterproof record book in the Harrowmere price list?",
            "12.25",
            "Float",
            TABLE,
            (
                "Waterproof record book, 80 leaves association table £6.20",
                "Luggage scale with hook, to 50 kg angling shop £18.45",
            ),
            "derive",
            "reasoning",
        ),
        DemoQuestion(
            "tutorial_workshop-05",
            HARROWMERE,
            "Which three mistakes turn up in nearly every box of old cards, according to the Harrowmere workshop?",
            '["renumbering hives after a move", "writing the verdict without the count", "two cards for one colony"]',
            "List",
            TEXT,
            (
                "renumbering hives after a move",
                "writing the verdict without the count",
                "two cards for one colony",
            ),
            "enumerate",
            "recall",
        ),
        DemoQuestion(
            "tutorial_workshop-06",
            HARROWMERE,
            "Who is the librarian with whom Harrowmere members book the digital hive scale?",
            "Constance Ardley",
            "Str",
            TEXT,
            ("Book it with the librarian, Constance Ardley",),
            "lookup",
            "recall",
        ),
        DemoQuestion(
            "tutorial_workshop-07",
            HARROWMERE,
            "How many of the six Harrowmere teaching stocks gave more than 20 kg of honey in 2018?",
            "3",
            "Int",
            TABLE,
            (
                "Damson 2016 31.7",
                "Rowan 2017 26.4",
                "Quince 2018 22.6",
            ),
            "count",
            "reasoning",
        ),
        DemoQuestion(
            "tutorial_workshop-08",
            TESSALY,
            "What did the electronic stand scale of the Tessaly Valley Apiary School cost, in euros?",
            "412",
            "Int",
            TEXT,
            ("bought in 2020 for 412 euros",),
            "lookup",
            "recall",
        ),
        DemoQuestion(
            "tutorial_workshop-09",
            TESSALY,
            "Who wrote the HiveLedger program used in the Tessaly Valley course?",
            "Ignatius Bell",
            "Str",
            TEXT,
            ("it was written by a former student, Ignatius Bell",),
            "lookup",
            "recall",
        ),
        DemoQuestion(
            "tutorial_workshop-10",
            TESSALY,
            "In the Tessaly Valley comparison of counting methods, what did the alcohol wash find per 100 bees in Plover?",
            "5.9",
            "Float",
            TABLE,
            ("Plover 94 4.8 5.9",),
            "lookup",
            "recall",
        ),
        DemoQuestion(
            "tutorial_workshop-11",
            TESSALY,
            "In Dipper's log in the Tessaly Valley notes, how many more minutes did the inspection of 29 May take than that of 17 April?",
            "29",
            "Int",
            TABLE,
            (
                "17 April 3.25 6 7.4 0 12",
                "29 May 8.50 14 14.3 7 41",
            ),
            "derive",
            "reasoning",
        ),
        DemoQuestion(
            "tutorial_workshop-12",
            TESSALY,
            "Which colony of the Tessaly Valley feeding plan needed the most syrup?",
            "Plover",
            "Str",
            TABLE,
            ("Plover 11.2 24 17.1 12, then united",),
            "compare",
            "reasoning",
        ),
        DemoQuestion(
            "tutorial_workshop-13",
            TESSALY,
            "Which three things must a buyer of a colony receive, in the opinion of the Tessaly Valley Apiary School?",
            '["queen line with year", "last two mite counts", "treatment dates with batch"]',
            "List",
            TEXT,
            (
                "queen line with year",
                "last two mite counts",
                "treatment dates with batch",
            ),
            "enumerate",
            "recall",
        ),
        DemoQuestion(
            "tutorial_workshop-14",
            TESSALY,
            "How many jars of honey did the Tessaly Valley school's season of 2020 fill?",
            "611",
            "Int",
            TABLE,
            ("2020 11 214 611 152 1",),
            "lookup",
            "recall",
        ),
        DemoQuestion(
            "tutorial_workshop-15",
            TESSALY,
            "What was the winter loss of the Tessaly Valley school's colonies in the season of 2021?",
            "Not answerable",
            "None",
            (),
            (),
            "lookup",
            "recall",
        ),
    ]
