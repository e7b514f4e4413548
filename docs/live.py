"""Reports that are part of the site, each opened by its picture in the gallery."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any

from pictures import cranfield, set_date

REPORTS = {"../images/report.png": ("workshop", ""), "../images/report-dark.png": ("workshop-by-team", "--by team")}
PICTURE = re.compile(r"^!\[(.*)\]\((.*)\)$", re.MULTILINE)
PAGE = "explanation/gallery"


def link_reports(text: str) -> str:
    """A page whose pictures of reports lead to the reports.

    >>> print(link_reports("![The top](../images/report.png)"))
    ```{image} ../images/report.png
    :alt: The top
    :target: ../reports/workshop.html
    :class: thumbnail
    ```
    >>> link_reports("![A figure](../images/curve.svg)")
    '![A figure](../images/curve.svg)'
    """
    return PICTURE.sub(_opens, text)


def _opens(picture: re.Match[str]) -> str:
    words, image = picture.groups()
    if image not in REPORTS:
        return picture[0]
    options = {"alt": words, "target": f"../reports/{REPORTS[image][0]}.html", "class": "thumbnail"}
    return "\n".join([f"```{{image}} {image}", *(f":{name}: {value}" for name, value in options.items()), "```"])


def write(app: Any, error: Exception | None) -> None:
    """Write the reports into a site that has the gallery."""
    if error is None and app.builder.name == "html" and PAGE in app.env.found_docs:
        out = Path(app.outdir) / "reports"
        out.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            cranfield("demo", Path(folder))
            set_date(Path(folder) / "workshop.db")
            for name, options in REPORTS.values():
                cranfield(f"report workshop.db {out / name}.html {options}", Path(folder))
