"""The runs that a store holds."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield import hooks
from cranfield.arrays.judged import UnreadRuns
from cranfield.arrays.rankings import Floats, Ints, NameArray, Runs, Vocabulary
from cranfield.errors import DamageError, InputError, StoreError
from cranfield.formats import RunInfo
from cranfield.store.decoding import decode_json_column, decode_scores, documents_of
from cranfield.store.names import RunKey, name_new_run, read_run_keys
from cranfield.store.rounds import round_names, round_of_new_runs
from cranfield.store.store import Store, as_json, now
from cranfield.store.withdrawals import refuse_withdrawn, withdrawal_and_round_filter
from cranfield.text import counted, name_hint

if TYPE_CHECKING:
    from cranfield.store.changes import ItemState

Numbers = NDArray[np.int32]  # of rows of a table, as rankings have them


def add_runs(store: Store, runs: Runs, about: Mapping[str, RunInfo] | None = None, round: str | None = None) -> int:
    """Add runs in one transaction; how many. A tag that is already in the store is refused, and an empty run.

    In a round of its own a run may have a tag that another round or team has; `run_names` says how it is called then.

    A docno that is new becomes a document without text. A qid that is new is refused where topics are known. Runs are
    of the open round unless `round` names another one.
    """
    infos = {tag: (about or {}).get(tag, RunInfo(team=tag)) for tag in runs.tags}
    infos = {
        tag: info if info.round else info._replace(round=round_of_new_runs(store, round)) for tag, info in infos.items()
    }
    names = _name_runs(store, infos)
    refuse_withdrawn(store, {names[tag]: info.file for tag, info in infos.items()})
    for tag in sorted(infos.keys() - set(runs.answering().tags)):
        raise InputError(
            f"run {tag!r} retrieved no documents; expected an answer to at least one topic", infos[tag].file or None
        )
    if store.brief is None:
        with store.writing():
            _insert_runs(store, runs, infos, names)
    else:
        if store.has("topic"):
            store.require_qids(runs.topics.names_at(runs.topics.sorted_codes(runs.topic[runs.starts])).tolist())
        prepared = _prepare_rankings(store, runs)
        with store.writing():  # in one transaction, so that every reader finds all of the runs or none
            store.brief.begin()
            store.brief.check()
            _insert_runs(store, runs, infos, names, prepared)
            store.brief.finish()
    store.forget()
    return len(runs.tags)


class _PreparedRankings(NamedTuple):
    """The rankings of runs, worked out before the transaction that stores them; all names have rows."""

    first: int  # the number that the first run is to get
    qids: NameArray
    docnos: NameArray
    numbers: Ints  # of the rows of the docnos
    topic: Numbers  # of each ranking
    document: Numbers  # of each row of rankings
    states: "Mapping[str, ItemState | None]"  # what the log says of the rankings of each run, by its number


def _prepare_rankings(store: Store, runs: Runs) -> _PreparedRankings | None:
    """Work out the rankings as a store has them, so that it is locked for a shorter time; None where a name is new."""
    from cranfield.store.changes import state_of_rows

    topics = runs.topic[runs.starts]
    qid_codes, docno_codes = runs.topics.sorted_codes(topics), runs.docnos.sorted_codes(runs.document)
    qids, docnos = runs.topics.names_at(qid_codes), runs.docnos.names_at(docno_codes)
    topic_numbers = store.row_numbers("topic", "qid", qids)
    numbers = store.row_numbers("document", "docno", docnos)
    if (topic_numbers < 0).any() or (numbers < 0).any():
        return None
    first, topic = _next_number(store), _numbers_of_codes(topics, qid_codes, topic_numbers)
    document = _numbers_of_codes(runs.document, docno_codes, numbers)
    by_run = groupby(_rows_for_ranking_table(runs, first, topic, document), itemgetter(0))
    states = {str(number): state_of_rows(sorted(rows, key=itemgetter(1))) for number, rows in by_run}
    return _PreparedRankings(first, qids, docnos, numbers, topic, document, states)


def _next_number(store: Store) -> int:
    return int(store.rows("SELECT coalesce(max(id), 0) + 1 FROM run")[0][0])


def _insert_runs(
    store: Store,
    runs: Runs,
    infos: Mapping[str, RunInfo],
    names: Mapping[str, str],
    prepared: _PreparedRankings | None = None,
) -> None:
    from cranfield.store.changes import adding_known_rows

    first = _next_number(store)
    if prepared is not None and _is_still_right(store, prepared, first):
        topic, document, states = prepared.topic, prepared.document, prepared.states
    else:
        topic = _row_numbers(store, "topic", runs.topics, runs.topic[runs.starts])
        document = _row_numbers(store, "document", runs.docnos, runs.document)
        states = {str(first + number): None for number in range(len(infos))}
    for number, (tag, info) in enumerate(infos.items(), first):
        own = info._replace(submitted=None if names[tag] == tag else tag)._asdict()
        row = {"id": number, "tag": names[tag], **own, "imported": now(), "import": store.importing}
        row["metadata"] = as_json(info.metadata)
        places = ", ".join("?" * len(row))  # in plain SQL: sqlite-utils imports pandas
        store.conn.execute(f"INSERT INTO run ({', '.join(row)}) VALUES ({places})", [*row.values()])
    with adding_known_rows(store.conn, "ranking", states):
        rows = _rows_for_ranking_table(runs, first, topic, document)
        store.conn.executemany("INSERT INTO ranking VALUES (?, ?, ?, ?)", rows)


def _is_still_right(store: Store, prepared: _PreparedRankings, first: int) -> bool:
    """Whether no other program has stored runs meanwhile; names that one has removed are restored or refused."""
    store.require_qids(prepared.qids.tolist())
    same = store.ensure_rows("document", prepared.docnos) == prepared.numbers
    return first == prepared.first and bool(same.all())


def runs_as_stored(store: Store, runs: Runs, about: Mapping[str, RunInfo]) -> tuple[Runs, Mapping[str, RunInfo]]:
    """Runs that are imported as a store has them, with what is known of each: features may make several of one."""
    for tag in runs.tags:
        _check_words(tag, about[tag].file if tag in about else "")
    for extension in hooks.features().values():
        runs, about = extension.new_runs(store, runs, about)
    return runs, about


def _check_words(tag: str, file: str) -> None:
    """Refuse a tag that run files could not hold.

    >>> _check_words("my run", "a.csv")
    Traceback (most recent call last):
    cranfield.errors.InputError: a.csv: run tag 'my run' has white space, which run files cannot contain; \
    write it without white space, such as 'my_run'
    """
    words = tag.encode().split()
    if words != [tag.encode()]:
        better = b"_".join(words).decode()
        wrong = f"run tag {tag!r} has white space, which run files cannot contain"
        raise InputError(f"{wrong}; write it without white space, such as {better!r}", file or None)


def extend_runs(store: Store, runs: Runs, about: Mapping[str, RunInfo] | None = None, round: str | None = None) -> int:
    """Add topics to runs of the present round, all or none; a run that is not there is added as a whole; how many.

    What each file was, and its topics, is kept with the run. Errors: another team, a topic that the run answers
    already, a run that a release has, that is withdrawn, or of which a pool was made that is not of depth k.

    >>> from cranfield.metrics.inputs import as_runs
    >>> with Store.memory("a run of two parts") as store:
    ...     whole = add_runs(store, as_runs({"a": {"1": {"d1": 1.0}, "2": {"d1": 1.0}}}))
    ...     more = extend_runs(store, as_runs({"a": {"3": {"d2": 1.0}}}))
    ...     sizes_of_runs(store)
    {'a': (3, 3)}
    """
    infos = {tag: (about or {}).get(tag, RunInfo(team=tag)) for tag in runs.tags}
    earlier = runs_of_round(store, round)
    with store.writing():
        for tag in infos.keys() & earlier.keys():
            _extend_run(store, earlier[tag], runs.select([tag]), infos[tag])
        if new := [tag for tag in runs.tags if tag not in earlier]:
            add_runs(store, runs.select(new), infos, round)
    store.forget()
    return len(runs.tags)


def runs_of_round(store: Store, round: str | None = None) -> dict[str, RunKey]:
    """The runs of a round, by default the present one, by the tag that they came with."""
    return {one.tag: one for one in read_run_keys(store) if one.round == (round_of_new_runs(store, round) or 1)}


def topics_answered_by(store: Store, tag: str) -> set[str]:
    """The topics that a run answers."""
    query = "SELECT qid FROM ranking k JOIN run r ON r.id = k.run JOIN topic t ON t.id = k.topic WHERE tag = ?"
    return {qid for (qid,) in store.rows(query, [tag])}


def _extend_run(store: Store, run: RunKey, more: Runs, info: RunInfo) -> None:
    number, qids = store.numbers("run", "tag", [run.name])[0], more.topics.names[np.unique(more.topic)].tolist()
    what, file = f"run {run.tag!r}", info.file or None
    remedy = "; make another run with --tag NAME"
    if info.team not in (run.team, run.tag):
        raise InputError(
            f"{what} belongs to team {run.team!r} in the store and to team {info.team!r} in the file{remedy}", file
        )
    if not qids:
        raise InputError(f"{what} retrieved no documents; expected an answer to at least one topic", file)
    topics = {topic for (topic,) in _ranking_columns(store, number, "topic")}
    if twice := [qid for qid, row in zip(qids, store.numbers("topic", "qid", qids), strict=True) if row in topics]:
        some = ", ".join(twice[:5]) + ", ..." * (len(twice) > 5)
        raise InputError(f"{what} has answered {counted(len(twice), 'topic')} of these: {some}{remedy}", file)
    refuse_withdrawn(store, {run.name: info.file})
    if release := store.rows("SELECT name FROM release WHERE json_extract(last, '$.run') >= ? LIMIT 1", [number]):
        raise InputError(f"{what} is in release {release[0][0]}, and releases never change{remedy}", file)
    pools = "SELECT id, method FROM pool WHERE EXISTS (SELECT 1 FROM json_each(parameters, '$.runs') WHERE value = ?)"
    if others := [one for one in store.rows(pools, [run.name]) if one[1] != "depth"]:
        pool, method = others[0]
        raise InputError(f"{what} is in pool {pool}, which {method} built from all its topics{remedy}", file)
    topic = _row_numbers(store, "topic", more.topics, more.topic[more.starts])
    document = _row_numbers(store, "document", more.docnos, more.document)
    store.conn.executemany(
        "INSERT INTO ranking VALUES (?, ?, ?, ?)", _rows_for_ranking_table(more, number, topic, document)
    )
    metadata: Mapping[str, Any] = run_info(store, every=True)[run.name].metadata
    part = {"at": now(), "import": store.importing, "file": info.file, "sha256": info.sha256, "topics": qids}
    parts = {"extended": [*metadata.get("extended", ()), part]}
    store.conn.execute("UPDATE run SET metadata = ? WHERE id = ?", [as_json({**metadata, **parts}), number])


def known_tags(store: Store, round: str | None = None) -> set[str]:
    """The tags that no new run can have; in a round of its own it is called otherwise where that is needed."""
    return (
        set()
        if round_of_new_runs(store, round)
        else {name for one in read_run_keys(store) for name in (one.name, one.tag)}
    )


def _name_runs(store: Store, infos: Mapping[str, RunInfo]) -> dict[str, str]:
    """How new runs are called: by their tags; one that is taken is refused where the run is of no later round."""
    keys, rounds, names = read_run_keys(store), round_names(store), dict[str, str]()
    for tag, info in infos.items():
        alike = [one for one in keys if tag in (one.tag, one.name)]
        if alike and info.round is None and any(one.round == 1 for one in alike):
            raise InputError(f"run {tag!r} is already in the store", info.file or None)
        number = info.round or 1
        keys.append(name_new_run(keys, RunKey("", number, info.team, tag, rounds.get(number, ""))))
        names[tag] = keys[-1].name
    return names


def _row_numbers(store: Store, table: str, names: Vocabulary, codes: Ints) -> Numbers:
    """The store's row numbers for codes, after making new names known."""
    used = names.sorted_codes(codes)
    if table == "topic":
        store.require_qids(names.names_at(used).tolist())
    return _numbers_of_codes(codes, used, store.ensure_rows(table, names.names_at(used)))


