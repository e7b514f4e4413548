"""Warnings of the Python interface: their classes, and the line of the caller."""

import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import cranfield as package
from cranfield.errors import (
    CorpusWarning,
    CranfieldWarning,
    FeatureWarning,
    FormatWarning,
    MissingTopicWarning,
    ProvenanceWarning,
    UnjudgedWarning,
)
from cranfield.formats import Document, Topic
from tests.stores import new_store

QRELS = {"1": {"d1": 1, "d2": 0}, "2": {"d1": 1}}
PARTIAL = {"a": {"1": {"d1": 2.0, "d2": 1.0}}, "b": {"1": {"d2": 2.0, "d1": 1.0}, "2": {"d1": 1.0}}}
RUNS = {tag: {"1": {"d1": 1.0}, "2": {"d1": 1.0}} for tag in "ab"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("guessed.qrels", "other.qrels"):
        Path(name).write_text("1 d1 1\n1 d2 0\n2 d1 1\n")
    new_store("two.db", topics=["1", "2"], runs=RUNS, people=["x", "y"], qrels={"x": QRELS, "y": QRELS}).close()
    with new_store("texts.db") as store:
        store.add_topics([Topic("1", "one"), Topic("2", "two")])
        store.add_documents([Document("d1", text="words")])
    return tmp_path


CALLS: dict[str, tuple[type[CranfieldWarning], Callable[[], object]]] = {
    "evaluate": (MissingTopicWarning, partial(package.evaluate, QRELS, PARTIAL, "AP")),
    "evaluate, nothing judged": (UnjudgedWarning, partial(package.evaluate, QRELS, {"1": {"x": 1.0}}, "AP")),
    "evaluate, two people": (ProvenanceWarning, partial(package.evaluate, "two.db", measures="AP", policy="max")),
    "compare": (MissingTopicWarning, partial(package.compare, QRELS, PARTIAL)),
    "curve": (MissingTopicWarning, partial(package.curve, QRELS, PARTIAL)),
    "Evaluator": (MissingTopicWarning, lambda: package.Evaluator(QRELS, "AP").evaluate(PARTIAL["a"])),
    "read_qrels": (FormatWarning, partial(package.read_qrels, "guessed.qrels")),
    "agreement": (FormatWarning, lambda: package.judging.measure_agreement(["guessed.qrels", "other.qrels"])),
    "import_qrels": (CorpusWarning, partial(package.store.import_qrels, "texts.db", QRELS)),
    "import_qrels, a file": (FormatWarning, partial(package.store.import_qrels, "texts.db", "guessed.qrels")),
    "import_runs": (CorpusWarning, partial(package.store.import_runs, "texts.db", PARTIAL)),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_warning_has_its_class_and_the_line_of_the_caller(folder: Path, name: str) -> None:
    category, call = CALLS[name]
    with warnings.catch_warnings(record=True, action="always") as found:
        call()
    assert category in [one.category for one in found]
    ours = [one for one in found if issubclass(one.category, CranfieldWarning)]
    assert {one.filename for one in ours} == {__file__}
    assert not [str(one.message) for one in ours if "--" in str(one.message)]


def test_all_warnings_are_of_one_base() -> None:
    classes = (CorpusWarning, FeatureWarning, FormatWarning, MissingTopicWarning, ProvenanceWarning, UnjudgedWarning)
    assert all(issubclass(one, CranfieldWarning) for one in classes)
    assert issubclass(CranfieldWarning, UserWarning)
