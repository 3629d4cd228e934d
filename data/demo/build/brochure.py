"""The Brochure family: catalogues of cargo bicycles, with specifications, prices and terms.

Two makers are sources, each with an older brochure of its own among the siblings; the other makers sell the same kind
of thing with other figures. The terms are sentences of one imagined trade charter, quoted in part and in any order.
"""

import random

from data.demo.build.layout import (
    Block,
    DemoDocument,
    DemoQuestion,
    Style,
    band,
    box,
    bullets,
    contents,
    cover,
    heading,
    need,
    note,
    numbered,
    one_column,
    page_break,
    para,
    quote,
    table,
    two_column,
)

TYPE = "Brochure"
TEXT = ("Pure-text (Plain-text)",)
TABLE = ("Table",)
BRANNOCK = "brannock-haul-2023.pdf"
OSTREVELT = "ostrevelt-load-and-roll-2024.pdf"
# Sentences of the makers' common charter, by subject.
CODE = {
    "warranty": [
        "The frame is guaranteed against breakage for the number of years which is printed in the table of prices.",
        "The guarantee runs from the day on which the cargo bike is handed over to the first buyer.",
        "The guarantee passes to a second owner when the cargo bike is sold together with its service book.",
        "The guarantee does not cover tyres, brake pads, cables and other parts which wear out in use.",
        "The guarantee ends when the cargo bike is loaded beyond the permitted total weight which is stamped on the frame.",
        "The guarantee ends when parts of the electric drive are opened or changed by anybody but a dealer.",
        "A repair under the guarantee is made by the dealer who sold the cargo bike, and parts and labour are free of charge.",
        "A repair under the guarantee does not make the guarantee longer.",
        "Damage in transport must be reported to the dealer within the number of days which the law gives.",
    ],
    "battery": [
        "Charge the battery at room temperature, and never charge a battery which is frozen, wet or damaged.",
        "The range depends on the load, the wind, the hills, the tyre pressure and the level of support.",
        "The range was measured on a flat road with half of the permitted load and the middle level of support.",
        "Store the battery half full in a dry room when the cargo bike is not used for more than a month.",
        "Use only the charger which was delivered with the battery, and do not cover the charger while it is in use.",
        "A worn battery is taken back by the dealer free of charge and goes to a recycling works.",
        "The battery is locked to the frame, and the key of the battery lock also fits the frame lock.",
        "The battery keeps at least seven tenths of its capacity for the number of charges which is printed in the table.",
        "The motor supports the rider up to the speed which the law allows and not above it.",
    ],
    "loading": [
        "The permitted total weight is the weight of the cargo bike, the rider and the load together.",
        "Put heavy things at the bottom of the box and in front of the rear wheel, and tie the load down.",
        "Children sit on the bench with the belt fastened and wear a helmet on every ride.",
        "Do not carry more children than there are belts, and do not let children stand in the box.",
        "Put the cargo bike on its stand before children climb in or out of the box.",
        "Check the tyre pressure before a ride with a heavy load, and use the pressure which is printed on the tyre.",
        "Practise with an empty box on a quiet road before the first ride with children or with a heavy load.",
        "The rain cover must be closed at the front when the wind is strong or when the box is empty.",
        "Brake with both brakes, and brake earlier than you would without a load.",
    ],
    "service": [
        "The first service is due after the first weeks of use and is included in the price of the cargo bike.",
        "At the service the dealer checks the brakes, the spokes, the belt or chain, the steering and the battery.",
        "Wash the cargo bike with a soft brush and a little soap, and never with a high-pressure hose.",
        "Oil the chain and the steering joints once a month, and more often in winter when there is salt on the road.",
        "Have the brake pads changed when less than a millimetre is left on one of them.",
        "Spare parts are kept in stock for at least ten years after the last cargo bike of a model has been built.",
        "The dealer lends a cargo bike to the customer when a repair takes longer than the time in the table.",
        "The service book must show every service with the date, the distance and the stamp of the dealer.",
        "Check the bolts of the box and of the steering by hand once a week.",
    ],
    "orders": [
        "All prices include the tax and the first service, and do not include delivery to the door.",
        "Prices and colours may change during the year, and the price on the day of the order is the price that counts.",
        "An order is binding when it has been signed by the buyer and by the dealer and the deposit has been paid.",
        "The deposit is a part of the price and is returned if the cargo bike cannot be delivered in time.",
        "The buyer may give the cargo bike back within two weeks, if it is clean and has not been used on the road.",
        "The time of delivery is counted from the day on which the deposit is paid.",
        "The cargo bike remains the property of the dealer until the whole price has been paid.",
        "A test ride is free, and the rider is insured by the dealer during the test ride.",
        "Accessories which are ordered with the cargo bike are fitted by the dealer free of charge.",
    ],
    "measures": [
        "The weight of the cargo bike is given with the battery and without accessories.",
        "The length and the width of the box are measured inside, at the height of the bench.",
        "The height of the rider is a recommendation, and the saddle and the handlebar can be changed without tools.",
        "The load is given for the box alone, and the load of the rear carrier must be added to it.",
        "The time of charging is the time in which an empty battery becomes full with the charger in the table.",
        "The turning circle is measured at the outer edge of the box with the handlebar fully turned.",
        "Tolerances of two per cent are possible in the weight and in the measures of the box.",
        "The colours in this brochure may differ from the colours of the paint, so ask the dealer for a sample.",
    ],
    "safety": [
        "Lock the frame and the front wheel to something that cannot be carried away, also for a short stop.",
        "Write the number of the frame in the service book, since the police will ask for the number of the frame.",
        "Switch the lights on by day, and keep the reflectors at the sides of the box clean.",
        "Do not ride when a brake or the steering makes a noise that it did not make before.",
        "Have the cargo bike checked by a dealer after every fall and after every collision.",
        "Do not change the software of the motor, since the cargo bike is then no longer allowed on the road.",
        "Teach every rider who borrows the cargo bike how the stand, the brakes and the battery lock work.",
    ],
}


def _code(topic: str, count: int, seed: str, form: str) -> Block:
    chosen = random.Random(f"{seed}|{topic}").sample(CODE[topic], count)
    return numbered(chosen, form=form)


