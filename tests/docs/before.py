"""What commands of the pages need that the page does not make: files of others, and a model that answers."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from unittest.mock import patch

import pytest

from cranfield.features.tasks.rules import rules_of
from cranfield.features.tasks.run_meta import RunMeta
from cranfield.features.tasks.sent_files import check_file
from cranfield.features.tasks.store import accept_terms, task_of
from cranfield.features.tasks.submissions import NewSubmission, accept, begin_file, keep_piece, submission_of
from cranfield.features.tasks.withdrawing import withdraw
from cranfield.pooling.stored.growth import build
from cranfield.pooling.stored.request import PoolRequest
from cranfield.store.links import append_item
from cranfield.store.store import Store, now
from tests.conftest import ROOT, SHARED, Cranfield
from tests.docs import expand
from tests.docs.shapes import leave, shapes
from tests.features.collecting.corpora import TOPICS, documents, judge, store_of
from tests.features.models.stand_in import Post, Response, embedding, reply

MODEL = "http://127.0.0.1:8000/v1"  # of the pages; a server of the tests stands in for it
ADAPTATIONS = {
    "run7": "a",
    "run8": "c",
    "--size 200": "--size 6",
    "--size 10": "--size 2",
    "--repeat 20": "--repeat 2",  # few documents
    "s3://bucket/": "",
    "~/.ssh/": "",
}
RECIPE = """name = "Mine"
min_relevant = 1
grades = { 0 = "no", 1 = "partly", 2 = "fully" }
corpus = [{ path = "corpus.jsonl.gz" }]
topics = [{ path = "topics.xml" }]
qrels = [{ path = "qrels.txt", assessor = "first", kind = "human" }]
"""


def folder(cranfield: Cranfield) -> None:
    Path("docs").mkdir()
    for name, text in {"brakes.md": "# Brakes\n\nWings and *drag*.", "wheels.txt": "Wheels\n\nDrag and wings."}.items():
        Path("docs", name).write_text(text)


def answer(request: Post, before: int) -> Response:
    """What a model says to each of our prompts: a label, labels of nuggets, nuggets, questions."""
    if "input" in request.json:
        return embedding(0.5, 1)
    if '"evasive"' in request.text:
        return reply(json.dumps([{"text": "What lifts?", "evasive": False}] * 3))
    ids = [line.split('"')[3] for line in request.text.splitlines() if line.startswith('{"id"')]
    if ids:
        return reply(json.dumps([{"id": one, "label": "support"} for one in ids]))
    line = re.search(r"^(.*\S): ?N$", request.text, re.MULTILINE)
    return reply(f"{line[1]}: 1" if line else json.dumps([{"text": "wings lift", "importance": "vital"}]))


def batch_answers(cranfield: Cranfield) -> None:
    """The provider's answers to the batch file."""
    requests = [json.loads(line) for line in Path("batch.jsonl").read_text().splitlines()]
    body = json.loads(answer(Post({}, json.dumps(requests[0]["body"]).encode()), 0).body)
    lines = [{"custom_id": one["custom_id"], "response": {"status_code": 200, "body": body}} for one in requests]
    Path("answers.jsonl").write_text("".join(json.dumps({**line, "error": None}) + "\n" for line in lines))


def download(cranfield: Cranfield) -> None:
    """What the page downloads before anything is judged."""
    content = Path("bob.html").read_text("utf-8").split('id="work">')[1].split("</script>")[0]
    Path("bob-1f0c22b7-100.jsonl").write_text(json.loads(content)["header"] + "\n")


def block(guide: str, name: str, cranfield: Cranfield) -> None:
    """The first file of TOML that a guide shows."""
    page = (ROOT / "docs" / "guides" / f"{guide}.md").read_text(encoding="utf-8")
    Path(name).write_text(page.split("```toml\n")[1].split("```")[0], encoding="utf-8")


def run(lines: Sequence[str], cranfield: Cranfield) -> None:
    """Commands that end well."""
    for line in lines:
        cranfield.out(*expand(line))


RAG = "import answers track.db answers/*", "answers nuggets import track.db nuggets.jsonl --assessor kim"
JUDGES = [f"import qrels track.db qwen.qrels --assessor {name} --kind model" for name in ("llama", "mistral")]


def pairs(cranfield: Cranfield) -> None:
    """Pairs of documents to compare."""
    Path("pairs.txt").write_text("1 d1 d3\n2 d2 d4\n")


def preferences(cranfield: Cranfield) -> None:
    Path("theirs.txt").write_text(Path("prefs.txt").read_text())
    Path("my.run").write_text(Path("a.run").read_text())


def keys(cranfield: Cranfield) -> None:
    """A key to sign with, and a file of allowed signers."""
    if shutil.which("ssh-keygen") is None:
        pytest.skip("needs ssh-keygen")
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "id_ed25519"], check=True)
    Path("allowed_signers").write_text(f"ada {Path('id_ed25519.pub').read_text()}")


