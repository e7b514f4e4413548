"""Logs as others have them: UBI, RelPred, the Open Bandit Dataset, GA4; tables and DataFrames; what else they say."""

import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import cranfield
from cranfield.errors import CranfieldWarning, InputError, StoreError
from cranfield.features.online.formats.reading import read_logs
from cranfield.features.online.interactions import KINDS, Interactions
from cranfield.features.online.store.read import LogChoice, interactions
from cranfield.formats.table import format_of
from cranfield.store import import_log
from cranfield.store.erasing import erase
from cranfield.store.removal import remove
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.files import json_file, without_guesses
from tests.stores import new_file, new_store


@pytest.fixture
def store() -> Iterator[Store]:
    with new_store() as store:
        yield store


def query(query_id: str, hits: Sequence[str | None] | None, at: str = "2024-05-01T10:00:00Z") -> dict[str, Any]:
    record = {"query_id": query_id, "client_id": "c1", "user_query": "wing lift", "timestamp": at}
    return record | ({} if hits is None else {"query_response_hit_ids": hits})


def event(query_id: str, action: str, doc: str, ordinal: int, second: int = 5, **more: Any) -> dict[str, Any]:
    about = {"object": {"object_id": doc}, "position": {"ordinal": ordinal}, **more}
    at = f"2024-05-01T10:00:{second:02}Z"
    return {"action_name": action, "query_id": query_id, "timestamp": at, "session_id": "s", "event_attributes": about}


def docnos(log: Interactions) -> list[list[str]]:
    return [log.documents.names[log.document[log.impression == row]].tolist() for row in range(len(log))]


def test_ubi_joins_queries_and_events(store: Store, tmp_path: Path) -> None:
    queries = json_file(tmp_path / "queries", query("a", ["d1", "d2", "d3"]), query("b", []), query("", ["d2"]))
    events = json_file(
        tmp_path / "events", event("a", "click", "d2", 2), event("a", "purchase", "d2", 2, 9),
        event("a", "watch", "d2", 2, 9, dwell_time=31.5), event("a", "page_exit", "", 0),
        {"_source": event("a", "hover", "d1", 1)}, event("", "click", "d2", 1, 2),
    )  # fmt: skip
    outcome = import_log(store, [queries, events]).outcome
    log = interactions(store)
    assert docnos(log) == [["d1", "d2", "d3"], []]
    assert [KINDS[kind] for kind in log.actions.kind] == ["click", "hover", "convert", "dwell"]
    assert log.actions.position.tolist() == [1, 0, 1, 1]
    assert (log.users, log.queries.names.tolist()) == (1, ["wing lift"])
    assert without_guesses(outcome.notes) == [
        "positions (ordinal) are counted from 1, because 4 of 4 events match the lists",
        "omitted 2 records without a query_id",
        "events left out: page_exit (1)",
    ]  # fmt: skip


def test_ubi_lists_come_from_impressions_where_hits_are_absent(store: Store, tmp_path: Path) -> None:
    queries = json_file(tmp_path / "queries", query("a", None), query("lost", None))
    impressions = [event("a", "impression", f"d{rank}", rank, 1) for rank in (2, 0, 1)]
    events = json_file(tmp_path / "events", *impressions, event("a", "click", "", 1))
    with pytest.raises(InputError, match="queries:2: query 'lost' has neither hit ids nor impressions"):
        import_log(store, [queries, events])
    outcome = import_log(store, [queries, events], skip=True).outcome
    log = interactions(store)
    assert (docnos(log), log.actions.position.tolist()) == ([["d0", "d1", "d2"]], [1])
    assert without_guesses(outcome.notes) == [
        "positions (ordinal) are counted from 0, because the smallest position is 0"
    ]


def test_ubi_events_beyond_the_logged_hits_are_counted(store: Store, tmp_path: Path) -> None:
    """A log may have the first hits alone: what was done with the others is left out, as of Google Analytics 4."""
    queries = json_file(tmp_path / "queries", query("a", ["d1", "d2"]))
    beyond = [event("a", "click", "d9", 9), event("a", "purchase", "d9", 9), event("a", "click", "", 3)]
    events = json_file(tmp_path / "events", event("a", "click", "d2", 2), *beyond, event("a", "impression", "d9", 9))
    outcome = import_log(store, [queries, events]).outcome
    log = interactions(store)
    assert (outcome.impressions, outcome.actions, outcome.bad) == (1, 1, {})
    assert (docnos(log), log.actions.position.tolist()) == ([["d1", "d2"]], [1])
    assert without_guesses(outcome.notes)[1:] == [
        "events left out: click on a document that the list did not show (1), purchase on a document that the list did"
        " not show (1), click on a position that the list did not show (1)"
    ]