def _brannock23() -> DemoDocument:
    story = [
        cover(
            "Haul 2023",
            "Cargo bikes from Brannock",
            ["Built in the old rope works at Brannock Quay", "Four models, one workshop, no showroom music"],
            band_text="BRANNOCK CYCLES",
            bottom=["Price list valid from 1 February 2023", "Please pass this brochure on when you have chosen"],
        ),
        heading("A letter from the rope works"),
        para(
            "Dear reader, this is our eleventh brochure and the first which I have written without my father looking over my shoulder. He retired in October, came back in November, and now sweeps. In the year behind us we built 1,268 cargo bikes. That is more than in any year before and still fewer than a big factory makes in a week; each of them was ridden round the quay by the person who signed its frame."
        ),
        para(
            "Three things are new. The Drover has arrived after two winters of being nearly ready. The Heron has a lower step, because Mrs Abiola at the bakery asked for it in plain words. And all models now have the same battery, so that a household with two bikes needs one spare."
        ),
        para("What has not changed: we weld, paint and build under one roof, and we answer the telephone ourselves."),
        quote("If you can't explain a bike to a child it's the bike that's wrong.", "Edwin Brannock, sweeping"),
        para("Rosalind Brannock, managing director"),
        page_break(),
        need(150),
        band("The range at a glance"),
        table(
            [
                ["", "Heron", "Badger", "Otter", "Drover"],
                ["Wheels", "two", "three", "two", "three"],
                ["Permitted total weight (kg)", "225", "265", "205", "340"],
                ["Load in the box (kg)", "95", "120", "60", "185"],
                ["Load of the rear carrier (kg)", "30", "25", "75", "35"],
                ["Weight with battery (kg)", "38.6", "52.4", "31.9", "67.3"],
                ["Length overall (cm)", "258", "211", "196", "234"],
                ["Battery capacity (Wh)", "545", "545", "545", "1,090"],
                ["Range at the middle level of support (km)", "62", "51", "74", "83"],
                ["Time of charging (hours)", "4.2", "4.2", "4.2", "7.5"],
                ["Motor torque (Nm)", "85", "85", "65", "120"],
                ["Turning circle (m)", "5.8", "3.9", "4.1", "4.6"],
                ["Children, at most", "3", "4", "2", "0"],
                ["Frame guarantee (years)", "10", "10", "10", "6"],
                ["Price (£)", "5,145", "5,715", "4,275", "7,860"],
            ],
            widths=(31, 7, 8, 7, 8),
            caption="Specification 2023",
        ),
        note("The Drover has two batteries of the common kind side by side. It may be ridden on one."),
        para(
            "How to read the table: measures were taken by our apprentice with a steel tape and checked by somebody who dislikes him."
        ),
        _code("measures", 6, "brannock23", "Note {}:"),
        need(150),
        need(150),
        band("Heron"),
        para("The long one. Steady as a barge, quick as a postman.", lead=True),
        para(
            "The Heron carries its box between the rider and the front wheel. You see your children's hats the whole way, which parents tell us is worth more than any number in the table. The steering runs by rod and not by cable, since cables stretch at the worst moment."
        ),
        bullets(
            [
                "box of birch plywood, oiled, 72 by 58 cm inside",
                "hydraulic brakes with 180 mm discs",
                "belt and hub gear, eight speeds",
                "colours: slate, moss, lifeboat orange",
            ]
        ),
        box(
            "Nurse Jelena Whitlock has ridden Heron number 0417 since 2014 through three villages, in every weather, 41,300 km. She has had two belts, seven sets of pads and one new bell.",
            title="From the order book",
        ),
        para(
            "A bench for a third child costs £85 and turns the other way, so that the quarrel is face to face. Under the bench is a locker which will hold a rain cover, a picnic or one cello's worth of sheet music, and not a cello."
        ),
        need(150),
        band("Loading, in plain words"),
        _code("loading", 7, "brannock23", "{}."),
        need(150),
        need(150),
        band("Badger"),
        para("Three wheels, and it leans.", lead=True),
        para(
            "Nobody likes the first corner on a tricycle that doesn't. The Badger's two front wheels tilt together up to 22 degrees, and a lever holds them upright while small people climb aboard. You may stop without putting a foot down, which matters in the queue at the school gate."
        ),
        table(
            [
                ["Box", "Standard", "Nursery"],
                ["Length inside (cm)", "92", "118"],
                ["Width inside (cm)", "63", "63"],
                ["Benches", "2", "3"],
                ["Belts", "4", "6"],
                ["Extra price (£)", "none", "640"],
            ],
            widths=(15, 10, 9),
        ),
        para(
            "The nursery box is for trained staff only and is delivered with a half-day course, which Hamish Lorne gives on our yard with sandbags called after prime ministers."
        ),
        need(150),
        need(150),
        band("Otter"),
        para("When it has to go up the stairs.", lead=True),
        para(
            "The Otter is our longtail: one frame, a long carrier, small wheels, two passengers behind you on a padded board. It stands upright in a lift. It is the lightest thing we make and the only one that fits behind the bus in the hire rack at the ferry."
        ),
        bullets(
            [
                "folds at the handlebar to 94 cm high",
                "foot boards, wheel guards and a grab rail are part of the bike",
                "accepts two ordinary panniers or our canvas bags",
            ]
        ),
        para(
            "A family on Sallow Street sent us a picture of an Otter with a Christmas tree, two boys and a goose. We can't recommend the goose."
        ),
        need(150),
        band("Drover"),
        para("For people who are paid by the crate.", lead=True),
        para(
            "The Drover was built with five trades in mind and tried by a fishmonger, a chimney sweep, a library, a joiner and a man who tunes pianos. It takes a pallet of 80 by 60 cm at knee height. There is a reverse gear. There is no seat for children, and there never will be."
        ),
        para(
            "The motor is the strongest that the law allows and the brakes are from a light motorcycle. Trade buyers get the frame number of their choice if it is free; 0001 is not."
        ),
        need(150),
        need(150),
        band("Batteries and range"),
        para(
            "One battery fits all four models. It weighs 3.4 kg, slides in from the side and has a handle big enough for a mitten. A spare costs £495. The guarantee on the battery is three years or 700 charges, whichever comes first."
        ),
        _code("battery", 8, "brannock23", "{}."),
        box(
            "Our test road goes from the quay to the lighthouse and back. It is flat because the sea is. If you live on Gallows Hill take away a third.",
            title="Honest kilometres",
        ),
        need(150),
        need(150),
        band("Accessories and prices"),
        table(
            [
                ["Item", "Fits", "Price (£)"],
                ["Rain cover, clear windows", "Heron, Badger", "219"],
                ["Rain cover, nursery", "Badger", "348"],
                ["Third bench", "Heron", "85"],
                ["Spare battery", "all", "495"],
                ["Padded board with belts", "Otter", "132"],
                ["Canvas side bags, pair", "Otter", "98"],
                ["Flat bed, aluminium", "Drover", "410"],
                ["Insulated box, 210 litres", "Drover", "775"],
                ["Frame lock with chain", "all", "67"],
                ["Child's footbath (it is a bucket)", "all", "6"],
            ],
            widths=(27, 10, 7),
        ),
        para(
            "Painting in a colour of your own costs £260 and takes three weeks longer. Sign writing is done by Ottilie Marsh, who charges by the letter and will argue about your apostrophe."
        ),
        need(150),
        band("Ordering"),
        para(
            "Delivery takes 9 weeks from deposit for Heron, Badger and Otter, and 14 weeks for the Drover. The deposit is one fifth of the price."
        ),
        _code("orders", 8, "brannock23", "({})"),
        need(150),
        need(150),
        band("Dealers"),
        para("We have few, and we chose them by their tool walls."),
        table(
            [
                ["Town", "Dealer", "Since", "Test bikes"],
                ["Brannock Quay", "the rope works", "2011", "6"],
                ["Sallowby", "Pike & Daughter", "2013", "3"],
                ["Upper Treddle", "The Spoke Room", "2016", "2"],
                ["Marchhaven", "Velodrome Vic", "2019", "4"],
                ["Kirk Ansty", "Ansty Wheelwrights", "2022", "2"],
            ],
            widths=(12, 16, 7, 7),
        ),
        para(
            "Pike & Daughter will ride to your door within twenty miles. The Spoke Room is shut on Wednesdays, when Vic's is open late; they used to be married."
        ),
        need(150),
        band("Service"),
        _code("service", 8, "brannock23", "{}."),
        table(
            [
                ["Service plan", "Per year (£)", "Visits", "Loan bike after"],
                ["Fair weather", "115", "1", "5 days"],
                ["All weather", "189", "2", "2 days"],
                ["Trade", "372", "4", "same day"],
            ],
            widths=(11, 9, 8, 12),
        ),
        need(150),
        need(150),
        band("Guarantee"),
        para(
            "My grandfather's guarantee was a handshake, and our solicitor would like you to know that it still counts but that this counts more:"
        ),
        _code("warranty", 7, "brannock23", "{}."),
        need(150),
        band("Safe riding"),
        _code("safety", 6, "brannock23", "{}."),
        need(150),
        need(150),
        band("The workshop"),
        para(
            "You may visit on the first Saturday of the month at eleven. Bring stout shoes. You'll see the jig on which every frame since number 12 has been welded, the oven, and a wall of the parts that came back and what they taught us. Of the bikes sold in 2012, our first full year, 97 in a hundred are still on the road, as far as the owners have written."
        ),
        para("We are 34 people. Three of us came as customers with a complaint."),
        table(
            [
                ["Who", "Does"],
                ["Rosalind Brannock", "runs it"],
                ["Tobias Achterberg", "frames and jigs"],
                ["Hamish Lorne", "courses and test rides"],
                ["Priya Nandakumar", "motors, batteries, swearing"],
                ["Ottilie Marsh", "paint and letters"],
            ],
            widths=(15, 22),
        ),
        box(
            "Brannock Cycles, The Rope Works, Brannock Quay. Letters with drawings are answered first.",
            title="Write to us",
        ),
    ]
    return DemoDocument(
        "brannock-haul-2023.pdf",
        "Brannock Cycles: Haul 2023",
        TYPE,
        "brochure",
        "source",
        style=Style(
            page="a5",
            font="sans",
            size=10.2,
            margin=42.0,
            footer="{page} | Haul 2023",
            mirror=True,
            accent="#8c3b0f",
            justify=False,
            tables="zebra",
            header="Brannock Cycles",
        ),
        story=story,
    )


