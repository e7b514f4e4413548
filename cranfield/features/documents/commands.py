"""What `import corpus` does where it is given options for folders or for a part; and `store fetch`."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from cranfield.cli.build import command, show_lines
from cranfield.cli.tables import print_notes
from cranfield.commands.corpus_import import add_corpus
from cranfield.commands.opened import open_store_call
from cranfield.errors import InputError
from cranfield.features.documents.conversion.process import Converter
from cranfield.features.documents.conversion.texts import charset_name
from cranfield.features.documents.folder import Folder, write_skipped
from cranfield.features.documents.functions import build_passages, fetch_texts
from cranfield.features.documents.options import FolderOptions
from cranfield.features.documents.pictures import Pictures, illustrate
from cranfield.features.documents.reference import import_part
from cranfield.formats.records import Names
from cranfield.hooks import Added, OptionError
from cranfield.options.given import StoreLike
from cranfield.results import ResultInLines
from cranfield.text import counted


class SlowFilesError(InputError):
    """Files that took too long; `result` is what was found of the others."""

    def __init__(self, message: str, result: ResultInLines) -> None:
        super().__init__(message)
        self.result = result


def import_documents(
    options: FolderOptions, store: StoreLike, files: Sequence[Path], format: str, names: Names
) -> ResultInLines:
    """Import folders, or find what that would do; or import the wanted documents of files."""
    added: Added = {FolderOptions: options}
    if options.only:
        if options != FolderOptions(only=options.only):
            raise OptionError("only", "does not go with options for folders")
        with open_store_call(store) as call:
            number, message = import_part(call.store, options.only, files, format, names)
            call.note(message)
            rows, lines = [{"documents": number}], [counted(number, "document")]
            return ResultInLines(rows, lines=lines, context=call.context("store.import_corpus"))
    if options.images not in ("yes", "no"):
        if options != FolderOptions(images=options.images) or not Path(options.images).is_dir():
            raise OptionError("images", "is yes, no, or alone the folder that pictures of other files are in")
        with Converter() as converter:
            pictures = Pictures(options.images, converter)
            return add_corpus(store, files, format, names, prepare=partial(illustrate, pictures=pictures), added=added)
    if other := [file for file in files if not file.is_dir()]:
        option = next(name for name, value in options._asdict().items() if value != FolderOptions()._asdict()[name])
        raise OptionError(option, f"is for folders; {other[0]} is none")
    if options.encoding and not charset_name(options.encoding):
        raise OptionError("encoding", f"{options.encoding!r} is no encoding; expected one such as cp1251")
    return _count_documents(options, store, files) if options.dry_run else (
        add_corpus(store, files, format, names, added=added)
    )  # fmt: skip


def _count_documents(options: FolderOptions, store: StoreLike, files: Sequence[Path]) -> ResultInLines:
    rows, lines = list[dict[str, object]](), list[str]()
    with open_store_call(store) as call:
        for file in files:
            folder = Folder(file, options)
            number = sum(1 for _ in folder.documents())
            types = ", ".join(f"{many:,} {kind}" for kind, many in sorted(folder.types.items()))
            lines.append(f"{file}: {counted(number, 'document')} would be added" + (f" ({types})" if types else ""))
            rows.append({"folder": str(file), "documents": number})
            call.note(*folder.notes())
            write_skipped(folder)
            found = ResultInLines(rows, lines=lines, context=call.context("store.import_corpus"))
            try:
                folder.check_slow()
            except InputError as error:
                raise SlowFilesError(str(error), found) from error
    return found


def show_passages(result: ResultInLines) -> None:
    """Print how many passages there are, and what was left out."""
    show_lines(result)
    print_notes(filter(None, [result.context.left_out.line]))


fetch = command(fetch_texts, show_lines, "store")
build = command(build_passages, show_passages, "store")
