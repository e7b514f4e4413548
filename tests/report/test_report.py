"""The report: one page that needs nothing else, the same each time, with the numbers of the analysis; and its card."""

import json
import re
import shutil
from collections import Counter
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from cranfield.analysis.change_rows import change_rows, sort_worst_first
from cranfield.analysis.reusability import reusability_verdict
from cranfield.analysis.verdict import Verdict, numbers
from cranfield.charts.svg.markup import plain_text
from cranfield.errors import InputError
from cranfield.formats.text_tables import format_cell
from cranfield.metrics.evaluate import evaluate, score, with_judged_shares
from cranfield.metrics.notation import parse, parse_measures
from cranfield.options.trusting import MEASURES
from cranfield.pooling.build import build_pool
from cranfield.pooling.methods import METHODS
from cranfield.report.by_topic import scores
from cranfield.report.table import signed_cell
from cranfield.store.pools import Pool as StoredPool
from cranfield.store.pools import add_pool
from cranfield.store.runs import stored_runs
from cranfield.store.store import Store
from cranfield.view import View
from tests.conftest import Cranfield
from tests.files import track_files
from tests.report.conftest import DEPTH, EVIL, SYSTEMS, TOPICS, write
from tests.stores import new_file
from tests.views import view_of

pytestmark = pytest.mark.needs_extra("report")


VOID = {"meta", "link", "br", "hr", "img", "input"}


class Page(HTMLParser):
    """What a page consists of; a tag that closes another than the last one open is an error."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.within: list[tuple[tuple[str, ...], str]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag of a picture that closes itself."""
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Text, and what it is within."""
        self.within.append((tuple(self.open), data))

    def every(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of all such tags."""
        return [attributes for name, attributes in self.tags if name == tag]

    def text(self, tag: str) -> list[str]:
        """The texts right inside such tags."""
        return [data for path, data in self.within if path and path[-1] == tag]


@pytest.fixture(scope="module")
def text(folder: Path) -> str:
    """The page as text."""
    return (folder / "x.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(text: str) -> Page:
    """The page."""
    return Page(text)


@pytest.mark.full
def test_it_is_well_formed_and_says_its_language(page: Page, text: str) -> None:
    """Tags balance (the parser asserts it), ids are unique and what refers to one finds it."""
    ids = [str(attributes["id"]) for _, attributes in page.tags if "id" in attributes]
    assert [name for name, times in Counter(ids).items() if times > 1] == []
    references = [str(a[key]) for _, a in page.tags for key in ("aria-labelledby",) if a.get(key)]
    targets = [str(a["href"])[1:] for _, a in page.tags if str(a.get("href", "")).startswith("#")]
    clips = re.findall(r"url\(#([^)]+)\)", text)
    assert {name for names in references for name in names.split()} | set(targets) | set(clips) <= set(ids)
    assert page.every("html") == [{"lang": "en"}]


def test_it_needs_no_network(page: Page, text: str) -> None:
    """Nothing is loaded: no src, no stylesheet, no import, no url() but within the page."""
    assert [attributes for _, attributes in page.tags if "src" in attributes or "srcset" in attributes] == []
    assert page.every("link") == []
    assert all(str(attributes.get("href", "#")).startswith("#") for _, attributes in page.tags)
    assert re.findall(r"@import|@font-face|url\((?!#)", text) == []


def test_text_is_text(page: Page, text: str) -> None:
    """A run called <script> is a name; controls are seen; the one script is the page's own."""
    assert len(page.every("script")) == 1
    assert EVIL not in text
    assert EVIL in [data.strip() for data in page.text("th")]
    assert any(EVIL[:8] in data for path, data in page.within if "svg" in path)
    assert "\x1b" not in text
    assert "\u202e" not in "".join(page.text("th") + page.text("td"))
    assert page.text("h1") == [f"A {EVIL}"]


@pytest.mark.full
def test_a_title_of_ones_own(folder: Path, tmp_path: Path) -> None:
    """It is the heading and the name of the page, and the command at its end has it."""
    text = write([folder / "x.db"], tmp_path / "y.html", title="Our <track>", card_only=True)
    assert "<h1>Our &lt;track&gt;</h1>" in text
    assert "<title>Our &lt;track&gt;: test collection report</title>" in text
    assert "--title &#39;Our &lt;track&gt;&#39;" in text


def test_every_figure_has_a_title_and_a_description(page: Page) -> None:
    """Pictures speak to screen readers, too."""
    pictures = page.every("svg")
    assert len([a for a in pictures if a["class"] == "chart"]) == 7
    for attributes in pictures:
        if attributes["class"] != "chart":  # its numbers stand beside it
            assert attributes["aria-hidden"] == "true"
            continue
        title, description = str(attributes["aria-labelledby"]).split()
        assert attributes["role"] == "img"
        assert [a["id"] for a in page.every("title") if a.get("id") == title] == [title]
        assert [a["id"] for a in page.every("desc") if a.get("id") == description] == [description]
    assert len(page.text("figcaption")) == 7


def test_tables_have_captions_and_scopes(page: Page) -> None:
    """Each table has a caption, each heading says what it heads, each box can be reached by keyboard."""
    assert len(page.every("table")) == len(page.every("caption")) >= 8
    assert all(attributes.get("scope") in ("col", "row") for attributes in page.every("th"))
    boxes = [attributes for attributes in page.every("div") if str(attributes.get("class")).startswith("scroll")]
    assert all(a.get("tabindex") == "0" and (a.get("aria-label") or a.get("aria-labelledby")) for a in boxes)


def test_headings_descend_by_one(page: Page) -> None:
    """One h1, and no level is skipped; the skip link leads to the main part."""
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch(r"h\d", tag)]
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    first = page.every("a")[0]
    assert (first["class"], first["href"]) == ("skip", "#main")


