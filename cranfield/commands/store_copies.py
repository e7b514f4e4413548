"""Copies of whole stores: backups, stores of others, and stores of earlier versions."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.api.arguments import check_arguments
from cranfield.commands.opened import open_store_call, provenance_of
from cranfield.errors import give_warning
from cranfield.options.given import PresentStore
from cranfield.options.stores import AdoptedStore, CopyOfStore, StoreFile
from cranfield.parallel import Tell
from cranfield.results import CallContext, ResultInLines
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.store.verification import Verification


@check_arguments
def backup(store: PresentStore, copy: CopyOfStore) -> ResultInLines:
    """Copy a store to a new file, even while others work in it, and verify the copy.

    While a store is open, the latest changes may be in a second file beside it, so that copying the store file alone is
    not enough.

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
        One row: the file, and the number of verified events and the head of the judgment log.

    Raises
    ------
    StoreError
        If the file exists, or the logs of the copy do not verify.

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
    """Copy the data of a store that somebody else made or changed into a new store.

    Use it when a store has triggers, views or tables that this program does not make. Only rows of the program's tables
    are copied. Each row has to meet the constraints of these tables, and the logs have to verify. The command lists
    what it does not copy. It cannot find labels that were changed before they were recorded.

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
        One row: the file, and the number of verified events and the head of the judgment log. The notes list what is
        not copied.

    Raises
    ------
    StoreError
        If a row breaks a constraint, or the logs do not verify; there is no new store then.

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
    """Convert a store that an earlier version made.

    Every row is copied into a new store, chains and heads as they were; the new one is verified before it takes the
    place of the old one, which is kept beside it. Bundles, offline pages and manifests of the time can still be
    imported and compared.

    Example: cranfield store upgrade track.db

    Example: cranfield store upgrade old.db

    Parameters
    ----------
    store : path
        The store.
    tell : function
        Receives each note on the store, a line; by default it is a warning.

    Returns
    -------
    ResultInLines
        One row: the file, the number of verified events and the head of the judgment log, and where the old store is,
        if it was converted.

    Raises
    ------
    StoreError
        If the file is not a store, or is a store of a later version.
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
    lines = [f"{store} is of this version already"]
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
