"""What the comments of the schema say about its tables, views and columns."""

import re
from typing import NamedTuple

from cranfield.store.schema import answers, chain, model_calls, online, planning, preferences, publication, tables

SCRIPTS = (
    tables.TABLES, tables.VIEWS, tables.SCREEN, planning.ORGANISER, planning.SECOND_LOOK, tables.UNKNOWN,
    planning.APART, tables.WAY_BACK, tables.DETAILS, chain.COLUMNS, chain.LOG, planning.PINNED, tables.GROWTH,
    tables.BROWSING, model_calls.AUDITS, answers.MORE_IMPORTS, answers.ANSWERS,
    answers.NUGGETS, answers.NUGGET_EVENTS, answers.SUPPORT_EVENTS,
    model_calls.MODEL_CALLS,
    online.LOGS, preferences.PREFERENCES, chain.PREFERENCE_IMPORTS, chain.LINKS, publication.PUBLICATION,
    publication.PUBLISHED_LOGS, chain.RELEASES, answers.CLAIM_IMPORTS, answers.CLAIMS, answers.CLAIM_EVENTS,
    answers.NO_CLAIMS,
    online.LIST_NAMES, chain.SEALS, chain.CHANGES, chain.ERASURES,
)  # fmt: skip
CREATED = re.compile(r"CREATE (?:TABLE|VIEW) (\w+) .*?(?:--\s*(.*))?")
ADDED = re.compile(r"ALTER TABLE (\w+) ADD COLUMN (\w+) .*?--\s*(.*)")
CONTINUED = re.compile(r" {4}CHECK \(.*?--\s*(.*)")
COLUMN = re.compile(r" {4}([a-z_]\w*) [A-Z].*?--\s*(.*)")


class TableComments(NamedTuple):
    """What is said about a table or view, and about its columns."""

    about: str
    columns: dict[str, str]


def comments() -> dict[str, TableComments]:
    """The comments by table and view; of what was made anew, the last.

    >>> found = comments()
    >>> found["pooled"].about, found["run"].columns["depth"], found["assignment"].columns["cannot_judge"]
    ('the documents of every pool', 'how deep; NULL: as deep as the pool', '1: a second gets that of the first, too')
    """
    found: dict[str, TableComments] = {}
    for line in "\n".join(SCRIPTS).splitlines():
        if made := CREATED.fullmatch(line):
            here = found[made[1]] = TableComments(made[2] or "", {})
        elif added := ADDED.fullmatch(line):
            added_to = added[1]
            found[added_to].columns[added[2]] = added[3]
        elif column := COLUMN.fullmatch(line):
            here.columns[column[1]] = column[2]
        elif more := CONTINUED.fullmatch(line):
            last = next(reversed(found[added_to].columns))
            found[added_to].columns[last] += f" {more[1]}"
    return found
