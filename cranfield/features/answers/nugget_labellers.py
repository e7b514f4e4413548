"""Whose nuggets count."""

from cranfield.selection import LabelledBy
from cranfield.view import parse_labelled_by


def nuggets_by(nuggets: str | None) -> LabelledBy | None:
    """Whose nuggets count; None: people's where there are any.

    >>> nuggets_by("models"), nuggets_by(None)
    (<LabelledBy.models: 'models'>, None)
    """
    return None if nuggets is None else parse_labelled_by(nuggets, "nuggets")
