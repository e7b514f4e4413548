"""Ids that look the same and differ in Unicode normalisation: an accented letter as one character, or as two."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal
from unicodedata import is_normalized, normalize

FORMS: tuple[Literal["NFC", "NFD"], ...] = ("NFC", "NFD")
Respelling = tuple[str, str]  # an id, and the id elsewhere that looks the same


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


def respelled_line(
    what: str, pairs: Sequence[Respelling], theirs: str = "the runs", ours: str = "the judgments"
) -> str:
    r"""Return the note on ids that do not match for their normal forms.

    >>> print(respelled_line("document", [("cafe\u0301", "caf\u00e9")]).replace("\u0301", "'").replace("\u00e9", "e'"))
    1 id of a document in the runs differs from an id in the judgments only in Unicode normalisation and does not match
    it: "cafe'" is NFD in the runs and NFC in the judgments; normalise both, in Python with unicodedata.normalize("NFC",
    text)
    """
    first, second = pairs[0]
    ids, differ, it = ("id of a", "differs from an id", "does not match it") if len(pairs) == 1 else (
        "ids of", "differ from ids", "do not match them")  # fmt: skip
    noun = what if len(pairs) == 1 else f"{what}s"
    return (
        f"{len(pairs):,} {ids} {noun} in {theirs} {differ} in {ours} only in Unicode normalisation and {it}:"
        f' "{first}" is {_form(first)} in {theirs} and {_form(second)} in {ours}; normalise both, in'
        ' Python with unicodedata.normalize("NFC", text)'
    )


def respelled_notes(what: str, ids: Mapping[str, Iterable[str]]) -> list[str]:
    r"""Return notes on ids of one place that are ids of an earlier place in another normal form, at most one a place.

    >>> respelled_notes("topic", {"a.txt": ["1"], "b.txt": ["2"]})
    []
    >>> print(respelled_notes("topic", {"a.txt": ["\u00e9"], "b.txt": ["e\u0301"]})[0][:73])
    1 id of a topic in b.txt differs from an id in a.txt only in Unicode norm
    """
    places, notes = dict[str, str](), list[str]()
    for place, names in ids.items():
        special = [name for name in dict.fromkeys(names) if not name.isascii()]
        if pairs := respelled_among([name for name in special if name not in places], places):
            earlier = places[pairs[0][1]]
            pairs = [(first, second) for first, second in pairs if places[second] == earlier]
            notes.append(respelled_line(what, pairs, place, earlier))
        places = {**dict.fromkeys(special, place), **places}
    return notes


def _form(name: str) -> str:
    return next((form for form in FORMS if is_normalized(form, name)), "in neither NFC nor NFD")
