"""The table of views, by the name in their address; the bar has the first view of each entry, in this order."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from . import judging_tables
from .agreeing import PAIRS
from .assigned import ASSIGNED
from .checks import UNUSUAL
from .collection import COLLECTION
from .compare import COMPARE
from .document import DOCUMENT
from .documents import DOCUMENTS
from .links import LINKS
from .online.experiments import EXPERIMENTS
from .online.log import LOG
from .people import PEOPLE
from .pool import POOL_VIEW
from .query import address
from .ranks import FIRST_RANKS
from .reusability import REUSABILITY
from .runs import RUNS
from .systems import SYSTEMS
from .topic import TOPIC_VIEW
from .topics import TOPICS
from .view import LookView
from .why import WHY

HOME = "Organise"
VIEWS: Mapping[str, LookView] = MappingProxyType(
    {
        "collection": COLLECTION,
        "documents": DOCUMENTS,
        "document": DOCUMENT,
        "runs": RUNS,
        "topics": TOPICS,
        "topic": TOPIC_VIEW,
        "ranks": FIRST_RANKS,
        "pool": POOL_VIEW,
        "systems": SYSTEMS,
        "compare": COMPARE,
        "reusability": REUSABILITY,
        "why": WHY,
        "log": LOG,
        "links": LINKS,
        "work": judging_tables.WORK,
        "pace": judging_tables.PACE,
        "agreement": judging_tables.AGREEMENT,
        "repeats": judging_tables.REPEATS,
        "drift": judging_tables.DRIFT,
        "assigned": ASSIGNED,
        "people": PEOPLE,
        "pairs": PAIRS,
        "unusual": UNUSUAL,
        "experiments": EXPERIMENTS,
    }
)


class Link(NamedTuple):
    """A link of the navigation bar."""

    text: str
    href: str
    current: bool


def navigation(current: str = "") -> list[Link]:
    """The bar of the organiser's pages.

    >>> [(link.text, link.current) for link in navigation("Collection")][:2]
    [('Organise', False), ('Collection', True)]
    """
    first: dict[str, str] = {}
    for name, view in VIEWS.items():
        if view.entry:
            first.setdefault(view.entry, address(name))
    return [Link(text, href, text == current) for text, href in ({HOME: "/"} | first).items()]
