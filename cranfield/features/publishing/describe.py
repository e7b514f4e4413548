"""Where the description of a collection comes from: a TOML file, which people fill in, and the store.

A store has what was set and, where nothing was, what the collection says of itself.
"""

import json
import os
import re
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import mkstemp
from typing import Any

from cranfield.errors import InputError
from cranfield.features.publishing import identifiers
from cranfield.features.publishing.description import (
    FIELDS,
    TARGET_NAMES,
    Creator,
    Description,
    DescriptionField,
    as_json,
    check_field,
    open_fields,
    parse_description,
)
from cranfield.features.publishing.identifiers import as_name, spdx
from cranfield.features.publishing.store.publication import keep_description, stored_description
from cranfield.formats.files import read_text
from cranfield.formats.mappings import parse_toml
from cranfield.store.releases import release_named
from cranfield.store.store import Store

TOML_HEAD = "# The description of a collection for publication. Empty values are not set.\n"
CREATOR = "{{ name = {}, orcid = {}, affiliation = {} }}"
ESCAPED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


def read_description(path: Path) -> dict[str, Any]:
    """The fields of a file, each checked."""
    data = parse_toml(read_text(path), path)
    try:
        return {key: check_field(key, value) for key, value in data.items()}
    except InputError as error:
        raise InputError(error.message, path) from None


def edit_description(description: Description) -> dict[str, Any]:
    """What somebody makes of a description in an editor; a text that is refused is kept in its file."""
    descriptor, name = mkstemp(".toml", "description-")
    path = Path(name)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(description_toml(description))
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    try:
        code = subprocess.call([*shlex.split(editor), str(path)])
    except (OSError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or error
        raise InputError(
            f"the editor {editor!r} cannot be started: {why}. Set EDITOR, or give a file with --from"
        ) from None
    if code:
        raise InputError(f"the editor {editor!r} exited with status {code}; nothing was changed")
    try:
        fields = read_description(path)
    except InputError as error:
        raise InputError(f"{error.message}; correct the file and give it with --from", path) from None
    path.unlink()
    return fields


def description_toml(description: Description) -> str:
    """Every field with what it is about and its value.

    >>> text = description_toml(Description(title='A "tiny" one', keywords=("a", "b")))
    >>> [parse_toml(text)[name] for name in ("title", "keywords", "creators")]
    ['A "tiny" one', ['a', 'b'], []]
    """
    lacking, section, lines = set(open_fields(description, TARGET_NAMES)), "", [TOML_HEAD]
    for field in FIELDS.values():
        if field.section != section:
            section = field.section
            lines.append(f"\n# {section}\n")
        about = field.about if field.section else f"{field.about[0].upper()}{field.about[1:]}."
        needs = "" if not field.targets else f" ({', '.join(field.targets)})" if field.targets != TARGET_NAMES else ""
        required = f" REQUIRED{needs}." if field.name in lacking else ""
        lines.append(f"# {about}{required}\n{field.name} = {_value(description, field)}\n")
    return "\n".join(lines)


def _value(description: Description, field: DescriptionField) -> str:
    value = getattr(description, field.name)
    if not field.several:
        return _text(value)
    parts = [CREATOR.format(*map(_text, one)) if isinstance(one, Creator) else _text(one) for one in value]
    return f"[{', '.join(parts)}]" if len(parts) < 2 else "[\n" + "".join(f"    {part},\n" for part in parts) + "]"


def _text(text: str) -> str:
    r"""A text in quotes: several lines in triple quotes, what is not seen as an escape.

    >>> print(_text('say "x"\x1b'), parse_toml("a = " + _text('x\ny\\n"'))["a"] == 'x\ny\\n"')
    "say \"x\"\u001b" True
    """
    first, *more = map(_escape, text.split("\n"))
    return '"""\n' + "\n".join([first, *more]) + '"""' if more else f'"{first}"'


def _escape(line: str) -> str:
    """A line as TOML has it in quotes, whose escapes are those of JSON."""
    return ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04X}", json.dumps(line, ensure_ascii=False)[1:-1])


DESCRIPTION_FILE = "description.toml"  # beside a recipe


def description_of(store: Store, changes: Mapping[str, Any] | None = None) -> Description:
    """The description of a store's collection, with changes that are not stored.

    >>> with Store.memory("My Track") as store:
    ...     description_of(store, {"doi": "10.1234/a"})  # doctest: +ELLIPSIS
    Description(name='my-track', title='My Track', ... doi='10.1234/a', ...)
    """
    release = {"version": store.as_of, "date": release_named(store, store.as_of).date} if store.as_of else {}
    return parse_description(_defaults(store) | stored_description(store) | release | dict(changes or {}))


def describe(store: Store, values: Mapping[str, Any]) -> Description:
    """Set fields; an empty value removes what was set."""
    if contact := check_field("contact", values.get("contact", "")):
        identifiers.contact(contact)
    return take_description(store, values)


def take_description(store: Store, values: Mapping[str, Any]) -> Description:
    """The same with the description of a folder that is there already, whoever its contact is."""
    right = {key: check_field(key, value) for key, value in values.items()}
    set_ = as_json(parse_description(right))
    keep_description(store, {key: set_.get(key, "") for key in right})
    return description_of(store)


def describe_from(folder: Path, store: Store) -> None:
    """Set the fields of the file description.toml in a folder, if it is there."""
    if (path := folder / DESCRIPTION_FILE).is_file():
        describe(store, read_description(path))


def _defaults(store: Store) -> dict[str, str]:
    """What the collection says of itself, as far as that is right for a description."""
    about = store.collection
    licence = "" if licence_lack(store) else about.licence
    fields = {"name": as_name(about.name), "title": about.name, "description": about.description, "licence": licence}
    return {field: value for field, value in fields.items() if value}


def licence_lack(store: Store) -> str:
    """Why the licence that the collection names is not used; empty where it is."""
    try:
        spdx(store.collection.licence or "MIT")
    except InputError as error:
        return f"the collection's licence is not used: {error.message}"
    return ""


def description_document(store: Store) -> dict[str, Any]:
    """The JSON of `publish describe`: what is set, what is inherited from the collection, what is open by target."""
    description = description_of(store)
    return {
        "description": as_json(description),
        "inherited": sorted(set(_defaults(store)) - set(stored_description(store))),
        "open": {target: open_fields(description, [target]) for target in TARGET_NAMES},
    }
