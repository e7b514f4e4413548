"""The stub of the functions that take options of features, made from both: `python -m tests.stubs` writes it again."""

import inspect
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args, get_type_hints

from cranfield import hooks
from cranfield.api import measuring, pools
from cranfield.selection import LabelledBy
from cranfield.view import RunsGiven

STUB = Path(measuring.__file__).with_name("with_features.pyi")
FUNCTIONS: tuple[tuple[str, Callable[..., Any]], ...] = (  # by the command whose options they take
    ("pool forecast", pools.forecast_completeness),
)
HEAD = '"""Made by `python -m tests.stubs` from the functions and from what features add to their commands."""\n\n'
NAMES = {
    "collections.abc": ("Iterable", "Mapping", "Sequence"), "os": ("PathLike",), "pathlib": ("Path",),
    "typing": ("Any", "Literal"), "pandas": ("DataFrame",), "cranfield.analysis.verdict": ("Verdict",),
    "cranfield.metrics.inputs": ("QrelsLike", "RunsLike"),
    "cranfield.metrics.notation": ("MeasuresLike",),
    "cranfield.store.store": ("Store",),
    "cranfield.view": ("Labels", "Measures", "QrelsGiven", "RunsGiven", "StoreGiven", "TeamsGiven", "Topics", "View"),
}  # fmt: skip


def stub() -> str:
    """The whole file."""
    declarations = "".join(declaration(function, command) for command, function in FUNCTIONS)
    words = {*re.findall(r"\w+", declarations)}
    used = {module: ", ".join(name for name in names if name in words) for module, names in NAMES.items()}
    lines = [f"from {module} import {names}\n" for module, names in used.items() if names]
    rooms = [line.split()[1].partition(".")[0] for line in lines]
    apart = [room != before and room in ("pandas", "cranfield") for before, room in pairwise(["", *rooms])]
    imports = (f"\n{line}" if gap else line for line, gap in zip(lines, apart, strict=True))
    return "".join([HEAD, *imports, "\n", declarations])


def declaration(function: Callable[..., Any], command: str) -> str:
    """A function without its body, with the options of features by name."""
    first = [*inspect.signature(function).parameters.values()]
    rest = first.pop() if first[-1].kind is inspect.Parameter.VAR_KEYWORD else None
    result = inspect.signature(function).return_annotation
    lines = [keyword(one) for one in first]
    lines.insert(next(at for at, one in enumerate(first) if one.kind is one.KEYWORD_ONLY), "*")
    lines += additions(command)
    if rest is not None and rest.name != "added":
        lines.append(f"**{rest.name}: Any")
    return f"def {function.__name__}(\n" + "".join(f"    {line},\n" for line in lines) + f") -> {result}: ...\n"


LATER = r"""(?:ForwardRef\(["'])?__import__\([^)]*\)\.(\w+)(?:["']\))?"""  # a type that `type_in` names


def keyword(one: inspect.Parameter) -> str:
    """A parameter with its type and default.

    >>> keyword(inspect.Parameter("by", inspect.Parameter.KEYWORD_ONLY, default="run", annotation=str))
    'by: str = "run"'
    """
    kind = getattr(one.annotation, "__forward_arg__", one.annotation)
    kind = "RunsGiven | None" if kind == RunsGiven | None else kind
    text = kind.__name__ if isinstance(kind, type) and not get_args(kind) else re.sub(r"\b(\w+\.)+", "", str(kind))
    text = re.sub(LATER, r"\1", text)
    text = re.sub(r"^Optional\[(.*)\]$", r"\1 | None", text)
    default = "" if one.default is one.empty else f" = {one.default!r}"
    return f"{one.name}: {text}{default}".replace("'", '"')


def additions(command: str) -> Iterator[str]:
    """The options that features add."""
    for record in hooks.records(command):
        for name, kind in get_type_hints(record).items():
            annotation = (
                "Labels | None"
                if kind == LabelledBy | None
                else getattr(kind, "__name__", re.sub(r"\b(\w+\.)+", "", str(kind)))
            )
            yield f"{name}: {annotation} = {record()._asdict()[name]!r}"


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
