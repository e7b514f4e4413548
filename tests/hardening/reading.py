"""How each kind of input is read here, and what is done with it once it was read."""

import io
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from cranfield.arrays.rankings import Qrels, Runs
from cranfield.errors import CranfieldError, InputError
from cranfield.features.answers.formats.nuggets import PlainClaims
from cranfield.formats import Answers, Document, PlainNugget, PreferenceLine, Topic, Votes
from cranfield.store.store import Store, _scale
from tests.stores import new_store

Read = Callable[[Path], Any]
SCALE = {-2: "spam", -1: "off", 0: "no", 1: "yes", 2: "very", 3: "most"}


class Undone(Exception):  # noqa: N818 - nothing went wrong
    """Takes back what was added."""


@cache
def a_store() -> Store:
    """A small store in memory."""
    documents = [Document("s1", "wings", "lift of wings"), Document("s2", text="a text")]
    return new_store(grades=SCALE, documents=documents, topics={"s1": "lift", "s2": "drag"})


@contextmanager
def scratch() -> Iterator[Store]:
    store = a_store()
    with suppress(Undone), store.writing():
        yield store
        raise Undone
    store.forget()


def corpus(format: str, path: Path) -> list[Document]:
    from cranfield.formats import read_corpus

    return list(read_corpus(path, format=format, note=str))


def keep_corpus(documents: list[Document]) -> object:
    with scratch() as store:
        store.add_documents(documents)
        return list(store.documents())


def topics(format: str, path: Path) -> list[Topic]:
    from cranfield.formats import read_topics

    return read_topics(path, format=format, note=str)


def keep_topics(topics: list[Topic]) -> object:
    with scratch() as store:
        store.add_topics(topics)
        return store.topics()


def run(format: str, path: Path) -> tuple[Runs, dict[str, Any]]:
    from cranfield.formats import read_metadata, read_runs

    return read_runs(path, format), read_metadata(path)


def as_submitted(path: Path) -> object:
    """The places of lines and the ranks of a run."""
    from cranfield.formats import read_runs
    from cranfield.formats.runs.submitted_lines import submitted_lines

    runs = read_runs(path)
    return submitted_lines(path, runs.topics.names[runs.topic], runs.docnos.names[runs.document])


JUDGED = {qid: {"d1": 2, "d2": 0, "d3": 1, "é": 1} for qid in ("q1", "q2", "1")}


def judged(path: Path) -> object:
    """What judgments need of a run, the same with the compiled scanner as without it."""
    from cranfield.formats.runs import SCANNER_SWITCH

    outcomes = list[object]()
    for off in ("", "1"):
        with patch.dict(os.environ, {SCANNER_SWITCH: off}):
            outcomes.append(_judged(path))
    quickly, slowly = outcomes
    assert str(quickly) == str(slowly), f"{quickly} and not {slowly}"
    if isinstance(quickly, InputError):
        raise quickly
    return quickly


def _judged(path: Path) -> object:
    from cranfield.arrays.join import Judgments
    from cranfield.formats import each_run
    from cranfield.metrics.inputs import as_qrels

    judgments = Judgments(as_qrels(JUDGED))
    try:
        judged = judgments.meet(*each_run(path, judgments))
    except InputError as error:
        return error
    columns = (judged.ranking, judged.rank, judged.grade, judged.judgment, judged.retrieved)
    return judged.tags, judged.unmet.qids, [column.tolist() for column in columns]


def keep_run(run: tuple[Runs, dict[str, Any]]) -> object:
    from cranfield.formats import RunInfo
    from cranfield.formats.runs.files import description_of, header, team_of
    from cranfield.store.runs import add_runs, run_info, stored_runs

    runs, metadata = run
    about = RunInfo(team_of(metadata), description=description_of(metadata), metadata=metadata)
    with scratch() as store:
        _admit(store, runs.topics.names)
        add_runs(store, runs, {runs.tags[0]: about})
        return list(header(metadata)), run_info(store), stored_runs(store)


def _admit(store: Store, qids: Iterable[str]) -> None:
    store.conn.executemany("INSERT OR IGNORE INTO topic (qid, title) VALUES (?, '')", [[qid] for qid in qids])