def _numbers_of_codes(codes: Ints, used: Ints, numbers: Ints) -> Numbers:
    """The row number of each code; `numbers` are the row numbers of the `used` codes."""
    number_of_code = np.zeros(int(used.max(initial=-1)) + 1, "<i4")
    number_of_code[used] = numbers
    return number_of_code[codes]


def _rows_for_ranking_table(
    runs: Runs, first: int, topic: Numbers, document: Numbers
) -> Iterator[tuple[int, int, bytes, bytes]]:
    """The rows of rankings; `topic` is of each ranking, `document` of each of its rows."""
    scores = runs.score.astype("<f8", copy=False)
    for number, (start, end) in zip(topic.tolist(), pairwise(np.append(runs.starts, len(runs))), strict=True):
        yield int(runs.run[start]) + first, number, document[start:end].tobytes(), scores[start:end].tobytes()


def load_runs_noting_variations(store: Store, tell: Callable[[str], object]) -> Runs:
    """The runs, once it is told that those which answer variations of queries count one by one."""
    note_query_variations(run_info(store), tell)
    return unread_runs(store)


def note_query_variations(about: Mapping[str, RunInfo], tell: Callable[[str], object]) -> None:
    """Tell that runs which answer variations of queries count one by one, where there are such runs."""
    systems = {info.metadata["system"] for info in about.values() if "variation" in info.metadata}
    if systems:
        alone = f"runs that answer query variations count separately, for {counted(len(systems), 'system')};"
        tell(f"{alone} combine a system's runs with --by team, or average them with `evaluate --variations`")


