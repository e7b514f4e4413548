"""What the docs show is so: every command on every page runs, every picture and page that is linked is there."""

import gzip
import io
import re
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from functools import partial
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

from cranfield.metrics.significance.tests import TESTS
from cranfield.pooling.methods import METHODS
from tests.conftest import ROOT, Cranfield
from tests.docs import before, expand
from tests.features.models.stand_in import stand_in
from tests.files import json_lines, qrels_lines
from tests.needed_extras import skip_without
from tests.needed_features import EVERY_FEATURE
from tests.readme import PAGES, WITH_TABLES, render
from tests.real import made_once

NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
BLOCK = re.compile(r"^```(\w*)([^\n]*)\n(.*?)^```|((?:^    [^\n]*\n)+)", re.MULTILINE | re.DOTALL)
SERVING = "cranfield.cli.commands.serve._serve"  # which tests/web/test_serve.py runs; it would go on for ever
CLUSTER = "cranfield.cluster.cluster"  # which tests/test_cluster.py starts
READERS = "cranfield.features.publishing.checks.lacking"  # they load published folders in tests/publishing
TYPED = "1\n0\n0\n1\nq\n"  # at a prompt
TOPICS = '<topics><topic number="1"><query>wings</query></topic><topic number="2"><query>drag</query></topic></topics>'
CORPUS = "".join(f'{{"_id": "d{n}", "title": "{n}", "text": "lift drag wing{n} flow"}}\n' for n in range(1, 7))
RANKINGS = {
    "a": {"1": "d1 d2 d3", "2": "d2 d4 d1"},
    "bm25": {"1": "d2 d1 d4", "2": "d4 d3 d2"},
    "c": {"1": "d3 d5 d1", "2": "d1 d2 d5"},
    "late": {"1": "d6 d1 d2", "2": "d6 d2 d4"},
    "new": {"1": "d1 d6 d2", "2": "d2 d6 d4"},
}
GRADES = {"1": {"d1": 2, "d2": 0, "d3": 1, "d4": 0, "d5": 0}, "2": {"d1": 0, "d2": 1, "d3": 0, "d4": 2, "d5": 0}}
VOTES = "assessor,qid,docno,grade\n" + "".join(
    f"{who},{qid},{docno},{grade if who == 'kim' else min(grade, 1)}\n"
    for who in ("kim", "lee")
    for qid, judged in GRADES.items()
    for docno, grade in judged.items()
)


def commands(page: str) -> Iterator[str]:
    """The command lines of a page in its order."""
    for language, _, fence, indent in BLOCK.findall((ROOT / page).read_text(encoding="utf-8")):
        for line in ("" if language not in ("", "sh") else fence or indent).splitlines():
            if line.strip().startswith(("cranfield ", "zcat ")):
                yield line.strip()


WITH_COMMANDS = [name for name in NAMES if [*commands(name)]]


def run_of(tag: str) -> str:
    lines = [
        f"{qid} Q0 {docno} {rank} {10 - rank} {tag}\n"
        for qid, docnos in RANKINGS[tag].items()
        for rank, docno in enumerate(docnos.split(), 1)
    ]
    return "".join(lines)


def clicks() -> list[dict[str, Any]]:
    """The lists of two runs, 40 users each: those of bm25 click more."""
    lists = []
    for number in range(400):
        user, qid, text = number % 80, *[("1", "wings"), ("2", "drag"), ("2", "flutter")][number % 3]
        arm = ("a", "bm25")[user % 2]
        docs = RANKINGS[arm][qid].split()
        rank = (number * 7 + user) % (5 if arm == "a" else 4)
        event = {"id": f"i{number}", "at": 1.7e9 + number * 60, "user": f"u{user}", "session": f"s{user}", "arm": arm}
        acts = [{"kind": "click", "doc": docs[rank], "at": 1.7e9 + number * 60 + 5}] if rank < len(docs) else []
        event |= {"propensity": [0.5, 1, 1]}  # the arm is drawn, and then the list is known
        event |= {"device": ("phone", "desk")[number % 3 % 2]}
        lists.append(event | {"query": text, "docs": docs, "actions": acts})
    return lists


def purchases() -> str:
    """A log as a table, a row for each document shown."""
    rows = ["search_id,at,user,query,doc,position,click,value,device"]
    for n in range(9):
        ranking = enumerate(("d2", "d3", "d1"), 1)
        rows += [f"t{n},1800000000,u{n},wings,{doc},{rank},{n % rank // 2},{5 * rank},phone" for rank, doc in ranking]
    return "\n".join([*rows, ""])


