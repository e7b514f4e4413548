"""Logs of other systems: OpenSearch UBI, Yandex RelPred, the Open Bandit Dataset."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from cranfield import import_log
from cranfield.arrays.interactions import KINDS, Interactions
from cranfield.errors import InputError
from cranfield.features.online.store.read import interactions
from cranfield.store.store import Store
from tests.files import json_file


@pytest.fixture
def store() -> Iterator[Store]:
    with Store.memory("log") as made:
        yield made


def query(query_id: str, hits: Sequence[str | None] | None, at: str = "2024-05-01T10:00:00Z") -> dict[str, Any]:
    found = {"query_id": query_id, "client_id": "c1", "user_query": "wing lift", "timestamp": at}
    return found | ({} if hits is None else {"query_response_hit_ids": hits})


def event(query_id: str, action: str, doc: str, ordinal: int, second: int = 5, **more: Any) -> dict[str, Any]:
    about = {"object": {"object_id": doc}, "position": {"ordinal": ordinal}, **more}
    at = f"2024-05-01T10:00:{second:02}Z"
    return {"action_name": action, "query_id": query_id, "timestamp": at, "session_id": "s", "event_attributes": about}


def shown(log: Interactions) -> list[list[str]]:
    return [log.documents.names[log.document[log.impression == row]].tolist() for row in range(len(log))]


def test_ubi_joins_queries_and_events(store: Store, tmp_path: Path) -> None:
    queries = json_file(tmp_path / "queries", query("a", ["d1", "d2", "d3"]), query("b", []))
    events = json_file(
        tmp_path / "events", event("a", "click", "d2", 2), event("a", "purchase", "d2", 2, 9),
        event("a", "watch", "d2", 2, 9, dwell_time=31.5), event("a", "page_exit", "", 0),
        {"_source": event("a", "hover", "d1", 1)},
    )  # fmt: skip
    done = import_log(store, [queries, events])
    log = interactions(store)
    assert shown(log) == [["d1", "d2", "d3"], []]
    assert [KINDS[kind] for kind in log.actions.kind] == ["click", "hover", "convert", "dwell"]
    assert log.actions.position.tolist() == [1, 0, 1, 1]
    assert (log.users, log.queries.names.tolist()) == (1, ["wing lift"])
    assert done.notes == [
        "positions (ordinal) count from 1: as documents stand in the lists", "actions left out: page_exit (1)"
    ]  # fmt: skip


def test_ubi_lists_come_from_impressions_where_hits_are_absent(store: Store, tmp_path: Path) -> None:
    queries = json_file(tmp_path / "queries", query("a", None), query("lost", None))
    impressions = [event("a", "impression", f"d{rank}", rank, 1) for rank in (2, 0, 1)]
    events = json_file(tmp_path / "events", *impressions, event("a", "click", "", 1))
    with pytest.raises(InputError, match="queries:2: query 'lost' has neither hit ids nor impressions"):
        import_log(store, [queries, events])
    done = import_log(store, [queries, events], skip=True)
    log = interactions(store)
    assert (shown(log), log.actions.position.tolist()) == ([["d0", "d1", "d2"]], [1])
    assert done.notes == ["positions (ordinal) count from 0: the least position is 0"]


def test_ubi_that_cannot_be_right_is_named(store: Store, tmp_path: Path) -> None:
    queries = json_file(tmp_path / "queries", query("a", ["d1"]))
    for wrong, why in (
        (event("a", "click", "d9", 1), "queries:1: an action on 'd9', which was not shown"),
        (event("a", "click", "d1", 1) | {"timestamp": "soon"}, "events:1: time 'soon'"),
        (event("a", "click", "d1", 1) | {"timestamp": 10**400}, "events:1: time 1000"),
        (event("a", "click", "d1", 1) | {"timestamp": 10**17}, "queries:1: time 1"),
        (event("a", "click", "d1", 1) | {"timestamp": None}, "events:1: no timestamp; expected an ISO 8601 time or"),
        (event("a", "watch", "d1", 1, dwell_time="9"), "events:1: dwell_time is '9'; expected a number"),
        (event("a", "watch", "d1", 1, dwell_time=10**400), "events:1: dwell_time is 1000.*; expected a finite number"),
        (event("a", "watch", "d1", 1, dwell_time=-1), "queries:1: seconds is -1; expected a finite number of 0 or"),
        (event("a", "click", "d1", 1) | {"event_attributes": "{}"}, "events:1: event_attributes is '{}'; expected an"),
        (event("a", "click", "d1", -1), "events:1: ordinal is -1; expected a whole number"),
        (event("a", "click", "d1", 1) | {"timestamp": "2024-05-01T09:59:59Z"}, "queries:1: an action 1 s before"),
    ):
        with pytest.raises(InputError, match=why):
            import_log(store, [queries, json_file(tmp_path / "events", wrong)])
    for wrong, why in (
        (
            query("a", ["d1"]) | {"timestamp": None},
            "queries:1: no timestamp; expected an ISO 8601 time or",
        ),
        (
            query("a", ["d1"]) | {"query_response_hit_ids": "d1"},
            "queries:1: query_response_hit_ids is 'd1'; expected",
        ),
        (query("a", ["d1"]) | {"query_attributes": "B"}, "queries:1: query_attributes is 'B'; expected an object"),
        (query("a", ["d1"]) | {"client_id": {}}, "queries:1: client_id is {}; expected text"),
        (query("a", ["d1", None]), "queries:1: query_response_hit_ids has null; expected document ids"),
    ):
        with pytest.raises(InputError, match=why):
            import_log(store, [json_file(tmp_path / "queries", wrong)])
    twice = json_file(tmp_path / "queries", query("a", ["d1"]), query("a", ["d2"]))
    with pytest.raises(InputError, match="queries:2: query 'a' is given twice; expected once"):
        import_log(store, [twice])
    assert import_log(store, [twice], skip=True).bad == {"queries given twice": 1}
    assert shown(interactions(store)) == [["d1"]]


def test_ubi_without_an_id_is_counted(store: Store, tmp_path: Path) -> None:
    queries = json_file(tmp_path / "queries", query("a", ["d1"]), query("", ["d2"]))
    events = json_file(tmp_path / "events", event("a", "click", "d1", 1), event("", "click", "d2", 1, 2))
    done = import_log(store, [queries, events])
    assert done.notes[1:] == ["2 records without a query_id left out"]
    assert shown(interactions(store)) == [["d1"]]


def test_ubi_fields_have_other_names(store: Store, tmp_path: Path) -> None:
    queries = json_file(tmp_path / "queries", query("a", ["d1"]) | {"query_attributes": {"bucket": "B", "who": "u"}})
    import_log(store, [queries], fields={"arm": "bucket", "user": "who"})
    log = interactions(store)
    assert (log.arms.names.tolist(), log.users) == (["B"], 1)


@pytest.mark.parametrize(
    ("names", "why"),
    [
        ({"arm": "nosuch"}, "queries: no field 'nosuch'; the fields in the file are bucket, query_id"),
        ({"arm": "query_attributes.bucket"}, "queries: no field 'query_attributes.bucket'; the fields in"),
        ({"arm": "object_id"}, "no field 'object_id'"),
        (
            {"session": "bucket"},
            "queries: the field 'session' of ubi has a fixed name; --field is for user, query, arm",
        ),
        ({"colour": "bucket"}, "a log has no field 'colour'; available: id, at, user"),
    ],
)
def test_ubi_has_no_field_of_that_name(store: Store, tmp_path: Path, names: dict[str, str], why: str) -> None:
    """An option that would change nothing is refused, as it is for JSONL; nothing is imported."""
    queries = json_file(tmp_path / "queries", query("a", ["d1"]) | {"query_attributes": {"bucket": "B"}})
    events = json_file(tmp_path / "events", event("a", "click", "d1", 1))
    with pytest.raises(InputError, match=why):
        import_log(store, [queries, events], fields=names)
    assert len(interactions(store)) == 0


def test_a_field_is_found_whatever_its_case(store: Store, tmp_path: Path) -> None:
    """In UBI as in JSONL: a name that is accepted is read."""
    import_log(store, [json_file(tmp_path / "queries", query("a", ["d1"]) | {"Bucket": "B"})], fields={"arm": "bucket"})
    assert interactions(store).arms.names.tolist() == ["B"]


def test_yandex_has_sessions_of_queries_and_clicks(store: Store, tmp_path: Path) -> None:
    path = json_file(
        tmp_path / "log",
        "7\t0\tQ\t12\t1\td1\td2",
        "7\t9\tC\td2",
        "7\t20\tQ\t13\t1\td2\td3",
        "7\t21\tC\td2",
        "8\t0\tQ\t12\t1\td1",
    )
    assert import_log(store, [path]).actions == 2
    log = interactions(store)
    assert sorted(shown(log)) == [["d1"], ["d1", "d2"], ["d2", "d3"]]
    assert (log.users, sorted(log.actions.at.tolist()), int(log.clicks.sum())) == (2, [9, 21], 2)
    for wrong, why in (
        ("8\t1\tC\td9", "bad:2: a click on 'd9', which was not shown"),
        ("8\t1\tX\td9", "'X' with 1 fields"),
        ("8\tx\tC\td1", "expected session, time, Q or C"),
        ("9\t1\tQ\t12\t1\td1\t", "bad:2: a document without a name"),
    ):
        with pytest.raises(InputError, match=why):
            import_log(store, [json_file(tmp_path / "bad", "8\t0\tQ\t12\t1\td1", wrong)])
    with pytest.raises(InputError, match="fields of yandex have no names; --field is for jsonl, ubi, ga4, csv and"):
        import_log(store, [path], fields={"user": "x"})


def test_obd_has_positions_and_propensities(store: Store, tmp_path: Path) -> None:
    head = ",timestamp,item_id,position,click,propensity_score,user_feature_0"
    row = "0,2019-11-24 00:00:12.340821+00:00,79,2,1,0.0125,x"
    import_log(store, [json_file(tmp_path / "log", head, row, row.replace("0,2019", "1,2019", 1))])
    log = interactions(store)
    assert (shown(log), log.first.tolist()) == ([["79"], ["79"]], [1, 1])
    assert (log.propensity.tolist(), log.clicks.tolist(), log.user.tolist()) == ([0.0125] * 2, [True] * 2, [-1, -1])
    for wrong, why in (
        ("0.0125", "0"),
        ("79,2,1", "79,x,1"),
        ("79,2,1", "79,2,5"),
        ("79,2,", f"79,{10**30},"),
        ("2019-11-24", "yesterday"),
    ):
        with pytest.raises(InputError, match="bad:2: "):
            import_log(store, [json_file(tmp_path / "bad", head, row.replace(wrong, why))])


@pytest.mark.parametrize(
    "before", ["null", " \t null{}", "\ufeffnull", "\nnull"], ids=["null", "blanks", "mark", "line"]
)
def test_a_line_of_null_is_named(store: Store, tmp_path: Path, before: str) -> None:
    """Where the first is one, Arrow would end the process."""
    path = tmp_path / "log"
    path.write_text(f'{before}\n{{"id": "a", "at": 1, "query": "wing", "docs": ["d1"]}}\n', encoding="utf-8")
    with pytest.raises(InputError, match=f"log:{before.count(chr(10)) + 1}: "):
        import_log(store, [path], format="jsonl")
    import_log(store, [path], format="jsonl", skip=True)
    assert shown(interactions(store)) == [["d1"]]
