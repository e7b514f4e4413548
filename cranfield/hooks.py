"""What features add to the core, and where the core finds it.

A feature is a folder of cranfield/features with a feature.py, or an installed package that names one at the entry point
group `cranfield.features`. Its FEATURE has names only: what they name is imported when it is needed, so that whoever
scores a run imports no feature. There are three hooks: commands, options added to commands of the core, and rows of
tables of the core (`TABLES`: formats, measures, pages, ...).
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from cranfield.errors import InputError

API = 1  # of the records below; a feature says which it was written for
TABLES = {  # what a row of each is
    "formats.answers": "a Format of answers",
    "formats.log": "a Format of interaction logs",
    "formats.nuggets": "a Format of nuggets",
}


class Commands(NamedTuple):
    """Commands of one group, functions of these names in a module of the feature."""

    panel: str
    module: str
    group: str
    names: str


class Row(NamedTuple):
    """A row of a table of the core: an object in a module of the feature, as "formats.own:LOG"."""

    table: str
    at: str


class Feature(NamedTuple):
    """A capability: its name, its package, the features it needs, and what it adds."""

    name: str
    package: str
    needs: tuple[str, ...] = ()
    commands: tuple[Commands, ...] = ()
    groups: Mapping[str, str] = {}  # what groups of commands are for
    rows: tuple[Row, ...] = ()
    api: int = API

    def load(self, at: str) -> Any:
        """An object of the feature.

        >>> own()["online"].load("measures:ONLINE_MEASURES")["CTR"].name
        'CTR'
        """
        module, _, name = at.partition(":")
        return getattr(import_module(f"{self.package}.{module}"), name)


@cache
def own() -> Mapping[str, Feature]:
    """The features of cranfield itself by name, each after those it needs.

    >>> list(own())
    ['models', 'answers', 'online', 'preferences', 'publishing']
    """
    folder = Path(__file__).parent / "features"
    names = sorted(path.parent.name for path in folder.glob("*/feature.py"))
    return _ordered({name: import_module(f"cranfield.features.{name}.feature").FEATURE for name in names})


def _ordered(features: Mapping[str, Feature]) -> Mapping[str, Feature]:
    """Each after those it needs.

    >>> list(_ordered({"a": Feature("a", "x.a", needs=("b",)), "b": Feature("b", "x.b")}))
    ['b', 'a']
    >>> _ordered({"a": Feature("a", "x.a", needs=("b",))})
    Traceback (most recent call last):
    cranfield.errors.InputError: the feature 'a' needs the feature 'b', which is not installed
    """
    placed: dict[str, Feature] = {}

    def place(feature: Feature) -> None:
        for need in feature.needs:
            if need not in features:
                raise InputError(f"the feature {feature.name!r} needs the feature {need!r}, which is not installed")
            place(features[need])
        placed.setdefault(feature.name, feature)

    for feature in features.values():
        place(feature)
    return placed


def rows(table: str) -> list[Any]:
    """The objects that features add to a table of the core, in their order.

    >>> [row.name for row in rows("formats.nuggets")]
    ['nuggetizer', 'jsonl']
    """
    return [feature.load(row.at) for feature in own().values() for row in feature.rows if row.table == table]
