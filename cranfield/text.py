"""Text for display: numbers with their nouns, and text of unknown origin with control characters made visible.

A pooled document may hold escape sequences that retitle a terminal, bidirectional controls that reorder its lines, or
invisible characters. Each becomes a visible mark, unless its neighbours are written with it (see invisible.py).
Newlines are normalized and tabs become spaces. Patterns are kept as text, and compiled when one is first used.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import cache
from math import isnan

from cranfield.invisible import SOFT_HYPHEN, Invisible

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


def visible(text: str) -> str:
    r"""The text with control characters shown as marks; only newlines and what belongs to a text stay as they are.

    Joiners stay where a script or an emoji is written with them, and a soft hyphen between letters; anywhere else two
    different texts would look the same, so there they are marked.

    >>> print(visible("\x1b[2Jgone\x00 \u202eabc\x9b1m a\u200bb"))
    ␛[2Jgone␀ <U+202E>abc<U+009B>1m a<U+200B>b
    >>> visible("\u06a9\u0627\u0631\u200c\u0647\u0627, pay\u200cpal")
    '\u06a9\u0627\u0631\u200c\u0647\u0627, pay<U+200C>pal'
    >>> visible("a\r\nb\rc\td")
    'a\nb\nc       d'
    """
    if text.isascii():
        one = text.replace("\r\n", "\n").replace("\r", "\n")
        return ASCII_UNSEEN.sub(lambda match: "".join(map(_mark, match[0])), one).expandtabs(TAB)
    one = re.sub(NEWLINES, "\n", text)
    belongs = Invisible(one).belongs

    def marks(match: re.Match[str]) -> str:
        start = match.start()
        return "".join(c if belongs(start + n) else _mark(c) for n, c in enumerate(match[0]))

    return re.sub(UNSEEN_RUNS, marks, one).expandtabs(TAB)


def on_terminal(text: str) -> str:
    r"""The visible text as a terminal can show it, which knows no soft hyphens.

    >>> on_terminal("encyclo\xadpedia")
    'encyclopedia'
    """
    return visible(text).replace(SOFT_HYPHEN, "")


def visible_line(text: str) -> str:
    r"""The text on one line.

    >>> visible_line("a title\n  in\ttwo lines\n")
    'a title in two lines'
    """
    return " ".join(visible(text).split())


def moment(at: str) -> str:
    """A time of a store's log, to the second.

    >>> moment("2026-01-31T15:37:16.420+00:00")
    '2026-01-31 15:37:16'
    """
    return at[:19].replace("T", " ")


def p_value(p: float) -> str:
    """A p to four digits; a dash if undefined.

    >>> p_value(0.05), p_value(0.00004), p_value(float("nan"))
    ('0.0500', '<0.0001', '-')
    """
    return "<0.0001" if p < 0.0001 else "-" if isnan(p) else f"{p:.4f}"


def printable_line(message: str) -> str:
    r"""A message on one line, whatever names it contains; the middle of a very long one is cut.

    >>> printable_line("a\nrun\x1b[2J"), len(printable_line("x" * 10_000))
    ('a run␛[2J', 2005)
    """
    line = " ".join(on_terminal(message).splitlines())
    return line if len(line) <= LONGEST else f"{line[: LONGEST // 2]} ... {line[-LONGEST // 2 :]}"


@cache
def _mark(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"<U+{code:04X}>"


def whence(text: str) -> Callable[[int], int]:
    r"""Map positions in `visible(text)` to positions in the text, so that quotations keep the original.

    A position within a mark maps to the marked character.

    >>> of = whence("a\r\nb\tc\x1b[1m")
    >>> [of(place) for place in (0, 1, 2, 3, 9, 10, 11)]
    [0, 1, 3, 4, 4, 5, 6]
    """
    pairs = _pairs(text)
    return lambda place: _locate(pairs, place)


def whither(text: str) -> Callable[[int], int]:
    r"""Map positions in the text to positions in `visible(text)`: the first that stands for what is there.

    >>> of = whither("a\r\nb\tc\x1b[1m")
    >>> [of(place) for place in (0, 1, 2, 3, 4, 5, 6, 7)]
    [0, 1, 2, 2, 3, 10, 11, 12]
    """
    pairs = _pairs(text)
    own = [pair[1] for pair in pairs]

    def found(place: int) -> int:
        at = bisect_left(own, place)
        reached = pairs[at - 1][0] + place - own[at - 1] if at else 0
        return min(reached, pairs[at][0]) if at < len(own) else reached

    return found


def _pairs(text: str) -> list[tuple[int, int]]:
    """Where visible text and text go on together, after what was changed."""
    shown, own, column_start, pairs = 0, 0, 0, [(0, 0)]
    belongs = Invisible(text).belongs
    for match in re.finditer(CHANGED, text):
        shown += match.start() - own
        made = match[0] if belongs(match.start()) else _made(match, shown - column_start)
        pairs += [(shown, match.start())] if len(made) == 1 else [(shown + i, match.start()) for i in range(len(made))]
        shown, own = shown + len(made), match.end()
        pairs.append((shown, own))
        column_start = shown if made == "\n" else column_start
    return pairs


def stored_span(text: str, start: int, end: int) -> tuple[int, int]:
    r"""The stored characters of a selection in a browser, which counts UTF-16 units of the visible text.

    >>> stored_span("a\t\U0001f600 tyre", 10, 15), "a\t\U0001f600 tyre"[3:8]
    ((3, 8), ' tyre')
    """
    units, of = visible(text).encode("utf-16-le"), whence(text)
    first, last = (len(units[: 2 * place].decode("utf-16-le", "ignore")) for place in (start, end))
    return of(first), of(last)


def _made(match: re.Match[str], column: int) -> str:
    """What is displayed in place of the match."""
    if match[0] == "\t":
        return " " * (TAB - column % TAB)
    return "\n" if re.fullmatch(NEWLINES, match[0]) or match[0] == "\n" else _mark(match[0])


def _locate(pairs: list[tuple[int, int]], place: int) -> int:
    shown, own = pairs[bisect_right(pairs, place, key=lambda pair: pair[0]) - 1]
    return own + place - shown


def in_words(names: Sequence[str], last: str = "and") -> str:
    """Names as a sentence lists them.

    >>> in_words(["a", "b", "c"]), in_words(["a", "b"], "or"), in_words(["a"])
    ('a, b and c', 'a or b', 'a')
    """
    return f" {last} ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def natural(name: str) -> list[tuple[bool, int, str]]:
    """What to sort names by, so that 9 comes before 10.

    >>> sorted(["q10", "q9", "2"], key=natural)
    ['2', 'q9', 'q10']
    """
    parts = re.findall(r"\d+|\D+", name)
    return [(False, int(part), "") if part.isdecimal() else (True, 0, part) for part in parts]


def runs_of_teams(runs: int, teams: int, given: bool = True) -> str:
    """Runs and their teams; where none were `given`, each run counts as its own team.

    >>> print(runs_of_teams(72, 20), runs_of_teams(72, 72, given=False), sep="; ")
    72 runs of 20 teams; 72 runs (no teams given, so each counts as its own team)
    """
    by = f"of {counted(teams, 'team')}" if given else "(no teams given, so each counts as its own team)"
    return f"{counted(runs, 'run')} {by}"


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "run"), counted(12000, "run"), counted(2, "query", "queries")
    ('1 run', '12,000 runs', '2 queries')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"
