"""Which measure for which task: the table is sound, and `cranfield measures --for` prints it."""

import json

import pytest

from cranfield.cli.commands.evaluate import measures
from cranfield.metrics import parse
from cranfield.metrics.tasks import TASKS, tasks_for
from tests.conftest import Cranfield


def test_every_measure_is_one() -> None:
    """Each once per task, with a reason, a warning and a source."""
    for task in TASKS:
        found = {parse(advice.measure).complete() for advice in task.advice}
        assert len(found) == len(task.advice) > 1
        assert all(advice.why and advice.misleads and advice.source for advice in task.advice)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("known item", ["known-item"]),
        ("Recall@5", ["known-item", "recall", "first-stage"]),
        ("hit rate", ["known-item", "rag"]),
        ("F1", ["set-retrieval"]),
        ("RAG", ["rag"]),
        ("graded", ["many-grades"]),
        ("legal or medical recall", ["recall"]),
        ("first-page web search", ["web-search"]),
        ("alpha-nDCG", ["diversity"]),
    ],
)
def test_words_that_people_type(words: str, names: list[str]) -> None:
    """Whatever their case, blanks and dashes; a number after @ is k."""
    assert [task.name for task in tasks_for(words)] == names


def test_every_word_finds_its_task() -> None:
    """Each word of a task, even where a task has it as its name."""
    for task in TASKS:
        for word in task.words:
            assert task in tasks_for(word), word


def test_the_command_prints_it(cranfield: Cranfield) -> None:
    """The measures, and the command line that computes them."""
    out = cranfield("measures", "--for", "known-item").out
    assert out.startswith("known-item: one right answer")
    assert out.endswith("  cranfield evaluate qrels.txt a.run -m RR@10 -m Success@1 -m Success@10\n")
    rows = json.loads(cranfield("measures", "--for", "rag", "--format", "json").out)
    assert {"task": "rag", "measure": "R@5"}.items() <= rows[0].items()


def test_other_words_are_an_error(cranfield: Cranfield) -> None:
    """One line that lists the tasks; a measure and a task at once is wrong usage."""
    result = cranfield("measures", "--for", "cooking")
    assert (result.code, result.err.count("\n")) == (1, 1)
    assert all(task.name in result.err for task in TASKS)
    assert cranfield("measures", "AP", "--for", "rag").code == 2


def test_the_help_lists_the_tasks() -> None:
    """All of them, in the order of the table."""
    assert f"Tasks: {', '.join(task.name for task in TASKS)};" in " ".join((measures.__doc__ or "").split())
