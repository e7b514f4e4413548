"""Views of files and stores, as commands have them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cranfield.arrays import WhichTopics
from cranfield.arrays.rankings import Qrels, Runs
from cranfield.call_view import CallView
from cranfield.formats import RunInfo
from cranfield.source import Source, Tell, silent
from cranfield.store.reading import Place, reading_of
from cranfield.view import PlacesGiven, ReadSetting, View, view_of_source


def view_of(places: Sequence[Place], teams: str | Path | None = None, tell: Tell = silent) -> CallView:
    """The view of a command that was given these places."""
    reading = reading_of(places[0])
    setting = ReadSetting(reading, tell, teams=teams)
    return CallView(PlacesGiven([reading.select_place(place) for place in places]), setting, WhichTopics.all)


def make_view(runs: Runs, qrels: Qrels, run_info: Mapping[str, RunInfo], min_relevant: int = 1, **fields: Any) -> View:
    """A view of runs and judgments in memory; `fields` are what a reader knows of a store's pool."""
    return view_of_source(Source(runs, qrels, run_info, min_relevant, **fields))
