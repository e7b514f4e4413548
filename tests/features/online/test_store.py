"""Interaction logs in a store: what is added, what is refused, and what is read back."""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.errors import InputError, StoreError
from cranfield.features.online.analysis import log
from cranfield.features.online.analysis.log import new_topics
from cranfield.features.online.store.read import LogChoice, add_experiment, experiments, interactions
from cranfield.features.online.store.users import DAY, VISIT, HashedLines, bots, clock_back, hashed_logs
from cranfield.store import import_log
from cranfield.store.erasing import erase
from cranfield.store.history import history
from cranfield.store.removal import remove
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.files import json_file, without_guesses
from tests.stores import new_store

FIRST = {
    "id": "i1", "at": 100, "user": "ann", "session": "s1", "query": "Wing  lift", "arm": "A",
    "docs": ["d1", "d2", "d3"], "actions": [{"kind": "click", "doc": "d2", "at": 105}],
}  # fmt: skip
SECOND = FIRST | {"id": "i2", "at": 90, "user": "bob", "session": "s2", "arm": "B", "docs": ["d2", "d4"], "actions": []}
CLICK = {"kind": "click", "doc": "d1"}
THIRD = {"id": "i3", "at": "1970-01-01T00:03:20Z", "qid": "7", "arm": "A", "docs": []}
Line = dict[str, Any]


@pytest.fixture
def store() -> Iterator[Store]:
    with new_store(topics={"7": "wing lift", "8": "drag"}) as store:
        yield store


@pytest.mark.needs_extra("arrow")
def test_a_log_is_read_back_by_time(store: Store, tmp_path: Path) -> None:
    outcome = import_log(store, [json_file(tmp_path / "log", FIRST, SECOND, THIRD)]).outcome
    assert (outcome.impressions, outcome.actions, outcome.repeated) == (3, 1, 0)
    log = interactions(store)
    assert log.at.tolist() == [90, 100, 200]
    assert [log.arms.names[arm] for arm in log.arm] == ["B", "A", "A"]
    assert [[log.documents.names[d] for d in log.document[log.impression == row]] for row in range(3)] == [
        ["d2", "d4"], ["d1", "d2", "d3"], []
    ]  # fmt: skip
    assert log.clicks.tolist() == [False, False, False, True, False]
    assert log.topics.names[log.topic].tolist() == ["7", "7", "7"]
    assert (log.user[2], log.users, log.actions.at.tolist()) == (-1, 2, [105])
    choice = interactions(store, LogChoice("log", ["A"], since=100, until=200))
    assert (choice.at.tolist(), choice.clicks.tolist()) == ([100], [False, True, False])


@pytest.mark.needs_extra("arrow")
def test_the_same_lists_again_change_nothing(store: Store, tmp_path: Path) -> None:
    """Lines that were left out are named again."""
    path = json_file(tmp_path / "log", FIRST, SECOND, FIRST)
    assert import_log(store, [path]).outcome.repeated == 1
    again = import_log(store, [path]).outcome
    assert (again.impressions, again.actions, again.repeated) == (0, 0, 3)
    assert len(interactions(store)) == 2
    path = json_file(tmp_path / "arms", FIRST, FIRST | {"id": "x", "arm": "C"})
    for _ in range(2):
        outcome = import_log(store, [path], skip=True).outcome
        assert (outcome.repeated, outcome.bad) == (1, {"unknown arms": 1})


