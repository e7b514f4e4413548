"""A store's metadata for Datasette: titles, descriptions, labels, facets, what is hidden, and the schema's comments.

Source: the chapter on metadata of Datasette's documentation, https://docs.datasette.io/en/stable/metadata.html.
"""

import re
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from cranfield.store.first_use_tables import first_use_tables
from cranfield.store.schema import SCRIPTS, script, stored_feature_parts
from cranfield.store.store import Store
from cranfield.store.tables import Presentation

CREATED = re.compile(r"CREATE (?:TABLE|VIEW) (\w+) .*?(?:--\s*(.*))?")
COLUMN = re.compile(r" {4}([a-z_]\w*) [A-Z].*?(?:--\s*(.*))?")
COMMENT_LINE = re.compile(r" *--\s*(.*)")


class TableComments(NamedTuple):
    """What is said about a table or view, and about its columns."""

    about: str
    columns: dict[str, str]


def parse_comments(scripts: Iterable[str]) -> dict[str, TableComments]:
    """The comments of scripts by table and view: beside the name, or in the line above.

    >>> found = parse_comments(map(script, SCRIPTS))
    >>> found["pooled"].about, found["run"].columns["depth"], found["assignment"].columns["cannot_judge"]
    ('the documents of every pool', 'how deep; NULL: as deep as the pool', '1: a second gets that of the first, too')
    """
    tables: dict[str, TableComments] = {}
    above = ""
    for line in "\n".join(scripts).splitlines():
        if statement := CREATED.fullmatch(line):
            here = tables[statement[1]] = TableComments(statement[2] or above, {})
        elif (column := COLUMN.fullmatch(line)) and (comment := column[2] or above):
            here.columns[column[1]] = comment
        above = alone[1] if (alone := COMMENT_LINE.fullmatch(line)) else ""
    return tables


HIDDEN = (
    "_sqlite_migrations", "feature", "sqlite_sequence", "invitation", "serving_key", "holder", "sampled",
    "frame_document", "pool_step", "pool_heard", "assessor_salt", "unrecorded", "redaction",
    "earlier_document", "earlier_topic", "round_end", "round_import", "same_system", "withdrawn_by",
    "left_out_of_pools", "latest_topic_set", "settled", "assigned", "unfinished", "given_up", "standing_event",
    "current_event", "qrels_event", "qrels_event_people", "qrels_event_models",
    "present_name", "other_name", "settled_by_other_name", "second_by_other_name",
)  # fmt: skip


FIRST = ("qrels", "run_overview", "topic", "document", "current_judgment", "pooled")  # what people look for
SHOWN: Mapping[str, Presentation] = {
    "assessor": Presentation("Assessors", "name", ("kind",), "who judged: people, models, and imports"),
    "assignment": Presentation("Assignments", None, ("assessor", "role")),
    "bundle": Presentation("Bundle"),
    "change": Presentation("Changes of topics, pools, assignments, ...", None, ("kind",)),
    "collection": Presentation("Collection", "name"),
    "criteria": Presentation("Criteria of the assessors, with names", None, ("qid", "assessor")),
    "criterion": Presentation("Criteria of the assessors"),
    "current_judgment": Presentation(
        "Current judgments", None, ("assessor", "grade", "kind"), "the current labels of each assessor, with names"
    ),
    "document": Presentation("Documents", "docno", (), "the corpus, and documents known only by their docno"),
    "erasure": Presentation("Erasures of people", None, ("kind",)),
    "event_link": Presentation("Chain of changes and of the logs of features", None, ("log",)),
    "import": Presentation("Imports", None, ("kind",)),
    "judgment_event": Presentation("Judgment log", None, ("kind", "assessor", "grade")),
    "judgment_log": Presentation("Judgment log, with names", None, ("kind", "assessor", "grade")),
    "origin": Presentation("Origins of judgments", "name", ("kind",)),
    "plan": Presentation("Plans of assignments"),
    "pool": Presentation("Pools", "method", (), "how each pool was made"),
    "pool_document": Presentation("Pooled documents", None, ("pool", "topic"), "the documents of every pool"),
    "pooled": Presentation("Pooled documents, with names", None, ("pool", "qid")),
    "qrels": Presentation("Qrels", None, ("grade", "assessor", "qid"), 'the judgments that count, policy "primary"'),
    "ranking": Presentation("Rankings, packed", None, ("run",)),
    "renamed": Presentation("Documents that were renamed", None, ("round",), "from a round on"),
    "release": Presentation("Releases", "name"),
    "removal": Presentation("Removals", None, ("kind",)),
    "retrieved": Presentation("Rankings, one row per document"),
    "round": Presentation("Rounds", "name"),
    "run": Presentation("Runs", "tag", ("team", "kind", "pooled"), "the runs and where they came from"),
    "run_overview": Presentation(
        "Runs, with their sizes", None, ("team", "kind"), "the runs, with their numbers of topics and documents"
    ),
    "topic": Presentation("Topics", "qid", (), "the topics, including topics known only by their qid"),
    "topic_set": Presentation("Sets of topics", "name", ("name",)),
    "unknown_document": Presentation("Unknown documents"),
    "unknown_topic": Presentation("Unknown topics"),
    "withdrawal": Presentation("Withdrawals: log", "name", ("what",)),
    "withdrawn": Presentation("What is withdrawn", "name", ("what",)),
}


