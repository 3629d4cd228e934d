import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muddle_utils.scoring.numbers import numbers_in

NBSP, THIN, NARROW, MINUS = "\u00a0", "\u2009", "\u202f", "\u2212"


def values(text):
    return [number.value for number in numbers_in(text)]


# --- numbers ---


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,234", [1234]),
        ("1,234,567.89", [1234567.89]),
        (f"1{NBSP}234{NBSP}567", [1234567]),
        (f"1{THIN}234", [1234]),
        (f"1{NARROW}234,5", [1234.5]),
        ("12'345", [12345]),
        ("1.234.567", [1234567]),
        ("1.234,56", [1234.56]),
        ("1,23,456", [123456]),
        ("12,0", [12.0]),
        ("0,125", [0.125]),
        ("1.234", [1.234]),
        (".5", [0.5]),
        ("1e-3", [0.001]),
        (f"{MINUS}5", [-5]),
        ("\u20135", [-5]),
        ("minus 5", [-5]),
        ("(5)", [-5]),
        ("$(5.5) million", [-5_500_000]),
        ("(12.5%)", [-12.5]),
        ("Smith (2019) found 5 (12%)", [2019, 5, 12]),
        ("2.5 million", [2_500_000]),
        ("1.1 million", [1_100_000]),
        ("$2.5m", [2_500_000]),
        ("3bn", [3_000_000_000]),
        ("35k", [35_000]),
        ("2 lakh", [200_000]),
        ("5 m", [5]),
        ("three", [3]),
        ("Twenty-five", [25]),
        ("three hundred and five", [305]),
        ("two million", [2_000_000]),
        ("half a million", [500_000]),
        ("a quarter of a million", [250_000]),
        ("two and a half", [2.5]),
        ("one point two five billion", [1_250_000_000]),
        ("a dozen", [12]),
        ("3 dozen", [36]),
        ("3,5 Mio. Euro", [3_500_000]),
        ("\u517112\u4e07\u4eba", [120_000]),
        ("3\u5104\u5186", [300_000_000]),
        ("50 basis points", [0.5]),
        ("5\u2030", [0.5]),
        ("half a million", [500_000]),
        ("a quarter of a million", [250_000]),
        ("two and a half", [2.5]),
        ("one point two five billion", [1_250_000_000]),
        ("a dozen", [12]),
        ("3 dozen", [36]),
        ("3,5 Mio. Euro", [3_500_000]),
        ("\u517112\u4e07\u4eba", [120_000]),
        ("3\u5104\u5186", [300_000_000]),
        ("50 basis points", [0.5]),
        ("5\u2030", [0.5]),
        ("no one knows", []),
        ("one of the two", [2]),
        ("16,19,25", [16, 19, 25]),
        ("[16, 19, 25]", [16, 19, 25]),
        ("10-20%", [10, 20]),
        ("$5-$10", [5, 10]),
        ("5 - 3", [5, 3]),
        ("GPT-4, FY2019, 3D, B2B and COVID-19", []),
        ("version 3.2.1", []),
        ("14:04", []),
        ("5th of 12", [5, 12]),
        ("no.5", [5]),
        ("\uff14\uff12", [42]),
        ("\u0664\u0662", [42]),
        ("9" * 400, []),
        ("", []),
    ],
)
def test_numbers_in(text, expected):
    assert values(text) == expected


@pytest.mark.parametrize(
    ("text", "is_percent", "unit", "quantum", "digits"),
    [
        ("25%", True, "", 1, 2),
        ("25.0 percent", True, "", 0.1, 3),
        ("2 percentage points", True, "", 1, 1),
        ("five per cent", True, "", 1, 1),
        ("$1,577", False, "$", 1, 4),
        ("US$ 5", False, "$", 1, 1),
        ("5 euros", False, "\u20ac", 1, 1),
        ("S$35,000", False, "S$", 1, 5),
        ("2.5 million", False, "", 100_000, 2),
        ("20 litres", False, "l", 1, 2),
        ("5km", False, "km", 1, 1),
        ("37 \u00b0C", False, "\u00b0c", 1, 2),
        ("98 degrees Fahrenheit", False, "\u00b0f", 1, 2),
        ("25 m\u00b2", False, "m2", 1, 2),
        ("25 square kilometres", False, "km2", 1, 2),
        ("30 kilometres per hour", False, "km/h", 1, 2),
        ("40 Canadian dollars", False, "C$", 1, 2),
        ("37 \u00b0C", False, "\u00b0c", 1, 2),
        ("98 degrees Fahrenheit", False, "\u00b0f", 1, 2),
        ("25 m\u00b2", False, "m2", 1, 2),
        ("25 square kilometres", False, "km2", 1, 2),
        ("30 kilometres per hour", False, "km/h", 1, 2),
        ("40 Canadian dollars", False, "C$", 1, 2),
        ("5 km/h", False, "km/h", 1, 1),
        ("0.050", False, "", 0.001, 2),
        ("5-year", False, "year", 1, 1),
    ],
)
def test_a_number_carries_its_unit_and_its_printed_precision(text, is_percent, unit, quantum, digits):
    (number,) = numbers_in(text)
    assert (number.is_percent, number.unit, number.digits) == (is_percent, unit, digits)
    assert number.quantum == pytest.approx(quantum, rel=1e-12)


@given(st.integers(0, 10**12), st.sampled_from([",", NBSP, THIN, NARROW, "'"]))
def test_grouped_and_plain_numbers_read_the_same(value, separator):
    grouped = f"{value:,}".replace(",", separator)
    assert values(grouped) == values(str(value)) == [value]


@given(st.floats(-1e9, 1e9), st.integers(0, 6))
def test_printed_decimals_read_back(value, digits):
    printed = f"{value:,.{digits}f}"
    assert values(printed) == [pytest.approx(float(printed.replace(",", "")))]


@given(st.text())
def test_numbers_are_finite_in_order_and_lie_in_their_text(text):
    found = numbers_in(text)
    assert all(math.isfinite(number.value) and number.quantum > 0 for number in found)
    assert all(first.end <= second.start for first, second in itertools.pairwise(found))
