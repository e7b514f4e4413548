"""Preferences as a download and an upload of the organiser."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from cranfield.features.preferences.functions import export_preferences, import_preferences
from cranfield.results import ResultInLines
from cranfield.store.reading import Reading, SelectedPlace
from cranfield.store.store import Store
from cranfield.web.language import Language, translatable
from cranfield.web.organise.download import Choice, Download, Fields, stem
from cranfield.web.organise.upload import TextField, Upload


def _write(store: Store, folder: Path, fields: Fields) -> Path:
    path = folder / f"{stem(store)}-preferences.txt"
    export_preferences(
        Reading().select_place(store), path, policy="all" if fields.get("votes") == "all" else "majority"
    )
    return path


def _lack(store: Store) -> str:
    return "" if store.has_rows("preference_event") else translatable("There are no preferences yet.")


def _votes(store: Store, language: Language) -> Mapping[str, str]:
    return {"majority": language.gettext("one vote per pair, by majority"), "all": language.gettext("every vote")}


def _read(place: SelectedPlace, paths: Sequence[Path], fields: Mapping[str, str]) -> ResultInLines:
    return import_preferences(place, paths[0], assessor=fields["assessor"])


PREFERENCES = Download(
    translatable("Preferences between documents"),
    translatable("A text file for trec_eval with the measures for preferences."),
    _write,
    (Choice("votes", translatable("Where people contradict each other"), _votes),),
    _lack,
    optional=True,
)
READING = Upload(
    translatable("Preferences"),
    translatable("A file of preferences between documents, in the form for trec_eval."),
    _read,
    (TextField("assessor", translatable("Name of the person or source")),),
    multiple=False,
)
