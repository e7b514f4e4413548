"""What the commands of a page print, between the marks that stand below them."""

import re
from collections.abc import Callable

MARK = re.compile(r"(<!-- printed (\d+): (.+?) -->\n).*?(<!-- /printed -->)", re.DOTALL)
COMMAND = re.compile(r"^    cranfield (.+)$", re.MULTILINE)
ALONE = ("demo", "judge ")  # what has marks of its own, and what waits for keys


def fill_outputs(page: str, run: Callable[[str], str]) -> str:
    """A page whose commands were run in its order, with what they print: of each as many lines as its mark says.

    >>> page = "    cranfield info\\n<!-- printed 1: info -->\\n<!-- /printed -->"
    >>> print(fill_outputs(page, "{}: one\\ntwo".format))
        cranfield info
    <!-- printed 1: info -->
    ```text
    info: one
    ...
    ```
    <!-- /printed -->
    """
    outputs = {words: run(words) for words in COMMAND.findall(page) if not words.startswith(ALONE)}
    return MARK.sub(lambda mark: f"{mark[1]}{_first(outputs[mark[3]], int(mark[2]))}\n{mark[4]}", page)


def _first(text: str, number: int) -> str:
    lines = [line.rstrip() for line in text.strip("\n").splitlines()]
    return "\n".join(["```text", *lines[:number], *["..."] * (len(lines) > number), "```"])
