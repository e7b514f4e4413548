"""The outputs in pages of docs and in notebook.ipynb: `python -m tests.pages` writes them.

Each page is run from top to bottom, in a folder with the store that `cranfield demo` makes, workshop.db.
"""

import ast
import base64
import json
import os
import re
import shlex
import sqlite3
import tempfile
import warnings
from collections.abc import Callable
from contextlib import chdir, closing
from pathlib import Path
from typing import Any

from tests.docs.programs import run_command, run_program, write_programs

DOCS = Path(__file__).resolve().parents[1] / "docs"
CODE = re.compile(r"```(python|sql)\n(.*?)```\n(\n```text\n.*?```\n)?", re.DOTALL)
COMMAND = re.compile(r"^    (python|cranfield) ([^\n]+)\n(\n```text\n.*?```\n)?", re.MULTILINE | re.DOTALL)
Names = dict[str, Any]


def value_of(code: str, names: Names) -> Any:
    """Run code; the value of its last line, if that is an expression."""
    *first, last = ast.parse(code).body
    exec(compile(ast.Module(first, []), "<page>", "exec"), names)
    if not isinstance(last, ast.Expr):
        exec(compile(ast.Module([last], []), "<page>", "exec"), names)
        return None
    return eval(compile(ast.Expression(last.value), "<page>", "eval"), names)


PANDAS_OPTIONS = ("display.width", 110, "display.max_columns", 20, "display.max_rows", 12)


def text_of(value: Any) -> str:
    """A value as Python shows it, tables whole."""
    import pandas as pd

    with pd.option_context(*PANDAS_OPTIONS):
        return "\n".join(line.rstrip() for line in repr(value).splitlines())


def query(sql: str) -> str:
    """What the sqlite3 shell prints for a query, with the names of the columns."""
    with closing(sqlite3.connect("workshop.db")) as store:
        cursor = store.execute(sql)
        rows = [[column[0] for column in cursor.description], *cursor.fetchall()]
    return "\n".join("|".join("" if cell is None else str(cell) for cell in row) for row in rows)


def page(text: str) -> str:
    """A Markdown page with the output after each piece of code, where it has any."""
    names: Names = {}

    def block(match: re.Match[str]) -> str:
        language, code = match[1], match[2]
        value = query(code) if language == "sql" else value_of(code, names)
        if value is None:
            return f"```{language}\n{code}```\n"
        output = value if language == "sql" else text_of(value)
        return f"```{language}\n{code}```\n\n```text\n{output}\n```\n"

    return CODE.sub(block, text)


def program_page(text: str) -> str:
    """A Markdown page with the output after each command that has one; its commands are run in order."""
    write_programs(text, Path())

    def command(match: re.Match[str]) -> str:
        program, line, output = match.groups()
        words = shlex.split(line)
        printed = run_program(Path(), *words) if program == "python" else run_command(Path(), *words)
        shown = "".join(f"{line.rstrip()}\n" for line in printed.splitlines())
        return f"    {program} {line}\n" + ("" if output is None else f"\n```text\n{shown}```\n")

    return COMMAND.sub(command, text)


def image_of(figure: Any) -> bytes:
    """A figure as a notebook shows it."""
    return bytes(figure._repr_png_())


def notebook(text: str, draw: Callable[[Any], bytes] = image_of) -> str:
    """A notebook with the outputs of its cells, run in order in one process."""
    document, names = json.loads(text), Names()
    number = 0
    for cell in document["cells"]:
        if cell["cell_type"] == "code":
            number += 1
            value = value_of("".join(cell["source"]), names)
            cell |= {"execution_count": number, "outputs": [] if value is None else [result(value, number, draw)]}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def result(value: Any, number: int, draw: Callable[[Any], bytes]) -> dict[str, Any]:
    """A value as the output of a cell: a picture, or text and HTML."""
    if hasattr(value, "_repr_png_"):
        data = {"image/png": base64.b64encode(draw(value)).decode(), "text/plain": "a figure"}
    else:
        html = {"text/html": value._repr_html_()} if hasattr(value, "_repr_html_") else {}
        data = html | {"text/plain": text_of(value)}
    return {"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": data}


PAGES: dict[str, Callable[..., str]] = {
    "reference/python.md": page, "operate/sql.md": page, "measure/shapes.md": page, "measure/notebook.ipynb": notebook,
    "measure/training.md": program_page, "operate/parallel.md": program_page,
}  # fmt: skip


def render(name: str, folder: Path, **options: Any) -> tuple[str, str]:
    """A page as it stands, and with the outputs that it has now."""
    os.environ["COLUMNS"] = "110"
    text = (DOCS / name).read_text(encoding="utf-8")
    with chdir(folder), warnings.catch_warnings():
        warnings.simplefilter("error" if PAGES[name] is notebook else "ignore", UserWarning)  # a kernel shows notes
        return text, PAGES[name](text, **options)


def main() -> None:
    """Write the pages anew."""
    from cranfield.cli.commands.demo import _build

    with tempfile.TemporaryDirectory() as folder:
        _build(Path(folder, "workshop.db"))
        for name in PAGES:
            (DOCS / name).write_text(render(name, Path(folder))[1], encoding="utf-8")


if __name__ == "__main__":
    main()