def qrels(format: str, path: Path) -> Qrels:
    from cranfield.formats import read_qrels

    return read_qrels(path, format=format)


def keep_qrels(qrels: Qrels) -> object:
    """Score a run by them, and store them."""
    from cranfield.metrics.evaluate import evaluate
    from cranfield.store.qrels import import_qrels, labels_that_count

    evaluate(qrels, {qrels.topics.names[0]: {"d1": 1.0}}, ["AP", "nDCG@10"])
    with scratch() as store:
        _admit(store, qrels.topics.names)
        return import_qrels(store, qrels, "nist", "import", set_aside=True), labels_that_count(store)


def votes(format: str, path: Path) -> Votes:
    from cranfield.formats import read_votes

    try:
        return read_votes(path, format)
    except InputError:  # the file may not name its assessors
        return read_votes(path, format, assessor="ada")


def keep_votes(votes: Votes) -> object:
    from cranfield.store.votes import import_votes

    with scratch() as store:
        _admit(store, (vote.qid for vote in votes.votes if vote.qid))
        return str(import_votes(store, votes, set_aside=True))


def preferences(format: str, path: Path) -> list[PreferenceLine]:
    from cranfield.formats import read_preferences

    return read_preferences(path, format)


def keep_preferences(lines: list[PreferenceLine]) -> object:
    """Score a run by them."""
    from cranfield.metrics.preferences import MEASURES, scores

    return list(scores(lines, {lines[0].qid: ["d2", "d1"]}, list(MEASURES)))


def answers(format: str, path: Path) -> Answers:
    from cranfield.formats import read_answers

    return read_answers([path], format)


def keep_answers(answers: Answers) -> None:
    """Store them, and write them in the format that has a place for everything."""
    from cranfield.features.answers.formats.answers import write_ragtime
    from cranfield.features.answers.store.answers import add_answers, answers_to_write

    with scratch() as store, TemporaryDirectory() as folder:
        _admit(store, (answer.qid for answer in answers.answers))
        add_answers(store, answers.answers, places=answers.places)
        write_ragtime(Path(folder, "out"), answers_to_write(store))


def log(format: str, path: Path) -> Path:
    """The file, once all of it was read."""
    from cranfield.features.online.formats.reading import read_logs

    for _ in read_logs([path], format):
        pass
    return path


def keep_log(path: Path) -> object:
    """Store what can be used of it, and read that."""
    from cranfield.features.online.store.read import interactions
    from cranfield.store import import_log

    with scratch() as store:
        import_log(store, [path], skip=True)
        return interactions(store).clicks.sum()


def nuggets(format: str, path: Path) -> list[PlainNugget]:
    from cranfield.formats import read_nuggets

    return read_nuggets(path, format)


def keep_nuggets(nuggets: list[PlainNugget]) -> object:
    """Store them without their labels, and give them back."""
    from cranfield.features.answers.store.imports import import_nuggets, nuggets_for_export

    with scratch() as store:
        _admit(store, (nugget.qid for nugget in nuggets))
        import_nuggets(store, [nugget._replace(labels=()) for nugget in nuggets], "ada")
        return nuggets_for_export(store, labels=True)


def claims(path: Path) -> list[PlainClaims]:
    from cranfield.features.answers.formats.nuggets import read_claims

    return read_claims(path)


def rubrics(path: Path) -> object:
    from cranfield.features.answers.formats.nuggets import read_rubrics

    return read_rubrics(path)


def keep_claims(claims: list[PlainClaims]) -> object:
    """Store those of reference answers, and give them back."""
    from cranfield.features.answers.store.labels import current_claims, import_claims

    with scratch() as store:
        _admit(store, (one.qid for one in claims))
        import_claims(store, [one._replace(run="") for one in claims], "ada")
        return current_claims(store)


def search_corpus(path: Path) -> list[Document]:
    """Documents, whose titles are looked for among them, too."""
    return corpus("jsonl", path)


def keep_found(documents: list[Document]) -> object:
    """Search them for their titles."""
    from cranfield.search.systems import search

    topics = [Topic(f"q{number}", each.title, each.text) for number, each in enumerate(documents)]
    with scratch() as store:
        store.add_documents(documents)
        return search(documents, topics, systems=["fts5", "bm25"], depth=10, fts=store.search)


