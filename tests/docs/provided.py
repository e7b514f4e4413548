"""What the test of the pages' commands provides: files that a page names without making them, and a model."""

import gzip
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import pytest

from cranfield.features.tasks.rules import rules_of
from cranfield.features.tasks.run_meta import RunMeta
from cranfield.features.tasks.sent_files import check_file
from cranfield.features.tasks.store import accept_terms, task_of
from cranfield.features.tasks.submissions import NewSubmission, accept, begin_file, keep_piece, submission_of
from cranfield.features.tasks.withdrawing import withdraw
from cranfield.store.links import append_item
from cranfield.store.store import Store, now
from tests.conftest import ROOT, SHARED, Cranfield
from tests.docs import expand, shapes
from tests.features.models.stand_in import Post, Response, embedding, reply
from tests.files import qrels_lines

MODEL = "http://127.0.0.1:8000/v1"  # of the pages; a server of the tests stands in for it
ADAPTATIONS = {  # of a command as the page has it; they shorten the work or replace what only a reader has
    "cranfield serve": "cranfield serve --port 0",
    "s3://bucket/": "",
    "~/.ssh/": "",
}
Make = Callable[[Cranfield], None]


class Provided(NamedTuple):
    """A row of the table: before a page's command, files appear that the page tells how to get."""

    page: str
    command: str  # how it starts, after "cranfield "
    files: tuple[str, ...]  # that the function may write, or folders
    says: str  # the words on the page
    make: Make


def answer(request: Post, before: int) -> Response:
    """What a model says to each of our prompts: a label, labels of nuggets, nuggets, questions."""
    if "input" in request.json:
        return embedding(0.5, 1)
    if '"evasive"' in request.text:
        return reply(json.dumps([{"text": "What leaks?", "evasive": False}] * 3))
    ids = [line.split('"')[3] for line in request.text.splitlines() if line.startswith('{"id"')]
    if ids:
        return reply(json.dumps([{"id": one, "label": "support"} for one in ids]))
    line = re.search(r"^(.*\S): ?N$", request.text, re.MULTILINE)
    return reply(f"{line[1]}: 1" if line else json.dumps([{"text": "tubes leak", "importance": "vital"}]))


def checkout(cranfield: Cranfield) -> None:
    Path("collections").symlink_to(ROOT / "collections")


def own_files(cranfield: Cranfield) -> None:
    """Judgments, two runs, and a run outside the pool; the page then makes a store of its own."""
    Path("runs").mkdir()
    Path("qrels.txt").write_text(qrels_lines({qid: {"d1": 2, "d2": 0, "d3": 1} for qid in "12"}))
    for name, docnos in {
        "runs/a.run": "d1 d2",
        "runs/b.run": "d3 d1",
        "runs/c.run": "d2 d3",
        "new.run": "d4 d1",
    }.items():
        write_run(Path(name), docnos.split(), "12")


def write_run(path: Path, docnos: Sequence[str], qids: Sequence[str]) -> None:
    tag = path.name.partition(".")[0]
    rows = [f"{qid} Q0 {docno} {rank} {-rank} {tag}\n" for qid in qids for rank, docno in enumerate(docnos, 1)]
    path.write_text("".join(rows))


def demo(cranfield: Cranfield) -> None:
    cranfield.out("demo")


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


def run(lines: Sequence[str], cranfield: Cranfield) -> None:
    """Commands that end well."""
    for line in lines:
        cranfield.out(*expand(line))


def keys(cranfield: Cranfield) -> None:
    """A key to sign with, and a file of allowed signers."""
    if shutil.which("ssh-keygen") is None:
        pytest.skip("needs ssh-keygen")
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "id_ed25519"], check=True)
    Path("allowed_signers").write_text(f"ada {Path('id_ed25519.pub').read_text()}")


def link_collection(folder: str, name: str) -> None:
    """A real collection, where it is; without it the command is left out."""
    if not (SHARED / folder).exists():
        pytest.skip(f"needs ../shared/data/{folder}, which is not here")
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).symlink_to(SHARED / folder)


