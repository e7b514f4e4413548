"""Answers and nuggets as downloads and uploads of the organiser."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from cranfield.features.answers.functions import import_answers
from cranfield.features.answers.transfers import (
    export_answers,
    export_nuggets,
    import_claims,
    import_nuggets,
    import_rubrics,
)
from cranfield.results import ResultInLines
from cranfield.store.reading import Reading, SelectedPlace
from cranfield.store.store import Store
from cranfield.web.language import translatable
from cranfield.web.organise.download import Download, Fields, stem
from cranfield.web.organise.upload import TextField, Upload

AUTHOR = TextField("assessor", translatable("Name of the author"))


def _write_answers(store: Store, folder: Path, fields: Fields) -> Path:
    export_answers(Reading().select_place(store), path := folder / f"{stem(store)}-answers.jsonl")
    return path


def _write_nuggets(store: Store, folder: Path, fields: Fields) -> Path:
    export_nuggets(Reading().select_place(store), path := folder / f"{stem(store)}-nuggets.jsonl")
    return path


def _lacks_answers(store: Store) -> str:
    return "" if store.has_rows("answer") else translatable("There are no generated answers yet.")


def _lacks_nuggets(store: Store) -> str:
    return "" if store.has_rows("nugget") else translatable("There are no nuggets yet.")


def _read_answers(place: SelectedPlace, paths: Sequence[Path], fields: Mapping[str, str]) -> ResultInLines:
    return import_answers(place, list(paths))


def _read_nuggets(place: SelectedPlace, paths: Sequence[Path], fields: Mapping[str, str]) -> ResultInLines:
    return import_nuggets(place, list(paths), assessor=fields[AUTHOR.name])


def _read_claims(place: SelectedPlace, paths: Sequence[Path], fields: Mapping[str, str]) -> ResultInLines:
    return import_claims(place, list(paths), assessor=fields[AUTHOR.name])


def _read_rubrics(place: SelectedPlace, paths: Sequence[Path], fields: Mapping[str, str]) -> ResultInLines:
    return import_rubrics(place, list(paths), assessor=fields[AUTHOR.name])


DOWNLOADS: Mapping[str, Download] = {
    "answers": Download(
        translatable("Generated answers"),
        translatable("JSON lines with citations."),
        _write_answers,
        lack=_lacks_answers,
        optional=True,
    ),
    "nuggets": Download(
        translatable("Nuggets"), translatable("JSON lines."), _write_nuggets, lack=_lacks_nuggets, optional=True
    ),
}
UPLOADS: Mapping[str, Upload] = {
    "answers": Upload(
        translatable("Generated answers"),
        translatable("JSON lines with the answers of systems and their citations."),
        _read_answers,
    ),
    "nuggets": Upload(
        translatable("Nuggets"), translatable("JSON lines with the nuggets of topics."), _read_nuggets, (AUTHOR,)
    ),
    "claims": Upload(
        translatable("Claims"),
        translatable("JSON lines with statements of answers or references."),
        _read_claims,
        (AUTHOR,),
    ),
    "rubrics": Upload(
        translatable("Rubrics"),
        translatable("A TOML file with questions about the answers to a topic."),
        _read_rubrics,
        (AUTHOR,),
    ),
}
