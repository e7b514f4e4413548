"""How documents are displayed: whatever the layout, what the markup holds is the text; and what flows is prose."""

import inspect
import json
import re
import textwrap
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cranfield.display import layout, reflow
from cranfield.display.layout import ALLOWED_CHILDREN, KINDS, Region, layout_of, region_tree
from cranfield.display.reflow import flowing_spans, join_flowing_lines
from cranfield.formats import Document, read_corpus
from cranfield.judging.labels.pairs import Evidence
from cranfield.text import original_position_map, visible_position_map, visible_text
from tests.texts import TEXT


class Content(HTMLParser):
    """What a reader of markup finds: the characters, and whether the tags are nested as they should be."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text, self.opened, self.tags = "", list[str](), set[str]()
        self.after_pre = False

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.opened.append(tag)
        self.tags.add(tag)
        self.after_pre = tag == "pre"

    def handle_endtag(self, tag: str) -> None:
        assert self.opened.pop() == tag
        self.after_pre = False

    def handle_data(self, data: str) -> None:
        if self.opened and self.opened[-1] in ("table", "tr", "ul"):
            assert not data.strip()  # a browser would put words elsewhere
        self.text += data[1:] if self.after_pre and data.startswith("\n") else data
        self.after_pre = False


def content(html: str) -> Content:
    read = Content()
    read.feed(html)
    read.close()
    assert not read.opened
    return read


stretches = st.lists(
    st.tuples(st.integers(0, 40), st.integers(0, 40), st.sampled_from(sorted(KINDS))).map(
        lambda one: Region(min(one[:2]), max(one[:2]), one[2])
    ),
    max_size=12,
)
ROW = [Region(0, 3, "table"), Region(0, 3, "tr"), Region(0, 1, "td")]
marks = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)).map(sorted), max_size=4)


@pytest.mark.needs_extra("serve")
@given(TEXT, stretches, marks, st.integers(5, 50), st.sampled_from(get_args(reflow.Display)))
@example("\n\na\tb", [Region(0, 5, "pre")], [[1, 4]], 50, "auto")
@example(
    "a\tb", [Region(0, 3, "table"), Region(0, 3, "tr"), Region(0, 1, "td"), Region(2, 3, "td")], [[0, 3]], 50, "auto"
)
@example("a\tb", ROW, [], 50, "auto")
def test_the_markup_holds_the_text(
    text: str, layout: Sequence[Region], marked: Sequence[Sequence[int]], longest: int, display: reflow.Display
) -> None:
    """Joined over all blocks, whatever the layout and the marks; a place selected in it is a place in the text."""
    from cranfield.web.templates import ShownText

    fitting = [one for one in layout if one.end <= len(text)]
    on_screen = ShownText(text, fitting, display, longest)
    evidence = [Evidence(start, end, "") for start, end in marked if start < end <= len(text)]
    blocks = on_screen.blocks(evidence, "a, e")
    assert "".join(content(str(block)).text for block in blocks) == visible_text(text)


@pytest.mark.needs_extra("serve")
def test_only_our_tags_are_written() -> None:
    from cranfield.web.templates import ShownText

    text = "<script>alert(1)</script> & <img src=x onerror=y>"
    laid_out = ShownText(text, [Region(0, len(text), "p", lang="de"), Region(3, 9, "code")])
    html = content(str(laid_out.blocks()[0]))
    assert html.tags == {"div", "code"}
    assert layout_of({"layout": [[0, 1, "script"]]}, "a") == []
    assert layout_of({"layout": [[0, 1, "p", {"dir": '"><b', "lang": "a b"}]]}, "a") == [Region(0, 1, "p")]
    wrong: object
    for wrong in ([[0, True, "p"]], [[1, 0, "p"]], [[0, 1]], [[0, 1, "p", 3]], {}, [None]):
        assert layout_of({"layout": wrong}, "ab") == []


@pytest.mark.needs_extra("serve")
def test_a_layout_becomes_lists_headings_and_tables() -> None:
    from cranfield.web.templates import ShownText

    text = "T\n\n- a\n- b\n\nx\ty\n\nrest"
    spans = [
        (0, 1, "h3"),
        (3, 6, "li"),
        (7, 10, "li"),
        (12, 15, "table"),
        (12, 15, "tr"),
        (12, 13, "th"),
        (14, 15, "td"),
    ]
    html = str(ShownText(text, [Region(*one) for one in spans]).blocks()[0])
    assert html == (
        '<h2 dir="auto">T</h2><span class="gap">\n\n</span><ul><li dir="auto">- a</li>\n<li dir="auto">- b</li></ul>'
        '<span class="gap">\n\n</span><table tabindex="0"><tr><th dir="auto">x</th>\t<td dir="auto">y</td></tr></table>'
        '<span class="gap">\n\n</span><div class="p" dir="auto">rest</div>'
    ).replace("\t", " " * 7)


@pytest.mark.needs_extra("serve")
def test_the_original_has_no_layout() -> None:
    from cranfield.web.templates import ShownText

    original = ShownText("T\n\nx", [Region(0, 1, "h1")], "lines")
    assert str(original.blocks()[0]) == "T\n\nx"
    assert original.is_laid_out
    assert not ShownText("T\n\nx").is_laid_out


@pytest.mark.needs_extra("serve")
def test_every_text_of_several_lines_has_another_display() -> None:
    """Lines as they are where anything is laid out, else lines that flow, except drawn ones; and back."""
    from cranfield.web.templates import ShownText

    wrapped = textwrap.fill(" ".join(PROSE.split()), 72)
    for text, regions, displays in (
        (wrapped, [], ["lines", "auto"]), (VERSE, [], ["flow", "lines", "flow"]), ("a line", [], [None]),
        ("a line\n\nanother", [], [None]),
        ("T\n\nx", [Region(0, 1, "h1")], ["lines", "auto"]),
    ):  # fmt: skip
        display: reflow.Display = "auto"
        for expected in displays:
            other = ShownText(text, regions, display).other_display
            assert other == expected
            display = other or display
    assert [*flowing_spans(f"{VERSE}\n\nhub     12.50\nspoke    0.40", display="flow")] == [(0, len(VERSE))]
    assert [*flowing_spans(wrapped, display="lines")] == []


@given(TEXT)
def test_places_go_there_and_back(text: str) -> None:
    to, back = visible_position_map(text), original_position_map(text)
    on_screen = visible_text(text)
    for place in range(len(text) + 1):
        assert to(place) == next(at for at in range(len(on_screen) + 1) if back(at) >= place)


PROSE = textwrap.dedent(
    """
    The brakes of a bicycle are its most important part, and the one that is looked after least. A pad that is worn
    down to the metal scratches the rim, which then has to be replaced as well, at several times the price of the pads.
    Look at them every month: what remains should be at least as thick as a coin, and equally thick on both sides.
    """
).strip()
VERSE = """Shall I compare thee to a summer's day?
Thou art more lovely and more temperate:
Rough winds do shake the darling buds of May,
And summer's lease hath all too short a date;"""


