"""The archive of a task and the pages of its runs as downloads of the organiser."""

from pathlib import Path

from cranfield.features.tasks.archive import write_results
from cranfield.features.tasks.functions import list_results, write_archive
from cranfield.store.reading import Reading
from cranfield.store.store import Store
from cranfield.web.language import translatable
from cranfield.web.organise.download import COLLECTION_GROUP, JUDGMENT_GROUP, Download, Fields, stem, zip_folder


def _write(store: Store, folder: Path, fields: Fields) -> Path:
    write_archive(Reading().select_place(store), folder / "archive")
    return zip_folder(folder / "archive", folder / f"{stem(store)}-archive.zip")


def _lack(store: Store) -> str:
    if not store.has_rows("task"):
        return translatable("There is no shared task yet.")
    return "" if store.counts()["run"] else translatable("The task has no runs yet.")


def _write_results(store: Store, folder: Path, fields: Fields) -> Path:
    result, pages = list_results(Reading().select_place(store)), folder / "results"
    pages.mkdir()
    write_results(result.found, result.task, result.dates, pages)
    return zip_folder(pages, folder / f"{stem(store)}-results.zip")


def _lack_of_results(store: Store) -> str:
    return _lack(store) or ("" if store.counts()["qrels"] else translatable("There are no labels yet."))


RESULTS = Download(
    translatable("Results of the task"),
    translatable("A zip with a page for each run, as teams get them."),
    _write_results,
    lack=_lack_of_results,
    optional=True,
    group=JUDGMENT_GROUP,
)
ARCHIVE = Download(
    translatable("Archive of the task"),
    translatable(
        "A zip for publication with runs, topics, judgments, results, receipts and log, but without contacts."
    ),
    _write,
    lack=_lack,
    optional=True,
    group=COLLECTION_GROUP,
)
