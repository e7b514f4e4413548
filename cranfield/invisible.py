"""Which invisible characters belong to a text: those that its neighbours are written with.

Joiners shape Persian, Indic scripts and emoji; without them such a text cannot be read. The same characters can hide a
difference between two texts, or reorder a line. So each stays only where its script needs it. Sources: Unicode's core
specification, 23.2, for joiners; UTS #51 for sequences of emoji and flags; UAX #9 for marks of direction, of which
embeddings, overrides and isolates never stay.
"""

import re
from bisect import bisect_right
from collections.abc import Callable
from functools import cached_property
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

    def belongs(self, at: int) -> bool:
        r"""Whether the neighbours of the invisible character at a place are written with it.

        >>> Invisible("\u0645\u06cc\u200c\u062e").belongs(2), Invisible("pay\u200cpal").belongs(3)
        (True, False)
        >>> Invisible("\u0d28\u0d4d\u200d\n").belongs(2)  # a Malayalam chillu, at the end of a line
        True
        """
        rule = RULES.get(self._text[at])
        return rule is not None and rule(self, at)

    def _non_joiner(self, at: int) -> bool:
        before, after = self._beside(at)
        return _is_written(before) and _is_written(after) and (_is_of(JOINED, before) or _is_of(JOINED, after))

    def _joiner(self, at: int) -> bool:
        before, after = self._beside(at)
        return (_is_of(JOINED, before) and not _is_unseen(after)) or self._is_in(EMOJI, at, LONGEST_EMOJI)

    def _soft_hyphen(self, at: int) -> bool:
        return all(map(str.isalpha, self._beside(at)))

    def _space(self, at: int) -> bool:
        return all(_is_of(UNSPACED, beside) for beside in self._beside(at))

    def _mongolian(self, at: int) -> bool:
        return re.match(MONGOLIAN, self._beside(at)[0]) is not None

    def _tag(self, at: int) -> bool:
        return self._is_in(FLAG, at, LONGEST_FLAG)

    def _direction(self, at: int) -> bool:
        line = bisect_right(self._right_to_left, (at, len(self._text) + 1)) - 1
        return line >= 0 and at < self._right_to_left[line][1]

    def _beside(self, at: int) -> tuple[str, str]:
        """The characters before and after a place; none beyond an end of its line."""
        before, after = self._text[at - 1 : at] if at else "", self._text[at + 1 : at + 2]
        return before if LINES.match(before) else "", after if LINES.match(after) else ""

    def _is_in(self, sequence: str, at: int, longest: int) -> bool:
        near = re.compile(sequence).finditer(self._text, max(at - longest, 0), at + longest + 1)
        return any(match.start() < at < match.end() for match in near)

    @cached_property
    def _right_to_left(self) -> list[tuple[int, int]]:
        """Where lines begin and end that have a letter of a script which runs from right to left."""
        found = []
        for line in LINES.finditer(self._text):
            letters = re.compile(RIGHT_TO_LEFT).finditer(self._text, *line.span())
            if any(letter[0].isalpha() and bidirectional(letter[0]) in ("R", "AL") for letter in letters):
                found.append(line.span())
        return found


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
    return character != "" and (character.isalpha() or category(character) == "Nd" or _is_of(JOINED, character))


def _is_of(script: str, character: str) -> bool:
    """Whether it is a letter or a mark of a script."""
    return re.match(script, character) is not None and category(character)[0] in "LM" and not _is_unseen(character)


def _is_unseen(character: str) -> bool:
    return character != "" and (category(character) in ("Cc", "Cf", "Cs") or character in MONGOLIAN_MARKS)
