"""The rings of tests: what an option adds, and what is reported of the tests that are left out."""

from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import conftest


class Item:
    """A test with its name, markers and fixtures."""

    def __init__(self, nodeid: str, marker: str | None, fixturenames: list[str]) -> None:
        self.nodeid, self.markers, self.fixturenames = nodeid, {marker}, fixturenames

    def get_closest_marker(self, name: str) -> str | None:
        return name if name in self.markers else None

    def add_marker(self, name: str) -> None:
        self.markers.add(name)


@pytest.mark.parametrize(
    ("asked", "kept"),
    [(set(), ["law"]), ({"full"}, ["law", "server", "page"]), ({"full", "daily"}, ["law", "server", "page", "kill"])],
)
def test_an_option_adds_a_ring(monkeypatch: pytest.MonkeyPatch, asked: set[str], kept: list[str]) -> None:
    """A test is full by its marker or by a fixture; the other tests are reported as deselected."""
    monkeypatch.setattr(conftest, "asked", asked)
    monkeypatch.setattr(conftest, "NOT_AGAIN", None)
    reported: list[Any] = []

    def report(items: list[Any]) -> None:
        reported.extend(items)

    items: list[Any] = [
        Item("law", None, ["tmp_path"]),
        Item("server", "full", []),
        Item("page", None, ["in_browser"]),
        Item("kill", "daily", ["shared"]),
    ]
    whole = [*items]
    conftest.pytest_collection_modifyitems(SimpleNamespace(hook=SimpleNamespace(pytest_deselected=report)), items)  # type: ignore[arg-type]
    assert [item.nodeid for item in items] == kept
    assert reported == [item for item in whole if item not in items]


def test_daily_includes_full() -> None:
    asks = {"full": False, "daily": True}
    assert conftest._rings_asked(SimpleNamespace(getoption=asks.get)) == {"full", "daily"}  # type: ignore[arg-type]


def test_tests_that_each_worker_deselects_are_reported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    reported: list[str] = []
    monkeypatch.setattr(conftest, "deselected", reported)
    config = SimpleNamespace(hook=SimpleNamespace(pytest_deselected=conftest.pytest_deselected))
    for _ in range(2):
        node = SimpleNamespace(config=config, workeroutput={"deselected": ["a", "b"]})
        conftest.pytest_testnodedown(node)
    assert reported == ["a", "b"]


def test_tests_that_did_not_pass_run_again(tmp_path: Path) -> None:
    """The file of a run contains the tests that passed, of which a sample runs again: fewer of those that take long."""
    n_tests, kinds = 400, ("long", "short", "skipped", "skipped later", "failed", "failed at its end")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("TOOK", str(tmp_path / "took")), ("took", {}), ("outcomes", {})):
            patch.setattr(conftest, name, value)
        for kind, number in product(kinds, range(n_tests)):
            phases = {
                "skipped": ["skipped"], "skipped later": ["passed", "skipped", "passed"],
                "failed": ["passed", "failed", "passed"], "failed at its end": ["passed", "passed", "failed"],
            }.get(kind, ["passed"] * 3)  # fmt: skip
            for when, outcome in zip(("setup", "call", "teardown"), phases, strict=False):
                report = SimpleNamespace(
                    nodeid=f"{kind} {number}", keywords={}, when=when, outcome=outcome,
                    duration=0.02 if kind == "long" else 0.001, passed=outcome == "passed", failed=outcome == "failed",
                )  # fmt: skip
                conftest.pytest_runtest_logreport(report)  # type: ignore[arg-type]
        conftest.pytest_sessionfinish(SimpleNamespace(config=object()))  # type: ignore[arg-type]
    left_out = conftest.read_left_out(tmp_path / "took")
    counts = {kind: sum(name.rpartition(" ")[0] == kind for name in left_out) for kind in kinds}
    assert {kind: n for kind, n in counts.items() if n} == {"long": counts["long"], "short": counts["short"]}
    assert 0.87 < counts["long"] / n_tests < 0.97
    assert 0.8 < counts["short"] / n_tests < 0.92


def test_outcomes_are_counted_by_ring() -> None:
    """A test that fails in its setup or after it has failed; a test that passes counts once."""
    reports: list[tuple[str, list[str], list[str | None]]] = [
        ("law", [], ["passed", "passed", "passed"]),
        ("unit", [], ["passed", "passed", "passed"]),
        ("left open", [], ["passed", "passed", "failed"]),
        ("server", ["full"], ["skipped", None, "passed"]),
        ("kill", ["full", "daily"], ["failed", None, "passed"]),
    ]
    with pytest.MonkeyPatch.context() as patch:  # not until the report of this test
        patch.setattr(conftest, "outcomes", {})
        for nodeid, markers, phases in reports:
            for when, outcome in zip(("setup", "call", "teardown"), phases, strict=True):
                report = SimpleNamespace(
                    nodeid=nodeid, keywords=dict.fromkeys(markers, 1), when=when, outcome=outcome, duration=0.0,
                    passed=outcome == "passed", failed=outcome == "failed",
                )  # fmt: skip
                if outcome:
                    conftest.pytest_runtest_logreport(report)  # type: ignore[arg-type]
        assert conftest.count_by_ring() == "quick 1 failed, 2 passed; full 1 skipped; daily 1 failed"
