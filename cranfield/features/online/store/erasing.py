"""Erasing a user of interaction logs: the ids, and the queries that nobody else typed."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from cranfield.errors import InputError
from cranfield.features.online.store.users import hashed, salt_in
from cranfield.hooks import given
from cranfield.store.erasing import IN_LIST, Redaction, Way
from cranfield.store.store import Store


class EraseOptions(NamedTuple):
    """The salt of users."""

    salt: Annotated[
        Path | None,
        typer.Option(metavar="FILE", exists=True, dir_okay=False, help="The salt of users, if kept outside the store."),
    ] = None


def erase_user(store: Store, name: str, instead: str) -> Way:
    """What is erased of a user, by the salt that is given or that is in the store."""
    file = given(EraseOptions).salt
    salts = [salt_in(file)] if file else [bytes(one) for (one,) in store.rows("SELECT salt FROM user_salt")]
    numbers = hashed([name], salts[0]).tolist() if salts else []
    lists = [
        number for (number,) in store.rows(f"SELECT id FROM impression WHERE user {IN_LIST}", [json.dumps(numbers)])
    ]
    if not lists:
        raise InputError(f"no user {name!r} in the interaction logs of this store, which has hashes of their ids")
    shown = json.dumps(lists)
    queries = store.rows(
        f"SELECT DISTINCT query FROM impression WHERE id {IN_LIST} EXCEPT"
        f" SELECT query FROM impression WHERE id NOT {IN_LIST}",
        [shown, shown],
    )

    def apply(rows: Sequence[Redaction]) -> None:
        store.conn.execute(
            f"UPDATE impression SET user = NULL, session = NULL, name = 'erased ' || id WHERE id {IN_LIST}", [shown]
        )
        own = json.dumps([number for (number,) in queries])
        store.conn.execute(f"UPDATE query SET text = 'erased ' || id WHERE id {IN_LIST}", [own])

    found = [*(Redaction("impression", str(number)) for number in lists)]
    return [*found, *(Redaction("query", str(number)) for (number,) in queries)], apply
