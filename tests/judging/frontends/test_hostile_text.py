"""Text of hostile documents: every control is seen, none is obeyed."""

import json
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.judging.frontends.view_text import WrappedRows, terminal_width, wrap
from cranfield.text import CHANGED, original_position_map, visible_line, visible_text
from tests.conftest import usually
from tests.texts import TEXT

HOSTILE = {
    "a colour": ("\x1b[31mred", "␛[31mred"),
    "a window title": ("\x1b]0;pwned\x07", "␛]0;pwned␇"),
    "a C1 introducer": ("\x9b2J", "<U+009B>2J"),
    "NUL": ("a\x00b", "a␀b"),
    "backspace over a grade": ("grade 0\x082", "grade 0␈2"),
    "delete": ("\x7f", "␡"),
    "a lone carriage return": ("shown\rhidden", "shown\nhidden"),
    "CRLF": ("a\r\nb", "a\nb"),
    "NEL and line separators": ("a\x85b\u2028c\u2029d", "a\nb\nc\nd"),
    "a tab": ("a\tb", "a       b"),
    "right-to-left override": ("\u202etnaveler\u202c", "<U+202E>tnaveler<U+202C>"),
    "isolates": ("\u2066a\u2069", "<U+2066>a<U+2069>"),
    "zero width": ("re\u200blevant\u200d\ufeff", "re<U+200B>levant<U+200D><U+FEFF>"),
    "letters without ink": ("\u3164\u115f", "<U+3164><U+115F>"),
    "tag characters": ("\U000e0041", "<U+E0041>"),
    "a soft hyphen": ("infor\xadmation \xad", "infor\xadmation <U+00AD>"),
    "joiners in Latin": ("pay\u200cpal pay\u200dpal", "pay<U+200C>pal pay<U+200D>pal"),
    "a joiner in Persian": (
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    ),
    "half a surrogate pair": ("\ud83d", "<U+D83D>"),
    "hidden selectors": ("a\ufe0f\ufe01", "a\ufe0f<U+FE01>"),
    "accents that climb": ("e" + "\u0301" * 5, "e" + "\u0301" * 4 + "<U+0301>"),
    "markup is text": ("[bold]x[/] [/] <b>", "[bold]x[/] [/] <b>"),
    "what is harmless": ("naïve café 漢字 ελ עברית 😀 é", "naïve café 漢字 ελ עברית 😀 é"),
}
INVISIBLE = (
    "\r\n\t\xad\x1b\u202ea\ufe0f\u0301\u200c\u200d\u200b\u200f\u06cc\u0915\u094d\u0e01\u180b\u1820"
    "\U0001f468\U0001f3f4\U000e0067"
)


@pytest.mark.parametrize(("text", "expected"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_text(text: str, expected: str) -> None:
    """What would be obeyed or unseen is shown as a mark; the rest stays."""
    assert visible_text(text) == expected


def test_each_known_text_is_whole_or_marked(shared: Path) -> None:
    """Texts that need their invisible characters keep them; those that hide something show it."""
    for line in (shared / "texts/invisible.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        text = case["text"]
        assert (case["name"], visible_text(text) == text) == (case["name"], case["shown"] == "whole")
        assert case["shown"] == "whole" or "<U+" in visible_text(text)
        check_places(text)
        check_places(f"before\t{text} \x1b after")


@pytest.mark.parametrize("members", range(2, 9))
def test_a_sequence_of_emoji_has_at_most_six(members: int) -> None:
    family = "\u200d".join("\U0001f468" * members)
    assert (visible_text(family) == family) == (members <= 6)


def test_a_mark_of_direction_stays_in_its_line_alone() -> None:
    assert visible_text("abc\u200f!\n\u05d0\u200f!\r\nabc\u200f!") == "abc<U+200F>!\n\u05d0\u200f!\nabc<U+200F>!"


MANY = usually(2 * 10**4, 10**5)


@pytest.mark.parametrize("text", ["\u05d0" + "\u200f" * MANY, "\u200d\U0001f468" * MANY, "\u06cc\u200c" * MANY])
def test_many_invisible_characters_take_linear_time(text: str) -> None:
    """In no time, where looking at all of the text for each would take hours."""
    assert len(visible_text(text)) >= len(text)


def test_no_control_or_format_character_is_left() -> None:
    """All of Unicode: no control, no surrogate, no invisible format character comes through."""
    harmless = {"\n"} | {
        chr(code) for code in (*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD)
    }
    everything = (chr(code) for code in range(0x110000))
    controls = [
        c for c in everything if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") and c not in harmless
    ]
    text = visible_text("".join(c for c in controls if c not in "\r\t\x85\u2028\u2029"))
    assert not set(text) & set(controls)


@given(TEXT | st.text(INVISIBLE))
def test_visible_twice_is_visible_once(text: str) -> None:
    """Text that is safe to show is not changed again."""
    assert visible_text(visible_text(text)) == visible_text(text)


@given(TEXT, st.integers(2, 100))
def test_wrapping_fits_and_loses_nothing(text: str, width: int) -> None:
    """Every row fits the width in cells, and all that has ink is there, in order."""
    rows = wrap(visible_text(text), width)
    assert all(sum(map(terminal_width, row)) <= width for row in rows)
    assert "".join("".join(rows).split()) == "".join(visible_text(text).split())


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("", [""]),
        ("one two three", ["one two", "three"]),
        ("  a b c d e", ["  a b c", "d e"]),
        ("a\n\n\nb", ["a", "", "", "b"]),
        ("x" * 20, ["x" * 8, "x" * 8, "x" * 4]),
        ("漢字漢字漢字", ["漢字漢字", "漢字"]),
    ],
)
def test_wrap(text: str, rows: list[str]) -> None:
    """Line breaks are kept, words stay whole where they fit, and what is too wide is cut."""
    assert wrap(text, 8) == rows


def test_one_line() -> None:
    """A title cannot begin a line of its own."""
    assert visible_line("a\n> Recorded: \x1b[1m") == "a > Recorded: ␛[1m"


@pytest.mark.parametrize(
    "text", [*(text for text, _ in HOSTILE.values()), "".join(text for text, _ in HOSTILE.values())]
)
def test_places_of_hostile_text(text: str) -> None:
    """Each place of what is shown comes from one place of the text: evidence is kept as it was written."""
    check_places(text)


@given(st.text(st.one_of(st.characters(), st.sampled_from(INVISIBLE))))
def test_places(text: str) -> None:
    """The same for any text."""
    check_places(text)


def check_places(text: str) -> None:
    result, of = visible_text(text), original_position_map(text)
    places = [of(place) for place in range(len(result) + 1)]
    assert places == sorted(places)
    assert not result or (places[0], places[-1]) == (0, len(text))
    assert all(
        result[n] == text[place] or re.compile(CHANGED).match(text, place) for n, place in enumerate(places[:-1])
    )


@given(TEXT, st.integers(2, 30), st.integers(0, 5))
def test_rows_grow(text: str, width: int, by: int) -> None:
    """Rows made bit by bit are the rows made at once, and every place is on the row that shows it."""
    some, whole = WrappedRows(visible_text(text), width), visible_text(text)
    some.grow(by)
    assert len(some.spans) <= by
    for place in range(len(whole)):
        start, end = some.spans[some.row_of(place)]
        assert start <= place < end or whole[min(end, place) : place + 1].isspace() or start == 0
    some.grow()
    assert [whole[start:end] for start, end in some.spans] == wrap(whole, width)