def test_it_has_all_parts(page: Page, text: str) -> None:
    """From the collection to the command, which names no folder."""
    parts = [
        "Reusability card",
        "The systems",
        "Runs by topic",
        "The topics",
        "The collection",
        "The pool",
        "The judging",
    ]
    assert page.text("h2") == [*parts, "How to cite"]
    assert page.text("code")[-1] == "cranfield report x.db OUT.html --by run"
    assert "CC0" in text
    assert "Cohen" in text
    assert re.search(r"SHA-256 [0-9a-f]{64}", text)


@pytest.mark.full
def test_same_source_same_bytes(folder: Path, text: str) -> None:
    """Also from another name; the date is the collection's own."""
    assert write([folder / "x.db"], folder / "again.html") == text


@pytest.mark.full
def test_the_card_as_json(folder: Path) -> None:
    """The JSON of `reusability` with what it has to be read beside."""
    card = json.loads(write([folder / "x.db"], folder / "x.json"))
    assert list(card) == [
        "collection", "closure", "by", "depth", "topics", "pool", "units", "untested", "draws", "not_drawn",
        "no_verdict", "summary", "reservations", "relevant_share", "floor", "contributors", "partial_answers", "remedy",
        "worst_measure",
        "kinds", "next_system", "dial", "stability", "made_by",
    ]  # fmt: skip
    assert card["collection"]["runs"] == SYSTEMS
    assert card["closure"] == {"closed_topics": TOPICS, "topics": TOPICS}
    assert [row["depth"] for row in card["dial"]["rows"]] == list(range(1, DEPTH + 1))
    assert card["stability"]["topics"] == TOPICS
    assert card["dial"]["rows"][-1]["mean_change_percent"] == pytest.approx(
        card["summary"]["AP"]["mean_change_percent"]
    )
    assert card["made_by"]["command"] == "cranfield report x.db OUT.json --by run"


