"""The docstrings of public names, as numpydoc validates them."""

import inspect
import re
from pathlib import Path

import pytest

import cranfield
from cranfield.cli.build import SECTION
from tests import docstrings
from tests.namespaces import interface_functions
from tests.needed_features import EVERY_FEATURE

MOST_EXCEPTIONS = 33  # lower it when they become fewer; never raise it


def test_docstrings_are_complete() -> None:
    pytest.importorskip("numpydoc")
    found, accepted = docstrings.findings(), docstrings.listed()
    assert docstrings.excess(found, accepted) == []
    assert docstrings.counted(accepted) <= MOST_EXCEPTIONS


@EVERY_FEATURE
def test_each_exception_is_found() -> None:
    pytest.importorskip("numpydoc")
    found, accepted = docstrings.findings(), docstrings.listed()
    assert docstrings.excess(accepted, found) == [], "fixed: python -m tests.docstrings takes them from the list"


TASK = re.compile(r"^    ([a-z ]+?) {2,}(cranfield\..+)$", re.MULTILINE)


@pytest.mark.needs_extra("plot")
@pytest.mark.filterwarnings("ignore")  # of data as small as this
def test_the_tasks_of_the_package_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line of the table in `help(cranfield)` returns something."""
    monkeypatch.chdir(tmp_path)
    tasks = dict(TASK.findall(str(cranfield.__doc__)))
    assert len(tasks) == 12
    runs = {name: {topic: {"d1": 2.0, docno: 1.0} for topic in "123"} for name, docno in (("a", "d2"), ("bm25", "d3"))}
    qrels: dict[str, dict[str, int]] = {"1": {"d1": 0, "d2": 1}, "2": {"d1": 0, "d3": 1}, "3": {"d1": 1, "d2": 0}}
    values = {"qrels": qrels, "other_qrels": qrels, "runs": runs, "run": runs["a"]}
    names = {"__name__": __name__, "cranfield": cranfield, **values}
    for task, code in tasks.items():
        assert eval(code, names) is not None or task == "draw scores"
    assert (tmp_path / "scores.png").stat().st_size > 0


def test_a_missing_parameter_is_found() -> None:
    pytest.importorskip("numpydoc")

    def halve(number: float, digits: int) -> float:
        """Halve a number.

        Parameters
        ----------
        number : float
            The number.
        """
        if digits < 0:
            raise ValueError(digits)
        return round(number / 2, digits)

    assert sorted(docstrings.codes_of(halve)) == ["PR01", "RS01", "RT01"]
    assert docstrings.excess({"halve": ["PR01"]}, {"halve": ["RT01"]}) == ["halve: PR01, parameter not documented"]


@pytest.mark.needs_extra("plot")
def test_no_function_takes_any_keyword() -> None:
    kinds = {
        one.__name__: [parameter.kind for parameter in inspect.signature(one).parameters.values()]
        for one in interface_functions()
    }
    assert [name for name, each in kinds.items() if inspect.Parameter.VAR_KEYWORD in each] == ["limited"]


OPTION = re.compile(r"(?<![\w-])(?:--[a-z][\w-]*|-[a-z]\b(?!-))")
QUOTED_COMMAND = re.compile(r"`[^`]*`")


def options_named(docstring: str) -> list[str]:
    """The options of the shell that a docstring names, outside its examples for the shell and quoted commands."""
    prose, *sections = SECTION.split(inspect.cleandoc(docstring), maxsplit=1)
    paragraphs = [part for part in prose.split("\n\n") if not part.startswith("Example")]
    python = "\n\n".join(sections).partition("\nExamples\n")[0]
    return OPTION.findall(QUOTED_COMMAND.sub("", "\n\n".join([*paragraphs, python])))


SHELL_OPTIONS_NAMED = """
cranfield.trust.reusability
"""  # options without a parameter of their name, in docstrings; take names from this list, never add one


@pytest.mark.needs_extra("plot")
@EVERY_FEATURE
def test_docstrings_name_parameters_instead_of_options() -> None:
    """The help of a command is made of the docstring: a parameter in backticks becomes its option there."""
    found = {name for name, value in docstrings.documented().items() if options_named(value.__doc__ or "")}
    assert found == {*SHELL_OPTIONS_NAMED.split()}


def test_options_in_docstrings_are_found() -> None:
    text = "Pool runs. With `depth`, `cranfield pool build --depth 5`, or --total.\n\nExample: x --seed 1\n\nUse -m."
    assert options_named(text) == ["--total", "-m"]


@pytest.mark.needs_extra("plot")
def test_signatures_name_types_briefly() -> None:
    """A signature of help() has the names of types, never the unions that they stand for."""
    found = docstrings.documented().items()
    named = {name: value for name, value in found if inspect.isfunction(value) or value is cranfield.Evaluator}
    signatures = {name: str(inspect.signature(value)) for name, value in named.items()}
    assert {name for name, text in signatures.items() if "ForwardRef" in text or "Union[" in text} == set()


SELECTING = ("release", "round", "judged", "assessor", "labels", "policy", "ignore_own_id", "pool", "topics")
SHARED = (*SELECTING, "remove_judged", "subject", "teams", "cluster")
DESCRIPTION = re.compile(r"^(\w+) : ([^\n]*)\n((?: {4}.*\n?)+)", re.MULTILINE)
ANALYSES = tuple(
    f"cranfield.commands.{name}"
    for name in (
        "comparison", "completeness", "correlation", "curves", "evaluation", "hardness", "new_run", "pool_checks",
        "reusability", "stability",
    )
)  # fmt: skip


@pytest.mark.needs_extra("plot")
def test_a_parameter_has_the_same_sentence_in_all_analyses() -> None:
    """Of the selection, of teams and of clusters: where its type is the same, its description is."""
    described: dict[tuple[str, str], dict[str, str]] = {}
    for one in interface_functions():
        function = inspect.unwrap(one)
        if function.__module__ in ANALYSES:
            parameters = inspect.cleandoc(function.__doc__ or "").partition("\nParameters\n")[2]
            for name, kind, text in DESCRIPTION.findall(parameters.partition("\nReturns\n")[0]):
                if name in SHARED:
                    described.setdefault((name, kind), {})[function.__name__] = " ".join(text.split())
    assert len(described) > len(SHARED) / 2
    assert {key: by_function for key, by_function in described.items() if len({*by_function.values()}) > 1} == {}
