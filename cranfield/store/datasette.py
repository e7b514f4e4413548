"""A store's metadata for Datasette: titles, descriptions, labels, facets, what is hidden, and the schema's comments.

Source: the chapter on metadata of Datasette's documentation, https://docs.datasette.io/en/stable/metadata.html.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from cranfield.store.schema import SCRIPTS, script
from cranfield.store.store import Store

CREATED = re.compile(r"CREATE (?:TABLE|VIEW) (\w+) .*?(?:--\s*(.*))?")
COLUMN = re.compile(r" {4}([a-z_]\w*) [A-Z].*?(?:--\s*(.*))?")
ABOVE = re.compile(r" *--\s*(.*)")


class TableComments(NamedTuple):
    """What is said about a table or view, and about its columns."""

    about: str
    columns: dict[str, str]


def comments() -> dict[str, TableComments]:
    """The comments of the scripts by table and view: beside the name, or in the line above.

    >>> found = comments()
    >>> found["pooled"].about, found["run"].columns["depth"], found["assignment"].columns["cannot_judge"]
    ('the documents of every pool', 'how deep; NULL: as deep as the pool', '1: a second gets that of the first, too')
    """
    found: dict[str, TableComments] = {}
    above = ""
    for line in "\n".join(map(script, SCRIPTS)).splitlines():
        if made := CREATED.fullmatch(line):
            here = found[made[1]] = TableComments(made[2] or above, {})
        elif (column := COLUMN.fullmatch(line)) and (said := column[2] or above):
            here.columns[column[1]] = said
        above = alone[1] if (alone := ABOVE.fullmatch(line)) else ""
    return found


HIDDEN = (
    "_sqlite_migrations", "sqlite_sequence", "invitation", "serving_key", "holder", "sampled", "frame_document",
    "pool_step", "pool_heard", "user_salt", "assessor_salt", "unrecorded", "redaction",
    "earlier_document", "earlier_topic",
    "latest_topic_set", "left_out_of_pools", "round_end", "round_import", "same_system",
    "settled", "assigned", "unfinished", "given_up", "standing_event", "current_event",
    "qrels_event", "counted_claim", "latest_claim", "qrels_event_people", "qrels_event_models", "standing_nugget_edit",
)  # fmt: skip


class Presentation(NamedTuple):
    """How Datasette shows a table or view."""

    title: str
    label_column: str | None = None
    facets: tuple[str, ...] = ()
    description: str = ""  # where the schema has none


SHOWN: Mapping[str, Presentation] = {
    "answer": Presentation("Answers", None, ("run",)),
    "answer_run": Presentation("Runs of answers", "tag", ("team", "kind")),
    "answered": Presentation("Answers, one row per sentence", None, ("run", "qid")),
    "renamed": Presentation("Documents that were renamed", None, ("round",), "from a round on"),
    "round": Presentation("Rounds", "name"),
    "topic_set": Presentation("Sets of topics", "name", ("name",)),
    "withdrawal": Presentation("Withdrawals: log", "name", ("what",)),
    "withdrawn": Presentation("What is withdrawn", "name", ("what",)),
    "action": Presentation("Interaction log: actions", None, ("kind", "position")),
    "arm": Presentation("Experiments: arms", "name", ("experiment",)),
    "assessor": Presentation("Assessors", "name", ("kind",), "who judged: people, models, and imports"),
    "assignment": Presentation("Assignments", None, ("assessor", "role")),
    "audit": Presentation("Audits of models", None, ("unit",)),
    "audit_stratum": Presentation("Audits of models: strata"),
    "audited": Presentation("Audits of models: documents", None, ("audit",)),
    "bundle": Presentation("Bundle"),
    "change": Presentation("Changes of topics, pools, assignments, ...", None, ("kind",)),
    "claim": Presentation("Claims, in all versions", "text", ("topic", "author")),
    "claim_event": Presentation("Labels of claims: log", None, ("kind", "assessor", "label")),
    "collection": Presentation("Collection", "name"),
    "criteria": Presentation("Criteria of the assessors, with names", None, ("qid", "assessor")),
    "criterion": Presentation("Criteria of the assessors"),
    "current_judgment": Presentation(
        "Current judgments", None, ("assessor", "grade", "kind"), "the current labels of each assessor, with names"
    ),
    "current_claim": Presentation("Claims that count", None, ("qid", "name")),
    "current_claim_event": Presentation("Current labels of claims", None, ("name", "label", "kind")),
    "current_nugget": Presentation("Nuggets, as they are now", None, ("qid", "importance", "author")),
    "current_nugget_event": Presentation("Current labels of nuggets", None, ("name", "label", "kind")),
    "current_support_event": Presentation("Current labels of support", None, ("name", "label", "kind")),
    "current_preference": Presentation("Current preferences", None, ("assessor", "choice", "kind")),
    "document": Presentation("Documents", "docno", (), "the corpus, and documents known only by their docno"),
    "erasure": Presentation("Erasures of people", None, ("kind",)),
    "event_link": Presentation("Chain of nuggets, support, preferences and calls", None, ("log",)),
    "experiment": Presentation("Experiments", "name", ("kind",)),
    "impression": Presentation("Interaction log: lists shown", "name", ("experiment", "arm")),
    "import": Presentation("Imports", None, ("kind",)),
    "judgment_event": Presentation("Judgment log", None, ("kind", "assessor", "grade")),
    "judgment_log": Presentation("Judgment log, with names", None, ("kind", "assessor", "grade")),
    "model_call": Presentation("Calls of models", None, ("assessor", "task", "outcome")),
    "model_request": Presentation("Requests to models", None, ("assessor", "task")),
    "model_setting": Presentation("Settings of models", None, ("task", "model")),
    "nugget": Presentation("Nuggets, in all wordings", "text", ("topic", "author")),
    "nugget_edit": Presentation("Edits of nuggets", None, ("kind", "assessor")),
    "nugget_event": Presentation("Labels of nuggets: log", None, ("kind", "assessor", "label")),
    "origin": Presentation("Origins of judgments", "name", ("kind",)),
    "plan": Presentation("Plans of assignments"),
    "pool": Presentation("Pools", "method", (), "how each pool was made"),
    "pool_document": Presentation("Pooled documents", None, ("pool", "topic"), "the documents of every pool"),
    "pooled": Presentation("Pooled documents, with names", None, ("pool", "qid")),
    "preference_event": Presentation("Preferences: log", None, ("kind", "assessor", "choice")),
    "preference_log": Presentation("Preferences: log, with names", None, ("kind", "assessor", "choice")),
    "preference_pair": Presentation("Pairs of documents to compare", None, ("assessor", "topic")),
    "prompt": Presentation("Prompts", "name", ("task",)),
    "publication": Presentation("Description for publication"),
    "published_log": Presentation("Logs of published folders"),
    "qrels": Presentation("Qrels", None, ("grade", "assessor", "qid"), 'the judgments that count, policy "primary"'),
    "query": Presentation("Interaction log: queries", "text"),
    "ranking": Presentation("Rankings, packed", None, ("run",)),
    "release": Presentation("Releases", "name"),
    "removal": Presentation("Removals", None, ("kind",)),
    "retrieved": Presentation("Rankings, one row per document"),
    "run": Presentation("Runs", "tag", ("team", "kind", "pooled"), "the runs and where they came from"),
    "run_overview": Presentation(
        "Runs, with their sizes", None, ("team", "kind"), "the runs, with how many topics and documents they have"
    ),
    "sentence": Presentation("Sentences of answers"),
    "support_event": Presentation("Labels of support: log", None, ("kind", "assessor", "label")),
    "topic": Presentation("Topics", "qid", (), "the topics, and those known only by their qid"),
    "unknown_document": Presentation("Unknown documents"),
    "unknown_topic": Presentation("Unknown topics"),
}


def datasette_metadata(store: Store) -> dict[str, Any]:
    """The metadata of a store, for `datasette track.db --metadata metadata.json`.

    >>> with Store.memory("tiny") as store:
    ...     found = datasette_metadata(store)["databases"][":memory:"]
    >>> found["title"], found["tables"]["run"]["label_column"], found["tables"]["pool_step"]["hidden"]
    ('tiny', 'tag', True)
    """
    about, said = store.collection, comments()
    tables: dict[str, Any] = {name: {"hidden": True} for name in HIDDEN}
    for name, shown in SHOWN.items():
        text, columns = said[name]
        tables[name] = _given(
            title=shown.title,
            description=_sentence(shown.description or text),
            columns={column: _sentence(about) for column, about in columns.items()},
            label_column=shown.label_column,
            facets=list(shown.facets),
        )
    tables["document"] |= {"fts_table": "document_fts", "fts_pk": "id"}
    one = _given(title=about.name, description=about.description, license=about.licence, tables=tables)
    return {"databases": {Path(str(store.path)).stem: one}}


def _sentence(text: str) -> str:
    """A comment as a sentence.

    >>> _sentence("in a line"), _sentence("UTC")
    ('In a line.', 'UTC.')
    """
    return f"{text[:1].upper()}{text[1:]}."


def _given(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value}
