"""Text for display: numbers with their nouns, and text of unknown origin with control characters made visible.

A pooled document may hold escape sequences that retitle a terminal, bidirectional controls that reorder its lines, or
invisible characters. Each becomes a visible mark, unless its neighbours are written with it: joiners shape Persian,
Indic scripts and emoji; without them such a text cannot be read. The same characters can hide a difference between two
texts, or reorder a line. So each stays only where its script needs it. Sources: Unicode's core specification, 23.2, for
joiners; UTS #51 for sequences of emoji and flags; UAX #9 for marks of direction, of which embeddings, overrides and
isolates never stay.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property
from math import isnan
from reprlib import Repr
from typing import Any
from unicodedata import bidirectional, category

SOFT_HYPHEN = "\xad"
JOINER = "\u200d"
MONGOLIAN_MARKS = "\u180b\u180c\u180d\u180e\u180f"
JOINING = (  # scripts whose letters join
    r"\u0600-\u074f\u0750-\u077f\u07c0-\u07ff\u0840-\u08ff\u1800-\u18af\ua840-\ua87f\ufb50-\ufdff\ufe70-\ufeff"
    r"\U00010d00-\U00010d3f\U0001e900-\U0001e95f"
)
INDIC = (  # scripts descended from Brahmi
    r"\u0900-\u0dff\u0f00-\u109f\u1780-\u17b3\u17b6-\u17ff\u1b00-\u1b7f\ua980-\ua9df\U00011000-\U0001147f"
)
JOINED = f"[{JOINING}{INDIC}]"
UNSPACED = r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17b3\u17b6-\u17ff]"  # Thai, Lao, Myanmar, Khmer
MONGOLIAN = r"[\u1820-\u18aa]"
RIGHT_TO_LEFT = r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]"
LINES = re.compile("[^\n\r\x85\u2028\u2029]+")
PICTURE = (  # Extended_Pictographic of Unicode's emoji-data.txt
    r"[\xa9\xae\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9\u21aa\u231a\u231b\u2328\u2388\u23cf\u23e9-\u23f3"
    r"\u23f8-\u23fa\u24c2\u25aa\u25ab\u25b6\u25c0\u25fb-\u25fe\u2600-\u2605\u2607-\u2612\u2614-\u2685\u2690-\u2705"
    r"\u2708-\u2712\u2714\u2716\u271d\u2721\u2728\u2733\u2734\u2744\u2747\u274c\u274e\u2753-\u2755\u2757\u2763-\u2767"
    r"\u2795-\u2797\u27a1\u27b0\u27bf\u2934\u2935\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55\u3030\u303d\u3297\u3299"
    r"\U0001f000-\U0001f0ff\U0001f10d-\U0001f10f\U0001f12f\U0001f16c-\U0001f171\U0001f17e\U0001f17f\U0001f18e"
    r"\U0001f191-\U0001f19a\U0001f1ad-\U0001f1e5\U0001f201-\U0001f20f\U0001f21a\U0001f22f\U0001f232-\U0001f23a"
    r"\U0001f23c-\U0001f23f\U0001f249-\U0001f3fa\U0001f400-\U0001f53d\U0001f546-\U0001f64f\U0001f680-\U0001f6ff"
    r"\U0001f774-\U0001f77f\U0001f7d5-\U0001f7ff\U0001f80c-\U0001f80f\U0001f848-\U0001f84f\U0001f85a-\U0001f85f"
    r"\U0001f888-\U0001f88f\U0001f8ae-\U0001f8ff\U0001f90c-\U0001f93a\U0001f93c-\U0001f945\U0001f947-\U0001faff"
    r"\U0001fc00-\U0001fffd]"
)
ELEMENT = f"{PICTURE}[\ufe0f\U0001f3fb-\U0001f3ff]?"
EMOJI = f"(?<!{JOINER}){ELEMENT}(?:{JOINER}{ELEMENT}){{1,5}}(?!{JOINER})"
LONGEST_EMOJI = 6 * 2 + 5
FLAG = (
    "\U0001f3f4(?:"
    + "|".join("".join(chr(0xE0000 + ord(c)) for c in region) for region in ("gbeng", "gbsct", "gbwls"))
    + ")\U000e007f"
)
LONGEST_FLAG = 7


class Invisible:
    """The invisible characters of a text; its lines may end in any way."""

    def __init__(self, text: str) -> None:
        self._text = text

    def belongs_to_neighbours(self, at: int) -> bool:
        r"""Whether the neighbours of the invisible character at a place are written with it.

        >>> Invisible("\u0645\u06cc\u200c\u062e").belongs_to_neighbours(2)
        True
        >>> Invisible("pay\u200cpal").belongs_to_neighbours(3)
        False
        >>> Invisible("\u0d28\u0d4d\u200d\n").belongs_to_neighbours(2)  # a Malayalam chillu, at the end of a line
        True
        """
        rule = RULES.get(self._text[at])
        return rule is not None and rule(self, at)

    def _non_joiner(self, at: int) -> bool:
        before, after = self._neighbouring_chars(at)
        return (
            _is_written(before)
            and _is_written(after)
            and (_is_of_script(JOINED, before) or _is_of_script(JOINED, after))
        )

    def _joiner(self, at: int) -> bool:
        before, after = self._neighbouring_chars(at)
        return (_is_of_script(JOINED, before) and not _is_unseen(after)) or self._is_in(EMOJI, at, LONGEST_EMOJI)

    def _soft_hyphen(self, at: int) -> bool:
        return all(map(str.isalpha, self._neighbouring_chars(at)))

    def _space(self, at: int) -> bool:
        return all(_is_of_script(UNSPACED, beside) for beside in self._neighbouring_chars(at))

    def _mongolian(self, at: int) -> bool:
        return re.match(MONGOLIAN, self._neighbouring_chars(at)[0]) is not None

    def _tag(self, at: int) -> bool:
        return self._is_in(FLAG, at, LONGEST_FLAG)

    def _direction(self, at: int) -> bool:
        line = bisect_right(self._right_to_left, (at, len(self._text) + 1)) - 1
        return line >= 0 and at < self._right_to_left[line][1]

    def _neighbouring_chars(self, at: int) -> tuple[str, str]:
        """The characters before and after a place; none beyond an end of its line."""
        before, after = self._text[at - 1 : at] if at else "", self._text[at + 1 : at + 2]
        return before if LINES.match(before) else "", after if LINES.match(after) else ""

    def _is_in(self, sequence: str, at: int, longest: int) -> bool:
        near = re.compile(sequence).finditer(self._text, max(at - longest, 0), at + longest + 1)
        return any(match.start() < at < match.end() for match in near)

    @cached_property
    def _right_to_left(self) -> list[tuple[int, int]]:
        """Where lines begin and end that have a letter of a script which runs from right to left."""
        lines = []
        for line in LINES.finditer(self._text):
            letters = re.compile(RIGHT_TO_LEFT).finditer(self._text, *line.span())
            if any(letter[0].isalpha() and bidirectional(letter[0]) in ("R", "AL") for letter in letters):
                lines.append(line.span())
        return lines


RULES: dict[str, Callable[[Invisible, int], bool]] = {
    "\u200c": Invisible._non_joiner,
    JOINER: Invisible._joiner,
    SOFT_HYPHEN: Invisible._soft_hyphen,
    "\u200b": Invisible._space,
    **dict.fromkeys(MONGOLIAN_MARKS, Invisible._mongolian),
    **dict.fromkeys("\u200e\u200f\u061c", Invisible._direction),
    **dict.fromkeys(map(chr, range(0xE0020, 0xE0080)), Invisible._tag),
}


def _is_written(character: str) -> bool:
    """Whether it is a letter, a digit, or a mark of a script with joiners."""
    return character != "" and (character.isalpha() or category(character) == "Nd" or _is_of_script(JOINED, character))


def _is_of_script(script: str, character: str) -> bool:
    """Whether it is a letter or a mark of a script."""
    return re.match(script, character) is not None and category(character)[0] in "LM" and not _is_unseen(character)


def _is_unseen(character: str) -> bool:
    return character != "" and (category(character) in ("Cc", "Cf", "Cs") or character in MONGOLIAN_MARKS)


TAB = 8
LONGEST = 2000  # characters of a message
NEWLINES = "\r\n|[\r\x85\u2028\u2029]"
CONTROLS = r"\x00-\x08\x0b-\x1f\x7f-\x9f"
FORMATS = (  # Unicode's invisible format characters, less the Arabic signs that are seen, and the letters without ink
    r"\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    r"\ufff0-\ufffb\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff"
)
SURROGATES = r"\ud800-\udfff"
SELECTORS = r"[\ufe00-\ufe0f\U000e0100-\U000e01ef]"  # one after a character chooses its shape; more hide something
ACCENTS = r"[\u0300-\u034e\u0350-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"  # five climb off the line
UNSEEN = f"[{CONTROLS}{FORMATS}{SURROGATES}]|(?<={SELECTORS}){SELECTORS}|(?<={ACCENTS * 4}){ACCENTS}"
UNSEEN_RUNS = f"[{CONTROLS}{FORMATS}{SURROGATES}]+|{UNSEEN}"  # many at once: there may be a million
ASCII_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]+")  # the same for a text of ASCII alone, ten times as fast
CHANGED = f"{NEWLINES}|[\n\t]|{UNSEEN}"


def visible_text(text: str) -> str:
    r"""The text with control characters shown as marks; only newlines and what belongs to a text stay as they are.

    Joiners stay where a script or an emoji is written with them, and a soft hyphen between letters; anywhere else two
    different texts would look the same, so there they are marked.

    >>> print(visible_text("\x1b[2Jgone\x00 \u202eabc\x9b1m a\u200bb"))
    ␛[2Jgone␀ <U+202E>abc<U+009B>1m a<U+200B>b
    >>> visible_text("\u06a9\u0627\u0631\u200c\u0647\u0627, pay\u200cpal")
    '\u06a9\u0627\u0631\u200c\u0647\u0627, pay<U+200C>pal'
    >>> visible_text("a\r\nb\rc\td")
    'a\nb\nc       d'
    """
    if text.isascii():
        one = text.replace("\r\n", "\n").replace("\r", "\n")
        return ASCII_UNSEEN.sub(lambda match: "".join(map(_visible_mark, match[0])), one).expandtabs(TAB)
    one = re.sub(NEWLINES, "\n", text)
    belongs = Invisible(one).belongs_to_neighbours

    def marks(match: re.Match[str]) -> str:
        start = match.start()
        return "".join(c if belongs(start + n) else _visible_mark(c) for n, c in enumerate(match[0]))

    return re.sub(UNSEEN_RUNS, marks, one).expandtabs(TAB)


def terminal_text(text: str) -> str:
    r"""The visible text as a terminal can show it, which knows no soft hyphens.

    >>> terminal_text("encyclo\xadpedia")
    'encyclopedia'
    """
    return visible_text(text).replace(SOFT_HYPHEN, "")


def visible_line(text: str) -> str:
    r"""The text on one line.

    >>> visible_line("a title\n  in\ttwo lines\n")
    'a title in two lines'
    """
    return " ".join(visible_text(text).split())


def format_moment(at: str) -> str:
    """A time of a store's log, to the second.

    >>> format_moment("2026-01-31T15:37:16.420+00:00")
    '2026-01-31 15:37:16'
    """
    return at[:19].replace("T", " ")


def format_signed(difference: float, decimals: int = 4) -> str:
    """A difference with its sign; none where it rounds to 0, a dash if undefined.

    >>> format_signed(0.25), format_signed(-0.00001), format_signed(float("nan"))
    ('+0.2500', '0.0000', '-')
    """
    if isnan(difference):
        return "-"
    return f"{difference:+.{decimals}f}" if round(difference, decimals) else f"{0:.{decimals}f}"


def format_p_value(p: float) -> str:
    """A p to four digits; a dash if undefined.

    >>> format_p_value(0.05), format_p_value(0.00004), format_p_value(float("nan"))
    ('0.0500', '<0.0001', '-')
    """
    return "<0.0001" if p < 0.0001 else "-" if isnan(p) else f"{p:.4f}"


def printable_line(message: str) -> str:
    r"""A message on one line, whatever names it contains; the middle of a very long one is cut.

    >>> printable_line("a\nrun\x1b[2J"), len(printable_line("x" * 10_000))
    ('a run␛[2J', 2005)
    """
    line = " ".join(terminal_text(message).splitlines())
    return line if len(line) <= LONGEST else f"{line[: LONGEST // 2]} ... {line[-LONGEST // 2 :]}"


@cache
def _visible_mark(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"<U+{code:04X}>"


def original_position_map(text: str) -> Callable[[int], int]:
    r"""Map positions in `visible(text)` to positions in the text, so that quotations keep the original.

    A position within a mark maps to the marked character.

    >>> of = original_position_map("a\r\nb\tc\x1b[1m")
    >>> [of(place) for place in (0, 1, 2, 3, 9, 10, 11)]
    [0, 1, 3, 4, 4, 5, 6]
    """
    pairs = _matching_places(text)
    return lambda place: _locate(pairs, place)


def visible_position_map(text: str) -> Callable[[int], int]:
    r"""Map positions in the text to positions in `visible(text)`: the first that stands for what is there.

    >>> of = visible_position_map("a\r\nb\tc\x1b[1m")
    >>> [of(place) for place in (0, 1, 2, 3, 4, 5, 6, 7)]
    [0, 1, 2, 2, 3, 10, 11, 12]
    """
    pairs = _matching_places(text)
    own = [pair[1] for pair in pairs]

    def visible_place(place: int) -> int:
        at = bisect_left(own, place)
        end = pairs[at - 1][0] + place - own[at - 1] if at else 0
        return min(end, pairs[at][0]) if at < len(own) else end

    return visible_place


def _matching_places(text: str) -> list[tuple[int, int]]:
    """Where visible text and text go on together, after what was changed."""
    at, own, column_start, pairs = 0, 0, 0, [(0, 0)]
    belongs = Invisible(text).belongs_to_neighbours
    for match in re.finditer(CHANGED, text):
        at += match.start() - own
        new = match[0] if belongs(match.start()) else _replacement(match, at - column_start)
        pairs += [(at, match.start())] if len(new) == 1 else [(at + i, match.start()) for i in range(len(new))]
        at, own = at + len(new), match.end()
        pairs.append((at, own))
        column_start = at if new == "\n" else column_start
    return pairs


def stored_span(text: str, start: int, end: int) -> tuple[int, int]:
    r"""The stored characters of a selection in a browser, which counts UTF-16 units of the visible text.

    >>> stored_span("a\t\U0001f600 tyre", 10, 15), "a\t\U0001f600 tyre"[3:8]
    ((3, 8), ' tyre')
    """
    units, of = visible_text(text).encode("utf-16-le"), original_position_map(text)
    first, last = (len(units[: 2 * place].decode("utf-16-le", "ignore")) for place in (start, end))
    return of(first), of(last)


def _replacement(match: re.Match[str], column: int) -> str:
    """What is displayed in place of the match."""
    if match[0] == "\t":
        return " " * (TAB - column % TAB)
    return "\n" if re.fullmatch(NEWLINES, match[0]) or match[0] == "\n" else _visible_mark(match[0])


def _locate(pairs: list[tuple[int, int]], place: int) -> int:
    at, own = pairs[bisect_right(pairs, place, key=lambda pair: pair[0]) - 1]
    return own + place - at


def join_words(names: Sequence[str], last: str = "and") -> str:
    """Names as a sentence lists them.

    >>> join_words(["a", "b", "c"]), join_words(["a", "b"], "or"), join_words(["a"])
    ('a, b and c', 'a or b', 'a')
    """
    return f" {last} ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def natural_sort_key(name: str) -> list[tuple[bool, int, str]]:
    """What to sort names by, so that 9 comes before 10.

    >>> sorted(["q10", "q9", "2"], key=natural_sort_key)
    ['2', 'q9', 'q10']
    """
    parts = re.findall(r"\d+|\D+", name)
    return [(False, int(part), "") if part.isdecimal() else (True, 0, part) for part in parts]


def runs_and_teams_text(runs: int, teams: int, has_teams: bool = True) -> str:
    """Runs and their teams; without teams (`has_teams`), each run counts as its own team.

    >>> print(runs_and_teams_text(72, 20), runs_and_teams_text(72, 72, has_teams=False), sep="; ")
    72 runs of 20 teams; 72 runs (no teams given, so each counts as its own team)
    """
    by = f"of {counted(teams, 'team')}" if has_teams else "(no teams given, so each counts as its own team)"
    return f"{counted(runs, 'run')} {by}"


class _JsonText(Repr):
    """Texts of values with the words of JSON; objects may be tuples of pairs."""

    def repr_NoneType(self, value: None, level: int) -> str:  # noqa: N802 - the names that Repr calls
        return "null"

    def repr_bool(self, value: bool, level: int) -> str:
        return str(value).lower()

    def repr_tuple(self, value: tuple[Any, ...], level: int) -> str:
        are_pairs = all(isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[0], str) for pair in value)
        return self.repr_dict(dict(value), level) if are_pairs else super().repr_tuple(value, level)


JSON_TEXT = _JsonText()


def json_value(value: object, max_chars: int = 40) -> str:
    """A value that was read from JSON, shortened, with the words of JSON.

    >>> json_value(None), json_value(True), json_value("d1"), json_value([None, {"a": False}])
    ('null', 'true', "'d1'", "[null, {'a': false}]")
    >>> json_value((("d", None),))
    "{'d': null}"
    """
    return (repr(value) if isinstance(value, str) else JSON_TEXT.repr(value))[:max_chars]


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "run"), counted(12000, "run"), counted(2, "query", "queries")
    ('1 run', '12,000 runs', '2 queries')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


MEASURE = re.compile(r"""(?:[^,"'(){}]|"[^"]*"|'[^']*'|\{[^{}]*\}|\((?:[^()"']|"[^"]*"|'[^']*')*\))+""")


