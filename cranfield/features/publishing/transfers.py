"""The description of a collection as a download and an upload of the organiser: a file to fill in."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from cranfield.features.publishing.describe import DESCRIPTION_FILE, description_of, description_toml
from cranfield.features.publishing.description import as_json, open_fields
from cranfield.features.publishing.functions import USUAL_TARGETS, describe
from cranfield.formats.whole_files import write_text
from cranfield.store.reading import SelectedPlace
from cranfield.store.store import Store
from cranfield.text import counted
from cranfield.web.language import translatable
from cranfield.web.organise.download import COLLECTION_GROUP, Download, Fields
from cranfield.web.organise.upload import Upload


class DescribedResult(NamedTuple):
    """What was set, and notes."""

    lines: Sequence[str]
    notes: Sequence[str]


def _write(store: Store, folder: Path, fields: Fields) -> Path:
    write_text(path := folder / DESCRIPTION_FILE, description_toml(description_of(store)))
    return path


def _read(place: SelectedPlace, paths: Sequence[Path], fields: Mapping[str, str]) -> DescribedResult:
    described = describe(place, file=paths[0])
    empty = open_fields(described.description, USUAL_TARGETS, withheld=True)
    more = f"{counted(len(empty), 'required field is', 'required fields are')} still empty: {', '.join(empty)}"
    line = counted(len(as_json(described.description)), "field is set", "fields are set")
    return DescribedResult([line, *([more] if empty else [])], described.context.notes)


DESCRIPTION = Download(
    translatable("Description for publication"),
    translatable("A TOML file with creators, licence and datasheet, to fill in and upload again below."),
    _write,
    group=COLLECTION_GROUP,
)
READING = Upload(
    translatable("Description for publication"),
    translatable("The TOML file with creators, licence and datasheet that you filled in."),
    _read,
    multiple=False,
)