@pytest.mark.parametrize("width", [60, 72, 79])
@pytest.mark.parametrize("indent", ["", "  "])
def test_prose_flows(width: int, indent: str) -> None:
    """Wrapped at any width, also as an indented paragraph; its length does not change on a terminal."""
    text = textwrap.fill(" ".join(PROSE.split()), width, initial_indent=indent, subsequent_indent=indent)
    assert [*flowing_spans(f"Title\n\n{text}\n\nx")] == [(7, 7 + len(text))]
    assert join_flowing_lines(text) == text.replace("\n", " ")


BROKEN = """brakes and their wear
  the brakes of a bicycle are looked after least, and a
pad that is worn to the metal scratches the rim of the wheel, which then
has to be replaced (see fig. 1 of the manual), at several
times the price of the pads .
  it is thus advised to look at them every month
and to replace a pad that is thinner than a coin ."""


def test_lines_that_go_on_flow_by_paragraphs() -> None:
    """Wherever they were broken; the first line of a paragraph is indented, or follows a sentence with room left."""
    flowing = [BROKEN[start:end].split("\n") for start, end in flowing_spans(BROKEN)]
    assert [(lines[0].split()[0], len(lines)) for lines in flowing] == [("the", 4), ("it", 2)]
    ended = BROKEN.replace("\n  ", "\n").replace("wear\n", "wear .\n")
    assert [ended[start:].split()[0] for start, _ in flowing_spans(ended)] == ["the", "it"]


