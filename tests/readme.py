"""The tables of the README and the docs, made from the code: `python -m tests.readme` writes them again."""

import ast
import re
from collections import defaultdict
from collections.abc import Sequence
from importlib import import_module
from inspect import isfunction
from pathlib import Path
from typing import Any

import typer.main

from cranfield.cli import function_of, why_no_function
from cranfield.cli.program import app
from cranfield.cli.tree import CommandName, commands_by_first_word
from cranfield.extras import EXTRAS
from cranfield.formats import all_kinds, formats_of
from cranfield.formats.text_tables import as_markdown
from cranfield.judging.frontends.keys import COMMANDS, DEFAULT, key_help
from cranfield.metrics import every_measure
from cranfield.metrics.tasks import TASKS
from cranfield.pooling.methods import METHODS
from cranfield.testing.extensions import EXTENSION_METHODS
from tests.namespaces import NAMESPACES

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").rglob("*.md"))]
WITH_TABLES = [*PAGES, ROOT / "CONTRIBUTING.md"]
BAR = re.compile(r"\|")  # all that ends a cell that is Markdown itself
COMMANDS_OF = re.compile(r"(<!-- commands: (.*) -->\n)(?s:.*?)(<!-- /commands -->)")
SIGN = re.compile(r"[|*_<]")  # all that is markup in a cell of plain text


def leaves(command: Any, path: tuple[str, ...] = ()) -> list[tuple[str, Any]]:
    """Every command below this one, with its words."""
    below = getattr(command, "commands", None)
    if below is None:
        return [(" ".join(path), command)]
    return [leaf for name, child in below.items() for leaf in leaves(child, (*path, name))]


def commands(groups: Sequence[str]) -> str:
    """A row a command of these groups, with the first sentence of its help."""
    pairs = [(name, leaf) for name, leaf in leaves(typer.main.get_command(app)) if name.split()[0] in groups]
    rows = [{"command": f"`cranfield {name}`", "what": command.get_short_help_str(200)} for name, command in pairs]
    return as_markdown(rows, special=BAR)


def measures() -> str:
    """A row a measure."""
    return as_markdown([measure.row for measure in every_measure()], special=SIGN)


def methods() -> str:
    """A row a pooling method."""
    rows = [
        {
            "method": f"`{method.name}`",
            "uses judgments": "yes" if method.adaptive else "no",
            "samples": "yes" if method.samples else "no",
            "documents are taken": method.description,
            "options": ", ".join(f"`{option.name}`" for option in method.options),
        }
        for method in METHODS.values()
    ]
    return as_markdown(rows, special=BAR)


def formats() -> str:
    return as_markdown(
        [
            {"of": kind, "format": row.name, "written": row.write is not None, "what": row.description}
            for kind in all_kinds()
            for row in formats_of(kind)
        ],
        special=SIGN,
    )


def tasks() -> str:
    """A section and a table a task."""
    return "\n".join(
        "\n\n".join(
            filter(
                None,
                [
                    f"## {task.title} (`{task.name}`)",
                    f"{task.description[0].upper()}{task.description[1:]}.",
                    as_markdown(
                        [
                            {
                                "measure": f"`{one.measure}`",
                                "why": one.why,
                                "misleads": one.misleads,
                                "source": one.source,
                            }
                            for one in task.advice
                        ],
                        special=BAR,
                    ).rstrip(),
                    task.note,
                ],
            )
        )
        + "\n"
        for task in TASKS
    )


def keys() -> str:
    """A row a key of the judging screen."""
    rows = [{"key": f"`{key}`", "what it does": about} for key, about in key_help(DEFAULT, COMMANDS, plain=False)]
    return as_markdown(rows, special=BAR)


def places() -> list[CommandName]:
    """Every command."""
    return [place for top in commands_by_first_word().values() for place in top.places if not place.members]


def called_as(words: Sequence[str]) -> str:
    """A command as it is typed."""
    return f"`cranfield {' '.join(words)}`"


def functions() -> str:
    """A row a command that has a function."""
    functions = ((place.words, function_of(place.load(), place.words)) for place in places())
    rows = [{"command": called_as(words), "function": f"`cranfield.{name}`"} for words, name in functions if name]
    return as_markdown(rows, special=BAR)


def namespaces() -> str:
    """A row a namespace, with what it is for and its names; of metrics without the measures."""
    modules = {name: import_module(f"cranfield.{name}".rstrip(".")) for name in ("", *NAMESPACES)}
    rows = [
        {
            "namespace": f"`{module.__name__}`",
            "what": str(module.__doc__).splitlines()[0],
            "names": ", ".join(
                f"`{one}`" for one in module.__all__ if name != "metrics" or isfunction(getattr(module, one))
            ),
        }
        for name, module in modules.items()
    ]
    return as_markdown(rows, special=BAR)


def without_function() -> str:
    """A row a command that has none."""
    reasons = ((place.words, why_no_function(place.load())) for place in places())
    return as_markdown([{"command": called_as(words), "instead": why} for words, why in reasons if why], special=BAR)


def extras() -> str:
    """A row an extra, with its packages and what needs them."""
    rows = [
        {
            "extra": f"`{name}`",
            "packages": ", ".join(dict.fromkeys(extra.packages.values())),
            "needed by": extra.capabilities,
        }
        for name, extra in EXTRAS.items()
    ]
    return as_markdown(rows, special=BAR)


def marked_files() -> str:
    """List the test files of the rings full and daily, a row for each ring and folder."""
    names = defaultdict[tuple[str, str], list[str]](list)
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for line in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "pytestmark":
                for ring in re.findall(r"pytest\.mark\.(full|daily)", ast.unparse(line.value)):
                    names[ring, str(path.parent.relative_to(ROOT))].append(f"`{path.stem}`")
    return as_markdown(
        [
            {"ring": ring, "folder": f"`{folder}/`", "files": ", ".join(names[ring, folder])}
            for ring, folder in sorted(names, reverse=True, key=lambda key: key[0])
        ],
        special=BAR,
    )


def extension_methods() -> str:
    """A row a method of extensions, with the first sentence of its docstring."""
    rows = [
        {"method": f"`{name}`", "what it does": str(method.__doc__).strip().partition("\n")[0]}
        for name, method in EXTENSION_METHODS.items()
    ]
    return as_markdown(rows, special=BAR)


TABLES = {
    "methods of extensions": extension_methods,
    "extras": extras,
    "marked files": marked_files,
    "functions": functions,
    "namespaces": namespaces,
    "without function": without_function,
    "keys": keys,
    "measures": measures,
    "methods": methods,
    "formats": formats,
    "tasks": tasks,
}


def render(text: str) -> str:
    """A page with its tables as they should be."""
    for name, table in TABLES.items():
        start, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        if start in text:
            before, _, rest = text.partition(start)
            text = before + start + table() + end + rest.partition(end)[2]
    return COMMANDS_OF.sub(lambda mark: mark[1] + commands(mark[2].split()) + mark[3], text)


if __name__ == "__main__":
    for page in WITH_TABLES:
        page.write_text(render(page.read_text(encoding="utf-8")), encoding="utf-8")
