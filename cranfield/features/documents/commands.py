"""What `import corpus` does where it is given options for folders."""

from collections.abc import Sequence
from pathlib import Path

from cranfield.cli.commands.import_corpus import add_corpus
from cranfield.cli.tables import notes, say
from cranfield.features.documents.conversion.texts import known
from cranfield.features.documents.folder import Folder
from cranfield.features.documents.options import FolderOptions
from cranfield.formats.records import Names
from cranfield.hooks import OptionError
from cranfield.text import counted


def import_documents(options: FolderOptions, path: Path, files: Sequence[Path], format: str, names: Names) -> None:
    """Import folders, or say what that would do."""
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
