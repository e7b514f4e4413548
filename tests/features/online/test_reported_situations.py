"""Situations of logs and interleaved lists that others reported, each with what is right."""

import json
import warnings
from pathlib import Path

import pytest

from cranfield.errors import InputError
from cranfield.features.online.interleaving import METHODS, interleave
from tests.conftest import Cranfield


@pytest.fixture
def reports(shared: Path) -> Path:
    if not (folder := shared / "reports").is_dir():
        pytest.skip("needs ../shared/data/reports, which is not here")
    return folder


def import_report(folder: Path, store: Path, cranfield: Cranfield, *options: str) -> tuple[int, str]:
    assert cranfield("init", store, "--name", "x").code == 0
    (log,) = folder.glob("log.jsonl*")
    outcome = cranfield("import", "log", store, log, *options)
    return outcome.code, outcome.err


def test_one_user_in_each_arm_gives_no_p(reports: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    store = tmp_path / "s.db"
    options = ["--experiment", "e", "--arms", "control,new"]
    assert import_report(reports / "34-one-user-in-an-arm", store, cranfield, *options)[0] == 0
    command = ["online", "ab", store, "--control", "control", "-m", "CTR", "-m", "ValuePerUser"]
    effects = json.loads(cranfield(*command, "--format", "json").out)["effects"]
    assert [(row["value"], row["low"], row["p"]) for row in effects] == [(0.0, None, None), (2.0, None, None)]
    outcome = cranfield(*command)
    assert outcome.code == 0
    assert "note: CTR has no interval and no p: an arm has fewer than 2 users\n" in outcome.err
    assert "note: ValuePerUser has no interval and no p: an arm has fewer than 2 users\n" in outcome.err


def test_a_document_twice_in_a_list_is_refused(reports: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    folder = reports / "35-interleaved-list-with-a-duplicate"
    code, err = import_report(folder, tmp_path / "s.db", cranfield, "--arms", "x,y")
    assert (code, "log.jsonl:1: 'd1' appears twice in the list; expected each document once" in err) == (1, True)


@pytest.mark.parametrize("method", list(METHODS))
def test_rankings_that_are_short_or_empty_or_have_a_document_twice(method: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(InputError, match="ranking 1 has document 'd1' twice"):
            interleave([["d1", "d2", "d1"], ["d2", "d3"]], method=method, rng="k")
        docs = interleave([["d1", "d2", "d3", "d4"], ["d1"]], method=method, rng="k").docs
        assert sorted(map(str, docs)) == ["d1", "d2", "d3", "d4"]
        assert interleave([["d1"], []], method=method, rng="k").docs == ("d1",)
        assert interleave([[], []], method=method, rng="k").docs == ()


def test_propensities_of_0_and_above_1_are_refused(reports: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    store, folder = tmp_path / "s.db", reports / "37-propensity-of-zero"
    code, err = import_report(folder, store, cranfield)
    assert code == 1
    assert (
        "log.jsonl:1: the propensity is 0; expected more than 0 and at most 1 (2 bad lines; --skip leaves them out)"
        in err
    )
    outcome = cranfield("import", "log", store, folder / "log.jsonl", "--skip")
    assert "1 list and 0 actions added; 2 lines left out" in outcome.out
    assert "log.jsonl:3: the propensity is 1.7; expected more than 0 and at most 1" in outcome.err


def test_users_in_two_arms_are_left_out_and_counted(reports: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    store = tmp_path / "s.db"
    assert import_report(reports / "73-users-in-two-arms", store, cranfield)[0] == 0
    document = json.loads(cranfield("online", "ab", store, "--control", "control", "--format", "json").out)
    assert document["in_several_arms"] == 20
    assert document["sample_ratio"]["users"] == {"control": 190, "new": 190}
    assert document["sample_ratio"]["p"] == 1
    assert document["effects"][0]["p"] == pytest.approx(0.9068, abs=5e-5)


def test_click_counts_as_grades(reports: Path, cranfield: Cranfield) -> None:
    """Linear gains are right; exponential ones of such grades have no finite value, and the grade is named."""
    folder = reports / "70-click-counts-as-grades"
    files = [folder / "q.qrels", folder / "r.run"]
    table = json.loads(cranfield("evaluate", *files, "-m", "nDCG@10", "-m", "ERR@10", "--format", "json").out)
    assert [row["value"] for row in table["scores"]] == pytest.approx([0.5014, 1 / 3], abs=5e-5)
    for measure in ("nDCG(gains=exp)@10", "ndcg_burges@10"):
        outcome = cranfield("evaluate", *files, "-m", measure)
        assert (outcome.code, outcome.out) == (1, "")
        assert "the grade 5,700 is too large for gains=" in outcome.err
