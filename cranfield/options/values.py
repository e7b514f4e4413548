"""What values an option takes: of its type, among its names, within its bounds; several measures in one text."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import inf
from os import PathLike
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin

from cranfield.text import measures_in


def expected(kind: Any, settings: Mapping[str, Any], value: Any) -> str:
    """What would be right in place of a value, for a type and the settings of an option; empty where it is right.

    >>> expected(Literal["run", "team", "kind"], {}, "runs"), expected(float | None, {"min": 0, "max": 1}, 5)
    ('run, team or kind', 'a number from 0 to 1')
    >>> expected(int, {"min": 1}, 1.5), expected(Sequence[str], {}, ["a", 1]), expected(float, {}, 1)
    ('a whole number from 1', 'a list of names', '')
    """
    if get_origin(kind) is Literal:
        *names, last = get_args(kind)
        return "" if value in (*names, last) else f"{', '.join(names)} or {last}"
    kinds = ({*get_args(kind)} if isinstance(kind, UnionType) else {kind}) - {NoneType}
    forms = {
        settings.get("metavar") or "text": kinds == {str} and not isinstance(value, str | PathLike),
        "a number": kinds == {float} and (isinstance(value, str) or not hasattr(value, "__float__")),
        "a dict": all(get_origin(one) is Mapping for one in kinds) and not isinstance(value, Mapping),
        "a list of names": Sequence[str] in kinds and not _is_names(value),
    }
    return next((form for form, is_wrong in forms.items() if is_wrong), "") or _bounds(kinds, settings, value)


def _is_names(value: object) -> bool:
    """Whether a value is names, or one."""
    if isinstance(value, PathLike):
        return True
    if isinstance(value, Collection):  # what can be gone through again
        return all(isinstance(name, str | PathLike) for name in value)
    return isinstance(value, Iterable)


def _bounds(kinds: set[Any], settings: Mapping[str, Any], value: Any) -> str:
    """Where a number has to lie that does not."""
    least, most = settings.get("min"), settings.get("max", inf)
    if least is None or not (kinds == {float} or int in kinds):
        return ""
    whole = int not in kinds or hasattr(value, "__index__")
    if whole and least <= value <= most:
        return ""
    return f"a {'whole ' * (int in kinds)}number from {least}{'' if most == inf else f' to {most}'}"


def measures_of(value: Sequence[str]) -> list[str]:
    """Measures, split at the commas outside their own options.

    >>> measures_of(["AP,P@10", 'nDCG(gains="0=1,2=4")@10,RBP(p=0.8,rel=2)', "AP(rel=2"])
    ['AP', 'P@10', 'nDCG(gains="0=1,2=4")@10', 'RBP(p=0.8,rel=2)', 'AP(rel=2']
    """
    return [name for text in value for name in measures_in(text)]
