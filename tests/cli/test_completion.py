"""The shell completes names from the tables of cranfield and from the store on the line, in bash, zsh and fish."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cranfield.cli.completion import BEGUN, mend_words_of_bash
from cranfield.cli.program import main
from cranfield.cli.tree import TOP, ready

FREE = {  # texts that only the user knows
    "name", "description", "licence", "scale", "tag", "budgets", "total", "grades", "order", "reason", "option",
    "field", "grade", "rename", "assessors", "common_words", "protect", "names", "words", "text", "columns", "source",
    "split", "cluster", "date", "note", "set", "version", "overlap", "give", "give_second", "pairs", "host", "invite",
    "invite_adjudicator", "expires", "base", "model", "url", "parameter", "price", "price_given", "declare", "family",
    "embedding_model", "embedding_url", "simulate", "share", "thresholds",
}  # fmt: skip
ENVIRONMENT = {
    "bash": lambda words: {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)},
    "zsh": lambda words: {"_TYPER_COMPLETE_ARGS": " ".join(words)},
    "fish": lambda words: {"_TYPER_COMPLETE_ARGS": " ".join(words), "_TYPER_COMPLETE_FISH_ACTION": "get-args"},
}


def completed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], shell: str, *words: object
) -> list[str]:
    """What a shell is offered for the last word."""
    with monkeypatch.context() as patched:
        for name, value in ENVIRONMENT[shell](["cranfield", *map(str, words)]).items():
            patched.setenv(name, value)
        patched.setenv("_CRANFIELD_COMPLETE", f"complete_{shell}")
        patched.setattr("sys.argv", ["cranfield"])
        token = BEGUN.set("")
        with pytest.raises(SystemExit):
            main()
        BEGUN.reset(token)
    lines = capsys.readouterr().out.splitlines()
    if shell == "zsh":
        lines = [line.removeprefix("_arguments '*: :((").removesuffix("))'").split('":"')[0] for line in lines]
    return [line.strip('"').split("\t")[0] for line in lines]


@pytest.mark.parametrize("shell", ENVIRONMENT)
def test_names_of_tables_and_of_the_store(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], workshop: Path, shell: str
) -> None:
    """The store is the one on the line; an unfinished option does not hide it."""

    def offered(*words: object) -> list[str]:
        return completed(monkeypatch, capsys, shell, *words)

    assert offered("evaluate", workshop, "-m", "nDCG@") == [f"nDCG@{cutoff}" for cutoff in (5, 10, 20, 100, 1000)]
    assert offered("evaluate", workshop, "-m", "AP,ndcg_c") == ["AP,ndcg_cut_10"]
    assert offered("compare", workshop, "--baseline", "bm25-") == ["bm25-titles", "bm25-weighted", "bm25-words"]
    assert offered("pool", "build", workshop, "--method", "mt") == ["mtf", "mtc"]
    assert offered("pool", "simulate", workshop, "--method", "rrf,maxm") == ["rrf,maxmean"]
    assert offered("judge", workshop, "--topic", "W1")[:2] == ["W10", "W11"]
    assert offered("agreement", workshop, "--assessor", "s") == ["second", "sweep"]
    assert offered("pool", "show", workshop, "--pool", "1") == ["1"]
    assert offered("why", workshop, "W01", "bw-00")[0] == "bw-001"
    assert offered("store", "remove", workshop, "run", "ls") == ["lsa"]
    assert offered("import", "qrels", workshop, "--format", "tr") == ["trec"]
    assert offered("export", "corpus", workshop, "x", "--format", "js") == ["jsonl"]
    assert offered("evaluate", workshop, "--format", "j") == ["json"]
    assert offered("compare", workshop, "--test", "tu") == ["tukey"]
    assert offered("measures", "--for", "rec") == ["recall"]
    assert offered("measures", "CTR") == ["CTR", "CTR@1", "CTR@5", "CTR@10"]
    assert offered("online", "show", workshop, "-m", "Dwell,Zero") == ["Dwell,ZeroHits"]
    assert offered("online", "clicks", "fit", workshop, "--model", "pbm,dbn") == ["pbm,dbn", "pbm,dbn-pyclick"]
    assert offered("online", "counterfactual", workshop, "bm25-words", "--estimator", "po") == ["position-based"]
    assert offered("online", "interleave", "lists", workshop, "bm25-t", "bm25-wo") == ["bm25-words"]
    assert offered("online", "interleave", "lists", workshop, "a", "b", "--method", "o") == ["optimized"]


def test_no_store_no_names(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A file of another kind, a damaged store and no file at all are no errors."""
    (tmp_path / "qrels").write_text("q 0 d 1\n")
    (tmp_path / "damaged.db").write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    for name in ("qrels", "damaged.db", "absent.db"):
        assert "".join(completed(monkeypatch, capsys, "bash", "compare", tmp_path / name, "--baseline", "b")) == ""


