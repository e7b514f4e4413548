"""Pictures that browsers show: PNG, JPEG, GIF and WebP by their first bytes; never SVG, which can hold programs."""

import io
import warnings
from base64 import b64encode
from hashlib import sha256

from cranfield.features.documents.conversion.builder import Converted, SkipError

LARGEST = 4 << 20  # bytes
MOST_PIXELS = 40_000_000
KINDS = ("PNG", "JPEG", "GIF", "WEBP")


def picture(data: bytes, asked: str = "") -> Converted:
    """A picture as a document of empty text."""
    digest = sha256(data).hexdigest()
    return Converted("", layout=[[0, 0, "image", {"sha256": digest}]], pictures={digest: packed(data)})


def packed(data: bytes) -> tuple[str, str]:
    r"""The type of a picture and the picture in base64; what is none, or too large, is skipped.

    >>> packed(b"<svg xmlns='http://www.w3.org/2000/svg'/>")
    Traceback (most recent call last):
    cranfield.features.documents.conversion.builder.SkipError: no PNG, JPEG, GIF or WebP
    """
    from PIL import Image, UnidentifiedImageError

    if len(data) > LARGEST:
        raise SkipError(f"too large: {len(data):,} bytes; at most {LARGEST >> 20}M")
    try:
        with warnings.catch_warnings(action="ignore"), Image.open(io.BytesIO(data), formats=KINDS) as found:
            kind, (width, height) = str(found.format).lower(), found.size
    except (UnidentifiedImageError, Image.DecompressionBombError):
        kind, width, height = "", 0, 0
    if not kind:
        raise SkipError("no PNG, JPEG, GIF or WebP")
    if width * height > MOST_PIXELS:
        raise SkipError(f"too large: {width:,} x {height:,} pixels; at most {MOST_PIXELS:,}")
    return kind, b64encode(data).decode()