def _ostrevelt24() -> DemoDocument:
    story = [
        cover(
            "Load & Roll",
            "The Ostrevelt catalogue of freight and family bicycles, 2024 / 25",
            ["English edition"],
            band_text="OSTREVELT LASTWIEL",
            bottom=[
                "Ostrevelt Lastwiel, canal port of Ostrevelt",
                "Retail prices in euro, including tax, from 1 March 2024",
            ],
        ),
        heading("Forty years on the canal"),
        para(
            "In 1984 Wim Ostrevelt took the engine out of a dairy tricycle, found that he could still move it, and sold it the same afternoon. He has regretted that sale ever since; the machine stands in a museum and we pay to see it. Today 212 colleagues make freight bicycles in three halls, and the milk float's steering head is in all of them, hardly changed."
        ),
        para(
            "This catalogue has two halves. The blue half is for families, the red half for firms. Between them are the pages nobody reads and everybody needs: measures, batteries, conditions. We have tried to make them short."
        ),
        para(
            "For the anniversary every bicycle built in 2024 has a brass plate with the name of the fitter. If something creaks, you know whom to blame."
        ),
        contents("In this catalogue", levels=2),
        need(150),
        need(150),
        band("Family: the Kade series"),
        para(
            "The Kade is a two-wheeler with the box in front, in two lengths. It is what you see outside schools in the flat country, usually with a wet dog in it."
        ),
        table(
            [
                ["", "Kade 60", "Kade 80", "Kade 80 Plus"],
                ["Permitted total weight (kg)", "210", "230", "250"],
                ["Load in the box (kg)", "80", "100", "115"],
                ["Weight with battery (kg)", "41.2", "44.7", "46.1"],
                ["Length overall (cm)", "238", "262", "262"],
                ["Box length inside (cm)", "60", "82", "82"],
                ["Box width inside (cm)", "54", "61", "61"],
                ["Battery capacity (Wh)", "504", "504", "750"],
                ["Range at the middle level of support (km)", "55", "53", "78"],
                ["Time of charging (hours)", "4.6", "4.6", "5.9"],
                ["Motor torque (Nm)", "75", "75", "90"],
                ["Children, at most", "2", "4", "4"],
                ["Rider height (cm)", "150 to 185", "155 to 195", "155 to 195"],
                ["Price (EUR)", "4,599", "5,249", "6,085"],
            ],
            widths=(32, 7, 7, 8),
            caption="Kade series",
        ),
        para(
            "Which one? Measure the space beside your bins. If it is shorter than 2.70 m, take the 60 and visit the dog on foot."
        ),
        need(150),
        need(150),
        band("Family: the Polder tricycle"),
        para("Slow is a feature.", lead=True),
        para(
            "The Polder has two wheels in front, a flat floor 28 cm above the road and a door in the box, so that a child of two can get in alone, and out again, and in again."
        ),
        table(
            [
                ["", "Polder", "Polder Twin"],
                ["Permitted total weight (kg)", "280", "300"],
                ["Load in the box (kg)", "125", "150"],
                ["Weight with battery (kg)", "58.3", "63.9"],
                ["Battery capacity (Wh)", "504", "1,008"],
                ["Range at the middle level of support (km)", "44", "81"],
                ["Turning circle (m)", "3.6", "3.7"],
                ["Children, at most", "4", "6"],
                ["Price (EUR)", "5,430", "6,795"],
            ],
            widths=(32, 8, 8),
        ),
        para(
            "The Twin is bought by crèches. Its second battery lives beneath the rear bench, behind a flap which a grown-up thumb can open and a small one, so far, can't."
        ),
        quote(
            "We had a bus. Now we have two Twins and no parking fines.",
            "crèche De Rietzanger, on the back of a drawing",
        ),
        need(150),
        band("Children on board"),
        _code("loading", 8, "ostrevelt24", "Rule {}:"),
        page_break(),
        need(150),
        band("Firms: the Stevedore series"),
        para(
            "Steel, bolted, repairable with three keys. A Stevedore is a chassis to which you add a body. Couriers run them for eight hours and two riders a day."
        ),
        table(
            [
                ["", "Stevedore S", "Stevedore L", "Stevedore XL"],
                ["Wheels", "two", "three", "four"],
                ["Permitted total weight (kg)", "270", "365", "480"],
                ["Load in the box (kg)", "140", "210", "305"],
                ["Weight with battery (kg)", "49.8", "71.5", "96.4"],
                ["Battery capacity (Wh)", "750", "1,500", "2,250"],
                ["Range at the middle level of support (km)", "68", "94", "102"],
                ["Time of charging (hours)", "5.9", "6.3", "8.8"],
                ["Motor torque (Nm)", "90", "110", "130"],
                ["Turning circle (m)", "6.2", "4.8", "5.5"],
                ["Frame guarantee (years)", "7", "7", "5"],
                ["Price of chassis (EUR)", "5,870", "8,140", "11,360"],
            ],
            widths=(32, 11, 11, 11),
            caption="Stevedore chassis",
        ),
        note("All three take the same spokes, pads and bulbs. The red toolbox under the saddle holds one of each."),
        para(
            "Fleet customers get a named mechanic. In 2023 the mean time between a call and a rolling bicycle was 5.45 hours in town and 11.2 hours outside."
        ),
        need(150),
        need(150),
        band("Firms: bodies for the Stevedore"),
        table(
            [
                ["Body", "Volume (litres)", "Fits", "Mass (kg)", "Price (EUR)"],
                ["Courier box, roller shutter", "640", "S, L", "24", "1,190"],
                ["Tall courier box", "1,450", "L, XL", "46", "1,975"],
                ["Cool box, passive ice", "310", "S, L", "38", "2,640"],
                ["Tipper for gardeners", "420", "L", "33", "1,385"],
                ["Market stall with awning", "780", "XL", "71", "3,420"],
                ["Flat bed with rails", "-", "all", "15", "465"],
            ],
            widths=(23, 10, 6, 6, 9),
        ),
        para(
            "The market stall opens in four minutes. Flower seller Joke Terpstra does it in two and a half, and won't say how."
        ),
        need(150),
        band("Lease"),
        table(
            [
                ["Term (months)", "S with box", "L with box", "XL with tall box"],
                ["24", "289", "391", "548"],
                ["36", "214", "297", "419"],
                ["48", "178", "246", "352"],
            ],
            widths=(10, 8, 8, 12),
        ),
        para(
            "EUR a month before tax, service and insurance included. Ask Annelien Grootveld in the fleet office; she prefers the telephone before ten."
        ),
        two_column(),
        need(150),
        band("Batteries"),
        para(
            "Two sizes, made for us in the next province. The cell count is on the label because you are grown up. A 504 Wh battery weighs 2.9 kg and costs EUR 579; the 750 weighs 4.1 kg and costs EUR 765. Either is good for 900 charges."
        ),
        _code("battery", 8, "ostrevelt24", "B{}"),
        need(150),
        band("Measures explained"),
        _code("measures", 7, "ostrevelt24", "M{}"),
        one_column(),
        need(150),
        band("Accessories"),
        table(
            [
                ["Article", "No.", "For", "Price (EUR)"],
                ["Rain tent, high", "8011", "Kade 80", "279"],
                ["Rain tent, low", "8010", "Kade 60", "255"],
                ["Sun sail", "8024", "Polder", "88"],
                ["Baby shell adapter", "8103", "Kade, Polder", "74"],
                ["Dog ramp", "8140", "Polder", "63"],
                ["Second lock, chain 1.4 m", "8302", "all", "82"],
                ["Wind screen for hands", "8330", "all", "46"],
                ["Tool roll", "8400", "Stevedore", "119"],
            ],
            widths=(19, 5, 9, 8),
        ),
        para("Baby shells by Mollig and Tuk fit the adapter. Others may look as though they fit; please don't."),
        need(150),
        band("Colours"),
        para(
            "Kade: herring silver, brick, reed green. Polder: butter, sky. Stevedore: any colour, provided that somebody has already ordered a litre of it."
        ),
        two_column(),
        need(150),
        band("Conditions of sale"),
        para(
            "The shop floor asked that we print these in the same size as everything else. They hold for families and firms alike, except where a fleet contract says something better."
        ),
        _code("orders", 8, "ostrevelt24-6", "{}."),
        box(
            "Kade in 5 weeks, Polder in 8 weeks, Stevedore S and L in 11 weeks, XL in 17 weeks. The deposit is EUR 500 for a family bicycle, and a quarter of the price for a firm's.",
            title="Delivery in 2024",
        ),
        need(150),
        band("Guarantee"),
        _code("warranty", 8, "ostrevelt24-1", "{}."),
        one_column(),
        need(150),
        band("Looking after it"),
        _code("service", 8, "ostrevelt24", "{}."),
        table(
            [
                ["Work", "Kade", "Polder", "Stevedore"],
                ["Small service (EUR)", "79", "95", "128"],
                ["Large service (EUR)", "164", "187", "259"],
                ["New belt, fitted (EUR)", "112", "112", "143"],
                ["Wheel trued (EUR)", "18", "18", "27"],
            ],
            widths=(19, 6, 8, 11),
        ),
        need(150),
        need(150),
        band("On the road"),
        _code("safety", 6, "ostrevelt24", "{}."),
        para(
            "The driving school for freight bicycles meets each Thursday on the old fish quay. Instructor Bram Hoekzema has taught 1,934 people, of whom one fell into the dock. He fished her out himself and they are now colleagues."
        ),
        need(150),
        band("Where to find us"),
        table(
            [
                ["Place", "Shop", "Open"],
                ["Ostrevelt", "Lastwiel hall 2", "Mon to Sat"],
                ["Grauwerd", "Fietskade", "Tue to Sat"],
                ["Nieuwzijl", "De Bakfietserij", "Wed to Sun"],
                ["Halmstee", "Van Dorp Wheels", "Tue to Fri"],
                ["Mirkum", "Lastwiel fleet office", "weekdays"],
            ],
            widths=(8, 17, 9),
        ),
        para(
            "Three shops hold the whole range for test rides, namely Ostrevelt, Grauwerd and Halmstee. The fleet office in Mirkum has Stevedores only, and very good coffee."
        ),
    ]
    return DemoDocument(
        "ostrevelt-load-and-roll-2024.pdf",
        "Ostrevelt: Load & Roll 2024 / 25",
        TYPE,
        "brochure",
        "source",
        style=Style(
            page="b5",
            font="sans",
            size=11.0,
            margin=52.0,
            header="Ostrevelt Lastwiel | 2024 / 25",
            footer="{page}",
            accent="#0a3d62",
            justify=False,
        ),
        story=story,
    )