@pytest.mark.parametrize(
    ("words", "at", "mended", "number", "begun"),
    [
        ("cranfield evaluate x -m nDCG @ 1", 6, "cranfield evaluate x -m nDCG@1", 4, "nDCG"),
        ("cranfield evaluate x -m AP,P @", 5, "cranfield evaluate x -m AP,P@", 4, "AP,P"),
        ("cranfield evaluate x --measure = nDCG @ 1", 7, "cranfield evaluate x --measure=nDCG@1", 3, "nDCG"),
        ("cranfield evaluate x --format = j", 5, "cranfield evaluate x --format=j", 3, ""),
        ("cranfield evaluate x -m P @ 5 --plot f", 8, "cranfield evaluate x -m P@5 --plot f", 6, ""),
    ],
)
def test_bash_breaks_words_that_are_one(
    monkeypatch: pytest.MonkeyPatch, words: str, at: int, mended: str, number: int, begun: str
) -> None:
    """At @ and = ; what it wants back begins after the last of them."""
    monkeypatch.setenv("COMP_WORDS", words.replace(" ", "\n"))
    monkeypatch.setenv("COMP_CWORD", str(at))
    token = BEGUN.set("")
    mend_words_of_bash()

    assert (os.environ["COMP_WORDS"].replace("\n", " "), os.environ["COMP_CWORD"]) == (mended, str(number))
    assert BEGUN.get() == begun
    BEGUN.reset(token)


def test_every_name_that_can_be_known_is_completed() -> None:
    """An option whose value is a text is completed, is a choice, or is in the list of free texts here."""
    left = set()
    for place in (place for top in TOP.values() for place in top.places if not place.below):
        for parameter in ready(place).params:
            known = "shell_complete" in vars(parameter) or hasattr(parameter.type, "choices")
            if parameter.type.name in ("text", "str") and not known and not parameter.name.startswith("max_"):
                left.add((" ".join(place.words), parameter.name))
    assert {name for _, name in left} <= FREE, sorted(left)


def test_completion_is_light(workshop: Path) -> None:
    """Without what tables, statistics and the screen need."""
    code = "import sys; from cranfield.cli.program import main\ntry: main()\nexcept SystemExit: pass\n"
    told = "print(sorted(set(sys.modules) & {'pandas', 'scipy', 'rich', 'textual', 'matplotlib', 'sqlite_utils'}))"
    for words in ((workshop, "-m", "nD"), (workshop, "--assessor", "f")):
        found = ENVIRONMENT["bash"](["cranfield", "evaluate", *map(str, words)])
        done = subprocess.run(
            [sys.executable, "-c", f"{code}{told}"], capture_output=True, text=True, check=True,
            env={"_CRANFIELD_COMPLETE": "complete_bash", "_PROGRAM": "cranfield", **found},
        )  # fmt: skip
        assert done.stdout.splitlines()[-1] == "[]"