def test_the_card_as_markdown(folder: Path) -> None:
    """Headings in order, names that are no markup, tables that are whole."""
    card = write([folder / "x.db"], folder / "x.md", by="team", measures=["P@5", "AP"])
    headings = [line for line in card.splitlines() if line.startswith("#")]
    assert headings == [
        f"# Reusability card: A {EVIL}".replace("<", "\\<"), "## By P@5", "## By AP", "## Each team left out, by P@5",
        "## Pool depths, by P@5", "## Stability over topics, by P@5",
    ]  # fmt: skip
    assert re.search(r"(?<!\\)<script", card) is None
    for block in re.findall(r"(?:^\|.*\n)+", card, re.MULTILINE):
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}) == 1
    assert card.endswith("`cranfield report x.db OUT.md --by team -m P@5 -m AP`\n")


@pytest.mark.full
def test_the_card_alone_as_a_page(folder: Path) -> None:
    """--card-only leaves out the rest."""
    alone = Page(write([folder / "x.db"], folder / "card.html", card_only=True))
    assert alone.text("h2") == ["Reusability card", "How to cite"]


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two runs and several qrels, which is where the command runs."""
    monkeypatch.chdir(tmp_path)
    contents = {
        "qrels": "q1 0 d1 2\nq1 0 d2 0\nq1 0 d3 1\nq2 0 d1 1\n", "none": "q1 0 d1 0\nq1 0 d3 0\nq2 0 d1 0\n",
        "one": "q1 0 d1 1\nq1 0 d3 0\n",
        "a": "q1 Q0 d1 1 9 a\nq1 Q0 d2 2 8 a\nq2 Q0 d1 1 7 a\n", "b": "q1 Q0 d3 1 9 b\nq1 Q0 d1 2 8 b\n",
    }  # fmt: skip
    for name, content in contents.items():
        Path(name).write_text(content)
    return tmp_path


@pytest.mark.parametrize(
    ("files", "lack"),
    [
        ("qrels a", "two pooled runs and two judged topics; this source has 1 and 2"),
        ("one a b", "two pooled runs and two judged topics; this source has 2 and 1"),
        ("none a b", "needs relevant documents; there are no relevant documents in this source"),
    ],
)
def test_a_page_says_why_it_has_no_card(small: Path, files: str, lack: str) -> None:
    """One run, one topic or nothing relevant: the page is there, and the card alone is refused."""
    paths = [Path(name) for name in files.split()]
    page = Page(write(paths, Path("o.html")))
    assert any(lack in text for text in page.text("p"))
    with pytest.raises(InputError, match=lack):
        write(paths, Path("o.md"))


def test_a_page_of_two_topics(small: Path) -> None:
    """The smallest that has a card, from plain files."""
    page = Page(write([Path("qrels"), Path("a"), Path("b")], Path("o.html")))
    parts = ["Reusability card", "The systems", "Runs by topic", "The topics", "The collection", "How to cite"]
    assert page.text("h2") == parts
    assert page.text("code")[-1] == "cranfield report qrels RUNS... OUT.html --by run"
    partial = "1 of 2 runs did not answer all 2 judged topics and scores 0 there: b 1;"
    assert sum(text.startswith(partial) for text in page.text("p")) == 2


def test_a_store_with_nothing_in_it(small: Path) -> None:
    """What it is called, and what it lacks."""
    page = Page(write([new_file("empty.db", "to be filled")], Path("o.html")))
    assert page.text("h2") == ["The collection", "How to cite"]
    assert any("Nothing to measure yet: there are no runs in this store" in text for text in page.text("p"))


@pytest.mark.full
def test_a_pool_of_another_method_has_no_dial(folder: Path, tmp_path: Path) -> None:
    """It is built anew without each unit; no shallower pool is part of it: neither dial nor closure."""
    shutil.copy(folder / "x.db", tmp_path / "fused.db")
    with Store.open(tmp_path / "fused.db") as store:
        runs = stored_runs(store)
        parameters = {"depth": None, "considered": 20, "budget": 20, "runs": list(runs.tags)}
        pooled = build_pool(METHODS["rrf"], runs, 20, budget=20)
        add_pool(store, StoredPool("rrf", parameters, pooled))
    card = json.loads(write([tmp_path / "fused.db"], tmp_path / "o.json", by="cluster", measures=["AP"]))
    assert (card["dial"], card["closure"], card["by"]) == (None, None, "cluster")
    assert "Pool depths" not in write([tmp_path / "fused.db"], tmp_path / "o.md", measures=["AP"])
    page = Page(write([tmp_path / "fused.db"], tmp_path / "o.html", measures=["AP"]))
    assert any("there are no shallower pools to compare" in text for text in page.text("p"))


def test_a_page_without_a_verdict(small: Path) -> None:
    """Where most of what is judged came from elsewhere: the numbers of each run, no headline, no dial, and why."""
    elsewhere = [f"q{topic} 0 x{number} 0" for topic in (1, 2) for number in range(20)]
    Path("more").write_text(Path("qrels").read_text() + "\n".join(elsewhere) + "\n")
    page = Page(write([Path("more"), Path("a"), Path("b")], Path("o.html"), depth=1))
    assert page.text("span") + page.text("p") != []
    assert "Not tested" in page.text("p")
    assert any("The pool of these runs does not explain" in text for text in page.text("p"))
    assert not any("how to read it" in text or "Pool depths" in text for _, text in page.within)
    assert any("Each run scored as if it had not contributed" in text for _, text in page.within)


def test_what_is_refused(small: Path) -> None:
    """A kind of file that it does not write, a provenance that is not there, files without runs."""
    with pytest.raises(InputError, match=r"o\.gif: unknown report format; expected \.html, \.md, \.json"):
        write([Path("qrels"), Path("a")], Path("o.gif"))
    with pytest.raises(InputError, match="'x' does not occur in the second column of the qrels"):
        write([Path("qrels"), Path("a"), Path("b")], Path("o.html"), protect="x")
    with pytest.raises(InputError, match="a qrels file without runs"):
        write([Path("qrels")], Path("o.html"))


def test_treccovid_is_told_as_published(shared: Path, tmp_path: Path) -> None:
    """Some runs of round 1, with teams and provenance: the card has the units, and the command its options."""
    folder = shared / "treccovid-r1"
    pooled = [line.split("\t")[0] for line in (folder / "teams.tsv").read_text().splitlines()[1:9]]
    files = [next((folder / "runs").glob(f"{tag}*")) for tag in pooled]
    out = write(
        [folder / "qrels-rnd1.txt.gz", *files], tmp_path / "o.md",
        by="team", teams=folder / "teams.tsv", protect="0.5", depth=7, measures=["AP"],
    )  # fmt: skip
    assert "--by team --depth 7 -m AP --teams teams.tsv --protect 0.5`" in out
    assert "| topics | 30 |" in out


def test_rows_of_minus_one_are_no_judgments(tmp_path: Path, cranfield: Cranfield) -> None:
    """Of a file; one of -2 is, which is not relevant. By the rule of `pool verify`."""
    grades = {"d0": 1, "d1": 0, "d2": -1, "d3": -2, "d4": -1}
    page, two = tmp_path / "page.html", dict.fromkeys(("q1", "q2"), grades)
    runs = {tag: dict.fromkeys(two, (*grades,)) for tag in "ab"}
    output = cranfield("report", *track_files(tmp_path, two, runs), page)
    assert (output.code, output.out) == (0, f"{page}: report written\n"), output.err
    text = page.read_text("utf-8")
    facts = dict(re.findall(r"<dt>([^<]*)</dt><dd>([^<]*)</dd>", text))
    assert facts["judgments"] == "6 in qrels; 4 more rows with grade -1 (in qrels files, grade -1 means unjudged)"
    assert facts["judged documents"] == "3"
    assert facts["judgments by grade"] == "-2: 2, 0: 2, 1: 2"
    assert "6 judgments of 2 topics" in text


def test_the_first_ranks_show_fractions_and_long_grades(tmp_path: Path, cranfield: Cranfield) -> None:
    """Grades are shown as they are, and coloured as relevant from the threshold on."""
    topics = ("q1", "q2")
    lines = [f"{topic} 0 d{at} {grade}" for topic in topics for at, grade in enumerate(("0", "0.5", "1.5", "5700123"))]
    _, *runs = track_files(tmp_path, {}, {tag: dict.fromkeys(topics, ("d0", "d1", "d2", "d3")) for tag in "ab"})
    (tmp_path / "graded.qrels").write_text("\n".join(lines) + "\n")
    page = tmp_path / "page.html"
    output = cranfield("report", tmp_path / "graded.qrels", *runs, page)
    assert output.code == 0, output.err
    cells = re.findall(r'<td class="(g[^"]*)">([^<]*)</td>', page.read_text("utf-8"))
    assert {*cells} == {("g0", "0"), ("g0", "0.5"), ("g1", "1.5"), ("g3", "5700123")}


Rows = list[list[str]]


@pytest.fixture(scope="module")
def source(folder: Path) -> View:
    return view_of([folder / "x.db"])


@pytest.fixture(scope="module")
def verdict(source: View) -> Verdict:
    return reusability_verdict(source, "run", None, parse_measures(MEASURES))


def rows_of(text: str, key: str) -> Rows:
    """The cells of a table's body, without their small print and pictures."""
    body = re.split(rf'<table[^>]* id="{key}"', text)[1].partition("<tbody>")[2].partition("</tbody>")[0]
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"<tr.*?</tr>", body)]


