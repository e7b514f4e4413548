"""The topics of a store asked of a system outside, and the run that comes of it, with how it came."""

import json
import shutil
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple

from cranfield.errors import InputError, file_named_in_errors
from cranfield.features.collecting.systems.client import Client, NoResponseError
from cranfield.features.collecting.systems.definition import Engine
from cranfield.features.collecting.systems.kinds import Hits, ask_topic
from cranfield.features.collecting.systems.permission import check_permission
from cranfield.formats import RunInfo, Topic
from cranfield.metrics.inputs import as_runs
from cranfield.store.history import runs_before_corpus
from cranfield.store.runs import add_runs, extend_runs, run_info, runs_of_round, topics_answered_by
from cranfield.store.store import Store, now
from cranfield.text import counted

UNKNOWN = 0.05  # the share of ids that the store may not know


class ExternalRun(NamedTuple):
    """A run of a system outside, and notes on it."""

    tag: str
    notes: list[str]


class Responses(NamedTuple):
    """Rankings by topic, what failed, how many duplicates there were, and the statuses of the answers."""

    rankings: dict[str, Hits]
    failures: dict[str, str]
    twice: int = 0
    statuses: Mapping[int, int] = {}


def search_outside(
    store: Store, system: Engine, depth: int, *, allow: str | None, partial: bool = False, consent: bool = False,
    extend: bool = False, tag: str | None = None,
) -> ExternalRun:  # fmt: skip
    """Ask every topic, and store the run when all answers have arrived; answers are kept until then.

    Parameters
    ----------
    store : Store
        The store with the topics. It gets the run.
    system : Engine
        The system, as `read_system` reads it from a file.
    depth : int
        The number of documents for each topic.
    allow : str or None
        The hash of the file and of the variables that it may read. Read the file first: it can send these variables
        and the topics to its host, or run a program. With None, the error shows what the file does, and its hash.
    partial : bool, default False
        Store the run without the topics that failed.
    consent : bool, default False
        Let texts leave the machine for embeddings.
    extend : bool, default False
        Add the topics that the run of the system has not answered.
    tag : str, optional
        The tag of another run by the same system.

    Returns
    -------
    Outside
        The tag of the run, and notes on it.

    Raises
    ------
    InputError
        If `allow` is not the hash of this file, or an answer cannot be used. Nothing is stored then.
    """
    check_permission(system, allow)
    if tag and extend:
        raise InputError("--tag makes a new run, so it does not work with --extend", system.path)
    name = tag or system.name
    topics = [topic for topic in store.topics() if topic.title or topic.description]
    topics = _open_topics(store, system, topics) if extend else topics
    _check(store, system, topics, depth, None if extend else name)
    start, folder = now(), Path(f"{store.path}.answers") / system.sha256[:32]
    answers = _answers(store, system, topics, depth, folder=folder, consent=consent)
    if answers.failures and not partial:
        qid, why = next(iter(answers.failures.items()))
        raise InputError(
            f"{len(answers.failures)} of {counted(len(topics), 'topic')} failed, so no run is stored (topic"
            f" {qid}: {why}). Run the same command again to retry them, or store the run without them with"
            " --partial",
            system.path,
        )
    notes = [f"the run lacks the topics without an answer: {', '.join(answers.failures)}"] if answers.failures else []
    notes += _strangers(store, system, answers.rankings)
    notes += (
        [
            f"{counted(answers.twice, 'document')} occurred twice in the answer to a topic; only the first occurrence"
            " counts"
        ]
        if answers.twice
        else []
    )
    about = {"kind": system.kind, "host": system.host, "sha256": system.sha256, "file": system.text, "from": start,
             "to": now(), "depth": depth,
             "statuses": {str(one): times for one, times in answers.statuses.items()}}  # fmt: skip
    whom = system.host or system.values["argv"][0]
    info = RunInfo(system.name, description=f"asked of {whom}", file=str(system.path),
                   sha256=system.sha256, metadata={"system": about})  # fmt: skip
    runs = as_runs({name: {qid: dict(hits) for qid, hits in answers.rankings.items() if hits}})
    if extend and runs.tags:
        extend_runs(store, runs, {name: info})
    elif not extend:
        add_runs(store, runs, {name: info})
    shutil.rmtree(folder, ignore_errors=True)
    return ExternalRun(name, [*notes, *([f"extended by {counted(len(runs.starts), 'topic')}"] if extend else [])])


def _open_topics(store: Store, system: Engine, topics: Sequence[Topic]) -> list[Topic]:
    """The topics that the run of a system has not answered; an error where it cannot be extended as it was made."""
    runs = runs_of_round(store)
    if system.name not in runs:
        raise InputError(f"there is no run {system.name!r} to extend; omit --extend to make it", system.path)
    run = runs[system.name].name
    if run_info(store, every=True)[run].sha256 != system.sha256:
        raise InputError(
            f"the run {run!r} was made with another version of this file; make a new run with --tag NAME", system.path
        )
    if runs_before_corpus(store, [run]):
        raise InputError(
            f"the run {run!r} is older than the newest corpus; search all topics again with --tag NAME", system.path
        )
    rest = [topic for topic in topics if topic.qid not in topics_answered_by(store, run)]
    if not rest:
        raise InputError(f"the run {run!r} has already answered all topics", system.path)
    return rest