def test_the_texts_of_cranfield_1400_flow(shared: Path) -> None:
    """Most of their lines, in 95% of them; hardly one is full."""
    texts = [document.text for document in read_corpus(shared / "cranfield1400/smart/cran.all.1400.gz")]
    several = [text for text in texts if "\n" in text]
    shares = [
        sum(text[start:end].count("\n") for start, end in flowing_spans(text)) / text.count("\n") for text in several
    ]
    assert sum(share >= 0.5 for share in shares) >= 0.95 * len(shares)


@pytest.mark.parametrize(
    "text",
    [
        VERSE,
        "a lamp is lit across the water now,\nand someone rows towards it, very slow,\nthe oars are wet,\n"
        "the rower hums a tune that nobody can know,\nbut all the reeds along the shore may hear,\nand bow.",
        "The wind goes over the hill and takes the leaves along,\nThe leaves lie under the snow and nobody asks.",
        inspect.getsource(layout.region_tree),
        "\n".join(f"{number}. an item of a list that is rather long, and has words" for number in range(1, 5)),
        "name     value of the field that is described in the table\nother    another value of a field in the table",
        "> quoted text of a message that goes on for a whole line,\n> and a second line that is quoted as well, here",
        "short\nlines\nonly",
        "-" * 60 + "\na line below that is long enough to be taken for text, it is",
    ],
)  # fmt: skip
def test_all_else_stays(text: str) -> None:
    assert [*flowing_spans(text)] == []


@pytest.mark.needs_extra("serve")
def test_columns_and_code_keep_their_places() -> None:
    """They scroll, in letters of one width; a line alone and verse do not."""
    from cranfield.web.templates import ShownText

    table, code = "hub     12.50\nspoke    0.40", "def f(x):\n    return x(1)"
    assert [shape for *_, shape in reflow.block_shapes(f"{table}\n\n{code}\n\n{VERSE}\n\na    b")] == ["drawn", "drawn"]
    html = str(ShownText(f"{table}\n\nend").blocks()[0])
    assert html == f'<span class="drawn" tabindex="0">{table}</span>\n\nend'
    assert "drawn" not in str(ShownText(table, display="lines").blocks()[0])


@pytest.mark.needs_extra("serve")
def test_no_source_of_ours_flows() -> None:
    """Of the blocks of these modules, docstrings apart, none is taken for prose."""
    from cranfield.display import markup

    for module in (layout, markup, reflow):
        code = re.sub(r'r?""".*?"""', "", inspect.getsource(module), flags=re.DOTALL)
        assert [*flowing_spans(code)] == []


def test_lines_without_blanks_are_joined() -> None:
    text = "\n".join(["漢字" * 26] * 2)
    assert join_flowing_lines(text) == text
    assert reflow.is_between_cjk_characters("漢\n字", 1)


@pytest.mark.needs_extra("serve")
def test_every_kind_has_a_place() -> None:
    from cranfield.display.markup import Mark, TextMarkup

    assert {kind for kinds in ALLOWED_CHILDREN.values() for kind in kinds} == set(KINDS)
    for kind in KINDS - {"tr", "td", "th"}:
        html = TextMarkup("abc", region_tree([Region(0, 3, kind)], "abc")).write(0, 3, [Mark(0, 1, "m")])
        assert content(str(html)).text == "abc"


@pytest.mark.needs_extra("serve")
def test_the_invisible_strings(shared: Path) -> None:
    """Those that scripts and emoji are written with stay whole; those that hide something are marked."""
    from cranfield.web.templates import ShownText

    cases = [json.loads(line) for line in (shared / "texts" / "invisible.jsonl").read_text("utf-8").splitlines()]
    assert len(cases) == 39
    for case in cases:
        whole = "<U+" not in str(ShownText(case["text"]).blocks()[0]).replace("&lt;", "<")
        assert whole == (case["shown"] == "whole"), case["name"]


@pytest.mark.needs_extra("serve")
def test_the_organiser_sees_no_layout_among_the_facts() -> None:
    """It is what the text is displayed with; what only has its name is a fact."""
    from cranfield.web.language import ENGLISH
    from cranfield.web.look import documents

    document = Document("d1", text="Oil", metadata={"layout": [[0, 3, "h1"]], "year": 1958})
    assert [name for name, _ in documents._facts(document, ENGLISH)] == ["docno", "year", "text"]
    assert ("layout", "portrait") in documents._facts(document._replace(metadata={"layout": "portrait"}), ENGLISH)
