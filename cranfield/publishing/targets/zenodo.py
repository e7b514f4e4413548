"""Zenodo: .zenodo.json, datacite.json and CITATION.cff are cards; the folder goes up as one archive."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from cranfield.publishing.description.record import Description
from cranfield.publishing.targets.target import Target


def zenodo_commands(about: Description) -> Sequence[str]:
    """How the archive is made; it is uploaded on a page."""
    archive = shlex.quote(f"{'-'.join(filter(None, [about.name, about.version]))}.tar.gz")
    return [f"tar -czf {archive} -C DIR .    # then upload it at https://zenodo.org/uploads/new"]


ZENODO = Target("zenodo", "a record of Zenodo", commands=zenodo_commands)
