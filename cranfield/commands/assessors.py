"""Assessors: the links with which they work in the browser."""

from __future__ import annotations

from cranfield.commands.calls import open_store_call
from cranfield.errors import ArgumentError
from cranfield.extras import require_extra
from cranfield.options.arguments import PresentStore, check_arguments
from cranfield.options.judging import (
    InvitedAssessor,
    InvitedRole,
    IsToAdjudicate,
    LinkLifetime,
    MaySearch,
    NameOfAssessor,
)
from cranfield.results import Result, ResultInLines
from cranfield.text import counted, visible_line


@check_arguments
def invite_assessor(
    store: PresentStore,
    assessor: InvitedAssessor,
    *,
    expires: LinkLifetime = None,
    adjudicate: IsToAdjudicate = False,
    role: InvitedRole = None,
    search: MaySearch = False,
) -> Result:
    """Print a link that lets an assessor judge in the browser.

    The link works while the store is served. It is shown only once, because the store keeps only a hash. Earlier links
    of the assessor stay valid. With `adjudicate`, the link leads only to the disagreements between assessors. With
    `role`, the link leads to other work, such as labelling answers or comparing documents. With `search`, the
    assessor can search the corpus. The store always records which documents were found by searching.

    Example: cranfield assessor invite track.db ada --expires 14d

    Example: cranfield assessor invite track.db eve --adjudicate

    Parameters
    ----------
    store : path or Store
        The store.
    assessor : str
        Name of the assessor, under which labels are stored.
    expires : str, optional
        How long the link is valid, such as "14d", "12h" or "2w". By default, it is valid until it is revoked.
    adjudicate : bool
        Whether the link is for settling disagreements, as with `role="adjudicate"`.
    role : str, optional
        Work that the link allows: "judge" (the default), "adjudicate", or work that a feature adds.
    search : bool
        Whether the assessor may also search the corpus and judge the documents found.

    Returns
    -------
    Result
        One row: the assessor, the role, and the link's token, which is not stored.

    Raises
    ------
    InputError
        If the role or the time is invalid.
    StoreError
        If the name is invalid or belongs to a model.

    Examples
    --------
    >>> import cranfield
    >>> with cranfield.Store.memory("small") as store:
    ...     invite_assessor(store, "ada", expires="14d").frame[["assessor", "role"]].values.tolist()
    [['ada', 'judge']]
    """
    require_extra("serve", "an invitation to judge in the browser")
    from cranfield.store.connection import readable_store_notes
    from cranfield.store.invitations import invite, parse_time_span
    from cranfield.web.open_sessions import invited_roles, judging_roles

    if adjudicate and role not in (None, "adjudicate"):
        raise ArgumentError("expected only one role per link", "role")
    purpose, roles = "adjudicate" if adjudicate else role or "judge", invited_roles()
    if purpose not in roles:
        raise ArgumentError(f"{role!r}; expected {', '.join(roles)}", "role")
    valid = parse_time_span(expires) if expires else None
    if search and purpose != "judge":
        raise ArgumentError("works only for a judging link", "search")
    with open_store_call(store) as call:
        for invited in judging_roles() if search else ():
            if invited.allow:
                invited.allow(call.store, assessor)
        token = invite(call.store, assessor, valid, purpose)
        if call.place.is_file():
            call.keep(*readable_store_notes(call.place))
        row = {"assessor": assessor, "role": purpose, "token": token}
        return Result([row], context=call.context("judging.invite_assessor"))


@check_arguments
def list_invitations(store: PresentStore) -> Result:
    """List the assessors' links and their state.

    Example: cranfield assessor list track.db

    Example: cranfield assessor list track.db --format json

    Parameters
    ----------
    store : path or Store
        The store.

    Returns
    -------
    Result
        One row per link, with the columns assessor, role, invited, expires and state. Times are in UTC, to the minute.
        The column state is valid, expired or revoked.

    Examples
    --------
    >>> import cranfield
    >>> with cranfield.Store.memory("small") as store:
    ...     _ = invite_assessor(store, "ada")
    ...     list_invitations(store).frame[["assessor", "expires", "state"]].values.tolist()
    [['ada', 'never', 'valid']]
    """
    from cranfield.store.invitations import invitations
    from cranfield.store.store import now

    with open_store_call(store) as call:
        rows = [
            {
                "assessor": visible_line(one.assessor),
                "role": one.role,
                "invited": one.at[:16],
                "expires": (one.expires or "never")[:16],
                "state": one.state(now()),
            }
            for one in invitations(call.store)
        ]
        title = "" if rows else "Nobody has been invited yet. `cranfield assessor invite` makes a link."
        return Result(rows, title=title, context=call.context("judging.list_invitations"))


@check_arguments
def revoke_invitations(store: PresentStore, assessor: NameOfAssessor) -> ResultInLines:
    """Revoke all links of an assessor immediately. Recorded work is kept.

    Example: cranfield assessor revoke track.db ada

    Example: cranfield assessor revoke track.db bo

    Parameters
    ----------
    store : path or Store
        The store.
    assessor : str
        The name of the assessor.

    Returns
    -------
    ResultInLines
        One row: the assessor and the number of links revoked.

    Raises
    ------
    StoreError
        If the assessor has no invitation.

    Examples
    --------
    >>> import cranfield
    >>> with cranfield.Store.memory("small") as store:
    ...     _ = invite_assessor(store, "ada")
    ...     revoke_invitations(store, "ada")
    1 link of ada revoked
    """
    from cranfield.store.invitations import revoke

    with open_store_call(store) as call:
        number = revoke(call.store, assessor)
        lines, context = (
            [f"{counted(number, 'link')} of {assessor} revoked"],
            call.context("judging.revoke_invitations"),
        )
        return ResultInLines([{"assessor": assessor, "links": number}], lines=lines, context=context)
