"""What the comments of the schema say about its tables, views and columns."""

from __future__ import annotations

import re
from typing import NamedTuple

from cranfield.store.schema import (
    answers,
    audits,
    browsing,
    chain,
    changes,
    claims,
    details,
    full_screen,
    links,
    model_calls,
    nuggets,
    online,
    planning,
    pool_growth,
    preferences,
    publication,
    published_logs,
    releases,
    removal,
    seals,
    tables,
)

SCRIPTS = (
    tables.TABLES, tables.VIEWS, full_screen.SCREEN, planning.ORGANISER, planning.SECOND_LOOK, removal.UNKNOWN,
    planning.APART, removal.WAY_BACK, details.DETAILS, chain.COLUMNS, chain.LOG, planning.PINNED, pool_growth.GROWTH,
    browsing.BROWSING, audits.AUDITS, answers.MORE_IMPORTS, answers.ANSWERS,
    nuggets.NUGGETS, nuggets.NUGGET_EVENTS, nuggets.SUPPORT_EVENTS,
    model_calls.MODEL_CALLS,
    online.LOGS, preferences.PREFERENCES, links.PREFERENCE_IMPORTS, links.LINKS, publication.PUBLICATION,
    published_logs.PUBLISHED_LOGS, releases.RELEASES, claims.CLAIM_IMPORTS, claims.CLAIMS, claims.CLAIM_EVENTS,
    claims.NO_CLAIMS,
    online.LIST_NAMES, seals.SEALS, changes.CHANGES, seals.ERASURES,
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
