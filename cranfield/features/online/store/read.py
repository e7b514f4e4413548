"""Reading a log back as arrays: all of it, or an experiment, some arms, a time; its experiments, and its queries."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.rankings import Ints, Vocabulary
from cranfield.errors import DamageError, InputError, StoreError
from cranfield.features.online.interactions import KINDS, Actions, Attribute, Interactions
from cranfield.store.decoding import decode_json_column
from cranfield.store.store import Store, now
from cranfield.store.withdrawals import present_document_numbers, withdrawal_and_round_filter
from cranfield.text import name_hint

NO_ARMS = "no list has an arm; import the log with a field for the arm, such as --field arm=system"


class Experiment(NamedTuple):
    """An experiment: its arms in order, and for interleaving the method; in a list, team a is of the first arm."""

    name: str
    kind: str  # ab, interleave or log
    arms: Sequence[str]
    method: str = ""
    seed: int | None = None
    started: str = ""
    number: int = 0


def add_experiment(
    store: Store, name: str, kind: str, arms: Sequence[str], *, method: str = "", seed: int | None = None
) -> Experiment:
    """A new experiment; one of its name, kind and arms that is there already is that one.

    >>> with Store.memory("tiny") as store:
    ...     experiment = add_experiment(store, "first page", "ab", ["bm25", "dense"])
    ...     experiments(store)["first page"].arms
    ('bm25', 'dense')
    """
    if not name:
        raise InputError("the experiment has no name; expected a name")
    earlier = experiments(store).get(name)
    if earlier is not None:
        if (earlier.kind, list(earlier.arms)) != (kind, list(arms)):
            was = f"{earlier.kind} of {', '.join(earlier.arms) or 'no arms'}"
            raise StoreError(f"experiment {name!r} already exists ({was}); choose another name")
        return earlier
    with store.writing():
        store.conn.execute(
            "INSERT INTO experiment (name, kind, method, seed, started) VALUES (?, ?, ?, ?, ?)",
            [name, kind, method, seed, now()],
        )
        add_arms(store, name, arms)
    return experiments(store)[name]


def add_arms(store: Store, name: str, arms: Sequence[str]) -> None:
    """More arms of an experiment, after those it has."""
    row = "(SELECT id FROM experiment WHERE name = ?)"
    with store.writing():
        store.conn.executemany(
            f"INSERT OR IGNORE INTO arm (experiment, name) VALUES ({row}, ?)", [(name, arm) for arm in arms]
        )


def experiments(store: Store) -> dict[str, Experiment]:
    """Every experiment by name, in the order they came."""
    arms: dict[int, list[str]] = {}
    for experiment, arm in store.rows("SELECT experiment, name FROM arm ORDER BY id"):
        arms.setdefault(experiment, []).append(arm)
    return {
        name: Experiment(
            name, kind, tuple(arms.get(number, ())), method=method, seed=seed, started=started, number=number
        )
        for number, name, kind, method, seed, started in store.rows(
            "SELECT id, name, kind, method, seed, started FROM experiment ORDER BY id"
        )
    }


FETCH_BATCH_ROWS = 50_000  # rows in memory as Python has them
COLUMNS = (
    "m.id, at, experiment, coalesce(arm, 0), user IS NOT NULL, coalesce(user, 0), session IS NOT NULL,"
    " coalesce(session, 0), query, coalesce(topic, 0), first, documents, teams, propensities"
)
KIND_NUMBER = "CASE kind " + " ".join(f"WHEN '{kind}' THEN {number}" for number, kind in enumerate(KINDS)) + " END"
Columns = dict[str, NDArray[Any]]


class LogChoice(NamedTuple):
    """Which lists of a log: of an experiment, of some of its arms, at a time from `since` and before `until`."""

    experiment: str | None = None
    arms: Sequence[str] = ()
    since: float | None = None  # seconds since 1970
    until: float | None = None
    attributes: Sequence[str] = ()  # that are read too


def has_log(store: Store) -> bool:
    """Whether the store has a log."""
    return bool(store.rows("SELECT 1 FROM impression LIMIT 1"))


def has_lists(store: Store, experiment: Experiment) -> bool:
    """Whether the log has a list of this experiment."""
    return bool(store.rows("SELECT 1 FROM impression WHERE experiment = ? LIMIT 1", [experiment.number]))


def check_log(store: Store) -> None:
    """Refuse a store without a log, and a release: logs are in none."""
    if store.as_of:
        name = store.as_of
        raise StoreError(f"release {name} has no interaction log, because releases contain no logs; leave @{name} out")
    if not has_log(store):
        raise StoreError("this store has no interaction log; import one with `cranfield import log`")


def interactions(store: Store, choice: LogChoice | None = None) -> Interactions:
    """The lists chosen, of topics that are asked for, by time; documents and topics by the store's vocabularies."""
    choice = choice or LogChoice()
    by_name = experiments(store)
    where, values = _choice_condition(choice, by_name)
    rows, blobs = list_columns(store, where, values)
    order = np.argsort(rows["at"], kind="stable")
    actions = list_actions(store, where, values, rows["id"], order)
    arms = {name: None for each in by_name.values() for name in each.arms}
    queries = store.names("query", "text")
    bounds, flat = _flat(store, rows["id"], blobs, order)
    # A query is of the first topic that has it as its title.
    titles = store.rows("SELECT id, title FROM topic WHERE title <> '' AND removed = 0 ORDER BY id DESC")
    topic_of_title = {same_text(title): number - 1 for number, title in titles}
    query_topics = np.array([topic_of_title.get(same_text(text), -1) for text in queries], np.int64)
    row = {name: column[order] for name, column in rows.items()}
    arm_codes = np.full(store.last_row_number("arm") + 1, -1)  # by number; 0 is no arm
    place = {name: code for code, name in enumerate(arms)}
    for number, name in store.rows("SELECT id, name FROM arm"):
        arm_codes[number] = place[name]
    log = Interactions(
        at=row["at"],
        experiment=np.searchsorted([each.number for each in by_name.values()], row["experiment"]),
        arm=arm_codes[row["arm"]],
        user=_codes(row["has_user"], row["user"]),
        session=_codes(row["has_session"], row["session"]),
        query=row["query"] - 1,
        topic=np.where(row["topic"] > 0, row["topic"] - 1, query_topics[row["query"] - 1]),
        first=row["first"],
        bounds=bounds,
        **flat,
        actions=actions,
        experiments=Vocabulary(list(by_name)),
        arms=Vocabulary(list(arms)),
        queries=Vocabulary(queries),
        topics=store.qids,
        documents=store.docnos,
        users=len(np.unique(row["user"][row["has_user"]])),
        attributes={name: _attribute(store, name, rows["id"], order, bounds) for name in choice.attributes},
    )
    return _select_topics(store, log) if store.selection.topics else log