def _brannock21() -> DemoDocument:
    story = [
        cover(
            "Brannock Cycles",
            "The brochure for 2021",
            ["Cargo bikes, made by hand at Brannock Quay", "With the new Otter"],
            bottom=["Prices from January 2021"],
        ),
        heading("From the bench"),
        para(
            "Edwin Brannock writes: I never meant to have a brochure. People would come, ride something, and take it away. But last spring nobody was allowed to come, and our Rosalind photographed the lot on the slipway, in the rain, with a bedsheet for a background, and sold the year's work in nine days by post. We made 861 machines and I learned to use a camera for talking."
        ),
        para(
            "This year there are three models. I've been asked for a fourth every week, for builders and fish. It's on the drawing board and there it stays till I trust the hinge."
        ),
        para(
            "If you are in doubt, don't buy one. Borrow a neighbour's first. If your neighbour has none, be the neighbour."
        ),
        page_break(),
        band("Heron, Badger, Otter: figures"),
        table(
            [
                ["", "Heron", "Badger", "Otter"],
                ["Wheels", "two", "three", "two"],
                ["Permitted total weight (kg)", "215", "250", "195"],
                ["Load in the box (kg)", "90", "110", "55"],
                ["Weight with battery (kg)", "40.1", "54.8", "33.0"],
                ["Length overall (cm)", "261", "214", "199"],
                ["Battery capacity (Wh)", "418", "418", "396"],
                ["Range at the middle level of support (km)", "48", "39", "57"],
                ["Time of charging (hours)", "3.8", "3.8", "3.5"],
                ["Motor torque (Nm)", "70", "70", "60"],
                ["Turning circle (m)", "6.1", "4.0", "4.3"],
                ["Children, at most", "2", "4", "2"],
                ["Frame guarantee (years)", "8", "8", "8"],
                ["Price (£)", "4,380", "4,925", "3,690"],
            ],
            widths=(31, 7, 8, 7),
        ),
        para("Weighed on the fish market's scale, by kind permission of the fish."),
        _code("measures", 7, "brannock21", "{}."),
        page_break(),
        band("Heron"),
        para(
            "Eleven years old in May, and the one I ride. Long, low, with the box in front where you can see the bread. I put the steering rod on the left after a lad in Sallowby caught his trouser on the right."
        ),
        para(
            "The plywood comes from one mill. They send me the offcuts as well, and those become the benches. Oil them in spring."
        ),
        para(
            "Last August a retired trawlerman from Cutler's Row asked if a Heron would float. It won't, but we found out properly, with the whole quay watching, a rope, two buoys and the harbourmaster pretending to inspect bollards. It rose upside down by the slip. Dried, greased and re-belted, the same machine now delivers sandwiches to the grammar school, smelling faintly of kelp."
        ),
        bullets(
            [
                "new: wider mudguards, since customers wrote about their socks",
                "new: bell that can be heard by a man with a leaf blower",
                "gone: the yellow. Nobody bought the yellow.",
            ]
        ),
        band("How to carry things"),
        _code("loading", 8, "brannock21-1", "{})"),
        page_break(),
        band("Badger"),
        para(
            "The tilting linkage took me four years. Before that it was a wheelbarrow with ideas. It now goes round the lighthouse corner with three grandchildren aboard and none of them notices, which is what I was after."
        ),
        para(
            "A vicar, a midwife and an ice-cream seller were my guinea pigs, in that order of patience. Each kept a diary for thirteen weeks. The vicar's was the rudest."
        ),
        para(
            "You will want the lock lever on slopes; practise with it. The box is 90 by 62 inside, and there are four belts of the sort they use in rally cars. I bought 600 of them from a bankrupt."
        ),
        band("Otter"),
        para(
            "New, and Tobias Achterberg's first frame from drawing to road. I thought it too bendy. I rode it to my sister's with her on the back and I take it back. It carries behind you, not in front, and stands on end in a passage. Two small passengers or one large shopping."
        ),
        quote("Rides like a bicycle. That's praise.", "my sister"),
        page_break(),
        band("Batteries"),
        para(
            "The Otter's battery is a different shape from the other two, and I'm sorry: the supplier changed it while we were looking the other way. We'll have one shape for everything when we can. A spare is £389 for Heron and Badger, £362 for Otter. Two years' guarantee, or 500 charges."
        ),
        _code("battery", 8, "brannock21", "{})"),
        box(
            "Quay to lighthouse and back is 6.2 km. A Heron on the middle setting with a bag of sand went round it seven times and three quarters, in April, with the wind doing what it liked.",
            title="From my notebook",
        ),
        page_break(),
        band("Extras"),
        table(
            [
                ["What", "Price (£)"],
                ["Rain cover Heron", "184"],
                ["Rain cover Badger", "196"],
                ["Bench for Heron", "70"],
                ["Board with belts, Otter", "118"],
                ["Bags for Otter, pair", "86"],
                ["Lock, frame", "41"],
                ["Chain for it", "23"],
                ["Repaint in any colour but yellow", "225"],
            ],
            widths=(25, 7),
        ),
        band("To order"),
        para(
            "Fill in the card, or telephone and Rosalind will fill it in. I need a tenth down. Twelve weeks at present, as hubs are stuck on a ship."
        ),
        _code("orders", 8, "brannock21-1", "{})"),
        page_break(),
        band("What is guaranteed"),
        para("The lawyer wrote this bit. I asked him to do it in words of one yard or less."),
        _code("warranty", 8, "brannock21-8", "{})"),
        page_break(),
        band("Keeping it going"),
        _code("service", 8, "brannock21", "{})"),
        para(
            "First service we do with you standing by, if you like. I'd rather teach you to set a brake than do it for you for thirty years."
        ),
        table([["Yearly care", "Price (£)", "Visits"], ["Light", "90", "1"], ["Proper", "150", "2"]], widths=(9, 7, 8)),
        page_break(),
        band("Out and about"),
        _code("safety", 7, "brannock21", "{})"),
        para(
            "I add one of my own. Ring, smile, then pass. In that order. Nobody ever wrote to a newspaper about a cyclist who smiled."
        ),
        band("Agents"),
        table(
            [
                ["Town", "Name", "Telephone hours"],
                ["Sallowby", "Pike & Daughter", "mornings"],
                ["Upper Treddle", "The Spoke Room", "not Wednesdays"],
                ["Marchhaven", "Velodrome Vic", "after two"],
            ],
            widths=(11, 13, 13),
        ),
        para("Each has at least one of everything to ride. They get the same margin and the same Christmas card."),
        page_break(),
        band("A short history, with mistakes"),
        table(
            [
                ["Year", "What we did", "What was wrong with it"],
                ["2010", "first Heron, for the bakery", "too tall"],
                ["2011", "moved into the rope works", "roof"],
                ["2012", "frame number 12: the jig", "numbers 1 to 11"],
                ["2014", "Badger, not tilting", "everything"],
                ["2018", "Badger, tilting", "price"],
                ["2020", "sold by post", "my nerves"],
                ["2021", "Otter", "we shall see"],
            ],
            widths=(6, 23, 17),
        ),
        para(
            "Twenty-two people work here. In March we open the doors for the town; there's soup. The oldest Heron, which is not for sale and never mind what you offer, will be at the door for leaning on."
        ),
    ]
    return DemoDocument(
        "brannock-brochure-2021.pdf",
        "Brannock Cycles: the brochure for 2021",
        TYPE,
        "brochure",
        "hard_negative",
        style=Style(page="a5", font="serif", size=10.4, margin=44.0, footer="{page}", accent="#5c2c0b", tables="rules"),
        story=story,
    )


