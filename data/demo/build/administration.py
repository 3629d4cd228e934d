"""The Administration/Industry file family: minutes, compliance reports and inspection files about drinking water.

A town council and a water board are the sources, each with an older volume of its own among the siblings. All of them
quote the same imagined Water Quality Order, in part and in any order. One page of the inspection file is a scan.
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
    contents,
    cover,
    heading,
    need,
    note,
    numbered,
    page_break,
    para,
    table,
)

TYPE = "Administration/Industry file"
TEXT = ("Pure-text (Plain-text)",)
TABLE = ("Table",)
ESKERBY = "eskerby-water-committee-minutes-2017.pdf"
TARNSIDE = "tarnside-compliance-report-2018.pdf"
SCAN = 7
# Sentences of the Water Quality Order, by subject.
CODE = {
    "sampling": [
        "Samples are taken at the works, at the service reservoirs and at the taps of consumers chosen at random.",
        "Each sample is taken by a trained sampler, kept cold and delivered to the laboratory on the same day.",
        "The number of samples depends on the number of consumers in the zone and on the volume of water supplied.",
        "A sample is marked with the place, the date, the time and the name of the sampler.",
        "The free chlorine and the temperature of the water are measured at the tap when the sample is taken.",
        "The laboratory must be accredited for every parameter which it reports to the water company.",
        "If a sample is lost or broken, another sample must be taken at the same place within five days.",
        "The results of all samples are entered in the register of samples within three days of the report of the laboratory.",
        "Samples at the works are taken before and after treatment, so that the effect of the treatment can be seen.",
        "The report of the laboratory says the place, the date and the time of the sample and the name of the sampler.",
        "A sample of the water leaving the works is taken on the same day as the samples at the taps of consumers.",
    ],
    "limits": [
        "A limit is exceeded when the result of the laboratory is above the value in the table, without any allowance.",
        "No sample of the water supplied may contain coliform bacteria, Escherichia coli or enterococci in a hundred millilitres.",
        "The turbidity of the water leaving the works must not be above one unit at any time.",
        "The limit for lead applies to the water at the tap of the consumer and not to the water at the works.",
        "The limit for nitrate and the limit for nitrite must also be met when the two are added together.",
        "Where the limit for iron or the limit for manganese is exceeded the mains of the zone are to be flushed.",
        "The pH of the water must be kept between the two values in the table, so that the pipes are not attacked.",
        "The sum of the trihalomethanes is the sum of the four compounds named in the order.",
        "A limit which is exceeded in more than one sample in a hundred is reported as a failure of the zone.",
        "The value in the table is the limit for the water at the tap of the consumer and for the water leaving the works.",
    ],
    "notification": [
        "The inspector must be told by telephone within one hour when bacteria are found in the water leaving the works.",
        "A written report with the cause, the number of consumers and the measures taken follows within three working days.",
        "A notice to boil the water is given by the health officer and is lifted by the health officer alone.",
        "The notice to boil the water is delivered to every house in the zone and read on the local radio.",
        "The notice is lifted when three samples on three days have been free of bacteria.",
        "Hospitals, schools and care homes in the zone are told by telephone before all other consumers.",
        "Bottled water is to be given to consumers who cannot boil water, free of charge and at the door.",
        "Every event is entered in the register of events with the time at which it began and the time at which it ended.",
        "The inspector and the health officer must be told by telephone when a notice to boil the water is given or lifted.",
        "The number of consumers in the zone and the time of the notice are written in the register of events.",
    ],
    "works": [
        "The dose of chlorine is checked every day by the operator, and the result is written in the log of the works.",
        "The filters are washed when the loss of head or the turbidity is above the value in the instructions.",
        "An alarm is raised when the free chlorine in the water leaving the works falls below the lower value.",
        "The alarm must reach the operator on duty, and the operator must be at the works within one hour.",
        "Chemicals are kept in a locked store, and deliveries are taken only in the presence of an operator.",
        "The instruments for chlorine, turbidity and pH are calibrated once a month against a standard.",
        "A reservoir is emptied, inspected and cleaned at least once in five years.",
        "Nobody may enter a tank or a reservoir alone or without having been cleared by a doctor.",
        "The fence, the locks and the hatches of the works are inspected every week.",
        "The operator on duty writes the free chlorine, the turbidity and the pH of the water leaving the works in the log.",
    ],
    "network": [
        "A burst main is to be repaired within one day when more than fifty houses are without water.",
        "A main which has been repaired is flushed and disinfected, and a sample is taken before it is put back into supply.",
        "Leakage is the difference between the water supplied to the network and the water measured at the meters of consumers.",
        "Valves are turned and hydrants are opened once a year, and the result is entered on the plan of the network.",
        "Pipes of lead are to be replaced when the owner of the house replaces the part of the pipe on private land.",
        "Dead ends of the network are flushed every three months, and more often when consumers complain of the taste.",
        "The pressure at the highest house of the zone must not fall below one and a half bar.",
        "Water taken from hydrants by builders must be measured and paid for.",
        "A sample is taken at the tap of the consumer when a main has been repaired and the water has been off for one day.",
        "The water supplied to the zone and the water measured at the meters of consumers are written in the annual report.",
    ],
    "records": [
        "The minutes of the last meeting were read, confirmed and signed by the chairman as a correct record.",
        "A member who has an interest in a matter must say so before the matter is discussed and must not vote.",
        "The accounts of the water fund are kept apart from the other accounts of the council.",
        "Contracts above the limit of the standing orders are given to the lowest tender, unless the committee decides otherwise for stated reasons.",
        "The register of samples, the register of events and the register of complaints are open to the public at the office.",
        "Records of the quality of the water are kept for at least thirty years.",
        "The annual report on the quality of the water is laid before the council not later than the end of June.",
        "A copy of every report to the inspector is sent to the health officer of the district.",
        "The register of samples and the register of events are laid before the council with the annual report on the quality of the water.",
    ],
    "consumers": [
        "A complaint about the quality of the water is answered within two working days and in writing within ten.",
        "When a consumer complains of the taste or the smell of the water a sample is taken at the tap.",
        "Consumers are told of planned work on the mains at least two days before the water is turned off.",
        "A consumer whose water has been turned off without notice for more than twelve hours is paid the sum in the tariff.",
        "The price of the water is made up of a fixed charge for the meter and a charge for each cubic metre.",
        "The meter is read once a year, and the consumer may ask for the meter to be tested.",
        "Water for the fire brigade is free of charge.",
        "Consumers with a child under one year of age are told at once when the limit for nitrate is exceeded.",
        "The consumers in the zone are told of the cause when the water has been turned off without notice.",
        "When a consumer complains of the quality of the water the complaint is entered in the register of complaints.",
    ],
}
CAUSES = {
    "eskerby17": ("frost", "joint drawn", "old clamp", "lorry", "root", "not known"),
    "eskerby14": ("flood", "settlement", "frost", "rust", "plough", "gang's own pick"),
    "brackwell": ("frost", "chalk movement", "lorry on verge", "rust", "gas board", "not stated"),
}


def _code(topic: str, count: int, seed: str, form: str) -> Block:
    chosen = random.Random(f"{seed}|{topic}").sample(CODE[topic], count)
    return numbered(chosen, form=form)


def _bursts(seed: str, streets: tuple[str, ...], count: int, year: int) -> list[Block]:
    """A register of burst mains in order of date, three months of a winter."""
    rng = random.Random(f"{seed}|bursts")
    days = sorted(rng.sample(range(123), count))
    months = (("October", 31, year), ("November", 30, year), ("December", 31, year), ("January", 31, year + 1))
    rows = [["Date", "Street", "Main (inch)", "Cause", "Houses", "Hours off"]]
    for day in days:
        month, left = 0, day
        while left >= months[month][1]:
            left -= months[month][1]
            month += 1
        name, _, shown = months[month]
        hours = f"{rng.randint(2, 19)}.{rng.choice('05')}"
        rows.append(
            [
                f"{left + 1} {name} {shown}",
                rng.choice(streets),
                str(rng.choice((3, 4, 4, 6, 8))),
                rng.choice(CAUSES[seed]),
                str(rng.randint(4, 96)),
                hours,
            ]
        )
    return [table(rows, widths=(18, 15, 8, 16, 7, 8), keep=False)]


def _eskerby17() -> DemoDocument:
    story = [
        big_title(
            "Eskerby Town Council",
            "Water and Drainage Committee: minutes and papers of the municipal year 2017",
            centred=False,
        ),
        note(
            "Bound by order of the Town Clerk. The pages are numbered through; the papers laid before a meeting follow its minutes. Copies are sixpence at the counter by a resolution of 1961 which nobody has had the heart to repeal, so they are free."
        ),
        need(130),
        heading("Members", 2),
        table(
            [
                ["Member", "Ward", "Meetings attended, of 4"],
                ["Cllr Harriet Goss (chairman)", "Quay", "4"],
                ["Cllr Desmond Ilkley (vice-chairman)", "Northgate", "4"],
                ["Cllr Ruth Pemberley", "Fell Side", "3"],
                ["Cllr Oswin Tate", "Quay", "2"],
                ["Cllr Marguerite Sefton", "Mill Lane", "4"],
                ["Cllr Aled Prosser", "Northgate", "3"],
            ],
            widths=(28, 8, 15),
        ),
        para(
            "In attendance: Borough Engineer Lionel Crabtree; Dr Farida Wynne, health officer; Town Clerk Miss E. Stannard; and, at the third meeting, nineteen residents of Mill Lane, standing."
        ),
        need(130),
        heading("What this volume is about", 2),
        para(
            "The year will be remembered in the office for two things: the summer in which Mill Lane had brown water for eleven days, and the vote to renew the Fell Side main, which had been put off since 1998. The engineer remarked, in a sentence that the chairman asked to be minuted, that the main had been laid by men who had never seen a motor car and was now being asked to carry several."
        ),
        page_break(),
        heading("Meeting of Tuesday 14 February 2017, Council Chamber, 7 p.m.", 2),
        para(
            '**1. Minutes.** The minutes of 15 November 2016 were taken as read, after Cllr Tate had secured the correction of "tea" to "tee" in the item on pipes.'
        ),
        para(
            "**2. Interests.** Cllr Prosser declared that his brother-in-law tenders for trench work, and left for item 5."
        ),
        para(
            "**3. Winter bursts.** The engineer reported 37 bursts since 1 October, against 22 in the winter before. The frost of 3 January alone accounted for nine. He laid the register before members and drew their attention to Fell Side, where one hundred and forty yards of pipe had been mended so often that there was, he said, more clamp than pipe."
        ),
        para(
            "**4. Leakage.** Of the water put into supply in 2016 a share of 28.4 per cent was not accounted for. The chairman asked what it would cost to find it. The engineer said that it would cost rather less than to go on making it."
        ),
        para("**5. Tender for the Fell Side main.** Four tenders were opened in the presence of members."),
        table(
            [
                ["Tenderer", "Sum (£)", "Weeks"],
                ["Hallam & Byrd", "418,600", "26"],
                ["Northmoor Civil", "392,750", "31"],
                ["J. Ruddock and Sons", "437,200", "22"],
                ["Culverwell Pipelines", "401,980", "24"],
            ],
            widths=(18, 7, 7),
        ),
        para(
            "Resolved, by four votes to one, that the tender of Culverwell Pipelines be accepted, the committee preferring seven weeks without water carts to a saving of some nine thousand pounds. Cllr Tate wished his vote against to be recorded."
        ),
        page_break(),
        heading("Paper A: register of bursts, 1 October 2016 to 31 January 2017 (the worst streets)", 2),
        *_bursts(
            "eskerby17", ("Fell Side", "Northgate", "Mill Lane", "Quay Street", "Abbey Row", "Tanner's Wynd"), 22, 2016
        ),
        need(130),
        heading("Paper B: extracts of the Water Quality Order on the network, for new members", 2),
        _code("network", 9, "eskerby17", "({})"),
        page_break(),
        heading("Meeting of Thursday 11 May 2017, 7 p.m.", 2),
        para(
            "**6. Election of officers.** Cllr Goss was re-elected to the chair without a contest and thanked members for their courage."
        ),
        para(
            "**7. Annual report on quality, 2016.** Dr Wynne presented the results. Of 864 determinations at consumers' taps six had exceeded a limit: four for iron, one for manganese and one for lead. The lead had been found at a house in Abbey Row whose owner collects antique plumbing."
        ),
        table(
            [
                ["Parameter", "Limit", "Samples", "Highest", "Above limit"],
                ["Escherichia coli (per 100 ml)", "0", "156", "0", "0"],
                ["Enterococci (per 100 ml)", "0", "52", "0", "0"],
                ["Turbidity (NTU)", "4", "104", "2.7", "0"],
                ["Iron (microgram per litre)", "200", "104", "371", "4"],
                ["Manganese (microgram per litre)", "50", "104", "63", "1"],
                ["Aluminium (microgram per litre)", "200", "104", "118", "0"],
                ["Lead (microgram per litre)", "10", "52", "14.9", "1"],
                ["Nitrate (milligram per litre)", "50", "52", "19.3", "0"],
                ["Trihalomethanes, sum (microgram per litre)", "100", "52", "58.5", "0"],
                ["pH, lowest and highest", "6.5 to 9.5", "84", "7.0 to 8.3", "0"],
            ],
            widths=(35, 7, 9, 9, 7),
            caption="Results for 2016 at consumers' taps",
        ),
        para(
            "**8. Tariff.** The treasurer's deputy, Mr Bevis Lockyer, proposed the charges in Paper D. Cllr Sefton asked whether a widow in one room ought to pay the same for her meter as a laundry. It was answered that she did not, since the laundry has four."
        ),
        para("Resolved unanimously that the tariff be adopted from 1 July."),
        page_break(),
        heading("Paper C: extracts of the Order on samples and limits", 2),
        _code("sampling", 9, "eskerby17", "({})"),
        _code("limits", 8, "eskerby17", "({})"),
        need(130),
        heading("Paper D: tariff from 1 July 2017", 2),
        table(
            [
                ["Charge", "Until June", "From July"],
                ["Meter, house, per year (£)", "31.20", "33.60"],
                ["Meter, trade, per year (£)", "88.00", "96.50"],
                ["Water, per cubic metre (£)", "1.18", "1.27"],
                ["Hydrant hire, per week (£)", "14.00", "17.50"],
                ["Cut off without notice, paid to the consumer (£)", "20.00", "25.00"],
            ],
            widths=(38, 8, 7),
        ),
        page_break(),
        heading("Meeting of Tuesday 19 September 2017, Mill Lane School, 7.30 p.m.", 2),
        para(
            "**9. Brown water in Mill Lane.** The chairman said that the meeting was being held among the people concerned, and asked that they speak one at a time. Mrs Noreen Halliwell of number 61 held up a jar. It was passed along the table and nobody drank from it."
        ),
        para(
            "The engineer gave the facts. On 21 July a valve at the tannery corner, shown on the plan as open, had been found shut, and was opened; the flow in the old main turned round; what had lain in it since the war came with it. In all 312 houses were affected. Samples were free of bacteria throughout; iron reached 1,840 micrograms."
        ),
        para("He had since found that the plan and the valves disagreed in eight places."),
        para(
            'Dr Wynne had not given a notice to boil, since there was nothing to boil out. She regretted that the leaflet had said "harmless" in capitals. Mr Halliwell asked what the council would say to his wife\'s sheets.'
        ),
        para(
            "Resolved: that £25 be paid to each house affected; that every valve in the town be turned and the plan be corrected by 31 March; that the laundry bill of number 61 be met."
        ),
        para(
            "**10. Fell Side.** Culverwell Pipelines were in their eleventh week and two days ahead, having found a stretch of elm pipe in perfect condition, which the museum has asked for."
        ),
        page_break(),
        heading("Paper E: events of the year and what the Order requires", 2),
        _code("notification", 9, "eskerby17", "({})"),
        _code("consumers", 8, "eskerby17", "({})"),
        table(
            [
                ["Event", "Began", "Ended", "Houses", "Told within"],
                ["Burst, Northgate trunk", "3 January, 05.10", "3 January, 21.40", "540", "40 minutes"],
                ["Chlorine alarm, Beck Head works", "26 April, 02.15", "26 April, 03.05", "0", "25 minutes"],
                ["Brown water, Mill Lane", "21 July, 11.30", "1 August, 16.00", "312", "3 hours"],
                ["Diesel at the intake, false alarm", "8 October, 14.20", "8 October, 19.45", "0", "15 minutes"],
            ],
            widths=(28, 15, 15, 8, 10),
        ),
        page_break(),
        heading("Meeting of Wednesday 6 December 2017, Council Chamber, 7 p.m.", 2),
        para(
            "**11. Works at Beck Head.** Members had visited on 22 November, in boots. They had seen the new filters and the old operator, Mr Silas Thackray, who retires at Easter after forty-one years, and whose log of chlorine doses in pencil was found to agree with the computer to the second decimal. Resolved that he be given the first of the logs, bound."
        ),
        para(
            "**12. Valves.** Of 1,127 valves on the plan 803 had been turned. Sixteen could not be found, three of them beneath the new bus shelter."
        ),
        para("**13. Budget for 2018.** Adopted as printed:"),
        table(
            [
                ["Head", "2017 (£)", "2018 (£)"],
                ["Wages of the works and the gang", "286,400", "297,900"],
                ["Chemicals", "41,350", "44,800"],
                ["Electricity", "97,200", "103,650"],
                ["Mains renewal", "460,000", "215,000"],
                ["Laboratory", "38,900", "40,100"],
                ["Valves and plan", "5,000", "62,000"],
            ],
            widths=(23, 7, 7),
        ),
        para(
            "**14. Any other business.** Cllr Tate asked when the fountain would play. The chairman said that it would play when he had voted for something."
        ),
        para("There being nothing further the meeting ended at 9.05 p.m."),
        page_break(),
        heading("Paper F: working rules of Beck Head, as read to members on their visit", 2),
        _code("works", 9, "eskerby17", "({})"),
        need(130),
        heading("Paper G: on minutes, interests and registers", 2),
        _code("records", 8, "eskerby17", "({})"),
        page_break(),
        heading("Index of resolutions", 2),
        table(
            [
                ["No.", "Date", "Matter", "For", "Against"],
                ["17/03", "14 February", "Fell Side main, tender", "4", "1"],
                ["17/08", "11 May", "Tariff", "6", "0"],
                ["17/11", "19 September", "Payment to Mill Lane houses", "5", "0"],
                ["17/12", "19 September", "Survey of valves", "5", "0"],
                ["17/13", "19 September", "Laundry bill, number 61", "3", "2"],
                ["17/16", "6 December", "Gift to Mr Thackray", "6", "0"],
                ["17/17", "6 December", "Budget for 2018", "5", "1"],
            ],
            widths=(5, 11, 22, 5, 9),
        ),
        para(
            "Signed as a correct record: H. Goss, 13 February 2018. Clerk's note: the jar from Mill Lane is kept in the strong room, labelled."
        ),
    ]
    return DemoDocument(
        "eskerby-water-committee-minutes-2017.pdf",
        "Eskerby Town Council: Water and Drainage Committee 2017",
        TYPE,
        "administration",
        "source",
        style=Style(
            page="b5",
            font="serif",
            size=10.0,
            margin=54.0,
            header="Eskerby Town Council | Water and Drainage Committee, 2017",
            footer="{page}",
            first_label=("arabic", 41, ""),
            accent="#222222",
        ),
        story=story,
    )


def _tarnside18() -> DemoDocument:
    story = [
        cover(
            "Drinking water compliance report 2018",
            "Tarnside Water Board",
            [
                "Submitted under article 14 of the Water Quality Order",
                "Licence TWB/7",
                "Reporting officer: Ingrid Vasseur, head of quality",
            ],
            drop=150.0,
            bottom=["Laid before the Board on 20 May 2019"],
        ),
        contents("Contents", levels=1),
        need(130),
        heading("1. Statement of compliance"),
        para(
            "In 2018 the Tarnside Water Board supplied 9.46 million cubic metres of drinking water to 74,300 consumers in five zones. Of 21,873 determinations which count for compliance, 21,839 met the limit, which is 99.84 per cent. There were 34 failures, fewer than in either of the two years before."
        ),
        para(
            "The Board does not consider the figure to be the whole story. Half of all failures occurred in one zone, Ravensworth High, which holds seven per cent of our consumers; the reason is known, and is described in section 5 with the remedy. We would rather be judged by that section than by the percentage."
        ),
        box(
            "No notice to boil the water. One prosecution, concluded. One works closed (Gilsey Spring). Two kilometres of lead pipe fewer. A hot summer that brought the reservoir down to its lowest level since it was built, and with it a smell of earth which produced 611 telephone calls in a fortnight.",
            title="The year in one paragraph",
        ),
        page_break(),
        heading("2. Zones and works"),
        table(
            [
                ["Zone", "Works", "Consumers", "Supplied (thousand m3)", "Determinations", "Failures"],
                ["Tarnside Low", "Cold Tarn", "31,200", "3,910", "8,344", "7"],
                ["Tarnside Mid", "Cold Tarn", "18,650", "2,245", "5,120", "4"],
                ["Ravensworth High", "Ravens Gill", "5,240", "702", "2,436", "17"],
                ["Harle and Dene", "Dene Boreholes", "14,730", "1,983", "4,188", "5"],
                ["Gilsey", "Gilsey Spring, until May", "4,480", "620", "1,785", "1"],
            ],
            widths=(14, 19, 11, 15, 14, 10),
        ),
        para(
            "The spring at Gilsey had served the village since a friar struck the rock, according to the sign at the inn. It failed for enterococci after every cloudburst. On 17 May its 4,480 consumers were joined to the Cold Tarn supply by a main of 6.2 km, and the sign has been amended."
        ),
        para(
            "Cold Tarn is a slow sand works of 1908 with ozone added in 2004. Ravens Gill has pressure filters from 1967. Dene has four boreholes and no treatment except chlorine and the removal of iron."
        ),
        page_break(),
        heading("3. How samples are taken"),
        para(
            "The programme for 2018 was agreed with the inspectorate in November 2017. Our four samplers drove 68,000 km. In the first week of March snow kept them from Ravensworth for three days, and seven samples were made up later in the month."
        ),
        _code("sampling", 9, "tarnside18", "3.{}"),
        para(
            "The laboratory is Blaylock Analytical at Harle. An audit by the Board in June found two thermometers out of date, and one analyst, Mr Cosimo Reed, who had found an error in the Board's own forms."
        ),
        need(130),
        heading("4. Results against the limits"),
        _code("limits", 9, "tarnside18", "4.{}"),
        page_break(),
        heading("Table of results, all zones", 2),
        table(
            [
                ["Parameter", "Limit", "Samples", "Mean", "Highest", "Failures"],
                ["Escherichia coli (per 100 ml)", "0", "1,462", "0", "1", "1"],
                ["Enterococci (per 100 ml)", "0", "488", "0", "3", "2"],
                ["Coliform bacteria (per 100 ml)", "0", "1,462", "0", "12", "8"],
                ["Clostridium perfringens (per 100 ml)", "0", "730", "0", "0", "0"],
                ["Turbidity (NTU)", "4", "1,104", "0.22", "4.9", "1"],
                ["Colour (mg/l Pt)", "20", "552", "3.1", "17", "0"],
                ["pH, lowest and highest", "6.5 to 9.5", "1,104", "7.6", "9.2", "0"],
                ["Iron (microgram per litre)", "200", "552", "23", "286", "6"],
                ["Manganese (microgram per litre)", "50", "552", "6.4", "148", "11"],
                ["Aluminium (microgram per litre)", "200", "552", "19", "133", "0"],
                ["Lead (microgram per litre)", "10", "244", "1.3", "16.2", "3"],
                ["Copper (milligram per litre)", "2", "244", "0.09", "0.74", "0"],
                ["Nickel (microgram per litre)", "20", "244", "1.9", "23.5", "1"],
                ["Nitrate (milligram per litre)", "50", "244", "11.8", "38.7", "0"],
                ["Nitrite (milligram per litre)", "0.5", "244", "0.01", "0.08", "0"],
                ["Fluoride (milligram per litre)", "1.5", "122", "0.11", "0.36", "0"],
                ["Sodium (milligram per litre)", "200", "122", "14.2", "41.5", "0"],
                ["Sulphate (milligram per litre)", "250", "122", "26", "61", "0"],
                ["Trihalomethanes, sum (microgram per litre)", "100", "244", "34.9", "83.6", "0"],
                ["Bromate (microgram per litre)", "10", "122", "1.1", "6.8", "0"],
                ["Pesticides, sum (microgram per litre)", "0.5", "122", "0.03", "0.42", "0"],
                ["Taste and odour (dilution)", "3", "276", "0", "4", "1"],
            ],
            widths=(35, 7, 9, 6, 9, 10),
        ),
        note(
            "Determinations for operational purposes are left out. The single turbidity failure was a hydrant opened by a film crew."
        ),
        page_break(),
        heading("5. Failures and what was done"),
        para(
            "**Ravensworth High, manganese.** The upland water is soft and brown and carries manganese, which settles in the mains and comes off when the flow changes. Eleven of the seventeen failures in the zone were for manganese. The filters were re-laid in October with 62 tonnes of coated sand at a cost of £187,400; in November and December no sample was above 9 micrograms. A new contact tank follows in 2020."
        ),
        para(
            "**Coliform bacteria.** Eight taps. In six of them the sample taken next day was clear and the fault lay with the tap: a hose, a beard of lime, in one case a goldfish. In the two others a hatch at Dene reservoir let rain in, and was replaced."
        ),
        para("**Lead.** Three houses in Tarnside Low built before 1935. The owners were offered a grant; two took it."),
        para("**Nickel.** A new tap of cheap make. The shop has withdrawn it."),
        table(
            [
                ["Cause", "Failures"],
                ["Deposits in the mains", "18"],
                ["Consumer's own pipes and taps", "10"],
                ["Reservoir hatch", "2"],
                ["Treatment", "3"],
                ["Third party", "1"],
            ],
            widths=(23, 10),
        ),
        page_break(),
        heading("6. Events and notifications"),
        para(
            "Nine events were notified, the gravest being the ammonia spill at Dene on 9 August, when a farm tank burst 800 m from borehole 3. The duty operator, Yusra Hadley, shut the borehole eleven minutes after the call. It stayed shut for 53 days. The farmer was fined £14,000 and has since bought a wall."
        ),
        _code("notification", 9, "tarnside18-14", "6.{}"),
        table(
            [
                ["No.", "Date", "Zone", "Event", "Consumers affected", "Hours"],
                ["1", "22 January", "Tarnside Low", "trunk main burst, Castle Bank", "6,150", "14.5"],
                ["2", "4 March", "Ravensworth High", "power cut at works", "5,240", "9.0"],
                ["3", "30 April", "Gilsey", "enterococci after rain", "4,480", "31.0"],
                ["4", "2 July", "Tarnside Mid", "smell of earth", "18,650", "336.0"],
                ["5", "9 August", "Harle and Dene", "ammonia spill", "0", "-"],
                ["6", "28 August", "Tarnside Low", "brown water, valve", "870", "6.5"],
                ["7", "15 October", "Ravensworth High", "filters out for work", "0", "-"],
                ["8", "11 November", "Tarnside Mid", "chlorine high, 1.4 mg/l", "2,300", "3.0"],
                ["9", "19 December", "Harle and Dene", "burst, Dene Lane", "410", "7.5"],
            ],
            widths=(5, 10, 14, 24, 12, 7),
        ),
        page_break(),
        heading("7. Running the works"),
        _code("works", 9, "tarnside18", "7.{}"),
        para(
            "The drought dropped Cold Tarn to 5.31 metres below the weir on 3 September. Divers who used the occasion to look at the intake brought up eleven bicycles and a safe, which was empty. From 10 August ozone was raised by a third to deal with the smell. It worked on the water; the telephone took a week longer."
        ),
        table(
            [
                [
                    "Works",
                    "Output (Ml a day)",
                    "Chlorine out, mean (mg/l)",
                    "Filter washes",
                    "Alarms",
                    "Answered in the hour",
                ],
                ["Cold Tarn", "17.9", "0.44", "212", "61", "60"],
                ["Ravens Gill", "1.9", "0.58", "397", "88", "83"],
                ["Dene Boreholes", "5.4", "0.31", "148", "27", "27"],
            ],
            widths=(12, 12, 18, 10, 8, 14),
        ),
        page_break(),
        heading("8. The network"),
        para(
            "There are 803 km of mains, of which 17.4 km were renewed in 2018. Leakage was 19.7 per cent of supply. A team of two, Bertil Frayne and his dog, walks the upland mains at night with a listening stick; the dog is not trained for it, but he sits down at leaks, and has been right fourteen times."
        ),
        _code("network", 9, "tarnside18-4", "8.{}"),
        table(
            [
                ["Lead pipes", "Known at start of year", "Replaced in 2018", "Left"],
                ["Tarnside Low", "2,480", "214", "2,266"],
                ["Tarnside Mid", "655", "71", "584"],
                ["Harle and Dene", "390", "28", "362"],
                ["Ravensworth High", "44", "12", "32"],
            ],
            widths=(15, 15, 11, 6),
        ),
        page_break(),
        heading("9. Consumers"),
        _code("consumers", 8, "tarnside18-1", "9.{}"),
        table(
            [
                ["Complaint", "2017", "2018"],
                ["Brown or black water", "418", "296"],
                ["Taste or smell", "133", "702"],
                ["White water (air)", "87", "91"],
                ["No water or low pressure", "245", "221"],
                ["Illness, alleged", "19", "16"],
            ],
            widths=(21, 6, 6),
        ),
        para(
            "Each of the sixteen allegations of illness was followed by a sample and a visit. None was confirmed. One consumer turned out to have been drinking from the rain barrel, on principle."
        ),
        page_break(),
        heading("10. Records, governance and outlook"),
        _code("records", 8, "tarnside18-14", "10.{}"),
        para(
            "The Board met ten times. Its quality committee consists of Prof. Ambrose Lyle, Mrs Tamsin Orrell and Mr Gethin Howe. The committee asked that next year's report show each failure on a map and that it be two pages shorter. We shall manage one of the two."
        ),
        table(
            [
                ["Undertaking", "By", "Cost (£ thousand)"],
                ["Contact tank, Ravens Gill", "March 2020", "940"],
                ["Hatches on all eleven reservoirs", "August 2019", "126"],
                ["Lead pipes, 400 a year", "continuing", "310"],
                ["Second sampler for upland zones", "June 2019", "43"],
            ],
            widths=(28, 10, 12),
        ),
        para(
            "Signed: Ingrid Vasseur, head of quality; countersigned for the Board by its secretary, Hubert Coyle, on 13 May 2019."
        ),
    ]
    return DemoDocument(
        "tarnside-compliance-report-2018.pdf",
        "Tarnside Water Board: compliance report 2018",
        TYPE,
        "administration",
        "source",
        style=Style(
            page="a4",
            font="sans",
            size=10.3,
            margin=64.0,
            header="Tarnside Water Board | Compliance report 2018",
            footer="| Page {page}",
            accent="#1b4f72",
            justify=False,
            headings="ruled",
            tables="zebra",
        ),
        story=story,
    )


def _eskerby14() -> DemoDocument:
    story = [
        big_title(
            "Eskerby Town Council",
            "Minutes of the Water and Drainage Committee, January to November 2014",
            centred=False,
        ),
        need(130),
        heading("Committee as elected in May 2013", 2),
        para(
            "Chairman: Cllr Desmond Ilkley. Members: Cllrs Goss, Hebblewhite, Tate, Mrs Rudge and Captain Lorimer. Officers: L. Crabtree (assistant engineer, acting for Mr Baines, who is in hospital); Dr Colm Adair, health officer; H. Trask, clerk."
        ),
        table(
            [
                ["Member", "21 January", "8 April", "15 July", "4 November"],
                ["Ilkley", "present", "present", "present", "present"],
                ["Goss", "present", "present", "late", "present"],
                ["Hebblewhite", "away", "present", "present", "away"],
                ["Tate", "present", "present", "present", "left at item 6"],
                ["Mrs Rudge", "present", "away", "present", "present"],
                ["Lorimer", "at sea", "at sea", "present", "present"],
            ],
            widths=(9, 9, 7, 7, 11),
        ),
        page_break(),
        heading("21 January 2014", 2),
        para("__1.__ Apologies from Captain Lorimer, by radio."),
        para(
            "__2.__ The floods. Mr Crabtree told members how the beck had come over the filter house step on the night of 27 December; the pump men had stood in it to the thigh and kept the supply on. No water that was not treated had gone to the town. One notice to boil was given all the same, for Quay Street, after three taps showed coliform bacteria; it held for six days and 188 houses. Thanks were voted to Messrs Thackray and Old Pickersgill, and dry socks."
        ),
        para("__3.__ Pumps. Two were lost to the mud. Quotations:"),
        table(
            [
                ["Maker", "Each (£)", "Delivery (weeks)"],
                ["Orrin & Teale", "11,940", "14"],
                ["Kestrel Pumps", "13,275", "5"],
                ["Ludvig Strom", "10,860", "20"],
            ],
            widths=(12, 7, 11),
        ),
        para("Agreed that Kestrel be asked for two, the difference being laid to experience."),
        para(
            "__4.__ Mrs Rudge wished to know why a committee named for drainage never talked of drains. The chairman undertook that it should, and it did, till ten."
        ),
        page_break(),
        heading("What was mended between Michaelmas and New Year, from the gang's daybook", 2),
        *_bursts("eskerby14", ("Fell Side", "Castle Hill", "Back Beck", "Staithe Road"), 9, 2013),
        para(
            'Old Pickersgill, who writes up the daybook, notes against Castle Hill that a wedding was held up till the hole could be bridged with two doors, and that the bride walked across first. Against Staithe Road he has only written "again". He asks members to consider whether a street which has been opened nineteen times might be left open, with a railing.'
        ),
        need(130),
        heading("Reading for members: on mains", 2),
        _code("network", 8, "eskerby14-4", "{}."),
        page_break(),
        heading("8 April 2014", 2),
        para(
            "__5.__ Water unaccounted for in 2013: 31.9 per cent. Cllr Tate called it a river. Mr Crabtree said that it was about as much as the Beck Head stream in August."
        ),
        para(
            "__6.__ Report of the health officer for 2013. Dr Adair said that it had been a fair year until Christmas. Of 888 determinations thirteen exceeded a limit. He would not read the table aloud, as he had done the year before, since two members had been asleep by manganese."
        ),
        table(
            [
                ["Parameter", "Limit", "Samples", "Highest", "Above limit"],
                ["Escherichia coli (per 100 ml)", "0", "144", "2", "1"],
                ["Coliform bacteria (per 100 ml)", "0", "144", "17", "3"],
                ["Turbidity (NTU)", "4", "96", "5.2", "2"],
                ["Iron (microgram per litre)", "200", "96", "428", "5"],
                ["Manganese (microgram per litre)", "50", "96", "71", "2"],
                ["Aluminium (microgram per litre)", "200", "96", "164", "0"],
                ["Lead (microgram per litre)", "10", "48", "9.1", "0"],
                ["Nitrate (milligram per litre)", "50", "48", "21.7", "0"],
                ["Trihalomethanes, sum (microgram per litre)", "100", "48", "66.2", "0"],
                ["pH, lowest and highest", "6.5 to 9.5", "72", "6.8 to 8.1", "0"],
            ],
            widths=(35, 7, 9, 9, 7),
        ),
        para(
            "__7.__ Fell Side main. Captain Lorimer being absent, Mrs Rudge read out his letter, in which he compared the main to the hull of a coaster he had once commanded, which was held together chiefly by its paint. Deferred."
        ),
        para(
            "Cllr Hebblewhite asked that his long service on this item be recorded: he had voted for the replacement in 1998, 2001, 2004 and 2009, under four chairmen, three of whom were in favour."
        ),
        page_break(),
        heading("Reading for members: on samples, and on limits", 2),
        _code("sampling", 8, "eskerby14", "{}."),
        _code("limits", 9, "eskerby14-17", "{}."),
        page_break(),
        heading("15 July 2014", 2),
        para("__8.__ Captain Lorimer, ashore, took his seat and was welcomed."),
        para(
            "__9.__ Drought order. None needed. The spring rain had filled Beck Head to within a foot of the crest, and the ducks were back."
        ),
        para(
            "__10.__ Tariff. A rise of three pence on the cubic metre was proposed by the treasurer, Mrs Olwen Birtles. Captain Lorimer thought two and a half; it was explained to him that computers could not do halves. Carried, five to one."
        ),
        table(
            [
                ["Charge", "2013", "2014"],
                ["Meter, house, per year (£)", "26.40", "27.90"],
                ["Meter, trade, per year (£)", "71.50", "74.00"],
                ["Water, per cubic metre (£)", "1.02", "1.05"],
                ["Hydrant hire, per week (£)", "10.00", "11.00"],
            ],
            widths=(24, 6, 6),
        ),
        para(
            "__11.__ A letter from the Allotment Holders. They say the water tastes of swimming baths. Mr Crabtree had been to taste it, among the marrows, and thought they might be near the new dosing point. To be looked at, with tact."
        ),
        para(
            "__11a.__ Sheep in the gathering ground. Shepherd Amos Birkett appeared by invitation and told members that sheep have drunk of the beck since the abbots and that nobody had ever complained of the abbots. A fence of 900 metres was thought reasonable, if it had gates; Mr Birkett thought it reasonable if it had none. A sub-committee of two was sent up to walk the line with him, in stout shoes, and to take sandwiches."
        ),
        page_break(),
        heading("Reading for members: on consumers and on events", 2),
        _code("consumers", 7, "eskerby14", "{}."),
        _code("notification", 9, "eskerby14-18", "{}."),
        page_break(),
        heading("4 November 2014", 2),
        para(
            "__12.__ Mr Baines had died in September. Members stood. The vice-chairman recalled his bicycle clips, his Welsh hymns beneath manhole covers, his single published poem (on sluices), and how, during the strike, he had personally wound every penstock from Gibbet Hill down to the estuary by lantern. Mr Crabtree was appointed Borough Engineer from the first of the month."
        ),
        para(
            "__13.__ Beck Head. A new dosing room is wanted: £54,300. The old one is a privy, converted in 1951. Agreed, and that the door be kept for the museum."
        ),
        para("__14.__ Staithe Road sewer collapse: a hole the size of a piano, and in it, a piano. Owner sought."),
        para("__15.__ Estimates for 2015."),
        table(
            [
                ["Head", "2014 (£)", "2015 (£)"],
                ["Wages of the works and the gang", "251,800", "259,000"],
                ["Chemicals", "36,200", "38,450"],
                ["Electricity", "82,700", "88,100"],
                ["Mains renewal", "120,000", "95,000"],
                ["Laboratory", "33,500", "34,750"],
            ],
            widths=(23, 7, 7),
        ),
        para(
            "Cllr Tate moved that a fountain be provided for the coronation garden. There was no seconder, and he left."
        ),
        page_break(),
        heading("Reading for members: the works", 2),
        _code("works", 9, "eskerby14-1", "{}."),
        para("The card below hangs in the filter house and was copied for members by Mr Thackray."),
        table(
            [
                ["Look at", "How often", "If wrong"],
                ["chlorine dial", "every four hours", "ring the engineer"],
                ["turbidity dial", "every four hours", "wash the filter, then ring"],
                ["beck", "when it rains", "sandbags"],
                ["cat", "daily", "feed"],
            ],
            widths=(11, 14, 20),
        ),
        page_break(),
        heading("Reading for members: their own duties", 2),
        _code("records", 7, "eskerby14-3", "{}."),
        need(130),
        heading("What was settled", 2),
        table(
            [
                ["Matter", "Month", "Outcome"],
                ["Pumps from Kestrel", "January", "arrived in February"],
                ["Fell Side", "April", "put off, sixteenth year"],
                ["Tariff", "July", "in force"],
                ["Dosing room", "November", "tender in spring"],
                ["Drains", "January", "talked about"],
            ],
            widths=(14, 7, 19),
        ),
        para("Approved at the meeting of 20 January 2015. D. Ilkley."),
    ]
    return DemoDocument(
        "eskerby-water-committee-minutes-2014.pdf",
        "Eskerby Town Council: Water and Drainage Committee 2014",
        TYPE,
        "administration",
        "hard_negative",
        style=Style(
            page="b5",
            font="serif",
            size=11.2,
            margin=64.0,
            footer="{page}",
            first_label=("arabic", 7, ""),
            accent="#000000",
            headings="centred",
        ),
        story=story,
    )


def _tarnside16() -> DemoDocument:
    story = [
        cover(
            "Annual compliance return, calendar year 2016",
            "Tarnside Water Board, licence TWB/7",
            ["Prepared by the chemist, Dr Anselm Krige", "For the Inspectorate of Drinking Water"],
            drop=120.0,
        ),
        heading("Part A. Summary of the return"),
        para(
            "The Board returns 22,410 determinations for 2016, of which 61 did not comply; the compliance is 99.73 per cent. Supply was 9.12 million cubic metres and the population at midsummer 72,900. Two notices to boil were given."
        ),
        para(
            "The chemist draws attention to a new method for bromate from April, which finds more of it than the old. The bromate did not increase; we did."
        ),
        bullets(
            [
                "Zones: five, as in the licence",
                "Works in use: four",
                "Samplers: three, with a fourth on trial",
                "Laboratory: the Board's own until 30 June, and after that Blaylock Analytical",
            ]
        ),
        page_break(),
        heading("Part B. Zones"),
        table(
            [
                ["Zone", "Works", "Consumers", "Supplied (thousand m3)", "Determinations", "Failures"],
                ["Tarnside Low", "Cold Tarn", "30,500", "3,770", "8,611", "15"],
                ["Tarnside Mid", "Cold Tarn", "18,200", "2,158", "5,307", "8"],
                ["Ravensworth High", "Ravens Gill", "5,310", "688", "2,298", "13"],
                ["Harle and Dene", "Dene Boreholes", "14,450", "1,901", "4,270", "9"],
                ["Gilsey", "Gilsey Spring", "4,440", "603", "1,924", "16"],
            ],
            widths=(14, 12, 11, 15, 14, 10),
        ),
        para(
            "The spring at Gilsey yields about 19 litres a second in winter and a third of that in a dry September. It has no filter. There is a petition to keep it, signed by 1,015 of the people who had to boil it."
        ),
        page_break(),
        heading("Part C. Sampling in the year"),
        para(
            "The programme was kept to within three samples. One sampler, Mr Piers Nettleton, was bitten by a goose at a compliance tap in Harle, and a different tap has been nominated."
        ),
        _code("sampling", 9, "tarnside16-1", "C{}"),
        need(130),
        heading("Part D. Limits as applied"),
        _code("limits", 8, "tarnside16", "D{}"),
        page_break(),
        heading("Part E. Results"),
        table(
            [
                ["Parameter", "Limit", "Samples", "Mean", "Highest", "Failures"],
                ["Escherichia coli (per 100 ml)", "0", "1,440", "0", "6", "4"],
                ["Enterococci (per 100 ml)", "0", "480", "0", "11", "9"],
                ["Coliform bacteria (per 100 ml)", "0", "1,440", "0", "40", "14"],
                ["Clostridium perfringens (per 100 ml)", "0", "720", "0", "2", "3"],
                ["Turbidity (NTU)", "4", "1,080", "0.31", "3.8", "0"],
                ["Colour (mg/l Pt)", "20", "540", "4.4", "22", "2"],
                ["Iron (microgram per litre)", "200", "540", "31", "344", "8"],
                ["Manganese (microgram per litre)", "50", "540", "7.9", "112", "9"],
                ["Aluminium (microgram per litre)", "200", "540", "27", "181", "0"],
                ["Lead (microgram per litre)", "10", "240", "1.8", "21.4", "6"],
                ["Nickel (microgram per litre)", "20", "240", "2.0", "18.8", "0"],
                ["Nitrate (milligram per litre)", "50", "240", "12.6", "41.3", "0"],
                ["Nitrite (milligram per litre)", "0.5", "240", "0.02", "0.13", "0"],
                ["Sodium (milligram per litre)", "200", "120", "13.7", "39.9", "0"],
                ["Trihalomethanes, sum (microgram per litre)", "100", "240", "41.2", "104.7", "2"],
                ["Bromate (microgram per litre)", "10", "120", "2.4", "11.9", "4"],
                ["Pesticides, sum (microgram per litre)", "0.5", "120", "0.02", "0.35", "0"],
            ],
            widths=(35, 7, 9, 6, 9, 10),
        ),
        para(
            "The two failures for trihalomethanes came from a tank in Tarnside Mid in which water had stood for nine days while a valve was being waited for."
        ),
        page_break(),
        heading("Part F. Events"),
        _code("notification", 8, "tarnside16-8", "F{}"),
        table(
            [
                ["Date", "Zone", "Event", "Consumers affected", "Hours"],
                ["7 February", "Gilsey", "notice to boil", "4,440", "168.0"],
                ["12 May", "Tarnside Low", "burst, Fish Street", "3,280", "11.0"],
                ["20 June", "Tarnside Mid", "stale tank", "640", "48.5"],
                ["3 September", "Gilsey", "notice to boil", "4,440", "216.0"],
                ["25 November", "Ravensworth High", "intake blocked by leaves", "5,310", "13.5"],
            ],
            widths=(10, 13, 20, 13, 7),
        ),
        page_break(),
        heading("Part G. The works"),
        _code("works", 8, "tarnside16-1", "G{}"),
        table(
            [
                ["Works", "Output (Ml a day)", "Chlorine out, mean (mg/l)", "Alarms"],
                ["Cold Tarn", "16.2", "0.49", "74"],
                ["Ravens Gill", "1.8", "0.63", "102"],
                ["Dene Boreholes", "5.2", "0.28", "33"],
                ["Gilsey Spring", "1.6", "0.71", "118"],
            ],
            widths=(12, 12, 17, 8),
        ),
        para(
            "Ravens Gill: the operator's house was given up in April and the alarm now rings in Tarnside, forty minutes away by a good road and ninety by the one that there is."
        ),
        page_break(),
        heading("Part H. Mains and lead"),
        _code("network", 8, "tarnside16-7", "H{}"),
        para(
            "Renewed: 12.8 km out of 796 km. Leakage 22.3 per cent. Lead pipes replaced: 176, against a promise of two hundred, because the grant ran out in October and the lead did not."
        ),
        page_break(),
        heading("Part I. Complaints"),
        para(
            'The clerk who logs telephone calls, Florrie Messenger, sorts them into her own categories, which are not the inspectorate\'s: "teatime", "bath night", "new baby", "husband says". The chemist has tabulated these for eight years and finds bath night predicts discoloured mains rather better than any turbidimeter. A paper has been declined by two journals.'
        ),
        _code("consumers", 8, "tarnside16-4", "I{}"),
        table(
            [
                ["Complaint", "2015", "2016"],
                ["Brown or black water", "507", "463"],
                ["Taste or smell", "158", "149"],
                ["White water (air)", "79", "102"],
                ["No water or low pressure", "311", "274"],
            ],
            widths=(21, 6, 6),
        ),
        page_break(),
        heading("Part J. Declarations"),
        _code("records", 7, "tarnside16-7", "J{}"),
        para(
            "I declare that the figures are taken from the register of samples without omission. A. Krige, chemist. The Board adds that Dr Krige retires on 31 March after thirty-three returns, that he has never rounded in our favour, and that his successor, Mrs Ingrid Vasseur, will find the drawers labelled."
        ),
        page_break(),
        heading("Annex. Closing the old laboratory"),
        para(
            "A note for the file, since people will ask. The laboratory in Weir Street opened in 1938 with one chemist and one burner. It tested milk in the war. In June its last sample, number 402,118, was drawn by the youngest sampler from the staff tap, and it complied. The balance went to the grammar school, the fume cupboard to a restaurant."
        ),
        table(
            [
                ["Equipment", "To", "Sum (£)"],
                ["Spectrometer", "Blaylock Analytical", "16,500"],
                ["Incubators, three", "Blaylock Analytical", "2,700"],
                ["Balance of 1938", "grammar school", "gift"],
                ["Glassware", "sold by the box", "415"],
            ],
            widths=(15, 17, 6),
        ),
    ]
    return DemoDocument(
        "tarnside-compliance-return-2016.pdf",
        "Tarnside Water Board: annual compliance return 2016",
        TYPE,
        "administration",
        "hard_negative",
        style=Style(
            page="b5",
            font="serif",
            size=10.2,
            margin=56.0,
            header="TWB/7 | Return 2016 | {section}",
            footer="{page}",
            accent="#26405c",
            tables="grid",
        ),
        story=story,
    )


def _halloran() -> DemoDocument:
    story = [
        big_title("Water Quality Report 2018", "Port Halloran Water Department, City of Port Halloran", centred=False),
        para(
            "Dear customer: you're entitled to know what's in your water, who looks, and what we do when it's wrong. Last year we made 3.07 billion gallons of it for 51,600 people. We ran 14,902 tests that count; 14,880 were fine. This report covers the other 22 as carefully as the rest."
        ),
        para("__Superintendent Loretta Quill__"),
        box(
            "Are you on a special diet, on dialysis, or feeding a newborn?: Call us on weekdays and ask for Benedict. He's got your numbers and he's nice about it."
        ),
        page_break(),
        heading("Where it comes from", 2),
        para(
            "Two lakes and a well field. Upper Lake gives 61 per cent, Shale Lake 27, the wells at Tiller's Flat the rest. In April we found zebra mussels on the Shale Lake screen, and had the screen out for eight days; a crew of four scraped 2.3 tons. They'd like it known that mussels can't be eaten once you've smelled them."
        ),
        table(
            [
                ["Source", "Plant", "Share (per cent)", "Treatment"],
                ["Upper Lake", "Ferris Street", "61", "settling, sand, chlorine"],
                ["Shale Lake", "Shale Point", "27", "membranes, chlorine"],
                ["Tiller's Flat wells", "Tiller's Flat", "12", "iron filter, chlorine"],
            ],
            widths=(16, 12, 11, 21),
        ),
        page_break(),
        heading("The rules we work to: sampling", 2),
        _code("sampling", 9, "halloran", "{})"),
        need(130),
        heading("And the limits", 2),
        _code("limits", 7, "halloran-34", "{})"),
        page_break(),
        heading("What we found", 2),
        table(
            [
                ["Parameter", "Limit", "Samples", "Average", "Highest", "Failures"],
                ["Escherichia coli (per 100 ml)", "0", "1,210", "0", "0", "0"],
                ["Coliform bacteria (per 100 ml)", "0", "1,210", "0", "5", "3"],
                ["Turbidity (NTU)", "1", "8,760", "0.08", "0.94", "0"],
                ["Iron (microgram per litre)", "300", "210", "44", "512", "10"],
                ["Manganese (microgram per litre)", "50", "210", "11", "87", "5"],
                ["Lead (microgram per litre)", "15", "96", "2.2", "27.3", "4"],
                ["Copper (milligram per litre)", "1.3", "96", "0.14", "1.21", "0"],
                ["Nitrate (milligram per litre)", "44", "60", "3.7", "9.4", "0"],
                ["Fluoride (milligram per litre)", "4", "60", "0.68", "0.83", "0"],
                ["Sodium (milligram per litre)", "none", "60", "18.9", "52.2", "-"],
                ["Trihalomethanes, sum (microgram per litre)", "80", "120", "47.3", "79.1", "0"],
                ["Bromate (microgram per litre)", "10", "24", "0.4", "1.7", "0"],
                ["Hardness (milligram per litre)", "none", "60", "138", "215", "-"],
            ],
            widths=(35, 7, 9, 9, 9, 10),
        ),
        para(
            "Rules differ from state to state; our lead number is fifteen where others use ten. If we were held to ten, there'd have been nine failures and not four."
        ),
        page_break(),
        heading("Lead: the straight story", 2),
        para(
            "Your lead comes from the pipe between our main and your house, or from solder inside. We've dug up 1,366 of them since 2009 and there are about 4,700 left, mostly between the canal and the ballpark. We have a map. It's on the wall at City Hall, and if your house is red, we'll test your tap for free."
        ),
        bullets(
            [
                "Run the tap for two minutes after a night or a vacation.",
                "Don't cook with hot-tap water.",
                "Ask for the filter jug; we gave away 930 last year.",
            ]
        ),
        para(
            "Carpenter Street was the first block we finished, end to end. It took nine weeks, since under the sidewalk we found a streetcar turntable that wasn't on any drawing, and then, under the turntable, a cistern with eels. The neighbors set out folding chairs. Somebody sold lemonade, and somebody else sold eels."
        ),
        para(
            "Assistant engineer Wilhelmina Sato would rather replace the pipe than hand you the jug, and she says so in every meeting. Council gave her $2.15 million for this year."
        ),
        need(130),
        heading("Rules for the pipes", 2),
        _code("network", 7, "halloran-5", "{})"),
        page_break(),
        heading("When something goes wrong", 2),
        _code("notification", 8, "halloran-25", "{})"),
        para("In 2018 we used these rules four times."),
        table(
            [
                ["When", "Where", "What", "People", "Hours"],
                ["February 6", "canal district", "main break, 16-inch", "7,900", "19"],
                ["April 17", "Shale Point", "screen out, low pressure", "2,450", "61"],
                ["July 29", "ballpark", "coliform at three taps", "1,130", "72"],
                ["November 2", "Tiller's Flat", "pump fire", "6,020", "10"],
            ],
            widths=(9, 12, 20, 8, 7),
        ),
        para(
            "February was the rough one. Sixteen-inch cast iron, Victorian, split like a baguette at four in the morning; by breakfast there was skating on Wharf Avenue. Crews from Little Dunmore and Hatteras came over the bridge with pipe, without being asked. We've sent them a ham."
        ),
        para(
            "The July notice to boil fell on the night of the home opener. Hot dogs were boiled anyway, the mayor pointed out."
        ),
        page_break(),
        heading("Inside the plants", 2),
        _code("works", 7, "halloran-4", "{})"),
        table(
            [
                ["Plant", "Built", "Million gallons a day", "Operators", "Chlorine out (mg/l)"],
                ["Ferris Street", "1926", "5.1", "11", "1.2"],
                ["Shale Point", "2011", "2.3", "5", "1.0"],
                ["Tiller's Flat", "1974", "1.0", "2", "0.8"],
            ],
            widths=(12, 7, 15, 11, 14),
        ),
        page_break(),
        heading("Your rights", 2),
        _code("consumers", 7, "halloran-1", "{})"),
        table(
            [
                ["Charge", "2018"],
                ["Base charge, a month", "$11.40"],
                ["Per thousand gallons", "$3.85"],
                ["Meter test, if the meter is right", "$35.00"],
                ["Meter test, if it's wrong", "free, and a cookie"],
            ],
            widths=(28, 13),
        ),
        page_break(),
        heading("Paperwork", 2),
        _code("records", 7, "halloran-28", "{})"),
        para(
            "Water Commission: Rev. Alonzo Pike (chair), Dot Kowalczyk, Sherman Ives, Lupe Arriaga, and one vacancy. It meets on first Mondays in the old pump house. Bring a jacket."
        ),
        page_break(),
        heading("Leaks, and a thank-you", 2),
        para(
            "We lose 14.6 per cent. Ten years back it was 26. What changed was one man, Ellsworth Tran, and a rented truck with microphones. He listens at night, as the town sleeps and the drips don't; he's found 408 leaks and proposed to his wife at number 300."
        ),
        table(
            [
                ["Year", "Lost (per cent)", "Leaks found"],
                ["2014", "19.8", "41"],
                ["2015", "18.1", "47"],
                ["2016", "16.9", "52"],
                ["2017", "15.5", "49"],
                ["2018", "14.6", "63"],
            ],
            widths=(6, 11, 8),
        ),
    ]
    return DemoDocument(
        "port-halloran-water-quality-report-2018.pdf",
        "Port Halloran: Water Quality Report 2018",
        TYPE,
        "administration",
        "hard_negative",
        style=Style(
            page="letter",
            font="sans",
            size=12.6,
            margin=62.0,
            footer="Port Halloran Water Department | {page}",
            accent="#00695c",
            justify=False,
            tables="zebra",
        ),
        story=story,
    )


def _wexcombe() -> DemoDocument:
    story = [
        big_title(
            "Inspection file 2019/044",
            "Inspectorate of Drinking Water. Works inspected: Wexcombe Treatment Works, owner Wexcombe and Marl Water plc",
            centred=False,
        ),
        table(
            [
                ["Entry", "Content"],
                ["Inspectors", "Josephine Arkwright (lead); Rhodri Bowen"],
                ["Dates on site", "4 to 6 March 2019"],
                ["Reason", "routine, third year"],
                ["Company contact", "Nathaniel Goode, works manager"],
                ["Population served", "38,750"],
                ["Classification of outcome", "B, improvement needed"],
            ],
            widths=(20, 31),
        ),
        para(
            "This file contains the report, the checklist with gradings, the company's reply and the form that was filled in on site. The form is filed as a scan, since it got wet."
        ),
        page_break(),
        heading("1. Impression", 2),
        para(
            'A tidy works with a tired roof. The staff know it well; they know it so well that much of what they know is written nowhere. When we asked how the dose is chosen at a change of raw water, Mr Goode said "you can hear it". We do not doubt that he can.'
        ),
        para(
            "The works takes water from the Marl at a point 300 m below the outfall of a cheese factory. The factory's warning line had been tested last in 2015 and rang, when we tested it, in an empty office in another county."
        ),
        box(
            "Between 02.00 and 06.00 no alarm reached a person on eleven of the 31 nights of January. The telephone list named an operator who had left the company.",
            title="Gravest finding",
        ),
        page_break(),
        heading("2. Gradings", 2),
        table(
            [
                ["Item", "Grade", "Remark"],
                ["Intake and screens", "B", "rust, one bar missing"],
                ["Coagulation", "A", "good records since 2012"],
                ["Filters 1 to 4", "A", "media topped up in 2018"],
                ["Filters 5 and 6", "C", "underdrain broken in no. 6"],
                ["Disinfection", "B", "duty pump only, standby in pieces"],
                ["Contact tank", "B", "short-circuits by 40 per cent"],
                ["Alarms", "D", "see section 1"],
                ["Chemical store", "C", "acid beside hypochlorite"],
                ["Site security", "A", "geese"],
                ["Records", "C", "loose leaves"],
            ],
            widths=(15, 7, 27),
        ),
        para("Scale: A good, B acceptable with work, C unacceptable in the long run, D unacceptable now."),
        need(130),
        heading("3. The Order, as tested at the works", 2),
        _code("works", 9, "wexcombe-4", "W{}."),
        page_break(),
        heading("4. Company results for 2018, as checked by us", 2),
        para(
            "We took the laboratory's own sheets for ninety-six results at random, and found two copied wrongly, neither to the company's advantage."
        ),
        table(
            [
                ["Parameter", "Limit", "Samples", "Mean", "Highest", "Failures"],
                ["Escherichia coli (per 100 ml)", "0", "624", "0", "1", "1"],
                ["Enterococci (per 100 ml)", "0", "208", "0", "0", "0"],
                ["Coliform bacteria (per 100 ml)", "0", "624", "0", "9", "4"],
                ["Clostridium perfringens (per 100 ml)", "0", "312", "0", "1", "2"],
                ["Turbidity (NTU)", "1", "1,248", "0.27", "1.35", "3"],
                ["Iron (microgram per litre)", "200", "312", "38", "194", "0"],
                ["Manganese (microgram per litre)", "50", "312", "5.6", "44", "0"],
                ["Aluminium (microgram per litre)", "200", "312", "71", "257", "5"],
                ["Lead (microgram per litre)", "10", "104", "0.9", "7.7", "0"],
                ["Nitrate (milligram per litre)", "50", "208", "33.4", "47.9", "0"],
                ["Nitrite (milligram per litre)", "0.5", "208", "0.03", "0.21", "0"],
                ["Trihalomethanes, sum (microgram per litre)", "100", "104", "62.8", "96.3", "0"],
                ["Pesticides, sum (microgram per litre)", "0.5", "104", "0.11", "0.58", "1"],
            ],
            widths=(36, 7, 9, 6, 9, 10),
        ),
        para(
            "Clostridium in two samples, together with turbidity above the limit in three, is what we'd expect of the sixth filter. The company had put it down to rain."
        ),
        need(130),
        heading("5. The Order, on limits", 2),
        _code("limits", 8, "wexcombe-39", "L{}."),
        page_break(),
        heading("6. Sampling", 2),
        _code("sampling", 9, "wexcombe-1", "S{}."),
        para(
            "Rhodri Bowen went out with the sampler, Ms Cerys Almond, on her Tuesday round of fourteen taps. Her technique is exemplary: she flames each tap and apologises to it. Her van's cool box stood at 11 degrees."
        ),
        page_break(),
        heading("7. Events since the last inspection", 2),
        table(
            [
                ["Date", "Event", "Told us after", "Our view"],
                ["14 June 2016", "turbidity 2.1 after a storm", "50 minutes", "well handled"],
                ["2 August 2017", "pesticide, ditch cleared upstream", "4 days", "too late"],
                ["29 March 2018", "aluminium, dosing stuck", "35 minutes", "cause not removed"],
                ["18 November 2018", "no chlorine for 70 minutes", "6 hours", "caution given"],
            ],
            widths=(14, 28, 11, 15),
        ),
        _code("notification", 8, "wexcombe-17", "N{}."),
        page_break(),
        heading("8. Form filled in on site (scan)", 2),
        para(
            "Form IDW 12. Works: Wexcombe. Inspector: J. Arkwright. Date: 5 March 2019. Weather: sleet. Filled in standing, at the contact tank."
        ),
        table(
            [
                ["Reading", "09.00", "11.00", "13.00", "15.00"],
                ["Raw turbidity (NTU)", "14.2", "15.8", "17.1", "16.4"],
                ["Final turbidity (NTU)", "0.21", "0.24", "0.33", "0.29"],
                ["Free chlorine, final (mg/l)", "0.61", "0.57", "0.55", "0.60"],
                ["pH, final", "7.4", "7.4", "7.3", "7.4"],
                ["Flow (Ml a day)", "11.6", "11.9", "12.2", "12.0"],
            ],
            widths=(22, 7, 7, 7, 7),
        ),
        para(
            "Remarks: hatch 3 loose, finger-tight bolts. Key of the hypochlorite store on a nail outside it. Tea offered, accepted. Bird inside the filter hall (a wren), alive, has a name."
        ),
        para("Signed on site: J. Arkwright. Witness: N. Goode."),
        page_break(),
        heading("9. The network and the consumers", 2),
        para(
            "This inspection did not go beyond the works gate, but complaints were read: 141 in the year, of which 58 about taste. A tenth came from one street."
        ),
        _code("network", 8, "wexcombe-288", "P{}."),
        _code("consumers", 8, "wexcombe-1", "Q{}."),
        page_break(),
        heading("10. What must be done", 2),
        table(
            [
                ["No.", "Requirement", "By"],
                ["1", "Correct the telephone list, test it nightly for a month", "8 March 2019"],
                ["2", "Take filter 6 out of use until mended", "at once"],
                ["3", "Separate acid and hypochlorite", "15 March 2019"],
                ["4", "Rebuild the standby dosing pump", "30 April 2019"],
                ["5", "Write instructions for change of raw water", "31 May 2019"],
                ["6", "Baffles in the contact tank", "31 December 2019"],
                ["7", "Warning line with the cheese factory, tested monthly", "31 March 2019"],
            ],
            widths=(5, 46, 14),
        ),
        page_break(),
        heading("11. Reply of the company", 2),
        para(
            "Letter of 29 March from the director, Sir Barnaby Thirkell: requirements 1 to 3 and 7 were met on the dates given. The manager has been asked to write down what he hears. He has so far filled nine pages and says there are more. For the baffles a tender of £83,900 has been accepted. As for the wren, the company does not regard it as personnel."
        ),
        need(130),
        heading("12. Records", 2),
        _code("records", 8, "wexcombe-385", "R{}."),
        para("Closed on 17 January 2020 after a visit to see the baffles. Grade of alarms: now A. J.A."),
    ]
    return DemoDocument(
        "wexcombe-inspection-file-2019.pdf",
        "Inspection file 2019/044: Wexcombe Treatment Works",
        TYPE,
        "administration",
        "hard_negative",
        style=Style(
            page="b5",
            font="serif",
            heading_font="sans",
            size=10.2,
            margin=56.0,
            header="IDW 2019/044 | Wexcombe",
            footer="folio {page}",
            accent="#4a4a4a",
            tables="grid",
        ),
        scanned_pages=(SCAN,),
        story=story,
    )


def _brackwell() -> DemoDocument:
    story = [
        big_title(
            "Brackwell Joint Water Committee",
            "Record of proceedings, session 2018. Constituent authorities: Brackwell Urban, Brackwell Rural, Hythe St Olave",
            centred=False,
        ),
        para(
            "The Joint Committee was set up in 1974, because three councils could not each afford a chemist. It has since agreed on a chemist, a works, and very little else; the record shows how it gets on."
        ),
        table(
            [
                ["Delegate", "For", "Votes", "Present (of 5)"],
                ["Sir Quentin Maddox, president", "Urban", "3", "5"],
                ["Mrs Philomena Gould", "Urban", "2", "5"],
                ["Mr Tobit Carnaby", "Rural", "2", "5"],
                ["Mrs Edda Lowndes", "Rural", "2", "5"],
                ["Fr Ignace Doyle", "Hythe", "2", "5"],
            ],
            widths=(24, 5, 7, 9),
        ),
        para("Officers: general manager Kwabena Frost; chemist Miss Lorna Tidy; clerk Mr V. Passmore."),
        page_break(),
        heading("First sitting, 30 January 2018: the price of water between ourselves", 2),
        para(
            "Rural's delegates again contested the key by which costs are shared. It was fixed in 1974 by population, and the people have moved since, largely to Rural. Sir Quentin observed that they had moved there for the low rates."
        ),
        table(
            [
                [
                    "Authority",
                    "Population, 1974",
                    "Population, 2017",
                    "Share of cost now (per cent)",
                    "By today's people (per cent)",
                ],
                ["Urban", "21,600", "19,850", "57.2", "43.6"],
                ["Rural", "9,400", "17,900", "24.9", "39.3"],
                ["Hythe", "6,760", "7,780", "17.9", "17.1"],
            ],
            widths=(11, 13, 13, 20, 20),
        ),
        para(
            "It was moved (Lowndes, Carnaby) that the key be revised. Lost, seven votes to four. Father Doyle, who held the casting weight, said that he'd vote for it when somebody mended the pump at the priory."
        ),
        page_break(),
        heading("Second sitting, 20 March: chemist's report", 2),
        para(
            "Miss Tidy reported 10,233 determinations in 2017, with 29 above the limit. She asked delegates not to read the total but the right-hand column."
        ),
        table(
            [
                ["Parameter", "Limit", "Samples", "Highest", "Above limit"],
                ["Escherichia coli (per 100 ml)", "0", "702", "3", "2"],
                ["Enterococci (per 100 ml)", "0", "234", "1", "1"],
                ["Coliform bacteria (per 100 ml)", "0", "702", "24", "9"],
                ["Turbidity (NTU)", "4", "468", "3.3", "0"],
                ["Iron (microgram per litre)", "200", "234", "259", "3"],
                ["Manganese (microgram per litre)", "50", "234", "49", "0"],
                ["Aluminium (microgram per litre)", "200", "234", "96", "0"],
                ["Lead (microgram per litre)", "10", "117", "12.8", "2"],
                ["Nitrate (milligram per litre)", "50", "468", "54.4", "12"],
                ["Nitrite (milligram per litre)", "0.5", "468", "0.19", "0"],
                ["Trihalomethanes, sum (microgram per litre)", "100", "117", "29.7", "0"],
                ["Pesticides, sum (microgram per litre)", "0.5", "117", "0.27", "0"],
            ],
            widths=(35, 7, 9, 9, 7),
        ),
        para(
            "All twelve for nitrate were from the chalk wells at Larkdown, between January and April, when the rain brings down what farmers put up. Blending with the deep well would hold it under fifty; the deep well's pump is the one which Father Doyle has in mind."
        ),
        page_break(),
        heading("The Order on limits (read by Miss Tidy, with pauses)", 2),
        _code("limits", 9, "brackwell-79", "§ {}"),
        need(130),
        heading("Visit to the works", 2),
        para(
            "Delegates were conveyed to Saxby Lock in a hired charabanc on 17 May. Mrs Gould counted the steps down to the low-lift pumps (88) and Mr Carnaby the steps back up (91). The works foreman, Ebenezer Blount, showed the flocculators, the sludge beds with their tomatoes, which nobody plants, and the brass wheel with which his grandfather let water into the town in 1911. Father Doyle blessed the wheel. It has leaked since."
        ),
        para(
            "Mr Frost explained why the older filters are rested in rotation. Sir Quentin asked whether the same might be tried with delegates."
        ),
        page_break(),
        heading("The Order on sampling (circulated)", 2),
        _code("sampling", 8, "brackwell-2", "§ {}"),
        need(130),
        heading("The Order on the works (circulated)", 2),
        _code("works", 9, "brackwell-4", "§ {}"),
        page_break(),
        heading("Third sitting, 12 June: the deep well", 2),
        para("Mr Frost set out three courses."),
        table(
            [
                ["Course", "Cost (£)", "Nitrate in spring (mg/l)", "Ready in"],
                ["Mend the old pump", "28,700", "46", "2 months"],
                ["New pump and controls", "71,450", "43", "5 months"],
                ["Removal plant at Larkdown", "1,290,000", "25", "3 years"],
            ],
            widths=(22, 8, 17, 8),
        ),
        para(
            "Mrs Gould favoured the second, Mr Carnaby the first, and Sir Quentin a study. On a show of weights the second was carried, eight to three. It was further agreed that until the well is back, mothers of infants be supplied with bottled water, of which the clerk had ordered 2,640 bottles; and that the priory's pump be mended, out of the clerk's contingency, tomorrow."
        ),
        need(130),
        heading("The Order on telling people", 2),
        _code("notification", 9, "brackwell-68", "§ {}"),
        page_break(),
        heading("Correspondence", 2),
        para(
            'From the Larkdown Growers, that nitrate is a fashion. From the bishop\'s steward, thanking the committee, without saying for what. From a Mr Oddfellow of Canal Row, enclosing a photograph of his kettle. From the ministry, a questionnaire in forty-four pages, of which question 31, "State your strategy", was referred to the clerk.'
        ),
        para(
            "The clerk reads one letter in full, because it is short. \"Sirs, for eleven months the hydrant outside the Corn Exchange has wept. I've grown fond of it. Please leave it. E. Sallis (Miss).\" Mr Frost said that it would cost forty pounds to mend and that by his reckoning she had listened to nine hundred pounds' worth. After some silence it was resolved that the hydrant be mended, and that Miss Sallis be told when, so that she might be there."
        ),
        need(130),
        heading("Register of bursts laid on the table", 2),
        *_bursts(
            "brackwell",
            ("Larkdown Road", "Hythe Hard", "Market Place", "Priory Lane", "Gallows Piece", "Canal Row"),
            12,
            2017,
        ),
        need(130),
        heading("The Order on the network", 2),
        _code("network", 8, "brackwell-500", "§ {}"),
        page_break(),
        heading("Fourth sitting, 25 September: accounts", 2),
        table(
            [
                ["Fund", "Opening (£)", "In (£)", "Out (£)", "Closing (£)"],
                ["General water", "312,640", "2,871,300", "2,794,150", "389,790"],
                ["Renewals", "905,200", "240,000", "633,480", "511,720"],
                ["Contingency", "18,000", "6,000", "3,910", "20,090"],
            ],
            widths=(11, 10, 8, 8, 10),
        ),
        para('The auditor, Messrs Fane, had one observation: item 44, "pump, ecclesiastical". It was explained.'),
        para(
            "Leakage in the half-year stood at 23.8 per cent. Mr Frost proposed to fit 62 loggers on lampposts in Market Place and Canal Row. Mrs Lowndes asked if they'd hear people talk. They hear only water, said Mr Frost, and it talks a good deal."
        ),
        need(130),
        heading("The Order on consumers", 2),
        _code("consumers", 8, "brackwell-8", "§ {}"),
        page_break(),
        heading("Fifth sitting, 4 December", 2),
        para(
            "The new pump ran on 19 November. First samples from blended supply: nitrate 41.2. The committee drank a glass of it, standing, and for once nobody spoke."
        ),
        para(
            "The key of 1974 was put again. Father Doyle voted with Rural, and it was carried, six to five, to take effect over four years. Sir Quentin, from the chair, said that he hoped the priory's pump would last."
        ),
        need(130),
        heading("The Order on records", 2),
        _code("records", 8, "brackwell-643", "§ {}"),
        para("Read and passed, 29 January 2019. V. Passmore, clerk."),
        page_break(),
        heading("Annexe: what became of earlier decisions", 2),
        table(
            [
                ["Decided", "Matter", "State at end of 2018"],
                ["2009", "cover for Hythe reservoir", "built 2011"],
                ["2012", "telemetry", "half, wires stolen"],
                ["2014", "second chemist", "never advertised"],
                ["2015", "replace 90 lead pipes a year", "74 done in 2018"],
                ["2016", "one telephone number for all three towns", "three numbers"],
                ["2017", "badge for staff", "design disputed"],
            ],
            widths=(9, 31, 18),
        ),
        para(
            "The clerk adds from the shelf: between 1974 and now the committee has voted 1,871 times, 1,402 of them along the borders of its authorities."
        ),
    ]
    return DemoDocument(
        "brackwell-joint-water-committee-2018.pdf",
        "Brackwell Joint Water Committee: session 2018",
        TYPE,
        "administration",
        "hard_negative",
        style=Style(
            page="b5",
            font="serif",
            size=10.6,
            margin=54.0,
            header="Brackwell Joint Water Committee | 1974 - 2018",
            footer="{page}",
            mirror=True,
            first_label=("roman", 1, ""),
            accent="#5b1f1f",
        ),
        story=story,
    )


def _sorrel() -> DemoDocument:
    story = [
        big_title(
            "Operating return 2019",
            "Sorrel Valley Water Users' Association, scheme no. 3106. Filed by its secretary, Petronella Aske, from the kitchen table",
            centred=False,
        ),
        para(
            "We're 214 households, two farms with cattle, one campsite and a chapel, on our own spring. Nobody is paid. The county wants the same return from us as from a city, and so here it is: all of it, with the names of the people who did the work, as there isn't anybody else."
        ),
        box("Where the form asks for a department we give a first name.", title="For the county's reader"),
        page_break(),
        heading("Who does what", 2),
        table(
            [
                ["Duty", "Who", "Hours in 2019"],
                ["Chlorine and log", "Bryn, weekdays; Ottoline, weekends", "318"],
                ["Samples", "Petronella", "96"],
                ["Pipes", "Big Alun and his digger", "274"],
                ["Meters and money", "Mrs Cadwallader", "140"],
                ["Arguments", "everyone, at the annual meeting", "5"],
            ],
            widths=(13, 27, 9),
        ),
        para(
            "The spring box was rebuilt in 1983 with stone from the mill. It gives 3.4 litres a second; in the dry July it gave 1.9, and the campsite was asked to shower on alternate days. The scouts complied. It was the anglers."
        ),
        page_break(),
        heading("Rules for samples that we signed up to", 2),
        _code("sampling", 8, "sorrel-4", "{}:"),
        para(
            "Petronella drives the bottles to the laboratory at Penmarrow, 52 miles there and back, with the dog. In February the ford was up. The bottles went by the milk lorry."
        ),
        need(130),
        heading("Rules on limits", 2),
        _code("limits", 7, "sorrel-224", "{}:"),
        page_break(),
        heading("Results for the year", 2),
        table(
            [
                ["Parameter", "Limit", "Samples", "Highest", "Failures"],
                ["Escherichia coli (per 100 ml)", "0", "24", "4", "1"],
                ["Enterococci (per 100 ml)", "0", "24", "2", "1"],
                ["Coliform bacteria (per 100 ml)", "0", "24", "31", "2"],
                ["Turbidity (NTU)", "4", "24", "3.6", "0"],
                ["Colour (mg/l Pt)", "20", "12", "19", "0"],
                ["pH, lowest and highest", "6.5 to 9.5", "24", "6.6 to 7.2", "0"],
                ["Iron (microgram per litre)", "200", "12", "89", "0"],
                ["Manganese (microgram per litre)", "50", "12", "27", "0"],
                ["Lead (microgram per litre)", "10", "8", "6.4", "0"],
                ["Copper (milligram per litre)", "2", "8", "1.66", "0"],
                ["Nitrate (milligram per litre)", "50", "8", "8.8", "0"],
            ],
            widths=(28, 7, 9, 9, 10),
        ),
        para(
            "The failures were all of one week, the last of October. A badger had dug beside the spring box. Big Alun put down slabs, and the badger has moved to the chapel, where it's thought to be happier."
        ),
        page_break(),
        heading("What happened, in order", 2),
        _code("notification", 8, "sorrel-75", "{}:"),
        table(
            [
                ["Date", "What", "Homes", "Days"],
                ["9 February", "frozen riser, Upper Sorrel", "31", "2"],
                ["17 July", "low spring, campsite rationed", "0", "16"],
                ["28 October", "badger; notice to boil", "214", "7"],
                ["14 December", "digger through own main", "66", "1"],
            ],
            widths=(10, 25, 7, 6),
        ),
        para(
            "The frozen riser was thawed with hot bricks, in relays, by the Young Farmers; it was their best-attended meeting. While the notice to boil lasted, the chapel boiled for everybody who was over eighty, in the tea urn, and took it round by quad bike. Nobody was ill. Two people said that it tasted better."
        ),
        para("Of the last, Big Alun says that he knew the pipe was there, having laid it."),
        page_break(),
        heading("Looking after the treatment", 2),
        _code("works", 7, "sorrel", "{}:"),
        table(
            [
                ["Month", "Chlorine used (litres)", "Lowest residual (mg/l)", "Log pages missing"],
                ["January to March", "61", "0.22", "0"],
                ["April to June", "74", "0.19", "1 (lambing)"],
                ["July to September", "58", "0.26", "0"],
                ["October to December", "103", "0.24", "0"],
            ],
            widths=(17, 15, 16, 12),
        ),
        para("The lamp of the ultraviolet unit, a gift of the scouts, was changed after 8,000 hours and cost £168."),
        page_break(),
        heading("Pipes", 2),
        _code("network", 7, "sorrel-113", "{}:"),
        para(
            "There's one plan of it. It was drawn in 1971 on the back of a seed merchant's calendar, and shows the pipe passing to the left of a hawthorn which has since died. Dowsing has been tried, by the verger, with fair results as far as the churchyard and none beyond."
        ),
        para(
            "Eleven kilometres altogether, half of it alkathene from the seventies. We lost 35.1 per cent by the night meter in March and, once the joint under the chapel car park had been found, 24.4 in May. It was found by the minister, whose shoes were wet on a dry Sunday."
        ),
        page_break(),
        heading("Members, charges, and the annual meeting", 2),
        _code("consumers", 8, "sorrel-2", "{}:"),
        table(
            [
                ["Charge", "2018", "2019"],
                ["Household, per year (£)", "92.00", "98.00"],
                ["Farm, per year (£)", "240.00", "260.00"],
                ["Campsite, per pitch (£)", "7.50", "8.25"],
                ["Late payers", "a visit", "a visit"],
            ],
            widths=(20, 6, 6),
        ),
        para(
            "The meeting of 22 November drew 121 people and lasted until the cakes were gone. A proposal to join the mains of the regional company, which would cost £1.9 million or £8,879 a household, was lost by 103 votes to eleven, with seven asleep."
        ),
        page_break(),
        heading("Money in and out", 2),
        table(
            [
                ["", "In (£)", "Out (£)"],
                ["Charges", "22,318", ""],
                ["Campsite", "1,402", ""],
                ["Raffle", "386", ""],
                ["Laboratory", "", "7,945"],
                ["Chlorine and lamp", "", "1,217"],
                ["Diesel and parts for the digger", "", "3,880"],
                ["Insurance", "", "2,655"],
                ["Slabs, badger", "", "140"],
                ["To the pipe fund", "", "8,269"],
            ],
            widths=(22, 5, 5),
        ),
        page_break(),
        heading("Papers", 2),
        _code("records", 7, "sorrel-2296", "{}:"),
        para(
            "Signed for the committee on 2 March 2020: Petronella Aske, secretary; Bryn Maddock; Ottoline Pugh; A. Trevanion (digger); Mrs Cadwallader, who has checked the adding up and found 20p."
        ),
        need(130),
        heading("For next year", 2),
        bullets(["a second lamp, in case", "a proper map, while those who know are alive", "somebody under fifty"]),
    ]
    return DemoDocument(
        "sorrel-valley-operating-return-2019.pdf",
        "Sorrel Valley Water Users' Association: operating return 2019",
        TYPE,
        "administration",
        "hard_negative",
        style=Style(
            page="a5",
            font="sans",
            size=9.6,
            margin=42.0,
            footer="Scheme no. 3106 | {page}",
            accent="#33691e",
            justify=False,
        ),
        story=story,
    )


def documents() -> list[DemoDocument]:
    return [_eskerby17(), _tarnside18(), _eskerby14(), _tarnside16(), _halloran(), _wexcombe(), _brackwell(), _sorrel()]


def questions() -> list[DemoQuestion]:
    return [
        DemoQuestion(
            "administration-01",
            ESKERBY,
            "Whose tender for the Fell Side main did the Eskerby Water and Drainage Committee accept in February 2017?",
            "Culverwell Pipelines",
            "Str",
            TEXT,
            ("the tender of Culverwell Pipelines be accepted",),
            "lookup",
            "recall",
        ),
        DemoQuestion(
            "administration-02",
            ESKERBY,
            "How many houses were affected by the brown water in Mill Lane, according to the Eskerby minutes of 2017?",
            "312",
            "Int",
            TEXT,
            ("In all 312 houses were affected",),
            "lookup",
            "recall",
        ),
        DemoQuestion(
            "administration-03",
            ESKERBY,
            "What was the highest lead result at consumers' taps in 2016 in the Eskerby committee's papers, in micrograms per litre?",
            "14.9",
            "Float",
            TABLE,
            ("Lead (microgram per litre) 10 52 14.9 1",),
            "lookup",
            "recall",
        ),
        DemoQuestion(
            "administration-04",
            ESKERBY,
            "By how many pounds did the tender of J. Ruddock and Sons for the Fell Side main exceed that of Northmoor Civil, according to the Eskerby minutes of 2017?",
            "44450",
            "Int",
            TABLE,
            (
                "Northmoor Civil 392,750 31",
                "J. Ruddock and Sons 437,200 22",
            ),
            "derive",
            "reasoning",
        ),
        DemoQuestion(
            "administration-05",
            ESKERBY,
            "Which resolution of the Eskerby Water and Drainage Committee in 2017 had the most votes against?",
            "Laundry bill, number 61",
            "Str",
            TABLE,
            ("17/13 19 September Laundry bill, number 61 3 2",),
            "compare",
            "reasoning",
        ),
        DemoQuestion(
            "administration-06",
            ESKERBY,
            "Which three officers were in attendance at the Eskerby Water and Drainage Committee in 2017?",
            '["Lionel Crabtree", "Dr Farida Wynne", "Miss E. Stannard"]',
            "List",
            TEXT,
            (
                "Borough Engineer Lionel Crabtree",
                "Dr Farida Wynne, health officer",
                "Town Clerk Miss E. Stannard",
            ),
            "enumerate",
            "recall",
        ),
        DemoQuestion(
            "administration-07",
            ESKERBY,
            "What share of the water put into supply in 2016 was not accounted for in Eskerby, in per cent?",
            "28.4",
            "Float",
            TEXT,
            ("a share of 28.4 per cent was not accounted for",),
            "lookup",
            "recall",
        ),
        DemoQuestion(
            "administration-08",
            TARNSIDE,
            "How many determinations counted for compliance in the Tarnside Water Board's report for 2018?",
            "21873",
            "Int",
            TEXT,
            ("Of 21,873 determinations which count for compliance",),
            "lookup",
            "recall",
        ),
        DemoQuestion(
            "administration-09",
            TARNSIDE,
            "Which of the events notified by the Tarnside Water Board in 2018 lasted the longest?",
            "smell of earth",
            "Str",
            TABLE,
            ("Tarnside Mid smell of earth 18,650 336.0",),
            "compare",
            "reasoning",
        ),
        DemoQuestion(
            "administration-10",
            TARNSIDE,
            "What was the highest sum of trihalomethanes found by the Tarnside Water Board in 2018, in micrograms per litre?",
            "83.6",
            "Float",
            TABLE,
            ("Trihalomethanes, sum (microgram per litre) 100 244 34.9 83.6 0",),
            "lookup",
            "recall",
        ),
        DemoQuestion(
            "administration-11",
            TARNSIDE,
            "By how many did complaints about taste or smell rise from 2017 to 2018 at the Tarnside Water Board?",
            "569",
            "Int",
            TABLE,
            ("Taste or smell 133 702",),
            "derive",
            "reasoning",
        ),
        DemoQuestion(
            "administration-12",
            TARNSIDE,
            "Who are the members of the quality committee of the Tarnside Water Board in the 2018 report?",
            '["Prof. Ambrose Lyle", "Mrs Tamsin Orrell", "Mr Gethin Howe"]',
            "List",
            TEXT,
            ("Its quality committee consists of Prof. Ambrose Lyle, Mrs Tamsin Orrell and Mr Gethin Howe",),
            "enumerate",
            "recall",
        ),
        DemoQuestion(
            "administration-13",
            TARNSIDE,
            "Which duty operator shut the borehole after the ammonia spill at Dene in August 2018?",
            "Yusra Hadley",
            "Str",
            TEXT,
            ("The duty operator, Yusra Hadley, shut the borehole",),
            "lookup",
            "recall",
        ),
        DemoQuestion(
            "administration-14",
            TARNSIDE,
            "How many of the nine events notified by the Tarnside Water Board in 2018 concerned Ravensworth High?",
            "2",
            "Int",
            TABLE,
            (
                "2 4 March Ravensworth High power cut at works",
                "7 15 October Ravensworth High filters out for work",
            ),
            "count",
            "reasoning",
        ),
        DemoQuestion(
            "administration-15",
            TARNSIDE,
            "How much arsenic did the Tarnside Water Board find in its boreholes in 2018?",
            "Not answerable",
            "None",
            (),
            (),
            "lookup",
            "recall",
        ),
    ]