def _select_topics(store: Store, log: Interactions) -> Interactions:
    """The lists whose queries are topics that are asked for."""
    counts = withdrawal_and_round_filter(store).selection.topics
    has_topic = log.topic >= 0
    if counts is not None:
        has_topic &= counts[log.topic]
    store.left_out.others["lists of other queries"] = int((~has_topic).sum())
    part = log.choose(has_topic)
    return replace(part, users=len(np.unique(part.user[part.user >= 0])))


def _attribute(store: Store, name: str, ids: Ints, order: Ints, bounds: Ints) -> Attribute:
    """An attribute of the lists of these numbers, or of the documents of each, in an order."""
    attributes = [kept for (kept,) in store.rows("SELECT DISTINCT name FROM attribute ORDER BY name")]
    if name not in attributes:
        known = f"; choose from {', '.join(attributes)}" if attributes else ""
        remedy = "" if attributes else "; keep attributes with `cranfield import log --attribute NAME`"
        raise StoreError(f"the log has no attribute {name!r}{known}{remedy}")
    rows: dict[int, tuple[str, str]] = {
        number: (of, value)
        for number, of, value in store.rows("SELECT impression, of, value FROM attribute WHERE name = ?", [name])
    }
    values = [rows.get(number, ("list", "")) for number in ids[order].tolist()]
    if of_documents := any(of == "document" for of, _ in values):
        lengths = np.diff(bounds).tolist()
        texts = [
            text
            for number, (of, value), n in zip(ids[order].tolist(), values, lengths, strict=True)
            for text in (_parse_document_values(number, value, n) if of == "document" else [value] * n)
        ]
    else:
        texts = [value for _, value in values]
    names, codes = np.unique(np.array(["", *texts], object).astype(str), return_inverse=True)
    return Attribute(codes[1:] - 1, names[1:].tolist(), of_documents)


