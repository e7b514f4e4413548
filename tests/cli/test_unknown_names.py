"""A name that a store does not have is refused by every command that takes one, with the nearest that it has."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from cranfield.cli.program import app
from tests.cli.test_assessor_option import WORKING
from tests.conftest import Cranfield
from tests.files import json_lines
from tests.needed_features import EVERY_FEATURE
from tests.real import copied

pytestmark = [pytest.mark.full, EVERY_FEATURE]

MISSPELT = {  # by option: a name that the store does not have, and the nearest that it has
    "--assessor": ("adda", "ada"), "--topics": ("dex", "dev"), "--release": ("1.1", "1.0"), "--round": ("1x", "1"),
    "--rounds": ("1x,1", "1"), "--run": ("bm52", "bm25"), "--topic": ("q10x", "q10"), "--baseline": ("bm52", "bm25"),
    "--pool-runs": ("bm52", "bm25"), "--experiment": ("homee", "home"), "--control": ("bm52", "bm25"),
    "--against": ("bm52", "bm25"),
}  # fmt: skip
READING = """
evaluate t.db|compare t.db|correlate t.db|curve t.db --plot out.svg|reusability t.db|depths t.db|stability t.db
diagnose t.db new.run|report t.db out.html|lag t.db --rounds 1,1|fuse t.db|info t.db|progress t.db|agreement t.db
diff t.db ada bob|rehearse t.db|why t.db q10 d1|store labels t.db|round list t.db
pool build t.db --depth 2|pool extend t.db|pool show t.db|pool export t.db out.tsv|pool diff t.db 1 2
pool verify t.db|pool simulate t.db --budgets 2|pool tune t.db --method rrf --folds 2|pool forecast t.db
pool estimate t.db|topics list t.db|topics hardness t.db|topics next t.db --run lsa
export qrels t.db out.qrels|export runs t.db out|export pool t.db out.tsv|export judgments t.db out.jsonl
export topics t.db out.tsv|export corpus t.db out.jsonl|export beir t.db out|export answers t.db out.jsonl
export preferences t.db out.prefs|export page t.db out.html --assessor ada|passages build t.db out.db --words 5
model assess run t.db --model m --url http://127.0.0.1:9/v1|model assess export t.db out.jsonl --model m
answers prefer t.db --assessor eve --plain|answers nuggets make t.db --model m --url http://127.0.0.1:9/v1
online show t.db|online ab t.db --control bm25|online preference t.db|online counterfactual t.db bm25
online divergence t.db|online clicks fit t.db --model pbm|publish build t.db out --draft|round start t.db next
assign t.db --assessor ada --topic q10|judge t.db --assessor eve --plain
answers nuggets edit t.db --assessor eve|answers nuggets export t.db out.jsonl|answers nuggets show t.db
answers claims make t.db --model m --url http://h/v1
answers support t.db --model m --url http://h/v1|answers correctness t.db --model m --url http://h/v1
"""  # commands that read what the store of this module has
OTHER = {  # options of commands above that are not tried: of files, or given already, or of what this store lacks
    ("compare", "--pool-runs"), ("lag", "--rounds"), ("lag", "--run"), ("lag", "--topics"), ("online ab", "--control"),
    ("online preference", "--topics"), ("answers nuggets show", "--topic"), ("answers nuggets show", "--assessor"),
    ("export page", "--assessor"),
}  # fmt: skip
UNTRIED = {  # other commands: they make what the name is of, or need more than this store has
    "import topics", "import runs", "import qrels", "import log", "model audit report", "model audit estimate",
    "model prefer", "answers nuggets assign", "answers claims label", "answers questions make", "answers rubrics label",
    "online interleave lists", "task results",
}  # fmt: skip


def command_options(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Yield each command with each of its options."""
    if hasattr(command, "list_commands"):
        context = command.context_class(command)
        for name in command.list_commands(context):
            yield from command_options(command.get_command(context, name), (*path, name))
    else:
        yield from ((" ".join(path), name) for option in command.params for name in option.opts)


OPTIONS = [*command_options(get_command(app))]
LINES = {line.split(" t.db")[0]: line for line in "|".join(READING.split("\n")).split("|") if line}
NAMED = [  # each command with each option that takes a name of what the store has
    (command, option)
    for command, option in OPTIONS
    if option in MISSPELT and not (option == "--assessor" and command in WORKING)
]
TRIED = [(LINES[command], option) for command, option in NAMED if command in LINES and (command, option) not in OTHER]


def test_every_option_that_takes_a_name_is_here() -> None:
    assert {command for command, _ in NAMED} == {command for command, _ in NAMED if command in LINES} | UNTRIED


def make_store(cranfield: Cranfield) -> None:
    """Two pools, two assessors who agree, a set of topics, a release, answers and a log."""
    topics, docnos = [f"q{10 + n}" for n in range(6)], [f"d{n}" for n in range(8)]
    Path("corpus.jsonl").write_text("".join(f'{{"_id": "{docno}", "text": "word"}}\n' for docno in docnos))
    Path("topics.tsv").write_text("".join(f"{qid}\tone\n" for qid in topics))
    Path("dev.txt").write_text("".join(f"{qid}\n" for qid in topics[:3]))
    for tag, step in (("bm25", 1), ("lsa", 3), ("new", 5)):
        lines = [f"{q} Q0 d{step * n % 8} {n + 1} {8 - n} {tag}\n" for q in topics for n in range(6)]
        Path(f"{tag}.run").write_text("".join(lines))
    pairs = [(qid, n) for qid in topics for n in range(8)]
    votes = [f"{name},{qid},d{n},{n % 2}\n" for name in ("ada", "bob") for qid, n in pairs]
    Path("votes.csv").write_text("assessor,qid,docno,grade\n" + "".join(votes))
    body = {"answer": [{"text": "Wings lift.", "citations": [0]}], "references": ["d0"]}
    answers = [{"run_id": run, "topic_id": qid, **body} for run in ("bm25", "lsa") for qid in topics]
    Path("answers.jsonl").write_text(json_lines(answers))
    lists = [
        {"id": f"i{n}", "at": n, "user": f"u{n}", "arm": ("bm25", "lsa")[n % 2], "qid": "q10", "docs": docnos[:5],
         "actions": [{"kind": "click", "position": 1}]}
        for n in range(40)
    ]  # fmt: skip
    Path("log.jsonl").write_text(json_lines(lists))
    cranfield.run(
        "init t.db --name t --scale 0=no,1=yes", "import corpus t.db corpus.jsonl", "import topics t.db topics.tsv",
        "import runs t.db bm25.run lsa.run", "pool build t.db --depth 3", "pool build t.db --depth 5",
        "import votes t.db votes.csv", "import answers t.db answers.jsonl",
        "import log t.db log.jsonl --experiment home --arms bm25,lsa",
        "topics set t.db dev dev.txt", "store release t.db 1.0",
    )  # fmt: skip


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield) -> Cranfield:
    monkeypatch.chdir(copied(make_store, tmp_path, cranfield))
    return cranfield


@pytest.mark.parametrize(("line", "option"), TRIED)
def test_the_nearest_name_is_in_the_error(commands: Cranfield, line: str, option: str) -> None:
    wrong, right = MISSPELT[option]
    output = commands(*line.split(), option, wrong)
    assert output.code == 1, output
    assert output.err.splitlines()[-1].endswith(f"did you mean {right}?"), output.err
