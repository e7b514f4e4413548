"""What commands of the pages need that the page does not make: files of others, and a model that answers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.conftest import ROOT, Cranfield
from tests.docs.shapes import shapes
from tests.judging.models.stand_in import Response, Sent, embedded, said

MODEL = "http://127.0.0.1:8000/v1"  # of the pages; a server of the tests stands in for it
ADAPTED = {
    "run7": "a",
    "run8": "c",
    "--size 200": "--size 6",
    "--size 10": "--size 2",
    "--repeat 20": "--repeat 2",
}  # few documents
SOURCES = ("cranfield collection build", "cranfield import collection vaswani.db")  # not ours: other tests have them


def answer(sent: Sent, before: int) -> Response:
    """What a model says to each of our prompts: a label, labels of nuggets, nuggets, questions."""
    if "input" in sent.json:
        return embedded(0.5, 1)
    if '"evasive"' in sent.text:
        return said(json.dumps([{"text": "What lifts?", "evasive": False}] * 3))
    ids = [line.split('"')[3] for line in sent.text.splitlines() if line.startswith('{"id"')]
    if ids:
        return said(json.dumps([{"id": one, "label": "support"} for one in ids]))
    line = re.search(r"^(.*\S): ?N$", sent.text, re.MULTILINE)
    return said(f"{line[1]}: 1" if line else json.dumps([{"text": "wings lift", "importance": "vital"}]))


def batch_answers(cranfield: Cranfield) -> None:
    """The provider's answers to the batch file."""
    asked = [json.loads(line) for line in Path("batch.jsonl").read_text().splitlines()]
    body = json.loads(answer(Sent({}, json.dumps(asked[0]["body"]).encode()), 0).body)
    lines = [{"custom_id": one["custom_id"], "response": {"status_code": 200, "body": body}} for one in asked]
    Path("answers.jsonl").write_text("".join(json.dumps({**line, "error": None}) + "\n" for line in lines))


def download(cranfield: Cranfield) -> None:
    """What the page downloads before anything is judged."""
    content = Path("bob.html").read_text("utf-8").split('id="work">')[1].split("</script>")[0]
    Path("bob-1f0c22b7-100.jsonl").write_text(json.loads(content)["header"] + "\n")


def rag(cranfield: Cranfield) -> None:
    """Answers, and nuggets of them."""
    assert cranfield("import", "answers", "track.db", *sorted(Path("answers").iterdir())).code == 0
    assert cranfield("answers", "nuggets", "import", "track.db", "nuggets.jsonl", "--assessor", "kim").code == 0


def more(cranfield: Cranfield) -> None:
    """More to judge."""
    assert cranfield("pool", "build", "track.db", "--depth", "3").code == 0


def votes(cranfield: Cranfield) -> None:
    """Two people who disagree."""
    assert cranfield("import", "votes", "track.db", "votes.csv").code == 0


def pairs(cranfield: Cranfield) -> None:
    """Pairs of documents to compare."""
    Path("pairs.txt").write_text("1 d1 d3\n2 d2 d4\n")


def preferences(cranfield: Cranfield) -> None:
    """Preferences from elsewhere."""
    Path("theirs.txt").write_text(Path("prefs.txt").read_text())
    Path("my.run").write_text(Path("a.run").read_text())


def described(cranfield: Cranfield) -> None:
    """The description that the page shows."""
    page = (ROOT / "docs" / "guides" / "publish.md").read_text(encoding="utf-8")
    Path("description.toml").write_text(page.split("```toml\n")[1].split("```")[0], encoding="utf-8")


BEFORE: Mapping[tuple[str, str], Callable[[Cranfield], None]] = {  # by page, and how a command starts
    ("adjudicator", "adjudicate"): votes,
    ("assessor", "answers nuggets make"): rag,
    ("data", "evaluate qrels.txt runs/"): shapes,
    ("models", "model assess import"): batch_answers,
    ("models", "answers nuggets make"): rag,
    ("organiser", "export page"): more,
    ("organiser", "import bundle track.db bob-"): download,
    ("organiser", "judge track.db --pairs adjacent"): pairs,
    ("organiser", "trec-eval -R prefs"): preferences,
    ("publish", "publish describe track.db --from"): described,
}


def prepare(page: str, line: str, cranfield: Cranfield) -> None:
    """Make what a command of a page needs."""
    for (name, start), make in BEFORE.items():
        if page.endswith(f"{name}.md") and line.startswith(f"cranfield {start}"):
            make(cranfield)
