"""The links of assessors: made with a role and an expiry, listed with their state, revoked."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from cranfield.errors import InputError
from cranfield.report.blocks import Cell, TableBlock
from cranfield.store.invitations import (
    invitations,
    invite,
    parse_time_span,
    revoke,
    revoke_all,
)
from cranfield.store.log import assessors
from cranfield.store.store import Store, now
from cranfield.text import visible_line
from cranfield.web.language import Language, translatable
from cranfield.web.look.times import time_cell
from cranfield.web.open_sessions import invited_roles, judging_roles
from cranfield.web.organise.section import (
    Done,
    Fields,
    Form,
    OrganiserSection,
    SectionRequest,
    ViewTable,
    parse_name_field,
)


def _values(request: SectionRequest) -> Mapping[str, Any]:
    links, moment, language = invitations(request.store), now(), request.language
    purposes = {role.name: role.purpose for role in judging_roles()}
    valid = {one.assessor for one in links if one.state(moment) == "valid"}
    rows = [
        {
            "assessor": visible_line(one.assessor),
            "for": language.look_up(purposes.get(one.role, "")) or visible_line(one.role),
            "invited": time_cell(one.at, request.moment, language=language),
            "expires": time_cell(one.expires, request.moment, language.gettext("never"), language),
            "state": language.look_up(one.state(moment)),
            "change": Cell(language.gettext("revoke"), href=f"/organise/revoke?{urlencode({'assessor': one.assessor})}")
            if one.state(moment) == "valid"
            else "",
        }
        for one in reversed(links)
    ]
    return {
        "known": [name for name, kind in assessors(request.store).items() if kind == "human"],
        "roles": {name: language.look_up(purpose) for name, purpose in invited_roles().items()},
        "typed": {name: request.field(name) for name in ("assessor", "role", "expires")},
        "valid": len(valid),
        "tables": [ViewTable("links", [TableBlock("links", translatable("Issued links, newest first"), rows)])]
        if rows
        else [],
    }


def _invite(store: Store, fields: Fields, base: str, language: Language) -> Done:
    name, expires = parse_name_field(fields.get("assessor", "")), fields.get("expires", "").strip()
    token = invite(store, name, parse_time_span(expires) if expires else None, _role(fields))
    return Done(
        language.gettext(
            "Link for %(name)s. It is shown only once: copy it and send it to them.", name=visible_line(name)
        ),
        f"{base}/enter/{token}",
        name,
    )


def _role(fields: Fields) -> str:
    name = fields.get("role", "judge")
    if name not in (roles := invited_roles()):
        raise InputError(f"the link's role is {name!r:.60}; expected {' or '.join(roles)}")
    return name


def _revoke_values(request: SectionRequest) -> Mapping[str, Any]:
    name = request.field("assessor")
    valid = [one for one in invitations(request.store) if one.state(now()) == "valid" and name in ("", one.assessor)]
    return {
        "whose": name,
        "is_valid": bool(valid),
        "count": request.language.ngettext("%(num)s valid link", "%(num)s valid links", len(valid)),
    }


def _revoke(store: Store, fields: Fields, base: str, language: Language) -> Done:
    name = fields.get("assessor", "")
    number = revoke(store, name) if name else revoke_all(store)
    if not number:
        return Done(language.gettext("No link was revoked, because no valid link was chosen."))
    if not name:
        return Done(
            language.ngettext(
                "%(num)s link of all assessors revoked.", "%(num)s links of all assessors revoked.", number
            )
        )
    revoked = language.ngettext(
        "%(num)s link of %(name)s revoked.", "%(num)s links of %(name)s revoked.", number, name=visible_line(name)
    )
    return Done(revoked)


LINKS = OrganiserSection(translatable("Links"), "organise_links.html", _values, entry=translatable("Links"))
REVOKING = OrganiserSection(
    translatable("Revoke links"), "organise_revoke.html", _revoke_values, entry=translatable("Links")
)
INVITE = Form(_invite, after="links", back="links")
REVOKE = Form(_revoke, after="links", back="revoke")
