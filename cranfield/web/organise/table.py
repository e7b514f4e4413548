"""The pages of the organiser, by the name in their address, and the forms, by theirs."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from cranfield.web.look.table import Link

from .agreement import AGREEING
from .checks import CHECKED
from .give import GIVE, GIVING
from .links import INVITE, LINKS, REVOKE, REVOKING
from .overview import OVERVIEW
from .section import Form, Section
from .share import ASSIGN, SHARING
from .topics import TOPICS

SECTIONS: Mapping[str, Section] = MappingProxyType(
    {
        "": OVERVIEW,
        "topics": TOPICS,
        "agreement": AGREEING,
        "checks": CHECKED,
        "links": LINKS,
        "assign": SHARING,
        "give": GIVING,
        "revoke": REVOKING,
    }
)
FORMS: Mapping[str, Form] = MappingProxyType({"assign": ASSIGN, "give": GIVE, "invite": INVITE, "revoke": REVOKE})


def entries(current: str) -> list[Link]:
    """The bar of these pages."""
    listed = {name: section.entry for name, section in SECTIONS.items() if section.entry}
    return [Link(entry, f"/organise/{name}" if name else "/", name == current) for name, entry in listed.items()]
