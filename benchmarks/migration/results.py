"""What was measured, which is kept in results.json, and the page that shows it with the code."""

import json
import platform
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.migration.tasks import OURS, TASKS, TOOLS, code_of, count_lines, imports_of, module_source
from cranfield.formats.text_tables import as_markdown

ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path(__file__).with_name("results.json")
PAGE = ROOT / "docs" / "reference" / "migration-tasks.md"
TOP = """\
# Twelve tasks in six tools

This page shows the code of {tools} for twelve evaluation tasks, with its length and running time.
For single commands, calls and measures, see [Migrate](../measure/migration.md). `python -m benchmarks.migration`
measures everything again and writes this page.

## How the times were measured

- The data are the judgments and runs of the bundled collection: {size}. Scores are negative ranks, so that no tool
  has to break ties. The run bm25-titles is not used, because it does not answer one topic, which pytrec_eval ignores.
- `qrels`, `run`, `baseline` and `runs` (by tag) are in memory before the clock starts. They are dicts of dicts for
  cranfield, ir_measures, pytrec_eval and scikit-learn, `Qrels` and `Run` objects for ranx, and DataFrames for
  PyTerrier.
- A line is a statement, such as a `for` or a `def`. Imports, and statements that load data, do not count.
- A time is the median processor time of {repeats} calls. In each of {repeats} rounds, every tool is called once, in
  the same process. Imports and a first call are not timed.
- A ratio is a tool's time divided by cranfield's time in the same round; the table shows the median over the rounds.
  Ratios vary less than times.
- Code may use NumPy, SciPy, statsmodels and matplotlib in addition to the tool. An empty cell means that the tool
  neither does the task nor computes the scores for it. scikit-learn cannot compute AP for a ranking that misses
  relevant documents.
- All tools that do a task return the same figures: no number differs from cranfield's by more than 1e-9.
- Some calls do more than the task: cranfield's `compare` also tests whether unjudged documents could change
  the result.
- PyTerrier ran without Java, so only its parts that do not need Java were used.

The measurement used {versions}, on {cores} cores.

## Lines and times

{summary}
"""
IMPORTS = """\
## Imports

{code}
"""


def describe_environment(cores: int) -> dict[str, Any]:
    """The versions of Python and of the tools that are installed."""
    tools = {tool.title: version(tool.distribution) for tool in TOOLS[1:] if tool.is_installed()}
    return {"versions": {"Python": platform.python_version(), **tools}, "cores": cores}


def load_results() -> dict[str, Any]:
    """The results that were kept."""
    results: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))
    return results


def keep_results(results: Mapping[str, Any]) -> None:
    """Replace the results that were kept."""
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def page(results: Mapping[str, Any]) -> str:
    """The page of the results and of the code as it is now."""
    sources = {tool.module: module_source(tool) for tool in TOOLS}
    codes = {tool: code_of(source) for tool, source in sources.items()}
    titles = [tool.title for tool in TOOLS]
    top = TOP.format(
        tools=", ".join(titles[:-1]) + " and " + titles[-1],
        size=results["size"],
        repeats=results["repeats"],
        versions=", ".join(f"{name} {number}" for name, number in results["versions"].items()),
        cores=results["cores"],
        summary=as_markdown([_summary_row(task, codes, results["times"]) for task in TASKS]).rstrip(),
    )
    imports = "\n\n".join(_block(tool.title, imports_of(sources[tool.module])) for tool in TOOLS)
    tasks = "\n".join(_section(task, codes) for task in TASKS)
    return "\n".join((top, IMPORTS.format(code=imports), tasks))


def _summary_row(task: str, codes: Mapping[str, Mapping[str, str]], times: Mapping[str, Any]) -> dict[str, str]:
    cells = {tool.title: _cell(task, tool.module, codes, times) for tool in TOOLS}
    return {"task": TASKS[task][0], **cells}


def _cell(task: str, tool: str, codes: Mapping[str, Mapping[str, str]], times: Mapping[str, Any]) -> str:
    if task not in codes[tool]:
        return ""
    lines = count_lines(codes[tool][task])
    text = f"{lines} {'line' if lines == 1 else 'lines'}"
    measured = times.get(task, {})
    if tool not in measured:
        return text
    seconds, ratio = measured[tool]
    text += f", {1000 * seconds:.3g} ms"
    return text if tool == OURS else f"{text}, {ratio:.2g}x"


def _section(task: str, codes: Mapping[str, Mapping[str, str]]) -> str:
    title, question = TASKS[task]
    blocks = [_block(tool.title, codes[tool.module][task]) for tool in TOOLS if task in codes[tool.module]]
    return f"## {title}\n\n{question}\n\n" + "\n\n".join(blocks) + "\n"


def _block(title: str, code: str) -> str:
    return f"{title}:\n\n```python\n{code}\n```"