@pytest.mark.full
def test_files_that_are_in_the_log_are_not_read_again(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As long as they are what they were, read in the same way, and all of their lists are there."""
    read, path, other = list[str](), json_file(tmp_path / "log", FIRST, SECOND), json_file(tmp_path / "other", THIRD)

    def note_files(salt: bytes, files: Sequence[Path], *how: object) -> Iterator[HashedLines]:
        read.extend(Path(file).name for file in files)
        return hashed_logs(salt, files, *how)  # type: ignore[arg-type]

    def again(expected: tuple[int, int], **options: Any) -> None:
        outcome = import_log(store, [path], **options).outcome
        assert (outcome.impressions, outcome.repeated) == expected

    monkeypatch.setattr(log, "hashed_logs", note_files)
    again((2, 0))
    import_log(store, [other])
    again((0, 2))
    assert read == ["log", "other"]
    again((0, 2), fields={"user": "user"})
    json_file(path, FIRST, SECOND, SECOND | {"id": "i9"})
    again((1, 2))
    again((0, 3))
    assert read[2:] == ["log", "log"]
    remove(store, "import", ["1"])
    again((2, 1))
    erase(store, "user", "ann", "asked for it")
    again((1, 2))
    assert read[4:] == ["log", "log"]


@pytest.mark.needs_extra("arrow")
def test_names_are_found_with_and_without_their_index(tmp_path: Path) -> None:
    """An empty log is indexed after the import, one with lists before: the same lists stay, the same lines do not."""
    other_user = SECOND | {"arm": "A"}
    again = [FIRST, FIRST | {"at": 101}, other_user, other_user | {"docs": []}]
    lines = [FIRST, FIRST | {"id": "i4", "at": 102}, other_user, *again]
    path, other = json_file(tmp_path / "log", *lines), json_file(tmp_path / "other", FIRST | {"id": "i0", "at": 80})
    with new_store() as empty, new_store() as other_store:
        index = "SELECT sql FROM sqlite_master WHERE name = 'impression_name'"
        contents = []
        for each in (empty, other_store):
            with each.writing():
                each.make_table("impression")
            index_before = each.rows(index)
            import_log(each, [other] if each is other_store else [path], skip=True)
            outcome = import_log(each, [path if each is other_store else other], skip=True).outcome
            whole = import_log(each, [path], skip=True).outcome
            assert (whole.impressions, whole.repeated, whole.bad.total()) == (0, 5, 2)
            assert whole.first == [
                f"{path}:5: id 'i1' is already in the log with another time",
                f"{path}:7: id 'i2' is already in the log with other documents",
            ]
            if each is other_store:
                assert (outcome.impressions, outcome.repeated, outcome.first) == (3, 2, whole.first)
            assert each.rows(index) == index_before != []
            contents.append(each.rows("SELECT name, at, first, length(documents) FROM impression ORDER BY name"))
        assert contents[0] == contents[1]
        assert other_store.rows("SELECT count(*) FROM action") == empty.rows("SELECT count(*) FROM action") == [(3,)]


@pytest.mark.full
def test_users_are_hashes_and_an_import_that_fails_leaves_nothing(store: Store, tmp_path: Path) -> None:
    before = list(store.conn.iterdump())
    with pytest.raises(InputError, match="log:3: id 'i1' is already in the log with another time"):
        import_log(store, [json_file(tmp_path / "log", FIRST, FIRST, FIRST | {"at": 101})])
    assert list(store.conn.iterdump()) == before
    import_log(store, [json_file(tmp_path / "log", FIRST | {"user": "ann@example.org", "session": "visit-77"})])
    content = store.conn.serialize()
    assert not any(secret in content for secret in (b"ann@", b"visit-77"))


@pytest.mark.needs_extra("arrow")
@pytest.mark.parametrize(
    ("line", "why"),
    [
        (FIRST | {"arm": "B"}, "id 'i1' is already in the log with another arm"),
        (FIRST | {"experiment": "x"}, "id 'i1' is already in the log with another experiment"),
        (FIRST | {"actions": []}, "id 'i1' is already in the log with other actions"),
        (FIRST | {"id": "x", "arm": "C"}, "unknown arm 'C'; the arms of the experiment are A, B"),
        (
            FIRST | {"id": "x", "actions": [{"kind": "click", "doc": "d9"}]},
            "an action refers to 'd9', which the list did not show",
        ),
        (FIRST | {"id": "x", "actions": [{"kind": "click", "doc": "d1", "at": 99}]}, "an action 1 s before its list"),
        (FIRST | {"id": "x", "actions": [{"kind": "look"}]}, "the kind of an action is unknown; expected one of click"),
        (
            FIRST | {"id": "x", "actions": [{"kind": "click", "position": 4}]},
            "an action at position 4 of a list with 3 documents",
        ),
        (FIRST | {"id": "x", "propensity": [1, 0.5, 0]}, "the propensity is 0; expected more than 0 and at most 1"),
        (
            FIRST | {"id": "x", "propensity": [1]},
            "propensity and docs differ in length; expected one entry per document",
        ),
        (FIRST | {"id": "x", "docs": ["", "d1"], "actions": []}, "the id of a document is missing"),
        (
            FIRST | {"id": "x", "at": 1_767_225_600_000, "actions": []},
            "the time is 1767225600000; expected seconds since 1970",
        ),
        (
            FIRST | {"id": "x", "actions": [CLICK | {"at": 1_767_225_600_000}]},
            "the time is 1767225600000; expected seconds",
        ),
        (FIRST | {"id": "x", "actions": [CLICK | {"seconds": 10**400}]}, "seconds is inf; expected a finite number"),
        (FIRST | {"id": "x", "user": 1, "actions": [CLICK | {"value": 10**400}]}, "value is 10000"),
        (FIRST | {"id": "x", "actions": [CLICK | {"seconds": -1}]}, "seconds is -1; expected a finite number of 0 or"),
        (FIRST | {"id": "x", "teams": "ab"}, "teams and docs differ in length; expected one entry per document"),
        (FIRST | {"id": "x", "teams": "aBb"}, "teams has an invalid character"),
        (FIRST | {"id": "x", "docs": ["d1", "d1"], "actions": []}, "'d1' appears twice in the list"),
        (FIRST | {"id": "x", "docs": None}, "docs is missing; expected a list"),
        (FIRST | {"id": "x", "docs": ["d1", None]}, "docs contains null"),
        (FIRST | {"id": ""}, "the id is missing"),
        (FIRST | {"id": "x", "query": None}, "both qid and query are missing; expected one of them"),
        (FIRST | {"id": "x", "qid": "9"}, "topic '9' is not in the store"),
        (FIRST | {"id": "x", "at": "noon"}, "the time is 'noon'; expected seconds since 1970"),
        (FIRST | {"id": "x", "at": None}, "the time is missing; expected seconds"),
        (FIRST | {"id": "", "docs": None}, "the id is missing"),
        ('{"id": 1', "not JSON"),
    ],
)
def test_a_bad_line_is_named_and_skipped(store: Store, tmp_path: Path, line: Line | str, why: str) -> None:
    import_log(store, [json_file(tmp_path / "log", FIRST, SECOND)])
    path = json_file(tmp_path / "bad", FIRST | {"id": "good"}, line)
    with pytest.raises(InputError) as error:
        import_log(store, [path])
    assert str(error.value).startswith(f"{path}:2: {why}")
    assert "1 bad line" in str(error.value)
    assert len(interactions(store)) == 2
    outcome = import_log(store, [path], skip=True).outcome
    assert (outcome.impressions, outcome.bad.total()) == (1, 1)


@pytest.mark.needs_extra("arrow")
def test_other_fields_are_named(store: Store, tmp_path: Path) -> None:
    """Else a log whose users have another name would be one without users; what interleaved lists have is known."""
    path = json_file(tmp_path / "log", FIRST | {"visitor": "v7", "page": 2, "token": "x", "probability": 0.5})
    assert without_guesses(import_log(store, [path]).outcome.notes) == [
        f"{path}: fields left out: visitor, page; --attribute visitor keeps visitor; --field KNOWN=visitor reads it as"
        " a known field, such as user"
    ]
    other = json_file(tmp_path / "more", FIRST | {"id": "i7", "visitor": "v7"})
    assert without_guesses(import_log(store, [other], fields={"user": "visitor"}).outcome.notes) == []
    path = json_file(tmp_path / "other", {"key": 1, "at": 1, "visitor": "u", "query": "q", "docs": ["d"], "odd": [1]})
    import_log(store, [path], format="jsonl", fields={"id": "key", "user": "visitor"})
    assert interactions(store).users == 3
    with pytest.raises(InputError, match="no field 'nobody'"):
        import_log(store, [path], format="jsonl", fields={"id": "key", "user": "nobody"})


@pytest.mark.needs_extra("arrow")
def test_interleaved_lists_have_teams_and_propensities(store: Store, tmp_path: Path) -> None:
    add_experiment(store, "first page", "interleave", ["bm25", "dense"], method="team-draft", seed=7)
    line = FIRST | {"arm": None, "experiment": "first page", "teams": "ab-", "propensity": [1, 0.5, 0.5]}
    plain = SECOND | {"arm": None, "experiment": "first page"}
    import_log(store, [json_file(tmp_path / "log", line, plain)])
    with pytest.raises(InputError, match="more:1: the list names more teams than the 2 arms"):
        import_log(store, [json_file(tmp_path / "more", line | {"id": "x", "teams": "abc"})])
    log = interactions(store, LogChoice("first page"))
    assert log.arms.names.tolist() == ["bm25", "dense"]
    assert log.team.tolist() == [-1, -1, 0, 1, -1]
    assert np.isnan(log.propensity[:2]).all()
    assert log.propensity[2:].tolist() == [1, 0.5, 0.5]
    assert list(experiments(store)) == ["first page"]


@pytest.mark.needs_extra("arrow")
def test_many_lines_are_read_in_pieces(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cranfield.features.online.formats.own.BLOCK", 1000)
    lines = [FIRST | {"id": number, "at": number, "actions": []} for number in range(50)]
    path = json_file(tmp_path / "log", *lines, "", *lines[:3], lines[3] | {"docs": 7})
    assert import_log(store, [path], skip=True).outcome.first == [f"{path}:55: docs is 7; expected a list"]
    assert interactions(store).at.tolist() == list(range(50))


@pytest.mark.needs_extra("arrow")
def test_python_gets_the_lines_and_notes_of_the_command(store: Store, tmp_path: Path, cranfield: Cranfield) -> None:
    """Lines that were left out are notes."""
    path = json_file(tmp_path / "log", FIRST, SECOND | {"docs": 7}, THIRD)
    with Store.create(tmp_path / "t.db", "t") as there:
        there.add_topics(store.topics())
    typed = cranfield("import", "log", tmp_path / "t.db", path, "--skip")
    result = import_log(store, path, skip=True)
    assert result.lines == tuple(typed.out.splitlines())
    assert "".join(f"note: {line}\n" for line in result.notes) == typed.err
    assert {name: result.rows()[0][name] for name in ("lists", "left_out")} == {"lists": 2, "left_out": 1}


@pytest.mark.full
def test_large_files_are_read_beside_with_the_same_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cranfield.features.online.analysis.log.LARGE", 0)
    monkeypatch.setattr("cranfield.features.online.store.users.token_bytes", bytes)
    path = json_file(tmp_path / "log", FIRST, SECOND | {"docs": 7}, THIRD, FIRST, FIRST | {"at": 101}, SECOND)
    with new_store(topics={"7": "wing lift"}) as here, new_store(topics={"7": "wing lift"}) as beside:
        apart = log.import_log(beside, [path], log.LogImportRequest(skip=True), beside=True)
        assert import_log(here, [path], skip=True).outcome == apart
        for table in ("impression", "action", "query", "document"):
            ours, same = (each.rows(f"SELECT * FROM {table} ORDER BY 1") for each in (here, beside))
            assert ours == same


@pytest.mark.needs_extra("arrow")
def test_a_log_is_append_only_and_no_folder(store: Store, tmp_path: Path) -> None:
    import_log(store, [json_file(tmp_path / "log", FIRST, SECOND)])
    for table in ("impression", "action", "experiment", "arm", "query", "user_salt"):
        column = "at" if table == "action" else "rowid"
        changes = [f"UPDATE {table} SET {column} = {column} + 1", *[f"DELETE FROM {table}"] * (table != "query")]
        for change in changes:
            with pytest.raises(sqlite3.IntegrityError):
                store.conn.execute(change)
    with pytest.raises(InputError, match="a folder; expected a log file"):
        import_log(store, [tmp_path])


def test_an_experiment_stays_what_it_is(store: Store) -> None:
    add_experiment(store, "x", "ab", ["A", "B"])
    with pytest.raises(StoreError, match="experiment 'x' already exists \\(ab of A, B\\)"):
        add_experiment(store, "x", "ab", ["A", "C"])
    with pytest.raises(StoreError, match="no experiment 'y' in this store; available: x"):
        interactions(store, LogChoice("y"))
    with pytest.raises(StoreError, match="no arm 'C' in this log; available: A, B"):
        interactions(store, LogChoice("x", ["C"]))
    with Store.memory("no arms") as other, pytest.raises(StoreError, match="'C' in this log; no list has an arm"):
        interactions(other, LogChoice(None, ["C"]))


@pytest.mark.needs_extra("arrow")
def test_a_clock_that_goes_back_within_a_session(store: Store, tmp_path: Path) -> None:
    late = FIRST | {"id": "late", "at": 95, "actions": []}
    path = json_file(tmp_path / "log", FIRST, SECOND, late)
    with pytest.raises(
        InputError, match="log:3: 5 s before the previous list of its session; expected lists in chronological order"
    ):
        import_log(store, [path])
    outcome = import_log(store, [path], skip=True).outcome
    assert (outcome.impressions, dict(outcome.bad)) == (2, {"times out of order": 1})


def test_many_visits_are_looked_through_as_one_by_one() -> None:
    """Sessions in parts and users who are busy at all first: the same as going through the lists in their order."""
    random = np.random.default_rng(5)
    rows = [(n, *random.integers(0, (4 * DAY, 12, 40)).tolist()) for n in range(1, 600)]
    last, late, days = dict[int, int](), list[tuple[int, float]](), Counter[tuple[int, int]]()
    for number, at, user, session in rows:
        if session and at < last.get(session, 0):
            late.append((number, last[session] - at))
        last[session], days[user, at // DAY] = at, days[user, at // DAY] + 1
    visits = np.array([(n, at, user - 6, session - 20) for n, at, user, session in rows], VISIT)
    halves = [visits[:200], visits[200:]]
    most = {user: max(days[user, day] for day in range(4)) for user in range(12) if user != 6}
    assert {bot.user + 6: bot.searches for bot in bots(halves, 14)} == {u: n for u, n in most.items() if n > 14}
    assert 0 < len(bots(halves, 14)) < 11
    visits["session"] += 20
    assert clock_back(halves) == late


@pytest.mark.needs_extra("arrow")
def test_users_who_search_too_much_are_listed_or_dropped(store: Store, tmp_path: Path) -> None:
    many = [SECOND | {"id": number, "at": 1000 + number, "query": "drag"} for number in range(4)]
    path = json_file(tmp_path / "log", FIRST, *many)
    outcome = import_log(store, [path], max_searches=3).outcome
    assert [(bot.searches, bot.day) for bot in outcome.bots] == [(4, "1970-01-01")]
    assert (outcome.impressions, outcome.dropped) == (5, 0)
    with new_store() as other:
        outcome = import_log(other, [path], max_searches=3, drop_bots=True).outcome
        assert (outcome.impressions, outcome.actions, outcome.dropped) == (1, 1, 4)


@pytest.mark.needs_extra("arrow")
def test_queries_that_are_no_topic_are_counted(store: Store, tmp_path: Path) -> None:
    texts = ["wing lift", "Flutter", "flutter ", "Flutter", "heat"]
    lines = [FIRST | {"id": number, "user": number, "query": text} for number, text in enumerate(texts)]
    outcome = import_log(store, [json_file(tmp_path / "log", *lines)]).outcome
    assert [tuple(query) for query in outcome.unmatched] == [("Flutter", 3, 2), ("heat", 1, 1)]
    topics = new_topics(store, 10, 2)
    assert [(topic.qid, topic.title, topic.metadata) for topic in topics.topics] == [
        ("log1", "Flutter", {"lists": 3, "users": 2})
    ]
    assert topics.rare == 1
    store.add_topics(topics.topics)
    with pytest.raises(StoreError, match="no new query has at least 2 users"):
        new_topics(store, 10, 2)


@pytest.mark.needs_extra("arrow")
def test_whom_nobody_knows_is_counted_once_a_session_or_not_at_all(store: Store, tmp_path: Path) -> None:
    """A user and a session that are stored under the same number are two."""
    bare = {name: value for name, value in FIRST.items() if name not in ("user", "session")}
    whose: list[dict[str, str]] = [{"user": "u"}, {"session": "s"}, {"session": "s"}, {}, {}]
    lines = [bare | {"id": str(number), "query": "heat"} | of for number, of in enumerate(whose)]
    outcome = import_log(store, [json_file(tmp_path / "log", *lines)]).outcome
    assert [tuple(query) for query in outcome.unmatched] == [("heat", 5, 2)]


@pytest.mark.needs_extra("arrow")
def test_an_import_is_removed_and_can_come_again_and_topics_of_lists_stay(store: Store, tmp_path: Path) -> None:
    path, other = json_file(tmp_path / "log", FIRST, SECOND), json_file(tmp_path / "more", SECOND | {"id": "i9"})
    import_log(store, [path])
    import_log(store, [other])
    assert remove(store, "import", ["1"]) == ["import 1: 2 lists removed, with 2 documents that nothing else refers to"]
    assert [log.documents.names[d] for log in [interactions(store)] for d in log.document] == ["d2", "d4"]
    assert [line.holds for line in history(store)] == ["0 lists", "1 list", "2 lists"]
    assert import_log(store, [path]).outcome.impressions == 2
    import_log(store, [json_file(tmp_path / "topic", THIRD)])
    with pytest.raises(StoreError, match="topic '7' cannot be removed: 1 list of the interaction log are of it"):
        remove(store, "topic", ["7"])
    assert remove(store, "topic", ["8"]) == ["topic 8: removed, with 0 rankings"]