def treccovid(new: str, cranfield: Cranfield) -> None:
    """Three runs of three teams, in place of the runs of TREC-COVID."""
    Path("runs").mkdir(exist_ok=True)
    for path in Path("runs").iterdir():
        path.unlink()
    docnos = [f"d{number}" for number in range(30)]
    for number, tag in enumerate("abc"):
        write_run(Path("runs") / tag, docnos[number:] + docnos[:number], "12")
    write_run(Path(new), docnos[20:] + docnos[:2], "12")
    judged = {docno: number % 2 for number, docno in enumerate(docnos[:12])}
    Path("qrels-rnd1.txt").write_text(qrels_lines(dict.fromkeys("12", judged)).replace("1 0 d1 1", "1 0.5 d1 1"))
    teams = "run\tteam\tpooled\na\tx\tyes\nb\ty\tyes\nc\tz\tyes\nBM25R2\tnew\tno\n"
    Path("teams.tsv").write_text(teams)


def robust(cranfield: Cranfield) -> None:
    treccovid("runs/BM25R2", cranfield)
    shutil.copyfile("qrels-rnd1.txt", "qrels.robust03.txt")


RECIPE = """name = "Mine"
min_relevant = 1
grades = { 0 = "no", 1 = "partly", 2 = "fully" }
corpus = [{ path = "corpus.jsonl.gz" }]
topics = [{ path = "topics.jsonl" }]
qrels = [{ path = "qrels.txt", assessor = "first", kind = "human" }]
"""


