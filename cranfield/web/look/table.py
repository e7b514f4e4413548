"""The table of views, by the name in their address; the bar has the first view of each entry, in this order."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from cranfield import hooks
from cranfield.web.look import judging
from cranfield.web.look.collection import COLLECTION, RUNS
from cranfield.web.look.documents import DOCUMENT, DOCUMENTS, WHY
from cranfield.web.look.hardness import HARDNESS
from cranfield.web.look.judging import ASSIGNED, LINKS, PAIRS, PEOPLE, POOL_VIEW, UNUSUAL
from cranfield.web.look.scores import COMPARE, SYSTEMS
from cranfield.web.look.topics import FIRST_RANKS, TOPIC_VIEW, TOPICS
from cranfield.web.look.view import LookView, address

from .reusability import REUSABILITY

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
        "hardness": HARDNESS,
        "pool": POOL_VIEW,
        "systems": SYSTEMS,
        "compare": COMPARE,
        "reusability": REUSABILITY,
        "why": WHY,
        "links": LINKS,
        "work": judging.WORK,
        "pace": judging.PACE,
        "agreement": judging.AGREEMENT,
        "repeats": judging.REPEATS,
        "drift": judging.DRIFT,
        "assigned": ASSIGNED,
        "people": PEOPLE,
        "pairs": PAIRS,
        "unusual": UNUSUAL,
        **hooks.named("look"),
    }
)


class NavigationLink(NamedTuple):
    """A link of the navigation bar."""

    text: str
    href: str
    current: bool


def navigation(current: str = "") -> list[NavigationLink]:
    """The bar of the organiser's pages.

    >>> [(link.text, link.current) for link in navigation("Collection")][:2]
    [('Organise', False), ('Collection', True)]
    """
    first: dict[str, str] = {}
    for name, view in VIEWS.items():
        if view.entry:
            first.setdefault(view.entry, address(name))
    return [NavigationLink(text, href, text == current) for text, href in ({HOME: "/"} | first).items()]
