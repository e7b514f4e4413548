"""Functions of judging: what Python gets is what the command prints."""

import json
from pathlib import Path

import pytest

from cranfield.errors import InputError
from cranfield.options.judging import names_by_topic
from tests.conftest import Cranfield
from tests.stores import new_file

LABELS = {"ada": {"q1": {"d1": 1, "d2": 0}}, "bob": {"q1": {"d1": 1, "d2": 1}}}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return new_file(tmp_path / "t.db", topics=["q1"], people=["ada", "bob"], qrels=LABELS)


def test_topics_are_given_away_by_a_dict(workshop: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    import cranfield as package

    place = tmp_path / "w.db"
    place.write_bytes(workshop.read_bytes())
    before = package.judging.assign_topics(place, assessors=["eve"])
    qid = before.rows()[0]["qid"]
    after = package.judging.assign_topics(place, give={qid: None})
    assert (before.rows()[0]["assessor"], after.rows()[0]["assessor"]) == ("eve", None)
    assert after.to_json() == cranfield.out("assign", place, "--format", "json")
    wrong = cranfield("assign", place, "--give", "nobody")
    assert (wrong.code, "'nobody'; expected QID=NAME" in wrong.err) == (2, True)
    assert names_by_topic(["a=b=ada"]) == {"a=b": "ada"}


def test_assessors_and_a_queue_are_wrong_usage(store: Path, cranfield: Cranfield) -> None:
    import cranfield as package

    with pytest.raises(InputError, match="give either assessors or queue"):
        package.judging.assign_topics(store, assessors=["ada"], queue=True)
    result = cranfield("assign", store, "--assessor", "ada", "--queue")
    assert (result.code, "Invalid value for --queue: give either --assessor or --queue" in result.err) == (2, True)
    nothing = cranfield("assign", store)
    assert (nothing.code, "no topic is assigned yet; assign topics with --assessor NAME" in nothing.err) == (1, True)
    assert package.judging.assign_topics(store).frame.empty


def test_agreement_in_python_has_the_rows_of_the_command(store: Path, cranfield: Cranfield) -> None:
    import cranfield as package

    agreement = package.judging.measure_agreement(store, coefficients=["overlap"], resamples=0)
    words = ("agreement", store, "--coefficient", "overlap", "--resamples", "0", "--format", "json")
    assert agreement.to_json() == cranfield.out(*words)
    view = package.open_collection(store).select(labels="people")
    by_name = package.judging.measure_agreement(store, coefficients="overlap", resamples=0)
    assert by_name.rows() == agreement.rows()
    by_view = package.judging.measure_agreement(view, coefficients=["overlap"], resamples=0)  # type: ignore[arg-type]
    assert by_view.rows() == agreement.rows()
    with pytest.raises(InputError, match="expected at least 100 resamples"):
        package.judging.measure_agreement(store, resamples=50)
    with pytest.raises(InputError, match="unknown coefficient 'kapa'"):
        package.judging.measure_agreement(store, coefficients=["kapa"])


def test_one_section_of_the_progress_or_all(store: Path, cranfield: Cranfield) -> None:
    import cranfield as package

    tables = json.loads(cranfield.out("progress", store, "--format", "json"))
    assert json.loads(package.judging.progress(store).to_json()) == tables
    pace = package.judging.progress(store, section="pace")
    assert pace.to_json() == cranfield.out("progress", store, "--show", "pace", "--format", "json")
    with pytest.raises(InputError, match="section is 'speed'; expected work, pace"):
        package.judging.progress(store, section="speed")  # type: ignore[arg-type]


def test_disagreements_and_reasons_are_results(store: Path, cranfield: Cranfield) -> None:
    import cranfield as package

    rows = package.judging.list_disagreements(store).rows()
    assert [(row["document"], row["labels"]) for row in rows] == [("d2", "0 1")]
    assert package.judging.list_disagreements(store).to_json() == cranfield.out(
        "adjudicate", store, "--list", "--format", "json"
    )
    reasons = package.judging.explain_label(store, "q1", "d1", policy="max")
    assert reasons.to_json() == cranfield.out("why", store, "q1", "d1", "--policy", "max", "--format", "json")


def test_three_sets_of_labels_are_a_row_for_each_pair(store: Path, cranfield: Cranfield) -> None:
    import cranfield as package

    pairs = package.judging.compare_judgments(store, ["ada", "bob", "min"])
    assert next((row["a"], row["b"], row["changed"]) for row in pairs.rows()) == ("ada", "bob", 1)
    assert pairs.to_json() == cranfield.out("diff", store, "ada", "bob", "min", "--format", "json")
    labels = package.judging.compare_judgments(store, "ada", "bob", show="labels")
    assert [row["doc_id"] for row in labels.rows()] == ["d2"]
    with pytest.raises(InputError, match="expected two or more sets"):
        package.judging.compare_judgments(store, "ada")
    result = cranfield("diff", store, "ada")
    assert (result.code, "Invalid value for A B...|QRELS...: expected two or more sets" in result.err) == (
        2,
        True,
    )
    wrong = cranfield("diff", store, "1.0", "--contents", "--topics", "dev")
    assert (wrong.code, "Invalid value for --contents: lists all changes" in wrong.err) == (2, True)
