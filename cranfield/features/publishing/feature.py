"""Collections published as folders that others can load: described, built, checked, imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.extension import Extension
from cranfield.hooks import Commands, Functions

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import ClassVar

    from cranfield.analysis.collections import FolderReader
    from cranfield.web.organise.download import Download
    from cranfield.web.organise.upload import Upload


class PublishingExtension(Extension):
    """Publish a collection as a folder."""

    name = "publishing"
    needs = ("documents",)
    commands = (Commands("Build", "commands", "publish", "describe build check"),)
    groups: ClassVar[Mapping[str, str]] = {
        "publish": "Publish a collection as a folder: describe, build and check it.",
    }
    functions = (Functions("publish", "functions", "describe build_folder check_folder"),)
    tables = ("store.tables:TABLES",)

    def folder_reader(self) -> FolderReader:
        from cranfield.analysis.collections import FolderReader
        from cranfield.features.publishing.describe import describe_from
        from cranfield.features.publishing.folder import restored_published, unread

        return FolderReader(
            restored_published, describe_remainder=unread, finish_recipe=describe_from, fill=restored_published
        )

    def downloads(self) -> Mapping[str, Download]:
        from cranfield.features.publishing.download import PUBLISHED
        from cranfield.features.publishing.transfers import DESCRIPTION

        return {"published": PUBLISHED, "description": DESCRIPTION}

    def uploads(self) -> Mapping[str, Upload]:
        from cranfield.features.publishing.transfers import READING

        return {"description": READING}
