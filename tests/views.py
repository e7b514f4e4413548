"""Views of files and stores, as commands have them."""

from collections.abc import Sequence
from pathlib import Path

from cranfield.arrays import WhichTopics
from cranfield.call_view import CallView
from cranfield.source import silent
from cranfield.store.reading import Reading
from cranfield.store.store import Store
from cranfield.view import PlacesGiven, ReadSetting


def view_of(places: Sequence[Path | Store], teams: str | None = None) -> CallView:
    """The view of a command that was given these places."""
    reading = Reading()
    setting = ReadSetting(reading, silent, teams=teams)
    return CallView(PlacesGiven(reading.select_places(places)), setting, WhichTopics.all)
