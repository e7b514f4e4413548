"""Corpora and topics of files, with errors that name keywords of Python."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from cranfield.api.arguments import checked, keywords_in_errors
from cranfield.formats import Document, Topic
from cranfield.formats.files import Note
from cranfield.formats.records import Names
from cranfield.formats.table import AUTO, Progress
from cranfield.formats.table import read_corpus as read_corpus_file
from cranfield.formats.table import read_topics as read_topics_file

KEYWORDS = ("format", "names")


@checked
def read_corpus(
    path: Path,
    *,
    format: str = AUTO,
    progress: Progress | None = None,
    names: Names | Mapping[str, str] | None = None,
    note: Note | None = None,
) -> Iterator[Document]:
    """Read the documents of a corpus, one at a time.

    Nothing is opened, and nothing refused, before the first document is asked for. Two documents may have the same
    docno; a store refuses the second one.

    Parameters
    ----------
    path : Path
        The file, or a folder of files.
    format : str, default "auto"
        The format, where the file does not show it.
    progress : callable, optional
        Called with the number of documents since the last call, for every thousand.
    names : mapping of str to str, optional
        The name that the file gives a field, as {"text": "story"}; an empty name for a field that the file lacks.
    note : callable, optional
        Called with each note of the reader.

    Yields
    ------
    Document
        The documents in the order of the file.

    Raises
    ------
    InputError
        If a record is invalid, or no document has a text although other fields could be the text.
    """
    with keywords_in_errors(KEYWORDS):
        yield from read_corpus_file(path, format=format, progress=progress, names=names, note=note)


@checked
def read_topics(
    path: Path, *, format: str = AUTO, names: Names | Mapping[str, str] | None = None, note: Note | None = None
) -> list[Topic]:
    """Read the topics of a file.

    Parameters
    ----------
    path : Path
        The file.
    format : str, default "auto"
        The format, where the file does not show it.
    names : mapping of str to str, optional
        The name that the file gives a field, as {"title": "prompt"}; an empty name for a field that the file lacks.
    note : callable, optional
        Called with each note of the reader.

    Returns
    -------
    list of Topic
        The topics in the order of the file.

    Raises
    ------
    InputError
        If the file has no topic, or two of one id, or no topic has a title although other fields could be the title.
    """
    return read_topics_file(path, format=format, names=names, note=note)
