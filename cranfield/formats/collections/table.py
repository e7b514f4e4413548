"""The table of forms of whole collections. Its order is the order of detection."""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module

from cranfield.errors import InputError
from cranfield.formats.collections.collection import CollectionForm, Wanted, WholeCollection

FORMS = ("ir_datasets", "folder")  # modules of this folder
ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.zst", ".zip")


@cache
def forms() -> tuple[CollectionForm, ...]:
    """The forms, in the order of detection.

    >>> [form.name for form in forms()]
    ['ir_datasets', 'folder']
    """
    return tuple(import_module(f"{__package__}.{name}").COLLECTION for name in FORMS)


def read_collection(wanted: Wanted) -> WholeCollection:
    """The collection that is asked for; a source that is of no form is refused.

    >>> read_collection(Wanted("beir:scifact"))
    Traceback (most recent call last):
    cranfield.errors.InputError: beir:scifact: no such folder; a collection is ir_datasets:ID, or a folder in the layout
    of BEIR or Hugging Face (hf:FOLDER)
    """
    form = next((form for form in forms() if form.detect(wanted.source)), None)
    if form is None:
        known = ", or ".join(form.description for form in forms())
        raise InputError(f"{_lack(wanted.source)}; a collection is {known}", wanted.source)
    return form.read(wanted)


def _lack(source: str) -> str:
    """Why this is no collection."""
    if "://" in source:
        return "nothing is downloaded here, do that first"
    if not os.path.exists(source):
        return "no such folder"
    return "an archive, unpack it first" if source.endswith(ARCHIVES) else "a file"
