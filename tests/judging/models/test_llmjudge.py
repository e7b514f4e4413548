"""Labels of models for the passages of the LLMJudge challenge, beside those of people: the published material."""

from pathlib import Path

import pytest

from cranfield.formats import read_qrels
from cranfield.judging.agreement.agreement import LabelMatrix, matrix_of_qrels
from cranfield.judging.agreement.base import labels_of
from cranfield.judging.agreement.table import AGREEMENTS
from cranfield.store.qrels import import_qrels
from cranfield.store.store import Store

KAPPAS = {  # nominal, quadratic, and of relevant (2 or more) or not
    "willia-umbrela1": (0.2863, 0.5044, 0.3985),
    "h2oloo-fewself": (0.2774, 0.5046, 0.4280),
    "TREMA-rubric0": (0.0779, 0.1623, 0.0308),
}
OUTSIDE = {"RMITIR-llama70B": 2, "h2oloo-zeroshot2": 1}


def kappa(matrix: LabelMatrix, name: str) -> float:
    """A kappa of two assessors."""
    coefficient, labels = AGREEMENTS[name], labels_of(matrix.grades, matrix.scale, matrix.min_relevant)
    return float(coefficient.value(coefficient.tally(labels).sum(axis=0), labels.scale))


@pytest.mark.parametrize("name", KAPPAS)
def test_kappas(shared: Path, name: str) -> None:
    folder = shared / "llmjudge"
    several = {"h": read_qrels(folder / "human.test.qrels.txt.gz"), "m": read_qrels(folder / f"labels/{name}.txt.gz")}
    matrix = matrix_of_qrels(several, [0, 1, 2, 3], 2)
    found = (
        kappa(matrix, "Cohen kappa"),
        kappa(matrix, "Cohen kappa quadratic"),
        kappa(matrix.binary(), "Cohen kappa"),
    )
    assert found == pytest.approx(KAPPAS[name], abs=5e-5)


@pytest.mark.parametrize("name", OUTSIDE)
def test_what_is_off_the_scale_is_a_failure_and_no_grade(shared: Path, name: str) -> None:
    qrels = read_qrels(shared / "llmjudge" / "labels" / f"{name}.txt.gz")
    with Store.memory("x", {0: "a", 1: "b", 2: "c", 3: "d"}) as store:
        import_qrels(store, qrels, name, "model", set_aside=True)
        kinds = dict(store.rows("SELECT kind, count(*) FROM judgment_event GROUP BY kind"))
    assert kinds["cannot-judge"] == OUTSIDE[name]
    assert sum(kinds.values()) == len(qrels) == 4423
