"""A folder of files as a format of corpora."""

import csv
import io
import os
from collections.abc import Iterator

from cranfield import hooks
from cranfield.errors import InputError
from cranfield.features.documents.folder import Folder, shown_path
from cranfield.features.documents.options import FolderOptions
from cranfield.formats.files import COMPRESSIONS, NOTE, OpenFile
from cranfield.formats.jsonl import CORPUS_FILE
from cranfield.formats.records import Document, Format
from cranfield.formats.whole_files import write_text


def detect(head: bytes, path: str) -> bool:
    """A folder that is no BEIR folder."""
    beir = (os.path.join(path, CORPUS_FILE + suffix) for suffix in ("", *COMPRESSIONS))
    return os.path.isdir(path) and not any(map(os.path.exists, beir))


def read(source: OpenFile) -> Iterator[Document]:
    """The documents of a folder; at the end it is said what was skipped. A folder without any is refused."""
    options = hooks.given(FolderOptions)
    folder, number = Folder(source.path, options), 0
    for number, document in enumerate(folder.documents(), 1):  # noqa: B007 - how many there were
        yield document
    said = folder.said()
    if options.output is not None:
        write_text(options.output, _table(folder))
    if not number:
        why = "; ".join(said) or "a folder without files"
        files = os.path.join(source.path, "*")
        raise InputError(
            f"{why}; expected documents, BEIR's corpus.jsonl, or the files of a corpus, as {files}", source.path
        )
    if (note := NOTE.get(None)) is not None:
        for line in said:
            note(line)


def _table(folder: Folder) -> str:
    """What was skipped, as CSV."""
    target = io.StringIO()
    rows = csv.writer(target, lineterminator="\n")
    rows.writerow(("path", "why"))
    rows.writerows((shown_path(one.path), one.why) for one in folder.skipped)
    return target.getvalue()


FOLDER = Format(
    "corpus", "folder", "folder of text, Markdown, HTML, PDF, Word or e-mail files", detect, read, place="folder"
)
