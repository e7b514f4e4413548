"""Open, close and compare the rounds of a collection."""

from typing import TYPE_CHECKING

from cranfield.lazy import lazy_dir, lazy_getattr

if TYPE_CHECKING:
    from cranfield.commands.rounds import close as close
    from cranfield.commands.rounds import compare_systems as compare_systems
    from cranfield.commands.rounds import declare_same_system as declare_same_system
    from cranfield.commands.rounds import start as start
    from cranfield.commands.rounds import summarize as summarize
else:
    __getattr__ = lazy_getattr(__name__)
    __dir__ = lazy_dir(__name__)
