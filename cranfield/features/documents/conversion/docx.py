"""Word's .docx: paragraphs, headings, lists and tables. What it would unpack to is looked at before."""

import io
import zipfile
from contextlib import suppress
from hashlib import sha256
from typing import Any

from cranfield.features.documents.conversion.builder import CELL, LINE, PARAGRAPH, Converted, SkipError, TextBuilder
from cranfield.features.documents.conversion.pdf import about_title
from cranfield.features.documents.conversion.pictures import packed

MOST = 256 << 20  # bytes of all its members
MOST_RATIO, MOST_MEMBERS = 200, 10_000
ENCRYPTED = b"\xd0\xcf\x11\xe0"  # an OLE container, which holds what Word encrypts
WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
DRAWN = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
PICTURE = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
RELATED = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
DEEPEST = 20  # tables in tables


def docx(data: bytes, asked: str = "") -> Converted:
    """A document of Word; one that is no zip file, or an exploding one, is skipped."""
    import docx as word

    if data.startswith(ENCRYPTED):
        raise SkipError("encrypted: it needs a password, or it is an older .doc")
    _check(data)
    try:
        document = word.Document(io.BytesIO(data))
        made = TextBuilder()
        _blocks(made, document.iter_inner_content())
        said = document.core_properties
        metadata = {"author": said.author, "date": said.created and said.created.date().isoformat()}
        title = about_title(said.title or "")
    except SkipError:
        raise
    except Exception as error:  # whatever a damaged file makes of the library
        raise SkipError(f"damaged: {' '.join(str(error).split())[:200] or type(error).__name__}") from None
    about = {name: value for name, value in metadata.items() if value}
    return Converted(made.text, title, made.layout, about, made.pictures)


def _check(data: bytes) -> None:
    """Refuse a zip file that is damaged or would fill the memory."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, ValueError, EOFError, OSError, NotImplementedError) as error:
        raise SkipError(f"damaged: {error}") from None
    size = sum(member.file_size for member in members)
    if len(members) > MOST_MEMBERS or size > MOST or size > MOST_RATIO * max(len(data), 1):
        raise SkipError(f"too large: {len(members):,} parts of {size:,} bytes in a file of {len(data):,}")
    if any(member.flag_bits & 1 for member in members):
        raise SkipError("encrypted: it needs a password")


def _blocks(made: TextBuilder, blocks: Any, depth: int = 0) -> None:
    for block in blocks:
        if hasattr(block, "rows"):
            if depth < DEEPEST:
                _table(made, block, depth)
        else:
            _paragraph(made, block)


def _paragraph(made: TextBuilder, paragraph: Any) -> None:
    style = (paragraph.style.name if paragraph.style is not None else "") or ""
    kind, gap, first = "p", PARAGRAPH, ""
    if style.startswith("Heading ") and style[8:].isdecimal():
        kind = f"h{min(int(style[8:]), 6)}"
    elif style == "Title":
        kind = "h1"
    elif style.startswith("List") or paragraph._p.find(f"{WORD}pPr/{WORD}numPr") is not None:
        kind, gap, first = "li", LINE, "- "
    elif "Quote" in style:
        kind = "quote"
    right = paragraph._p.find(f"{WORD}pPr/{WORD}bidi") is not None
    made.gap(gap)
    place = made.begin(kind, first, **({"dir": "rtl"} if right else {}))
    for run in paragraph.iter_inner_content():
        for part in getattr(run, "runs", [run]):
            _run(made, part)
    made.end(place, gap)


def _run(made: TextBuilder, run: Any) -> None:
    font = run.font
    kinds = [kind for kind, is_so in (("strong", run.bold), ("em", run.italic), ("sub", font.subscript),
                                      ("sup", font.superscript)) if is_so]  # fmt: skip
    places = [made.begin(kind) for kind in kinds]
    made.add(run.text)
    for place in reversed(places):
        made.end(place)
    for drawing in run._r.iter(f"{WORD}drawing"):
        alt = " ".join("".join(one.get("descr") or "" for one in drawing.iter(f"{DRAWN}docPr")).split())
        made.whole("image", f"[image: {alt}]" if alt else "[image]", **_embedded(made, run.part, drawing))


def _embedded(made: TextBuilder, part: Any, drawing: Any) -> dict[str, str]:
    """The picture of a drawing that is in the file; none of a kind that is not shown."""
    for blip in drawing.iter(f"{PICTURE}blip"):
        with suppress(SkipError, KeyError):
            data = part.related_parts[blip.get(f"{RELATED}embed")].blob
            digest = sha256(data).hexdigest()
            made.pictures[digest] = made.pictures.get(digest) or packed(data)
            return {"sha256": digest}
    return {}


def _table(made: TextBuilder, table: Any, depth: int) -> None:
    made.gap(PARAGRAPH)
    whole = made.begin("table")
    for row in table.rows:
        made.gap(LINE)
        line, seen = made.begin("tr"), list[Any]()
        for cell in row.cells:
            if any(cell._tc is one for one in seen):  # cells that were merged
                continue
            made.gap(CELL if seen else "")
            seen.append(cell._tc)
            place = made.begin("td")
            _blocks(made, cell.iter_inner_content(), depth + 1)
            made.end(place, even_empty=True)
        made.end(line, LINE)
    made.end(whole, PARAGRAPH)
