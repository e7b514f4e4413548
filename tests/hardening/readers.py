"""Every reader of the program: what it is called, sound inputs for it, and the function that reads one.

The law for all of them: an input is read, or refused with an error of the data's fault, whose message is one line in
which nothing controls a terminal. What is read from files goes on into a store, from which it is taken back.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from cranfield.features.collecting import systems
from cranfield.features.online.own_measures import declared_measures
from cranfield.features.tasks.description import TEMPLATE
from cranfield.features.tasks.submissions import RECEIPT, accepted_link
from cranfield.formats.table import FORMATS, formats_of
from tests.hardening import models, samples
from tests.hardening.commands import OF_STORES, a_file, by_command, with_word
from tests.hardening.reading import (
    Read,
    answers,
    as_submitted,
    claims,
    corpus,
    description,
    document_shown,
    guidelines,
    judged,
    judging_lines,
    keep_answers,
    keep_claims,
    keep_corpus,
    keep_description,
    keep_found,
    keep_guidelines,
    keep_log,
    keep_nuggets,
    keep_preferences,
    keep_qrels,
    keep_run,
    keep_topics,
    keep_votes,
    key_file,
    log,
    manifest,
    nuggets,
    preferences,
    published_collection,
    published_description,
    published_log,
    qrels,
    receipt,
    recipe,
    rubrics,
    run,
    scores,
    search_corpus,
    system,
    task,
    teams,
    topics,
    votes,
)
from tests.hardening.samples import Samples, encode
from tests.hardening.wording import (
    fields,
    keep_lines,
    keep_measure,
    measure,
    of_text,
    option,
    scale,
    text_of,
    trec_eval_measure,
    trial,
)

Keep = Callable[[Any], object]


PRESETS = Path(systems.__path__[0], "presets")


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


KINDS: Mapping[str, tuple[Callable[[str, Path], Any], Keep]] = {
    "corpus": (corpus, keep_corpus), "topics": (topics, keep_topics), "run": (run, keep_run),
    "qrels": (qrels, keep_qrels), "votes": (votes, keep_votes), "preferences": (preferences, keep_preferences),
    "answers": (answers, keep_answers), "nuggets": (nuggets, keep_nuggets),
    "log": (log, keep_log),
}  # fmt: skip
INSIDE = {
    ("corpus", "beir"): "corpus.jsonl", ("topics", "beir"): "queries.jsonl", ("corpus", "folder"): "d.txt"
}  # fmt: skip
SCORES = encode(
    samples.as_json(samples.SCORES),
    "run,AP,nDCG@10\na,0.5,0.25\nb,1,nan\n",
    "run\tquery_id\tAP\na\tq1\t0.5\na\tall\t0.5\n",
    '{"run_id": "a", "topic_id": "q1", "measure": "AP", "value": 0.5}\n'
    '{"run_id": "a", "topic_id": "all", "measure": "AP", "value": 0.5}\n',
)
MEASURES = encode(
    "AP", "AP(rel=2)@100", "nDCG@10", 'nDCG(gains="exp")@10', 'nDCG(gains="1=3,2=7")', "map_cut_100", "ndcg_cut.10",
    "RBP(p=0.8)", "ERR@20", "P(rel=2)@5", "nDCG(gains={0:0, 1:3})@5", "set_F.0.5", "Judged@10", "infAP", "INST(T=2)",
    "IPrec@0.1", "rbp.95", "F(beta=2)", "Bpref", "Q(beta=1)@20", "SetP(relative=True)", "BPM(T=1)@5",
)  # fmt: skip


WORDS = (
    "0,1,2", "50,100", "maxmean:credit=arm", "ada", "depth", "k=5", "policy:primary", "q1=eve", "q1", "d1", "r1", "1",
    "10%", "median-low", "strict:0.5", "bm25", "AP", "nDCG@10", "grade=label", "1=1,0=0", "workshop", "info", "qrels",
    "t.db",
)  # fmt: skip


def of_formats() -> Iterator[Reader]:
    """Two readers for each format: by its name, and found by its content."""
    sound = samples.of_formats()
    for kind in FORMATS:
        read, keep = KINDS[kind]
        for row in formats_of(kind):
            inside = INSIDE.get((kind, row.name), "")
            yield Reader(f"{kind} {row.name}", sound[kind, row.name], partial(read, row.name), keep, inside)
        every = tuple(file for (of, _), files in sound.items() if of == kind for file in files)
        yield Reader(f"{kind} auto", every, partial(read, "auto"), keep)


def of_files() -> Iterator[Reader]:
    head = samples.as_json({"manifest": 1, "log": {"events": 3, "head": "00" * 32}})
    yield Reader("teams", encode("run\tteam\tkind\tpooled\tdepth\nr\tx\tmanual\tno\t10\ns\ty\t\tyes\t\n"), teams)
    yield Reader("scores", SCORES, scores)
    yield Reader("description", (samples.DESCRIPTION.encode(),), description, keep_description)
    yield Reader(
        "rubrics", encode('["q1"]\nquestions = ["Is it right?", {question = "Short?", weight = 2}]\n'), rubrics
    )
    yield Reader("claims", encode(samples.CLAIMS), claims, keep_claims)
    yield Reader("recipe", (samples.RECIPE.encode(), samples.workshop("recipe.toml")), recipe)
    yield Reader("system", tuple(path.read_bytes() for path in sorted(PRESETS.glob("*.toml"))), system)
    yield Reader("task", encode(TEMPLATE), task)
    yield Reader(
        "own measures",
        encode(
            '[Revenue]\nnumerator = "value"\ndenominator = "users"\nunit = "EUR"\nfilter = {device = "phone"}\n',
            '[Clicks]\nnumerator = "clicks"\nbetter = "less"\n',
        ),
        declared_measures,
    )
    fields = dict.fromkeys(RECEIPT, "x")
    yield Reader("receipt", encode(samples.as_json({**fields, "hash": accepted_link(fields)})), receipt)
    yield Reader("prompt", encode(*models.sound_prompts()), models.prompt)
    yield Reader("model answer", encode(*models.ANSWERS), models.answer)
    yield Reader("model answers left", encode(models.LEFT), models.journal)
    yield Reader("model batch", encode(models.batch_answer()), models.batch)
    yield Reader("model parameters", encode(*models.PARAMETERS), models.parameters)
    yield Reader("manifest", encode(head), manifest)
    yield Reader("published collection", encode(samples.as_json(samples.PUBLISHED)), published_collection)
    yield Reader("published log", encode(samples.as_json(samples.PUBLISHED_LOG)), published_log)
    yield Reader("published description", encode(samples.as_json(samples.ZENODO)), published_description)
    yield Reader("guidelines", encode("Read it all.\n\nThen say — 1.\n"), guidelines, keep_guidelines)
    yield Reader("keys", encode('undo = "z"\nlater = "w"\n'), key_file)
    yield Reader(
        "judging lines",
        encode("1\n0\nu\ns\nx 1\nn a note\nm\n2\n", "e lift\n/ wing\nc new\nl 1\nN\nt\ng\nq\n"),
        judging_lines,
    )


def of_texts() -> Iterator[Reader]:
    """What is done with texts that were read."""
    yield Reader("searched corpus", samples.of_formats()["corpus", "jsonl"], search_corpus, keep_found)
    yield Reader("run as submitted", samples.of_formats()["run", "trec"], as_submitted)
    yield Reader("run judged", encode(samples.RUN, samples.RUNS), judged)
    yield Reader(
        "document shown", encode(samples.CORPUS_TREC, samples.CORPUS_SMART, "lift of wings\n" * 40), document_shown
    )


def of_options() -> Iterator[Reader]:
    yield Reader("measure", MEASURES, of_text(measure), keep_measure)
    yield Reader(
        "trec_eval's measure",
        encode("P.5,10", "map", "ndcg.1=3,2=9", "utility.2,-1,0,0", "rbp.p=0.8", "success_1"),
        of_text(trec_eval_measure),
        keep_lines,
    )
    yield Reader("--grades", encode("1=4,2=3,-1=0"), option("options.imports", "parse_grades"))
    yield Reader(
        "--grades of votes",
        encode("Relevant=1,Poor=0"),
        option("options.imports", "parse_vote_grades"),
    )
    yield Reader("--field", encode("text=story", "title="), of_text(fields))
    yield Reader("--scale", encode("-1=spam,0=not relevant,1=relevant"), of_text(scale))
    yield Reader("--overlap", encode("10%", "0.1"), option("judging.planning.assign", "parse_percentage"))
    yield Reader(
        "--policy", encode("median-low", "adjudicated-else-max"), option("judging.labels.policies", "find_policy")
    )
    yield Reader("--simulate", encode("strict:0.5", "oracle"), option("judging.planning.rehearsal", "assessor_named"))
    yield Reader(
        "--method",
        encode("stratified:bounds=10,30,rates=4,2,1", "maxmean:credit=arm", "depth", "rrf:c=60", "tail:k=5,rate=0.1"),
        of_text(trial),
    )
    yield Reader("terms", encode("brake pads, squeal,, Squeal"), option("judging.session.view", "term_highlighter"))


def of_commands() -> Iterator[Reader]:
    """The command line on files and on stores."""
    of = samples.of_formats()
    words = {
        "import corpus": ("import corpus STORE FILE", "corpus"),
        "import topics": ("import topics STORE FILE", "topics"),
        "import runs": ("import runs STORE FILE", "run"),
        "import qrels": ("import qrels STORE FILE", "qrels"),
        "import preferences": ("import preferences STORE FILE", "preferences"),
        "import votes": ("import votes STORE FILE --assessor ada", "votes"),
        "answers nuggets import": ("answers nuggets import STORE FILE --assessor ada", "nuggets"),
        "import answers": ("import answers STORE FILE", "answers"),
        "evaluate": ("evaluate FILE RUN", "qrels"),
    }
    for name, (line, kind) in words.items():
        every = tuple(file for (of_kind, _), files in of.items() if of_kind == kind for file in files)
        yield Reader(f"command {name}", every, partial(by_command, [line]), slow=True)
    yield Reader("command correlate", SCORES, partial(by_command, ["correlate FILE"]), slow=True)
    yield Reader("words of commands", encode(*WORDS), lambda path: with_word(text_of(path), path.parent), slow=True)
    yield Reader("store", (a_file("store"),), partial(by_command, OF_STORES), slow=True)
    yield Reader("bundle", (a_file("bundle"),), partial(by_command, ["import bundle STORE FILE"]), slow=True)


def table() -> dict[str, Reader]:
    return {
        reader.name: reader for rows in (of_formats, of_files, of_texts, of_options, of_commands) for reader in rows()
    }