def passages(cranfield: Cranfield) -> None:
    """Passages for what comes later, where sentences cannot be found."""
    if find_spec("sentencex") is None:
        cranfield("passages", "build", "track.db", "passages.db", "--by", "words")
        pytest.skip("needs sentencex")


def link_collection(folder: str, name: str) -> None:
    """A real collection, where it is; without it the command is left out."""
    if not (SHARED / folder).exists():
        pytest.skip(f"needs ../shared/data/{folder}, which is not here")
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).symlink_to(SHARED / folder)


def cacm(cranfield: Cranfield) -> None:
    link_collection("cacm", "downloads/cacm")


def cranfield1400(cranfield: Cranfield) -> None:
    """Cranfield 1400 as the archive has it; the small store takes its place afterwards."""
    Path("cranfield1400.db").rename("small.db")
    link_collection("cranfield1400/smart", "smart")


def small_again(cranfield: Cranfield) -> None:
    """What searches and reports are quick on."""
    Path("small.db").replace("cranfield1400.db")


def gate(cranfield: Cranfield) -> None:
    """The run of the release, one that is no worse, and the pooled runs; the files name them, as their tags are one."""
    Path("pool").mkdir(exist_ok=True)
    for name in ("baseline.run", "candidate.run"):
        Path(name).write_text(Path("bm25.run").read_text())
        Path("pool", name).write_text(Path("bm25.run").read_text())


def neural(cranfield: Cranfield) -> None:
    """A run that came after the pool: two of its documents are unjudged."""
    lines = [
        f"{qid} Q0 {docno} {rank} {9 - rank} wordllama\n" for qid in "12" for rank, docno in enumerate(("d9", "d1"), 1)
    ]
    Path("wordllama.run").write_text("".join(lines))
    Path("BM25R2").write_text("".join(lines).replace("wordllama", "BM25R2"))


def labelled_draw(cranfield: Cranfield) -> None:
    """A grade instead of the - in the last column of each line of the draw."""
    head, *lines = Path("wordllama.tsv").read_text().splitlines()
    Path("wordllama.tsv").write_text(
        "\n".join([head, *(line if line.startswith("#") else f"{line[:-1]}1" for line in lines), ""])
    )


def recipe(cranfield: Cranfield) -> None:
    """A recipe of one's own, and its files."""
    Path("NAME").write_text(RECIPE)
    Path("DIR").symlink_to(".")


@contextmanager
def vaswani() -> Iterator[None]:
    """A small collection in the place of the one that ir_datasets would download."""
    ir_datasets = pytest.importorskip("ir_datasets", reason="needs ir_datasets")
    formats = ir_datasets.formats

    class Docs(formats.BaseDocs):  # type: ignore[misc,name-defined]
        def docs_iter(self) -> Iterator[object]:
            yield formats.GenericDoc("1", "compact memories have flexible capacities")

        def docs_cls(self) -> type:
            return formats.GenericDoc  # type: ignore[no-any-return]

    class Queries(formats.BaseQueries):  # type: ignore[misc,name-defined]
        def queries_iter(self) -> Iterator[object]:
            yield formats.GenericQuery("1", "memories")

        def queries_cls(self) -> type:
            return formats.GenericQuery  # type: ignore[no-any-return]

    class Qrels(formats.BaseQrels):  # type: ignore[misc,name-defined]
        def qrels_iter(self) -> Iterator[object]:
            yield formats.TrecQrel("1", "1", 1, "0")

        def qrels_cls(self) -> type:
            return formats.TrecQrel  # type: ignore[no-any-return]

        def qrels_defs(self) -> dict[int, str]:
            return {1: "relevant"}

    small = ir_datasets.Dataset(Docs(), Queries(), Qrels())
    with patch.dict(ir_datasets.registry._registered, {"vaswani": small}):
        yield


def submitted(store: Store, tag: str) -> Mapping[str, object]:
    """The receipt of a run that team cuni submits."""
    accept_terms(store, "cuni", task_of(store).terms)
    content = Path("bm25.run").read_bytes().replace(b"bm25", tag.encode())
    run, file = check_file(f"{tag}.run", rules_of(store, "cuni"), content=content)
    upload = begin_file(store)
    keep_piece(store, upload, content)
    return accept(store, NewSubmission("cuni", run, file, RunMeta(), upload, now()))


def submit(cranfield: Cranfield) -> None:
    """A run that a team submitted, and its receipt; the run that the organiser did not withdraw is gone."""
    with Store.open("track.db") as store:
        withdraw(store, "cuni", "bm25")
        Path("bm25.receipt.json").write_text(json.dumps(submitted(store, "cuni1")))


