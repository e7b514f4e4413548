"""No control of the data reaches a terminal: every command, on files and a store whose every name is hostile."""

import csv
import io
import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
import typer.main

from cranfield.cli.program import app
from cranfield.extras import is_installed
from cranfield.store.chain import add_person
from cranfield.store.store import Store
from cranfield.text import UNSEEN
from tests.conftest import Cranfield
from tests.needed_features import EVERY_FEATURE
from tests.readme import leaves

EVIL = "\x1b]0;x\x07\x9b31m\u202e\u200b"  # a window title, a colour, an override, nothing
A, B, Q, D, TEAM, ADA, BOB, MODEL = (name + EVIL for name in ("a", "b", "q", "d", "t", "ada", "bob", "qwen"))
SOURCE = ["qrels", "a" + EVIL, "b"]
STORE = ["track.db"]
COMMANDS: Mapping[str, list[str]] = {
    "store labels": [*STORE, "--policy", "primary", "--reason", EVIL],  # first: the assessors differ
    "demo": [],
    "init": [f"new{EVIL}.db", "--name", f"n{EVIL}", "--scale", f"0=no,1=y{EVIL}"],
    "info": STORE,
    "collection list": [],
    "collection show": ["cisi"],
    "collection build": ["own.toml", ".", f"own{EVIL}.db"],
    "import corpus": [*STORE, "more"],
    "import topics": [*STORE, "topics"],
    "import collection": [f"whole{EVIL}.db", f"ir_datasets:{EVIL}"],
    "import runs": [*STORE, "c"],
    "import qrels": [*STORE, "qrels", "--assessor", f"eve{EVIL}"],
    "import votes": [*STORE, "votes"],
    "import preferences": [*STORE, "prefs", "--assessor", f"ina{EVIL}"],
    "import answers": [*STORE, "wrong answers"],
    "import variations": [*STORE, "qrels"],
    "import log": [*STORE, "log"],
    "import bundle": [*STORE, f"bundle{EVIL}.db"],
    "serve": [*STORE, "--host", f"h{EVIL}"],
    "assessor invite": [*STORE, f"zoe{EVIL}", "--base", f"http://h{EVIL}"],
    "assessor list": STORE,
    "assessor revoke": [*STORE, f"zoe{EVIL}"],
    "search": STORE,
    "pool build": [*STORE, "--depth", "1"],
    "pool extend": [*STORE, "--depth", "3"],
    "pool show": [*STORE, "--by", "team"],
    "pool export": [*STORE, f"pool{EVIL}"],
    "pool diff": [*STORE, "1", "2"],
    "pool methods": [EVIL],
    "pool verify": SOURCE,
    "pool simulate": SOURCE,
    "pool tune": SOURCE,
    "pool forecast": SOURCE,
    "pool estimate": STORE,
    "fuse": STORE,
    "export qrels": [*STORE, f"qrels{EVIL}"],
    "export runs": [*STORE, f"runs{EVIL}"],
    "export datasette-metadata": [*STORE, f"metadata{EVIL}.json"],
    "export pool": [*STORE, f"pool{EVIL}"],
    "export preferences": [*STORE, f"prefs{EVIL}", "--assessor", f"ina{EVIL}"],
    "export judgments": [*STORE, f"log{EVIL}"],
    "export answers": [*STORE, f"answers{EVIL}"],
    "passages build": [*STORE, f"passages{EVIL}.db"],
    "export topics": [*STORE, f"topics{EVIL}.jsonl"],
    "export corpus": [*STORE, f"corpus{EVIL}.jsonl"],
    "export beir": [*STORE, f"beir{EVIL}"],
    "export bundle": [*STORE, f"again{EVIL}.db", "--assessor", f"eve{EVIL}"],
    "export page": [*STORE, f"again{EVIL}.html", "--assessor", f"eve{EVIL}"],
    "store remove": [*STORE, "run", EVIL],
    "store withdraw": [*STORE, "run", EVIL, "--reason", EVIL],
    "store restore": [*STORE, "run", EVIL],
    "store fetch": [*STORE, "--from", f"corpus{EVIL}.jsonl"],
    "topics set": [*STORE, EVIL, EVIL],
    "topics try": [*STORE, EVIL, "--assessor", ADA],
    "topics keep": [*STORE, EVIL, "--reason", EVIL],
    "topics drop": [*STORE, EVIL, "--reason", EVIL],
    "topics split": [*STORE, EVIL, "--folds", "2"],
    "topics list": STORE,
    "topics hardness": SOURCE,
    "topics next": [*SOURCE, "--run", f"a{EVIL}", "--run", f"b{EVIL}"],
    "round start": [*STORE, EVIL],
    "round close": [*STORE, EVIL],
    "round list": STORE,
    "round same": [*STORE, EVIL, EVIL],
    "task describe": [*STORE, f"task{EVIL}.toml"],
    "task open": STORE,
    "task close": STORE,
    "task release": STORE,
    "task invite": [*STORE, EVIL],
    "task revoke": [*STORE, EVIL],
    "task teams": STORE,
    "task withdrawals": STORE,
    "task decide": [*STORE, EVIL, EVIL, "--grant"],
    "task submissions": STORE,
    "task results": [*STORE, f"results{EVIL}"],
    "task archive": [*STORE, f"archive{EVIL}"],
    "task receipt": [f"receipt{EVIL}.json"],
    "submit": [f"run{EVIL}", "--check", f"topics{EVIL}"],
    "assessor practice": [*STORE, EVIL, "--gold", ADA],
    "assessor results": STORE,
    "assessor questions": STORE,
    "assessor answer": [*STORE, "1", EVIL],
    "lag": [*STORE, "--rounds", EVIL],
    "store history": STORE,
    "store release": [*STORE, f"n{EVIL}"],
    "store releases": STORE,
    "store erase": [*STORE, "assessor", ADA, "--reason", f"r{EVIL}", "--dry-run"],
    "store upgrade": STORE,
    "store adopt": [*STORE, f"adopted{EVIL}.db"],
    "store verify": STORE,
    "store backup": [*STORE, f"copy{EVIL}.db"],
    "publish build": [*STORE, f"folder{EVIL}", "--draft", "--as", "beir"],
    "publish check": [f"folder{EVIL}"],
    "publish describe": [*STORE, "--set", f"title=t{EVIL}", "--set", f"keywords=k{EVIL}", "--check", "all"],
    "assign": [*STORE, "--assessor", f"joe{EVIL}"],
    "judge": [*STORE, "--assessor", f"joe{EVIL}", "--plain"],
    "progress": STORE,
    "agreement": STORE,
    "adjudicate": [*STORE, "--assessor", f"eve{EVIL}", "--plain"],
    "diff": [*STORE, ADA, BOB],
    "model prefer": [*STORE, "--model", MODEL + "3", "--url", "http://h/v1", "--pairs", "pairs", "--dry-run"],
    "model assess run": [*STORE, "--model", MODEL + "2", "--url", "http://h/v1", "--dry-run"],
    "model assess export": [*STORE, f"batch{EVIL}", "--model", MODEL + "2"],
    "model assess import": [*STORE, "votes"],
    "model prompts": [EVIL],
    "model panel": [*STORE, "--judge", MODEL, "--judge", MODEL, "--assessor", f"p{EVIL}"],
    "model audit draw": [*STORE, "--model", MODEL, "--assessor", f"eve{EVIL}", "--size", "2"],
    "model audit report": [*STORE, "--model", MODEL, "-m", "AP"],
    "model audit estimate": [*STORE, "--model", MODEL],
    "answers nuggets make": [*STORE, "--assessor", f"joe{EVIL}"],
    "answers nuggets import": [*STORE, "nuggets", "--assessor", f"joe{EVIL}"],
    "answers nuggets export": [*STORE, f"nuggets{EVIL}", "--labels"],
    "answers nuggets show": STORE,
    "answers nuggets edit": [*STORE, "--assessor", f"joe{EVIL}"],
    "answers nuggets assign": [*STORE, "--assessor", f"joe{EVIL}", "--plain"],
    "answers rubrics import": [*STORE, "rubrics", "--assessor", f"joe{EVIL}"],
    "answers rubrics label": [*STORE, "--assessor", f"joe{EVIL}", "--plain"],
    "answers correctness": [*STORE, "--assessor", f"joe{EVIL}", "--plain"],
    "answers prefer": [*STORE, "--assessor", f"joe{EVIL}", "--plain"],
    "answers claims import": [*STORE, "claims", "--assessor", f"joe{EVIL}"],
    "answers claims make": [*STORE, "--model", MODEL],
    "answers claims label": [*STORE, "--assessor", f"joe{EVIL}", "--plain"],
    "answers questions make": [*STORE, "--model", MODEL],
    "answers support": [*STORE, "--assessor", f"joe{EVIL}", "--plain"],
    "why": [*STORE, Q + "1", D + "1"],
    "rehearse": [*SOURCE, "--simulate", "strict"],
    "evaluate": [*SOURCE, "--per-topic"],
    "compare": SOURCE,
    "correlate": SOURCE,
    "curve": SOURCE,
    "measures": [EVIL],
    "help": [EVIL],
    "trec-eval": ["qrels", "b", "-m", EVIL],
    "online show": [*STORE, "--by", "query", "--min-users", "1"],
    "online clicks topics": [*STORE, f"frequent{EVIL}.jsonl", "--min-users", "1"],
    "online clicks fit": [*STORE, "--model", "pbm", "--relevance", f"relevance{EVIL}"],
    "online clicks models": [],
    "online divergence": STORE,
    "online counterfactual": [*STORE, B, "--propensity", f"examination{EVIL}"],
    "reusability": [*SOURCE, "--teams", "teams", "--by", "team"],
    "depths": [*SOURCE, "--teams", "teams", "--by", "team"],
    "stability": SOURCE,
    "diagnose": [*SOURCE, "c"],
    "report": [*STORE, f"out{EVIL}.html"],
    "online interleave lists": [*STORE, A, B, "--lists", "2", "-o", f"lists{EVIL}"],
    "online interleave methods": [],
    "online ab": [*STORE, "--control", f"arm{EVIL}"],
    "online preference": STORE,
}


