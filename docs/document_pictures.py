"""Pictures of documents of each kind, as assessors see them: `python docs/pictures.py documents` draws them again."""

from __future__ import annotations

import io
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any

import screens

SIZES = {"wide": (1280, 800), "phone": (390, 780)}
SCHEMES = ("light", "dark")
TITLES = {  # the picture of each kind, and by what its document is known
    "page": "Front wheels", "markdown": "How far a chain stretches", "text": "Why chains squeak",
    "pdf": "Service sheet", "word": "The hub, opened", "mail": "Squeaking brakes", "persian": "ترمز دوچرخه",
}  # fmt: skip
PAGE = """<!doctype html><html lang=en><title>Front wheels</title><meta name=author content="Ada Park">
<h1>Front wheels</h1>
<p>All wheels have <strong>36 spokes</strong> and fit rim brakes. Prices are with tax.
<img src="pictures/wheel.png" alt="A wheel with twelve spokes"></p>
<table><tr><th>Wheel<th>Rim<th>Weight<th>Price</tr><tr><td>Town<td>steel<td>1,450 g<td>39.00</tr>
<tr><td>Tour<td>aluminium<td>980 g<td>64.50</tr></table>
<h2>Before you order</h2><ul><li>Measure the distance between the forks.<li>Count the spokes.</ul>"""
MARKDOWN = """---
author: Bo Lind
---
# How far a chain stretches

A chain is worn when its links are longer than they were:

```math
w = \\frac{l - l_0}{l_0}
```

1. Hold a ruler to *ten* links.
2. Type what you read:

```python
worn = (length - 254.0) / 254.0
```

> Replace it from 0.75 per cent on, before it takes the sprockets with it.
"""
TEXT = """Why chains squeak

It is a truth that everybody in the world will acknowledge, whatever
they know of bicycles, that a chain in want of oil must squeak and be
heard by all who pass.

  link    dry     oiled
  -----------------------
  inner   62 dB   48 dB
  outer   60 dB   47 dB
"""
MAIL = """From: Cy Moss <cy@example.org>
Subject: Squeaking brakes
Date: Mon, 06 May 2024 09:00:00 +0000
Content-Type: text/plain; charset=utf-8

Hello,

mine squeak only when it rains. Is that the pads or the rim?

> Clean the rim first.

I did, with alcohol.
"""
PERSIAN = """<!doctype html><html lang=fa dir=rtl><meta charset=utf-8><title>ترمز دوچرخه</title><h1>ترمز دوچرخه</h1>
<p dir=rtl lang=fa>ترمزهای دوچرخه را هر ماه نگاه می‌کنم. لنت‌های Shimano BR-M375 باید دست‌کم ۳ میلی‌متر باشند.</p>
<p dir=rtl lang=fa>اگر صدا می‌دهند، rim را با الکل تمیز کنید.</p>"""


def wheel() -> bytes:
    """A picture of a wheel."""
    from math import cos, pi, sin

    from PIL import Image, ImageDraw

    image, target = Image.new("RGB", (360, 160), "#ece7da"), io.BytesIO()
    pen = ImageDraw.Draw(image)
    for spoke in range(12):
        turn = spoke * pi / 6
        pen.line((180, 80, 180 + 60 * cos(turn), 80 + 60 * sin(turn)), fill="#6b6b6b", width=2)
    pen.ellipse((118, 18, 242, 142), outline="#2b2b2b", width=6)
    pen.ellipse((172, 72, 188, 88), fill="#2b2b2b")
    image.save(target, "PNG")
    return target.getvalue()


def word(path: Path) -> None:
    """A document of Word with a list and a picture."""
    import docx

    document = docx.Document()
    document.core_properties.title, document.core_properties.author = TITLES["word"], "Di Roth"
    document.add_heading(TITLES["word"], 1)
    document.add_paragraph("Turn the cone by hand until the play is gone, then a quarter back.")
    for step in ("two cone spanners, 13 mm", "grease", "a clean cloth"):
        document.add_paragraph(step, style="List Bullet")
    document.add_picture(io.BytesIO(wheel()))
    document.save(str(path))


def sheet() -> bytes:
    """A PDF of one page."""
    lines = ("Service sheet", "", "Front brake    pads renewed", "Chain          oiled", "Next service   in six months")
    operators = "\n".join(f"({line}) Tj T*" for line in lines)
    content = f"BT /F1 11 Tf 16 TL 40 780 Td\n{operators}\nET".encode()
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Courier>>",
        b"<</Title(%s)>>" % TITLES["pdf"].encode(),
    ]
    file = b"%PDF-1.4\n" + b"".join(b"%d 0 obj%s\nendobj\n" % (at, one) for at, one in enumerate(objects, 1))
    return file + b"trailer<</Size 7/Root 1 0 R/Info 6 0 R>>\n%%EOF"


def make(folder: Path) -> Path:
    """The folder of documents."""
    files: Mapping[str, bytes] = {
        "wheels.html": PAGE.encode(), "pictures/wheel.png": wheel(), "chain.md": MARKDOWN.encode(),
        "squeak.txt": TEXT.encode(), "sheet.pdf": sheet(), "brakes.eml": MAIL.encode(), "fa.html": PERSIAN.encode(),
    }  # fmt: skip
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    word(folder / "hub.docx")
    return folder


def documents(at: Path, browser: Any) -> None:
    """A picture of each kind of document, of each width and theme."""
    import cranfield
    from cranfield.features.documents.folder import Folder, FolderSettings
    from cranfield.features.documents.showing import asked_fields
    from cranfield.features.documents.store.documents import keep_shown
    from cranfield.formats import Topic
    from cranfield.store.pools import Pool, PooledDocument, add_pool

    path, folder = at / "mine.db", make(at / "docs")
    with cranfield.Store.create(path, "My documents") as store:
        keep_shown(store, asked_fields("author"))
        store.add_documents(Folder(folder, FolderSettings()).documents())
        store.add_topics([Topic("q1", "care of chains, brakes and wheels")])
        pooled = [PooledDocument("q1", one.docno, 1, ()) for one in store.documents()]
        add_pool(store, Pool("file", {}, pooled))
    with screens.serving(path) as (link, _):
        for (width, size), scheme in product(SIZES.items(), SCHEMES):
            _take(browser, link("ada"), f"{width}-{scheme}", size, scheme)


def _take(browser: Any, link: str, name: str, size: tuple[int, int], scheme: str) -> None:
    """The documents one after the other, each put off."""
    with browser.new_context(
        viewport=dict(zip(("width", "height"), size, strict=True)), color_scheme=scheme
    ) as context:
        page = context.new_page()
        page.goto(link)
        page.wait_for_url("**/judge")
        kinds = {title: kind for kind, title in TITLES.items()}
        while kinds:
            text = page.locator("main").inner_text()
            kind = next(kind for title, kind in kinds.items() if title in text)
            page.locator("#topic").evaluate("one => { one.open = false; }") if name.startswith("phone") else None
            page.evaluate("() => Promise.all([...document.images].map((one) => one.decode()))")
            screens.photograph(page, screens.IMAGES / f"document-{kind}-{name}.png")
            del kinds[TITLES[kind]]
            before = page.locator("main").get_attribute("data-item")
            page.wait_for_timeout(300)
            page.keyboard.press("s")
            page.wait_for_function("(before) => document.querySelector('main').dataset.item !== before", arg=before)
