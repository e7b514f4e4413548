"""A description as a TOML file: read, and written for people to fill in."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import tomllib
from pathlib import Path
from tempfile import mkstemp
from typing import Any

from cranfield.errors import InputError
from cranfield.formats.files import read_text
from cranfield.publishing.description.open_fields import open_fields
from cranfield.publishing.description.record import FIELDS, TARGET_NAMES, Creator, Description, DescriptionField
from cranfield.publishing.description.values import checked

TOML_HEAD = "# The description of a collection that is to be published. Empty values are not set.\n"
CREATOR = "{{ name = {}, orcid = {}, affiliation = {} }}"
ESCAPED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


def read_description(path: Path) -> dict[str, Any]:
    """The fields of a file, each checked."""
    try:
        data = tomllib.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise InputError(f"not a TOML file: {error}", path) from error
    try:
        return {key: checked(key, value) for key, value in data.items()}
    except InputError as error:
        raise InputError(error.message, path) from None


def edited(description: Description) -> dict[str, Any]:
    """What somebody makes of a description in an editor; a text that is refused is kept in its file."""
    descriptor, name = mkstemp(".toml", "description-")
    path = Path(name)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(description_toml(description))
    _open_editor(path)
    try:
        found = read_description(path)
    except InputError as error:
        raise InputError(f"{error.message}; correct it there and give it with --from", path) from None
    path.unlink()
    return found


def _open_editor(path: Path) -> None:
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    try:
        code = subprocess.call([*shlex.split(editor), str(path)])
    except (OSError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or error
        raise InputError(
            f"the editor {editor!r} does not start: {why}; set EDITOR, or give a file with --from"
        ) from None
    if code:
        raise InputError(f"the editor {editor!r} ended with {code}; nothing was changed")


def description_toml(description: Description) -> str:
    """Every field with what it is about and its value.

    >>> text = description_toml(Description(title='A "tiny" one', keywords=("a", "b")))
    >>> tomllib.loads(text)["title"], tomllib.loads(text)["keywords"], tomllib.loads(text)["creators"]
    ('A "tiny" one', ['a', 'b'], [])
    """
    lacking, section, lines = set(open_fields(description, TARGET_NAMES)), "", [TOML_HEAD]
    for field in FIELDS.values():
        if field.section != section:
            section = field.section
            lines.append(f"\n# {section}\n")
        lines.append(f"{_about(field, field.name in lacking)}{field.name} = {_value(description, field)}\n")
    return "\n".join(lines)


def _about(field: DescriptionField, lacking: bool) -> str:
    about = field.about if field.section else f"{field.about[0].upper()}{field.about[1:]}."
    needs = "" if not field.required else f" ({', '.join(field.required)})" if field.required != TARGET_NAMES else ""
    return f"# {about}{f' REQUIRED{needs}.' if lacking else ''}\n"


def _value(description: Description, field: DescriptionField) -> str:
    value = getattr(description, field.name)
    if not field.several:
        return _text(value)
    parts = [_creator(one) if isinstance(one, Creator) else _text(one) for one in value]
    return f"[{', '.join(parts)}]" if len(parts) < 2 else "[\n" + "".join(f"    {part},\n" for part in parts) + "]"


def _creator(creator: Creator) -> str:
    return CREATOR.format(*map(_text, creator))


def _text(text: str) -> str:
    r"""A text in quotes: several lines in triple quotes, what is not seen as an escape.

    >>> print(_text('say "x"\x1b'), tomllib.loads("a = " + _text('x\ny\\n"'))["a"] == 'x\ny\\n"')
    "say \"x\"\u001b" True
    """
    first, *more = map(_escaped, text.split("\n"))
    return '"""\n' + "\n".join([first, *more]) + '"""' if more else f'"{first}"'


def _escaped(line: str) -> str:
    """A line as TOML has it in quotes, whose escapes are those of JSON."""
    return ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04X}", json.dumps(line, ensure_ascii=False)[1:-1])