def run_of(tag: str, order: str) -> str:
    return "".join(
        f"{Q}{topic} Q0 {D}{document} {rank} {9 - rank} {tag}\n"
        for topic in (1, 2)
        for rank, document in enumerate(order, 1)
    )


def record(**fields: object) -> str:
    return json.dumps(fields) + "\n"


OWN = """name = "own\u202e"
grades = { 0 = "no", 1 = "yes" }
corpus = [{ path = "corpus" }]
topics = [{ path = "topics" }]
"""
FILES = {
    "qrels": "".join(f"{Q}{topic} 0 {D}{document} {document % 2}\n" for topic in (1, 2) for document in (1, 2, 3)),
    "others": "".join(f"{Q}{topic} 0 {D}{document} {document // 2 % 2}\n" for topic in (1, 2) for document in (1, 2)),
    "a" + EVIL: run_of(A, "123"),
    "b": run_of(B, "241"),
    "c": run_of("c" + EVIL, "512"),
    "teams": f"run\tteam\tdescription\n{A}\t{TEAM}1\t{EVIL}\n{B}\t{TEAM}2\t{EVIL}\n",
    "corpus": "".join(record(docno=f"{D}{n}", title=f"t{EVIL}", text=f"wing {EVIL}") for n in range(1, 5)),
    "more": record(docno=f"{D}1", text="there already"),
    "topics": "".join(record(qid=f"{Q}{n}", title=f"wing {EVIL}", narrative=EVIL) for n in (1, 2)),
    "pairs": f"{Q}1 {D}1 {D}2\n",
    "prefs": f"{Q}1 g 1 {D}1 2\n{Q}1 g 1 {D}2 1\n",
    "votes": record(assessor=f"eve{EVIL}", qid=f"{Q}1", docno=f"{D}4", grade=1, odd=EVIL)
    + record(assessor="x", qid=f"nowhere{EVIL}", docno=f"{D}4", grade=f"2{EVIL}"),
    "seen": record(id="seen", at=1, query=f"q{EVIL}", arm=f"arm{EVIL}", docs=[f"{D}1"], user=f"u{EVIL}"),
    "log": record(id=f"i{EVIL}", at=1, query=f"q{EVIL}", arm=f"arm{EVIL}", docs=[f"{D}1"], user=f"u{EVIL}")
    + record(id="j", at=1, query="q", docs=[], actions=[{"kind": "click", "doc": f"{D}1{EVIL}"}]),
    "own.toml": OWN,
    "answers": record(
        run_id=A, topic_id=f"{Q}1", references=[f"{D}1", f"x{EVIL}"], answer=[{"text": EVIL, "citations": [1]}]
    ),
    "nuggets": record(
        qid=f"{Q}1", text=f"n{EVIL}", importance="vital", contributors=[A], labels=[{"run": A, "label": "support"}]
    ),
    "claims": record(qid=f"{Q}1", claims=[f"c{EVIL}"]) + record(qid=f"{Q}1", run=A, claims=[f"d{EVIL}"]),
    "rubrics": f"[{json.dumps(f'{Q}1')}]\nquestions = [{json.dumps(f'q{EVIL}')}]\n",
    "wrong answers": record(run_id=A, topic_id=f"{Q}2", references=[], answer=[{"text": EVIL, "citations": [EVIL]}])
    + record(run_id=A, topic_id=f"{Q}9{EVIL}", references=[], answer=[]),
}


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files, which is where commands run."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def track(hostile: Path, cranfield: Cranfield) -> Path:
    for command in (
        ["init", "track.db", "--name", f"name{EVIL}", "--scale", f"0=no{EVIL},1=yes{EVIL}", "--description", EVIL],
        ["import", "corpus", "track.db", "corpus"],
        ["import", "topics", "track.db", "topics"],
        ["import", "runs", "track.db", "a" + EVIL, "b", "--teams", "teams"],
        ["import", "answers", "track.db", "answers"],
        ["pool", "build", "track.db", "--depth", "2"],
        ["pool", "build", "track.db", "--depth", "3"],
        ["import", "qrels", "track.db", "qrels", "--assessor", ADA],
        ["import", "qrels", "track.db", "others", "--assessor", BOB],
        ["import", "qrels", "track.db", "qrels", "--assessor", MODEL, "--kind", "model"],
        *([["import", "log", "track.db", "seen"]] if is_installed("pyarrow") else []),
        ["assign", "track.db", "--assessor", f"eve{EVIL}"],
        ["export", "bundle", "track.db", f"bundle{EVIL}.db", "--assessor", f"eve{EVIL}"],
    ):
        output = cranfield(*command)
        assert (output.code, seen_in(output)) == (0, []), output
        if command[0] == "init":
            add_hostile_people(hostile / "track.db")
    return hostile / "track.db"