def run_info(store: Store, every: bool = False) -> dict[str, RunInfo]:
    """What is known of each run that counts, or of every one, by tag, in the order they came."""
    counting = None if every else withdrawal_and_round_filter(store)
    columns = "tag, team, kind, description, pooled, depth, file, sha256, metadata, round, submitted"
    return {
        tag: RunInfo(team, kind, about, bool(pooled), depth, file, digest,
                     decode_json_column(dict, metadata, "run", tag, "metadata"), *key)
        for tag, team, kind, about, pooled, depth, file, digest, metadata, *key
        in store.rows(f"SELECT {columns} FROM run ORDER BY id")
        if counting is None or counting.counts(tag)
    }  # fmt: skip


def run_lengths(store: Store) -> dict[str, int]:
    """How many documents each run retrieved, over all topics."""
    return dict(
        store.rows("SELECT tag, sum(length(documents)) / 4 FROM ranking k JOIN run r ON r.id = k.run GROUP BY tag")
    )


def stored_runs(store: Store, tags: Sequence[str] | None = None) -> Runs:
    """The runs of a store that count, or those named, in the order they came, with the rows that count."""
    counting = withdrawal_and_round_filter(store)
    names = [name for name in run_info(store, every=True) if counting.counts(name)] if tags is None else tags
    runs = submitted_runs(store, names)
    return runs if counting.selection.changes_nothing else counting.selection.select_runs(runs, store.left_out)


