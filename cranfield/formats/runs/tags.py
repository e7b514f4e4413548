"""The tags in the lines of a run file; the run's is that of the last line."""

from __future__ import annotations

from cranfield.formats.arrow import has_one_tag, last_tag, made_regular
from cranfield.formats.columns import UnreadTable


def other_tags(table: UnreadTable) -> tuple[str, ...]:
    r"""The tags of a file besides that of its last line, in the order in which they come.

    >>> from cranfield.formats.runs.trec import LAYOUT
    >>> other_tags(UnreadTable("a.run", b"1 Q0 d1 1 2 b\n1 Q0 d2 2 1 a\n2 Q0 d1 1 1 c\n", LAYOUT))
    ('b', 'a')
    """
    if "tag" not in table.layout.columns:
        return ()
    regular = made_regular(table.body, table.layout.tabs)
    tag = last_tag(regular)
    if tag is not None and has_one_tag(regular, tag, regular.count(b"\n") + (not regular.endswith(b"\n"))):
        return ()
    tags = [row.tag for row in table.rows()]
    return tuple(one for one in dict.fromkeys(tags) if one != tags[-1])
