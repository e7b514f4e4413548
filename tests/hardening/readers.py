"""Every reader of the program: what it is called, sound inputs for it, and the function that reads one.

The law for all of them: an input is read, or refused with an error of the data's fault, whose message is one line in
which nothing controls a terminal. What is read from files goes on into a store, from which it is taken back.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from cranfield.errors import CranfieldError
from cranfield.formats import Document, Topic, Votes
from cranfield.formats.table import FORMATS, formats_of
from cranfield.metrics.measure import Measure
from cranfield.metrics.trec_eval import Line
from cranfield.rankings import Qrels, Runs
from cranfield.store import Store, _scale
from tests.hardening import samples
from tests.hardening.commands import OF_STORES, a_file, by_command
from tests.hardening.samples import Samples, encoded

Read = Callable[[Path], Any]
Keep = Callable[[Any], object]
SCALE = {-2: "spam", -1: "off", 0: "no", 1: "yes", 2: "very", 3: "most"}


@dataclass(frozen=True)
class Reader:
    """A row of the table: sound inputs, what reads one, and what is done with it once it was read, if anything is.

    `inside` is where the input is looked for in a folder; `slow`: it takes its time, as whole commands do.
    """

    name: str
    samples: Samples
    read: Read
    keep: Keep | None = None
    inside: str = ""
    slow: bool = False


class Undone(Exception):  # noqa: N818 - nothing went wrong
    """Takes back what was added."""


@cache
def a_store() -> Store:
    """A small store in memory."""
    store = Store.memory("small", SCALE)
    store.add_documents([Document("s1", "wings", "lift of wings"), Document("s2", text="a text")])
    store.add_topics([Topic("s1", "lift"), Topic("s2", "drag")])
    return store


@contextmanager
def tried() -> Iterator[Store]:
    """A store that is as it was afterwards."""
    store = a_store()
    with suppress(Undone), store.writing():
        yield store
        raise Undone
    store.forget()


def corpus(format: str, path: Path) -> list[Document]:
    """All documents."""
    from cranfield.formats import read_corpus

    return list(read_corpus(path, format, note=str))


def keep_corpus(documents: list[Document]) -> object:
    """Store them."""
    with tried() as store:
        store.add_documents(documents)
        return list(store.documents())


def topics(format: str, path: Path) -> list[Topic]:
    """All topics."""
    from cranfield.formats import read_topics

    return read_topics(path, format, note=str)


def keep_topics(found: list[Topic]) -> object:
    """Store them."""
    with tried() as store:
        store.add_topics(found)
        return store.topics()


def run(format: str, path: Path) -> tuple[Runs, dict[str, Any]]:
    """A run with its header, and as it was submitted."""
    from cranfield.formats import read_metadata, read_runs
    from cranfield.formats.submitted import submitted

    runs, told = read_runs(path, format), read_metadata(path)
    submitted(path, runs.topics.names[runs.topic[:1]], runs.docnos.names[runs.document[:1]])
    return runs, told


def keep_run(found: tuple[Runs, dict[str, Any]]) -> object:
    """Store it."""
    from cranfield.formats import RunInfo
    from cranfield.formats.ir_metadata import description_of, header, team_of
    from cranfield.holdings import add_runs, run_info, stored_runs

    runs, told = found
    about = RunInfo(team_of(told), description=description_of(told), metadata=told)
    with tried() as store:
        _admit(store, runs.topics.names)
        add_runs(store, runs, {runs.tags[0]: about})
        return list(header(told)), run_info(store), stored_runs(store)


def _admit(store: Store, qids: Iterable[str]) -> None:
    insert = "INSERT INTO topic (qid, title) VALUES (?, '') ON CONFLICT DO NOTHING"
    store.conn.executemany(insert, [[qid] for qid in qids])


def qrels(format: str, path: Path) -> Qrels:
    """All judgments."""
    from cranfield.formats import read_qrels

    return read_qrels(path, format)


def keep_qrels(found: Qrels) -> object:
    """Score a run by them, and store them."""
    from cranfield.log import counted, import_qrels
    from cranfield.metrics.evaluate import evaluate

    evaluate({found.topics.names[0]: {"d1": 1.0}}, found, ["AP", "nDCG@10"])
    with tried() as store:
        _admit(store, found.topics.names)
        import_qrels(store, found, "nist", "import", set_aside=True)
        return counted(store)


def votes(format: str, path: Path) -> Votes:
    """All votes."""
    from cranfield.formats import read_votes

    return read_votes(path, format, assessor="ada")


def keep_votes(found: Votes) -> object:
    """Store them."""
    from cranfield.ballots import import_votes

    with tried() as store:
        _admit(store, (vote.qid for vote in found.votes if vote.qid))
        return str(import_votes(store, found, set_aside=True))


def text_of(path: Path) -> str:
    """What stands for a word of the command line."""
    return os.fsdecode(path.read_bytes().replace(b"\0", b"")[:100_000])


def of_text(read: Callable[[str], object]) -> Read:
    """The reader of a word of the command line."""
    return lambda path: read(text_of(path))


def teams(path: Path) -> object:
    """A teams file."""
    from cranfield.formats.teams import teams_and_pooled

    return teams_and_pooled(path)


def scores(path: Path) -> object:
    """A file of scores, over topics and by topic."""
    from cranfield.metrics.correlation.scorefile import read_scores, read_topic_scores

    with suppress(CranfieldError):
        read_scores(path)
    return read_topic_scores(path)


def recipe(path: Path) -> object:
    """A recipe, with its scale."""
    from cranfield.recipes import read_recipe

    found = read_recipe(str(path))
    grades = {int(grade): meaning for grade, meaning in found.data["grades"].items()}
    return found.bundled, _scale(grades, found.data.get("min_relevant", 1))


def manifest(path: Path) -> object:
    """The head in a manifest."""
    from cranfield.verification import published

    return published(path)


def guidelines(path: Path) -> object:
    """Guidelines for assessors."""
    from cranfield.formats.files import read_text

    return read_text(path)


def keep_guidelines(told: str) -> None:
    """Store them."""
    from cranfield.log import set_guidelines

    with tried() as store:
        set_guidelines(store, told)


def key_file(path: Path) -> object:
    """Keys for the commands of judging."""
    from cranfield.judging.keys import read_keys

    return read_keys(path)


def judging_lines(path: Path) -> None:
    """What is typed in line mode."""
    import io

    from cranfield.judging.plain import Plain
    from cranfield.judging.session import Session
    from tests.judging_cases import pool_of

    with tried() as store, io.TextIOWrapper(io.BytesIO(path.read_bytes()), "utf-8", "backslashreplace") as typed:
        session = Session(store, "ada", pool_of({"s1": ["s1", "s2"], "s2": ["s1"]}), clock=lambda: 0.0)
        Plain(session, typed, io.StringIO()).run()


def measure(text: str) -> Measure | None:
    """A measure in any notation."""
    from cranfield.metrics.measure import parse

    if ":" in text.partition("(")[0]:
        return None  # a module of one's own is loaded and run
    found = parse(text)
    assert parse(str(found)) == found, text
    return found


def keep_measure(found: Measure | None) -> object:
    """Its value."""
    from cranfield.metrics.evaluate import evaluate

    return found and evaluate({"q": {"d1": 2.0, "d2": 1.0}}, {"q": {"d1": 1, "d2": 0, "d3": 2}}, [str(found)])


def trec_eval_measure(text: str) -> list[Line]:
    """A measure as trec_eval names it."""
    from cranfield.metrics.trec_eval import lines_of

    return lines_of([text])


def keep_lines(lines: list[Line]) -> object:
    """Their values."""
    from cranfield.metrics.inputs import as_qrels, as_runs
    from cranfield.metrics.trec_eval import Settings, evaluation

    runs, judgments = as_runs({"q": {"d1": 2.0, "d2": 1.0}}), as_qrels({"q": {"d1": 1, "d2": 0, "d3": 2}})
    return list(evaluation(runs, judgments, lines, Settings()))


def trial(text: str) -> object:
    """A pooling method with its options."""
    from cranfield.pooling.methods.table import METHODS
    from cranfield.pooling.simulate.simulate import trial as parsed

    name, options = parsed(text)
    return METHODS[name].filled(options) if name in METHODS else None


def scale(text: str) -> object:
    """--scale."""
    from cranfield.commands.stores import parse_scale

    return _scale(parse_scale(text), 1)


def option(module: str, name: str, *first: object, listed: bool = False) -> Read:
    """The function that reads an option."""
    from importlib import import_module

    def read(text: str) -> object:
        found = getattr(import_module(f"cranfield.{module}"), name)([text] if listed else text, *first)
        return list(found) if isinstance(found, Iterator) else found

    return of_text(read)


KINDS: Mapping[str, tuple[Callable[[str, Path], Any], Keep]] = {
    "corpus": (corpus, keep_corpus), "topics": (topics, keep_topics), "run": (run, keep_run),
    "qrels": (qrels, keep_qrels), "votes": (votes, keep_votes),
}  # fmt: skip
INSIDE = {"corpus": "corpus.jsonl", "topics": "queries.jsonl"}
SCORES = encoded(
    samples.as_json(samples.SCORES),
    "run,AP,nDCG@10\na,0.5,0.25\nb,1,nan\n",
    "run\tquery_id\tAP\na\tq1\t0.5\na\tall\t0.5\n",
)
MEASURES = encoded(
    "AP", "AP(rel=2)@100", "nDCG@10", 'nDCG(gains="exp")@10', 'nDCG(gains="1=3,2=7")', "map_cut_100", "ndcg_cut.10",
    "RBP(p=0.8)", "ERR@20", "P(rel=2)@5", "nDCG(gains={0:0, 1:3})@5", "set_F.0.5", "Judged@10", "infAP", "INST(T=2)",
    "IPrec@0.1", "rbp.95", "F(beta=2)", "Bpref", "Q(beta=1)@20", "SetP(relative=True)", "BPM(T=1)@5",
)  # fmt: skip


def of_formats() -> Iterator[Reader]:
    """Two readers for each format: by its name, and found by its content."""
    sound = samples.of_formats()
    for kind in FORMATS:
        read, keep = KINDS[kind]
        for row in formats_of(kind):
            inside = INSIDE.get(kind, "") if row.name == "beir" else ""
            yield Reader(f"{kind} {row.name}", sound[kind, row.name], partial(read, row.name), keep, inside)
        every = tuple(file for (of, _), files in sound.items() if of == kind for file in files)
        yield Reader(f"{kind} auto", every, partial(read, "auto"), keep)


def of_files() -> Iterator[Reader]:
    """The readers of other files."""
    head = samples.as_json({"manifest": 1, "log": {"events": 3, "head": "00" * 32}})
    yield Reader("teams", encoded("run\tteam\tkind\tpooled\tdepth\nr\tx\tmanual\tno\t10\ns\ty\t\tyes\t\n"), teams)
    yield Reader("scores", SCORES, scores)
    yield Reader("recipe", (samples.RECIPE.encode(), samples.workshop("recipe.toml")), recipe)
    yield Reader("manifest", encoded(head), manifest)
    yield Reader("guidelines", encoded("Read it all.\n\nThen say — 1.\n"), guidelines, keep_guidelines)
    yield Reader("keys", encoded('undo = "z"\nlater = "w"\n'), key_file)
    yield Reader(
        "judging lines",
        encoded("1\n0\nu\ns\nx 1\nn a note\nm\n2\n", "e lift\n/ wing\nc new\nl 1\nN\nt\ng\nq\n"),
        judging_lines,
    )


def of_options() -> Iterator[Reader]:
    """The readers of options with a notation."""
    yield Reader("measure", MEASURES, of_text(measure), keep_measure)
    yield Reader(
        "trec_eval's measure",
        encoded("P.5,10", "map", "ndcg.1=3,2=9", "utility.2,-1,0,0", "rbp.p=0.8", "success_1"),
        of_text(trec_eval_measure),
        keep_lines,
    )
    yield Reader("--grades", encoded("1=4,2=3,-1=0"), option("commands.import_options", "parse_grades"))
    yield Reader(
        "--grades of votes",
        encoded("Relevant=1,Poor=0"),
        option("commands.import_options", "pairs", "--grades", True, listed=True),
    )
    yield Reader(
        "--field", encoded("text=story", "title="), option("commands.import_options", "named_fields", listed=True)
    )
    yield Reader("--scale", encoded("-1=spam,0=not relevant,1=relevant"), of_text(scale))
    yield Reader("--overlap", encoded("10%", "0.1"), option("judging.assign", "percentage"))
    yield Reader("--policy", encoded("median-low", "adjudicated-else-max"), option("judging.policies", "policy"))
    yield Reader("--simulate", encoded("strict:0.5", "oracle"), option("judging.simulated", "simulated"))
    yield Reader(
        "--method",
        encoded("stratified:bounds=10,30,rates=4,2,1", "maxmean:credit=arm", "depth", "rrf:c=60", "tail:k=5,rate=0.1"),
        of_text(trial),
    )
    yield Reader("terms", encoded("brake pads, squeal,, Squeal"), option("judging.terms", "highlighter"))


def of_commands() -> Iterator[Reader]:
    """The command line on files and on stores."""
    of = samples.of_formats()
    words = {
        "import corpus": ("import corpus STORE FILE", "corpus"),
        "import topics": ("import topics STORE FILE", "topics"),
        "import runs": ("import runs STORE FILE", "run"),
        "import qrels": ("import qrels STORE FILE", "qrels"),
        "import votes": ("import votes STORE FILE --assessor ada", "votes"),
        "evaluate": ("evaluate FILE RUN", "qrels"),
    }
    for name, (line, kind) in words.items():
        every = tuple(file for (of_kind, _), files in of.items() if of_kind == kind for file in files)
        yield Reader(f"command {name}", every, partial(by_command, [line]), slow=True)
    yield Reader("command correlate", SCORES, partial(by_command, ["correlate FILE"]), slow=True)
    yield Reader("store", (a_file("store"),), partial(by_command, OF_STORES), slow=True)
    yield Reader("bundle", (a_file("bundle"),), partial(by_command, ["import bundle STORE FILE"]), slow=True)


def table() -> dict[str, Reader]:
    """All readers by their names."""
    return {reader.name: reader for rows in (of_formats, of_files, of_options, of_commands) for reader in rows()}
