"""The stub of the functions that take options of features, made from both: `python -m tests.stubs` writes it again."""

import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

from cranfield import hooks
from cranfield.api import measuring, trusting
from cranfield.store.labelled_by import LabelledBy

STUB = Path(measuring.__file__).with_name("with_features.pyi")
FUNCTIONS: dict[str, Callable[..., Any]] = {  # by the command whose options they take
    "compare": measuring.compare,
    "evaluate": measuring.evaluate,
    "reusability": trusting.leave_one_out,
}
HEAD = '"""Made by `python -m tests.stubs` from the functions and from what features add to their commands."""\n\n'
NAMES = {
    "collections.abc": ("Iterable", "Mapping", "Sequence"), "os": ("PathLike",), "typing": ("Any", "Literal"),
    "pandas": ("DataFrame",), "cranfield.api.inputs": ("Labels", "QrelsGiven", "RunsGiven"),
    "cranfield.metrics.notation": ("MeasureLike",),
}  # fmt: skip


def stub() -> str:
    """The whole file."""
    typed = "".join(declared(function, command) for command, function in FUNCTIONS.items())
    words = {*re.findall(r"\w+", typed)}
    used = {module: ", ".join(name for name in names if name in words) for module, names in NAMES.items()}
    lines = [f"from {module} import {names}\n" for module, names in used.items() if names]
    return "".join(
        [HEAD, *(f"\n{line}" if "pandas" in line or "inputs" in line else line for line in lines), "\n", typed]
    )


def declared(function: Callable[..., Any], command: str) -> str:
    """A function without its body, with the options of features by name."""
    *first, rest = inspect.signature(function).parameters.values()
    lines = [keyword(one) for one in first]
    lines.insert(next(at for at, one in enumerate(first) if one.kind is one.KEYWORD_ONLY), "*")
    lines += added(command)
    if rest.name != "added":
        lines.append(f"**{rest.name}: Any")
    return f"def {function.__name__}(\n" + "".join(f"    {line},\n" for line in lines) + ") -> DataFrame: ...\n"


def keyword(one: inspect.Parameter) -> str:
    """A parameter with its type and default.

    >>> keyword(inspect.Parameter("by", inspect.Parameter.KEYWORD_ONLY, default="run", annotation=str))
    'by: str = "run"'
    """
    kind = getattr(one.annotation, "__forward_arg__", one.annotation)
    text = kind.__name__ if isinstance(kind, type) and not get_args(kind) else re.sub(r"\b(\w+\.)+", "", str(kind))
    default = "" if one.default is one.empty else f" = {one.default!r}"
    return f"{one.name}: {text}{default}".replace("'", '"')


def added(command: str) -> Iterator[str]:
    """The options that features add."""
    for record in hooks.records(command):
        for name, kind in get_type_hints(record).items():
            typed = "Labels | None" if kind == LabelledBy | None else getattr(kind, "__name__", str(kind))
            yield f"{name}: {typed} = {record()._asdict()[name]!r}"


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
