"""Ids that look the same and differ in Unicode normalisation: an accented letter as one character, or as two."""

from collections.abc import Iterable, Sequence
from typing import Literal
from unicodedata import is_normalized, normalize

FORMS: tuple[Literal["NFC", "NFD"], ...] = ("NFC", "NFD")
Respelling = tuple[str, str]  # an id of the runs, and the id of the judgments that looks the same


def respellings(names: Iterable[str]) -> dict[str, str]:
    r"""Return, for ids that have another normal form, the id by this form; without forms that are ids themselves.

    >>> respellings(["caf\u00e9", "d1"]) == {"cafe\u0301": "caf\u00e9"}, respellings(["caf\u00e9", "cafe\u0301"])
    (True, {})
    """
    own = list(names)
    if "".join(own).isascii():
        return {}
    forms = {normalize(form, name): name for name in own if not name.isascii() for form in FORMS}
    for name in own:
        forms.pop(name, None)
    return forms


def respelled_among(theirs: Iterable[str], ours: Iterable[str]) -> list[Respelling]:
    """Return which of their ids are ours in another normal form."""
    forms = respellings(ours)
    return [(name, forms[name]) for name in theirs if name in forms] if forms else []


def respelled_line(what: str, pairs: Sequence[Respelling]) -> str:
    r"""Return the note on ids that do not match for their normal forms.

    >>> print(respelled_line("document", [("cafe\u0301", "caf\u00e9")]).replace("\u0301", "'").replace("\u00e9", "e'"))
    1 id of a document in the runs differs from the judged one only in Unicode normalisation and does not match it:
    "cafe'" is NFD in the runs and NFC in the judgments; write both in one form, in Python with
    unicodedata.normalize("NFC", text)
    """
    theirs, ours = pairs[0]
    ids, differ, it = ("id of a", "differs from the judged one", "does not match it") if len(pairs) == 1 else (
        "ids of", "differ from judged ones", "do not match them")  # fmt: skip
    noun = what if len(pairs) == 1 else f"{what}s"
    return (
        f"{len(pairs):,} {ids} {noun} in the runs {differ} only in Unicode normalisation and {it}:"
        f' "{theirs}" is {_form(theirs)} in the runs and {_form(ours)} in the judgments; write both in one form, in'
        ' Python with unicodedata.normalize("NFC", text)'
    )


def _form(name: str) -> str:
    return next((form for form in FORMS if is_normalized(form, name)), "in neither NFC nor NFD")
