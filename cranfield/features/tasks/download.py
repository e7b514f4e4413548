"""The archive of a task as a download of the organiser."""

from pathlib import Path

from cranfield.features.tasks.functions import write_archive
from cranfield.store.reading import Reading
from cranfield.store.store import Store
from cranfield.web.language import translatable
from cranfield.web.organise.download import Download, Fields, stem, zip_folder


def _write(store: Store, folder: Path, fields: Fields) -> Path:
    write_archive(Reading().select_place(store), folder / "archive")
    return zip_folder(folder / "archive", folder / f"{stem(store)}-archive.zip")


def _lack(store: Store) -> str:
    if not store.has_rows("task"):
        return translatable("There is no shared task yet.")
    return "" if store.counts()["run"] else translatable("The task has no runs yet.")


ARCHIVE = Download(
    translatable("Archive of the task"),
    translatable(
        "A zip for publication with runs, topics, judgments, results, receipts and log, but without contacts."
    ),
    _write,
    lack=_lack,
    optional=True,
)
