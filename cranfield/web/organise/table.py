"""The pages of the organiser, by the name in their address, and the forms, by theirs."""

from collections.abc import Mapping
from types import MappingProxyType

from cranfield import hooks
from cranfield.web.look.table import NavigationLink
from cranfield.web.organise.judging import AGREEING, CHECKED, OVERVIEW
from cranfield.web.organise.section import Form, OrganiserSection
from cranfield.web.organise.topics import ASSIGN, GIVE, GIVING, SHARING, TOPICS

from .links import INVITE, LINKS, REVOKE, REVOKING

SECTIONS: Mapping[str, OrganiserSection] = MappingProxyType(
    {
        "": OVERVIEW,
        "topics": TOPICS,
        "agreement": AGREEING,
        "checks": CHECKED,
        "links": LINKS,
        "assign": SHARING,
        "give": GIVING,
        "revoke": REVOKING,
        **hooks.named("organise.sections"),
    }
)
FORMS: Mapping[str, Form] = MappingProxyType(
    {"assign": ASSIGN, "give": GIVE, "invite": INVITE, "revoke": REVOKE, **hooks.named("organise.forms")}
)


def entries(current: str) -> list[NavigationLink]:
    """The bar of these pages."""
    listed = {name: section.entry for name, section in SECTIONS.items() if section.entry}
    return [
        NavigationLink(entry, f"/organise/{name}" if name else "/", name == current) for name, entry in listed.items()
    ]
