"""The documentation as a site: `sphinx-build -W docs build/site` after `pip install '.[docs]'`."""

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from accessible import mend  # noqa: E402
from in_full import fill  # noqa: E402
from live import PAGE, link_reports, write  # noqa: E402

import cranfield  # noqa: E402

project = "Cranfield"
author = "the authors of Cranfield"
version = release = cranfield.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_copybutton"]
copybutton_selector = "div:not(.highlight-text) > div.highlight > pre"  # what is typed, not what is printed
exclude_patterns = ["build"]
html_theme = "furo"
html_title = "Cranfield"
html_show_sphinx = False
html_show_copyright = False
html_show_sourcelink = False
html_copy_source = False
html_theme_options: dict[str, list[str]] = {"top_of_page_buttons": []}
html_css_files = ["site.css"]
html_static_path = ["static"]
highlight_language = "none"
smartquotes = False  # of --plot it would make a dash, of quotes in code curled ones
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
nitpicky = False


def setup(app: Any) -> None:
    """What the code says of itself fills the pages of the reference; the pages are made accessible."""
    app.connect("source-read", _read)
    app.connect("autodoc-process-docstring", _escape_stars)
    app.connect("build-finished", mend)
    app.connect("build-finished", write)


def _escape_stars(_app: Any, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]) -> None:
    """Keep the stars of command lines and of keywords from beginning emphasis."""
    for number, line in enumerate(lines):
        if line.startswith(("Example: cranfield ", "**")):
            lines[number] = line.replace("*", "\\*")


def _read(_app: Any, name: str, source: list[str]) -> None:
    text = fill(source[0])
    source[0] = link_reports(text) if name == PAGE else text