def plain(markup: str) -> str:
    """The text of a cell."""
    return unescape(re.sub(r"<[^>]*>", "", re.sub(r"<(small|svg).*?</\1>", "", markup)))


@pytest.mark.full
def test_the_units_and_the_slopes(text: str, verdict: Verdict) -> None:
    """Ranks, scores and changes of each left-out run; the graph has the same ranks."""
    rows = sort_worst_first(change_rows(verdict.left_out, ["AP"]))
    cells = [
        [plain_text(row["run"]), *(format_cell(row[name]) for name in ("rank", "rank without", "score", "without")),
         signed_cell(row["change %"], 2).text,
         format_cell(row["unique"]), format_cell(row["relevant"]), f"{row['tau']:.3f}"]
        for row in rows
    ]  # fmt: skip
    assert [[plain(one) for one in row] for row in rows_of(text, "units")] == cells
    graph = text[text.index('id="figure-ranks"') :].partition("</svg>")[0]
    labels = [unescape(label) for label in re.findall(r"<text[^>]*>([^<]*)</text>", graph)]
    before = sorted(int(label.split()[-1]) for label in labels if re.search(r"\S  \d+$", label))
    assert before == sorted(row["rank"] for row in rows)


def test_the_verdict_table(text: str, verdict: Verdict) -> None:
    """Every number by every measure, with what is particular to it."""
    by_measure = [[number for number in numbers(verdict, name) if not number.shared] for name in MEASURES]
    rows = rows_of(text, "verdict")
    assert [plain(row[0]) for row in rows] == [number.name for number in by_measure[0]]
    for at, own in enumerate(by_measure, 1):
        assert [plain(row[at]) for row in rows] == [plain_text(number.value) for number in own]
        about = [unescape("".join(re.findall("<small>(.*?)</small>", row[at]))) for row in rows]
        assert about == [plain_text(number.about) for number in own]