def request_withdrawal(cranfield: Cranfield) -> None:
    """A run whose withdrawal a team asks for, as after the close."""
    with Store.open("track.db") as store:
        submitted(store, "bm25")
        number = submission_of(store, "cuni", "bm25").number
        with store.writing():
            append_item(store, "withdrawal_request", submission=number, kind="asked", reason="a bug in the stemmer")


def later(cranfield: Cranfield) -> None:
    """What the second year brings: a set of topics, new names, runs and judgments."""
    Path("dev.txt").write_text("1\n")
    Path("renamed.tsv").write_text("d5\te5\n")
    Path("more.tsv").write_text("9\twing flutter\n")
    Path("second").mkdir()
    for tag in ("a", "bm25"):
        Path(f"second/{tag}.run").write_text(Path(f"{tag}.run").read_text().replace("d5", "e5").replace("d4", "d6"))
    Path("late.run").write_text(Path("late.run").read_text().replace("d4", "d7"))  # which nobody has judged
    Path("second/qrels.txt").write_text(Path("qrels.txt").read_text() + "1 0 d6 1\n2 0 d6 0\n")


def next_round(cranfield: Cranfield) -> None:
    """What another round of a task has: topics, new names, dates."""
    Path("topics2.txt").write_text("1\n2\n")
    Path("corpus2.jsonl").write_text('{"_id": "d90", "text": "flutter of wings"}\n')
    Path("topics2.jsonl").write_text('{"_id": "90", "text": "flutter"}\n')
    Path("renamed.tsv").write_text("old\tnew\nd5\te5\n")
    Path("task2.toml").write_text(Path("task.toml").read_text())


def learnt(cranfield: Cranfield) -> None:
    """A store with a judged pool by active learning, and a run that is not in it."""
    path = Path("own.db")
    if path.exists():
        return
    docnos = [one.docno for one in documents()][::3]
    lines = [f"{qid} Q0 {docno} {rank} {-rank} rm3\n" for qid in TOPICS for rank, docno in enumerate(docnos)]
    Path("rm3.run").write_text("".join(lines))
    with store_of(path) as store:
        build(store, PoolRequest("cal", 20, 12, seed=1, options={"first": 4}, runs=("poor",)))
        judge(store)
    assert cranfield("import", "runs", path, "rm3.run").code == 0


BEFORE: Mapping[tuple[str, str], Callable[[Cranfield], None]] = {  # by page, and how a command starts
    ("adjudicator", "adjudicate"): partial(run, ["import votes track.db votes.csv"]),
    ("assessor", "answers nuggets make"): partial(run, RAG),
    ("ci", "compare qrels.txt baseline.run"): gate,
    ("builder", "import corpus mine.db docs"): folder,
    ("data", "collection build"): cacm,
    ("data", "compare scores/"): leave,
    ("data", "evaluate qrels.txt runs/"): shapes,
    ("data", "passages build"): passages,
    ("fair", "diagnose qrels.txt runs/*.run wordllama.run -m AP,nDCG@10"): neural,
    ("fair", "diagnose qrels.txt runs/*.run wordllama.run -m AP,nDCG@10 --drawn"): labelled_draw,
    ("fair", "diagnose own.db rm3"): learnt,
    ("living", "topics set"): later,
    ("known-collections", "collection build"): cranfield1400,
    ("known-collections", "search cranfield1400.db"): small_again,
    ("models", "model assess import"): batch_answers,
    ("models", "answers nuggets make"): partial(run, RAG),
    ("models", "store labels"): partial(run, ["import qrels track.db qwen.qrels --assessor panel --kind model"]),
    ("models", "model panel"): partial(run, JUDGES),
    ("organiser", "export page"): partial(run, ["pool build track.db --depth 3"]),
    ("organiser", "import bundle track.db bob-"): download,
    ("organiser", "judge track.db --pairs adjacent"): pairs,
    ("organiser", "trec-eval -R prefs"): preferences,
    ("publish", "publish describe track.db --from"): partial(block, "publish", "description.toml"),
    ("publish", "publish build track.db published --replace --sign"): keys,
    ("rag", "answers rubrics import"): partial(block, "rag", "rubrics.toml"),
    ("recipes", "collection build"): recipe,
    ("sql", "store erase"): partial(run, ["assessor invite workshop.db ada"]),
    ("task", "task describe track.db task.toml"): partial(block, "task", "task.toml"),
    ("task", "task decide"): request_withdrawal,
    ("task", "task submissions"): submit,
    ("task", "round close"): next_round,
}


def prepare(page: str, line: str, cranfield: Cranfield) -> None:
    """Make what a command of a page needs."""
    for (name, start), make in BEFORE.items():
        if page.endswith(f"{name}.md") and line.startswith(f"cranfield {start}"):
            make(cranfield)
