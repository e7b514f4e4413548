"""Views of files and stores, as commands have them."""

from collections.abc import Callable, Sequence
from pathlib import Path

from cranfield.call_view import CallView
from cranfield.options import Options
from cranfield.source import silent
from cranfield.store.reading import Reading
from cranfield.store.store import Store


def view_of(
    places: Sequence[Path | Store], options: Options | None = None, tell: Callable[[str], None] = silent
) -> CallView:
    """The view of a command that was given these places."""
    return CallView.view_of_places(places, options or Options(), Reading(), tell)
