"""store erase."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.options import StorePath
from cranfield.cli.tables import note, say
from cranfield.text import counted


class Erasable(StrEnum):
    """Who can be erased."""

    assessor = "assessor"
    user = "user"


def erase(
    path: StorePath,
    kind: Annotated[Erasable, typer.Argument(metavar="WHO", help="assessor, or user of an interaction log.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the assessor, or the user's id in the log.")],
    reason: Annotated[str, typer.Option(metavar="TEXT", help="The reason, recorded with the erasure.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only report what would be erased.")] = False,
    salt: Annotated[
        Path | None,
        typer.Option(metavar="FILE", exists=True, dir_okay=False, help="The salt of users, if kept outside the store."),
    ] = None,
) -> None:
    """Erase a person from a store: name, notes, reasons, marked passages, times and search terms.

    Labels stay, under a name that stands for nobody. Of a user of an interaction log the ids and the queries that
    nobody else typed are erased; lists and clicks stay. The logs still verify: hashes have a seal in place of what is
    personal, and its salt is deleted. The erasure is an event of its own, with the reason, which must not name anybody.

    Copies elsewhere are not reached: backups, bundles and pages, published folders, exported files.

    Example: cranfield store erase track.db assessor ada --reason "asked for it"
    """
    from cranfield.store.erasing import erase, left_over
    from cranfield.store.online.users import salt_in
    from cranfield.store.store import Store

    if name in reason:
        raise typer.BadParameter("the reason has the name; it is kept", param_hint="--reason")
    with Store.open(path) as store:
        found = erase(store, kind, name, reason, dry_run, salt_in(salt) if salt else None)
        left = [] if dry_run else left_over(store, name)
    rows = ", ".join(f"{table} {number:,}" for table, number in found.rows.items())
    would = "would be erased" if dry_run else "erased"
    number = counted(sum(found.rows.values()), "row")
    say(f"{kind} {name}: {would}, in {number} ({rows}); called {found.name!r} from then on")
    for line in found.left:
        note(line)
    if left:
        note(f"{name!r} still occurs in {', '.join(left)}: edit that if it is the same person")
    note("not reached: backups, bundles, pages and folders that were made of this store")
