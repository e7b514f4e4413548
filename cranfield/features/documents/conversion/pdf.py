"""PDF: the text of each page, which ends in a form feed."""

from typing import Any

from cranfield.features.documents.conversion.builder import LONGEST, Converted, SkipError

LINE_HYPHEN = "\x02"  # what PDFium writes for a hyphen at the end of a line
NO_TEXT = "no text: scanned? recognize it first, as with ocrmypdf"
PAGE = "\f"


def pdf(data: bytes, asked: str = "") -> Converted:
    """A PDF; one without text is skipped, and so is one that asks for a password."""
    import pypdfium2

    try:
        with pypdfium2.PdfDocument(data) as document:
            about, pages = document.get_metadata_dict(skip_empty=True), [*_pages(document)]
    except pypdfium2.PdfiumError as error:
        why = "encrypted: it needs a password" if "password" in str(error).lower() else f"damaged: {error}"
        raise SkipError(why.removesuffix(".")) from None
    if not any(page.strip() for page in pages):
        raise SkipError(NO_TEXT)
    layout, text, start = [], PAGE.join(pages), 0
    for number, page in enumerate(pages, 1):
        layout.append([start, start + len(page), "page", {"number": number}])
        start += len(page) + len(PAGE)
    metadata = {"pages": len(pages), **{ours: about[theirs] for ours, theirs in
                (("author", "Author"), ("date", "CreationDate")) if about.get(theirs)}}  # fmt: skip
    return Converted(text, about_title(str(about.get("Title", ""))), layout, metadata)


def _pages(document: Any) -> Any:
    """The text of each page."""
    length = 0
    for page in document:
        text = page.get_textpage().get_text_range().replace("\r\n", "\n").replace("\r", "\n")
        page.close()
        length += len(text)
        if length > LONGEST:
            raise SkipError(f"too large: more than {LONGEST >> 20}M of text")
        yield text.replace(LINE_HYPHEN, "-").replace(PAGE, "\n").replace("\0", "").rstrip("\n ")


def about_title(title: str) -> str:
    """The title that a program wrote into a file, unless that says nothing.

    >>> about_title("Microsoft Word - draft.docx"), about_title("Untitled"), about_title(" On  wings")
    ('', '', 'On wings')
    """
    plain = " ".join(title.split())
    return "" if plain.lower().startswith("microsoft word - ") or plain.lower() in ("untitled", "title") else plain
