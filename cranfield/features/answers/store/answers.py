"""The answers that a store holds: what runs of generating systems answer to topics, sentence by sentence."""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from cranfield.errors import DamageError, InputError, Path, StoreError
from cranfield.features.answers.formats.answers import Answer, AnswerPlace, Answers, Sentence
from cranfield.formats.runs.files import RunInfo
from cranfield.store.decoding import decode_json_column, decode_names
from cranfield.store.store import Store, as_json, now
from cranfield.store.withdrawals import UnrankedRuns, refuse_withdrawn, withdrawal_and_round_filter
from cranfield.text import counted


class StoredAnswer(NamedTuple):
    """An answer with the number by which labels know it."""

    number: int
    run: str
    qid: str
    sentences: Sequence[Sentence]
    documents: Sequence[str]
    metadata: Mapping[str, object]
    sha256: str  # of its sentences and what they cite


def infos_of(
    answers: Answers, teams: Mapping[str, RunInfo] | None = None, path: Path | None = None
) -> dict[str, RunInfo]:
    """What is known of the runs of files, by tag: what `teams`, read from a path, says, or else their own files.

    >>> infos_of(Answers([Answer("rag", "q1", [], team="A")], [AnswerPlace("dir/a.jsonl", 1)]))["rag"].team
    'A'
    """
    about: dict[str, RunInfo] = {}
    for answer, place in zip(answers.answers, answers.places, strict=True):
        if teams is not None and answer.run not in teams:
            raise InputError(f"the file lacks a line for run {answer.run!r}, which occurs in {place.path}", path)
        info = teams[answer.run] if teams else RunInfo(answer.team or answer.run, answer.kind or "automatic")
        whole = info._replace(description=info.description or answer.description)
        about.setdefault(answer.run, whole._replace(file=os.path.basename(place.path)))
    return about


def add_answers(
    store: Store,
    answers: Iterable[Answer],
    about: Mapping[str, RunInfo] | None = None,
    places: Sequence[AnswerPlace] = (),
) -> int:
    """Add answers in one transaction; how many. A run that already answers a topic here is refused.

    `about` says of runs what their files do not, `places` where the answers come from. A docno that is new becomes a
    document without text; a qid that is new is refused where topics are known.

    >>> with Store.memory("tiny") as store:
    ...     add_answers(store, [Answer("rag", "q1", [Sentence("Wings lift.", {"d1": None})], ["d1", "d2"])])
    ...     [found] = stored_answers(store)
    ...     found.run, found.sentences, store.counts()["document"]
    1
    ('rag', [Sentence(text='Wings lift.', citations={'d1': None})], 2)
    """
    answers = list(answers)
    with store.writing():
        qids = list(dict.fromkeys(answer.qid for answer in answers))
        store.require_qids(qids)
        named = {docno for answer in answers for docno in answer.documents}
        cited = {docno for answer in answers for one in answer.sentences for docno in one.citations}
        store.ensure_docnos(sorted(named | cited))
        refuse_withdrawn(
            store,
            {answer.run: str(place.path) if place else "" for answer, place in _pair_with_places(answers, places)},
        )
        _refuse_known(store, answers, places)
        tags = {tag for (tag,) in store.rows("SELECT tag FROM answer_run")}
        answer_of_tag = {answer.run: answer for answer in reversed(answers)}
        for tag in dict.fromkeys(answer.run for answer in answers):
            if tag not in tags:
                answer = answer_of_tag[tag]
                own = RunInfo(answer.team or tag, answer.kind or "automatic", answer.description)
                info = (about or {}).get(tag, own)
                store.conn.execute(
                    "INSERT INTO answer_run (tag, team, kind, description, file, imported) VALUES (?, ?, ?, ?, ?, ?)",
                    [tag, info.team, info.kind, info.description, info.file, now()],
                )
        runs = dict(store.rows("SELECT tag, id FROM answer_run"))
        topics = dict(zip(qids, store.row_numbers("topic", "qid", np.array(qids, object)).tolist(), strict=True))
        for answer in answers:
            _insert(store, answer, runs[answer.run], topics[answer.qid])
    store.forget()
    return len(answers)


def _pair_with_places(
    answers: Sequence[Answer], places: Sequence[AnswerPlace]
) -> Iterable[tuple[Answer, AnswerPlace | None]]:
    """Each answer with where it comes from, if that is said."""
    none: list[AnswerPlace | None] = [None] * len(answers)
    return zip(answers, places or none, strict=True)


def _refuse_known(store: Store, answers: Sequence[Answer], places: Sequence[AnswerPlace]) -> None:
    pairs = set(
        store.rows("SELECT r.tag, t.qid FROM answer a JOIN answer_run r ON r.id = run JOIN topic t ON t.id = topic")
    )
    for answer, place in _pair_with_places(answers, places):
        if (answer.run, answer.qid) in pairs:
            what = f"run {answer.run!r} already answers topic {answer.qid!r} in this store"
            raise InputError(what, *(place or ()))
        pairs.add((answer.run, answer.qid))