def _ostrevelt22() -> DemoDocument:
    story = [
        cover(
            "Ostrevelt for fleets",
            "Freight bicycles for parcel, post and public works: the 2022 programme",
            ["For purchasing departments"],
            band_text="OSTREVELT LASTWIEL ZAKELIJK",
            bottom=["Net prices in euro without tax", "Edition of January 2022"],
            drop=85.0,
        ),
        heading("Executive summary"),
        para(
            "A van in the inner cities of our region spends 63 per cent of its working day standing. The Stevedore series addresses the last two kilometres. In 2021 fleets operated 1,406 of our chassis; availability, as reported by the operators, was 96.8 per cent. This programme sets out vehicles, bodies, contracts and operating figures so that a decision can be prepared without a visit from a salesman, although he would like one."
        ),
        box(
            "Cost per stop, access to streets closed to motors, and the ease of finding riders where you can't find drivers.",
            title="Three arguments for your board",
        ),
        page_break(),
        band("Chassis"),
        table(
            [
                ["", "Stevedore S", "Stevedore L"],
                ["Wheels", "two", "three"],
                ["Permitted total weight (kg)", "250", "340"],
                ["Load in the box (kg)", "125", "190"],
                ["Weight with battery (kg)", "51.6", "74.2"],
                ["Length overall (cm)", "271", "246"],
                ["Battery capacity (Wh)", "630", "1,260"],
                ["Range at the middle level of support (km)", "57", "76"],
                ["Time of charging (hours)", "5.2", "6.9"],
                ["Motor torque (Nm)", "80", "100"],
                ["Turning circle (m)", "6.5", "5.1"],
                ["Frame guarantee (years)", "5", "5"],
                ["Net price of chassis (EUR)", "4,720", "6,530"],
            ],
            widths=(32, 11, 11),
        ),
        para(
            "An XL with four wheels is under test with the post at Grauwerd and is not offered yet. The data will be published when 10,000 km have been ridden by people who weren't told to be careful."
        ),
        _code("measures", 7, "ostrevelt22-1", "4.{}"),
        page_break(),
        band("Bodies"),
        table(
            [
                ["Body", "Volume (litres)", "Chassis", "Net price (EUR)"],
                ["Courier box, hinged lid", "590", "S, L", "870"],
                ["Post trays, 12", "410", "S", "935"],
                ["Street sweeper's kit", "-", "L", "1,260"],
                ["Cool box, passive ice", "290", "L", "2,185"],
                ["Flat bed with rails", "-", "S, L", "385"],
            ],
            widths=(20, 10, 9, 11),
        ),
        para(
            "Bodies are exchanged on four bolts by one person; the record in our hall is 3 minutes 40 seconds by apprentice Sietske Bouma."
        ),
        band("Loading instruction for staff"),
        para("To be read at induction and signed."),
        _code("loading", 8, "ostrevelt22", "5.{}"),
        page_break(),
        band("Cost per stop: a worked case"),
        para(
            "The parcel firm Hazewind in Nieuwzijl replaced seven vans in June 2020 by eleven Stevedores L. The figures are theirs and were checked by their accountant, who didn't believe them."
        ),
        table(
            [
                ["Per working day", "Van", "Stevedore L"],
                ["Stops", "94", "81"],
                ["Distance (km)", "38", "33"],
                ["Energy (EUR)", "11.70", "0.62"],
                ["Fines and parking (EUR)", "9.15", "0.00"],
                ["Depreciation (EUR)", "21.40", "7.85"],
                ["Service (EUR)", "8.30", "6.95"],
                ["Cost per stop without wages (EUR)", "0.54", "0.19"],
            ],
            widths=(26, 5, 11),
        ),
        para(
            "Sick leave among the riders is lower than among the drivers by two days a year. The works council puts it down to sandwiches."
        ),
        page_break(),
        band("Operating lease"),
        table(
            [
                ["Term (months)", "S (EUR a month)", "L (EUR a month)"],
                ["24", "241", "333"],
                ["36", "186", "259"],
                ["60", "139", "197"],
            ],
            widths=(10, 11, 11),
        ),
        para(
            "Insurance and tyres are included, vandalism up to two cases per vehicle. Return in working order; scratches are experience."
        ),
        band("Order conditions"),
        _code("orders", 7, "ostrevelt22-22", "6.{}"),
        page_break(),
        band("Battery logistics"),
        para(
            "A depot of twenty vehicles needs twenty-six batteries and two lockers. Change at noon; nobody is asked to lift more than 3.6 kg. The price of the 630 Wh unit is EUR 612 net, falling to EUR 548 from fifty units. A unit is written off after 800 charges."
        ),
        _code("battery", 8, "ostrevelt22-2", "7.{}"),
        page_break(),
        band("Service levels"),
        table(
            [
                ["Level", "Answer", "On site", "Loan vehicle", "EUR per vehicle and year"],
                ["Bronze", "next day", "3 days", "no", "210"],
                ["Silver", "4 hours", "next day", "yes", "335"],
                ["Gold", "1 hour", "same day", "standing by", "490"],
            ],
            widths=(7, 8, 8, 10, 17),
        ),
        para(
            "Forty-one per cent of calls concern punctures, and another nineteen per cent spokes. Gold depots therefore have a wheel, ready, on a hook."
        ),
        _code("service", 8, "ostrevelt22-2", "8.{}"),
        page_break(),
        band("Guarantee for fleets"),
        _code("warranty", 8, "ostrevelt22-6", "9.{}"),
        para("The regional fire brigades have a separate agreement, with pumps."),
        page_break(),
        band("Rider safety"),
        _code("safety", 6, "ostrevelt22-1", "10.{}"),
        table(
            [
                ["Accidents reported, 2019 to 2021", "S", "L"],
                ["Falls on rails or ice", "26", "4"],
                ["Contact with cars, moving", "9", "12"],
                ["Contact with car doors", "17", "8"],
                ["Tipped while loading", "3", "14"],
            ],
            widths=(28, 5, 5),
        ),
        para(
            "In 2021 we added a wider stand to the L and tipping fell to two cases. Instructor Bram Hoekzema's induction of three hours costs EUR 65 a rider."
        ),
        page_break(),
        band("References and contacts"),
        table(
            [
                ["Organisation", "Vehicles", "Use"],
                ["Parcel firm Hazewind", "44", "parcels"],
                ["Regional post, Grauwerd", "138", "letters"],
                ["Zuidwaard parks", "27", "green maintenance"],
                ["Mirkum hospital", "9", "blood and papers"],
                ["Pharmacy group Sint Job", "31", "medicines"],
            ],
            widths=(21, 10, 14),
        ),
        para(
            "Fleet manager Gerbrand Ytsma draws up a proposal in five working days. He needs your stops per day, your steepest bridge and a photograph of your bicycle shed. If there's no shed, he'll bring drawings of sheds."
        ),
    ]
    return DemoDocument(
        "ostrevelt-for-fleets-2022.pdf",
        "Ostrevelt for fleets: the 2022 programme",
        TYPE,
        "brochure",
        "hard_negative",
        style=Style(
            page="a4-landscape",
            font="sans",
            size=12.6,
            margin=64.0,
            header="Ostrevelt Zakelijk | Programme 2022",
            footer="{title} | {page}",
            accent="#7b1e1e",
            tables="grid",
        ),
        story=story,
    )


def _kittiwake() -> DemoDocument:
    story = [
        cover(
            "Family & Freight",
            "Kittiwake Works, spring and summer 2023",
            ["Small-batch cargo bikes from a windy place"],
            band_text="KITTIWAKE WORKS",
            bottom=[
                "Cooperative society, seventeen members",
                "All prices in pounds, none of them ending in ninety-nine",
            ],
        ),
        heading("Who are we?"),
        para(
            "A cooperative. We own the shed, the debt and the kettle in equal parts. In 2015 seven redundant shipwrights with a grant and a bad joke about catching the wind built a bike for the island's only doctor. She's retired; it isn't. We've since made 623, all numbered, most named."
        ),
        para(
            "We vote on everything, including this brochure. The vote on the cover colour was nine to eight, and the eight would like it known."
        ),
        page_break(),
        band("Two bikes, that's all"),
        table(
            [
                ["", "Puffling", "Skerry"],
                ["What it is", "longtail", "long front box"],
                ["Permitted total weight (kg)", "200", "240"],
                ["Load in the box (kg)", "none", "105"],
                ["Load of the rear carrier (kg)", "80", "20"],
                ["Weight with battery (kg)", "29.7", "36.2"],
                ["Length overall (cm)", "189", "254"],
                ["Battery capacity (Wh)", "470", "640"],
                ["Range at the middle level of support (km)", "66", "71"],
                ["Time of charging (hours)", "4.0", "5.0"],
                ["Motor torque (Nm)", "80", "95"],
                ["Turning circle (m)", "4.4", "5.6"],
                ["Children, at most", "2", "3"],
                ["Frame guarantee (years)", "12", "12"],
                ["Price (£)", "4,850", "5,960"],
            ],
            widths=(32, 10, 9),
        ),
        para("Aluminium, because salt. Stainless bolts, because salt. No paint below the waterline, because guess."),
        _code("measures", 6, "kittiwake-4", "{} -"),
        page_break(),
        band("Puffling"),
        para(
            "Short enough for the ferry's car-deck locker, which charges by the metre. The back end takes two children facing each other or a bale of something. Hazel Strachan rides hers to the school at the north end with a headwind in both directions. Honestly, she has measured it."
        ),
        bullets(
            [
                "frame number and name stamped under the saddle; choose the name wisely",
                "magnetic cup for the driver's tea",
                "carrier tested with a drum of rope of 112 kg, dropped from a pallet, eleven times",
            ]
        ),
        band("Skerry"),
        para(
            "The one that pays our wages. A box as long as a ten-year-old, a deck you can stand on, hatches fore and aft. Shipwrights can't build a box without hatches. It has carried a printing press (in parts), a bride (whole) and the parish's entire Harvest Supper."
        ),
        quote("It's the boat I could afford.", "Rev. Gwilym Tanner"),
        page_break(),
        band("Carrying"),
        para("The wind adds to this section. Above force 6 leave the cover at home."),
        _code("loading", 8, "kittiwake-2", "{} -"),
        page_break(),
        band("Power"),
        para(
            "We buy cells from a firm that also supplies lifeboats, and pot them in resin. It makes them heavy, 4.6 kg, and it makes them float, no one knows why. A spare is £540. Rated for 650 charges."
        ),
        _code("battery", 8, "kittiwake-2", "{} -"),
        page_break(),
        band("Price list"),
        table(
            [
                ["Part or extra", "£"],
                ["Dodger (rain cover), Skerry", "265"],
                ["Dodger, Puffling, rear", "205"],
                ["Bench with belts, each", "110"],
                ["Hatch, extra, port or starboard", "45"],
                ["Lashing rails, pair", "58"],
                ["Anchor (it is a lock)", "73"],
                ["Name plate in brass, by letter", "2"],
                ["Salt kit: wax, brush, rag, advice", "28"],
            ],
            widths=(29, 5),
        ),
        para("Sixteen weeks. We know. There are seventeen of us and it's lambing."),
        band("Buying from us"),
        _code("orders", 8, "kittiwake-12", "{} -"),
        para(
            "A third of the price is due when we cut metal. Members of other cooperatives pay no deposit at all, and we've never been sorry."
        ),
        page_break(),
        band("Standing behind it"),
        _code("warranty", 8, "kittiwake-57", "{} -"),
        para(
            "Of the first hundred Skerries, frames returned: 4. Cracked at the same weld. We changed the weld, wrote to all one hundred and replaced the lot over one winter; it cost us the new roof."
        ),
        page_break(),
        band("Looking after it near the sea"),
        _code("service", 8, "kittiwake-5", "{} -"),
        table(
            [
                ["Month", "Job", "Who"],
                ["April", "wax, bolts, bearings", "you"],
                ["July", "pads, tyres", "you"],
                ["October", "full strip and service, £135", "us"],
                ["January", "dream of Puffling two", "all"],
            ],
            widths=(7, 23, 5),
        ),
        page_break(),
        band("Keeping safe"),
        _code("safety", 6, "kittiwake", "{} -"),
        para("Two roads on the island have a name, and both have sheep. The sheep have right of way."),
        page_break(),
        band("Where to try one"),
        table(
            [
                ["Port", "Who", "Bikes to try"],
                ["Kittiwake Works shed", "whoever is in", "both"],
                ["Mainland pier, Torrisdale", "Isobel at the ticket office", "Puffling"],
                ["Lochend market, third Sundays", "the travelling stand", "Skerry"],
                ["St Fillan's Bike Kitchen", "Dougal and Ama", "both"],
            ],
            widths=(25, 22, 10),
        ),
        box(
            "A share costs £50 and gives you a vote, a mug and the minutes. There were 412 members at the last count, one of them a dog, which was settled by an amendment.",
            title="Become a member",
        ),
    ]
    return DemoDocument(
        "kittiwake-family-and-freight-2023.pdf",
        "Kittiwake Works: Family & Freight",
        TYPE,
        "brochure",
        "hard_negative",
        style=Style(
            page="a5",
            font="serif",
            heading_font="sans",
            size=10.4,
            margin=44.0,
            footer="Kittiwake Works | {page}",
            accent="#145a5a",
            justify=False,
        ),
        story=story,
    )


