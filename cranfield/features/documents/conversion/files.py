"""PDF, .docx of Word, and pictures: what libraries find in them. What they would unpack to is looked at before."""

import io
import re
import warnings
import zipfile
from base64 import b64encode
from contextlib import suppress
from hashlib import sha256
from typing import Any

from cranfield.extras import require_extra
from cranfield.features.documents.conversion.builder import (
    CELL,
    LINE,
    LONGEST,
    PARAGRAPH,
    Conversion,
    SkipError,
    TextBuilder,
)

LARGEST = 4 << 20  # bytes
MOST_PIXELS = 40_000_000
KINDS = ("PNG", "JPEG", "GIF", "WEBP")


def picture(data: bytes, fallback: str = "") -> Conversion:
    """A picture as a document of empty text."""
    digest = sha256(data).hexdigest()
    return Conversion("", layout=[[0, 0, "image", {"sha256": digest}]], pictures={digest: pack_picture(data)})


def pack_picture(data: bytes) -> tuple[str, str]:
    r"""The type of a picture and the picture in base64; what is none, or too large, is skipped.

    >>> pack_picture(b"<svg xmlns='http://www.w3.org/2000/svg'/>")
    Traceback (most recent call last):
    cranfield.features.documents.conversion.builder.SkipError: no PNG, JPEG, GIF or WebP
    """
    require_extra("files", "a picture", "PIL")
    from PIL import Image, UnidentifiedImageError

    if len(data) > LARGEST:
        raise SkipError(f"too large: {len(data):,} bytes (at most {LARGEST >> 20}M)")
    try:
        with warnings.catch_warnings(action="ignore"), Image.open(io.BytesIO(data), formats=KINDS) as image:
            kind, (width, height) = str(image.format).lower(), image.size
    except (UnidentifiedImageError, Image.DecompressionBombError):
        kind, width, height = "", 0, 0
    if not kind:
        raise SkipError("no PNG, JPEG, GIF or WebP")
    if width * height > MOST_PIXELS:
        raise SkipError(f"too large: {width:,} x {height:,} pixels; at most {MOST_PIXELS:,}")
    return kind, b64encode(data).decode()


LINE_HYPHEN = "\x02"  # what PDFium writes for a hyphen at the end of a line
NO_TEXT = "no text (for a scan, run OCR first, for example with ocrmypdf)"
PAGE = "\f"


def pdf(data: bytes, fallback: str = "") -> Conversion:
    """A PDF; one without text is skipped, and so is one that asks for a password."""
    import pypdfium2

    try:
        with pypdfium2.PdfDocument(data) as document:
            about, pages = document.get_metadata_dict(skip_empty=True), [*_page_texts(document)]
    except pypdfium2.PdfiumError as error:
        why = "encrypted: it needs a password" if "password" in str(error).lower() else f"damaged: {error}"
        raise SkipError(why.removesuffix(".")) from None
    if not any(page.strip() for page in pages):
        raise SkipError(NO_TEXT)
    layout, text, start = [], PAGE.join(pages), 0
    for number, page in enumerate(pages, 1):
        layout.append([start, start + len(page), "page", {"number": number}])
        start += len(page) + len(PAGE)
    pdf_metadata = {"author": about.get("Author"), "date": _day(about.get("CreationDate", ""))}
    metadata = {"pages": len(pages), **{name: text for name, text in pdf_metadata.items() if text}}
    return Conversion(text, usable_title(str(about.get("Title", ""))), layout, metadata)


def _day(text: str) -> str:
    """The day of a date as PDF writes it; another text as it is.

    >>> _day("D:20240501103000+02'00'"), _day("May 2024")
    ('2024-05-01', 'May 2024')
    """
    return re.sub(r"^D:(\d{4})(\d\d)(\d\d).*", r"\1-\2-\3", text)


def _page_texts(document: Any) -> Any:
    length = 0
    for page in document:
        text = page.get_textpage().get_text_range().replace("\r\n", "\n").replace("\r", "\n")
        page.close()
        length += len(text)
        if length > LONGEST:
            raise SkipError(f"too large: more than {LONGEST >> 20}M of text")
        yield text.replace(LINE_HYPHEN, "-").replace(PAGE, "\n").replace("\0", "").rstrip("\n ")