def test_the_systems(text: str, source: View) -> None:
    """The rank and the means of every run by every measure and the judged share within each cutoff, best first."""
    names = [*map(str, with_judged_shares([parse(name) for name in MEASURES], source.pool_depth or 10))]
    table = evaluate(source.judged, measures=names)
    means = {(str(run), str(name)): float(value) for run, name, value in table.to_numpy().tolist()}
    order = sorted(source.judged.tags, key=lambda run: -means[run, "AP"])
    values = [[plain(one).lstrip("†") for one in row[: 2 + len(names)]] for row in rows_of(text, "scores-table")]
    ranks = {run: sum(means[other, "AP"] > means[run, "AP"] + 1e-9 for other in order) + 1 for run in order}
    numbers = {run: [format_cell(means[run, name]) for name in names] for run in order}
    assert values == [[plain_text(run), f"{ranks[run]}", *numbers[run]] for run in order]


def test_the_map_and_the_comparison(text: str, source: View) -> None:
    """Scores of runs by topic; differences of the best two."""
    judged = source.judged
    scores = score(judged, [parse("AP")])[..., 0]
    order = np.argsort(-scores.mean(axis=1), kind="stable").tolist()
    topics = [judged.qids.index(f"q{number}") for number in range(len(judged.qids))]
    full = [[float(one) for one in row.split()] for row in re.findall(r'data-scores="([^"]*)"', text)]
    assert np.allclose(full, scores[np.ix_(order, topics)], rtol=0, atol=5e-10)
    values = [[plain(one) for one in row[2:]] for row in rows_of(text, "map")]
    assert values == [[f"{one:.2f}".removeprefix("0") for one in row] for row in scores[np.ix_(order, topics)].tolist()]
    first, second = scores[order[0]], scores[order[1]]
    for qid, one, other, difference, _ in [[plain(each) for each in row] for row in rows_of(text, "comparison")]:
        at = judged.qids.index(qid)
        assert (one, other) == (format_cell(float(first[at])), format_cell(float(second[at])))
        assert float(difference) == pytest.approx(first[at] - second[at], abs=5e-5)


