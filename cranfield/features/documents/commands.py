"""What `import corpus` does where it is given options for folders or for a part; and `store fetch`."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli import in_python
from cranfield.cli.commands.import_corpus import add_corpus
from cranfield.cli.common_options import ReadStore, StorePath
from cranfield.cli.tables import note, notes, say, say_with
from cranfield.features.documents.conversion.process import Converter
from cranfield.features.documents.conversion.texts import charset_name
from cranfield.features.documents.folder import Folder, write_skipped
from cranfield.features.documents.options import FetchOptions, FolderOptions, PassageOptions
from cranfield.features.documents.pictures import Pictures, illustrate
from cranfield.features.documents.reference import fetch_texts, import_part
from cranfield.formats.records import Names
from cranfield.hooks import Added, OptionError
from cranfield.options import Written
from cranfield.store.reading import Reading
from cranfield.store.store import Store
from cranfield.text import counted


def import_documents(options: FolderOptions, path: Path, files: Sequence[Path], format: str, names: Names) -> None:
    """Import folders, or say what that would do; or the wanted documents of files."""
    added: Added = {FolderOptions: options}
    if options.only:
        if options != FolderOptions(only=options.only):
            raise OptionError("only", "does not go with options for folders")
        _add_wanted(options.only, path, files, format, names)
        return
    if options.images not in ("yes", "no"):
        if options != FolderOptions(images=options.images) or not Path(options.images).is_dir():
            raise OptionError("images", "is yes, no, or alone the folder that pictures of other files are in")
        with Converter() as converter:
            pictures = Pictures(options.images, converter)
            add_corpus(path, files, format, names, prepare=partial(illustrate, pictures=pictures), added=added)
        return
    if other := [file for file in files if not file.is_dir()]:
        option = next(name for name, value in options._asdict().items() if value != FolderOptions()._asdict()[name])
        raise OptionError(option, f"is for folders; {other[0]} is none")
    if options.encoding and not charset_name(options.encoding):
        raise OptionError("encoding", f"{options.encoding!r} is no encoding; expected one such as cp1251")
    if not options.dry_run:
        add_corpus(path, files, format, names, added=added)
        return
    for file in files:
        folder = Folder(file, options)
        number = sum(1 for _ in folder.documents())
        types = ", ".join(f"{many:,} {kind}" for kind, many in sorted(folder.types.items()))
        say(f"{file}: {counted(number, 'document')} would be added" + (f" ({types})" if types else ""))
        notes(folder.notes())
        write_skipped(folder)
        folder.check_slow()


def _add_wanted(only: str, path: Path, files: Sequence[Path], format: str, names: Names) -> None:
    """Import the wanted documents of files; nothing, where none is there."""
    with Store.open(path, tell=note) as store:
        number, message = import_part(store, only, files, format, names)
    say_with(counted(number, "document"), [message])


@in_python("store.fetch_texts")
def fetch(path: StorePath, *, options: FetchOptions) -> None:
    """Bring the texts of documents that a store only names: those that are pooled, judged or retrieved.

    They come from the files that `import corpus --only` read before, as long as these have not changed, or from files
    and corpora of ir_datasets that --from names, in one pass over each. Only what is wanted is stored.

    Example: cranfield store fetch track.db --from ir_datasets:msmarco-passage

    Example: cranfield store fetch track.db --from corpus.jsonl.gz
    """
    with Store.open(path, tell=note) as store:
        number, message = fetch_texts(store, options)
    say_with(counted(number, "document"), [message])


@in_python("store.build_passages")
def build(
    path: ReadStore,
    out: Annotated[Path, typer.Argument(metavar="NEW", help="The new store, of the passages."), Written()],
    *,
    options: PassageOptions,
    reading: Reading,
) -> None:
    """Make a new store of the passages of a store, with its topics: search, pool and judge that.

    A passage is a stretch of its document, called by its docno, a # and a number from 0; nothing is added to its text,
    and its metadata have document, start, end and the headings above it. `cranfield evaluate NEW --of documents` scores
    documents by their best passages; `cranfield export qrels NEW OUT --of documents` writes their judgments.

    Example: cranfield passages build track.db passages.db --by sentences --window 10 --stride 5

    Example: cranfield passages build track.db passages.db --by words --words 200
    """
    from cranfield.features.documents.passages import build_passages, check

    try:
        check(options)
    except OptionError as error:
        raise typer.BadParameter(error.message, param_hint=f"--{error.option}") from error
    with reading.store(path) as store:
        result = build_passages(store, out, options)
    say_with(f"{out}: {result}", filter(None, [reading.left_out.line]))