def test_a_ubi_event_that_cannot_be_used_leaves_its_list(store: Store, tmp_path: Path) -> None:
    """The error names the event's own line and file, and --skip leaves out the event alone."""
    queries = json_file(tmp_path / "queries", query("a", ["d1"]), query("b", ["d1"]))
    early = event("b", "click", "d1", 1) | {"timestamp": "2024-05-01T09:59:59Z"}
    events = json_file(tmp_path / "events", event("a", "click", "d1", 1), early)
    with pytest.raises(InputError, match=r"events:2: an action 1 s before its list.*skip leaves them out"):
        import_log(store, [queries, events])
    outcome = import_log(store, [queries, events], skip=True).outcome
    assert (outcome.impressions, outcome.actions) == (2, 1)
    assert outcome.bad == {"actions before their list": 1}


def test_ubi_that_cannot_be_right_is_named(store: Store, tmp_path: Path) -> None:
    queries = json_file(tmp_path / "queries", query("a", ["d1"]))
    for wrong, why in (
        (event("a", "click", "d1", 1) | {"timestamp": "soon"}, "events:1: the time is 'soon'"),
        (event("a", "click", "d1", 1) | {"timestamp": 10**400}, "events:1: the time is 1000"),
        (event("a", "click", "d1", 1) | {"timestamp": 10**17}, "queries:1: the time is 1"),
        (event("a", "click", "d1", 1) | {"timestamp": None}, "events:1: no timestamp; expected an ISO 8601 time or"),
        (event("a", "watch", "d1", 1, dwell_time="9"), "events:1: dwell_time is '9'; expected a number"),
        (event("a", "watch", "d1", 1, dwell_time=10**400), "events:1: dwell_time is 1000.*; expected a finite number"),
        (event("a", "watch", "d1", 1, dwell_time=-1), "events:1: seconds is -1; expected a finite number of 0 or"),
        (event("a", "click", "d1", 1) | {"event_attributes": "{}"}, "events:1: event_attributes is '{}'; expected an"),
        (event("a", "click", "d1", -1), "events:1: ordinal is -1; expected a whole number"),
        (event("a", "click", "d1", 1) | {"timestamp": "2024-05-01T09:59:59Z"}, "events:1: an action 1 s before"),
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
        (query("a", ["d1", None]), "queries:1: query_response_hit_ids contains null; expected document ids"),
    ):
        with pytest.raises(InputError, match=why):
            import_log(store, [json_file(tmp_path / "queries", wrong)])
    twice = json_file(tmp_path / "queries", query("a", ["d1"]), query("a", ["d2"]))
    with pytest.raises(InputError, match="queries:2: query 'a' appears twice; expected once"):
        import_log(store, [twice])
    assert import_log(store, [twice], skip=True).outcome.bad == {"queries given twice": 1}
    assert docnos(interactions(store)) == [["d1"]]


def test_ubi_fields_have_other_names(store: Store, tmp_path: Path) -> None:
    queries = json_file(tmp_path / "queries", query("a", ["d1"]) | {"query_attributes": {"bucket": "B", "who": "u"}})
    import_log(store, [queries], fields={"arm": "bucket", "user": "who"})
    log = interactions(store)
    assert (log.arms.names.tolist(), log.users) == (["B"], 1)
    import_log(store, [json_file(tmp_path / "case", query("b", ["d1"]) | {"Bucket": "B"})], fields={"arm": "bucket"})
    assert interactions(store).arm.tolist() == [0, 0]  # in UBI as in JSONL: a name that is accepted is read


