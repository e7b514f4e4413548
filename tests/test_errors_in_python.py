"""Errors of Python functions name keywords, never options of the command line."""

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import cranfield
from cranfield.errors import CranfieldError, InputError, MeasureError, replace_options
from cranfield.options.arguments import check_arguments
from tests.namespaces import interface_functions
from tests.needed_features import EVERY_FEATURE
from tests.stores import new_file

ROOT = Path(cranfield.__file__).parent
OF_COMMANDS = ("cli", "commands", "charts", "options", "server.py", "serve.py")  # not called by functions
RUNS = {"a": {"q1": {"d1": 2.0, "d2": 1.0}}, "b": {"q1": {"d2": 2.0, "d1": 1.0}}}
BY_TWO = {"ada": {"q1": {"d1": 1, "d2": 0}}, "bob": {"q1": {"d1": 0, "d2": 1}}}


def without_commands(message: str) -> str:
    return re.sub(r"`[^`]*`", "", message)


def messages_of(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the texts in calls whose name ends with Error, and their lines."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if not isinstance(node, ast.Call) or not ast.unparse(node.func).endswith("Error"):
            continue
        for argument in node.args:
            parts = argument.values if isinstance(argument, ast.JoinedStr) else [argument]
            text = "".join(
                str(part.value) if isinstance(part, ast.Constant) else "x"
                for part in parts
                if isinstance(part, ast.Constant | ast.FormattedValue)
            )
            yield argument.lineno, text


@EVERY_FEATURE
def test_no_error_keeps_an_option_in_python() -> None:
    several = 0
    for path in sorted(ROOT.rglob("*.py")):
        if any(part in OF_COMMANDS or part.startswith("commands") for part in path.relative_to(ROOT).parts):
            continue
        for line, text in messages_of(path):
            several += "--" in without_commands(text)
            said = without_commands(replace_options(text))
            assert not re.search(r"(?<!-)--[a-z]", said), f"{path}:{line}: {said}"
    assert several > 50  # so that the search finds messages at all


@pytest.mark.needs_extra("plot")
@EVERY_FEATURE
def test_every_public_function_speaks_python() -> None:
    functions = interface_functions()
    assert len(functions) > 90
    unchecked = {one.__name__ for one in functions if one.__code__.co_filename != check_arguments.__code__.co_filename}
    assert unchecked == {"limited"}  # of commands as well, whose errors name options


@pytest.mark.parametrize(
    ("module", "namespace", "call", "message"),
    [
        (
            "cranfield.commands.runs", "cranfield.store", "search_corpus(3, systems=4)",
            "InputError systems is 4; expected a list of names",
        ),
        ("cranfield.api.reading", "cranfield", "read_topics(3)", "InputError path is 3; expected a path"),
        pytest.param(
            "cranfield.features.online.interleaving", "cranfield.online", "interleave(3)",
            "InputError rankings is 3; expected a list of lists", marks=pytest.mark.needs("online"),
        ),
    ],
)  # fmt: skip
def test_the_way_of_import_does_not_matter(module: str, namespace: str, call: str, message: str) -> None:
    """In a new process, a function of its module gives the error that the one of its namespace gives."""
    name = call.partition("(")[0]
    code = (
        "import sys\nexec(sys.argv[1])\ntry:\n    eval(sys.argv[2])\nexcept Exception as error:\n"
        "    print(type(error).__name__, error)"
    )
    errors = [
        subprocess.run([sys.executable, "-c", code, line, call], capture_output=True, text=True, check=True).stdout
        for line in (f"from {module} import {name}", f"from {namespace} import {name}")
    ]
    assert errors == [f"{message}\n"] * 2


@pytest.fixture
def store(tmp_path: Path) -> str:
    return str(new_file(tmp_path / "t.db", topics=["q1"], documents=["d1", "d2"], runs=RUNS, people=["ada", "bob"],
                        models=["m"], qrels={**BY_TWO, "m": BY_TWO["ada"]}, pool=2))  # fmt: skip


CALLS: dict[str, Callable[[str], object]] = {
    "policy=NAME": cranfield.evaluate,
    "human=NAME or policy=NAME": lambda store: cranfield.models.audit(store, "m"),
    "name a person with human": lambda store: cranfield.models.audit(store, "m", human="m"),
    "assessor and policy cannot be used together": lambda store: (
        cranfield.evaluate(store, assessor="ada", policy="min").frame
    ),
    "expected a budget per topic (budget)": lambda store: cranfield.pooling.build_pool(
        store, method="rrf", budget=2, total=4
    ),
    "labels excludes them": lambda store: cranfield.evaluate(store, assessor="ada", labels="models"),
}


@pytest.mark.needs("models")
@pytest.mark.parametrize("words", CALLS)
def test_errors_name_keywords(store: str, words: str) -> None:
    with pytest.raises(CranfieldError) as refused:
        CALLS[words](store)
    assert "--" not in without_commands(str(refused.value))
    assert words in str(refused.value)


def test_the_command_names_options_afterwards(store: str, cranfield: Callable[..., object]) -> None:
    """A call in Python changes nothing of what commands print, even in one process."""
    with pytest.raises(CranfieldError):
        CALLS["policy=NAME"](store)
    assert "choose which labels count with --assessor NAME or --policy NAME" in cranfield("evaluate", store).err  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "call"),
    {
        "assessors": lambda store: cranfield.judging.assign_topics(store, assessors="kim"),
        "topics": lambda store: cranfield.judging.assign_topics(store, assessors=["kim"], topics="q1"),
        "methods": lambda store: cranfield.pooling.simulate_methods(store, methods="rrf", budgets=[1]),
        "runs": lambda store: cranfield.pooling.build_pool(store, depth=1, runs="a"),
        "pair": lambda store: cranfield.topics.choose_next(store, pair="ab"),
    }.items(),
)
def test_the_letters_of_a_text_are_not_taken_for_names(
    tmp_path: Path, name: str, call: Callable[[Path], object]
) -> None:
    """Or the topics would be assigned to k, i and m."""
    store = new_file(tmp_path / "t.db", runs=RUNS, people=["k", "i", "m"], qrels=BY_TWO, pool=2)
    with pytest.raises(InputError, match=rf"^{name} is '\w+'; expected a list of names$"):
        call(store)


def test_a_function_is_not_a_measure() -> None:
    def first_two() -> None: ...

    hint = r'the function first_two is not a measure; .* call cranfield.metrics.register\("NAME", first_two\)'
    with pytest.raises(MeasureError, match=hint):
        cranfield.evaluate(BY_TWO["ada"], RUNS, [first_two])  # type: ignore[list-item]
