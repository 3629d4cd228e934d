"""Small word lists for comparing English answers: synonyms, opposites, abbreviations, names of countries and cities.

Nothing here is about any question or document. The lists hold what a reader of office documents takes for the same
word without looking at a page, and are kept short: a wrong synonym makes a wrong answer right.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from muddle_utils.scoring.phrases import folded

FUNCTION_WORDS: Final = frozenset(
    "about above after also and are as at be been before being below but by can could did do does for from had has"
    " have he her his if in into is it its may might must of on or our shall she should so than that their them then"
    " there these they this those to was we were what when where which while who whose will with would you your"
    " i me my us one ones both because all each only just very quite rather too such same own any some how why whom "
    "during"
    " under over per via upon within between among out up off down".split()
)
"""Words that carry no fact by themselves; a stretch of text without one may be an item of an enumeration."""
FILLERS: Final = frozenset(
    "a an the namely total altogether overall respectively following answer answers question document report page"
    " table figure section according stated shown given listed mentioned described named called known i.e e.g"
    " exactly precisely simply indeed actually therefore thus hence here see please well sure value number amount"
    " item items name names approximately roughly around state say show give list mention describe call following"
    " correct as not because since owing due reason stay remain keep become get take seem would want do make "
    "have".split()
)
NEGATIONS: Final = frozenset(
    {"not", "no", "never", "neither", "nor", "without", "none", "cannot", "nobody", "nothing", "nowhere", "hardly"}
    | {"lack", "fail", "unable", "unlikely", "non", "nicht", "kein", "keine", "keinen", "pas", "aucun"}
)
DENIALS: Final = frozenset({"not", "never", "no", "without", "neither", "nor", "unlike", "rather", "instead"})
EXCEPTIONS: Final = frozenset({"except", "excluding", "besides", "excepting"})
ASKS_FOR_EXCEPTION: Final = re.compile(
    r"\b(?:un|in|im)\w{3,}[ai]ble\b|\b(?:except\w*|exempt\w*|exclu\w*|not|n't|never|without|no|lack\w*|missing"
    r"|omit\w*|outside|other than|only|against|oppos\w*|absent|waive\w*|spared|abstain\w*|un\w{4,}ed)\b",
    re.I,
)

# The first member stands for the group; members are single words in any inflection.
_SYNONYMS: Final = (
    "begin start commence initiate", "stop cease halt discontinue", "finish complete conclude",
    "buy purchase acquire acquisition", "sell sale", "employee staff worker personnel workforce", "child kid",
    "quick fast rapid swift speedy", "slow sluggish", "big large huge", "small little tiny", "many numerous several",
    "car automobile", "doctor physician", "lawyer attorney", "film movie", "photo photograph picture",
    "pupil student", "firm company corporation enterprise business", "house home dwelling",
    "salary wage pay remuneration", "revenue turnover", "profit earnings", "customer client", "supplier vendor",
    "aim goal objective target purpose", "method approach technique", "result outcome finding", "cause reason",
    "effect impact consequence", "problem issue difficulty", "help assist aid support",
    "show indicate demonstrate display", "use utilize employ", "make produce manufacture", "build construct erect",
    "repair fix mend", "destroy demolish ruin", "choose select pick opt", "need require", "get obtain receive",
    "give provide supply", "send dispatch ship deliver", "keep retain maintain preserve", "change alter modify",
    "replace substitute", "remove delete eliminate", "improve enhance better", "worsen deteriorate", "hire recruit",
    "fire sack", "resign quit", "delay postpone defer", "cancel scrap", "annual yearly",
    "important crucial essential vital key", "main principal primary chief", "whole entire complete",
    "enough sufficient", "about approximately roughly around", "dense thick heavy", "cheap inexpensive",
    "expensive costly dear", "cost price expense", "fee charge", "rich wealthy", "poor impoverished",
    "old aged elderly", "sick ill", "wrong incorrect false", "correct right", "danger hazard peril", "safe secure",
    "fault defect flaw", "bug error mistake", "trash garbage rubbish waste", "flat apartment", "lift elevator",
    "lorry truck", "road street", "sea ocean", "forest woodland", "wood timber lumber", "pavement sidewalk",
    "petrol gasoline", "shop store", "holiday vacation", "meeting conference", "survey poll", "flood inundation",
    "fire blaze", "train rail railway", "basement cellar", "stay remain", "entry admission entrance", "little slight",
    "rain rainfall precipitation", "storm tempest", "cold chilly", "hot warm",
    "lack shortage scarcity missing absence absent", "strike walkout", "unplug disconnect",
    "chair chairman chairwoman chairperson", "head leader manager director", "author writer", "speak talk",
    "tell inform notify", "ask request", "answer reply respond", "permission authorisation consent approval",
    "law legislation statute", "rule regulation", "contract agreement", "empty vacant", "broken damaged",
    "closed shut", "free complimentary", "gift donation present", "raise lift elevate hoist",
    "move relocate transfer", "merge combine amalgamate", "divide split separate", "average mean", "total sum",
    "share proportion percentage fraction", "yearly annual",
    "steady stable constant flat stagnate unchanged plateau level", "nearly almost",
    "mostly mainly chiefly predominantly largely", "twice double", "triple treble threefold",
    "insufficient inadequate", "decide resolve", "happen occur", "teach instruct", "try attempt",
    "fund finance sponsor", "own possess", "warehouse depot storehouse", "boat vessel",
    "plane aircraft aeroplane airplane", "bike bicycle cycle", "grey gray", "centre center", "metre meter",
    "theatre theater", "programme program", "cheque check", "tyre tire", "mobile cell", "illness disease sickness",
    "drug medicine medication", "bacteria bacterium", "datum data", "man men", "woman women", "person people",
    "foot feet", "leave depart", "join enter", "because owing due", "owner proprietor", "site location place",
    "town city", "spread disseminate", "lead guide", "watch observe monitor", "test trial examine",
    "electricity power", "weak feeble", "strong robust", "quiet silent", "loud noisy", "fee toll", "simple easy",
    "hard difficult tough", "new novel", "money cash", "jobless unemployed", "thin narrow", "wide broad",
    "short brief", "visitor guest", "tourist traveller traveler", "journey trip", "ticket fare",
)  # fmt: skip

# (concept's two sides); "not" before one side says about what the other says.
_OPPOSITES: Final = (
    ("increase rise grow climb gain surge growth rose grew risen grown jump soar expand up raise higher upper more "
    "larger"
     " greater bigger",
     "decrease fall decline drop shrink fell fallen reduce reduction shrank loss plunge contract down cut lower "
     "less fewer"
     " smaller"),
    ("high", "low"), ("largest most greatest biggest",
     "smallest least fewest"),
    ("highest", "lowest"), ("above over", "below beneath under"), ("before prior earlier", "after later"),
    ("left", " right"), ("top", "bottom"), ("positive", "negative"),
    ("agree", "disagree"), ("first", "last"), ("maximum max", "minimum min"), ("profit", "deficit"),
    ("north", "south"), ("east", "west"), ("northern", "southern"), ("eastern", "western"), ("male men man boy",
     "female women woman girl"), ("true", "false"), ("same identical", "different"),
    ("allow permit allowed permitted", "forbid prohibit ban forbidden prohibited banned disallow"),
    ("internal", "external"), ("inside indoors indoor", "outside outdoors outdoor"),
    ("include cover covered", "exclude omit exempt"),
    ("accept approve adopt pass carry succeed success successful", "reject refuse deny dismiss overrule"),
    ("open", "close closed shut"), ("buy", "sell"), ("win won", "lose lost"), ("warm hot", "cold cool"),
    ("early", "late"), ("long", "short"), ("young", "old"), ("strengthen", "weaken"), ("improve", "worsen"),
    ("faster quicker", "slower"), ("optional voluntary", "mandatory compulsory obligatory"), ("public", "private"),
    ("safe harmless", "unsafe dangerous harmful "
    "hazardous"), ("legal lawful", "illegal unlawful"), ("paid", "unpaid"), ("known", "unknown"),
    ("import", "export"), ("domestic", "foreign"), ("urban", "rural"), ("heavier", "lighter"), ("wet", "dry"),
    ("majority", "minority"), ("support favour favor", "oppose"), ("active", "inactive"), ("disclose publish reveal",
     "undisclosed withhold conceal"), ("longer", "shorter"), ("older", "younger"), ("longest", "shortest"),
    ("oldest", "youngest"), ("start", "end"), ("credit", "debit"), ("asset", "liability"),
    ("supply", "demand"), ("day", "night"), ("winter", "summer"), ("always", ""), ("possible", "impossible"),
    ("complete", "incomplete"), ("sufficient enough", "insufficient"), ("profitable", "unprofitable"),
    ("significant", "insignificant"), ("likely", ""), ("stable", "unstable"), ("equal", "unequal"),
    ("accelerate", "slow decelerate"), ("present attend participate", "absent"), ("optimistic hopeful", "pessimistic"),
    ("continue", "stop discontinue halt cease"), ("meet met reach attain achieve hit fulfil fulfill", "miss missed"),
    ("exceed", "undershoot"),
)  # fmt: skip

# canonical form: other forms. Word boundaries are added; case is ignored unless the form is all capitals.
_PHRASES: Final = {
    "because": "because of|due to|owing to|caused by|as a result of|on account of|thanks to",
    "not allowed": "must not|may not|mustn't|shall not|is not permitted to|not permitted|no permission|off limits",
    "increase": "go up|goes up|went up|gone up|going up",
    "decrease": "go down|goes down|went down|gone down|going down",
    "reject": "turn down|turned down|turns down|turned it down|turned them down|voted down|vote down",
    "cancel": "call off|called off",
    "postpone": "put off|pushed back",
    "continue": "carry on|carried on|go on|went on",
    "do": "carry out|carried out",
    "found": "set up",
    "unchanged": "no change|hardly changed|barely changed|scarcely changed|practically no change|almost no change"
    "|hardly any change|little change|did not change|does not change|has not changed|remained the same|stayed the "
    "same"
    "|remain the same|stay the same",
    "every day": "daily|once a day|each day|once per day",
    "every week": "weekly|once a week|each week|once per week",
    "every month": "monthly|once a month|each month|once per month|12 times a year",
    "every 3 month": "quarterly|once a quarter|every quarter|each quarter|every three months|every 3 months"
    "|four times a year|4 times a year",
    "every 6 month": "half-yearly|twice a year|two times a year|semi-annually|semiannually|biannually|every six months"
    "|every 6 months|twice yearly|every half year|twice annually|two times per year|twice per year|semi-annual",
    "every year": "annually|yearly|once a year|each year|per annum|once per year|every twelve months|every 12 months"
    "|per year",
    "every 2 year": "biennially|biennial|every two years|every 2 years|every other year|every second year"
    "|once every two years|once every 2 years|every 24 months",
    "every 2 week": "fortnightly|every fortnight|biweekly|every two weeks|every 2 weeks|every other week",
    "every hour": "hourly|once an hour|each hour",
    "twice": "two times",
    "every 2 month": "every other month|every two months|every 2 months|every second month|bimonthly",
    "VP": "vice president|vice-president",
    "MD": "managing director",
    "failed": "broke down|broken down|breaks down|break down|breakdown",
    "BC": "bce|b.c.|b.c.e.",
    "accepted": "was carried|is carried|voted through|was adopted|was passed|went through",
    "none": "neither of them|neither one|neither|none of them|no one|nobody|not any|none of the two|not one",
    "both": "both of them|each of the two|the two of them",
    "CEO": "chief executive officer|chief executive",
    "CFO": "chief financial officer|chief finance officer",
    "COO": "chief operating officer",
    "CTO": "chief technology officer|chief technical officer",
    "CIO": "chief information officer",
    "HR": "human resources",
    "R&D": "research and development|research & development",
    "GDP": "gross domestic product",
    "AI": "artificial intelligence",
    "IT": "information technology",
    "VAT": "value added tax|value-added tax",
    "PhD": "ph.d.|doctor of philosophy",
    "NGO": "non-governmental organisation|non-governmental organization|nongovernmental organization",
    "CO2": "carbon dioxide",
    "USA": "united states of america|united states|u.s.a.|u.s.|US",
    "UK": "united kingdom|u.k.|great britain",
    "UAE": "united arab emirates|u.a.e.",
    "EU": "european union|e.u.",
    "UN": "united nations|u.n.",
    "WHO": "world health organization|world health organisation",
    "WTO": "world trade organization|world trade organisation",
    "IMF": "international monetary fund",
    "ECB": "european central bank",
    "OECD": "organisation for economic co-operation and development"
    "|organization for economic cooperation and development",
    "NATO": "north atlantic treaty organization|north atlantic treaty organisation",
    "NASA": "national aeronautics and space administration",
    "Netherlands": "holland|nederland|the netherlands",
    "Ivory Coast": "cote d'ivoire",
    "Germany": "deutschland|federal republic of germany|frg",
    "Switzerland": "schweiz|suisse|svizzera|swiss confederation",
    "Austria": "österreich|osterreich",
    "Spain": "espana",
    "Italy": "italia",
    "France": "french republic",
    "Sweden": "sverige",
    "Norway": "norge",
    "Denmark": "danmark",
    "Finland": "suomi",
    "Poland": "polska",
    "Hungary": "magyarorszag",
    "Greece": "hellas|hellenic republic",
    "Czechia": "czech republic",
    "Turkey": "turkiye",
    "Myanmar": "burma",
    "Sri Lanka": "ceylon",
    "Iran": "persia|islamic republic of iran",
    "Thailand": "siam",
    "Eswatini": "swaziland",
    "Cape Verde": "cabo verde",
    "East Timor": "timor-leste|timor leste",
    "Belarus": "byelorussia",
    "Moldova": "republic of moldova",
    "North Macedonia": "republic of north macedonia",
    "South Korea": "republic of korea|korea, south|s. korea",
    "North Korea": "democratic people's republic of korea|dprk",
    "Russia": "russian federation",
    "China": "people's republic of china|prc",
    "Taiwan": "republic of china",
    "DRC": "democratic republic of the congo|dr congo|congo-kinshasa",
    "Japan": "nippon|nihon",
    "Ireland": "eire|republic of ireland",
    "Brazil": "brasil",
    "Mexico": "méxico",
    "Vietnam": "viet nam",
    "Syria": "syrian arab republic",
    "Laos": "lao pdr",
    "Munich": "munchen|muenchen",
    "Cologne": "koln|koeln",
    "Vienna": "wien",
    "Nuremberg": "nurnberg|nuernberg",
    "Hanover": "hannover",
    "Brunswick": "braunschweig",
    "Geneva": "geneve|genf|ginevra",
    "Zurich": "zuerich",
    "Basel": "basle",
    "Berne": "bern",
    "Lucerne": "luzern",
    "Prague": "praha|prag",
    "Warsaw": "warszawa|warschau",
    "Krakow": "cracow|krakau",
    "Gdansk": "danzig",
    "Wroclaw": "breslau",
    "Copenhagen": "kobenhavn|koebenhavn",
    "Gothenburg": "goteborg|goeteborg",
    "Helsinki": "helsingfors",
    "Rome": "roma",
    "Milan": "milano|mailand",
    "Florence": "firenze|florenz",
    "Venice": "venezia|venedig",
    "Naples": "napoli|neapel",
    "Turin": "torino",
    "Genoa": "genova|genua",
    "Lisbon": "lisboa|lissabon",
    "Porto": "oporto",
    "Seville": "sevilla",
    "Saragossa": "zaragoza",
    "Athens": "athina|athen|athinai",
    "Moscow": "moskva|moskau",
    "Saint Petersburg": "st petersburg|st. petersburg|leningrad",
    "Kyiv": "kiev|kiew",
    "Lviv": "lvov|lemberg",
    "Odesa": "odessa",
    "Bucharest": "bucuresti|bukarest",
    "Belgrade": "beograd|belgrad",
    "Brussels": "bruxelles|brussel|brüssel",
    "Antwerp": "antwerpen",
    "Ghent": "gand",
    "Bruges": "brugge",
    "The Hague": "den haag|'s-gravenhage|la haye",
    "Beijing": "peking",
    "Guangzhou": "canton city",
    "Mumbai": "bombay",
    "Kolkata": "calcutta",
    "Chennai": "madras",
    "Ho Chi Minh City": "saigon",
    "Istanbul": "constantinople",
    "Yangon": "rangoon",
    "New York": "new york city|nyc|NY",
    "Los Angeles": "l.a.",
    "Washington, D.C.": "washington dc|washington d.c.",
    "noon": "midday|12:00 noon|12 noon|12:00 p.m.|12:00 pm|12 pm|12 p.m.|high noon",
    "email": "e-mail|electronic mail",
    "versus": "vs.|vs",
    "University": "univ.",
    "Department": "dept.|dept",
    "International": "intl.|int'l",
    "Saint": "st.",
    "Mount": "mt.",
    "Professor": "prof.",
    "for example": "e.g.",
    "Monday": "montag|lundi|lunes", "Tuesday": "tue.|tues.|dienstag|mardi|martes",
    "Wednesday": "mittwoch|mercredi|miercoles", "Thursday": "thu.|thur.|thurs.|donnerstag|jeudi|jueves",
    "Friday": "fri.|freitag|vendredi|viernes", "Saturday": "samstag|samedi|sabado",
    "Sunday": "sonntag|dimanche|domingo",
    "January": "jan.|jan|januar|janvier|enero|gennaio", "February": "feb.|feb|februar|fevrier|febrero|febbraio",
    "March": "märz|maerz|marz|marzo", "April": "apr.|apr|avril|abril|aprile", "May": "mai|mayo|maggio",
    "June": "jun.|jun|juni|juin|junio|giugno", "July": "jul.|jul|juli|juillet|julio|luglio",
    "August": "aug.|aug|aout|agosto", "September": "sept.|sep.|sept|sep|septembre|septiembre|settembre",
    "October": "oct.|oct|oktober|octobre|octubre|ottobre", "November": "nov.|nov|novembre|noviembre",
    "December": "dec.|dec|dezember|decembre|diciembre|dicembre",
    "Q1": "1st quarter|quarter 1|quarter one|1q|first quarter",
    "Q2": "2nd quarter|quarter 2|quarter two|2q|second quarter",
    "Q3": "3rd quarter|quarter 3|quarter three|3q|third quarter",
    "Q4": "4th quarter|quarter 4|quarter four|4q|fourth quarter|last quarter|final quarter",
    "H1": "first half|1st half|1h|first half-year|first half year", "H2": "second half|2nd half|2h|second half-year",
}  # fmt: skip

_ORDINALS: Final = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth"
    " sixteenth seventeenth eighteenth nineteenth twentieth twenty-first"
).split()
_SUFFIXES: Final = {1: "st", 2: "nd", 3: "rd"}
ORDINALS: Final = {
    word: f"{number}{_SUFFIXES.get(number % 10 if number > 20 else number, 'th')}"
    for number, word in enumerate(_ORDINALS, start=1)
}
CLOSED_SETS: Final = (
    ("quarters", ("q1", "q2", "q3", "q4")),
    ("seasons", ("spring", "summer", "autumn", "winter")),
    ("halves", ("h1", "h2")),
)
"""Sets that everybody can complete: "all four quarters" names each of them."""

NICKNAMES: Final = {
    "bob": "robert", "rob": "robert", "bill": "william", "will": "william", "dick": "richard", "rick": "richard",
    "jim": "james", "jimmy": "james", "tom": "thomas", "tommy": "thomas", "mike": "michael", "joe": "joseph",
    "ted": "edward",
    "liz": "elizabeth", "beth": "elizabeth", "kate": "katherine", "peggy": "margaret", "maggie": "margaret",
    "dave": "david",
    "steve": "steven", "chris": "christopher", "ben": "benjamin", "sam": "samuel", "dan": "daniel", "tony": "anthony",
    "alex": "alexander", "nick": "nicholas", "andy": "andrew", "matt": "matthew", "greg": "gregory",
}  # fmt: skip
GENERATIONS: Final = frozenset({"jr", "sr", "ii", "iii", "junior", "senior"})
HONORIFICS: Final = frozenset(
    "mr mrs ms miss dr prof professor sir dame lord lady herr frau monsieur madame mme senor captain capt general gen"
    " colonel col major lieutenant lt sergeant sgt president minister senator judge justice rev reverend father sister"
    " brother saint phd md msc bsc mba esq ing dipl chancellor doctor pope king queen prince princess"
    " author mayor governor architect engineer".split()
)
COMPANY_FORMS: Final = frozenset(
    "inc incorporated ltd limited llc llp plc corp corporation co company gmbh ag kg se sa nv bv ab oy oyj as spa srl"
    " pty sarl kgaa holding holdings group".split()
)


def _boundary(form: str) -> str:
    tail = r"(?!\w)" if form[-1].isalnum() else r"(?![\w])"
    return rf"(?<![\w&]){re.escape(form)}{tail}"


_FORMS: Final = {folded(form): name for name, forms in _PHRASES.items() for form in forms.split("|")}
_CAPITALS: Final = {form: name for form, name in _FORMS.items() if form.isupper() and form.isalpha()}
_CAPITAL_FORM: Final = re.compile("|".join(map(_boundary, _CAPITALS)))
_BY_FIRST: Final = sorted((form for form in _FORMS if form not in _CAPITALS), key=len, reverse=True)
_PHRASE_FORM: Final = re.compile("|".join(map(_boundary, _BY_FIRST)), re.I)
_ORDINAL_WORD: Final = re.compile(rf"\b(?:{'|'.join(sorted(_ORDINALS, key=len, reverse=True))})\b", re.I)


_MONTH_OF_QUARTER: Final = (("jan", "mar", "Q1"), ("apr", "jun", "Q2"), ("jul", "sep", "Q3"), ("oct", "dec", "Q4"))
_SPAN: Final = (
    r"(?:the )?(?:(?:1[0-9]|20)\d\d|(?:jan|febr?|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*|year|month"
    r"|week|\w+ century"
    r"|decade|day|summer|winter|spring|autumn)\b"
)
_REGULAR_FORMS: Final[tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...]] = (
    (re.compile(r"\b(turn|vot)(?:e?s|e?d|ing)? (?:it|them|(?:\w+ ){1,3}\w+) down\b", re.I), "reject"),
    (re.compile(r"\bdeclin(?:e|es|ed|ing) to\b", re.I), "refuse to"),
    (re.compile(r"\b(was|were|been|is|are|being) declined\b", re.I), r"\1 rejected"),
    (re.compile(r"\b(?:([1-4])Q|Q([1-4])[ "
    r"/]?')(?:20)?(\d\d)\b", re.I), lambda match: f"Q{match[1] or match[2]} 20{match[3]}"),
    (re.compile(r"\bnew year's day\b", re.I), "1 January"),
    (re.compile(r"\bnew year's eve\b", re.I), "31 December"),
    (re.compile(r"\bchristmas eve\b", re.I), "24 December"),
    (re.compile(r"\bchristmas day\b", re.I), "25 December"),
    (re.compile(r"(?<=[a-z] )St\.?(?=\s*(?:$|[,;)]))"), "Street"),
    (re.compile(r"(?<=[a-z] )Ave\.?(?=\s*(?:$|[,;)]))"), "Avenue"),
    (re.compile(r"(?<=[a-z] )Rd\.?(?=\s*(?:$|[,;)]))"), "Road"),
    (re.compile(r"\b1[0-9](?=00s\b)00s"), lambda match: f"{int(match[0][:2]) + 1}th century"),
    (re.compile(r"\b(?:the )?(?:19)?([2-9]0)'?s\b"), r"19\1s"),
    (
        re.compile(r"\b(?:the )?(twen|thir|for|fif|six|seven|eigh|nine)ties\b", re.I),
        lambda match: f"19{('twen thir for fif six seven eigh nine'.split().index(match[1].lower()) + 2)}0s",
    ),
    (re.compile(r"\b(?:fiscal|financial)(?: year)? (?=(?:19|20)\d\d\b)|\bFY ?(?=(?:19|20)?\d\d\b)", re.I), "FY "),
    (re.compile(rf"\b(?:at |in |near |towards |by )?the (?:beginning|start) of (?={_SPAN})", re.I), "early "),
    (re.compile(rf"\b(?:in |around )?(?:the )?(?:middle of |mid-|mid )(?={_SPAN})", re.I), "mid "),
    (re.compile(rf"\b(?:at |in |near |towards |by )?the end of (?={_SPAN})", re.I), "late "),
    (re.compile(r"(?<=[a-z.] )'(?=[0-3]\d\b)"), "20"),
    (
        re.compile(r"\b(19|20)(\d\d)/(\d\d)\b(?![-/.\d])"),
        lambda match: f"{match[1]}{match[2]}-{match[1]}{match[3]}" if int(match[3]) == int(match[2]) + 1 else match[0],
    ),
    (
        re.compile(r"\b(19|20)(\d\d)[-\u2013](\d\d)\b(?![-/.\d])"),
        lambda match: (
            f"{match[1]}{match[2]}-{match[1]}{match[3]}" if int(match[3]) > max(12, int(match[2])) else match[0]
        ),
    ),
    *(
        (re.compile(rf"\b{first}[a-z]*\.? ?(?:to|through|until|till|-|\u2013) ?{last}[a-z]*\b\.?", re.I), name)
        for first, last, name in _MONTH_OF_QUARTER
    ),
    *(
        (re.compile(rf"\b{short}\b\.?"), f"{day}day")
        for short, day in (
            ("Mon", "Mon"), ("Tues?", "Tues"), ("Wed", "Wednes"), ("Thur?s?", "Thurs"), ("Fri", "Fri"),
            ("Sat", "Satur"),
            ("Sun", "Sun"),
        )
    ),
)  # fmt: skip


@lru_cache(maxsize=4096)
def canonical(text: str) -> str:
    """Return ``text`` with abbreviations, names of places, frequencies and ordinals in one spelling each.

    >>> canonical("in München, due to the U.S. rule, annually")
    'in Munich, because the USA rule, every year'
    """
    plain = _CAPITAL_FORM.sub(lambda match: _CAPITALS[match[0]], folded(text))
    for pattern, name in _REGULAR_FORMS:
        plain = pattern.sub(name, plain)
    plain = _PHRASE_FORM.sub(lambda match: _FORMS[match[0].lower()], plain)
    return _ORDINAL_WORD.sub(lambda match: ORDINALS[match[0].lower()], plain)


def plural_stem(word: str) -> str:
    """Return a word without its plural s and in one of its two English spellings."""
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    elif len(word) > 4 and word.endswith(("xes", "ches", "shes", "sses", "zes")):
        word = word[:-2]
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    word = re.sub(r"is(e|ed|ing|ation)$", r"iz\1", word) if len(word) > 5 else word
    return re.sub(r"our$", "or", word) if len(word) > 4 else word


_ENDINGS: Final = re.compile(
    r"(?:izations?|ations?|ements?|ments?|ings?|edly|ers?|ors?|ed|ies|ied|ions?|ives?|ally|ly|ness|al|es|(?<!s)s|y|e)$"
)


@lru_cache(maxsize=8192)
def strong_stem(word: str) -> str:
    """Return the part of a word that its inflections and near derivations share, at least four letters long.

    >>> {strong_stem(word) for word in ("reject", "rejected", "rejects", "rejection", "rejecting")}
    {'reject'}
    """
    stem = plural_stem(word)
    if len(stem) <= 4 or not stem.isalpha():
        return stem
    for _ in range(2):
        shorter = _ENDINGS.sub("", stem)
        if len(shorter) < 4 or shorter == stem:
            break
        stem = shorter
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "ls":
        stem = stem[:-1]
    return stem[:-1] if len(stem) > 4 and stem[-1] in "ei" else stem


_IRREGULAR: Final = {
    past: present
    for present, forms in (
        ("begin", "began begun"), ("buy", "bought"), ("sell", "sold"), ("build", "built"), ("make", "made"),
        ("give", "gave given"), ("get", "got gotten"), ("keep", "kept"), ("choose", "chose chosen"), ("send", "sent"),
        ("lead", "led"), ("pay", "paid"), ("teach", "taught"), ("speak", "spoke spoken"),
        ("tell", "told"), ("show", "shown"), ("write", "wrote written"), ("take", "took taken"), ("hold", "held"),
        ("win", "won"), ("lose", "lost"), ("break", "broke broken"), ("freeze", "froze frozen"),
        ("drive", "drove driven"),
        ("eat", "ate eaten"), ("flow", "flew"), ("run", "ran"),
        ("sink", "sank sunk"),
        ("steal", "stole stolen"), ("child", "children"), ("man", "men"), ("woman", "women"),
        ("fail", "failure"), ("die", "died dead dying"), ("swim", "swam"), ("catch", "caught"), ("meet", "met"),
    )
    for past in forms.split()
}  # fmt: skip


def _concepts() -> tuple[dict[str, tuple[str, int]], dict[str, tuple[str, int]]]:
    """Return the concept of each listed word, and of each stem; a synonym of an opposite's side stands on that side.

    Words count before stems, because "higher" and "high" have one stem and are told apart.
    """
    found: dict[str, tuple[str, int]] = {}
    stems: dict[str, tuple[str, int]] = {}
    for both in _OPPOSITES:
        name = "±" + both[0].split()[0]
        for sign, group in zip((1, -1), both, strict=True):
            for member in group.split():
                found.setdefault(member, (name, sign))
                stems.setdefault(strong_stem(member), (name, sign))
    for group in _SYNONYMS:
        members = group.split()
        first = strong_stem(members[0])
        meaning = found.get(members[0], (first, 1))
        for member in members:
            found.setdefault(member, meaning)
            stems.setdefault(strong_stem(member), meaning)
    return found, stems


_WORD_CONCEPTS, _STEM_CONCEPTS = _concepts()


@lru_cache(maxsize=8192)
def concept(token: str) -> tuple[str, int]:
    """Return what a token stands for and on which side of it: opposites share a concept and differ in sign.

    >>> concept("rejected"), concept("approve"), concept("bicycle")
    (('±accept', -1), ('±accept', 1), ('bike', 1))
    """
    word = _IRREGULAR.get(token, token)
    if word in _WORD_CONCEPTS:
        return _WORD_CONCEPTS[word]
    stem = strong_stem(word)
    return _STEM_CONCEPTS.get(stem, (stem, 1))
