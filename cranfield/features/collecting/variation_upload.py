"""Variations of queries as an upload of the organiser."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from cranfield.features.collecting.functions import import_variations
from cranfield.results import ResultInLines
from cranfield.store.reading import SelectedPlace
from cranfield.web.language import translatable
from cranfield.web.organise.upload import Upload


def _read(place: SelectedPlace, paths: Sequence[Path], fields: Mapping[str, str]) -> ResultInLines:
    return import_variations(place, list(paths))


VARIATIONS = Upload(
    translatable("Variations of queries"),
    translatable("Lines with the topic, an id, the query and, optionally, a count."),
    _read,
)
