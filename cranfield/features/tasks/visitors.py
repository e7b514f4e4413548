"""Who visits the pages of a task: a team in a browser, or its program."""

from typing import NamedTuple

from starlette.requests import Request

BEARER = "bearer "


class TeamVisitor(NamedTuple):
    """A team that asks, with the token of its forms; a program has none."""

    name: str
    form: str
    program: bool


def is_program(request: Request) -> bool:
    """Whether a program asks, with a token as a Bearer's."""
    return request.headers.get("authorization", "").lower().startswith(BEARER)
