"""The order of rows by columns of words, against Python's sort."""

import pickle

import numpy as np
import pytest

from cranfield.arrays import rankings
from cranfield.arrays.rankings import Vocabulary, ascending_order, distinct_rows
from cranfield.formats.arrow import TextVocabulary, text_array
from cranfield.formats.runs.blocks import _has_repeats


@pytest.mark.parametrize("seed", range(12))
def test_rows_are_sorted_as_tuples_are(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few bits fit into one number with the row; more are sorted in another way. Rows are packed 16 at a time."""
    monkeypatch.setattr(rankings, "_CACHED", 16)
    random = np.random.default_rng(seed)
    size, bits, width = int(random.integers(0, 90)), [3, 20, 63][seed % 3], 1 + seed % 4
    columns = [random.integers(0, 1 << bits, size, dtype=np.uint64) for _ in range(width)]
    twice = random.integers(0, max(size, 1), size)
    columns = [column[twice] for column in columns]
    tuples = [*zip(*(column.tolist() for column in columns), strict=True)]
    found, is_new = distinct_rows(columns)
    in_order = [tuples[row] for row in found.tolist()]
    assert sorted(found.tolist()) == [*range(size)]
    assert in_order == sorted(tuples)
    assert is_new.tolist() == [at == 0 or in_order[at - 1] != value for at, value in enumerate(in_order)]
    group = np.sort(random.integers(0, 3, size))
    group = np.unique(group, return_inverse=True)[1]
    rows = ascending_order(group, columns).tolist()
    assert [(group[row], tuples[row]) for row in rows] == sorted(zip(group.tolist(), tuples, strict=True))


@pytest.mark.parametrize("seed", range(20))
def test_a_document_twice_in_a_topic_is_found(seed: int) -> None:
    """Whether the topics of the file stand together or not."""
    random = np.random.default_rng(seed)
    topic, document = random.integers(0, 4, 9).astype(np.int32), random.integers(0, 9, 9)
    topic = np.sort(topic) if seed % 2 else topic
    rows, is_new = distinct_rows([document.astype(np.uint64)])
    assert _has_repeats(topic, rows, is_new) == (len({*zip(topic.tolist(), document.tolist(), strict=True)}) < 9)


def test_a_document_twice_in_a_topic_is_found_among_many_rows() -> None:
    """More pairs of rows and topics than 32 bits have."""
    size = 1 << 17
    topic, document = np.arange(size, dtype=np.int32)[::-1], np.zeros(size, np.uint64)
    rows, is_new = distinct_rows([document])
    assert not _has_repeats(topic, rows, is_new)


def test_equal_names_are_found_by_any_vocabulary() -> None:
    """For few integers and for many, one vocabulary after the other."""
    names = ["d9", "q1", "", "é", "q2"]
    codes, other_codes = (column.ravel() for column in np.indices((5, 5)))
    for vocabulary in (Vocabulary(names), TextVocabulary(text_array(names))):
        for others in (["q2", "q1", "x", "é", ""], ["", "a", "b", "c", "d9"]):
            expected = [names[code] == others[other] for code, other in zip(codes, other_codes, strict=True)]
            other = Vocabulary(others)
            few = [vocabulary.equals(codes[at : at + 1], other, other_codes[at : at + 1]).tolist() for at in range(25)]
            assert few == [[one] for one in expected]
            assert vocabulary.equals(codes, other, other_codes).tolist() == expected
            assert pickle.loads(pickle.dumps(vocabulary)).equals(codes, other, other_codes).tolist() == expected


def test_what_was_compared_is_not_sent_elsewhere() -> None:
    names, others = Vocabulary(["a", "b"]), Vocabulary([f"{number}" for number in range(1000)])
    before = pickle.dumps(names)
    names.equals(np.zeros(3, np.int64), others, np.zeros(3, np.int64))
    assert len(pickle.dumps(names)) < len(before) + 200
