"""Several measures in one text: a list with commas, which options of measures may have, too."""

from __future__ import annotations

import re

MEASURE = re.compile(r"""(?:[^,"'(){}]|"[^"]*"|'[^']*'|\{[^{}]*\}|\((?:[^()"']|"[^"]*"|'[^']*')*\))+""")


def measures_in(text: str) -> list[str]:
    """The measures of a list; a text that is none stays as it is, and is refused for what it is.

    >>> measures_in("AP, P@10"), measures_in("AP(rel=2")
    (['AP', 'P@10'], ['AP(rel=2'])
    """
    names = MEASURE.findall(text)
    return [name.strip() for name in names] if ",".join(names) == text else [text]
