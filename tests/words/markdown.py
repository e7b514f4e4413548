"""The prose of Markdown: paragraphs and list items, without headings, tables, code, comments and pictures."""

import re
from collections.abc import Iterator

from tests.words.splitting import Line

FENCE = re.compile(r"\s*(```+|~~~+|:::+)")
ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")
SKIPPED = re.compile(r"\s*(?:#|\||!\[|\[!\[|---|===|\[[^\]]+\]:\s|\([\w-]+\)=$)")
LINK = re.compile(r"!?\[([^\]]*)\]\([^)\n]*\)")
MAX_LINKS = 2  # of a block that may be prose
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
TAG = re.compile(r"</?[a-zA-Z][^>]*>")


def read_blocks(text: str) -> Iterator[list[Line]]:
    r"""Yield the paragraphs and list items of a page.

    >>> page = "# Title\n\nOne\ntwo.\n\n    code\n\n- An item,\n  [linked](a.md).\n- Another.\n\n| a | b |\n"
    >>> [[(line.number, line.text) for line in block] for block in read_blocks(page)]
    [[(3, 'One'), (4, 'two.')], [(8, 'An item,'), (9, 'linked.')], [(10, 'Another.')]]
    """
    text = COMMENT.sub(lambda found: "\n" * found.group().count("\n"), text)
    block: list[Line] = []
    fence, in_list = "", False
    for number, line in enumerate(text.splitlines(), 1):
        marker = FENCE.match(line)
        if fence:
            fence = "" if marker and marker[1].startswith(fence) else fence
            continue
        item, is_skipped = ITEM.match(line), SKIPPED.match(line)
        is_code = line.startswith("    ") and not block and not in_list
        if not line.strip() or marker or is_code or item or is_skipped:
            yield from _plain_blocks(block)
            block = []
        if marker:
            fence = marker[1] if not marker[1].startswith(":") else ""
        elif item:
            in_list = True
            block = [Line(number, line[item.end() :])]
        elif is_skipped:
            in_list = False
        elif line.strip() and not is_code:
            in_list = in_list and line.startswith(" ")
            block.append(Line(number, line.lstrip(" >")))
    yield from _plain_blocks(block)


def _plain_blocks(block: list[Line]) -> Iterator[list[Line]]:
    """Yield a block without its marks; nothing of one that mainly lists links."""
    text = "\n".join(line.text.strip() for line in block)
    linked = [found[1] for found in LINK.finditer(text)]
    is_list = len(linked) > MAX_LINKS and len(" ".join(linked).split()) > len(LINK.sub("", text).split())
    if text and not is_list:
        lines = TAG.sub("", LINK.sub(r"\1", text)).replace("**", "").split("\n")
        yield [Line(line.number, plain) for line, plain in zip(block, lines, strict=False)]