def _parse_document_values(number: int, value: str, length: int) -> list[str]:
    values: list[str] = decode_json_column(list, value, "attribute", number, "value")
    if len(values) != length:
        raise DamageError("attribute", number, "value does not have one entry per document")
    return values


def _choice_condition(choice: LogChoice, by_name: dict[str, Experiment]) -> tuple[str, list[object]]:
    """The condition of a choice, and its values."""
    terms, values = ["true"], list[object]()
    if choice.experiment is not None:
        if choice.experiment not in by_name:
            raise StoreError(
                f"no experiment {choice.experiment!r} in this store{name_hint(choice.experiment, by_name)}"
            )
        terms.append("experiment = ?")
        values.append(by_name[choice.experiment].number)
    if choice.arms:
        arms = {arm for each in by_name.values() for arm in each.arms if choice.experiment in (None, each.name)}
        if missing := [arm for arm in choice.arms if arm not in arms]:
            remedy = f"available: {', '.join(sorted(arms))}" if arms else NO_ARMS
            raise StoreError(f"no arm {missing[0]!r} in this log; {remedy}")
        terms.append(f"arm IN (SELECT id FROM arm WHERE name IN ({', '.join('?' * len(choice.arms))}))")
        values += choice.arms
    for term, value in (("at >= ?", choice.since), ("at < ?", choice.until)):
        if value is not None:
            terms.append(f"m.{term}")
            values.append(value)
    return " AND ".join(terms), values


def list_columns(store: Store, where: str, values: Sequence[object]) -> tuple[Columns, list[list[Any]]]:
    """The columns of the lists chosen, and their documents, teams and propensities."""
    names = ["id", "at", "experiment", "arm", "has_user", "user", "has_session", "session", "query", "topic", "first"]
    kinds: list[Any] = [np.int64, float, np.int64, np.int64, bool, np.int64, bool, *[np.int64] * 4]
    pieces: list[list[NDArray[Any]]] = [[np.zeros(0, kind)] for kind in kinds]
    blobs: list[list[Any]] = [[], [], []]
    for columns in _read(store, f"SELECT {COLUMNS} FROM impression m WHERE {where} ORDER BY m.id", values):
        for piece, column, kind in zip(pieces, columns, kinds, strict=False):
            piece.append(np.array(column, kind))
        for blob, column in zip(blobs, columns[len(kinds) :], strict=True):
            blob.extend(column)
    return dict(zip(names, map(np.concatenate, pieces), strict=True)), blobs


def _read(store: Store, sql: str, values: Sequence[object]) -> Iterator[list[Sequence[Any]]]:
    """The columns of some rows at a time."""
    cursor = store.conn.execute(sql, values)
    while rows := cursor.fetchmany(FETCH_BATCH_ROWS):
        yield list(zip(*rows, strict=True))


