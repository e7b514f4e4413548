"""The stub of the functions that take options of features, made from both: `python -m tests.stubs` writes it again."""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_type_hints

from cranfield import hooks
from cranfield.api import inputs, measuring, trusting
from cranfield.store.labelled_by import LabelledBy

STUB = Path(inputs.__file__).with_name("with_features.pyi")
FUNCTIONS: dict[str, Callable[..., Any]] = {  # by the command whose options they take
    "compare": measuring.compare,
    "evaluate": measuring.evaluate,
    "reusability": trusting.leave_one_out,
}
HEAD = '''"""Made by `python -m tests.stubs` from the functions and from what features add to their commands."""

from collections.abc import Mapping, Sequence
from typing import Any

from pandas import DataFrame

from cranfield.api.inputs import {names}
'''


def stub() -> str:
    """The whole file."""
    typed = [signature(function, command) for command, function in FUNCTIONS.items()]
    words = {*re.findall(r"\w+", "\n".join(typed))}
    names = sorted(name for name in words if name in vars(inputs) and name[0].isupper() and name not in HEAD)
    listed = "".join(f"    {name},\n" for name in names)
    return "".join([HEAD.format(names=f"(\n{listed})"), "\n", *typed])


def signature(function: Callable[..., Any], command: str) -> str:
    """A function without its body, with the options of features by name."""
    source = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(source, ast.FunctionDef)
    found = source.args
    defaults = [None] * (len(found.args) - len(found.defaults)) + found.defaults
    lines = [_option(*one) for one in zip(found.args, defaults, strict=True)] + ["*"]
    lines += [_option(*one) for one in zip(found.kwonlyargs, found.kw_defaults, strict=True)]
    lines += added(command)
    if found.kwarg and found.kwarg.arg != "added":
        lines.append(f"**{found.kwarg.arg}: Any")
    return f"def {source.name}(\n" + "".join(f"    {line},\n" for line in lines) + ") -> DataFrame: ...\n"


def _option(arg: ast.arg, default: ast.expr | None) -> str:
    assert arg.annotation is not None
    shown = "..." if isinstance(default, ast.Name) else default and ast.unparse(default).replace("'", '"')
    return f"{arg.arg}: {ast.unparse(arg.annotation)}{f' = {shown}' if default else ''}"


def added(command: str) -> Iterator[str]:
    """The options that features add."""
    for record in hooks.records(command):
        for name, kind in get_type_hints(record).items():
            typed = "Labels | None" if kind == LabelledBy | None else getattr(kind, "__name__", str(kind))
            yield f"{name}: {typed} = {record()._asdict()[name]!r}"


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
