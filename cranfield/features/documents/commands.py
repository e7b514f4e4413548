"""What `import corpus` does where it is given options for folders or for a part; and `store fetch`."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from cranfield.cli.build import command, show_lines
from cranfield.cli.commands.import_corpus import add_corpus
from cranfield.cli.tables import note, notes, say, say_with
from cranfield.features.documents.conversion.process import Converter
from cranfield.features.documents.conversion.texts import charset_name
from cranfield.features.documents.folder import Folder, write_skipped
from cranfield.features.documents.functions import build_passages, fetch_texts
from cranfield.features.documents.options import FolderOptions
from cranfield.features.documents.pictures import Pictures, illustrate
from cranfield.features.documents.reference import import_part
from cranfield.formats.records import Names
from cranfield.hooks import Added, OptionError
from cranfield.results import ResultInLines
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


def show_passages(result: ResultInLines) -> None:
    """Print how many passages there are, and what was left out."""
    show_lines(result)
    notes(filter(None, [result.context.left_out.line]))


fetch = command(fetch_texts, show_lines, "store")
build = command(build_passages, show_passages, "store")
