"""What values an option takes: of its type, among its names, within its bounds; several measures in one text."""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import inf
from numbers import Integral, Number, Real
from operator import index
from os import PathLike, fspath
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, SupportsFloat, SupportsIndex, Union, get_args, get_origin

from cranfield.text import join_words, measures_in


def describe_expected(kind: Any, settings: Mapping[str, Any], value: Any) -> str:
    """What would be right in place of a value, for a type and the settings of an option; empty where it is right.

    Of a type that is none of a few simple ones nothing is wrong.

    >>> describe_expected(Literal["run", "team", "kind"], {}, "runs")
    'run, team or kind'
    >>> describe_expected(float | None, {"min": 0, "max": 1}, 5)
    'a number from 0 to 1'
    >>> describe_expected(int, {"min": 1}, 1.5), describe_expected(Sequence[str], {}, ["a", 1])
    ('a whole number of at least 1', 'a list of names')
    >>> describe_expected(float, {}, 1)
    ''
    >>> describe_expected(Sequence[str] | None, {}, "kim"), describe_expected(str | Sequence[str], {}, "kim")
    ('a list of names', '')
    >>> describe_expected(int | None, {"max": -1}, -2), describe_expected(int | None, {"max": -1}, 0)
    ('', 'a whole number of at most -1')
    >>> describe_expected(tuple[int, str | PathLike[str]], {"min": 1}, (0, "a"))
    'a pair of a whole number of at least 1 and a path'
    >>> describe_expected(tuple[int, Path], {}, (3, "a")), describe_expected(object, {}, 3)
    ('', '')
    >>> describe_expected(bool, {}, "no"), describe_expected(str | PathLike[str] | None, {}, 3)
    ('True or False', 'a path')
    """
    if value is None and NoneType in types_in_union(kind):
        return ""
    forms = _forms(kind, *((name, settings[name]) for name in STATED if name in settings))
    if any(form is None or form.holds(value) for form in forms):
        return ""
    return join_words([*dict.fromkeys(word for form in forms if form for word in form.words)], "or")


STATED = ("min", "max", "metavar")  # settings of an option that say what is right


class _Form(NamedTuple):
    """What values of a type are called, and whether something is one."""

    words: Sequence[str]
    holds: Callable[[Any], bool]


@cache
def types_in_union(kind: Any) -> Sequence[Any]:
    """The types that a type is one of."""
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


@cache
def _forms(kind: Any, *settings: tuple[str, Any]) -> Sequence[_Form | None]:
    """Those of the types that a type is one of; where text or a list is taken, the text counts as a list of one."""
    kinds = types_in_union(kind)
    has_text = any(get_origin(one) is PathLike or one in _NAMES for one in kinds)
    forms = [_form(one, dict(settings)) for one in kinds if one is not NoneType and not (has_text and one is str)]
    return [_SEVERAL_NAMES if form is _LISTS[str] and str not in kinds else form for form in forms]


def _form(kind: Any, settings: Mapping[str, Any]) -> _Form | None:
    """That of a type; None where it is no simple one."""
    origin, args = get_origin(kind) or kind, get_args(kind)
    forms: Mapping[Any, Callable[[], _Form | None]] = {
        Literal: lambda: _Form(args, lambda value: _is_scalar(value) and value in args),
        bool: lambda: _Form(["True or False"], lambda value: _is_scalar(value) and value in (True, False)),
        int: lambda: _number(int, settings),
        float: lambda: _number(float, settings),
        str: lambda: _Form([_words_for_text(settings.get("metavar"))], lambda value: isinstance(value, str | PathLike)),
        PathLike: lambda: _Form(["a path"], _is_path),
        Path: lambda: _Form(["a path"], _is_path),
        Mapping: lambda: _Form(
            ["a dict"],
            lambda value: isinstance(value, Mapping) and (args[:1] != (str,) or _are_all_of_type(str, value)),
        ),
        tuple: lambda: _pair_form(args, settings),
        Sequence: lambda: _LISTS.get(args[0]),
        Iterable: lambda: _LISTS.get(args[0]),
    }
    if origin in forms:
        return forms[origin]()
    is_class = isinstance(kind, type) and kind not in (object, Any) and not getattr(kind, "_is_protocol", False)
    return _Form([f"a {kind.__name__}"], lambda value: isinstance(value, kind)) if is_class else None


def _words_for_text(metavar: str | None) -> str:
    """What a text is called; a metavar of one word, such as QID, names no form of it."""
    return metavar if metavar and not metavar.isupper() else "a text"


def _is_path(value: object) -> bool:
    return isinstance(value, str | PathLike) and "\0" not in str(value)


def _is_scalar(value: object) -> bool:
    """Whether a value is no array or table."""
    return not getattr(value, "shape", ())


LARGEST = 2**63 - 1


def _number(kind: type, settings: Mapping[str, Any]) -> _Form:
    largest = LARGEST if kind is int else inf
    least, most = settings.get("min"), settings.get("max", largest)
    low, needs = (-largest if least is None else least), "__index__" if kind is int else "__float__"

    def holds(value: Any) -> bool:
        is_number = _is_scalar(value) and hasattr(value, needs) and not isinstance(value, bool)
        return is_number and (low <= value <= most or (least is None and most == inf))

    has_most = most not in (inf, LARGEST)
    if least is None:
        bounds = f" of at most {most}" * has_most
    else:
        bounds = f" from {least} to {most}" if has_most else f" of at least {least}"
    return _Form([f"a {'whole ' * (kind is int)}number{bounds}"], holds)


