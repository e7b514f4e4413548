"""The twelve tasks, the six tools, and the code of each tool for each task."""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from benchmarks.migration.data import BASELINE, RUN, Data

OURS = "ours"
TASKS = {  # the name of its function: its title, and what is asked
    "one_run": ("One run", "Compute nDCG@10 of one run, the mean over the judged topics."),
    "many_runs": ("Many runs", "Compute AP, nDCG@10 and P@10 of all runs."),
    "per_topic": ("Per topic", "Compute nDCG@10 of one run on each topic."),
    "compare_with_baseline": (
        "Compare with a baseline",
        "Compute the difference in nDCG@10 between a run and a baseline, and p of the paired t test.",
    ),
    "correct_many_systems": (
        "Many systems with correction",
        "Test each run against the baseline bm25 in nDCG@10, and correct p by Holm's method.",
    ),
    "own_measure": (
        "Own measure",
        "Define a measure: the share of topics with at least two relevant documents among the first five.",
    ),
    "training_loop": (
        "Training loop",
        "Find the best nDCG@10 of runs that come one at a time, such as after training epochs.",
    ),
    "fuse": ("Fuse", "Fuse all runs by reciprocal rank."),
    "pool_to_depth_10": ("Pool depth 10", "List the documents that at least one run ranks among its first ten."),
    "leave_one_out": (
        "Leave one out",
        "Compute nDCG@10 of each run without the judgments that only this run contributed to a pool of depth 10.",
    ),
    "agreement": ("Agreement", "Compute Cohen's kappa of two assessors' grades."),
    "plot": ("Plot", "Plot the distribution of nDCG@10 over topics, with a box for each run."),
}


@dataclass(frozen=True)
class Tool:
    """A tool: the module of its tasks, its name, and the package and the distribution that it needs."""

    module: str
    title: str
    package: str
    distribution: str

    def is_installed(self) -> bool:
        """Whether its package can be imported."""
        return find_spec(self.package) is not None

    def functions(self) -> dict[str, Callable[..., Any]]:
        """What it has for each task. It imports the tool."""
        module = vars(import_module(self.path))
        return {task: module[task] for task in TASKS if task in module}

    def load(self, data: Data) -> dict[str, Any]:
        """The data as the tool's functions take them."""
        loaded: dict[str, Any] = import_module(self.path).load(data)
        return {**loaded, "run": loaded["runs"][RUN], "baseline": loaded["runs"][BASELINE]}

    @property
    def path(self) -> str:
        """The module of its tasks."""
        return f"benchmarks.migration.tools.{self.module}"


TOOLS = (
    Tool(OURS, "cranfield", "cranfield", "cranfield"),
    Tool("ir_measures", "ir_measures", "ir_measures", "ir_measures"),
    Tool("ranx", "ranx", "ranx", "ranx"),
    Tool("pytrec_eval", "pytrec_eval", "pytrec_eval", "pytrec_eval-terrier"),
    Tool("pyterrier", "PyTerrier", "pyterrier", "python-terrier"),
    Tool("scikit_learn", "scikit-learn", "sklearn", "scikit-learn"),
)


def call(function: Callable[..., Any], given: dict[str, Any]) -> Any:
    """The function's answer to what its parameters name."""
    return function(**{name: given[name] for name in inspect.signature(function).parameters})


def module_source(tool: Tool) -> str:
    """The text of a tool's module, which is read and not imported."""
    spec = find_spec(tool.path)
    assert spec is not None
    assert spec.loader is not None
    return str(spec.loader.get_source(tool.path))  # type: ignore[attr-defined]


def code_of(source: str) -> dict[str, str]:
    """The code of each task in a tool's module, as a cell of a notebook has it: its last line is the result.

    >>> code_of("def fuse(runs):\\n    return add(runs)\\n")
    {'fuse': 'add(runs)'}
    """
    lines, found = source.splitlines(), {}
    for function in ast.parse(source).body:
        if isinstance(function, ast.FunctionDef) and function.name in TASKS:
            code = textwrap.dedent("\n".join(lines[function.body[0].lineno - 1 : function.end_lineno]))
            spaced = re.sub(r"\n\n(?=def )|(?<=\))\n\n(?=\S)", "\n\n\n", code) if "def " in code else code
            found[function.name] = re.sub(r"^return ", "", spaced, flags=re.MULTILINE)
    return found


def imports_of(source: str) -> str:
    """The imports of a tool's module."""
    lines = source.splitlines()
    found = [node for node in ast.parse(source).body if isinstance(node, ast.Import | ast.ImportFrom)]
    return "\n".join("\n".join(lines[node.lineno - 1 : node.end_lineno]) for node in found)


def count_lines(code: str) -> int:
    """The logical lines: statements, of which a `for` or a `def` is one; imports do not count.

    >>> count_lines("import math\\nfor x in [\\n    1,\\n]:\\n    print(x); print(x)")
    3
    """
    nodes = ast.walk(ast.parse("def task():\n" + textwrap.indent(code, "    ")))
    return sum(isinstance(node, ast.stmt) and not isinstance(node, ast.Import | ast.ImportFrom) for node in nodes) - 1
