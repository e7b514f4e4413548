"""Documents as people have them: folders, parts of large corpora by reference, and passages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.extension import Extension
from cranfield.hooks import AddedOptions, Commands, Functions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import ClassVar

    from starlette.routing import Route

    from cranfield.formats.files import Format
    from cranfield.formats.records import Document, Kind
    from cranfield.store.corpus import PartHere, PictureSource
    from cranfield.store.removal import Removers
    from cranfield.store.store import Store
    from cranfield.web.application import Application


class DocumentsExtension(Extension):
    """Import documents as people have them."""

    name = "documents"
    commands = (
        Commands("Build", "commands", "passages", "build"),
        Commands("Build", "commands", "store", "fetch"),
    )
    groups: ClassVar[Mapping[str, str]] = {
        "passages": "Split documents into passages, to search, pool and judge the passages."
    }
    functions = (
        Functions("store", "functions", "fetch_texts build_passages"),
        Functions("subjects", "subjects", "PassageDocuments FolderDocuments WantedDocuments"),
        Functions("subjects", "showing", "ShownFields"),
    )
    added_options = (
        AddedOptions("import corpus", "options:FolderOptions", subject="FolderDocuments"),
        AddedOptions("init", "options:ShowOptions", subject="ShownFields"),
        AddedOptions("evaluate", "options:DocumentsOfPassages", subject="PassageDocuments"),
        AddedOptions("export qrels", "options:JudgedDocuments", subject="PassageDocuments"),
    )
    tables = ("store.tables:TABLES", "store.tables:PICTURES")

    def formats(self, kind: Kind) -> Sequence[Format]:
        if kind != "corpus":
            return ()
        from cranfield.features.documents.folder import FOLDER

        return (FOLDER,)

    def new_documents(self, store: Store, documents: Iterable[Document]) -> Iterable[Document]:
        if store.has_rows("passage_build"):
            from cranfield.features.documents.store.documents import refuse_corpus

            documents = refuse_corpus(store, documents)
        from cranfield.features.documents.showing import add_shown_fields

        return add_shown_fields(store, documents)

    def verify(self, store: Store) -> None:
        from cranfield.features.documents.store.documents import refuse_changed

        refuse_changed(store)

    def removers(self) -> Removers:
        from cranfield.features.documents.store.documents import delete_import
        from cranfield.store.removal import Removers

        return Removers(finish_import=delete_import)

    def document_source(self, store: Store) -> PartHere | None:
        if not store.has_rows("corpus_source"):
            return None
        from cranfield.features.documents.store.documents import part_here

        return part_here(store)

    def pictures(self) -> PictureSource:
        from cranfield.features.documents.store.documents import find_picture, take_along
        from cranfield.store.corpus import PictureSource

        return PictureSource(find_picture, copy=take_along)

    def routes(self, application: Application) -> Sequence[Route]:
        from cranfield.features.documents.pages import routes

        return routes(application)
