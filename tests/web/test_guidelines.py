"""Guidelines are laid out as Markdown; what a stranger wrote in them does nothing."""

import pytest

pytestmark = pytest.mark.needs_extra("serve")

PROSE = """A document is relevant where it says anything that would help somebody
who has the question of the topic, even if the whole of the rest is about
another thing."""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Grades", "<h3>Grades</h3>"),
        ("##### Small", "<h6>Small</h6>"),
        ("0: no word\n1: a word", "<p>0: no word<br>\n1: a word</p>"),
        (PROSE, f"<p>{PROSE}</p>"),
        ("- **2** yes", "<ul>\n<li><strong>2</strong> yes</li>\n</ul>"),
        ("|a|b|\n|-|-|\n|1|2|", "<td>2</td>"),
        ("[page](https://example.org/)", ' rel="noopener noreferrer" target="_blank">page</a>'),
        ("<script>alert(1)</script>", "&lt;script&gt;"),
        ("<img src=x onerror=alert(1)>", "&lt;img src=x"),
        ("[a](javascript:alert(1))", "[a](javascript:alert(1))"),
        ("[a](data:text/html,x)", "[a](data:text/html,x)"),
        ("![a](https://example.org/a.png)", "!<a "),
        ("[a](/judge/undo)", "[a](/judge/undo)"),
        ("a\u202eb", "a&lt;U+202E&gt;b"),
        ("", ""),
    ],
)
def test_markdown_is_laid_out_and_nothing_in_it_acts(text: str, expected: str) -> None:
    from cranfield.web.guidelines import guidelines_markup

    found = str(guidelines_markup(text))
    assert expected in found
    assert "<script" not in found
    assert "<img" not in found


def test_long_and_deep_guidelines_are_written_at_once() -> None:
    from cranfield.web.guidelines import guidelines_markup

    for text in ("> " * 5000, "*" * 20000, "[" * 20000, "- a\n" * 5000, "`" * 9999 + "a"):
        assert guidelines_markup(text) is not None
    assert guidelines_markup("# a\n" * 6000).startswith('<div class="text"># a\n')