def document_shown(path: Path) -> None:
    """A text as the document that is judged, and as its topic."""
    from cranfield.judging.frontends.plain import PlainJudging
    from cranfield.judging.session.session import Session
    from tests.judging.cases import pool_of

    text = path.read_bytes().decode("utf-8", "replace")
    keys = io.StringIO("t\nh\nH wing, l\n/ of\ne of\nd\n1\ni\n1\nl\nq\n")
    with scratch() as store:
        store.add_documents([Document("a", text[:1000], text), Document("b", text=text + "!")])
        store.add_topics([Topic("q", text[:1000], text, text)])
        PlainJudging(Session(store, "ada", pool_of({"q": ["a", "b"]}), clock=lambda: 0.0), keys, io.StringIO()).run()


def teams(path: Path) -> object:
    from cranfield.formats.runs.files import read_teams_and_pooled

    return read_teams_and_pooled(path)


def scores(path: Path) -> object:
    """A file of scores, over topics and by topic."""
    from cranfield.formats.score_files import read_scores, read_topic_scores

    with suppress(CranfieldError):
        read_scores(path)
    return read_topic_scores(path)


def description(path: Path) -> dict[str, Any]:
    from cranfield.features.publishing.describe import read_description

    return read_description(path)


def keep_description(description: dict[str, Any]) -> object:
    """Store it, and write it for an editor."""
    from cranfield.features.publishing.describe import describe, description_toml

    with scratch() as store:
        return description_toml(describe(store, description))


def system(path: Path) -> object:
    """A search engine outside, asked for runs."""
    from cranfield.features.collecting.systems.definition import read_system

    return read_system(path)


def task(path: Path) -> object:
    """The description of a shared task."""
    from cranfield.features.tasks.description import read_task

    return read_task(path)


def receipt(path: Path) -> object:
    from cranfield.features.tasks.archive import read_receipt

    return read_receipt(path)


def recipe(path: Path) -> object:
    from cranfield.analysis.recipes import read_recipe

    content = read_recipe(str(path))
    grades = {int(grade): meaning for grade, meaning in content.data["grades"].items()}
    return content.is_bundled, _scale(grades, content.data.get("min_relevant", 1))


def manifest(path: Path) -> object:
    from cranfield.store.verification import published_manifest

    return published_manifest(path)


def published_collection(path: Path) -> object:
    """What a published folder says of its collection."""
    from cranfield.features.publishing.collection import read_declaration
    from cranfield.features.publishing.manifest import PublishedFolder, digest_of
    from cranfield.features.publishing.parts import COLLECTION

    inside = path.rename(path.with_name(COLLECTION))
    return read_declaration(PublishedFolder(path.parent, {COLLECTION: digest_of(inside)}))


def published_log(path: Path) -> object:
    """What a published folder says of its log."""
    from cranfield.features.publishing.collection import state_of

    return state_of(path)


def published_description(path: Path) -> object:
    """What a published folder says to Zenodo."""
    from cranfield.features.publishing.checks import CheckedFolder
    from cranfield.features.publishing.citation import _json_of, zenodo_faults
    from cranfield.features.publishing.manifest import PublishedFolder

    return zenodo_faults(_json_of(CheckedFolder(path.parent, PublishedFolder(path.parent, {})), path.name))


def guidelines(path: Path) -> object:
    from cranfield.formats.files import read_text

    return read_text(path)


def keep_guidelines(text: str) -> None:
    from cranfield.store.log import set_guidelines

    with scratch() as store:
        set_guidelines(store, text)


def key_file(path: Path) -> object:
    """Keys for the commands of judging."""
    from cranfield.judging.frontends.keys import read_keys

    return read_keys(path)


def judging_lines(path: Path) -> None:
    """What is typed in line mode."""
    from cranfield.judging.frontends.plain import PlainJudging
    from cranfield.judging.session.session import Session
    from tests.judging.cases import pool_of

    with scratch() as store, io.TextIOWrapper(io.BytesIO(path.read_bytes()), "utf-8", "backslashreplace") as keys:
        session = Session(store, "ada", pool_of({"s1": ["s1", "s2"], "s2": ["s1"]}), clock=lambda: 0.0)
        PlainJudging(session, keys, io.StringIO()).run()