def _is_names(value: object) -> bool:
    """Whether a value is names, or one."""
    if isinstance(value, PathLike):
        return True
    return isinstance(value, Collection) and getattr(value, "ndim", 1) == 1 and _are_all_of_type(str | PathLike, value)


def _is_several_names(value: object) -> bool:
    """Whether a value is a list of names. The letters of a text would be taken for names."""
    return not isinstance(value, str | PathLike) and _is_names(value)


def _are_all_of_type(kind: Any, values: Iterable[object]) -> bool:
    return all(isinstance(one, kind) for one in values)


def _is_dict(value: object) -> bool:
    return isinstance(value, Mapping) and _are_all_of_type(str, value)


def _is_paths(value: Any) -> bool:
    return _is_list(object)(value) and all(map(_is_path, value))


def _is_pair(value: Any) -> bool:
    return _is_list(SupportsFloat)(value) and len(value) == 2


def _pair_form(kinds: Sequence[Any], settings: Mapping[str, Any]) -> _Form:
    if all(kind in (int, float) for kind in kinds):
        return _Form(["a pair of numbers"], _is_pair)
    bounds = {name: value for name, value in settings.items() if name != "metavar"}

    def holds(value: Any) -> bool:
        is_pair = isinstance(value, list | tuple) and len(value) == len(kinds)
        return is_pair and not any(describe_expected(kind, bounds, one) for kind, one in zip(kinds, value, strict=True))

    words = [describe_expected(kind, bounds, _NO_VALUE) for kind in kinds]
    return _Form([f"a pair of {' and '.join(words)}"], holds)


_NO_VALUE = object()  # right for no type


def _is_list(kind: Any) -> Callable[[object], bool]:
    return lambda value: (
        isinstance(value, Collection) and not isinstance(value, str | bytes) and _are_all_of_type(kind, value)
    )


_LISTS = {
    str: _Form(["a list of names"], _is_names),
    int: _Form(["a list of whole numbers"], _is_list(SupportsIndex)),
    str | PathLike[str]: _Form(
        ["a list of paths"], lambda value: _is_list(object)(value) and all(map(_is_path, value))
    ),
    Sequence[Hashable]: _Form(["a list of lists"], _is_list(Collection)),
}
_NAMES = (Sequence[str], Iterable[str])
_SEVERAL_NAMES = _Form(_LISTS[str].words, _is_several_names)


def python_value(kind: Any, value: Any) -> Any:
    """A value as functions take it: a path where text is meant is its text, other lists are lists.

    >>> from pathlib import Path
    >>> python_value(str | None, Path("a.txt")), python_value(Sequence[str], iter(["a", "b"]))
    ('a.txt', ['a', 'b'])
    >>> import numpy as np
    >>> python_value(int | None, np.int64(2)), python_value(float, np.float32(0.5)), python_value(Sequence[int], [np.int8(1)])
    (2, 0.5, [1])
    """  # noqa: E501
    means_text, means_list = _text_and_list_flags(kind)
    if isinstance(value, Number) and not isinstance(value, bool | int):  # such as NumPy's
        return python_number(kind, value)
    if (
        means_list
        and isinstance(value, Iterable)
        and Sequence[int] in types_in_union(kind)
        and not isinstance(value, str)
    ):
        return [python_number(int, item) for item in value]
    if means_text and isinstance(value, PathLike):
        return fspath(value)
    return list(value) if means_list and (isinstance(value, Iterator) or not _is_scalar(value)) else value


def python_number(kind: Any, value: Any) -> Any:
    """A whole number as an int, and a real number as a float, where an option takes one of these types."""
    kinds = types_in_union(kind)
    if isinstance(value, bool | int | float) or not {int, float} & {*kinds}:
        return value
    if isinstance(value, Integral):
        return index(value)
    return float(value) if isinstance(value, Real) and float in kinds else value


@cache
def _text_and_list_flags(kind: Any) -> tuple[bool, bool]:
    """Whether a path stands for its text, and whether what is no list is made one."""
    kinds = types_in_union(kind)
    origins = {get_origin(one) or one for one in kinds}
    means_text = PathLike not in origins and bool(origins & {str, Sequence, Iterable})
    if None in _forms(kind):  # what is not of a simple type may have a meaning of its own, such as a DataFrame
        return means_text, False
    return means_text, any(get_origin(one) in (Sequence, Iterable) and get_args(one)[0] in _LISTS for one in kinds)


def measures_of(value: Sequence[str]) -> list[str]:
    """Measures, split at the commas outside their own options.

    >>> measures_of(["AP,P@10", 'nDCG(gains="0=1,2=4")@10,RBP(p=0.8,rel=2)', "AP(rel=2"])
    ['AP', 'P@10', 'nDCG(gains="0=1,2=4")@10', 'RBP(p=0.8,rel=2)', 'AP(rel=2']
    """
    return [name for text in value for name in measures_in(text)]