def test_the_topics(text: str, source: View) -> None:
    """Quartiles over the runs, and what was judged and relevant."""
    judged = source.judged
    scores = score(judged, [parse("AP")])[..., 0]
    best = int(scores.mean(axis=1).argmax())
    rows = [[plain(one) for one in row] for row in rows_of(text, "topics-table")]
    assert sorted(row[0] for row in rows) == sorted(judged.qids)
    for row in rows:
        at = judged.qids.index(row[0])
        low, lower, median, upper, high = (format_cell(float(np.quantile(scores[:, at], q / 4))) for q in range(5))
        assert row[1:3] + row[4:8] == [format_cell(float(scores[best, at])), median, low, lower, upper, high]
        grades = judged.qrels_grade[judged.qrels_topic == at]
        assert row[9:] == [str((grades >= 0).sum()), str((grades >= 1).sum())]


def test_the_first_ranks(text: str, source: View) -> None:
    """Grades and holes, found one document after the other."""
    runs, qrels = source.runs, source.qrels
    names = (qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document])
    grades = dict(zip(zip(*names, strict=True), map(str, qrels.grade.tolist()), strict=True))
    ranked: dict[tuple[str, str], list[str]] = {}
    for run, topic, document in zip(
        runs.run, runs.topics.names[runs.topic], runs.docnos.names[runs.document], strict=True
    ):
        ranked.setdefault((plain_text(runs.tags[run]), str(topic)), []).append(grades.get((topic, document), "?"))
    heads = re.findall(r"<th[^>]*>([^<]*)</th>", text[text.index('<table id="all-ranks"') :].partition("</thead>")[0])
    holes = 0
    for row in rows_of(text, "all-ranks"):
        run, *cells = [plain(one) for one in row]
        assert cells == [" ".join(ranked[run, topic][:10]) for topic in heads[1:]]
        holes += sum(one.count("?") for one in cells)
    assert holes > 0


def test_the_caption_names_the_test_that_gave_p(tmp_path: Path) -> None:
    """Both runs differ by 0.5 in RR on all topics: t is undefined, and p is the sign test's."""
    topics = [str(number) for number in range(10)]
    (tmp_path / "q").write_text("".join(f"{qid} 0 d 1\n{qid} 0 n 0\n" for qid in topics))
    for tag, order in (("a", "dn"), ("b", "nd")):
        lines = [f"{qid} Q0 {doc} {at} {9 - at} {tag}\n" for qid in topics for at, doc in enumerate(order, 1)]
        (tmp_path / tag).write_text("".join(lines))
    source = view_of([tmp_path / name for name in "qab"])
    assert "that measure (sign test, corrected for all 1 pair of runs" in str(scores(source, parse_measures(["RR"])))
