"""`--assessor` is never ignored: it changes or restricts what every command reads, or the command refuses it."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from cranfield.cli.program import app
from tests.conftest import Cranfield

pytestmark = pytest.mark.full

READING = {  # commands whose --assessor selects labels, with words for a store
    "pool diff": "pool diff t.db 1 2",
    "pool verify": "pool verify t.db",
    "pool simulate": "pool simulate t.db --budgets 2",
    "pool tune": "pool tune t.db --method rrf --folds 2",
    "pool forecast": "pool forecast t.db",
    "pool estimate": "pool estimate t.db",
    "topics hardness": "topics hardness t.db",
    "topics next": "topics next t.db --run a --run b",
    "evaluate": "evaluate t.db",
    "compare": "compare t.db",
    "correlate": "correlate t.db",
    "curve": "curve t.db",
    "reusability": "reusability t.db",
    "depths": "depths t.db",
    "stability": "stability t.db",
    "diagnose": "diagnose t.db new.run",
    "report": "report t.db out.html",
    "answers nuggets show": "answers nuggets show t.db",
    "online divergence": "online divergence t.db",
    "store labels": "store labels t.db",
    "agreement": "agreement t.db",
    "export qrels": "export qrels t.db out.qrels --policy primary",
    "export beir": "export beir t.db out",
    "export preferences": "export preferences t.db out.prefs",
}
REFUSING = {  # commands that have nothing to read in this store, or that need several assessors
    "pool estimate", "answers nuggets show", "online divergence", "agreement", "export preferences",
}  # fmt: skip
WORKING = {  # commands whose --assessor names who works, or whose labels a file has: each stores or shows that name
    "import collection", "import qrels", "import votes", "import preferences", "topics try", "export bundle",
    "export page", "assign", "judge", "adjudicate", "model assess run", "model assess export", "model panel",
    "model audit draw", "model prefer", "answers nuggets make", "answers nuggets edit", "answers nuggets import",
    "answers nuggets assign", "answers claims import", "answers claims make", "answers claims label",
    "answers questions make", "answers support", "answers rubrics import", "answers rubrics label",
    "answers correctness", "answers prefer", "online clicks fit",
}  # fmt: skip


def with_assessor(command: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the names of all commands that have the option."""
    if hasattr(command, "list_commands"):
        context = command.context_class(command)
        for name in command.list_commands(context):
            yield from with_assessor(command.get_command(context, name), (*path, name))
    elif any("--assessor" in option.opts for option in command.params):
        yield " ".join(path)


def test_every_command_with_the_option_is_here() -> None:
    assert {*with_assessor(get_command(app))} == {*READING} | WORKING


@pytest.fixture
def store(cranfield: Cranfield, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two pools and two assessors: bob judged half of ada's documents, and found more of them relevant."""
    monkeypatch.chdir(tmp_path)
    topics, docnos = [f"q{n}" for n in range(6)], [f"d{n}" for n in range(8)]
    Path("corpus.jsonl").write_text("".join(f'{{"_id": "{docno}", "text": "word"}}\n' for docno in docnos))
    Path("topics.tsv").write_text("".join(f"{qid}\tone\n" for qid in topics))
    for tag, step in (("a", 1), ("b", 3), ("new", 5)):
        lines = [f"{q} Q0 d{step * n % 8} {n + 1} {8 - n} {tag}\n" for q in topics for n in range(6)]
        Path(f"{tag}.run").write_text("".join(lines))
    labels = [
        f"{name},{qid},{docno},{int((n * n + at) % 5 < most)}\n"
        for name, most, judged in (("ada", 2, 8), ("bob", 3, 4))
        for at, qid in enumerate(topics)
        for n, docno in enumerate(docnos[:judged])
    ]
    Path("votes.csv").write_text("assessor,qid,docno,grade\n" + "".join(labels))
    for words in (
        "init t.db --name t --scale 0=no,1=yes", "import corpus t.db corpus.jsonl", "import topics t.db topics.tsv",
        "import runs t.db a.run b.run", "pool build t.db --depth 3", "pool build t.db --depth 5",
        "import votes t.db votes.csv",
    ):  # fmt: skip
        result = cranfield(*words.split())
        assert result.code == 0, result
    return tmp_path / "t.db"


@pytest.mark.parametrize("name", READING)
def test_it_changes_what_is_read_or_is_refused(name: str, store: Path, cranfield: Cranfield) -> None:
    """Two assessors who disagree give two outputs; the name of nobody is refused."""
    outputs = []
    for assessor in ("ada", "bob"):
        for earlier in Path().glob("out*"):
            shutil.rmtree(earlier) if earlier.is_dir() else earlier.unlink()
        result = cranfield(*READING[name].split(), "--assessor", assessor)
        made = [path for pattern in ("out*", "out/**/*") for path in sorted(Path().glob(pattern)) if path.is_file()]
        files = "".join(path.read_text() for path in made)
        assert (result.code != 0) == (name in REFUSING), result
        assert result.code != 0 or assessor in result.out + result.err + files, "it does not name whose labels counted"
        later = cranfield("evaluate t.db").out if name == "store labels" else ""  # it changes what others read
        outputs.append((result.out + files + later).replace(assessor, "NAME"))
    assert name in REFUSING or outputs[0] != outputs[1]
    assert cranfield(*READING[name].split(), "--assessor", "nobody").code != 0


def test_estimates_are_of_the_assessor(store: Path, cranfield: Cranfield) -> None:
    """Of a pool that was drawn at random: ada judged all of it, bob half."""
    built = cranfield("pool", "build", "t.db", "--method", "uniform", "--budget", "4")
    assert built.code == 0, built
    by_ada, by_bob = (cranfield("pool", "estimate", store, "--assessor", name) for name in ("ada", "bob"))
    assert (by_ada.code, by_bob.code) == (0, 1)
    assert "48 labels by ada" in " ".join(by_ada.err.split())
    assert "of 24 sampled documents are not judged" in " ".join(by_bob.err.split())


def test_agreement_is_of_the_assessors(store: Path, cranfield: Cranfield) -> None:
    """Of three people; two are chosen."""
    Path("eve.csv").write_text("assessor,qid,docno,grade\n" + "".join(f"eve,q0,d{n},{n % 2}\n" for n in range(8)))
    assert cranfield("import", "votes", store, "eve.csv").code == 0
    both, other = (
        cranfield("agreement", store, "--assessor", "ada", "--assessor", name).out for name in ("bob", "eve")
    )
    assert "bob" in both
    assert "eve" in other
    assert both.replace("bob", "NAME") != other.replace("eve", "NAME")
