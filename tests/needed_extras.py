"""The extras that tests need: a test declares its extra, and is skipped where the extra is not installed.

A test that ends in the request for an extra fails if it does not declare that extra. A file or a test declares one by

- the marker `needs_extra("search")`, on the test or as the file's `pytestmark`;
- an import of a package of the extra at the top of the test file, or of a file of `tests` that it imports;
- `skip_without("search")`, in a fixture or in a test of which only some cases need the extra.

The examples of the product's docstrings have no markers: MODULES and EXAMPLES declare their extras. This is a plugin,
because the conftest.py of `tests` is not used for the examples in `cranfield`.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from _pytest.doctest import DoctestModule

from cranfield.extras import EXTRAS, find_extra, missing_packages
from tests.needed_features import ROOT, reached_files

# The product's modules that may import a package of an extra: files and folders, by extra.
MODULES = {
    "plot": ["charts", "features/online/charts.py"],
    "report": [
        "charts/svg",
        "display/markup.py",
        "features/online/report.py",
        "features/tasks/archive.py",
        "features/tasks/page_values.py",
        "features/tasks/results.py",
        "features/tasks/scoring.py",
        "report",
    ],
    "serve": [
        "features/publishing/download.py",
        "web",
        "features/answers/look.py",
        "features/answers/pages.py",
        "features/answers/settling.py",
        "features/answers/topic_view.py",
        "features/briefing/message_pages.py",
        "features/briefing/pages.py",
        "features/briefing/person.py",
        "features/collecting/finding/pages.py",
        "features/collecting/stop_page.py",
        "features/documents/pages.py",
        "features/models/look.py",
        "features/online/pages.py",
        "features/organising",
        "features/tasks/description_facts.py",
        "features/tasks/download.py",
        "features/tasks/organise.py",
        "features/tasks/pages.py",
        "features/tasks/transfers.py",
        "features/tasks/visitors.py",
    ],
    "terminal": ["judging/frontends/terminal", "features/answers/screen.py", "features/preferences/screen.py"],
}
# The product's examples that need an extra: of a file, or of a name in it, by extra.
EXAMPLES = {
    "arrow": [
        "features/online/click_functions.py::estimate_counterfactual",
        "features/online/click_functions.py::fit_click_model",
        "features/online/functions.py::compare_arms",
        "features/online/functions.py::import_log",
        "features/online/functions.py::measure_divergence",
        "features/online/functions.py::summarize_log",
        "features/publishing/formats.py::table_difference",
        "features/publishing/formats.py::write_table",
        "formats/arrow.py::TextVocabulary",
        "formats/arrow.py::TextVocabulary.equals",
        "formats/arrow.py::join_names",
        "formats/arrow.py::json_list",
        "formats/arrow.py::text_buffers",
        "formats/arrow.py::unite_texts",
        "formats/arrow.py::unite_vocabularies",
        "formats/arrow.py::sorted_vocabulary",
        "formats/fingerprints.py",
        "formats/runs/united.py::OrderedVocabulary",
        "formats/runs/united.py::hashes",
        "metrics/inputs.py::convert_foreign_table",
    ],
    "files": [
        "features/documents/conversion/files.py::pack_picture",
        "features/documents/conversion/html.py::markdown",
        "features/publishing/markup.py::yaml_text",
        "formats/mappings.py::parse_yaml_fields",
        "formats/mappings.py::yaml_text",
        "formats/runs/files.py::header",
        "formats/runs/files.py::metadata_of",
        "formats/runs/files.py::read_metadata",
    ],
    "frames": ["frames_of_libraries.py::convert_frame", "results.py::Result.to_frame"],
    "search": [
        "commands/runs.py::search_corpus",
        "features/collecting/cal.py::ActiveLearning",
        "features/collecting/cal.py::CorpusDraw",
        "features/collecting/learning.py::Learner.scores",
        "features/collecting/new_run.py::topic_features",
        "features/collecting/scal.py::ScalableLearning",
        "features/collecting/vectors.py::vectors_of",
        "judging/session/view.py::words_of",
        "search/index.py::grams",
        "search/index.py::index_terms",
        "search/index.py::stem",
        "search/rankers.py::match_any_word",
        "search/systems.py::search",
    ],
    "serve": [
        "commands/assessors.py",
        "commands/transfers.py::export_page",
        "features/tasks/phases.py::release_results",
    ],
}
PRODUCT = ROOT / "cranfield"
REASON = re.compile(r"needs the extra (\w+)")


def skip_without(extra: str, path: Path | None = None) -> None:
    """Skip a test, or the file at a path that is being imported, if an extra is not installed."""
    if missing := missing_packages(extra):
        # pytest-xdist reports one of several files with the same reason.
        place = f" ({path.relative_to(ROOT)})" if path else ""
        pytest.skip(f"needs the extra {extra}: {missing[0]} is not installed{place}", allow_module_level=bool(path))


@pytest.hookimpl(tryfirst=True)
def pytest_make_collect_report(collector: pytest.Collector) -> None:
    """Skip a test file that declares an extra that is not installed, and a module of the product that imports one."""
    if isinstance(collector, pytest.Module | DoctestModule):
        vars(collector)["collect"] = _skipping_collection(collector.path, collector.collect)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that declares an extra that is not installed."""
    for marker in item.iter_markers("needs_extra"):
        for extra in marker.args:
            skip_without(extra)
    for extra in extras_of_example(item.nodeid):
        skip_without(extra)