def _lumenfeld() -> DemoDocument:
    story = [
        cover(
            "LUMENFELD e-Cargo",
            "Model year 2022",
            ["Engineered loads"],
            band_text="LUMENFELD MOBILITY GMBH",
            bottom=["Technical data subject to change", "Issue 2022-A"],
        ),
        heading("Precision under load"),
        para(
            "Lumenfeld has supplied drive units to the bicycle industry since 1997. With the e-Cargo family the company presents complete vehicles for the first time. They are calculated, not guessed: the frame was simulated for 14 million load cycles and then tested on a rig for three months, day and night. It failed once, at cycle 11,480,211, and the drawing was changed."
        ),
        para(
            "The customer gains a vehicle whose service interval, energy use and residual value are known in advance. Our subsidiary in the port area assembles 9,700 units a year on two lines."
        ),
        page_break(),
        band("Overview of the model family"),
        table(
            [
                ["", "LX 1", "LX 2", "LX 3 Trike"],
                ["Wheels", "two", "two", "three"],
                ["Permitted total weight (kg)", "220", "260", "320"],
                ["Load in the box (kg)", "85", "130", "170"],
                ["Weight with battery (kg)", "34.8", "43.5", "61.7"],
                ["Length overall (cm)", "245", "268", "229"],
                ["Box length inside (cm)", "70", "88", "96"],
                ["Battery capacity (Wh)", "600", "900", "1,200"],
                ["Range at the middle level of support (km)", "75", "98", "90"],
                ["Time of charging (hours)", "3.2", "4.4", "5.6"],
                ["Motor torque (Nm)", "95", "105", "115"],
                ["Turning circle (m)", "5.4", "6.0", "4.2"],
                ["Children, at most", "2", "3", "4"],
                ["Frame guarantee (years)", "6", "6", "6"],
                ["Price (EUR)", "6,290", "7,480", "8,950"],
            ],
            widths=(31, 5, 5, 7),
        ),
        _code("measures", 7, "lumenfeld-4", "[{}]"),
        page_break(),
        band("LX 1"),
        para(
            "The urban vehicle. Dual suspension with 60 mm of travel in front; integrated lighting of 120 lux; automatic gearbox. A sensor in the floor of the box measures the load and sets the support, so that an empty and a full LX 1 accelerate alike."
        ),
        bullets(
            [
                "frame of hydroformed aluminium, welded by robot, inspected by eddy current",
                "connected: position, state of charge and service data in the owner's portal",
                "anti-lock brake on the front wheel as standard",
            ]
        ),
        band("LX 2"),
        para(
            "The LX 2 is 23 cm longer and has a second bench. It is specified by the municipal library of Brauheim, which runs six of them as book vehicles with a folding shelf designed by its own caretaker, Herr Volkmar Entz."
        ),
        page_break(),
        band("LX 3 Trike"),
        para(
            "Both front wheels steer and lean under electronic control. Below 6 km/h the lean is locked. The controller consumes 4.5 W and has been approved to the standard for wheelchairs, there being none for tricycles."
        ),
        table(
            [
                ["Options for LX 3", "Mass (kg)", "Price (EUR)"],
                ["Cargo module 400 litres", "19", "1,040"],
                ["Family module, 4 belts", "23", "880"],
                ["Cooling module, active", "41", "3,150"],
                ["Wheelchair module with ramp", "36", "2,290"],
            ],
            widths=(25, 6, 9),
        ),
        band("Loading"),
        _code("loading", 8, "lumenfeld-12", "[{}]"),
        page_break(),
        band("Energy system"),
        para(
            "Cells of type 21700, welded with copper; management circuit by Lumenfeld. The pack of 600 Wh weighs 3.1 kg and costs EUR 690. Packs may be combined. The rated life is 1,000 charges to 70 per cent of initial capacity."
        ),
        _code("battery", 8, "lumenfeld-9", "[{}]"),
        table(
            [
                ["Load (kg)", "LX 1", "LX 2", "LX 3"],
                ["0", "5.1", "5.9", "7.7"],
                ["50", "6.4", "7.1", "9.2"],
                ["100", "-", "8.6", "11.0"],
                ["150", "-", "-", "13.1"],
            ],
            widths=(7, 5, 5, 5),
            caption="Energy use, Wh per km, at 20 degrees",
        ),
        page_break(),
        band("Accessories"),
        table(
            [
                ["Designation", "Order no.", "Price (EUR)"],
                ["Weather hood LX 1", "L-410", "329"],
                ["Weather hood LX 2", "L-420", "359"],
                ["Child bench", "L-433", "175"],
                ['Folding shelf "Entz"', "L-447", "540"],
                ["Alarm with tracker", "L-501", "149"],
                ["Fast charger 8 A", "L-612", "235"],
                ["Winter tyre set, studded", "L-703", "168"],
            ],
            widths=(21, 7, 8),
        ),
        band("Conditions"),
        _code("orders", 8, "lumenfeld-15", "[{}]"),
        para(
            "Financing by Hansabank Brauheim from 2.9 per cent. Standard delivery time is six weeks, with express build in three for a surcharge of EUR 400."
        ),
        page_break(),
        band("Guarantee and reliability"),
        _code("warranty", 8, "lumenfeld-15", "[{}]"),
        para(
            "In a fleet of 320 test vehicles the mean distance between failures which stopped the ride was 8,450 km in 2021, against 5,120 km in 2019."
        ),
        page_break(),
        band("Maintenance schedule"),
        table(
            [
                ["Interval", "Work", "Standard time (min)"],
                ["500 km", "first service, software", "35"],
                ["2,500 km", "brakes, tyres, bolts", "50"],
                ["5,000 km", "gearbox oil, bearings", "85"],
                ["10,000 km", "belt, lean actuator, full test", "140"],
            ],
            widths=(10, 25, 13),
        ),
        _code("service", 8, "lumenfeld", "[{}]"),
        page_break(),
        band("Safety"),
        _code("safety", 6, "lumenfeld-2", "[{}]"),
        para(
            "Rated crash behaviour: at 25 km/h against a rigid barrier the forces on the dummy in the box stayed 38 per cent below the limit. The dummy, known as Jürgen, has been retired with honours to the canteen."
        ),
        page_break(),
        band("Sales network"),
        table(
            [
                ["Location", "Partner", "Workshop bays"],
                ["Brauheim", "Lumenfeld flagship store", "12"],
                ["Port area", "Hafenrad", "7"],
                ["Neustetten", "Radwerk Kilian", "4"],
                ["Obersill", "E-Motion Frick", "3"],
            ],
            widths=(10, 19, 10),
        ),
        para(
            "Partners train at our academy for five days and repeat the examination every two years. Last year 14 of 171 candidates were asked to return."
        ),
    ]
    return DemoDocument(
        "lumenfeld-e-cargo-2022.pdf",
        "LUMENFELD e-Cargo, model year 2022",
        TYPE,
        "brochure",
        "hard_negative",
        style=Style(
            page="a5",
            font="sans",
            size=9.8,
            margin=40.0,
            header="LUMENFELD e-Cargo | Issue 2022-A",
            footer="| {page}",
            accent="#222222",
            justify=False,
            tables="zebra",
        ),
        story=story,
    )