def measures_in(text: str) -> list[str]:
    """The measures of a list; a text that is none stays as it is, and is refused for what it is.

    >>> measures_in("AP, P@10"), measures_in("AP(rel=2")
    (['AP', 'P@10'], ['AP(rel=2'])

    A number alone is another cutoff of the measure before it, as trec_eval and Anserini write them.

    >>> measures_in("ndcg_cut.10,20,P@5,10")
    ['ndcg_cut.10', 'ndcg_cut.20', 'P@5', 'P@10']
    """
    names = MEASURE.findall(text)
    if ",".join(names) != text:
        return [text]
    measures = list[str]()
    for name in map(str.strip, names):
        before = re.fullmatch(r"(.*[@._])\d+", measures[-1]) if measures and name.isdecimal() else None
        measures.append(before[1] + name if before else name)
    return measures


SHOWN_NAMES = 10  # of those that are available


def name_hint(name: str, names: Iterable[str], otherwise: str = "") -> str:
    """The end of a message on an unknown name: the nearest of the known names, or those that are available.

    `otherwise` is what to do if there are none.

    >>> name_hint("Adda", ["ada", "bob"]), name_hint("x", ["ada", "bob"]), name_hint("x", [], "add some")
    ('; did you mean ada?', '; available: ada, bob', '; add some')
    >>> name_hint("x", map(str, range(12)))
    '; available: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more'
    """
    from difflib import get_close_matches

    known = list(dict.fromkeys(names))
    by_lower = {one.lower(): one for one in reversed(known)}
    if near := get_close_matches(name, known, 1) or get_close_matches(name.lower(), by_lower, 1):
        return f"; did you mean {by_lower.get(near[0], near[0])}?"
    more = f" and {len(known) - SHOWN_NAMES:,} more" * (len(known) > SHOWN_NAMES)
    return f"; available: {', '.join(known[:SHOWN_NAMES])}{more}" if known else f"; {otherwise or 'there are none'}"


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """The end of a message on an unknown name: the nearest of the known names; empty where none is near.

    >>> did_you_mean("mesures", ["measures", "runs"]), did_you_mean("x", ["measures"])
    ('; did you mean measures?', '')
    """
    from difflib import get_close_matches

    near = get_close_matches(name, list(names), 1)
    return f"; did you mean {near[0]}?" if near else ""
