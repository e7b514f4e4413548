"""Ten questions of users: two clicks lead from the README to the page that answers each."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.readme import PAGES

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```|^    [^\n]*$", re.MULTILINE | re.DOTALL)
CLICKS = 2
QUESTIONS = {  # the words of a row of the README, the page with the answer, and what the page shows
    "score my runs": ("docs/start/evaluate.md", "    cranfield evaluate qrels.txt runs/*"),
    "compare two systems": ("docs/start/evaluate.md", "    cranfield compare qrels.txt runs/* --baseline"),
    "fair to my new run": ("docs/start/fair.md", "    cranfield diagnose qrels.txt"),
    "build a test collection": ("docs/build/pool.md", "    cranfield pool build"),
    "judge documents": ("docs/judge/judge.md", "cranfield judge"),
    "two or more assessors": ("docs/judge/adjudicate.md", "cranfield adjudicate"),
    "export qrels": ("docs/start/build.md", "    cranfield export qrels"),
    "answers (RAG)": ("docs/measure/rag.md", "    cranfield answers"),
    "A/B test": ("docs/online/ab-test.md", "    cranfield online ab"),
    "publish a collection": ("docs/share/publish.md", "    cranfield publish build"),
}


def link_targets(page: Path, text: str) -> Iterator[tuple[Path, str]]:
    """The pages and anchors to which the text of a page leads."""
    for _, target in LINK.findall(FENCE.sub("", text)):
        path, _, anchor = target.partition("#")
        if ":" not in path and (not path or path.endswith(".md")):
            yield ((page.parent / path).resolve() if path else page), anchor


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings."""
    titles = HEADING.findall(FENCE.sub("", page.read_text(encoding="utf-8")))
    plain = [re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", title).lower() for title in titles]
    return {re.sub(r"[^\w\- ]", "", title).strip().replace(" ", "-") for title in plain}


@pytest.mark.parametrize("question", QUESTIONS)
def test_two_clicks_lead_to_the_answer(question: str) -> None:
    """The first click is in the row of the question; a page that it opens may lead on."""
    readme = ROOT / "README.md"
    target, command = QUESTIONS[question]
    [row] = [
        line for line in readme.read_text(encoding="utf-8").splitlines() if line.startswith("| ") and question in line
    ]
    reached = {page for page, _ in link_targets(readme, row)}
    for _ in range(CLICKS - 1):
        reached |= {to for page in reached for to, _ in link_targets(page, page.read_text(encoding="utf-8"))}
    assert ROOT / target in reached
    assert command in (ROOT / target).read_text(encoding="utf-8")


def test_titles_name_no_person() -> None:
    """A title is a task or a subject, so that its first word says what the page is about."""
    titles = {page: HEADING.findall(page.read_text(encoding="utf-8"))[0] for page in PAGES}
    assert {page.stem: title for page, title in titles.items() if title.startswith(("For ", "The "))} == {
        "store": "The store"
    }


def test_every_anchor_is_a_heading() -> None:
    """A link to a part of a page names a heading there."""
    links = {
        (page.relative_to(ROOT).as_posix(), to.relative_to(ROOT).as_posix(), anchor)
        for page in [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"]
        for to, anchor in link_targets(page, page.read_text(encoding="utf-8"))
        if anchor
    }
    assert {link for link in links if link[2] not in anchors(ROOT / link[1])} == set()
    assert links
