"""Collections published as folders that others can load: described, built, checked, imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.extension import Extension
from cranfield.hooks import Commands, Functions

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import ClassVar

    from cranfield.parallel import Tell
    from cranfield.store.store import Store


class PublishingExtension(Extension):
    """Publish a collection as a folder."""

    name = "publishing"
    needs = ("documents",)
    commands = (Commands("Build", "commands", "publish", "describe build check"),)
    groups: ClassVar[Mapping[str, str]] = {
        "publish": "Publish a collection as a folder that others can load: describe it, build the folder, check one.",
    }
    functions = (Functions("publish", "functions", "describe build_folder check_folder"),)
    tables = ("store.tables:TABLES",)

    def read_folder(self, folder: str, path: Path, split: str | None, tell: Tell) -> Store | None:
        from cranfield.features.publishing.folder import restored_published

        return restored_published(folder, path, split, tell)

    def describe_remainder(self, folder: str) -> str:
        from cranfield.features.publishing.folder import unread

        return unread(folder)

    def finish_recipe(self, folder: Path, store: Store) -> None:
        from cranfield.features.publishing.describe import describe_from

        describe_from(folder, store)
