"""What a newcomer types by mistake: the message ends with what to do instead, and nothing is written."""

import gzip
import shlex
from inspect import signature
from pathlib import Path
from typing import get_args

import pytest

from cranfield.cli.common_options import expand_option_records
from cranfield.cli.tree import commands_by_first_word
from cranfield.extras import missing_packages
from cranfield.options import Written
from tests.conftest import Cranfield
from tests.needed_features import EVERY_FEATURE

RUN = "q1 Q0 d1 1 2.0 {0}\nq1 Q0 d2 2 1.0 {0}\nq2 Q0 d1 1 1.0 {0}\n"
FILES = {
    "qrels.txt": "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 1\n",
    "a.run": RUN.format("a"),
    "b.run": RUN.format("b"),
    "strange.run": "x1 Q0 d1 1 2.0 s\n",
    "new.run": "q1 Q0 d9 1 2.0 new\n",
    "words.run": "q1 Q0 d1 1 high a\n",
    "half.qrels": "q1 0 d1 1.5\n",
    "letter.txt": "Dear all,\nhere are the judgments\n",
    "topics.tsv": "q1\twhat is lift\nq2\twhat is drag\n",
    "corpus.jsonl": '{"_id": "d1", "text": "lift"}\n{"_id": "d2", "text": "drag"}\n',
    "empty": "",
    "teams.csv": "a;x\n",
}
MADE = (
    "init new.db --name x",
    "init track.db --name y",
    "import corpus track.db corpus.jsonl",
    "import topics track.db topics.tsv",
    "import qrels track.db qrels.txt",
    "import runs track.db a.run",
)
QRELS_FIRST = "this looks like a run; give the qrels before the runs, or use `import runs`"
STORE_FIRST = "give the store first; create one with `cranfield init`"
IN_FOLDER = "a.run: a file in an input folder, which is not overwritten; name another file"
MISTAKES = {
    "evaluate a.run qrels.txt": QRELS_FIRST,
    "evaluate qrels.txt": "add the run files after it, or pass a store",
    "evaluate": "For example: cranfield evaluate qrels.txt runs/*.gz -m AP -m P@10",
    "evaluate qrels.txt a.run -m nDCG10": "did you mean nDCG@10?",
    "evaluate qrels.txt a.run -m ndcg_10": 'expected one of "linear", "exp", "binary", or a list such as "1=3,2=9"',
    "evaluate qrels.txt a.run AP": "no such file; did you mean -m AP?",
    "evaluate qrels.txt a.run --measure": "For example: cranfield evaluate qrels.txt runs/*.gz -m AP -m P@10",
    "evaluate qrels.txt a.run --per-topics": "Possible options: --per-topic, --policy, --topics)",
    "evaluate qrels.txt a.run --format excel": "is not one of 'table', 'json', 'csv', 'tsv', 'markdown', 'latex'.",
    "evaluate qrels.txt strange.run": "the qrels have q1, q2; expected judgments of the runs' topics",
    "evaluate qrels.txt none": "a folder without files; expected at least one file",
    "evaluate qrels.txt a.runs": "no such file; did you mean a.run?",
    "evaluate qrels.txt words.run": "score 'high' is not a number",
    "import qrels track.db half.qrels": (
        'imports it as 15, and `cranfield evaluate` with gains="15=1.5,..." counts it as 1.5'
    ),
    "evaluate qrels.txt a.run a.run": "pass each file once, and give each run a different tag in its last column",
    "evaluate qrels.txt empty": "empty; a run has lines of qid Q0 docno rank score tag",
    "evaluate empty a.run": "empty; qrels have lines of qid iteration docno grade",
    "evaluate qrels.txt half.run.gz": "the compressed data is truncated or damaged; copy it again",
    "evaluate letter.txt a.run": "2 columns; qrels have 4: qid iteration docno grade",
    "evaluate qrels.txt corpus.jsonl": (
        "no score; expected it in one of the fields score, similarity, sim; the file has _id, text;"
        " name the field with --field run.score=NAME"
    ),
    "evaluate track.db a.run": "which contains its runs; add a run with `cranfield import runs`",
    "evaluate nothere.db": "no such file; `cranfield init` creates a store",
    "evaluate new.db": "add runs with `cranfield import runs` or `cranfield search`",
    "evaluate track.db --topics none": "it has no sets; make one with `cranfield topics set`",
    "evaluate track.db --release v1": "`cranfield store release` makes one",
    "evaluate qrels.txt a.run -o track.db": "such as a store, is not overwritten; name another file",
    "evaluate qrels.txt a.run -o ./a.run": "a.run: also an input file, which is not overwritten; name another file",
    "diagnose qrels.txt a.run new.run --depth 10 --draw 1 a.run": "not overwritten; name another file",
    "diagnose qrels.txt runs new.run --depth 10 --draw 1 runs/a.run": IN_FOLDER,
    "diagnose qrels.txt runs new.run --depth 10 --draw 1 draw.tsv --pool-out runs/a.run": IN_FOLDER,
    "evaluate qrels.txt runs -o runs/../runs/a.run": IN_FOLDER,
    "evaulate track.db": "Did you mean 'evaluate'?",
    "score track.db": "Did you mean 'evaluate'?",
    "commands": "Did you mean '-h'?",
    "help nothing": "or a group of options (selection, output, limits, subject, asking)",
    "report track.db": "For example: cranfield report track.db report.html --by team",
    "report track.db out.pdf": "with the file as the last argument, such as report.html",
    "report out.html track.db": "with the file as the last argument, such as report.html",
    "pool build track.db --depth ten": "expected a whole number, such as 10",
    "pool build track.db --depth 0": "expected at least 1",
    "pool build track.db --methode rrf": "(Possible options: --method)",
    "pool track.db": "show, export, diff, methods, verify, simulate, forecast, estimate, tune.",
    "pool build qrels.txt": STORE_FIRST,
    "pool build new.db": "`cranfield import runs` or `cranfield search`",
    "model assess track.db": "before the file: run, export, import.",
    "judge track.db": "For example: cranfield judge track.db --assessor ada",
    "judge new.db --assessor ada": "no pool in this store; build one with `cranfield pool build`",
    "judge qrels.txt --assessor ada": STORE_FIRST,
    "init track.db --name x": "already exists; a new store needs a new file",
    "init other.db": '--scale "0=no,1=partly,2=fully"',
    "init other.db --name x --scale 0,1,2": "expected a list such as 0=not relevant,1=relevant",
    "init other.db --name x --scale 1=yes": "expected grades below 1 and from 1 on, such as 0=no,1=yes",
    "import track.db runs": "runs, qrels, votes, bundle, answers, variations, log, preferences.",
    "import runs track.db": "For example: cranfield import runs track.db runs/*.gz --teams teams.tsv",
    "import runs a.run track.db": STORE_FIRST,
    "import runs track.db qrels.txt": "give them before the runs, or use `import qrels`",
    "import qrels track.db a.run": QRELS_FIRST,
    "import qrels track.db strange.run": QRELS_FIRST,
    "import runs track.db strange.run": "`cranfield import topics` adds topics",
    "import runs new.db a.run --teams teams.csv": "kind pooled depth description, including run and team",
    "import corpus new.db topics.tsv": "name the columns: --no-header --columns docno,text",
    "export qrels track.db track.db": "is not overwritten; name another file",
    "export qrels new.db out.txt": "judge documents, or import qrels",
    "search new.db": "no corpus in this store to search; `cranfield import corpus` adds it",
    "compare qrels.txt a.run": "a comparison needs two",
    "compare qrels.txt a.run b.run --baseline a.run": "unknown run 'a.run'; available: a, b",
    "fuse qrels.txt a.run b.run": "no output file; expected -o FILE for the fused run, such as -o fused.run",
    "diagnose track.db": "expected a store or a qrels file, and then the new run",
    "why track.db q1": "For example: cranfield why track.db 51 DOC-17",
    "serve track.db --port http": "expected a whole number, such as 10",
    "agreement new.db": "judge documents or import labels under another name",
    "assessor invite track.db": "For example: cranfield assessor invite track.db ada --expires 14d",
    "assessor add track.db ada": "Its commands: invite, list, revoke, practice, results, questions, answer.",
    "publish check none": "expected a folder that `cranfield publish build` made",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield) -> Path:
    """Files, an empty store, and one with judgments."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "500")
    for name, text in FILES.items():
        Path(name).write_text(text)
    Path("half.run.gz").write_bytes(gzip.compress(b"".join(b"q Q0 d%d 1 1 a\n" % at for at in range(999)))[:-20])
    Path("none").mkdir()
    Path("runs").mkdir()
    Path("runs/a.run").write_text(FILES["a.run"])
    cranfield.run(*MADE)
    return tmp_path


@EVERY_FEATURE
def test_mistakes(folder: Path, cranfield: Cranfield) -> None:
    """Each as it is typed."""
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    wrong = {}
    for words, remedy in MISTAKES.items():
        command = words.partition(" ")[0]
        if command in ("report", "search") and missing_packages(command):
            continue
        output = cranfield(*shlex.split(words))
        if not output.code or not output.err.strip().endswith(remedy):
            wrong[words] = output.err
    assert wrong == {}
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


READ = (
    "answers", "archive", "changed_qrels", "check", "claims", "consents", "documents", "drawn", "files", "guidelines",
    "judged", "keys", "manifest", "meta", "nuggets", "path", "paths", "pool_runs", "qids", "qrels", "relevant",
    "remove_judged", "renamed", "rubrics", "run", "salt", "sign", "signer", "store", "teams", "tls_cert", "tls_key",
    "topics", "votes",
)  # fmt: skip
NEW = ("copy", "folder")  # a store that may not be there yet, and folders whose other files stay
READ_BY = {
    "file": ("import", "topics", "task", "publish"), "receipt": ("task",), "given": ("agreement",),
    "truth": ("correlate",), "catalogue": ("serve", "export"),
    "runs": ("import", "fuse", "pool", "export"),
}  # fmt: skip


def test_every_file_is_read_or_written() -> None:
    """A command refuses to write one that it reads; so each option for a file says which it is."""
    for place in (place for top in commands_by_first_word().values() for place in top.places if not place.members):
        for name, parameter in signature(expand_option_records(place.load())).parameters.items():
            kind, *marks = get_args(parameter.annotation) or [parameter.annotation]
            if "Path" not in str(kind) or name in (*READ, *NEW):
                continue
            is_written = any(isinstance(mark, Written) for mark in marks)
            is_read = place.words[0] in READ_BY.get(name, ())
            makes_store = place.words == ("collection", "build")
            assert is_written or is_read or makes_store, (place.words, name)