@pytest.mark.parametrize(
    ("names", "why"),
    [
        ({"arm": "nosuch"}, "queries: no field 'nosuch'; the fields in the file are bucket, query_id"),
        ({"arm": "query_attributes.bucket"}, "queries: no field 'query_attributes.bucket'; the fields in"),
        ({"arm": "object_id"}, "no field 'object_id'"),
        (
            {"session": "bucket"},
            "queries: the format ubi fixes the name of the field 'session'; use fields only for user, query, arm",
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


def test_yandex_has_sessions_of_queries_and_clicks(store: Store, tmp_path: Path) -> None:
    path = json_file(
        tmp_path / "log",
        "7\t0\tQ\t12\t1\td1\td2",
        "7\t9\tC\td2",
        "7\t20\tQ\t13\t1\td2\td3",
        "7\t21\tC\td2",
        "8\t0\tQ\t12\t1\td1",
    )
    assert import_log(store, [path]).outcome.actions == 2
    log = interactions(store)
    assert sorted(docnos(log)) == [["d1"], ["d1", "d2"], ["d2", "d3"]]
    assert (log.users, sorted(log.actions.at.tolist()), int(log.clicks.sum())) == (2, [9, 21], 2)
    for wrong, why in (
        ("8\t1\tC\td9", "bad:2: a click on 'd9', which was not shown in session 8"),
        ("8\t1\tX\td9", "a 'X' line with 1 further field"),
        ("8\tx\tC\td1", "expected the session, the time and Q or C"),
        ("9\t1\tQ\t12\t1\td1\t", "bad:2: the id of a document is missing"),
    ):
        with pytest.raises(InputError, match=why):
            import_log(store, [json_file(tmp_path / "bad", "8\t0\tQ\t12\t1\td1", wrong)])
    with pytest.raises(
        InputError, match="the format yandex has no field names; use fields only with jsonl, ubi, ga4, csv and"
    ):
        import_log(store, [path], fields={"user": "x"})


def test_obd_has_positions_and_propensities(store: Store, tmp_path: Path) -> None:
    head = ",timestamp,item_id,position,click,propensity_score,user_feature_0"
    row = "0,2019-11-24 00:00:12.340821+00:00,79,2,1,0.0125,x"
    path = json_file(tmp_path / "log", head, row, row.replace("0,2019", "1,2019", 1))
    assert (format_of("log", path), format_of("log", json_file(tmp_path / "csv", HEAD, *ROWS))) == ("obd", "csv")
    import_log(store, [path])
    log = interactions(store)
    assert (docnos(log), log.first.tolist()) == ([["79"], ["79"]], [1, 1])
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


@pytest.mark.needs_extra("arrow")
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
    assert docnos(interactions(store)) == [["d1"]]


HEAD = "id,at,user,session,query,arm,doc,position,click,seconds,value,device"
ROWS = (
    "i1,100,ann,s1,wing lift,A,d1,1,0,,,phone",
    "i2,2024-05-01T10:00:00Z,bob,s2,drag,B,d9,11,1,,,desk",
    "i1,100,ann,s1,wing lift,A,d3,3,1,31.5,,phone",
    "i1,100,ann,s1,wing lift,A,d2,2,true,,9.5,phone",
    "i3,200,ann,s1,nothing,A,,,,,,phone",
)


def actions_of(log: Interactions) -> list[tuple[int, str, int]]:
    of = log.actions
    return [*zip(of.impression.tolist(), [KINDS[kind] for kind in of.kind], of.position.tolist(), strict=True)]


@pytest.mark.needs_extra("arrow")
@pytest.mark.parametrize("separator", [",", "\t", ";"])
def test_a_row_for_each_document_shown(store: Store, tmp_path: Path, separator: str) -> None:
    path = json_file(tmp_path / "log", *(row.replace(",", separator) for row in (HEAD, *ROWS)))
    outcome = import_log(store, [path], attributes=["device"]).outcome
    assert (outcome.impressions, outcome.actions, without_guesses(outcome.notes)) == (3, 4, [])
    log = interactions(store, LogChoice(attributes=["device"]))
    assert docnos(log) == [["d1", "d2", "d3"], [], ["d9"]]
    assert log.first.tolist() == [0, 0, 10]
    assert sorted(actions_of(log)) == [(0, "click", 1), (0, "click", 2), (0, "convert", 1), (2, "click", 0)]
    assert np.nansum(log.actions.seconds) == 31.5
    assert np.nansum(log.actions.value) == 9.5
    assert [log.attributes["device"].names[code] for code in log.attributes["device"].codes] == ["phone"] * 2 + ["desk"]
    assert import_log(store, [path], attributes=["device"]).outcome.repeated == 3


@pytest.mark.needs_extra("arrow")
def test_a_row_for_each_event(store: Store, tmp_path: Path) -> None:
    path = json_file(
        tmp_path / "log", "session_id;x".replace(";x", ",search,at,what,item_id,rank,query"),
        "s,i,100,impression,d1,1,wing", "s,i,100,impression,d2,2,wing", "s,i,105,click,d2,,wing",
        "s,i,109,add_to_cart,,1,wing",
    )  # fmt: skip
    import_log(store, [path], fields={"id": "search", "kind": "what"})
    log = interactions(store)
    assert (docnos(log), actions_of(log)) == ([["d1", "d2"]], [(0, "click", 1), (0, "convert", 0)])
    assert log.actions.at.tolist() == [105, 109]


@pytest.mark.needs_extra("arrow")
def test_lists_of_a_table_come_in_any_order(store: Store, tmp_path: Path) -> None:
    rows = ("b,200,s1,drag,d1,1", "a,100,s1,wing,d2,2", "b,200,s1,drag,d2,2", "a,100,s1,wing,d1,1")
    import_log(store, [json_file(tmp_path / "log", "id,at,session,query,doc,position", *rows)])
    log = interactions(store)
    assert (docnos(log), log.at.tolist()) == ([["d1", "d2"]] * 2, [100, 200])


@pytest.mark.needs_extra("arrow")
def test_parquet_and_a_data_frame_are_the_same_log(store: Store, tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {"id": [7, 7, 8], "at": pd.to_datetime([1, 1, 2], unit="s"), "visitor": ["u", "u", "v"], "query": "q",
         "doc": ["a", "b", "a"], "click": [False, True, False], "propensity": [0.5, 0.5, 1.0], "price": [1.5, 2.0, 9.0]}
    )  # fmt: skip
    frame.to_parquet(tmp_path / "log")
    names = {"user": "visitor"}
    import_log(store, [tmp_path / "log"], fields=names, attributes=["price"])
    log = interactions(store, LogChoice(attributes=["price"]))
    assert (docnos(log), log.at.tolist(), log.users, log.clicks.tolist()) == ([["a", "b"], ["a"]], [1, 2], 2, [0, 1, 0])
    assert log.propensity.tolist() == [0.5, 0.5, 1]
    price = log.attributes["price"]
    assert price.of_documents
    assert [price.names[code] for code in price.codes] == ["1.5", "2", "9"]
    again = cranfield.store.import_log(store, frame, fields=names, attributes=["price"]).outcome
    assert (again.impressions, again.repeated) == (0, 2)


def as_given(frame: pd.DataFrame, form: str, path: Path) -> Any:
    """A log as a DataFrame, or the path of a file of it."""
    if form == "frame":
        return frame
    if form == "csv":
        frame.to_csv(path, index=False)
    elif form == "parquet":
        frame.to_parquet(path, index=False)
    else:
        frame.assign(docs=frame["doc"].str.split()).to_json(path, orient="records", lines=True)
    return path


@pytest.mark.needs_extra("arrow")
@pytest.mark.parametrize("form", ["csv", "parquet", "jsonl", "frame"])
def test_files_are_known_by_what_they_hold(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    """Whatever their names; one that has more since brings that alone, one that says something else is refused."""
    frame = pd.DataFrame(
        {"id": ["i1", "i2", "i3"], "at": [1, 2, 3], "user": "u", "query": "wing", "doc": "a", "odd": 1}
    )
    others = frame.assign(query=["wing", "drag", "wing"])
    first = cranfield.store.import_log(store, as_given(frame[:2], form, tmp_path / f"log.{form}")).outcome
    assert (first.impressions, len(without_guesses(first.notes))) == (2, 1)
    with monkeypatch.context() as unread:
        unread.setattr("cranfield.features.online.analysis.log.hashed_logs", None)
        again = cranfield.store.import_log(store, as_given(frame[:2], form, tmp_path / f"copy.{form}")).outcome
    assert (again.impressions, again.repeated) == (0, 2)
    name = "DataFrame.parquet" if form == "frame" else str(tmp_path / f"copy.{form}")
    assert {note.partition(": ")[0] for note in again.notes} == {name}
    assert len(again.notes) == (1 if form == "frame" else 2)
    more = cranfield.store.import_log(store, as_given(frame, form, tmp_path / f"log.{form}")).outcome
    assert (more.impressions, more.repeated) == (1, 2)
    with pytest.raises(
        InputError, match=rf"^\S+:{3 if form == 'csv' else 2}: id 'i2' is already in the log with another"
    ):
        cranfield.store.import_log(store, as_given(others, form, tmp_path / f"log.{form}"))


@pytest.mark.needs_extra("arrow")
def test_many_lists_come_in_pieces(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cranfield.features.online.formats.tables.BATCH_LISTS", 7)
    rows = [
        f"i{number // 2},{number // 2},u{number},q{number // 2},d{number % 2},{number % 2}" for number in range(100)
    ]
    rows = [row.replace(f",u{number},", f",u{number // 2},") for number, row in enumerate(rows)]
    import_log(store, [json_file(tmp_path / "log", "id,at,user,query,doc,click", *rows)])
    log = interactions(store)
    assert (len(log), log.users, int(log.clicks.sum())) == (50, 50, 50)
    assert [log.queries.names[query] for query in log.query] == [f"q{number}" for number in range(50)]


@pytest.mark.needs_extra("arrow")
@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("i1,100,bob,s1,wing lift,A,d4,4,0,,,", "7: another user than the first row of list 'i1'"),
        ("i4,noon,ann,s1,wing lift,A,d4,1,0,,,", "7: the time is 'noon'; expected seconds"),
        ("i4,100,ann,s1,wing lift,A,d4,first,0,,,", "7: position is 'first'; expected a number"),
        (",100,ann,s1,wing lift,A,d4,1,0,,,", "7: the id is missing"),
        ("i1,100,ann,s1,wing lift,A,d4,5,0,,,", "7: the positions of list 'i1' have gaps"),
        ("i1,100,ann,s1,wing lift,A,d4,4,0,long,,\ni1,100,ann,s1,wing lift,A,d5,5,0,,,", "7: seconds is 'long'"),
        ("i1,100,ann,s1,wing lift,A,d1,4,0,,,", "2: 'd1' appears twice in the list"),
        ("i4,100,ann,s1,wing lift,A", "7: 6 cells; the header has 12"),
    ],
)
def test_a_bad_row_is_named_and_skipped(store: Store, tmp_path: Path, row: str, why: str) -> None:
    path = json_file(tmp_path / "log", HEAD, *ROWS, row)
    with pytest.raises(InputError) as error:
        import_log(store, [path])
    assert str(error.value).startswith(f"{path}:{why}")
    assert len(interactions(store)) == 0
    assert import_log(store, [path], skip=True).outcome.impressions >= 2


@pytest.mark.needs_extra("arrow")
def test_json_lines_with_other_names_are_known_by_being_objects(store: Store, tmp_path: Path) -> None:
    line = {"query_id": "i1", "time": 100, "visitor": "u", "query": "wing", "results": ["d1", "d2"], "what": []}
    path = json_file(tmp_path / "log", line)
    names = {"id": "query_id", "at": "time", "user": "visitor", "docs": "results", "actions": "what"}
    of_columns = "query_id, time, visitor, query, results, what"
    with pytest.raises(InputError, match=rf"log:1: no field id; name it with fields=.*; the fields are {of_columns}"):
        import_log(store, [path])
    with pytest.raises(InputError, match=rf"log:1: no field docs; name it with fields=.*; the fields are {of_columns}"):
        import_log(store, [path], fields={"id": "query_id"})
    assert import_log(store, [path], fields=names).outcome.impressions == 1
    assert docnos(interactions(store)) == [["d1", "d2"]]


@pytest.mark.needs_extra("arrow")
def test_what_a_table_lacks_is_told(store: Store, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"log:1: no column doc; fields=.* names it; the columns are id, at, url"):
        import_log(store, [json_file(tmp_path / "log", "id,at,url", "1,2,x")])
    with pytest.raises(InputError, match="no line contains the field 'colour', which attributes names"):
        import_log(store, [json_file(tmp_path / "log", HEAD, *ROWS)], attributes=["colour"])
    with pytest.raises(InputError, match="kind 'sneeze'; expected one of impression, click"):
        import_log(store, [json_file(tmp_path / "log", "id,at,doc,kind", "1,2,d,sneeze")])
    with pytest.raises(InputError, match="list '1' has no row for a shown document"):
        import_log(store, [json_file(tmp_path / "log", "id,at,doc,kind", "1,2,d,click")])


def parameter(key: str, value: Any) -> dict[str, Any]:
    name = "int_value" if isinstance(value, int) else "string_value"
    return {"key": key, "value": {name: value, "double_value": None}}


def ga4_event(name: str, second: int, *items: dict[str, Any], user: str = "u1", **parameters: Any) -> dict[str, Any]:
    params = [parameter(key, value) for key, value in {"ga_session_id": 5, **parameters}.items()]
    at = str(1_700_000_000_000_000 + 1_000_000 * second)
    return {"event_name": name, "event_timestamp": at, "user_pseudo_id": user, "event_params": params,
            "items": list(items), "device": {"category": "mobile"}}  # fmt: skip


def item(doc: str, index: int | None = None, **more: Any) -> dict[str, Any]:
    return {"item_id": doc, "item_list_id": "results", "index": index, **more}


GA4 = (
    ga4_event("select_item", 5, item("b")),
    ga4_event("view_search_results", 1, item("b", 1), item("a", 0, price=7.5), search_term="wing", arm="B"),
    ga4_event("purchase", 9, item("b", price=10.5, quantity=2), item("z", price=1)),
    ga4_event("view_item_list", 6, item("c", 0)),
    ga4_event("page_view", 0),
    ga4_event("select_item", 7, item("b"), user="u2"),
)


def test_ga4_has_lists_clicks_and_values(store: Store, tmp_path: Path) -> None:
    path = json_file(tmp_path / "log", *GA4)
    assert format_of("log", path) == "ga4"
    outcome = import_log(store, [path], fields={"arm": "arm"}, attributes=["device.category", "price"]).outcome
    assert without_guesses(outcome.notes) == [
        "events left out: page_view (1), select_item of an item that no list showed (1), purchase of an item that no"
        " list showed (1)"
    ]
    log = interactions(store, LogChoice(attributes=["device.category", "price"]))
    assert docnos(log) == [["a", "b"], ["c"]]
    assert actions_of(log) == [(0, "click", 1), (0, "convert", 1)]
    assert (log.actions.value[1], log.users, log.arm.tolist()) == (21, 1, [0, -1])
    assert log.queries.names[log.query].tolist() == ["wing", "results"]
    assert (log.attributes["device.category"].names, log.attributes["price"].of_documents) == (["mobile"], True)
    assert import_log(store, [path], fields={"arm": "arm"}).outcome.repeated == 2
    with pytest.raises(InputError, match="no event contains the field or parameter 'variant', which was named for arm"):
        import_log(store, [path], fields={"arm": "variant"})
    with pytest.raises(InputError, match="log:1: event_timestamp is 'now'; expected microseconds"):
        import_log(store, [json_file(path, GA4[0] | {"event_timestamp": "now"})])


LINE = {"id": "i1", "at": 1, "user": "ann", "query": "q", "docs": ["a", "b"], "price": [3, 4.5], "device": "phone"}
OTHER = LINE | {"id": "i2", "user": "bob", "device": "desk", "actions": [{"kind": "click", "doc": "b"}]}


@pytest.mark.needs_extra("arrow")
@pytest.mark.parametrize("more", [(), ({"id": "i3", "at": 1, "query": "q", "docs": []}, "")])
def test_attributes_are_kept_and_shown(store: Store, tmp_path: Path, more: tuple[Any, ...]) -> None:
    """Read by Arrow and, after a line that it cannot read, one by one."""
    import_log(store, [json_file(tmp_path / "log", LINE, OTHER, *more)], attributes=["device", "price"])
    log = interactions(store, LogChoice(attributes=["device", "price"]))
    assert [[each.names[code] for code in each.codes if code >= 0] for each in log.attributes.values()] == [
        ["phone", "desk"], ["3", "4.5", "3", "4.5"],
    ]  # fmt: skip
    with pytest.warns(CranfieldWarning, match=r"some rows have no interval|lists have no user"):
        rows = cranfield.online.summarize_log(store, by="device", measures="CTR").frame
    rates = dict(zip(rows["device"], rows["value"], strict=True))
    assert (rates["phone"], rates["desk"]) == (0, 1)
    with warnings.catch_warnings(action="ignore", category=CranfieldWarning):
        by_price = cranfield.online.summarize_log(store, by="price").frame
    assert dict(zip(by_price["price"], by_price["value"], strict=True)) == {"3": 0, "4.5": 0.5}
    with pytest.raises(StoreError, match="the log has no attribute 'colour'; choose from device, price"):
        cranfield.online.summarize_log(store, by="colour")


@pytest.mark.needs_extra("arrow")
def test_a_bad_attribute_is_named(store: Store, tmp_path: Path) -> None:
    for line, why in (
        (LINE | {"price": [1]}, "price and docs differ in length; expected one entry per document"),
        (LINE | {"device": {"a": 1}}, "device is {'a': 1}; expected text"),
    ):
        with pytest.raises(InputError, match=f"log:1: {why}"):
            import_log(store, [json_file(tmp_path / "log", line)], attributes=["device", "price"])
    with pytest.raises(InputError, match="user is a standard field of logs"):
        import_log(store, [json_file(tmp_path / "log", LINE)], attributes=["user"])


@pytest.mark.needs_extra("arrow")
def test_attributes_are_kept_of_lists_that_are_there(tmp_path: Path) -> None:
    """As if they had been asked for at first; one that says something else than before is refused."""
    path = json_file(tmp_path / "log", LINE, OTHER)
    with new_store() as later, new_store() as first:
        import_log(later, [path], attributes=["device"])
        outcome = import_log(later, [path], attributes=["device", "price"]).outcome
        assert (outcome.impressions, outcome.repeated) == (0, 2)
        assert outcome.notes[-1] == "price added to 2 lists already in the log"
        import_log(first, [path], attributes=["device", "price"])
        rows = "SELECT * FROM attribute ORDER BY 1, 2"
        assert later.rows(rows) == first.rows(rows) != []
        with pytest.raises(InputError, match=r"log:1: id '.*' is already in the log with another device"):
            import_log(later, [json_file(path, LINE | {"device": "tv"}, OTHER)], attributes=["device"])
        assert later.rows(rows) == first.rows(rows)


@pytest.mark.needs_extra("arrow")
def test_attributes_go_with_their_user_and_their_import(tmp_path: Path) -> None:
    with new_store(tmp_path / "track.db") as store:
        import_log(store, [json_file(tmp_path / "log", LINE, OTHER)], attributes=["device", "price"])
        for change in ("DELETE FROM attribute", "UPDATE attribute SET value = 'x'"):
            with pytest.raises(Exception, match="logs are never"):
                store.conn.execute(change)
            store.conn.rollback()
        erase(store, "user", "ann", "asked for it")
        assert store.rows("SELECT value FROM attribute WHERE name = 'device'") == [("desk",)]
        remove(store, "import", ["1"])
        assert store.rows("SELECT count(*) FROM attribute") == [(0,)]


def own(**more: Any) -> dict[str, Any]:
    return {"id": "i1", "at": 9, "user": "u", "query": "q", "docs": ["d1", "d2"]} | more


@pytest.mark.needs_extra("arrow")
@pytest.mark.parametrize("position", [0, -1])
@pytest.mark.parametrize("at", [9, "1970-01-01T00:00:09Z"])
def test_an_action_below_position_1_is_refused(store: Store, tmp_path: Path, position: int, at: object) -> None:
    lines = [own(id="i0"), own(at=at, actions=[{"kind": "click", "position": position}])]
    with pytest.raises(InputError, match=r"log:2: (a position is below 1; expected positions from 1|position is -1)"):
        import_log(store, [json_file(tmp_path / "log", *lines)])
    assert import_log(store, [tmp_path / "log"], skip=True).outcome.actions == 0


@pytest.mark.needs_extra("arrow")
def test_a_position_that_is_not_the_documents_is_refused(store: Store, tmp_path: Path) -> None:
    for action in ({"doc": "d2", "position": 2}, {"doc": "d2", "position": 12}):
        actions = [{"kind": "click", **action}]
        import_log(store, [json_file(tmp_path / "log", own(id=str(action), first=10, actions=actions))])
    assert interactions(store).actions.position.tolist() == [1, 1]
    log = json_file(tmp_path / "log", own(actions=[{"kind": "click", "doc": "d2", "position": 1}]))
    with pytest.raises(
        InputError, match=r"log:1: an action on 'd2' at position 1; expected position 2, the document's place"
    ):
        import_log(store, [log])


@pytest.mark.needs_extra("arrow")
def test_positions_of_a_table_are_those_of_its_lists(store: Store, tmp_path: Path) -> None:
    head = "id,at,user,query,kind,doc,position"
    shown = [f"i1,9,u,q,impression,d{rank},{rank}" for rank in (1, 2)]
    for row, why in (
        ("i1,9,u,q,click,,0", "log:4: an action at a position before its list"),
        (
            "i1,9,u,q,click,d2,1",
            "log:2: an action on 'd2' at position 1; expected position 2, the document's place in the list",
        ),
    ):
        with pytest.raises(InputError, match=why):
            import_log(store, [json_file(tmp_path / "log", head, *shown, row)])
    import_log(store, [json_file(tmp_path / "log", head, *shown, "i1,9,u,q,click,d2,2")])
    log = interactions(store)
    assert (log.first.tolist(), log.actions.position.tolist()) == ([0], [1])


def test_every_ordinal_of_ubi_is_that_of_its_list(store: Store, tmp_path: Path) -> None:
    queries = json_file(tmp_path / "queries", query("a", ["d1", "d2"]))
    right = event("a", "click", "d2", 2)
    for wrong, why in (
        (event("a", "click", "d1", 3), "events:2: ordinal 3 of 'd1'; expected 1, its place in the list, counted from"),
        (event("a", "click", "", 0), "events:2: ordinal 0; expected 1 or more, because positions count from 1"),
    ):
        events = json_file(tmp_path / "events", right, wrong)
        with pytest.raises(InputError, match=why):
            import_log(store, [queries, events])
    outcome = import_log(store, [queries, events], skip=True).outcome
    assert (outcome.actions, without_guesses(outcome.notes)[0]) == (
        1, "positions (ordinal) are counted from 1, because 1 of 1 event matches the lists"
    )  # fmt: skip


def test_ubi_impressions_are_one_after_the_other(store: Store, tmp_path: Path) -> None:
    queries = json_file(tmp_path / "queries", query("a", None), query("b", None))
    gap = [event("a", "impression", f"d{rank}", rank, 1) for rank in (1, 3)]
    page = [event("b", "impression", f"d{rank}", rank, 1) for rank in (11, 12)]
    events = json_file(tmp_path / "events", *gap, *page, event("b", "click", "", 12))
    with pytest.raises(InputError, match="events:1: the positions of query 'a' have gaps"):
        import_log(store, [queries, events])
    import_log(store, [queries, events], skip=True)
    log = interactions(store)
    assert (docnos(log), log.first.tolist(), log.actions.position.tolist()) == ([["d11", "d12"]], [10], [1])


@pytest.mark.needs_extra("arrow")
def test_a_note_says_what_a_log_was_taken_for(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Unless its format is named; with --fail-on-note nothing is added."""
    store, header = tmp_path / "t.db", "id,at,session,query,doc,position,click"
    path = json_file(tmp_path / "log", header, "1,100,s,x,d,1,1")
    commands: Cranfield = request.getfixturevalue("cranfield")
    commands("init", store, "--name", "x")
    line = f"{path}: read as csv (columns: id, at, session, query, doc, position, click)"
    failed = commands("import", "log", store, path, "--fail-on-note")
    assert (failed.code, failed.err.startswith(f"error: {line} (--fail-on-note")) == (1, True)
    added = commands("import", "log", store, path)
    assert (added.out, added.err.splitlines()[0]) == ("1 list and 1 action added\n", f"note: {line}")
    assert "read as" not in commands("import", "log", store, path, "--format", "csv").err


@pytest.mark.needs_extra("arrow")
def test_clicks_on_no_document_are_noted(store: Store, tmp_path: Path) -> None:
    """They are kept; a dwell of the whole page is no click, and a position is a document's."""
    actions: list[list[dict[str, object]]] = [
        [{"kind": "click"}, {"kind": "dwell", "seconds": 3}], [{"kind": "click", "doc": "d2"}, {"kind": "click"}],
        [{"kind": "click", "position": 1}],
    ]  # fmt: skip
    lists = [
        {"id": str(at), "at": 1000 + at, "user": "u", "query": "q", "docs": ["d1", "d2"], "actions": several}
        for at, several in enumerate(actions)
    ]
    outcome = import_log(store, [json_file(tmp_path / "log.jsonl", *lists)]).outcome
    assert without_guesses(outcome.notes) == [
        "2 clicks record neither doc nor position; ClicksPerSearch counts such clicks, but document measures such as"
        " CTR do not"
    ]


CSV_LOG = '''id,at,user,query,doc,position,click,seconds,kind
1,2026-01-31T10:00:00Z,u1,"flutter, ""wing""",d1,1,true,,
1,2026-01-31T10:00:00Z,u1,"flutter, ""wing""",d2,2,false,3.5,
1,2026-01-31 10:00:05 UTC,u1,,d2,2,,,click
2,1769853600,NA,stall,d1,1,1e0,,impression
3,1769853601,u3,stall,d1
4,1769853602,u3,stall,d1,first,0,,
5,yesterday,u3,stall,d1,1,0,,
6,1769853604,u3,stall,d1,1,0,,glance
,1769853605,u3,stall,d1,1,0,,
7,1769853606,u3,stall,,,,,
'''


@pytest.mark.needs_extra("arrow")
@pytest.mark.parametrize("text", [CSV_LOG, CSV_LOG.replace(",", ";")])
def test_a_csv_log_reads_the_same_without_arrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    path = tmp_path / "log.csv"
    path.write_text(text)
    outcomes = []
    for switch in ("", "1"):
        monkeypatch.setenv("CRANFIELD_NO_ARROW", switch)
        [lines] = read_logs([path], "csv")
        bad = sorted((each.line, each.kind, each.message) for each in lines.bad)
        outcomes.append((bad, [*map(str, vars(lines.part).values())]))
    assert outcomes[0] == outcomes[1]
    assert [line for line, *_ in outcomes[0][0]] == [6, 7, 8, 9, 10]


@pytest.mark.parametrize(("text", "bad"), [('id\tat\tdoc\n1\t0\t"d\n', ""), ('id,at,doc\n1,0,"d\n', "not a table: ")])
def test_quotes_have_no_meaning_in_tsv_logs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, bad: str
) -> None:
    path = tmp_path / "log.txt"
    path.write_text(text)
    monkeypatch.setenv("CRANFIELD_NO_ARROW", "1")
    if bad:
        with pytest.raises(InputError, match=bad):
            list(read_logs([path], "csv"))
    else:
        [lines] = read_logs([path], "csv")
        assert lines.part.document.names == ['"d']


def test_a_salt_file_is_made_by_an_import_that_succeeds(tmp_path: Path, cranfield: Cranfield) -> None:
    store, log, salt = new_file(tmp_path / "t.db", topics=["1"]), tmp_path / "log.csv", tmp_path / "salt.txt"
    log.write_text("id,at,doc\n1,yesterday,d\n")
    assert "yesterday" in cranfield.error("import", "log", store, log, "--salt", salt)
    assert not salt.exists()
    lost = tmp_path / "absent" / "salt.txt"
    assert cranfield.error("import", "log", store, log, "--salt", lost) == f"{lost}: no such folder: {lost.parent}"
    log.write_text("id,at,query,doc\n1,0,x,d\n")
    cranfield.out("import", "log", store, log, "--salt", salt)
    made = salt.read_text()
    log.write_text("id,at,query,doc\n1,0,x,d\n2,1,x,d\n")
    cranfield.out("import", "log", store, log, "--salt", salt)
    assert salt.read_text() == made
