"""The bag, read by the package bagit."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from cranfield.publishing.checks.check import Check, Checked, Finding
from cranfield.publishing.manifest import BAG


def check_bag(folder: Checked) -> Iterator[Finding]:
    import bagit

    logging.getLogger("bagit").setLevel(logging.CRITICAL)  # what is wrong is said here
    try:
        bagit.Bag(str(folder.folder)).validate()
    except bagit.BagError as error:
        yield Finding("wrong", f"not a valid bag: {error}", BAG)
    else:
        yield Finding("ok", "a valid bag")


BAGIT_CHECK = Check("bagit", check_bag, needs="bagit", of=BAG)
