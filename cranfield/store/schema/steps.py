"""The tables and views of a store, as migrations.

A store is one SQLite file made to be read: open it in the sqlite3 shell (`.schema` shows these comments) or in
Datasette. Start with the views `qrels`, `current_judgment`, `judgment_log`, `pooled`, `retrieved`
and `run_overview`.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache
from sqlite3 import Connection
from typing import TYPE_CHECKING

from cranfield.store.schema.answers import (
    ANSWERS,
    CLAIM_EVENTS,
    CLAIM_GUARDS,
    CLAIM_IMPORTS,
    CLAIM_ROLES,
    CLAIMS,
    MORE_IMPORTS,
    NO_CLAIMS,
    NUGGET_EVENTS,
    NUGGET_GUARDS,
    NUGGETS,
    SUPPORT_EVENTS,
)
from cranfield.store.schema.chain import (
    CHANGE_GUARDS,
    CHANGES,
    COLUMNS,
    ERASURES,
    FREE,
    GUARDS,
    LINK_GUARDS,
    LINKS,
    LOG,
    PREFERENCE_IMPORTS,
    RELEASE_GUARDS,
    RELEASES,
    SEAL_GUARDS,
    SEALS,
    give_ids,
    let_redactions_through,
)
from cranfield.store.schema.model_calls import AUDITS, MODEL_CALLS, MODEL_GUARDS
from cranfield.store.schema.online import LIST_NAMES, LOGS
from cranfield.store.schema.planning import (
    APART,
    KEY_FIRST,
    MORE_ROLES,
    ORGANISER,
    PEOPLE_FIRST,
    PINNED,
    ROLES,
    SECOND_LOOK,
    SERVING,
)
from cranfield.store.schema.preferences import PREFERENCES
from cranfield.store.schema.publication import PUBLICATION, PUBLISHED_LOGS
from cranfield.store.schema.tables import BROWSING, DETAILS, GROWTH, SCREEN, TABLES, TRIGGERS, UNKNOWN, VIEWS, WAY_BACK

if TYPE_CHECKING:
    from sqlite_utils import Database, Migrations

APPLICATION_ID = 0x43524E46  # "CRNF" in SQLite's header
NAME = "cranfield"  # of the steps, in the table _sqlite_migrations


def run(db: Database, script: str) -> None:
    """Run the statements of a script in the transaction of its step; each ends at the end of a line."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            db.conn.execute(statement)
            statement = ""
    db.conn.execute(statement)


def the_first_store(db: Database) -> None:
    """Everything a store of version 0.1 has."""
    run(db, TABLES + TRIGGERS + VIEWS)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def the_full_screen(db: Database) -> None:
    """How a label was given, the assessors' criteria, the guidelines."""
    run(db, SCREEN)


def the_organiser(db: Database) -> None:
    """Who judges what: plans, claims with a lease, samples drawn beforehand, bundles."""
    run(db, ORGANISER)


def the_second_look(db: Database) -> None:
    """What a topic's first assessor cannot judge may go to its second one; people's labels go before models'."""
    run(db, SECOND_LOOK + PEOPLE_FIRST)


def the_unknown(db: Database) -> None:
    """What runs and judgments name and nobody added; runs of nothing contribute to no pool."""
    run(db, UNKNOWN)


def the_labels_apart(db: Database) -> None:
    """People's labels and models' can be asked for apart; an adjudicated "cannot judge" settles a pair."""
    run(db, APART)


def the_way_back(db: Database) -> None:
    """Imports by number, and a log of what was removed."""
    run(db, WAY_BACK)


def the_details(db: Database) -> None:
    """Metadata of runs, the strata that samples were drawn from, where events tell of subtopics."""
    run(db, DETAILS)


def the_chain(db: Database) -> None:
    """Events carry the hash of the one before; nothing is replaced, and no grade is off the scale."""
    from cranfield.store.schema.chain import chain_earlier

    run(db, COLUMNS + FREE + LOG)
    chain_earlier(db.conn)
    run(db, GUARDS)


def the_pool_of_a_plan(db: Database) -> None:
    """Work can be assigned of an earlier pool."""
    run(db, PINNED)


def the_growing_pool(db: Database) -> None:
    """What a pool that grew while it was judged knew at each of its steps."""
    run(db, GROWTH)


def the_key_first(db: Database) -> None:
    """SQLite's own check of a file finds NULLs where a key without rowids is not the first of the columns."""
    run(db, KEY_FIRST)


def the_browser(db: Database) -> None:
    """Rankings are rows of a view, and the full-text index says in the usual words whose it is."""
    run(db, BROWSING)


def the_invitations(db: Database) -> None:
    """Assessors can be invited to judge in the browser."""
    run(db, SERVING)


def the_adjudicators(db: Database) -> None:
    """An invitation is to judge or to adjudicate."""
    run(db, ROLES)