def _pardoe() -> DemoDocument:
    story = [
        cover(
            "Pardoe & Finch",
            "Cargo bike hire, lease and second-hand, 2023",
            ["Try it. Keep it. Or bring it back muddy."],
            bottom=["Arches 9 to 14, Coldharbour Viaduct", "Open every day but the one after the marathon"],
        ),
        heading("Don't buy a cargo bike"),
        para(
            "Not yet, anyhow. Between 2017 and the end of last year we let out 2,290 cargo bikes, and a good third of the people who were sure they wanted a long two-wheeler ended up with a trike, or the other way about. Three came back for a dog. So: rent for a month, then talk."
        ),
        para(
            "We aren't makers. We buy from nine of them, run their bikes until the paint's off, and write down what breaks. This brochure has the results, and not every maker sent a Christmas card."
        ),
        quote(
            "Pardoe does the spanners. I do the sums. It's never been the other way round for longer than a morning.",
            "Augusta Finch",
        ),
        page_break(),
        band("The hire fleet"),
        table(
            [
                ["", "Viaduct Long", "Viaduct Trike", "Viaduct Tail"],
                ["In fleet", "48", "37", "55"],
                ["Permitted total weight (kg)", "218", "272", "198"],
                ["Load in the box (kg)", "92", "118", "65"],
                ["Weight with battery (kg)", "42.9", "56.7", "33.8"],
                ["Battery capacity (Wh)", "480", "480", "500"],
                ["Range at the middle level of support (km)", "46", "37", "58"],
                ["Time of charging (hours)", "4.8", "4.8", "4.5"],
                ["Motor torque (Nm)", "72", "72", "68"],
                ["Turning circle (m)", "5.9", "3.8", "4.2"],
                ["Children, at most", "3", "4", "2"],
                ["Per day (£)", "34", "38", "27"],
                ["Per month (£)", "245", "270", "195"],
                ["Price second-hand, from (£)", "2,150", "2,480", "1,790"],
            ],
            widths=(31, 9, 9, 9),
        ),
        para("Ranges are as measured by customers, who lie less than catalogues."),
        _code("measures", 7, "pardoe-3", "{}/"),
        page_break(),
        band("How hiring works"),
        numbered(
            [
                "Come to the arches with two papers that agree about your address.",
                "Twenty minutes with Pardoe on the cobbles. He'll stop you from falling once; he counts.",
                "Take lock, charger, cover and the card with our number.",
                "Bring it back by six. We charge £11 an hour after that, because somebody's always waiting.",
            ]
        ),
        para("Deposit £150 by card, given back the same day unless there's a bend in something."),
        box(
            "Broken is fine, too, if you say so. What we can't bear is a bent axle with a story.", title="Muddy is fine"
        ),
        band("Loading up"),
        _code("loading", 8, "pardoe-2", "{}/"),
        page_break(),
        band("Lease"),
        table(
            [
                ["", "12 months (£)", "24 months (£)", "36 months (£)"],
                ["Long, families", "178", "142", "121"],
                ["Trike, families", "197", "159", "136"],
                ["Tail, families", "149", "117", "98"],
                ["Any, trade, with body", "236", "201", "183"],
            ],
            widths=(17, 9, 9, 9),
        ),
        para(
            "Every month, all in: servicing, theft cover with £75 excess, and a swap once a year if your children grow. Seven leases in ten end in a purchase at the figure agreed on day one."
        ),
        band("Selling and buying"),
        _code("orders", 7, "pardoe-57", "{}/"),
        page_break(),
        band("What breaks: our table of shame"),
        para("Ride hours between workshop visits that weren't planned, 2020 to 2022."),
        table(
            [
                ["Maker (we use letters; you can guess)", "Bikes", "Hours", "Commonest fault"],
                ["A", "22", "410", "spokes"],
                ["B", "19", "367", "kickstand"],
                ["C", "31", "655", "none to speak of"],
                ["D", "14", "198", "display, rain"],
                ["E", "17", "520", "steering cable"],
                ["F", "37", "480", "tilt bushings"],
            ],
            widths=(23, 7, 7, 14),
        ),
        para(
            "Our oldest survivor, nicknamed Gladys, carried wedding cakes throughout lockdown, toppled once outside Kwik Tyres, and afterwards featured in somebody's dissertation on urban resilience. Retirement beckons; she'll become a planter."
        ),
        para(
            "Maker D wrote to say that the display isn't meant to get wet. We sent D a photograph of Coldharbour in November."
        ),
        page_break(),
        band("Batteries"),
        para(
            "We own 312 and have swapped out 57, mostly from cold and from being stored full. A reconditioned pack with a year's promise costs £265. Our bench tests all comers for £20, with a printout you can wave at a seller. We bin them at 550 charges."
        ),
        _code("battery", 8, "pardoe-5", "{}/"),
        page_break(),
        band("Second-hand, and our promise"),
        table(
            [
                ["Grade", "What it means", "Promise (months)"],
                ["Gold", "under a year, under 2,000 km", "24"],
                ["Silver", "new belt, pads, tyres, battery over 85 per cent", "12"],
                ["Bronze", "rides straight, looks like a bin", "3"],
            ],
            widths=(7, 39, 11),
        ),
        para("The makers' terms pass to you with the bike:"),
        _code("warranty", 8, "pardoe-65", "{}/"),
        page_break(),
        band("Workshop"),
        _code("service", 8, "pardoe-15", "{}/"),
        table(
            [
                ["Job", "£"],
                ["Puncture, front, while you wait", "16"],
                ["Puncture, rear, hub gear", "29"],
                ["Brake bleed, pair", "48"],
                ["Full service, any maker", "126"],
                ["Saturday class: fix your own", "40"],
            ],
            widths=(26, 5),
        ),
        page_break(),
        band("Staying upright"),
        _code("safety", 6, "pardoe-1", "{}/"),
        para("Pardoe adds: look where you want to go and not at the bollard. The bollard has had 61 of our customers."),
        page_break(),
        band("Us"),
        table(
            [
                ["Arch", "What's in it", "Who"],
                ["9", "front desk, tea", "Augusta Finch"],
                ["10", "hire fleet", "Malachy Dunne"],
                ["11 and 12", "workshop", "Leopold Pardoe, four mechanics"],
                ["13", "second-hand", "Bettina Ocampo"],
                ["14", "flooded", "a heron, the bird"],
            ],
            widths=(6, 13, 23),
        ),
        para("Buses 12 and 340 stop outside. There is nowhere to park a car, on purpose."),
    ]
    return DemoDocument(
        "pardoe-finch-hire-2023.pdf",
        "Pardoe & Finch: hire, lease and second-hand, 2023",
        TYPE,
        "brochure",
        "hard_negative",
        style=Style(
            page="a5",
            font="sans",
            size=9.8,
            margin=40.0,
            footer="Pardoe & Finch, Arches 9 to 14 | {page}",
            accent="#3b5323",
            justify=False,
            tables="grid",
        ),
        story=story,
    )