def mixture() -> str:
    """A log of lists that two runs share: who likes the first team's documents clicks on them."""
    event = {"experiment": "mixed", "qid": "1", "docs": ["d2", "d3", "d1", "d5"], "teams": "abab"}
    acts = [[{"kind": "click", "doc": doc, "at": 1.8e9 + 5}] for doc in ("d2", "d3", "d1")]
    lists = [{**event, "id": f"m{n}", "at": 1.8e9, "user": f"u{n}", "actions": acts[n % 3]} for n in range(30)]
    return json_lines(lists)


GAVE = {"vital": "rag1", "okay": "rag2"}  # whose answers the nuggets come from


def answers(run: str) -> str:
    """Answers of a run to both topics, with citations."""
    sentences = [{"text": "Wings lift.", "citations": [0, 1]}, {"text": "Drag slows.", "citations": [1]}]
    about = [{"team_id": run, "run_id": run, "narrative_id": qid} for qid in GRADES]
    cited = {qid: docnos.split()[:2] for qid, docnos in RANKINGS["a"].items()}
    return json_lines({"metadata": one, "references": cited[one["narrative_id"]], "answer": sentences} for one in about)


def nuggets() -> str:
    """Two nuggets of each topic, with labels of the answers of two runs."""
    labels = [{"run": "rag1", "label": "support"}, {"run": "rag2", "label": "not_support"}]
    return json_lines(
        {"qid": qid, "text": f"{kind} {qid}", "importance": kind, "contributors": [run], "labels": labels}
        for qid in GRADES
        for kind, run in GAVE.items()
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: None) -> Path:
    """A folder with the files that the pages speak of; a small collection stands for the bundled one."""
    monkeypatch.chdir(tmp_path)
    skip_without("plot")
    monkeypatch.setattr("cranfield.charts.style.draw", lambda *_: b"a figure")
    workshop = Path("collections/workshop")
    workshop.mkdir(parents=True)
    qrels = qrels_lines(GRADES)
    (workshop / "corpus.jsonl").write_text(CORPUS)
    (workshop / "topics.jsonl").write_text('{"_id": "1", "text": "wings"}\n{"_id": "2", "text": "drag"}\n')
    for path in (workshop / "first.qrels", Path("qrels.txt"), Path("qwen.qrels")):
        path.write_text(qrels)
    for name in ("qrels-rnd1.txt", "qrels.robust03.txt"):
        Path(name).write_text(qrels.replace("1 0 d1", "1 0.5 d1"))
    Path("corpus.jsonl.gz").write_bytes(gzip.compress(CORPUS.encode()))
    copyfile("corpus.jsonl.gz", "big.jsonl.gz")
    Path("topics.xml").write_text(TOPICS)
    Path("teams.tsv").write_text("run\tteam\na\tx\nbm25\ty\nc\tz\n")
    Path("votes.csv").write_text(VOTES)
    lists = clicks()
    for name in ("clicks.jsonl", "february.jsonl"):
        Path(name).write_text(json_lines(lists))
    earlier = [{**one, "id": f"j{one['id']}", "at": one["at"] - 2.6e6, "arm": None} for one in lists[:80]]
    Path("january.jsonl").write_text(json_lines(earlier))  # of the same users, 30 days before
    Path("clicks.csv").write_text(purchases())
    chances = [f"1,{docno},{rank},{chance}" for rank in (1, 2) for docno, chance in (("d2", 0.5), ("d3", 0.5))]
    Path("policy.csv").write_text("\n".join(["qid,docno,position,probability", *chances, ""]))
    Path("shop.toml").write_text((ROOT / "docs" / "online.md").read_text().split("```toml\n")[1].split("```")[0])
    Path("answers").mkdir()
    for run in ("rag1", "rag2", "rag3"):
        Path(f"answers/{run}.jsonl").write_text(answers(run))
    Path("nuggets.jsonl").write_text(nuggets())
    claims = [{"qid": qid, "claims": ["Wings lift."]} for qid in GRADES]
    Path("claims.jsonl").write_text(json_lines(claims))
    Path("mixed.jsonl").write_text(mixture())
    Path("mine.py").write_text((ROOT / "docs" / "measures.md").read_text().split("```python\n")[1].split("```")[0])
    for tag in RANKINGS:
        Path(f"{tag}.run").write_text(run_of(tag))
    Path("variations.tsv").write_text("1\ta\twings\t3\n2\ta\tdrag\n2\tb\tdrags\n")
    Path("b.run").write_text(run_of("bm25").replace("bm25", "b"))
    return tmp_path


def prepare(page: str, cranfield: Cranfield) -> None:
    """Runs and judged stores, unless the page makes them itself."""
    text = (ROOT / page).read_text(encoding="utf-8")
    if "export runs track.db runs" not in text:
        Path("runs").mkdir()
        for tag in ("a", "bm25", "c"):
            Path(f"runs/{tag}.gz").write_bytes(gzip.compress(run_of(tag).encode()))
    for store in ("track.db", "workshop.db", "cranfield1400.db"):
        if store in text and f"cranfield init {store}" not in text:
            Path(store).write_bytes(made_once("docs.db", partial(build, cranfield)))
    if "ada.db" in text:
        cranfield.run("assign track.db --assessor ada", "export bundle track.db ada.db --assessor ada")


