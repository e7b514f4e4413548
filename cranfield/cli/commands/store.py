"""`store`: undo mistakes, erase people, verify the log, back up, release."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli import completion, not_in_python
from cranfield.cli.build import command, show_lines, show_table
from cranfield.cli.common_options import Printer, StorePath
from cranfield.cli.tables import TableFormat, note, print_notes, say
from cranfield.commands.stores import create_release, list_history, list_releases
from cranfield.commands.stores import restore as restore_items
from cranfield.commands.stores import verify as store_verify
from cranfield.commands.stores import withdraw as withdraw_items
from cranfield.results import Result
from cranfield.store.reading import Reading
from cranfield.text import counted


class Removable(StrEnum):
    """What can be removed."""

    run = "run"
    topic = "topic"
    pool = "pool"
    import_ = "import"


@not_in_python("cranfield.store.removal.remove does it, with its messages")
def remove(
    path: StorePath,
    kind: Annotated[Removable, typer.Argument(metavar="WHAT", help="run, topic, pool or import.")],
    names: Annotated[
        list[str],
        typer.Argument(metavar="NAME...", help="Tags, qids, or the numbers of pools or imports."),
        completion.REMOVABLE_NAMES,
    ],
    reason: Annotated[str, typer.Option(metavar="TEXT", help="The reason, recorded in the store's history.")] = "",
) -> None:
    """Remove runs, topics, pools or imports that were added by mistake: all that are named, or none if one must stay.

    What labels depend on cannot be removed. Removing an import of judgments appends a retraction for each of them; the
    judgment log keeps both. `cranfield store history` shows the numbers of imports, and everything that was removed.

    Example: cranfield store remove track.db run bm25

    Example: cranfield store remove track.db import 3
    """
    from cranfield.store.removal import remove
    from cranfield.store.store import Store

    if kind in (Removable.pool, Removable.import_):
        for name in names:
            if not name.isdecimal():
                raise typer.BadParameter(f"{name!r}; expected the number of a pool or import", param_hint="NAME")
    with Store.open(path, tell=note) as store:
        for line in remove(store, kind, names, reason):
            say(line)


withdraw = command(withdraw_items, show_lines, "store")
restore = command(restore_items, show_lines, "store")


class Erasable(StrEnum):
    """Who can be erased."""

    assessor = "assessor"
    user = "user"


@not_in_python("cranfield.store.erasing.erase does it, and says what")
def erase(
    path: StorePath,
    kind: Annotated[Erasable, typer.Argument(metavar="WHO", help="assessor, or user of an interaction log.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the assessor, or the user's id in the log.")],
    reason: Annotated[str, typer.Option(metavar="TEXT", help="The reason, recorded with the erasure.")],
    *,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only report what would be erased.")] = False,
    reading: Reading,
) -> None:
    """Erase a person from a store: name, notes, reasons, marked passages, times and search terms.

    Labels stay, under a name that stands for nobody. Of a user of an interaction log the ids and the queries that
    nobody else typed are erased; all other fields stay. The logs still verify: hashes have a seal in place of what is
    personal, and its salt is deleted. The erasure is an event of its own, with the reason, which must not name anybody.

    Copies elsewhere are not reached: backups, bundles and pages, published folders, exported files.

    Example: cranfield store erase track.db assessor ada --reason "asked for it"

    Example: cranfield store erase track.db assessor ada --reason "asked for it" --dry-run
    """
    from cranfield.store.erasing import erase, feature_file_lines, traces_of
    from cranfield.store.store import Store

    if name in reason:
        raise typer.BadParameter("the reason has the name; it is kept", param_hint="--reason")
    with Store.open(path, tell=note) as store:
        outcome = erase(store, kind, name, reason, dry_run, added=reading.added)
        tables = [] if dry_run else traces_of(store, name)
        copies = feature_file_lines(store)
    rows = ", ".join(f"{table} {number:,}" for table, number in outcome.rows.items())
    would = "would be erased" if dry_run else "erased"
    number = counted(sum(outcome.rows.values()), "row")
    say(f"{kind} {name}: {would}, in {number} ({rows}); called {outcome.name!r} from then on")
    for line in outcome.remaining:
        note(line)
    if tables:
        note(f"{name!r} still occurs in {', '.join(tables)}: edit that if it is the same person")
    print_notes(copies)
    note("not reached: backups, bundles, pages and folders that were made of this store")


def show_history(result: Result, printer: Printer) -> None:
    """Print the history; for people, long names are shortened."""
    from cranfield.charts.labels import shorten

    rows = result.rows()
    if printer.format is TableFormat.table:
        rows = [row | {"name": shorten(row["name"], 60)} for row in rows]
    printer.emit(rows, title=result.title, display=result.display, columns=result.columns)


history = command(list_history, show_history, "store")
verify = command(store_verify, show_lines, "store")


@not_in_python("it copies a file; cranfield.store.verification.backup does it")
def backup(
    path: StorePath, copy: Annotated[Path, typer.Argument(metavar="COPY", help="The new file, such as copy.db.")]
) -> None:
    """Copy a store to a new file, even while others work in it, and verify the copy.

    While a store is open, the latest changes may be in a second file beside it, so that copying the store file alone is
    not enough.

    Example: cranfield store backup track.db copy.db

    Example: cranfield store backup track.db backups/track.db
    """
    from cranfield.store.erasing import feature_file_lines
    from cranfield.store.store import Store
    from cranfield.store.verification import backup

    with Store.open(path, tell=note) as store:
        outcome = backup(store, copy)
        print_notes(feature_file_lines(store))
    events = counted(outcome.events + outcome.other_events, "event")
    say(f"{copy}: a complete copy of {path}; {events} verified; head {outcome.head or 'none'}")


release = command(create_release, show_lines, "store")
releases = command(list_releases, show_table, "store")


@not_in_python("it makes a file; cranfield.store.adoption.adopt does it")
def adopt(
    path: StorePath, copy: Annotated[Path, typer.Argument(metavar="COPY", help="The new file, such as mine.db.")]
) -> None:
    """Copy the data of a store that somebody else made or changed into a new store.

    Use it when a store has triggers, views or tables that this program does not make. Only rows of the program's tables
    are copied. Each row has to meet the constraints of these tables, and the logs have to verify. The command lists
    what it does not copy. It cannot find labels that were changed before they were recorded.

    Example: cranfield store adopt received.db mine.db

    Example: cranfield store adopt copy.db track.db
    """
    from cranfield.store.adoption import adopt

    outcome = adopt(path, copy)
    events = counted(outcome.verified.events + outcome.verified.other_events, "event")
    say(f"{copy}: a new store with the data of {path}; {events} verified; head {outcome.verified.head or 'none'}")
    for label in outcome.left_behind:
        note(f"not copied: {label}")


@not_in_python("it converts a file; cranfield.store.upgrade.upgrade does it")
def upgrade(store: StorePath) -> None:
    """Convert a store that an earlier version made.

    Every row is copied into a new store, chains and heads as they were; the new one is verified before it takes the
    place of the old one, which is kept beside it. Bundles, offline pages and manifests of the time can still be
    imported and compared.

    Example: cranfield store upgrade track.db

    Example: cranfield store upgrade old.db
    """
    from cranfield.store.upgrade import upgrade

    report = upgrade(store, tell=note)
    if report.before is None:
        say(f"{store} is of this version already")
        return
    say(
        f"{store} converted; {counted(report.verified.events, 'event')} verified, head {report.verified.head or 'none'}"
    )
    say(f"the old store is {report.before}")