def submitted_runs(store: Store, tags: Sequence[str]) -> Runs:
    """These runs as they were submitted; scores and docnos are loaded when asked for."""
    names = list(tags)
    numbers = store.numbers("run", "tag", names)
    if -1 in numbers:
        unknown = names[numbers.index(-1)]
        raise StoreError(f"no run {unknown!r} in this store{name_hint(unknown, store.names('run', 'tag'))}")
    rankings = [
        (run, *row) for run, number in enumerate(numbers) for row in _ranking_columns(store, number, "topic, documents")
    ]
    blobs, rows = [documents for *_, documents in rankings], [(numbers[run], topic) for run, topic, _ in rankings]
    most = store.last_row_number("topic")
    for row in rows:
        if not 1 <= row[1] <= most:
            raise DamageError("ranking", row, f"no such topic; expected 1 to {most}")
    lengths = [len(documents) // 4 for documents in blobs]
    document = documents_of(blobs, rows, store.last_row_number("document"))
    document -= 1
    store.catch_up()  # the rows may be of a run, with new topics and documents, that another program has just added
    return Runs(
        tuple(names), store.qids, store.docnos,
        run=np.repeat(np.array([run for run, _, _ in rankings], np.int64), lengths),
        topic=np.repeat(np.array([topic - 1 for _, topic, _ in rankings], np.int64), lengths),
        document=document,
        scores=store.later(lambda again: _decode_scores(again, numbers)),
    )  # fmt: skip


def unread_runs(store: Store) -> Runs:
    """The runs that count, in the order they came, read when asked for; a closed store is opened once more for them."""
    qids, docnos, counting, left_out = store.qids, store.docnos, withdrawal_and_round_filter(store), store.left_out
    n_documents, n_topics = store.known_rows

    def read(batches: Iterable[Sequence[str]]) -> Iterator[Runs]:
        with store.again() as there:
            for tags in batches:
                runs = submitted_runs(there, tags)
                if runs.topic.max(initial=-1) < n_topics and runs.document.max(initial=-1) < n_documents:
                    runs = replace(runs, topics=qids, docnos=docnos)
                yield counting.selection.select_runs(runs, left_out)

    return UnreadRuns([tag for tag in run_info(store, every=True) if counting.counts(tag)], qids, docnos, read)


def _decode_scores(store: Store, numbers: Sequence[int]) -> Floats:
    rows = [
        row
        for number in numbers
        for row in _ranking_columns(store, number, "scores, length(documents) / 4, run, topic")
    ]
    return decode_scores(
        [scores for scores, *_ in rows], [row for _, _, *row in rows], [length for _, length, *_ in rows]
    )


def _ranking_columns(store: Store, number: int, columns: str) -> list[tuple[Any, ...]]:
    """Of the rankings of a run, by topic."""
    return store.rows(f"SELECT {columns} FROM ranking WHERE run = ? ORDER BY topic", [number])


def sizes_of_runs(store: Store) -> dict[str, tuple[int, int]]:
    """By tag: the topics that a run answers, and the documents that it retrieved for them."""
    return {tag: (topics, int(n)) for tag, topics, n in store.rows("SELECT tag, topics, documents FROM run_overview")}


def first_documents(store: Store, qid: str, ranks: int) -> dict[str, list[str]]:
    """The docnos at the first ranks of every run that answers a topic, by tag, in the order the runs came."""
    rankings = store.rows(
        "SELECT tag, substr(documents, 1, ?), run, topic FROM ranking k JOIN run r ON r.id = k.run"
        " WHERE k.topic = (SELECT id FROM topic WHERE qid = ?) ORDER BY r.id",
        [4 * ranks, qid],
    )
    numbers = [documents_of([blob], [row], store.last_row_number("document")).tolist() for _, blob, *row in rankings]
    docnos = store.names_by_number("document", "docno", {number for several in numbers for number in several})
    return {tag: [docnos[number] for number in several] for (tag, *_), several in zip(rankings, numbers, strict=True)}


class Rank(NamedTuple):
    """Where a run ranks a document."""

    tag: str
    team: str
    rank: int
    score: float


def ranks(store: Store, qid: str, docno: str) -> list[Rank]:
    """The rank and the score of one document in every run that retrieved it for a topic, best first."""
    document = store.numbers("document", "docno", [docno])[0]
    places = []
    for tag, team, documents, scores, *row in store.rows(
        "SELECT tag, team, documents, scores, run, topic FROM ranking k JOIN run r ON r.id = k.run"
        " WHERE k.topic = (SELECT id FROM topic WHERE qid = ?) ORDER BY r.id",
        [qid],
    ):
        retrieved = documents_of([documents], [row], store.last_row_number("document"))
        score = decode_scores([scores], [row], [len(retrieved)])
        places += [Rank(tag, team, int(at) + 1, float(score[at])) for at in np.flatnonzero(retrieved == document)]
    return sorted(places, key=lambda rank: rank.rank)