def build(cranfield: Cranfield, store: Path) -> None:
    """A store with three runs, a pool and judgments."""
    for words in (
        ["init", store, "--name", "Wings", "--scale", "0=not relevant,1=partly,2=fully"],
        ["import", "corpus", store, "corpus.jsonl.gz"],
        ["import", "topics", store, "topics.xml"],
        ["import", "runs", store, "a.run", "bm25.run", "c.run", "--teams", "teams.tsv"],
        ["pool", "build", store, "--depth", "2"],
        ["import", "qrels", store, "qrels.txt", "--assessor", "first"],
    ):
        cranfield.out(*words)


@pytest.mark.full
@pytest.mark.parametrize("page", WITH_COMMANDS)
def test_every_command_runs(
    page: str, folder: Path, workshop: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the order of the page, in one folder; questions are answered. What cannot run here is named and skipped."""
    monkeypatch.setattr("cranfield.cli.commands.demo._build", partial(copyfile, workshop))
    monkeypatch.setattr(SERVING, lambda *_: None)
    monkeypatch.setattr(CLUSTER, lambda _: nullcontext())
    monkeypatch.setattr(READERS, "{} is not installed".format)
    prepare(page, cranfield)
    lines, reasons = [*commands(page)], []
    with ExitStack() as stack:
        asks = any(before.MODEL in line for line in lines)
        url = stack.enter_context(stand_in(before.answer)).url if asks else ""
        for line in lines:
            pipe, _, rest = adapt(line, url).partition("cranfield ")
            try:
                before.prepare(page, line, cranfield)
                if "ir_datasets:" in line:
                    stack.enter_context(before.vaswani())
            except pytest.skip.Exception as missing:
                reasons.append(f"{line}: {missing}")
                continue
            monkeypatch.setattr("sys.stdin", standard_input(pipe, line))
            result = cranfield(*expand(rest))
            assert result.code == 0, f"{line}\n{result.err}"
    if reasons:
        pytest.skip(f"all but {'; '.join(reasons)}")


def standard_input(pipe: str, line: str) -> io.TextIOBase:
    """What a command gets on standard input: what another unpacks for it, or what is typed."""
    if pipe:
        return io.TextIOWrapper(io.BytesIO(gzip.decompress(Path(pipe.split()[1]).read_bytes())))
    return io.StringIO("1\n" * 20 if "--audit" in line or "--topic" in line else TYPED)


def adapt(line: str, url: str) -> str:
    """A command for small data, a server of the tests, and any port that is free."""
    for theirs, ours in {**before.ADAPTATIONS, before.MODEL: url}.items():
        line = line.replace(theirs, ours)
    return f"{line} --port 0" if line.startswith("cranfield serve") else line


def test_what_is_linked_is_there() -> None:
    """Pages and pictures, whatever renders them."""
    for page in [*NAMES, "SECURITY.md"]:
        text = re.sub(r"^```.*?^```|`[^`\n]+`", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.M | re.DOTALL)
        for target in re.findall(r"\]\(([^)\s#]+)[^)]*\)", text):
            assert ":" in target or ((ROOT / page).parent / target).exists(), (page, target)


def test_the_readme_counts_what_there_is() -> None:
    """Methods and tests, beside other tools."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"| builds pools | {len(METHODS)} methods |" in text
    assert f"| significance tests | {len(TESTS)}, with corrections |" in text


@EVERY_FEATURE
def test_tables_are_those_of_the_code() -> None:
    """A stale page fails; `python -m tests.readme` mends it."""
    texts = {str(page.relative_to(ROOT)): page.read_text(encoding="utf-8") for page in WITH_TABLES}
    assert [page for page, text in texts.items() if text != render(text)] == []


def test_every_page_is_in_the_contents() -> None:
    """A page that nothing lists would be found by nobody."""
    contents = set(re.findall(r"^([\w/-]+)$", (ROOT / "docs" / "index.md").read_text(encoding="utf-8"), re.MULTILINE))
    assert {name.removeprefix("docs/").removesuffix(".md") for name in NAMES} - {"README", "index"} <= contents


def test_every_column_has_a_head() -> None:
    """A head without words is one that a screen reader cannot say."""
    for page in {*NAMES} - {"README.md"}:
        heads = re.findall(r"^\|(.*)\|\n\|[ :|-]+\|$", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE)
        assert [head for head in heads if not all(map(str.strip, head.split("|")))] == [], page
