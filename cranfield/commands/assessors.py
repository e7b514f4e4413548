"""Assessors: the links with which they work in the browser."""

from __future__ import annotations

from cranfield.api.arguments import check_arguments
from cranfield.commands.opened import open_store_call
from cranfield.errors import ArgumentError
from cranfield.extras import require
from cranfield.options.given import PresentStore
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
    """Print a link with which an assessor judges in the browser while the store is served.

    The link is shown once: the store keeps only a hash of it. Earlier links of the assessor stay valid. With
    `adjudicate` the link leads to the disagreements between assessors, and to nothing else; `role` names other work,
    such as labels of answers or comparisons of documents. What an assessor with `search` finds and judges is kept apart
    from what she was given, for ever.

    Example: cranfield assessor invite track.db ada --expires 14d

    Example: cranfield assessor invite track.db eve --adjudicate

    Parameters
    ----------
    store : path or Store
        The store.
    assessor : str
        The name of the assessor, under which labels are stored.
    expires : str, optional
        How long the link is valid, such as "14d", "12h" or "2w"; by default until it is revoked.
    adjudicate : bool
        Whether the link is for settling disagreements; the same as `role="adjudicate"`.
    role : str, optional
        What the link is for: "judge" by default, "adjudicate", or a task of a feature.
    search : bool
        Whether the assessor may search the corpus, too, and judge what they find.

    Returns
    -------
    Result
        One row: the assessor, the role, and the token of the link, which is not stored.

    Raises
    ------
    InputError
        If the role or the time is invalid.
    StoreError
        If the name is invalid, or is the name of a model.

    Examples
    --------
    >>> import cranfield
    >>> with cranfield.Store.memory("small") as store:
    ...     invite_assessor(store, "ada", expires="14d").frame[["assessor", "role"]].values.tolist()
    [['ada', 'judge']]
    """
    require("serve", "an invitation to judge in the browser")
    from cranfield.store.connection import readable_store_notes
    from cranfield.store.invitations import invite, time_span
    from cranfield.web.open_sessions import invited_roles, judging_roles

    if adjudicate and role not in (None, "adjudicate"):
        raise ArgumentError("a link has one role", "role")
    purpose, roles = "adjudicate" if adjudicate else role or "judge", invited_roles()
    if purpose not in roles:
        raise ArgumentError(f"{role!r}; expected {', '.join(roles)}", "role")
    valid = time_span(expires) if expires else None
    if search and purpose != "judge":
        raise ArgumentError("goes with a link for judging", "search")
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
    """List the links that were given to assessors, with their state.

    Example: cranfield assessor list track.db

    Example: cranfield assessor list track.db --format json

    Parameters
    ----------
    store : path or Store
        The store.

    Returns
    -------
    Result
        A row for each link: assessor, role, invited and expires (in UTC, to the minute) and state: valid, expired or
        revoked.

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
        title = "" if rows else "Nobody has been invited yet; `cranfield assessor invite` makes a link."
        return Result(rows, title=title, context=call.context("judging.list_invitations"))


@check_arguments
def revoke_invitations(store: PresentStore, assessor: NameOfAssessor) -> ResultInLines:
    """Revoke all links of an assessor, at once; what was recorded stays.

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
        One row: the assessor and the number of their links that are revoked now.

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
