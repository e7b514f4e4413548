"""What the site says of each measure, method, command, table and function: made from the code while the site is built.

A page has a line such as <!-- in full: measures -->; `fill` puts the text there.
"""

import inspect
import json
import re
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from cranfield.cli.tree import commands_by_first_word, load_command
from cranfield.metrics import every_measure
from cranfield.metrics.measure import REQUIRED
from cranfield.pooling.methods import METHODS
from cranfield.store.store import Store

INTERNAL = re.compile(r"^sqlite_|^_|_fts(_\w+)?$")  # tables and views
PLACE = re.compile(r"^<!-- in full: (\w+)((?: [\w.-]+)*) -->$", re.MULTILINE)  # what, and of which groups or modules


def fill(page: str) -> str:
    """A page with everything that stands in full."""
    return PLACE.sub(lambda place: SECTIONS[place[1]](*place[2].split()), page)


def measures() -> str:
    """A section per measure: what its row says, and its options."""
    return "\n".join(_section(one.name, prose(one.about), _measure_options(one)) for one in every_measure())


def _measure_options(measure: Any) -> str:
    values = {name: "required" if value is REQUIRED else f"`{value}`" for name, value in measure.defaults.items()}
    after = {name: f"{value}, after @" if name == measure.at else value for name, value in values.items()}
    options = f"Options: {', '.join(f'`{name}` ({value})' for name, value in after.items())}." if after else ""
    others = ", ".join(f"`{name}`".replace("{}", "k") for name in measure.synonyms)
    return "\n\n".join(filter(None, [options, f"Also called: {others}." if others else ""]))


def methods() -> str:
    """A section per pooling method, with its options."""
    return "\n".join(
        _section(name, _method(method), _table(("option", "default", "meaning", "values"), _options(method)))
        for name, method in METHODS.items()
    )


def _method(method: Any) -> str:
    """What its row says."""
    kind = "adaptive" if method.adaptive else "a sample" if method.samples else "fixed order"
    source = f" Source: {prose(method.source)}." if method.source else ""
    return f"{kind.capitalize()}: {prose(method.description)}.{source}\n\n{prose(method.explanation.strip())}"


def _options(method: Any) -> list[tuple[str, ...]]:
    return [(f"`{one.name}`", f"`{one.default}`", one.about, one.right) for one in method.options]


def commands(*groups: str) -> str:
    """A section per command of these groups: its help and its options."""
    places = [place for name in groups for place in commands_by_first_word()[name].places if not place.members]
    loaded = ((place.words, load_command(place)) for place in places)
    return "\n".join(_section(f"cranfield {' '.join(words)}", _help(one), _parameters(one)) for words, one in loaded)


def _help(command: Any) -> str:
    """The paragraphs of a command's help, the example as code."""
    paragraphs = command.help.replace("\\[", "[").split("\n\n")
    return "\n\n".join(
        f"```sh\n{text.removeprefix('Example: ')}\n```" if text.startswith("Example: ") else prose(text)
        for text in paragraphs
    )


def _parameters(command: Any) -> str:
    rows = [
        (
            ", ".join(f"`{name}`" for name in one.opts) if one.param_type_name == "option" else f"`{one.name.upper()}`",
            _values(one),
            (one.help or "").replace("\\[", "["),
        )
        for one in command.params
    ]
    return _table(("option", "value", "meaning"), rows)


def _values(parameter: Any) -> str:
    if getattr(parameter, "is_flag", False):
        return ""
    return ", ".join(f"`{value}`" for value in parameter.metavar.strip("<>").split("|"))


def schema() -> str:
    """The tables and views of a new store, as SQL with comments."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "new.db"
        Store.create(path, "new").close()
        connection = sqlite3.connect(path)
        query = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
        rows = connection.execute(query).fetchall()
        connection.close()
    return "\n".join(
        f"## {title}\n\n" + "\n\n".join(f"### {name}\n\n```sql\n{sql};\n```" for of, name, sql in rows
                                         if of == kind and not INTERNAL.search(name))
        for kind, title in (("table", "Tables"), ("view", "Views"))
    )  # fmt: skip


def functions(package: str) -> str:
    """The public functions and classes of a module, with their docstrings."""
    module = import_module(package)
    kinds = {name: _kind(getattr(module, name)) for name in module.__all__}
    return "\n".join(f"```{{eval-rst}}\n.. {kind}:: {package}.{name}\n```\n" for name, kind in kinds.items() if kind)


def _kind(value: object) -> str:
    if inspect.isclass(value):
        return "autoexception" if issubclass(value, Exception) else "autoclass"
    return "autofunction" if callable(value) else ""


def notebook() -> str:
    """The cells of the notebook, and what they show as text."""
    cells = json.loads((Path(__file__).parent / "measure" / "notebook.ipynb").read_text(encoding="utf-8"))["cells"]
    return "\n\n".join(_cell(cell) for cell in cells)


def _cell(cell: Any) -> str:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return re.sub(r"^#", "##", source, flags=re.MULTILINE)
    texts = ["".join(output.get("data", {}).get("text/plain", "")) for output in cell["outputs"]]
    return "\n\n".join([f"```python\n{source}\n```", *(f"```text\n{text}\n```" for text in texts if text)])


def _section(title: str, *texts: str) -> str:
    level = texts[-1] if texts[-1].startswith("#") else "##"
    return "\n\n".join([f"{level} {prose(title)}", *(text for text in texts if text and text != level)]) + "\n"


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    if not rows:
        return ""
    cells = [[cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in rows]
    return "\n".join(
        f"| {' | '.join(row)} |" for row in [list(heads), ["---"] * len(heads), *([*map(prose, row)] for row in cells)]
    )


def prose(text: str) -> str:
    r"""Plain text whose signs are not markup; code in backquotes, and indented lines, stay as they are.

    >>> prose("R_cap is `a_b` <here>")
    'R\\_cap is `a_b` \\<here>'
    """
    parts = re.split(r"(`[^`\n]+`|^    .*$)", text, flags=re.MULTILINE)
    return "".join(part if odd % 2 else re.sub(r"([*_<\[\]$#~])", r"\\\1", part) for odd, part in enumerate(parts))


SECTIONS: dict[str, Callable[..., str]] = {
    "measures": measures,
    "methods": methods,
    "commands": commands,
    "schema": schema,
    "functions": functions,
    "notebook": notebook,
}
