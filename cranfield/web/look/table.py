"""The table of views, by the name in their address; the bar has the first view of each entry, in this order."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from cranfield.web.look import judging_tables
from cranfield.web.look.agreeing import PAIRS
from cranfield.web.look.assigned import ASSIGNED
from cranfield.web.look.checks import UNUSUAL
from cranfield.web.look.collection import COLLECTION
from cranfield.web.look.compare import COMPARE
from cranfield.web.look.document import DOCUMENT
from cranfield.web.look.documents import DOCUMENTS
from cranfield.web.look.links import LINKS
from cranfield.web.look.online.experiments import EXPERIMENTS
from cranfield.web.look.online.log import LOG
from cranfield.web.look.people import PEOPLE
from cranfield.web.look.pool import POOL_VIEW
from cranfield.web.look.query import address
from cranfield.web.look.ranks import FIRST_RANKS
from cranfield.web.look.reusability import REUSABILITY
from cranfield.web.look.runs import RUNS
from cranfield.web.look.systems import SYSTEMS
from cranfield.web.look.topic import TOPIC_VIEW
from cranfield.web.look.topics import TOPICS
from cranfield.web.look.view import LookView
from cranfield.web.look.why import WHY

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