def add_hostile_people(path: Path) -> None:
    """Assessors with such names, which commands refuse and a store of others may have."""
    with Store.open(path) as store, store.writing():
        for name in (ADA, BOB, *(f"{name}{EVIL}" for name in ("eve", "ina", "joe", "zoe"))):
            add_person(store.conn, name, "human")
        add_person(store.conn, MODEL, "model")


def seen_in(output: tuple[int, str, str]) -> list[str]:
    """The controls in what was printed, but for those that the program writes itself."""
    return [control for text in output[1:] for control in re.findall(UNSEEN, text)]


@EVERY_FEATURE
def test_every_command_is_here() -> None:
    """A new command is added to the table above."""
    assert set(COMMANDS) == {words for words, _ in leaves(typer.main.get_command(app))}


@EVERY_FEATURE
def test_no_command_prints_a_control(track: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tags, teams, docnos, qids, titles, names of collections, assessors and files; done or refused."""
    leaks, failures = {}, {}
    for words, arguments in COMMANDS.items():
        if words == "demo":
            continue  # it shows what is bundled, and nobody else's data
        monkeypatch.setattr("sys.stdin", io.StringIO("1\nwhy\n?\nq\n"))
        output = cranfield(*words.split(), *arguments)
        if controls := seen_in(output):
            leaks[words] = controls
        if output.code not in (0, 1, 2) or "Traceback" in output.err:
            failures[words] = output
    assert not leaks
    assert not failures


def test_no_error_prints_a_control(tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is not there, an option that there is not."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    for words in COMMANDS:
        for output in (cranfield(*words.split(), EVIL, EVIL), cranfield(*words.split(), f"--{EVIL}")):
            assert (seen_in(output), "Traceback" in output.err) == ([], False), words


@pytest.mark.parametrize("form", ["table", "json", "markdown", "latex"])
def test_no_format_prints_a_control(hostile: Path, cranfield: Cranfield, form: str) -> None:
    """But CSV and TSV in a pipe, which are for programs."""
    output = cranfield("evaluate", *SOURCE, "--per-topic", "--format", form)
    assert (output.code, seen_in(output)) == (0, [])


def test_what_programs_read_keeps_the_data(hostile: Path, cranfield: Cranfield) -> None:
    """JSON escapes, CSV in a pipe and every file have the very names."""
    tags = {A, B}
    assert {row["run"] for row in json.loads(cranfield("evaluate", *SOURCE, "--format", "json").out)["scores"]} == tags
    lines = cranfield("evaluate", *SOURCE, "--format", "csv").out.splitlines()[1:]
    assert {line.split(",")[0] for line in lines} == tags
    for form in ("table", "csv", "json"):
        cranfield("evaluate", *SOURCE, "--format", form, "-o", "out")
        text = Path("out").read_text(encoding="utf-8")
        assert (json.dumps(A)[1:5] if form == "json" else A) in text


@pytest.mark.parametrize(
    "command",
    [
        ["evaluate", *SOURCE, "--format", "csv"],
        ["evaluate", *SOURCE],
        ["trec-eval", "-q", "qrels", "b"],
        ["collection", "show", "own.toml"],
    ],
)
def test_a_terminal_sees_marks(
    hostile: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    """What a pipe gets as it is, a terminal gets with its controls visible."""
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    styles = re.compile(r"\x1b\[[\d;]*m")  # the program's own
    output = cranfield(*command)
    assert output.code == 0
    assert re.findall(UNSEEN, styles.sub("", output.out)) == []


def test_safe_csv_has_no_formula(hostile: Path, cranfield: Cranfield) -> None:
    """A name that a spreadsheet would compute is quoted with --safe-csv, and left alone without."""
    Path("f").write_text(f"{Q}1 Q0 {D}1 1 1 =HYPERLINK()\n", encoding="utf-8")
    for form, separator in (("csv", ","), ("tsv", "\t")):
        command = ["evaluate", "qrels", "f", "-m", "AP", "--retrieved-topics-only", "--format", form]
        header, scores = (separator.join(cells) for cells in (("run", "AP", "Judged@10"), ("0.5", "1.0")))
        assert cranfield(*command).out == f"{header}\n=HYPERLINK(){separator}{scores}\n"
        assert cranfield(*command, "--safe-csv").out == f"{header}\n'=HYPERLINK(){separator}{scores}\n"
        assert cranfield(*command).out.splitlines()[1].startswith("=")


@pytest.mark.needs_extra("serve")
@pytest.mark.parametrize(("form", "separator"), [("csv", ","), ("tsv", "\t")])
def test_exports_for_a_spreadsheet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield, form: str, separator: str
) -> None:
    """Texts and ids stay as they are, unless --safe-csv is given; the CSV of a page always has no formula."""
    from cranfield.web.look.table import answer

    monkeypatch.chdir(tmp_path)
    Path("docs").write_text('{"_id": "=d", "title": "+t", "text": "plain"}\n')
    Path("run").write_text("q Q0 =d 1 1 @r\n")
    cranfield.run("init t.db --name a", "import corpus t.db docs", "import runs t.db run", "pool build t.db")

    def second_row(command: str) -> list[str]:
        assert cranfield(command).code == 0
        rows = list(csv.reader(Path(f"out.{form}").read_text().splitlines(), delimiter=separator))
        return rows[1]

    for words, quote in ("", ""), (" --safe-csv", "'"):
        assert second_row(f"export corpus t.db out.{form} --format {form}{words}")[:2] == [f"{quote}=d", f"{quote}+t"]
        assert second_row(f"export pool t.db out.{form}{words}") == ["q", f"{quote}=d", "1", f"{quote}@r"]
    refusal = cranfield("export corpus t.db out.jsonl --safe-csv")
    assert (refusal.code, "--safe-csv requires --format csv or tsv" in refusal.err) == (2, True)
    with Store.open("t.db") as store:
        assert "\n'@r," in answer(store, "pool", "csv", [("table", "contributions")]).text()


def test_markdown_and_latex_escape(hostile: Path, cranfield: Cranfield) -> None:
    """Nothing in a name is markup."""
    name = r"[x](y)<b>|\input{a}_$"
    Path("f").write_text(f"{Q}1 Q0 {D}1 1 1 {name}\n", encoding="utf-8")
    markdown = cranfield("evaluate qrels f -m AP --retrieved-topics-only --format markdown").out.splitlines()[2]
    assert markdown == r"| \[x\](y)\<b\>\|\\input{a}\_\$ | 0.5000 | 1.0000 |"
    latex = cranfield("evaluate qrels f -m AP --retrieved-topics-only --format latex").out
    assert r"[x](y)\textless{}b\textgreater{}\textbar{}\textbackslash{}input\{a\}\_\$ & 0.5000" in latex
