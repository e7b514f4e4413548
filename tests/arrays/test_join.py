"""Runs meet judgments a few at a time: the same as all at once, whatever the names, from files and from a store."""

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.arrays.join import join_runs_and_qrels
from cranfield.arrays.judged import BATCH, Judged
from cranfield.arrays.rankings import Vocabulary
from cranfield.errors import InputError
from cranfield.formats import read_qrels, read_runs
from cranfield.formats.arrow import TextVocabulary, text_array, unite_vocabularies
from cranfield.metrics.evaluate import evaluate, score
from cranfield.metrics.inputs import join_judged
from cranfield.metrics.notation import parse_measures
from cranfield.store.qrels import qrels_of
from cranfield.store.runs import stored_runs
from tests.conftest import usually
from tests.stores import new_store
from tests.views import view_of

MEASURES = parse_measures(["AP", "nDCG@10", "P@5", "Bpref", "RBP", "NumRet"])
names = st.text(st.characters(blacklist_categories=["Cs", "Z", "Cc"]), min_size=1, max_size=20)


@given(st.lists(names, unique=True, min_size=1))
def test_names_are_sorted_by_their_bytes(texts: list[str]) -> None:
    """Names that begin alike, that are shorter than a word or end within one, and characters of several bytes."""
    texts = list(dict.fromkeys([*texts, *(text[:8] for text in texts), *(text + "x" * 8 for text in texts)]))
    order = TextVocabulary(text_array(texts)).sorted_codes(np.arange(len(texts)))
    assert [texts[code] for code in order] == sorted(texts, key=str.encode)


def test_names_of_an_array_that_starts_within_another() -> None:
    vocabulary = TextVocabulary(text_array(["z", "b", "a", "c"])[1:])
    assert vocabulary.sorted_codes(np.array([2, 0, 1])).tolist() == [1, 0, 2]
    assert TextVocabulary(text_array([])).sorted_codes(np.zeros(0, np.int64)).tolist() == []


@given(st.lists(names, unique=True), st.lists(names, unique=True))
def test_names_are_found_in_another_vocabulary(ours: list[str], theirs: list[str]) -> None:
    """Whatever the two are made of."""
    reference = Vocabulary(theirs).codes(ours).tolist()
    for target in (Vocabulary(theirs), TextVocabulary(text_array(theirs))):
        assert TextVocabulary(text_array(ours)).codes_in(target).tolist() == reference
        assert Vocabulary(ours).codes_in(target).tolist() == reference


@given(st.lists(st.lists(names, unique=True), min_size=1, max_size=4))
def test_vocabularies_are_united(several: list[list[str]]) -> None:
    together, codes = unite_vocabularies([TextVocabulary(text_array(texts)) for texts in several])
    assert [together.names[code].tolist() for code in codes] == several
    assert sorted(together.names) == sorted({text for texts in several for text in texts})


def write(folder: Path, runs: int, seed: int = 1) -> tuple[Path, list[Path]]:
    """Runs with many ties over documents of which half were judged, and over topics of which some were."""
    random = np.random.default_rng(seed)
    files = [folder / f"run{number:02}" for number in range(runs)]
    for file in files:
        lines = [
            f"{topic} Q0 {'doç' * (d % 4)}{d} 0 {round(float(random.normal()), 1)} {file.name}\n"
            for topic in random.permutation(12)[:9]
            for d in random.permutation(60)[:40]
        ]
        file.write_text("".join(lines))
    qrels = folder / "qrels"
    judged = [f"{topic} 0 {'doç' * (d % 4)}{d} {d % 3}\n" for topic in range(2, 14) for d in range(0, 80, 2)]
    qrels.write_text("".join(judged))
    return qrels, files


def assert_same(a: Judged, b: Judged) -> None:
    """The same rankings: what differs is at most how judgments are numbered."""
    assert (a.tags, a.qids) == (b.tags, b.qids)
    for name in ("ranking", "rank", "grade", "retrieved"):
        assert np.array_equal(getattr(a, name), getattr(b, name)), name
    assert np.array_equal(a.qrels_grade[a.judgment], a.grade)
    assert np.array_equal(a.qrels_topic[a.judgment], a.ranking % len(a.qids))
    assert np.array_equal(score(a, MEASURES), score(b, MEASURES), equal_nan=True)


def test_a_file_at_a_time_is_as_all_at_once(tmp_path: Path) -> None:
    qrels, files = write(tmp_path, 5)
    assert_same(join_judged(qrels, files), join_runs_and_qrels(read_runs(files), read_qrels(qrels)))
    assert_same(view_of([qrels, *files]).scored_blocks.joined, view_of([qrels, *files]).judged)


@pytest.mark.parametrize("runs", [1, BATCH, 2 * BATCH + 1])
def test_a_store_in_parts_is_as_all_at_once(tmp_path: Path, runs: int) -> None:
    qrels, files = write(tmp_path, runs)
    scale = {0: "no", 1: "some", 2: "much"}
    with new_store(tmp_path / "a.db", grades=scale, runs=files, qrels={"assessor": qrels}) as store:
        whole = join_runs_and_qrels(stored_runs(store), qrels_of(store))
    assert_same(view_of([tmp_path / "a.db"]).blocks.joined, whole)
    assert_same(whole, join_judged(qrels, files))


def test_judgments_of_subtopics_meet_runs_one_by_one(tmp_path: Path) -> None:
    _, files = write(tmp_path, 3)
    qrels = tmp_path / "subtopics"
    lines = [f"{t} {s} {d} {int(d % s == 0)}\n" for t in range(3) for s in (1, 2, 3) for d in range(40)]
    qrels.write_text("".join(lines))
    measures = ["alpha_nDCG@10", "AP"]
    with pytest.warns(UserWarning, match="read as subtopics"):
        by_file = evaluate(qrels, files, measures)
    assert by_file.equals(evaluate(read_qrels(qrels), read_runs(files), measures))


def test_runs_of_other_topics_are_refused(tmp_path: Path) -> None:
    """Where none answers a topic that was judged; one that does is enough."""
    (tmp_path / "qrels").write_text("7 0 d 1\n")
    for name, topic in {"a": "1", "b": "2", "c": "7"}.items():
        (tmp_path / name).write_text(f"{topic} Q0 d 1 1 {name}\n")
    files = [tmp_path / name for name in "abc"]
    with pytest.raises(InputError, match=r"has judgments: the runs have .*, and the qrels have 7; expected judgments"):
        join_judged(tmp_path / "qrels", files[:2])
    assert join_judged(tmp_path / "qrels", files).retrieved.tolist() == [0, 0, 1]


@pytest.mark.parametrize(("topics", "named"), [("abc", "a, b, c"), ("abcd", "a, b, c, ...")])
def test_the_error_names_three_topics_of_the_runs(topics: str, named: str) -> None:
    run = {topic: {"d": 1.0} for topic in topics}
    with pytest.raises(InputError, match=rf"the runs have {re.escape(named)}, and the qrels have 7;"):
        evaluate({"7": {"d": 1}}, run, "AP")


@pytest.mark.filterwarnings("ignore:.*ranks contradict scores")
@pytest.mark.parametrize(("collection", "every"), [("robust03", usually(16, 4)), ("treccovid-r1", usually(48, 20))])
def test_real_runs_a_file_at_a_time(shared: Path, collection: str, every: int) -> None:
    qrels = next((shared / collection).glob("qrels*"))
    files = sorted((shared / collection / "runs").iterdir())[::every]
    assert_same(join_judged(qrels, files), join_runs_and_qrels(read_runs(files), read_qrels(qrels)))
