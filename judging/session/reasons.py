"""The reasons why a document cannot be judged."""

from __future__ import annotations

from cranfield.errors import InputError

REASONS = ("unreadable", "wrong language", "topic unclear")  # or "other: " and a text
OTHER = "other: "


def known_reason(reason: str) -> str:
    """The reason, if it is valid.

    >>> known_reason("unreadable"), known_reason("other: torn")
    ('unreadable', 'other: torn')
    >>> known_reason("dull")
    Traceback (most recent call last):
    cranfield.errors.InputError: 'dull' is not a reason; the reasons are unreadable, wrong language, topic unclear, or
    other: and a text
    """
    if reason not in REASONS and not (reason.startswith(OTHER) and reason.removeprefix(OTHER).strip()):
        raise InputError(
            f"{reason!r} is not a reason; the reasons are {', '.join(REASONS)}, or {OTHER.strip()} and a text"
        )
    return reason