def pytest_terminal_summary(terminalreporter: "pytest.TerminalReporter") -> None:
    """Count the tests and files that are skipped without each extra, in a line."""
    skipped = defaultdict[str, set[str]](set)
    for report in terminalreporter.stats.get("skipped", []):
        if isinstance(report.longrepr, tuple) and (found := REASON.search(report.longrepr[2])):
            skipped[found[1]].add(report.nodeid)
    if skipped:
        terminalreporter.write_line(f"skipped without an extra: {'; '.join(counts_by_extra(skipped))}", yellow=True)


def counts_by_extra(skipped: dict[str, set[str]]) -> Iterator[str]:
    """The numbers of skipped tests and files by extra.

    >>> list(counts_by_extra({"plot": {"tests/a.py::b", "tests/a.py::c", "tests/d.py"}, "arrow": {"tests/d.py::e"}}))
    ['arrow 1 test', 'plot 2 tests, 1 file']
    """
    for extra, names in sorted(skipped.items()):
        n_tests = sum("::" in name for name in names)
        numbers = [(n_tests, "test"), (len(names) - n_tests, "file")]
        yield f"{extra} " + ", ".join(f"{n} {noun}{'s' * (n > 1)}" for n, noun in numbers if n)


def extras_of_example(node_id: str) -> list[str]:
    """The extras that EXAMPLES declares for an example of the product.

    >>> extras_of_example("cranfield/results.py::cranfield.results.Result.to_frame")
    ['frames']
    >>> extras_of_example("cranfield/results.py::cranfield.results.Result")
    []
    """
    path, _, example = node_id.partition("::")
    name = example.removeprefix(f"{path.removesuffix('.py').replace('/', '.')}.")
    places = {path.removeprefix("cranfield/"), f"{path.removeprefix('cranfield/')}::{name}"}
    return [extra for extra, examples in EXAMPLES.items() if places.intersection(examples)]


def extras_of_module(path: Path) -> list[str]:
    """The extras that MODULES declares for a module of the product.

    >>> extras_of_module(PRODUCT / "charts" / "style.py"), extras_of_module(PRODUCT / "options/__init__.py")
    (['plot'], [])
    """
    places = {path, *path.parents}
    return [extra for extra, names in MODULES.items() if places.intersection(PRODUCT / name for name in names)]


def _skipping_collection(path: Path, collect: Callable[[], Iterable[Any]]) -> Callable[[], list[Any]]:
    """Collect the tests of a file, or skip the file before it is imported or because it cannot be imported."""

    def tests() -> list[Any]:
        for extra in declared_extras(path):
            skip_without(extra, path)
        try:
            return list(collect())
        except Exception as error:
            for extra in extras_of_module(path):
                if _missing_module(error) in EXTRAS[extra].packages:
                    skip_without(extra, path)
            raise

    return tests


def _missing_module(error: BaseException | None) -> str:
    while error is not None:
        if isinstance(error, ModuleNotFoundError) and error.name:
            return error.name.partition(".")[0]
        error = error.__cause__ or error.__context__
    return ""


@cache
def declared_extras(path: Path) -> list[str]:
    """The extras that a test file declares for all its tests.

    >>> declared_extras(ROOT / "tests" / "charts" / "test_style.py"), declared_extras(ROOT / "tests" / "test_rng.py")
    (['plot'], [])
    """
    if not path.is_relative_to(ROOT / "tests"):
        return []
    packages = sorted({name for file in reached_files(path) for name in _imported_packages(file)})
    return list(dict.fromkeys([*_marked_extras(path), *filter(None, map(find_extra, packages))]))


def _marked_extras(path: Path) -> Iterator[str]:
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
            for call in ast.walk(node.value):
                if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.needs_extra":
                    yield from map(ast.literal_eval, call.args)


@cache
def _imported_packages(path: Path) -> frozenset[str]:
    names = set[str]()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
    return frozenset(name.partition(".")[0] for name in names)
