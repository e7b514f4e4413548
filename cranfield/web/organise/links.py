"""The links of assessors: made with a role and an expiry, listed with their state, revoked."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from cranfield.errors import InputError
from cranfield.report.blocks import Cell, TableBlock
from cranfield.store.invitations import (
    invitations,
    invite,
    revoke,
    revoke_all,
    time_span,
)
from cranfield.store.log import assessors
from cranfield.store.store import Store, now
from cranfield.text import counted, visible_line
from cranfield.web.open_sessions import invited_roles, judging_roles
from cranfield.web.organise.section import Done, Fields, Form, OrganiserSection, SectionRequest, ViewTable, name_in


def _values(request: SectionRequest) -> Mapping[str, Any]:
    links, moment = invitations(request.store), now()
    purposes = {role.name: role.purpose for role in judging_roles()}
    valid = {one.assessor for one in links if one.state(moment) == "valid"}
    rows = [
        {
            "assessor": visible_line(one.assessor),
            "for": purposes.get(one.role) or visible_line(one.role),
            "invited": f"{one.at[:16].replace('T', ' ')} UTC",
            "expires": one.expires[:16].replace("T", " ") + " UTC" if one.expires else "never",
            "state": one.state(moment),
            "change": Cell("revoke", href=f"/organise/revoke?{urlencode({'assessor': one.assessor})}")
            if one.state(moment) == "valid"
            else "",
        }
        for one in reversed(links)
    ]
    return {
        "known": [name for name, kind in assessors(request.store).items() if kind == "human"],
        "roles": invited_roles(),
        "typed": {name: request.field(name) for name in ("assessor", "role", "expires")},
        "valid": len(valid),
        "tables": [ViewTable("links", [TableBlock("links", "Links that were given out, newest first", rows)])]
        if rows
        else [],
    }


def _invite(store: Store, fields: Fields, base: str) -> Done:
    name, expires = name_in(fields.get("assessor", "")), fields.get("expires", "").strip()
    token = invite(store, name, time_span(expires) if expires else None, _role(fields))
    return Done(
        f"A link for {visible_line(name)}, shown only now: copy it and pass it on.", f"{base}/enter/{token}", name
    )


def _role(fields: Fields) -> str:
    name = fields.get("role", "judge")
    if name not in (roles := invited_roles()):
        raise InputError(f"a link to {name!r:.60}; expected {' or '.join(roles)}")
    return name


def _revoke_values(request: SectionRequest) -> Mapping[str, Any]:
    name = request.field("assessor")
    valid = [one for one in invitations(request.store) if one.state(now()) == "valid" and name in ("", one.assessor)]
    return {"whose": name, "count": counted(len(valid), "valid link")}


def _revoke(store: Store, fields: Fields, base: str) -> Done:
    name = fields.get("assessor", "")
    number = revoke(store, name) if name else revoke_all(store)
    return Done(f"{counted(number, 'link')} of {visible_line(name) if name else 'all assessors'} revoked.")


LINKS = OrganiserSection("Links", "organise_links.html", _values, entry="Links")
REVOKING = OrganiserSection("Revoke links", "organise_revoke.html", _revoke_values)
INVITE = Form(_invite, after="links", back="links")
REVOKE = Form(_revoke, after="links", back="revoke")
