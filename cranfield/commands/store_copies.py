"""Copies of whole stores: backups, stores of others, and stores of earlier versions."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.commands.calls import open_store_call, provenance_of
from cranfield.errors import give_warning
from cranfield.options.arguments import PresentStore, check_arguments
from cranfield.options.stores import AdoptedStore, CopyOfStore, StoreFile
from cranfield.parallel import Tell
from cranfield.results import CallContext, ResultInLines
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.store.verification import Verification


@check_arguments
def backup(store: PresentStore, copy: CopyOfStore) -> ResultInLines:
    """Copy a store to a new file, and verify the copy.

    This is safe while others use the store. Copying the file yourself is not safe: while a store is open, the latest
    changes may be in a second file next to it.

    Example: cranfield store backup track.db copy.db

    Example: cranfield store backup track.db backups/track.db

    Parameters
    ----------
    store : path or Store
        The store.
    copy : path
        The new file, which must not exist.

    Returns
    -------
    ResultInLines
        One row: the file, the number of verified events in the judgment log, and the log's head.

    Raises
    ------
    StoreError
        If the file exists, or the logs of the copy fail verification.

    Examples
    --------
    >>> import cranfield, tempfile
    >>> with cranfield.Store.memory("small") as store, tempfile.TemporaryDirectory() as folder:
    ...     backup(store, f"{folder}/copy.db").rows()[0]["events"]
    0
    """
    from cranfield.store.erasing import feature_file_lines
    from cranfield.store.verification import backup as copy_store

    with open_store_call(store) as call:
        verified = copy_store(call.store, copy)
        call.note(*feature_file_lines(call.store))
        line = f"{copy}: a complete copy of {call.place}; {_verified_events(verified)}"
        return ResultInLines([_copy_row(copy, verified)], lines=[line], context=call.context("store.backup"))


@check_arguments
def adopt(store: StoreFile, copy: AdoptedStore) -> ResultInLines:
    """Copy the data of an untrusted store into a new store.

    Use this for a store that somebody else made or changed, or that has triggers, views or tables from another program.
    Only rows of Cranfield's own tables are copied. Each row must meet the constraints of these tables, and the logs
    must verify. The command lists the objects that it does not copy. It cannot find labels that were changed before
    they were recorded.

    Example: cranfield store adopt received.db mine.db

    Example: cranfield store adopt copy.db track.db

    Parameters
    ----------
    store : path
        The store.
    copy : path
        The new file, which must not exist.

    Returns
    -------
    ResultInLines
        One row: the file, the number of verified events in the judgment log, and the log's head. The notes list the
        objects that were not copied.

    Raises
    ------
    StoreError
        If a row violates a constraint, or the logs fail verification. In that case, no new store is made.

    Examples
    --------
    >>> import cranfield, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     cranfield.Store.create(f"{folder}/received.db", "small").close()
    ...     adopt(f"{folder}/received.db", f"{folder}/mine.db").rows()[0]["events"]
    0
    """
    from cranfield.store.adoption import adopt as adopt_store

    verified, left_behind = adopt_store(store, copy)
    line = f"{copy}: a new store with the data of {store}; {_verified_events(verified)}"
    notes = tuple(f"not copied: {label}" for label in left_behind)
    context = CallContext(notes, provenance=provenance_of("store.adopt", store))
    return ResultInLines([_copy_row(copy, verified)], lines=[line], context=context)


@check_arguments
def upgrade_store(store: StoreFile, *, tell: Tell = give_warning) -> ResultInLines:
    """Convert a store from an earlier version.

    Every row is copied into a new store, with unchanged hash chains and heads. The new store is verified before it
    replaces the old one, which is kept next to it. Earlier bundles, offline pages and manifests can still be imported
    and compared.

    Example: cranfield store upgrade track.db

    Example: cranfield store upgrade old.db

    Parameters
    ----------
    store : path
        The store.
    tell : function
        Function that receives each note about the store as a line. By default, notes are warnings.

    Returns
    -------
    ResultInLines
        One row: the file, the number of verified events in the judgment log, and the log's head. A conversion adds the
        path of the old store.

    Raises
    ------
    StoreError
        If the file is not a store, or is a store from a later version.
    BusyError
        If another program has the store open.

    Examples
    --------
    >>> import cranfield, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     cranfield.Store.create(f"{folder}/track.db", "small").close()
    ...     upgrade_store(f"{folder}/track.db").rows()[0]["before"]
    ''
    """
    from cranfield.store.upgrade import upgrade

    verified, before = upgrade(Path(store), tell=tell)
    lines = [f"{store} already has the current version"]
    if before is not None:
        events = counted(verified.events, "event")
        lines = [
            f"{store} converted; {events} verified, head {verified.head or 'none'}", f"the old store is {before}"
        ]  # fmt: skip
    row = _copy_row(store, verified) | {"before": str(before or "")}
    return ResultInLines(
        [row], lines=lines, context=CallContext(provenance=provenance_of("store.upgrade_store", store))
    )


def _verified_events(verified: Verification) -> str:
    events = counted(verified.events + verified.other_events, "event")
    return f"{events} verified; head {verified.head or 'none'}"


def _copy_row(path: str | PathLike[str], verified: Verification) -> dict[str, object]:
    return {"store": str(path), "events": verified.events, "head": verified.head}