def usable_title(title: str) -> str:
    """The title that a program wrote into a file, unless that says nothing.

    >>> usable_title("Microsoft Word - draft.docx"), usable_title("Untitled"), usable_title(" On  wings")
    ('', '', 'On wings')
    """
    plain = " ".join(title.split())
    return "" if plain.lower().startswith("microsoft word - ") or plain.lower() in ("untitled", "title") else plain


MOST = 256 << 20  # bytes of all its members
MOST_RATIO, MOST_MEMBERS = 200, 10_000
ENCRYPTED = b"\xd0\xcf\x11\xe0"  # an OLE container, which holds what Word encrypts
WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
DRAWN = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
PICTURE = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
RELATED = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
DEEPEST = 20  # tables in tables


def docx(data: bytes, fallback: str = "") -> Conversion:
    """A document of Word; one that is no zip file, or an exploding one, is skipped."""
    import docx as word

    if data.startswith(ENCRYPTED):
        raise SkipError("encrypted: it needs a password, or it is an older .doc")
    # The zip file may be damaged, or fill the memory.
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
    try:
        document = word.Document(io.BytesIO(data))
        builder = TextBuilder()
        _blocks(builder, document.iter_inner_content())
        properties = document.core_properties
        metadata = {"author": properties.author, "date": properties.created and properties.created.date().isoformat()}
        title = usable_title(properties.title or "")
    except SkipError:
        raise
    except Exception as error:  # whatever a damaged file makes of the library
        raise SkipError(f"damaged: {' '.join(str(error).split())[:200] or type(error).__name__}") from None
    about = {name: value for name, value in metadata.items() if value}
    return Conversion(builder.text, title, builder.layout, about, builder.pictures)


def _blocks(builder: TextBuilder, blocks: Any, depth: int = 0) -> None:
    for block in blocks:
        if hasattr(block, "rows"):
            if depth < DEEPEST:
                _table(builder, block, depth)
        else:
            _paragraph(builder, block)


def _paragraph(builder: TextBuilder, paragraph: Any) -> None:
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
    builder.gap(gap)
    place = builder.begin(kind, first, **({"dir": "rtl"} if right else {}))
    for run in paragraph.iter_inner_content():
        for part in getattr(run, "runs", [run]):
            _run(builder, part)
    builder.end(place, gap)


def _run(builder: TextBuilder, run: Any) -> None:
    font = run.font
    kinds = [kind for kind, is_so in (("strong", run.bold), ("em", run.italic), ("sub", font.subscript),
                                      ("sup", font.superscript)) if is_so]  # fmt: skip
    places = [builder.begin(kind) for kind in kinds]
    builder.add(run.text)
    for place in reversed(places):
        builder.end(place)
    for drawing in run._r.iter(f"{WORD}drawing"):
        alt = " ".join("".join(one.get("descr") or "" for one in drawing.iter(f"{DRAWN}docPr")).split())
        builder.add_block("image", f"[image: {alt}]" if alt else "[image]", **_embed(builder, run.part, drawing))


def _embed(builder: TextBuilder, part: Any, drawing: Any) -> dict[str, str]:
    """The picture of a drawing that is in the file; none of a kind that is not shown."""
    for blip in drawing.iter(f"{PICTURE}blip"):
        with suppress(SkipError, KeyError):
            data = part.related_parts[blip.get(f"{RELATED}embed")].blob
            digest = sha256(data).hexdigest()
            builder.pictures[digest] = builder.pictures.get(digest) or pack_picture(data)
            return {"sha256": digest}
    return {}


def _table(builder: TextBuilder, table: Any, depth: int) -> None:
    builder.gap(PARAGRAPH)
    whole = builder.begin("table")
    for row in table.rows:
        builder.gap(LINE)
        line, cells = builder.begin("tr"), list[Any]()
        for cell in row.cells:
            if any(cell._tc is one for one in cells):  # cells that were merged
                continue
            builder.gap(CELL if cells else "")
            cells.append(cell._tc)
            place = builder.begin("td")
            _blocks(builder, cell.iter_inner_content(), depth + 1)
            builder.end(place, even_empty=True)
        builder.end(line, LINE)
    builder.end(whole, PARAGRAPH)
