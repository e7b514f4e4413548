"""Convert email messages."""

from email import message_from_bytes, policy
from email.errors import MessageError

from cranfield.features.documents.conversion.builder import (
    Conversion,
    SkipError,
)
from cranfield.features.documents.conversion.html import html


def email(data: bytes, fallback: str = "") -> Conversion:
    r"""A message: its text, or its page where it has no text.

    >>> found = email(b"Subject: Brakes\nFrom: ada@example.org\n\nOil them.")
    >>> found.title, found.text, found.metadata["author"]
    ('Brakes', 'Oil them.', 'ada@example.org')
    """
    try:
        message = message_from_bytes(data, policy=policy.default)
        part = message.get_body(("plain", "html"))
        content = part.get_content() if part else ""
        page = part is not None and part.get_content_subtype() == "html"
        names = [one.get_filename("") for one in message.iter_attachments()] if message.is_multipart() else []
        about = {"author": str(message["from"] or ""), "date": str(message["date"] or ""), "attachments": names}
        title = str(message["subject"] or "")
    except (MessageError, LookupError, ValueError, AttributeError, KeyError, TypeError, IndexError) as error:
        raise SkipError(f"damaged: {error}") from None
    body = html(content.encode("utf-8", "replace"), "utf-8") if page else Conversion(str(content))
    metadata = {**body.metadata, **{name: value for name, value in about.items() if value}, "encoding": "utf-8"}
    return body._replace(title=title or body.title, text=body.text.replace("\r\n", "\n"), metadata=metadata)
