"""Views of files and stores, as commands have them."""

from collections.abc import Sequence
from pathlib import Path

from cranfield.arrays import WhichTopics
from cranfield.call_view import CallView
from cranfield.source import Tell, silent
from cranfield.store.reading import Place, reading_of
from cranfield.view import PlacesGiven, ReadSetting


def view_of(places: Sequence[Place], teams: str | Path | None = None, tell: Tell = silent) -> CallView:
    """The view of a command that was given these places."""
    reading = reading_of(places[0])
    setting = ReadSetting(reading, tell, teams=teams)
    return CallView(PlacesGiven([reading.select_place(place) for place in places]), setting, WhichTopics.all)
