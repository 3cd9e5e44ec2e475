import pytest

from parcel.parser import ParseError, check_digit, parse_label, parse_many


def test_check_digit_known_value():
    assert check_digit("47312482") == 9


def test_label_with_spaces():
    assert parse_label(" rr 47312482 9 ") == ("RR", "47312482")


def test_wrong_check_digit():
    with pytest.raises(ParseError) as caught:
        parse_label("RR473124820")
    assert caught.value.reason == "check digit is wrong"


def test_wrong_layout():
    with pytest.raises(ParseError):
        parse_label("R47")


def test_parse_many_reports_line_numbers():
    good, bad = parse_many(["RR473124829", "", "nonsense"])
    assert good == [("RR", "47312482")]
    assert bad == [(3, "not two letters and nine digits")]