def datasette_metadata(store: Store) -> dict[str, Any]:
    """The metadata of a store, for `datasette track.db --metadata metadata.json`.

    The page of the database starts with links to what people look for; empty tables are hidden, and so come last.

    >>> with Store.memory("tiny") as store:
    ...     found = datasette_metadata(store)["databases"][":memory:"]
    >>> found["title"], found["tables"]["run"]["label_column"], found["tables"]["pool_step"]["hidden"]
    ('tiny', 'tag', True)
    >>> found["tables"]["topic"]["hidden"], found["description_html"][:46]
    (True, 'Start with <a href="%3Amemory%3A/qrels">Qrels<')
    """
    about = store.collection
    texts = parse_comments([*map(script, SCRIPTS), *(part.sql for part in stored_feature_parts(store.conn))])
    there = {name for (name,) in store.rows("SELECT name FROM main.sqlite_master")}
    feature_tables = first_use_tables().values()
    hidden = (*HIDDEN, *(name for one in feature_tables for name in one.hidden))
    tables: dict[str, Any] = {name: {"hidden": True} for name in hidden if name in there}
    shown = {**SHOWN} | {name: entry for one in feature_tables for name, entry in one.shown.items() if name in there}
    for name, entry in shown.items():
        text, columns = texts[name]
        tables[name] = _drop_empty_values(
            hidden=not store.rows(f'SELECT EXISTS (SELECT 1 FROM "{name}")')[0][0],
            title=entry.title,
            description=_sentence(entry.description or text),
            columns={column: _sentence(about) for column, about in columns.items()},
            label_column=entry.label_column,
            facets=list(entry.facets),
        )
    tables["document"] |= {"fts_table": "document_fts", "fts_pk": "id"}
    database = Path(str(store.path)).stem
    start = _start(database, about.description)
    return {
        "databases": {
            database: _drop_empty_values(
                title=about.name, description_html=start, license=about.licence, tables=tables
            ),
        }
    }


def _start(database: str, description: str) -> str:
    """What the page of the database begins with: links to what people look for, and what the collection is.

    >>> _start("a b", "tyres & chains")[-63:]
    '<a href="a%20b/pooled">Pooled documents</a>. tyres &amp; chains'
    """
    links = (f'<a href="{quote(database)}/{name}">{SHOWN[name].title.partition(",")[0]}</a>' for name in FIRST)
    return f"Start with {', '.join(links)}. {escape(description)}".rstrip()


def _sentence(text: str) -> str:
    """A comment as a sentence.

    >>> _sentence("in a line"), _sentence("UTC")
    ('In a line.', 'UTC.')
    """
    return f"{text[:1].upper()}{text[1:]}."


def _drop_empty_values(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value}