def _sundergard() -> DemoDocument:
    story = [
        cover(
            "Sundergård Municipal",
            "Work tricycles for streets, parks and harbours, 2024",
            ["Catalogue for councils and contractors"],
            band_text="SUNDERGÅRD VERKSTAD",
            bottom=["Prices in kronor without tax", "Ask for the Norwegian terms separately"],
        ),
        heading("For work"),
        para(
            "A street cleaner walks sixteen kilometres a day behind a barrow. In 2009 the town of Lillmark asked us for a barrow with a saddle. That was tricycle number one, and it's still out, on its third box and its fifth driver, Göran, who has named it after his mother-in-law."
        ),
        para(
            "This catalogue has no models in helmets looking at sunsets. It has the load, the height of the edge of the skip, the price and the name of the person to ring."
        ),
        page_break(),
        band("Chassis"),
        table(
            [
                ["", "SG 200", "SG 300", "SG 450"],
                ["Wheels", "three", "three", "four"],
                ["Permitted total weight (kg)", "330", "430", "610"],
                ["Load in the box (kg)", "175", "260", "395"],
                ["Weight with battery (kg)", "69.2", "88.6", "127.5"],
                ["Length overall (cm)", "223", "241", "287"],
                ["Battery capacity (Wh)", "960", "1,440", "2,880"],
                ["Range at the middle level of support (km)", "49", "54", "70"],
                ["Time of charging (hours)", "6.0", "7.2", "9.5"],
                ["Motor torque (Nm)", "125", "140", "190"],
                ["Turning circle (m)", "3.4", "3.8", "6.7"],
                ["Frame guarantee (years)", "15", "15", "9"],
                ["Price (kr)", "74,900", "92,500", "148,000"],
            ],
            widths=(31, 5, 5, 6),
        ),
        para(
            "Hot-dip galvanised, always; herring barrels taught our grandparents why zinc outlives varnish, bosses and slogans. Painted only if the council insists, and then yellow."
        ),
        _code("measures", 6, "sundergard-3", "p. {}"),
        page_break(),
        band("Bodies for streets"),
        para(
            "The bins are emptied over an edge 94 cm from the ground, so that a driver of 160 cm needs no step. Physiotherapist Ulrika Sten measured forty drivers for us; the edge came down by 17 cm as a result."
        ),
        table(
            [
                ["Body", "For", "Volume (litres)", "Price (kr)"],
                ["Open skip", "SG 200, 300", "480", "8,400"],
                ["Twin bins", "SG 200", "280", "6,150"],
                ["Tipper, hydraulic", "SG 300, 450", "700", "21,900"],
                ["Sweeper, front brush", "SG 300", "-", "38,700"],
                ["Grit spreader", "SG 300, 450", "340", "26,300"],
            ],
            widths=(16, 10, 10, 8),
        ),
        band("Bodies for parks and harbours"),
        table(
            [
                ["Body", "For", "Volume (litres)", "Price (kr)"],
                ["Water tank with pump", "SG 450", "400", "33,600"],
                ["Tool cabinet", "all", "520", "12,800"],
                ["Net drum", "SG 450", "-", "17,250"],
                ["Bench for four workers", "SG 450", "-", "9,700"],
            ],
            widths=(18, 5, 10, 8),
        ),
        page_break(),
        band("Loading: the sheet on the wall"),
        para("Laminate this. Hang it by the gate. The inspector of work places will ask to see it."),
        _code("loading", 7, "sundergard-14", "p. {}"),
        page_break(),
        band("Batteries and winter"),
        para(
            "At minus fifteen a pack gives 68 per cent of what it gave in June. We fit a heater of 40 W which runs from the mains until the driver leaves. Each pack of 480 Wh weighs 3.9 kg and costs 7,950 kr. We reckon with 1,100 charges."
        ),
        _code("battery", 8, "sundergard-1", "p. {}"),
        box(
            "Six tricycles, Norrvik, January to March 2023: 58 working days, four lost to ice, none to cold. The drivers were lost for nine, to flu.",
            title="Test winter",
        ),
        page_break(),
        band("What it costs to run one"),
        table(
            [
                ["Kronor per year", "SG 300", "Small lorry"],
                ["Interest and writing off", "16,200", "61,000"],
                ["Energy", "740", "28,900"],
                ["Service and tyres", "7,100", "24,600"],
                ["Insurance and tax", "1,900", "13,300"],
                ["Sum", "25,940", "127,800"],
            ],
            widths=(19, 6, 9),
        ),
        para(
            "Wages are left out, since both need a driver. The lorry is faster on the ring road. There's no litter on the ring road, or at least none that can be reached."
        ),
        page_break(),
        band("Terms of delivery"),
        _code("orders", 8, "sundergard-225", "p. {}"),
        para(
            "Framework agreement SKR-2231 covers 74 councils, which may order without tender. Twenty weeks in general, with the sweeper at twenty-six."
        ),
        band("Guarantee"),
        _code("warranty", 8, "sundergard-11", "p. {}"),
        page_break(),
        band("Service on site"),
        para("Our two vans do a round of the whole coast twice a year. Mechanic Torvald Eng has a bunk in his."),
        _code("service", 8, "sundergard-13", "p. {}"),
        table(
            [
                ["Agreement", "kr per year", "Includes"],
                ["Round", "3,800", "two visits"],
                ["Round and parts", "6,450", "two visits, wear parts"],
                ["Everything", "9,900", "all repairs, loan tricycle"],
            ],
            widths=(13, 9, 22),
        ),
        page_break(),
        band("Safe at work"),
        _code("safety", 5, "sundergard-4", "p. {}"),
        para(
            "Reverse alarm, amber lamp and reflective net are standard on the SG 450 and cost 2,350 kr on the others."
        ),
        table(
            [
                ["Year", "Tricycles in use", "Accidents with absence"],
                ["2020", "388", "7"],
                ["2021", "461", "9"],
                ["2022", "540", "6"],
                ["2023", "655", "6"],
            ],
            widths=(6, 11, 14),
        ),
        page_break(),
        band("Ordering sheet and people"),
        table(
            [
                ["Question", "Ring"],
                ["Which chassis?", "Maj-Britt Holm, sales"],
                ["Will it go through our gate?", "Anders Quist, drawings"],
                ["It has stopped", "Torvald Eng, van 1"],
                ["It has stopped, north", "Saga Lind, van 2"],
                ["The invoice", "Maj-Britt again"],
            ],
            widths=(23, 19),
        ),
        para(
            "Visits to the works at Sundergård on weekdays, with coffee at 9.30 sharp. Of the 31 who work here nine are former street cleaners, and they test everything on a Monday."
        ),
    ]
    return DemoDocument(
        "sundergard-municipal-2024.pdf",
        "Sundergård Municipal: work tricycles 2024",
        TYPE,
        "brochure",
        "hard_negative",
        style=Style(
            page="a5",
            font="sans",
            size=9.6,
            margin=40.0,
            header="Sundergård Verkstad | 2024",
            footer="{page}",
            accent="#b8860b",
            justify=False,
            first_label=("arabic", 1, "S"),
        ),
        story=story,
    )


def documents() -> list[DemoDocument]:
    return [
        _brannock23(),
        _ostrevelt24(),
        _brannock21(),
        _ostrevelt22(),
        _kittiwake(),
        _lumenfeld(),
        _pardoe(),
        _sundergard(),
    ]


def questions() -> list[DemoQuestion]:
    return [
        DemoQuestion(
            "brochure-01",
            BRANNOCK,
            "How many cargo bikes did Brannock build in the year before the Haul 2023 brochure?",
            "1268",
            "Int",
            TEXT,
            ("In the year behind us we built 1,268 cargo bikes",),
            "lookup",
            "recall",
        ),
        DemoQuestion(
            "brochure-02",
            BRANNOCK,
            "What does the Drover weigh with its battery, in kg, according to the Brannock Haul 2023 specification?",
            "67.3",
            "Float",
            TABLE,
            ("Weight with battery (kg) 38.6 52.4 31.9 67.3",),
            "lookup",
            "recall",
        ),
        DemoQuestion(
            "brochure-03",
            BRANNOCK,
            "Which Brannock model of 2023 has the longest range at the middle level of support?",
            "Drover",
            "Str",
            TABLE,
            (
                "Heron Badger Otter Drover",
                "Range at the middle level of support (km) 62 51 74 83",
            ),
            "compare",
            "reasoning",
        ),
        DemoQuestion(
            "brochure-04",
            BRANNOCK,
            "By how many pounds does the price of the Badger exceed that of the Heron in the Brannock Haul 2023 price list?",
            "570",
            "Int",
            TABLE,
            ("Price (£) 5,145 5,715 4,275 7,860",),
            "derive",
            "reasoning",
        ),
        DemoQuestion(
            "brochure-05",
            BRANNOCK,
            "Who does the sign writing on Brannock cargo bikes?",
            "Ottilie Marsh",
            "Str",
            TEXT,
            ("Sign writing is done by Ottilie Marsh",),
            "lookup",
            "recall",
        ),
        DemoQuestion(
            "brochure-06",
            BRANNOCK,
            "In which three colours is the Brannock Heron of 2023 offered?",
            '["slate", "moss", "lifeboat orange"]',
            "List",
            TEXT,
            ("colours: slate, moss, lifeboat orange",),
            "enumerate",
            "recall",
        ),
        DemoQuestion(
            "brochure-07",
            BRANNOCK,
            "What does the Trade service plan of Brannock cost per year in 2023, in pounds?",
            "372",
            "Int",
            TABLE,
            ("Trade 372 4 same day",),
            "lookup",
            "recall",
        ),
        DemoQuestion(
            "brochure-08",
            OSTREVELT,
            "How many colleagues make freight bicycles at Ostrevelt, according to the 2024 / 25 catalogue?",
            "212",
            "Int",
            TEXT,
            ("Today 212 colleagues make freight bicycles in three halls",),
            "lookup",
            "recall",
        ),
        DemoQuestion(
            "brochure-09",
            OSTREVELT,
            "What is the weight with battery of the Polder Twin in the Ostrevelt 2024 / 25 catalogue, in kg?",
            "63.9",
            "Float",
            TABLE,
            ("Weight with battery (kg) 58.3 63.9",),
            "lookup",
            "recall",
        ),
        DemoQuestion(
            "brochure-10",
            OSTREVELT,
            "Which three shops hold the whole Ostrevelt range for test rides?",
            '["Ostrevelt", "Grauwerd", "Halmstee"]',
            "List",
            TEXT,
            ("Three shops hold the whole range for test rides, namely Ostrevelt, Grauwerd and Halmstee",),
            "enumerate",
            "recall",
        ),
        DemoQuestion(
            "brochure-11",
            OSTREVELT,
            "By how many euros is the Stevedore XL chassis dearer than the Stevedore L chassis in the Ostrevelt 2024 / 25 catalogue?",
            "3220",
            "Int",
            TABLE,
            ("Price of chassis (EUR) 5,870 8,140 11,360",),
            "derive",
            "reasoning",
        ),
        DemoQuestion(
            "brochure-12",
            OSTREVELT,
            "What was Ostrevelt's mean time in 2023 between a call and a rolling bicycle in town, in hours?",
            "5.45",
            "Float",
            TEXT,
            ("5.45 hours in town",),
            "lookup",
            "recall",
        ),
        DemoQuestion(
            "brochure-13",
            OSTREVELT,
            "Which body for the Stevedore in the Ostrevelt 2024 / 25 catalogue is the most expensive?",
            "Market stall with awning",
            "Str",
            TABLE,
            ("Market stall with awning 780 XL 71 3,420",),
            "compare",
            "reasoning",
        ),
        DemoQuestion(
            "brochure-14",
            OSTREVELT,
            "Whom should one ask about a lease in the fleet office of Ostrevelt in 2024?",
            "Annelien Grootveld",
            "Str",
            TEXT,
            ("Ask Annelien Grootveld in the fleet office",),
            "lookup",
            "recall",
        ),
        DemoQuestion(
            "brochure-15",
            OSTREVELT,
            "What does Ostrevelt's 2024 / 25 catalogue ask for a child's helmet, in euros?",
            "Not answerable",
            "None",
            (),
            (),
            "lookup",
            "recall",
        ),
    ]
