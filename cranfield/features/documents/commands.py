"""What `import corpus` does where it is given options for folders."""

from collections.abc import Sequence
from pathlib import Path

from cranfield.cli.commands.import_corpus import add_corpus
from cranfield.cli.tables import notes, say, say_with
from cranfield.features.documents.conversion.texts import known
from cranfield.features.documents.folder import Folder
from cranfield.features.documents.options import FolderOptions
from cranfield.features.documents.reference import PartOfCorpus, wanted
from cranfield.formats.records import Names
from cranfield.hooks import OptionError
from cranfield.store.history import importing
from cranfield.store.store import Store
from cranfield.text import counted


def import_documents(options: FolderOptions, path: Path, files: Sequence[Path], format: str, names: Names) -> None:
    """Import folders, or say what that would do; or the wanted documents of files."""
    if options.only:
        if options != FolderOptions(only=options.only):
            raise OptionError("only", "does not go with options for folders")
        _add_wanted(options.only, path, files, format, names)
        return
    if other := [file for file in files if not file.is_dir()]:
        option = next(name for name, value in options._asdict().items() if value != FolderOptions()._asdict()[name])
        raise OptionError(option, f"is for folders; {other[0]} is none")
    if options.encoding and not known(options.encoding):
        raise OptionError("encoding", f"{options.encoding!r} is no encoding; expected one such as cp1251")
    if not options.dry_run:
        add_corpus(path, files, format, names)
        return
    for file in files:
        folder = Folder(file, options)
        number = sum(1 for _ in folder.documents())
        types = ", ".join(f"{many:,} {kind}" for kind, many in sorted(folder.types.items()))
        say(f"{file}: {counted(number, 'document')} would be added" + (f" ({types})" if types else ""))
        notes(folder.said())


def _add_wanted(only: str, path: Path, files: Sequence[Path], format: str, names: Names) -> None:
    """Import the wanted documents of files; nothing, where none is there."""
    with Store.open(path) as store, importing(store, "corpus", files):
        part, added = PartOfCorpus(wanted(store, only)), 0
        for file in files:
            added += store.add_documents(part.documents(file, format, names))
        said = part.said()
    say_with(counted(added, "document"), [said])
