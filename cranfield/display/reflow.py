"""Which blocks of plain text were wrapped by hand and may flow: prose, and never code, tables or verse.

What flows is displayed with its newlines as blanks; the text stays as it is. A block between blank lines flows only
where every sign of prose is there. Measured by tests/display on paragraphs, sources and verse.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

Span = tuple[int, int]
FLOW, DRAWN_UP = "flow", "drawn"  # what a block may be
SHORTEST, WIDEST = 50, 100  # columns of the longest line
ROOM = 6  # columns that a line may leave, beside those that its next word takes
DRAWN = re.compile(r"\t|(?<=\S) {3,}|\|.*\||[-=_+.]{4}")
MARKED = tuple(":>#$%&@~")
ITEM = re.compile(r"\s*(?:[-*+\u2022]|\(?\w{1,3}[.)])\s")
WORD = re.compile(r"[(\[\"'\u2018\u201c]*[^\W\d_]+(?:[-'\u2019/][^\W\d_]+)*[)\]\"'\u2019\u201d.,;:!?]*")
LEAST_WORDS, WORDS_A_LINE = 0.6, 4
CODE = re.compile(r"[{};]\s*$|==|->|\w\(\w|^\s*(?:return|from|import)\b")
MOST_CODE, VERSE = 0.25, 2
CJK = re.compile(  # written without blanks: Chinese and Japanese, not Korean
    r"[\u2e80-\u312f\u3190-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\U00020000-\U0003ffff]"
)


def flowing_spans(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    r"""Where the blocks of a text that flow begin and end.

    >>> prose = "It is a truth that everybody in the world will acknowledge,\nthat a chain in want of oil must squeak."
    >>> [*flowing_spans(f"def f(x):\n    return x\n\n{prose}\n")]
    [(24, 124)]
    """
    return ((first, last) for first, last, shape in block_shapes(text, start, end) if shape == FLOW)


def block_shapes(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int, str]]:
    r"""The same with the blocks that are drawn in columns or are code, which need letters of one width.

    >>> [*block_shapes("Parts\n\nhub     12.50\nspoke    0.40\n")]
    [(7, 34, 'drawn')]
    """
    for are_blank, group in groupby(text[start:end].split("\n"), key=lambda line: not line.strip()):
        lines = [*group]
        after = start + sum(map(len, lines)) + len(lines)
        if not are_blank and len(lines) > 1:
            if _is_wrapped(lines) and _is_worded(lines) and not any(map(DRAWN.search, lines)):
                yield start, after - 1, FLOW
            elif sum(any(sign.search(line) for sign in (DRAWN, CODE)) for line in lines) >= max(2, len(lines) / 2):
                yield start, after - 1, DRAWN_UP
        start = after


def _is_wrapped(lines: Sequence[str]) -> bool:
    """Whether the lines end where their next word would not fit, and begin in one column after the first."""
    bare = [line.rstrip() for line in lines]
    width = max(map(len, bare))
    indents = {len(line) - len(line.lstrip()) for line in bare[1:]}
    full = all(len(line) + 1 + len(after.split(maxsplit=1)[0]) > width - ROOM for line, after in pairwise(bare))
    return SHORTEST <= width <= WIDEST and len(indents) == 1 and full


def _is_worded(lines: Sequence[str]) -> bool:
    """Whether the lines are words rather than marks, code, items of a list or verses."""
    tokens = " ".join(lines).split()
    words = sum(WORD.fullmatch(token) is not None for token in tokens)
    code = sum(CODE.search(line) is not None for line in lines)
    capitals = all(line.lstrip()[:1].isupper() for line in lines)
    return (
        words >= LEAST_WORDS * len(tokens)
        and words >= WORDS_A_LINE * (len(lines) - 1)
        and code <= MOST_CODE * len(lines)
        and not (capitals and len(lines) >= VERSE)
        and not any(map(ITEM.match, lines[1:]))
        and not any(line.lstrip().startswith(MARKED) for line in lines)
    )


def is_joined(text: str, newline: int) -> bool:
    r"""Whether the characters beside a newline are of a script that has no blanks between words.

    >>> is_joined("漢\n字", 1), is_joined("a\nb", 1)
    (True, False)
    """
    return bool(CJK.match(text[newline - 1 : newline]) and CJK.match(text[newline + 1 : newline + 2]))


def join_flowing_lines(text: str) -> str:
    r"""The text as a terminal shows it: newlines of what flows are blanks, so that every place stays what it is.

    >>> join_flowing_lines("one\ntwo")
    'one\ntwo'
    """
    pieces, at = list[str](), 0
    for start, end in flowing_spans(text):
        block = text[start:end]
        if not any(is_joined(text, place) for place in range(start, end) if text[place] == "\n"):
            block = block.replace("\n", " ")
        pieces += [text[at:start], block]
        at = end
    return "".join([*pieces, text[at:]])