def _insert(store: Store, answer: Answer, run: int, topic: int) -> None:
    number = store.conn.execute(
        "INSERT INTO answer (run, topic, documents, metadata, sha256, import) VALUES (?, ?, ?, ?, ?, ?)",
        [
            run,
            topic,
            _json(list(answer.documents)),
            as_json(answer.metadata),
            answer_sha256(answer.sentences),
            store.importing,
        ],
    ).lastrowid
    store.conn.executemany(
        "INSERT INTO sentence VALUES (?, ?, ?, ?)",
        [(number, at, each.text, _json(dict(each.citations))) for at, each in enumerate(answer.sentences, 1)],
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def answer_sha256(sentences: Sequence[Sentence]) -> str:
    """The hash by which a label knows the answer it was about.

    >>> answer_sha256([Sentence("a", {"d": None})]) == answer_sha256([Sentence("a")])
    False
    """
    content = _json([[sentence.text, list(sentence.citations)] for sentence in sentences])
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def unranked_runs(store: Store) -> UnrankedRuns:
    """The runs that generated answers, each with its first answer, and the commands that score them."""
    rows = store.rows("SELECT r.tag, min(a.id) FROM answer a JOIN answer_run r ON r.id = a.run GROUP BY a.run")
    count = counted(store.count("answer"), "answer")
    remedy = f"it has {count}, which `cranfield evaluate --answers` and `compare --answers` score"
    return UnrankedRuns({tag: ("answer", number) for tag, number in rows}, remedy)


def answers_that_count(store: Store) -> dict[int, tuple[str, str]]:
    """The run and topic of each answer that counts, by its number; what is withdrawn is noted as left out."""
    counts = withdrawal_and_round_filter(store, "answer_run")
    topics = counts.selection.topics
    tables = "answer a JOIN answer_run r ON r.id = a.run JOIN topic t ON t.id = a.topic"
    return {
        number: (tag, qid)
        for number, tag, qid, topic in store.rows(f"SELECT a.id, r.tag, t.qid, t.id FROM {tables} ORDER BY a.id")
        if tag not in counts.omissions and (topics is None or topics[topic - 1])
    }


def answer_runs(store: Store) -> dict[str, RunInfo]:
    """What is known of each run that generated answers and counts, by tag, in the order they came."""
    left_out = withdrawal_and_round_filter(store, "answer_run").omissions
    rows = store.rows("SELECT tag, team, kind, description, file FROM answer_run ORDER BY id")
    return {tag: RunInfo(team, kind, about, file=file) for tag, team, kind, about, file in rows if tag not in left_out}


def stored_answers(store: Store, qid: str | None = None, run: str | None = None) -> list[StoredAnswer]:
    """The answers of a store, perhaps of one topic or of one run, by topic and then by run, in the order these came."""
    where = "t.qid = coalesce(?1, t.qid) AND r.tag = coalesce(?2, r.tag)"
    tables = "answer a JOIN answer_run r ON r.id = a.run JOIN topic t ON t.id = a.topic"
    sentences: dict[int, list[Sentence]] = {}
    for number, at, text, citations in store.rows(
        f"SELECT s.answer, position, text, citations FROM {tables} JOIN sentence s ON s.answer = a.id WHERE {where}"
        " ORDER BY s.answer, position",
        [qid, run],
    ):
        sentences.setdefault(number, []).append(Sentence(text, _citations(citations, (number, at))))
    return [
        StoredAnswer(
            number,
            tag,
            topic,
            sentences=sentences.get(number, []),
            documents=decode_names(documents, "answer", number, "documents"),
            metadata=decode_json_column(dict, metadata, "answer", number, "metadata"),
            sha256=digest,
        )
        for number, tag, topic, documents, metadata, digest in store.rows(
            f"SELECT a.id, r.tag, t.qid, documents, a.metadata, a.sha256 FROM {tables} WHERE {where}"
            " ORDER BY t.id, r.id",
            [qid, run],
        )
    ]


def answers_to_write(store: Store, run: str | None = None) -> list[Answer]:
    """The answers that count, as formats write them, perhaps of one run."""
    about, counting = answer_runs(store), answers_that_count(store)
    return [
        Answer(
            a.run,
            a.qid,
            a.sentences,
            documents=a.documents,
            team=about[a.run].team,
            kind=about[a.run].kind,
            description=about[a.run].description,
            metadata=a.metadata,
        )
        for a in stored_answers(store, run=run)
        if a.number in counting
    ]


def _citations(text: object, row: object) -> dict[str, float | None]:
    confidences = decode_json_column(dict, text, "sentence", row, "citations")
    if not all(value is None or isinstance(value, int | float) for value in confidences.values()):
        raise DamageError("sentence", row, f"citations contains a confidence that is not a number: {text!r:.60}")
    return confidences


def refuse_changed(store: Store) -> None:
    """An error for an answer whose sentences are not those that were imported."""
    for one in stored_answers(store):
        if answer_sha256(one.sentences) != one.sha256:
            raise StoreError(f"the answer of run {one.run} to topic {one.qid} differs from the imported answer")


def topic_ids_with_answers(store: Store) -> list[str]:
    """The qids of the topics that have answers which count, in the order the topics came."""
    qids = {qid for _, qid in answers_that_count(store).values()}
    return [qid for (qid,) in store.rows("SELECT qid FROM topic ORDER BY id") if qid in qids]
