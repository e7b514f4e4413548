"""The same document in the terminal and in the report: invisible characters by the rule, headings that stand out."""

import json
import re
from html import unescape
from pathlib import Path

import pytest

from cranfield.formats import Document
from cranfield.judging.planning.overview import work_to_judge_or_none
from cranfield.judging.session.session import Session
from cranfield.text import RIGHT_TO_LEFT, SOFT_HYPHEN, visible_line, visible_text
from tests.conftest import Cranfield
from tests.judging.cases import Clock
from tests.judging.screen import Screen, on_the_screen
from tests.stores import new_store


def strings(shared: Path) -> list[dict[str, str]]:
    texts = [json.loads(line) for line in (shared / "texts" / "invisible.jsonl").read_text("utf-8").splitlines()]
    assert len(texts) == 39
    return texts


def on_screen(document: Document, *keys: str) -> Screen:
    store = new_store(documents=[document], topics={"q1": "oil"}, pool={"q1": [document.docno]})
    work = work_to_judge_or_none(store, "ada", None)
    assert work
    session = Session(store, "ada", work, clock=Clock())
    return on_the_screen(session, *keys, size=(100, 110))


def test_the_invisible_strings_in_a_terminal(shared: Path) -> None:
    """As in the browser; a soft hyphen between letters is left out, as a terminal would show it."""
    cases = strings(shared)
    screen = on_screen(Document("d", text="\n\n".join(case["text"] for case in cases)), "escape").text
    for case in cases:
        assert visible_text(case["text"]).replace(SOFT_HYPHEN, "").strip() in screen, case["name"]


@pytest.mark.parametrize("right_to_left", [False, True])
def test_the_invisible_strings_in_a_report(
    right_to_left: bool, shared: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    """Those with a letter that runs from right to left apart: on a line with one, marks of direction belong to it."""
    cases = [case for case in strings(shared) if bool(re.search(RIGHT_TO_LEFT, case["text"])) == right_to_left]
    (tmp_path / "qrels").write_text("q1 0 d1 1\n")
    (tmp_path / "a.run").write_text("q1 Q0 d1 1 2 a\nq1 Q0 d2 2 1 a\n")
    store, page = str(tmp_path / "t.db"), tmp_path / "report.html"
    name = " | ".join(case["text"] for case in cases)
    for words in (["init", store, "--name", name], ["import", "runs", store, str(tmp_path / "a.run")],
                  ["import", "qrels", store, str(tmp_path / "qrels")], ["report", store, str(page)]):  # fmt: skip
        assert cranfield(*words).code == 0, words[0]
    text = unescape(re.sub("<[^>]*>", "", page.read_text("utf-8")))
    for case in cases:
        assert visible_line(case["text"]).strip() in text, case["name"]


def test_headings_stand_out_in_a_terminal() -> None:
    """Unless its lines are shown as they are."""
    text = "Brakes\n\nOil\u202e them."
    document = Document("d", text=text, metadata={"layout": [[0, 6, "h1"], [9, 12, "strong"], [13, 18, "p"]]})

    def bold(screen: Screen) -> set[str]:
        pane = screen.terminal.document
        return {pane.text[first:last] for first, last in pane.spans["heading"]}

    assert bold(on_screen(document, "escape")) == {"Brakes", "il<U+202E>"}
    assert bold(on_screen(document, "escape", "o")) == set()
