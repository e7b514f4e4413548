"""E-mail, one message a file."""

from email import message_from_bytes, policy
from email.errors import MessageError

from cranfield.features.documents.conversion.builder import Converted, SkipError
from cranfield.features.documents.conversion.html import html


def email(data: bytes, asked: str = "") -> Converted:
    r"""A message: its text, or its page where it has no text.

    >>> found = email(b"Subject: Brakes\nFrom: ada@example.org\n\nOil them.")
    >>> found.title, found.text, found.metadata["author"]
    ('Brakes', 'Oil them.', 'ada@example.org')
    """
    try:
        message = message_from_bytes(data, policy=policy.default)
        body = message.get_body(("plain", "html"))
        content = body.get_content() if body else ""
        page = body is not None and body.get_content_subtype() == "html"
        names = [part.get_filename("") for part in message.iter_attachments()] if message.is_multipart() else []
        about = {"author": str(message["from"] or ""), "date": str(message["date"] or ""), "attachments": names}
        title = str(message["subject"] or "")
    except (MessageError, LookupError, ValueError, AttributeError, KeyError, TypeError, IndexError) as error:
        raise SkipError(f"damaged: {error}") from None
    found = html(content.encode("utf-8", "replace"), "utf-8") if page else Converted(str(content))
    metadata = {**found.metadata, **{name: value for name, value in about.items() if value}, "encoding": "utf-8"}
    return found._replace(title=title or found.title, text=found.text.replace("\r\n", "\n"), metadata=metadata)
