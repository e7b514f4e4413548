"""The upload of an interaction log on the organiser's page Deliver."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from cranfield.features.online.functions import ImportedLog, import_log
from cranfield.store.reading import SelectedPlace
from cranfield.web.language import translatable
from cranfield.web.organise.upload import TextField, Upload

EXPERIMENT = TextField("experiment", translatable("Experiment for lines that do not name one"), required=False)
ARMS = TextField("arms", translatable("Arms of this experiment, separated by commas"), required=False)


def _read(place: SelectedPlace, paths: Sequence[Path], fields: Mapping[str, str]) -> ImportedLog:
    arms = [name.strip() for name in fields[ARMS.name].split(",") if name.strip()]
    return import_log(place, [*paths], experiment=fields[EXPERIMENT.name] or "log", arms=arms or None)


UPLOADS = {
    "log": Upload(
        translatable("Interaction log"),
        translatable("The lists that users saw, and their clicks. Users are stored as salted hashes."),
        _read,
        (EXPERIMENT, ARMS),
    )
}
