"""The description of a store's collection: what was set, and before that what the collection says of itself."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from cranfield.analysis.recipes import Recipe, build
from cranfield.errors import InputError
from cranfield.formats.corpora_and_topics import Note
from cranfield.publishing.description.identifiers import as_name
from cranfield.publishing.description.licence import spdx
from cranfield.publishing.description.open_fields import open_fields
from cranfield.publishing.description.record import TARGET_NAMES, Description
from cranfield.publishing.description.toml_file import read_description
from cranfield.publishing.description.values import as_json, checked, described
from cranfield.store.publication.description import keep_description, stored_description
from cranfield.store.releases import release_named
from cranfield.store.store import Store

BESIDE = "description.toml"  # beside a recipe


def description_of(store: Store, changes: Mapping[str, Any] | None = None) -> Description:
    """The description of a store's collection, with changes that are not stored.

    >>> with Store.memory("My Track") as store:
    ...     description_of(store, {"doi": "10.1234/a"})  # doctest: +ELLIPSIS
    Description(name='my-track', title='My Track', ... doi='10.1234/a', ...)
    """
    return described(_inherited(store) | stored_description(store) | _of_release(store) | dict(changes or {}))


def describe(store: Store, values: Mapping[str, Any]) -> Description:
    """Set fields; an empty value removes what was set."""
    right = {key: checked(key, value) for key, value in values.items()}
    set_ = as_json(described(right))
    keep_description(store, {key: set_.get(key, "") for key in right})
    return description_of(store)


def describe_from(folder: Path, store: Store) -> None:
    """Set the fields of the file description.toml in a folder, if it is there."""
    if (path := folder / BESIDE).is_file():
        describe(store, read_description(path))


def build_described(recipe: Recipe, folder: Path, out: Path, note: Note | None = None) -> Store:
    """Build a collection by a recipe, with the description beside that."""
    return build(recipe, folder, out, note, partial(describe_from, recipe.folder))


def _inherited(store: Store) -> dict[str, str]:
    """What the collection says of itself, as far as that is right for a description."""
    about = store.collection
    licence = "" if licence_lack(store) else about.licence
    said = {"name": as_name(about.name), "title": about.name, "description": about.description, "licence": licence}
    return {field: value for field, value in said.items() if value}


def _of_release(store: Store) -> dict[str, str]:
    return {"version": store.released, "date": release_named(store, store.released).date} if store.released else {}


def licence_lack(store: Store) -> str:
    """Why the licence that the collection names is not used; empty where it is."""
    try:
        spdx(store.collection.licence or "MIT")
    except InputError as error:
        return f"the licence of the collection is not used: {error.message}"
    return ""


def description_document(store: Store) -> dict[str, Any]:
    """The JSON of `publish describe`: what is set, what is inherited from the collection, what is open by target."""
    found = description_of(store)
    return {
        "description": as_json(found),
        "inherited": sorted(set(_inherited(store)) - set(stored_description(store))),
        "open": {target: open_fields(found, [target]) for target in TARGET_NAMES},
    }