def _check(store: Store, system: Engine, topics: Sequence[Topic], depth: int, name: str | None) -> None:
    if not topics:
        raise InputError(
            "this store has no topics to search for; add topics with `cranfield import topics`", Path(store.path)
        )
    if name is not None and name in runs_of_round(store):
        remedy = "use --extend to search for new topics, or --tag NAME to make another run"
        raise InputError(f"the store already has the run {name!r}; {remedy}", system.path)
    most = system.values.get("request", {}).get("most")
    if most is not None and depth > most:
        raise InputError(
            f"--depth is {depth}, but the system returns at most {most} documents (the value of most)", system.path
        )


def _answers(
    store: Store, system: Engine, topics: Sequence[Topic], depth: int, *, folder: Path, consent: bool
) -> Responses:
    if system.kind == "command":
        from cranfield.features.collecting.systems.kinds import ran

        return Responses(ran(system, topics, depth), {})
    client = Client(system)
    if system.kind == "embeddings":
        return _search_embeddings(store, system, client, topics, depth, consent=consent)
    return search_over_http(system, client, topics, depth, None if store.path == ":memory:" else folder)


def _search_embeddings(
    store: Store, system: Engine, client: Client, topics: Sequence[Topic], depth: int, *, consent: bool
) -> Responses:
    from cranfield.features.collecting.systems.kinds import nearest

    if not consent:
        [(size, count)] = store.rows(f"SELECT sum(length(text)), count(*) FROM document WHERE {store.has_text()}")
        texts = f"the texts of {counted(count, 'document')}, {size or 0:,} characters,"
        raise InputError(f"{texts} would be sent to {system.host}; --yes allows it", system.path)
    folder = Path(f"{store.path}.embeddings")
    with file_named_in_errors(system.path):
        rankings = nearest(system, client, store.documents(), topics, depth, folder=folder)
    return Responses(rankings, {}, statuses=client.statuses)


def search_over_http(
    system: Engine, client: Client, topics: Sequence[Topic], depth: int, folder: Path | None = None
) -> Responses:
    """Ask topics side by side; those that were answered before come from the folder."""
    rankings, failures, twice, stop = dict[str, Hits](), dict[str, str](), 0, Event()
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)

    def search_topic(topic: Topic) -> tuple[Hits, int]:
        file = folder / f"{sha256(json.dumps([*topic[:4], depth]).encode()).hexdigest()}.json" if folder else None
        if file and file.exists():
            hits, again = json.loads(file.read_text())
            return [(docno, score) for docno, score in hits], again
        if stop.is_set():
            raise NoResponseError("not asked, because an earlier topic was refused")
        try:
            answer = ask_topic(system, client, topic, depth)
        except NoResponseError as error:
            if error.stop:
                stop.set()
            raise
        if file:
            file.with_suffix(".part").write_text(json.dumps(answer))
            file.with_suffix(".part").rename(file)
        return answer

    with ThreadPoolExecutor(system.limit("concurrency")) as threads:
        for topic, future in [(topic, threads.submit(search_topic, topic)) for topic in topics]:
            try:
                rankings[topic.qid], again = future.result()
                twice += again
            except NoResponseError as error:
                if error.stop:
                    threads.shutdown(cancel_futures=True)
                    raise InputError(f"topic {topic.qid}: {error}", system.path) from None
                failures[topic.qid] = str(error)
    return Responses(rankings, failures, twice, client.statuses)


def _strangers(store: Store, system: Engine, rankings: Mapping[str, Hits]) -> list[str]:
    """How many ids the store does not know; refused where they are many: another field is the docno."""
    docnos = sorted({docno for hits in rankings.values() for docno, _ in hits})
    if not docnos:
        raise InputError("the system returned no document for any topic", system.path)
    here = {
        docno
        for (docno,) in store.rows(
            f"SELECT docno FROM document JOIN json_each(?) ON value = docno WHERE {store.complete_import_condition()}",
            [json.dumps(docnos)],
        )
    }
    strange = [docno for docno in docnos if docno not in here]
    if len(strange) > UNKNOWN * len(docnos):
        raise InputError(
            f"{len(strange)} of {len(docnos)} ids are not docnos in the store, such as"
            f" {', '.join(strange[:3])}; in [answer], id must name the field that contains the docno",
            system.path,
        )
    if not strange:
        return []
    documents = counted(len(strange), "document of the run is", "documents of the run are")
    return [f"{documents} not in the corpus: {', '.join(strange[:3])}"]


def try_words(system: Engine, words: str, depth: int = 10, *, allow: str | None) -> list[dict[str, Any]]:
    """Return what a system answers to some words: rank, docno and score; `allow` as for `search_outside`."""
    check_permission(system, allow)
    topic = Topic("try", words)
    if system.kind == "command":
        from cranfield.features.collecting.systems.kinds import ran

        hits = ran(system, [topic], depth).get("try", [])
    elif system.kind == "embeddings":
        raise InputError("a system of kind embeddings searches only stored texts; omit --try", system.path)
    else:
        hits, _ = ask_topic(system, Client(system), topic, depth)
    return [{"rank": rank, "docno": docno, "score": score} for rank, (docno, score) in enumerate(hits, 1)]
