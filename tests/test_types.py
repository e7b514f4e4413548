"""The types of public functions: at run time, and as mypy and pyright check calls."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import get_type_hints

import pytest

from tests.conftest import ROOT
from tests.namespaces import public_callables

pytestmark = pytest.mark.needs_extra("plot")

PUBLIC = public_callables()


@pytest.mark.parametrize("name", PUBLIC)
def test_hints_are_known_at_run_time(name: str) -> None:
    get_type_hints(PUBLIC[name], include_extras=True)


FOLDER = ROOT / "tests" / "types"
MARK = re.compile(r"  # (missing|keyword|literal|overload|type)$")
WORDS = {  # of the messages of mypy and pyright, by the mark of a line
    "missing": r"Missing (positional|named) argument|Too few arguments|Arguments? missing for parameter",
    "keyword": r"Unexpected keyword argument|No parameter named",
    "type": r"has incompatible type|cannot be assigned|not assignable",
    "overload": r"No overload variant|No overloads for|cannot be assigned|not assignable",
    "literal": r'incompatible type "Literal\[|type "Literal\[.*cannot be assigned|type "Literal\[.*not assignable',
}
Errors = Mapping[tuple[str, int], list[str]]  # messages by file and line


def errors_of_mypy() -> Errors:
    """Return what mypy --strict, with the settings of the project, refuses in the two files."""
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--hide-error-context"]
    paths = [f"tests/types/{name}_calls.py" for name in ("right", "wrong")]
    outcome = subprocess.run([*command, *paths], cwd=ROOT, capture_output=True, text=True, check=False)
    assert outcome.returncode == 1, outcome.stdout + outcome.stderr
    errors: dict[tuple[str, int], list[str]] = {}
    for file, line, message in re.findall(r"^(.+?):(\d+): error: (.*)$", outcome.stdout, re.MULTILINE):
        errors.setdefault((Path(file).name, int(line)), []).append(message)
    return errors


def errors_of_pyright() -> Errors:
    """Return what pyright, in its standard mode, refuses in the two files."""
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, str(FOLDER)]
    outcome = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert outcome.returncode == 1, outcome.stdout + outcome.stderr
    errors: dict[tuple[str, int], list[str]] = {}
    for found in json.loads(outcome.stdout)["generalDiagnostics"]:
        place = Path(found["file"]).name, found["range"]["start"]["line"] + 1
        errors.setdefault(place, []).append(found["message"])
    return errors


@pytest.mark.full
@pytest.mark.parametrize(("checker", "errors_of"), [("mypy", errors_of_mypy), ("pyright", errors_of_pyright)])
def test_checkers_refuse_wrong_calls_and_accept_right_ones(checker: str, errors_of: Callable[[], Errors]) -> None:
    pytest.importorskip(checker)
    errors = errors_of()
    lines = (FOLDER / "wrong_calls.py").read_text(encoding="utf-8").splitlines()
    marks = {number: found[1] for number, line in enumerate(lines, 1) if (found := MARK.search(line))}
    accepted = [
        f"{number}: {lines[number - 1]}"
        for number, mark in marks.items()
        if not any(re.search(WORDS[mark], message) for message in errors.get(("wrong_calls.py", number), []))
    ]
    assert not accepted
    places = {("wrong_calls.py", number) for number in marks}
    assert {place: messages for place, messages in errors.items() if place not in places} == {}


def test_wrong_calls_are_of_many_functions() -> None:
    calls = re.findall(
        r"^([\w.]+)\(.*  # (\w+)$", (FOLDER / "wrong_calls.py").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len({function for function, _ in calls}) >= 50
    assert {mark for _, mark in calls} == {*WORDS}
    assert (ROOT / "cranfield" / "py.typed").is_file()
