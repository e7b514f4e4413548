"""Names and their row numbers, many at a time, against a plain dictionary."""

from collections.abc import Iterable
from random import Random

import numpy as np
import pytest

from cranfield.errors import InputError
from cranfield.formats import Document
from cranfield.formats.arrow import text_array
from cranfield.store import named_rows
from cranfield.store.names import Lack, find_missing_names
from cranfield.store.store import Store

ODD = ["", " ", "a", "0", "00", '"', "\\", "\\u0000", "é", "e\u0301", "𝄞", "\ufeff", "NULL", "-1", "a'b", "ÿ"]


@pytest.fixture(autouse=True)
def _few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(named_rows, "STATEMENT_NAMES", 7)


def take(store: Store, names: Iterable[str]) -> list[int]:
    return [int(number) for number in store.ensure_rows("document", np.array([*names], object))]


@pytest.mark.parametrize("seed", range(8))
def test_names_get_the_numbers_of_a_dictionary(seed: int) -> None:
    """New ones in the order they come, those that are here keep theirs, and a name that comes twice has one."""
    random, numbers = Random(seed), dict[str, int]()
    with Store.memory("names") as store:
        for _ in range(6):
            names = random.choices([*ODD, *map(str, range(40))], k=random.choice([0, 1, 5, 40]))
            expected = [numbers.setdefault(name, len(numbers) + 1) for name in names]
            assert take(store, names) == expected
            assert store.names("document", "docno") == [*numbers]
            queries = random.sample([*numbers, "nobody", "nobody else"], k=len(numbers) // 2 + 1)
            assert store.numbers("document", "docno", queries) == [numbers.get(name, -1) for name in queries]


def test_what_was_removed_is_restored_among_many() -> None:
    """Its row keeps its number."""
    with Store.memory("names") as store:
        take(store, "abc")
        store.conn.execute("UPDATE document SET removed = 1 WHERE docno IN ('a', 'c')")
        assert store.count("document") == 1
        assert take(store, "cdefghijklmnop") == [3, *range(4, 17)]
        assert store.count("document") == 15


def test_texts_are_indexed_after_many_names_came() -> None:
    """Adding bare rows sets the trigger of the full-text index aside for a moment, and only for that."""
    with Store.memory("names") as store:
        schema = set(store.rows("SELECT type, name, sql FROM sqlite_master"))
        take(store, map(str, range(30)))
        assert set(store.rows("SELECT type, name, sql FROM sqlite_master")) == schema
        store.add_documents([Document("5", text="a wing"), Document("x", text="wings")])
        assert [docno for docno, _ in store.search("wing", 5)] == ["x", "5"]


def test_a_name_that_cannot_be_stored_leaves_nothing_behind() -> None:
    """Neither the names before it nor a missing trigger; SQL would cut it short."""
    with Store.memory("names") as store:
        schema = store.rows("SELECT type, name, sql FROM sqlite_master")
        with pytest.raises(InputError, match=r"'a.x00' contains a NUL character"):
            take(store, [*map(str, range(30)), "a\0"])
        assert (store.count("document"), store.rows("SELECT type, name, sql FROM sqlite_master")) == (0, schema)


def test_names_of_arrow_arrays_are_stored_as_they_are() -> None:
    """Those without anything to escape are not made Python texts."""
    with Store.memory("names") as store:
        names = [*dict.fromkeys([*ODD, *map(str, range(40))])]
        for some in (text_array(names), text_array(names[20:])[3:]):
            expected = [names.index(name) + 1 for name in some.tolist()]
            assert store.ensure_rows("document", some).tolist() == expected
        assert store.names("document", "docno") == names


def test_documents_that_are_only_named_are_indexed_beside_a_corpus() -> None:
    """Without one, the index would hold every document, which makes imports of runs slower."""
    plan = "EXPLAIN QUERY PLAN SELECT count(*), min(id) FROM unknown_document"
    with Store.memory("names") as store:
        take(store, "abc")
        assert "document_without_text" not in store.rows(plan)[0][3]
        assert find_missing_names(store) == []
        store.add_documents([Document("b", text="a wing")])
        assert "document_without_text" in store.rows(plan)[0][3]
        assert find_missing_names(store) == [Lack("document", 2, 3, "a")]
        removed = "EXPLAIN QUERY PLAN SELECT 1 FROM document WHERE text IS NULL AND removed = 1"
        assert "USING INDEX" in store.rows(removed)[0][3]
