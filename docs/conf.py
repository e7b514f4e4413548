"""The documentation as a site: `sphinx-build -W docs build/site` after `pip install '.[docs]'`."""

import re
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
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
copybutton_selector = "div:not(.highlight-text) > div.highlight > pre"  # what is typed, not what is printed
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
autodoc_typehints = "none"  # the docstrings describe the types of parameters
default_role = "code"  # what docstrings have in backquotes
nitpicky = False


def setup(app: Any) -> None:
    """What the code says of itself fills the pages of the reference; the pages are made accessible."""
    app.connect("source-read", _read)
    app.connect("autodoc-process-docstring", _escape, priority=400)  # before napoleon, which adds stars
    app.connect("build-finished", mend)
    app.connect("build-finished", write)


def _escape(_app: Any, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]) -> None:
    """Show examples as code. Keep stars from beginning emphasis, and nDCG@10 from being an address."""
    for number, line in enumerate(lines):
        start, example, command = line.partition("Example: ")
        if example and not start:
            lines[number] = f"Example: ``{command}``"
        else:
            lines[number] = re.sub(r"(`[^`]*`)|([*@])", lambda match: match[1] or f"\\{match[2]}", line)


def _read(_app: Any, name: str, source: list[str]) -> None:
    text = fill(source[0])
    source[0] = link_reports(text) if name == PAGE else text
