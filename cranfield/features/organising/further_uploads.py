"""What the organiser uploads on the page Deliver, with the functions of the command line."""

import re
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from cranfield import hooks
from cranfield.commands.imports import import_qrels
from cranfield.commands.transfers import import_collection
from cranfield.commands.vote_import import import_votes
from cranfield.errors import InputError
from cranfield.features.organising.archives import unpack_collection
from cranfield.features.organising.jobs import JobOutcome
from cranfield.features.organising.uploaded import folder_prefix
from cranfield.results import ResultInLines
from cranfield.store.reading import OpenStores, Reading, SelectedPlace
from cranfield.store.store import Store
from cranfield.web.language import translatable
from cranfield.web.organise.upload import TextField, Upload

SKIP = TextField("skip", translatable("Skip judgments that the store already has"), required=False, is_checkbox=True)


def _read_qrels(place: SelectedPlace, paths: Sequence[Path], fields: Mapping[str, str]) -> ResultInLines:
    try:
        return import_qrels(place, paths[0], assessor=fields["assessor"], cumulative=bool(fields[SKIP.name]))
    except InputError as error:
        problem, remedy, _ = str(error).partition("; use cumulative ")
        if not remedy:
            raise
        raise InputError(f"{problem}; choose “{SKIP.label}” to add the others") from error


QRELS = Upload(
    translatable("Judgments made elsewhere"),
    translatable("A qrels file. Its grades count as labels of one assessor."),
    _read_qrels,
    (TextField("assessor", translatable("Name of the assessor or source")), SKIP),
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


def _read_collection(place: SelectedPlace, paths: Sequence[Path], fields: Mapping[str, str]) -> ResultInLines:
    with place.open() as store:
        assessor = fields[SOURCE.name] or "import"
        return import_collection(store, paths[0], split=fields[SPLIT.name] or None, assessor=assessor)


SPLIT = TextField("split", translatable("Split, such as train; empty for the usual one"), required=False)
SOURCE = TextField("assessor", translatable("Assessor or source, if the folder does not name one"), required=False)
COLLECTION = Upload(
    translatable("Whole collection"),
    translatable(
        "A zip or tar file with a folder in the layout of BEIR or Hugging Face, or with a published folder. A published"
        " folder brings its pools, runs and log, and needs an empty store."
    ),
    _read_collection,
    (SPLIT, SOURCE),
    multiple=False,
    is_archive=True,
)


def all_uploads() -> dict[str, Upload]:
    """The uploads, with those of features."""
    added = dict(hooks.collect_from_extensions(lambda extension: extension.uploads().items()))
    return {"collection": COLLECTION, "qrels": QRELS, "votes": VOTES, **added}


def import_upload(
    store: Store, name: str, paths: Sequence[str], fields: Mapping[str, str], limit: int = 1 << 30
) -> JobOutcome:
    """Import files of one kind: all of them, or none if one has an error; an archive has at most `limit` bytes."""
    upload = all_uploads()[name]
    files = [Path(path) for path in paths]
    place = Reading(stores=OpenStores()).select_place(store)
    with ExitStack() as stack:
        if upload.is_archive:
            folder = stack.enter_context(TemporaryDirectory(prefix=folder_prefix()))
            files = [unpack_collection(files[0], Path(folder, _folder_name(files[0])), limit)]
        else:
            stack.enter_context(store.writing())
        result = upload.read(place, files, fields)
    lines = [_shorten_paths(line, files) for line in (*result.lines, *result.notes)]
    return JobOutcome(f"{upload.title}: {lines[0].rstrip('.')}.", lines[1:])


def _folder_name(path: Path) -> str:
    """The name of the folder for an archive.

    >>> _folder_name(Path("wings.tar.gz")), _folder_name(Path("wings-1.0.zip"))
    ('wings', 'wings-1.0')
    """
    return re.sub(r"(\.tar)?\.\w+$", "", path.name) or "collection"


def _shorten_paths(line: str, files: Sequence[Path]) -> str:
    for file in files:
        line = line.replace(str(file), file.name)
    return line
