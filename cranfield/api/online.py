"""Interaction logs: what users saw and did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING

from cranfield.api.inputs import StoreGiven, store_open

if TYPE_CHECKING:
    from cranfield.analysis.online.importing import LogImport


def import_log(
    store: StoreGiven,
    files: str | PathLike[str] | Sequence[str | PathLike[str]],
    format: str = "auto",
    fields: Mapping[str, str] | None = None,
    experiment: str = "log",
    arms: Sequence[str] = (),
    skip: bool = False,
) -> LogImport:
    """Append logs to a store, all of them or nothing: impressions, actions, repeated, bad (lines by what is wrong).

    `fields` says under which name the files have a field, as {"user": "visitor"}; with `skip`, lines that cannot be
    used are left out.
    """
    from cranfield.analysis.online.importing import import_log as imported

    given = [files] if isinstance(files, str | PathLike) else list(files)
    with store_open(store) as there:
        return imported(there, given, format, fields, experiment, arms, skip)