def the_audits(db: Database) -> None:
    """Samples of a model's labels can be drawn for people to judge."""
    run(db, AUDITS)


def the_answers(db: Database) -> None:
    """Answers that systems generated, with their sentences and what these cite."""
    run(db, MORE_IMPORTS + ANSWERS)


def the_nuggets(db: Database) -> None:
    """Nuggets of topics, which answers say them, and whether documents support the sentences of answers."""
    run(db, NUGGETS + NUGGET_EVENTS + SUPPORT_EVENTS + NUGGET_GUARDS)


def the_model_calls(db: Database) -> None:
    """Models can be asked for labels: prompts, requests and calls."""
    run(db, MODEL_CALLS + MODEL_GUARDS)


def the_logs(db: Database) -> None:
    """What users of a search system saw and did."""
    run(db, LOGS)


def the_labellers(db: Database) -> None:
    """An invitation can be to make nuggets, or to label answers or citations."""
    run(db, MORE_ROLES)


def the_preferences(db: Database) -> None:
    """Assessors can compare pairs of documents."""
    run(db, PREFERENCES)


def the_links(db: Database) -> None:
    """Events of nuggets, support and preferences carry the hash of the one before, and the import that brought them."""
    from cranfield.store.schema.chain import link_earlier

    run(db, PREFERENCE_IMPORTS + LINKS)
    link_earlier(db.conn)
    run(db, LINK_GUARDS)


def the_publication(db: Database) -> None:
    """What people say of the collection that is to be published."""
    run(db, PUBLICATION)


def the_published_logs(db: Database) -> None:
    """A log that came from a published folder keeps what the folder said of it."""
    db.executescript(PUBLISHED_LOGS)


def the_releases(db: Database) -> None:
    """A store can have named states that stay as they are."""
    run(db, RELEASES + RELEASE_GUARDS)


def the_claims(db: Database) -> None:
    """Claims of reference answers and of answers can be kept, and labelled by whether documents say them."""
    run(db, CLAIM_IMPORTS + CLAIMS + CLAIM_EVENTS + CLAIM_GUARDS + CLAIM_ROLES)


def the_answers_without_claims(db: Database) -> None:
    """It can be on record that an answer states nothing."""
    run(db, NO_CLAIMS)


def the_linked_calls(db: Database) -> None:
    """Calls of models carry the hash of the event before, as all that is said of answers does."""
    from cranfield.store.schema.chain import link_earlier

    link_earlier(db.conn, ["model_call"])


def the_names_of_lists(db: Database) -> None:
    """The index of the names of logged lists can be made after them, which takes less time."""
    run(db, LIST_NAMES)


def the_seals(db: Database) -> None:
    """What is personal is in hashes as a seal, with a salt that can be deleted."""
    run(db, SEALS)
    give_ids(db.conn)
    run(db, SEAL_GUARDS)


def the_changes(db: Database) -> None:
    """Whatever decides labels, pools and who judges is in the logs: as it is found, and whenever it changes."""
    from cranfield.store.changes import record_everything

    run(db, CHANGES)
    record_everything(db.conn)
    run(db, CHANGE_GUARDS)


def the_erasures(db: Database) -> None:
    """A person can be erased; the guards let that through and nothing else."""
    run(db, ERASURES)
    run(db, let_redactions_through(db.conn))


STEPS = (
    the_first_store,
    the_full_screen,
    the_organiser,
    the_second_look,
    the_unknown,
    the_labels_apart,
    the_way_back,
    the_details,
    the_chain,
    the_pool_of_a_plan,
    the_growing_pool,
    the_key_first,
    the_browser,
    the_invitations,
    the_adjudicators,
    the_audits,
    the_answers,
    the_nuggets,
    the_model_calls,
    the_logs,
    the_labellers,
    the_preferences,
    the_links,
    the_publication,
    the_published_logs,
    the_releases,
    the_claims,
    the_answers_without_claims,
    the_linked_calls,
    the_names_of_lists,
    the_seals,
    the_changes,
    the_erasures,
)


def migrations() -> Migrations:
    """The steps from no store to one of this version."""
    from sqlite_utils import Migrations

    found = Migrations(NAME)
    for step in STEPS:
        found()(step)
    return found


def lay_out(conn: Connection, steps: int = len(STEPS)) -> None:
    """Give an empty database the tables and views of a store, or of one that has been through fewer steps."""
    with closing(sqlite3.connect(":memory:")) as empty:
        empty.deserialize(_empty(steps))
        empty.backup(conn)


@cache
def _empty(steps: int) -> bytes:
    """A store with nothing in it; the steps to it are taken once in a process."""
    from sqlite_utils import Database

    with closing(sqlite3.connect(":memory:")) as conn:
        migrations().apply(Database(conn), stop_before=[step.__name__ for step in STEPS[steps:]])
        return conn.serialize()
