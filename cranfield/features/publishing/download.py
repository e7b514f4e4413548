"""The published folder as a download of the organiser."""

from collections.abc import Mapping
from pathlib import Path

from cranfield.features.publishing.describe import description_of
from cranfield.features.publishing.description import open_fields
from cranfield.features.publishing.functions import USUAL_TARGETS, build_folder
from cranfield.store.reading import Reading
from cranfield.store.store import Store
from cranfield.web.language import Language, translatable
from cranfield.web.organise.download import COLLECTION_GROUP, Choice, Download, Fields, stem, zip_folder
from cranfield.web.organise.policies import PUBLISHED_POLICY


def _write(store: Store, folder: Path, fields: Fields) -> Path:
    published = folder / "published"
    text, is_draft = fields.get("text") != "no", fields.get("draft") != "no"
    policy = fields.get("policy") or None
    build_folder(Reading().select_place(store), published, text=text, draft=is_draft, policy=policy)
    return zip_folder(published, folder / f"{stem(store)}-published.zip")


def _texts(store: Store, language: Language) -> Mapping[str, str]:
    return {
        "yes": language.gettext("with the texts of the documents"),
        "no": language.gettext("without texts, with their hashes"),
    }


def _drafts(store: Store, language: Language) -> Mapping[str, str]:
    final = {} if _open_fields(store) else {"no": language.gettext("final")}
    return {**final, "yes": language.gettext("draft")}


def _draft_hint(store: Store, language: Language) -> str:
    lacking = _open_fields(store)
    return language.gettext("A final folder needs a complete description of the collection.") if lacking else ""


def _open_fields(store: Store) -> list[str]:
    return open_fields(description_of(store), USUAL_TARGETS, withheld=True)


def _lack(store: Store) -> str:
    return "" if store.counts()["qrels"] else translatable("There are no labels yet.")


PUBLISHED = Download(
    translatable("Published folder"),
    translatable("A zip with documents, topics, judgments, pools, runs, report and cards, which others can load."),
    _write,
    (
        Choice("text", translatable("Texts"), _texts),
        PUBLISHED_POLICY,
        Choice("draft", translatable("State"), _drafts, _draft_hint),
    ),
    _lack,
    group=COLLECTION_GROUP,
)