def recipe(cranfield: Cranfield) -> None:
    """A recipe of one's own, and its files."""
    Path("NAME").write_text(RECIPE)
    Path("DIR").mkdir()
    lines = "".join(f'{{"_id": "d{n}", "text": "wing{n} lift"}}\n' for n in range(1, 4))
    Path("DIR/corpus.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    Path("DIR/topics.jsonl").write_text('{"_id": "1", "text": "wings"}\n')
    Path("DIR/qrels.txt").write_text("1 0 d1 1\n")


def sentences(cranfield: Cranfield) -> None:
    if find_spec("sentencex") is None:
        pytest.skip("needs sentencex")


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
    content = gzip.decompress(Path("runs/bm25.gz").read_bytes()).replace(b" bm25\n", f" {tag}\n".encode())
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


PROVIDED = (
    Provided("README.md", "evaluate qrels.txt", ("qrels.txt", "runs", "new.run"), "# your files:", own_files),
    Provided(
        "README.md",
        "import corpus track.db",
        ("collections",),
        "In a checkout, you can run the commands below without changes, because they use the bundled",
        checkout,
    ),
    Provided(
        "start/build.md", "import corpus track.db", ("collections",), "You need a checkout of the repository", checkout
    ),
    Provided(
        "start/fair.md",
        "diagnose qrels-rnd1.txt",
        ("qrels-rnd1.txt", "runs", "BM25R2", "teams.tsv"),
        "Download the files `qrels-rnd1.txt` and `leaderboard.csv` and the folder `runs` from the",
        partial(treccovid, "BM25R2"),
    ),
    Provided(
        "build/data.md",
        "import collection scifact.db",
        ("scifact",),
        "`scifact` is a folder that BEIR publishes",
        shapes.write_beir,
    ),
    Provided(
        "build/data.md",
        "import collection nfcorpus.db",
        ("nfcorpus",),
        "`hf download --repo-type dataset` downloads",
        shapes.write_hugging_face,
    ),
    Provided(
        "build/data.md",
        "init marco.db",
        ("collection.tsv", "queries.dev.tsv", "qrels.dev.tsv", "run.dev.tsv"),
        "Download these files from MS MARCO's site",
        shapes.write_msmarco,
    ),
    Provided(
        "build/data.md",
        "init mine.db",
        ("documents.parquet", "questions.csv", "systems.parquet", "labels.csv"),
        "your own tables",
        shapes.write_own_tables,
    ),
    Provided(
        "build/data.md",
        "evaluate qrels.txt reranked.jsonl",
        ("reranked.jsonl", "predictions.json"),
        "which rank_llm wrote, and `predictions.json`, which MTEB wrote",
        shapes.write_outputs,
    ),
    Provided(
        "build/data.md",
        "compare scores/",
        ("scores", "results"),
        "the output of `trec_eval -q` for one or several runs, or MTEB's results",
        shapes.write_scores,
    ),
    Provided(
        "build/data.md",
        "collection build",
        ("downloads",),
        "Download CACM's files from the University of Glasgow",
        lambda _: link_collection("cacm", "downloads/cacm"),
    ),
    Provided(
        "build/recipes.md",
        "collection build",
        ("NAME", "DIR"),
        "You need the collection's files in a folder, and a recipe",
        recipe,
    ),
    Provided(
        "judge/judge.md",
        "judge ada.db",
        ("ada.db", "track.db"),
        "The organiser gives you a store of your own",
        partial(run, ["assign track.db --assessor ada", "export bundle track.db ada.db --assessor ada"]),
    ),
    Provided(
        "judge/models.md", "model assess import", ("answers.jsonl",), "import the file with the answers", batch_answers
    ),
    Provided(
        "judge/organise.md",
        "import bundle track.db bob-",
        ("bob-1f0c22b7-100.jsonl",),
        "ask the assessor to send you a download",
        download,
    ),
    Provided(
        "share/publish.md",
        "publish build track.db published --replace --sign",
        ("id_ed25519", "id_ed25519.pub", "allowed_signers"),
        "takes a public key, a file with several public keys, or an allowed_signers file",
        keys,
    ),
    Provided(
        "share/task.md",
        "task decide track.db cuni bm25 --grant",
        ("track.db",),
        "The team must therefore request the withdrawal and give a reason",
        request_withdrawal,
    ),
    Provided(
        "share/task.md",
        "task decide track.db cuni bm25 --refuse",
        ("track.db",),
        "The team must therefore request the withdrawal and give a reason",
        request_withdrawal,
    ),
    Provided("share/task.md", "task submissions", ("track.db", "bm25.receipt.json"), "--receipt", submit),
    Provided("explanation/gallery.md", "report workshop.db", ("workshop.db",), "run `cranfield demo`", demo),
    Provided("explanation/verdict.md", "reusability workshop.db", ("workshop.db",), "`cranfield demo`", demo),
    Provided(
        "explanation/verdict.md",
        "reusability qrels-rnd1.txt",
        ("qrels-rnd1.txt", "runs", "teams.tsv"),
        "The files are public",
        partial(treccovid, "runs/BM25R2"),
    ),
    Provided(
        "explanation/known-collections.md",
        "reusability qrels-rnd1.txt",
        ("qrels-rnd1.txt", "runs", "teams.tsv"),
        "Runs and judgments are public",
        partial(treccovid, "runs/BM25R2"),
    ),
    Provided(
        "explanation/known-collections.md",
        "reusability qrels.robust03.txt",
        ("qrels.robust03.txt", "runs"),
        "They come from `joaopalotti/trectools`",
        robust,
    ),
    Provided(
        "explanation/known-collections.md",
        "collection build",
        ("smart",),
        "come from Glasgow",
        lambda _: link_collection("cranfield1400/smart", "smart"),
    ),
    Provided("reference/methods.md", "pool build", ("workshop.db",), "`cranfield demo`", demo),
    Provided("reference/store.md", "info", ("workshop.db",), "`cranfield demo`", demo),
)


def provide(line: str, rows: Sequence[Provided], cranfield: Cranfield) -> list[Provided]:
    """Make what rows of the table provide for a command, and nothing else. Returns the rows for later commands."""
    left = []
    for row in rows:
        if not line.startswith(f"cranfield {row.command}"):
            left.append(row)
        else:
            before = contents(Path())
            row.make(cranfield)
            after = contents(Path())
            changed = {path for path in {*before, *after} if before.get(path) != after.get(path)}
            others = [path for path in changed if not is_named(path, row.files)]
            assert others == [], f"{row} also writes {others}"
    return left


def contents(folder: Path) -> dict[str, str]:
    """The hash of each file of a folder, without the journals of open stores."""
    return {
        str(path): sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        for path in folder.rglob("*")
        if not path.name.endswith(("-wal", "-shm"))
    }


def is_named(path: str, files: Sequence[str]) -> bool:
    """Return whether a path is a file of these, is in a folder of these, or belongs to a store of these."""
    return any(path == name or path.startswith((f"{name}/", f"{name}.features")) for name in files)
