import json
import re
from base64 import b64encode, urlsafe_b64encode
from urllib.parse import quote

import pytest

from gate.report.redact import MASK, redactor

CANARY = 'Key+/="\\\u00e9 0?>~x-1234'


def over_encoded(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode())


@pytest.mark.parametrize(
    "spell",
    [
        str,
        quote,
        over_encoded,
        lambda text: over_encoded(text).lower(),
        lambda text: quote(quote(text)),
        lambda text: quote(text, safe="").replace("%20", "+"),
        lambda text: text.encode().hex(),
        lambda text: text.encode().hex().upper(),
        lambda text: json.dumps(text)[1:-1],
        lambda text: json.dumps(json.dumps(text))[3:-3],
        lambda text: json.dumps(text, ensure_ascii=False)[1:-1].replace("/", r"\/"),
        lambda text: "".join(f"\\u{ord(char):04X}" for char in text),
        lambda text: b64encode(text.encode()).decode(),
        lambda text: urlsafe_b64encode(text.encode()).decode().rstrip("="),
    ],
)
def test_every_spelling_of_a_secret_becomes_the_mask(spell):
    assert redactor([CANARY])(f"before {spell(CANARY)} after") == f"before {MASK} after"


@pytest.mark.parametrize("before", ["", "a", "ab", "abc", "user:"])
@pytest.mark.parametrize("after", ["", "z", "zz", "zzz"])
@pytest.mark.parametrize("encode", [b64encode, urlsafe_b64encode])
def test_a_secret_inside_an_encoded_text_is_found_at_each_alignment(before, after, encode):
    text = encode(f"{before}{CANARY}{after}".encode()).decode()
    shown = redactor([CANARY])(text)
    assert MASK in shown
    assert len(shown) <= 4 * (len(before) + len(after) + 3) + len(MASK)


HARD = (
    "\\" * 10 + "secret",
    "\\" * 40,
    "\\a" * 20,
    "\\\\n\\" * 8,
    "\\u005c" * 10,
    "%5c\\" * 10,
    "\\%5c" * 10,
    "%25" * 10,
    "u0075" * 10,
)


@pytest.mark.parametrize("secret", HARD)
@pytest.mark.parametrize("times", [1, 2, 4])
def test_no_text_takes_a_time_that_grows_with_its_ways_of_being_read(secret, times):
    hide = redactor([secret])
    near = secret[:-1].replace("\\", "\\" * times) + "!"
    text = "\\" * 20_000 + "%5c" + near * 100 + "\\u005c" * 5_000 + near.replace("\\", "%5C") * 100
    assert "!" in hide(text)


@pytest.mark.parametrize(
    "secret", ["\\user-of-it", "a\\\\\\b-c-d", "\\\\share\\name", "end-of-it\\"]
)
@pytest.mark.parametrize(
    "spell",
    [
        str,
        quote,
        over_encoded,
        lambda text: quote(quote(text)),
        lambda text: json.dumps(text)[1:-1],
        lambda text: json.dumps(json.dumps(text))[3:-3],
        lambda text: text.replace("\\", "\\u005c"),
        lambda text: "".join(f"\\u{ord(char):04x}" for char in text),
        lambda text: json.dumps("".join(f"\\u{ord(char):04X}" for char in text))[1:-1],
    ],
)
def test_a_secret_with_backslashes_is_found_in_each_spelling(secret, spell):
    shown = redactor([secret])(f"before {spell(secret)} after")
    assert re.fullmatch(r"before \\{0,3}\*\*\*(?:\\{0,3}|u005c) after", shown)


@pytest.mark.parametrize("secret", HARD)
@pytest.mark.parametrize("spell", [str, quote, lambda text: json.dumps(text)[1:-1]])
def test_a_secret_of_escapes_is_found_in_the_usual_spellings(secret, spell):
    shown = redactor([secret])(f"before {spell(secret)} after")
    assert MASK in shown
    assert len(shown) < len(f"before {secret} after")


def test_no_secrets_give_the_identity():
    text = "text"
    assert redactor([])(text) is text
    assert redactor(["short", " \n", "********"])(text) is text


def test_a_short_value_is_left_alone_and_eight_characters_are_not():
    assert redactor(["seven77"])("seven77") == "seven77"
    assert redactor(["eight888"])("eight888") == MASK


@pytest.mark.parametrize(
    ("size", "least"), [(8, 8), (15, 15), (16, 12), (28, 14), (40, 16), (500, 16)]
)
def test_what_a_cut_left_of_a_long_secret_is_hidden_too(size, least):
    secret = ("aB3-" * size)[:size]
    hide = redactor([secret])
    for length in range(least, size + 1):
        assert hide(f"<{secret[:length]}>") == f"<{MASK}>"
    if least > 4:
        assert hide(f"<{secret[: least - 1]}>") == f"<{secret[: least - 1]}>"


def test_what_goes_on_as_another_text_is_hidden_as_far_as_it_is_the_secret():
    assert redactor(["0123456789abcdef"])("x0123456789abXYZ 0123456789abcdef0") == (
        f"x{MASK}XYZ {MASK}0"
    )


def test_the_longer_of_two_overlapping_secrets_goes_whole():
    assert redactor(["abcdefgh", "abcdefghijkl"])("abcdefghijkl abcdefgh") == f"{MASK} {MASK}"


def test_each_line_of_a_key_of_several_lines_is_hidden_by_itself():
    hide = redactor(["-----BEGIN-----\nline-one-of-it\nline-two-of-it\n"])
    assert hide("x line-two-of-it y") == f"x {MASK} y"
    assert "one" not in hide(r"-----BEGIN-----\nline-one-of-it\nline-two-of-it")


def test_white_space_around_a_secret_is_not_part_of_it():
    assert redactor(["  padded-secret\n"])("<padded-secret>") == f"<{MASK}>"


def test_what_is_no_secret_stays_as_it_is():
    text = 'a "quoted" 100 % text with \\u00e9 and %20 and Q0FOQVJZ'
    assert redactor([CANARY])(text) == text
