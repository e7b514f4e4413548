"""Blocks of prose and the sentences in them, each with its file and line."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

END = re.compile(r"""(?<=[.!?])(?:["')\]*_]+)?\s+(?=["'(*_`\[{]*[A-Z0-9`{])""")
ABBREVIATIONS = ("e.g.", "i.e.", "vs.", "cf.", "et al.", "Fig.", "No.", "Vol.", "pp.", "Mr.", "Dr.")
CODE = re.compile(r"``[^`]*``|`[^`]*`")
JSON = re.compile(r"""\[?\{".*[}\]]""")
PLACEHOLDER = re.compile(r"\{[^{}]*\}")
ADDRESS = re.compile(r"https?://\S+|\b[\w./-]+\.(?:md|py|db|txt|tsv|csv|json|jsonl|toml|html|gz)\b")


class Sentence(NamedTuple):
    """A sentence, the file it is in, relative to the root, and its line."""

    path: str
    line: int
    text: str


class Line(NamedTuple):
    """A line of a block of prose: its number in the file, and its text."""

    number: int
    text: str


def split_sentences(path: str, lines: Sequence[Line]) -> Iterator[Sentence]:
    """Split a block of prose at the ends of its sentences.

    >>> block = [Line(3, "The pool has 3 runs, e.g. `a.b`. It is"), Line(4, "new. Why?")]
    >>> [(each.line, each.text) for each in split_sentences("a.md", block)]
    [(3, 'The pool has 3 runs, e.g. `a.b`.'), (3, 'It is new.'), (4, 'Why?')]
    """
    texts = [" ".join(line.text.split()) for line in lines]
    starts = [0]
    for text in texts:
        starts.append(starts[-1] + len(text) + 1)
    block = " ".join(texts)
    begin = 0
    for found in [*END.finditer(block), None]:
        end = found.end() if found else len(block)
        if found and block[begin:end].rstrip("\"')]*_ ").endswith(ABBREVIATIONS):
            continue
        if text := block[begin:end].strip():
            yield Sentence(path, lines[min(bisect_right(starts, begin) - 1, len(lines) - 1)].number, text)
        begin = end


def mask_names(text: str) -> str:
    """Replace code, placeholders and addresses by names without words, so that patterns see the prose alone.

    >>> mask_names('`evaluate --topics` reads {path} of docs/operate/sql.md: [{"a": {b: 1}}]')
    '`x` reads {x} of X: {x}'
    """
    return ADDRESS.sub("X", PLACEHOLDER.sub("{x}", JSON.sub("{x}", CODE.sub("`x`", text))))
