"""What numpydoc finds in the docstrings of public names: `python -m tests.docstrings` drops exceptions that are fixed.

`docstring_exceptions.txt` lists what is accepted so far, a name and its codes on each line. It never grows.
"""

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from inspect import isclass, isfunction, ismethod
from pathlib import Path
from typing import Any

from cranfield.results import Result
from tests.namespaces import PUBLIC_MODULES, public_callables

LISTED = Path(__file__).with_name("docstring_exceptions.txt")
CHECKS = {
    "GL06": "unknown section", "GL07": "sections in the wrong order", "GL08": "no docstring",
    "PR01": "parameter not documented", "PR02": "unknown parameter", "PR03": "parameters in the wrong order",
    "PR04": "parameter without a type", "PR07": "parameter without a description", "RT01": "no Returns section",
    "RT03": "return value without a description", "SS03": "summary does not end with a period",
    "SS05": "summary is not an infinitive", "SS06": "summary in several lines", "YD01": "no Yields section",
    "EX01": "no example", "RS01": "raises an error, without a Raises section",
}  # fmt: skip


def documented() -> Mapping[str, Any]:
    """The public functions, classes and methods of the namespaces, and the methods of results, by name."""
    every = public_callables()
    named = {name: value for name, value in every.items() if name.rpartition(".")[0] in PUBLIC_MODULES}
    classes = {**{name: kind for name, kind in named.items() if isclass(kind)}, "cranfield.results.Result": Result}
    methods = {
        f"{name}.{part}": getattr(kind, part)
        for name, kind in classes.items()
        for part in vars(kind)
        if f"{name}.{part}" in every and part != "__init__" and not _inherits_docstring(kind, part)
    }
    return named | methods


def _inherits_docstring(kind: type, name: str) -> bool:
    """Whether a method has the docstring of the method that it overrides, which is checked there."""
    method = getattr(kind, name)
    return isfunction(method) and method.__doc__ is None and any(getattr(base, name, None) for base in kind.__bases__)


def findings() -> dict[str, list[str]]:
    """The codes of what is wrong, by name; names without a finding are absent."""
    found = {name: sorted(codes_of(value)) for name, value in documented().items()}
    return {name: codes for name, codes in sorted(found.items()) if codes}


def codes_of(value: Any) -> Iterator[str]:
    """The codes of what is wrong in the docstring of a function or class."""
    from numpydoc.validate import get_doc_object, validate

    needs_example = isfunction(value) and "." not in value.__qualname__  # methods and classes need none
    for code, _ in validate(get_doc_object(value))["errors"]:
        if code in CHECKS and (needs_example or code != "EX01"):
            yield code
    has_code, text = isfunction(value) or ismethod(value), inspect.cleandoc(value.__doc__ or "")
    if has_code and _raises(value) and "\nRaises\n" not in text:
        yield "RS01"


def _raises(function: Any) -> bool:
    """Whether a function itself raises an error."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(function))))
    return any(isinstance(node, ast.Raise) and node.exc is not None for node in ast.walk(tree))


def listed() -> dict[str, list[str]]:
    """The exceptions, by name."""
    lines = LISTED.read_text(encoding="utf-8").splitlines()
    return {name: codes.split() for name, _, codes in (line.partition(": ") for line in lines)}


def counted(several: Mapping[str, list[str]]) -> int:
    """How many findings there are."""
    return sum(map(len, several.values()))


def excess(found: Mapping[str, list[str]], accepted: Mapping[str, list[str]]) -> list[str]:
    """The findings that no exception accepts, a line each."""
    return [
        f"{name}: {code}, {CHECKS[code]}"
        for name, codes in found.items()
        for code in sorted({*codes})
        if codes.count(code) > accepted.get(name, []).count(code)
    ]


if __name__ == "__main__":
    now = findings()
    if LISTED.exists() and (more := excess(now, listed())):
        raise SystemExit("\n".join(more))
    LISTED.write_text("".join(f"{name}: {' '.join(codes)}\n" for name, codes in now.items()), encoding="utf-8")
