"""What the organiser uploads on the page Deliver, with the functions of the command line."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from cranfield import hooks
from cranfield.commands.imports import import_qrels
from cranfield.commands.vote_import import import_votes
from cranfield.features.organising.jobs import JobOutcome
from cranfield.results import ResultInLines
from cranfield.store.reading import OpenStores, Reading, SelectedPlace
from cranfield.store.store import Store
from cranfield.web.language import translatable
from cranfield.web.organise.upload import TextField, Upload


def _read_qrels(place: SelectedPlace, paths: Sequence[Path], fields: Mapping[str, str]) -> ResultInLines:
    return import_qrels(place, paths[0], assessor=fields["assessor"])


QRELS = Upload(
    translatable("Judgments made elsewhere"),
    translatable("A qrels file. Its grades count as labels of one assessor."),
    _read_qrels,
    (TextField("assessor", translatable("Name of the assessor or source")),),
    multiple=False,
)


def _read_votes(place: SelectedPlace, paths: Sequence[Path], fields: Mapping[str, str]) -> ResultInLines:
    return import_votes(place, paths)


VOTES = Upload(
    translatable("Votes from annotation tools"),
    translatable(
        "CSV, JSON lines, Label Studio, Argilla, Quepid, Relevation, Prodigy or Doccano. Each vote keeps its assessor."
    ),
    _read_votes,
)


def all_uploads() -> dict[str, Upload]:
    """The uploads, with those of features."""
    return {"qrels": QRELS, "votes": VOTES, **dict(hooks.collect(lambda extension: extension.uploads().items()))}


def import_upload(store: Store, name: str, paths: Sequence[str], fields: Mapping[str, str]) -> JobOutcome:
    """Import files of one kind: all of them, or none if one has an error."""
    upload = all_uploads()[name]
    files = [Path(path) for path in paths]
    with store.writing():
        result = upload.read(Reading(stores=OpenStores()).select_place(store), files, fields)
    lines = [_shorten_paths(line, files) for line in (*result.lines, *result.notes)]
    return JobOutcome(f"{upload.title}: {lines[0].rstrip('.')}.", lines[1:])


def _shorten_paths(line: str, files: Sequence[Path]) -> str:
    for file in files:
        line = line.replace(str(file), file.name)
    return line