def _flat(store: Store, ids: Ints, blobs: list[list[Any]], order: Ints) -> tuple[Ints, dict[str, Any]]:
    """The documents of the lists in an order, by their present names as runs have them, with teams and propensities."""
    documents, teams, propensities = ([blob[row] for row in order.tolist()] for blob in blobs)
    length = np.array([len(blob) // 4 for blob in documents], np.int64)
    ids = ids[order]
    for row, blob in enumerate(documents):
        if len(blob) % 4:
            raise DamageError("impression", int(ids[row]), "documents is not an array of 32-bit numbers")
    for name, blobs_of_name, size in (("teams", teams, 1), ("propensities", propensities, 8)):
        for row, blob in enumerate(blobs_of_name):
            if blob is not None and len(blob) != size * length[row]:
                raise DamageError("impression", int(ids[row]), f"{name} does not have one entry per document")
    numbers = np.frombuffer(b"".join(documents), "<i4").astype(np.int64)
    if len(numbers) and not 1 <= numbers.min() <= numbers.max() <= store.last_row_number("document"):
        wrong = np.repeat(ids, length)[(numbers < 1) | (numbers > store.last_row_number("document"))]
        raise DamageError("impression", int(wrong[0]), "documents contains a number that no document has")
    team, propensity = np.full(len(numbers), -1, np.int8), np.full(len(numbers), np.nan)
    for flat, values, kind in ((team, teams, "i1"), (propensity, propensities, "<f8")):
        present = np.array([blob is not None for blob in values], bool)
        if present.any():
            flat[np.repeat(present, length)] = np.frombuffer(b"".join(filter(None, values)), kind)
    bounds = np.concatenate([[0], np.cumsum(length)])
    now = present_document_numbers(store)
    document = numbers - 1 if now is None else now[numbers - 1]
    return bounds, {"document": document, "team": team, "propensity": propensity}


def list_actions(store: Store, where: str, values: Sequence[object], ids: Ints, order: Ints) -> Actions:
    """What users did with the lists, by list in their order, and then by time."""
    condition = "" if where == "true" else f" JOIN impression m ON m.id = impression WHERE {where}"
    sql = f"SELECT impression, {KIND_NUMBER}, coalesce(position, 0) - 1, a.at, seconds, value FROM action a{condition}"
    kinds: list[Any] = [np.int64, np.int8, np.int64, float, float, float]
    pieces: list[list[NDArray[Any]]] = [[np.zeros(0, kind)] for kind in kinds]
    for columns in _read(store, sql, values):
        for piece, column, kind in zip(pieces, columns, kinds, strict=True):
            piece.append(np.array(column, kind))
    impression, kind, position, at, seconds, value = map(np.concatenate, pieces)
    place = np.empty(len(ids), np.int64)
    place[order] = np.arange(len(ids))
    row = place[np.searchsorted(ids, impression)]
    by = np.lexsort((at, row))
    return Actions(row[by], kind[by], position[by], at=at[by], seconds=seconds[by], value=value[by])


def _codes(present: NDArray[np.bool_], hashes: Ints) -> Ints:
    codes = np.full(len(hashes), -1)
    codes[present] = np.unique(hashes[present], return_inverse=True)[1]
    return codes


def same_text(text: str) -> str:
    """A query as it is compared with titles of topics: without case and with single blanks.

    >>> same_text("  Wing  LIFT ")
    'wing lift'
    """
    return " ".join(text.casefold().split())


class LoggedQuery(NamedTuple):
    """What users typed, however often, and how many of them."""

    text: str
    lists: int
    users: int


def unmatched_queries(store: Store, number: int | None = None) -> list[LoggedQuery]:
    """The queries that are no topic's title, those of the most users first; perhaps of one import alone.

    Spellings that differ in case and blanks are one query, of the users of the most frequent at least; a list without a
    user counts as that of its session, and without a session as nobody's.
    """
    rows = store.rows(
        "SELECT q.text, count(*), count(DISTINCT coalesce(user, -1 - session)) FROM impression m"
        " JOIN query q ON q.id = m.query WHERE m.topic IS NULL AND m.import = coalesce(?, m.import) GROUP BY q.id"
        " ORDER BY 2 DESC, q.id",
        [number],
    )
    titles = store.rows("SELECT title FROM topic WHERE title <> '' AND removed = 0")
    texts = {same_text(title) for (title,) in titles}
    queries: dict[str, LoggedQuery] = {}
    for text, lists, users in rows:
        if (key := same_text(text)) and key not in texts:
            query = queries.get(key, LoggedQuery(" ".join(text.split()), 0, 0))
            queries[key] = LoggedQuery(query.text, query.lists + lists, max(query.users, users))
    return sorted(queries.values(), key=lambda one: (-one.users, -one.lists, one.text))
