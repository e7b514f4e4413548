"""The metadata of a submitted run."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from cranfield.errors import InputError
from cranfield.features.tasks.description import KINDS, META, SharedTask, check_one_of
from cranfield.formats.mappings import parse_toml
from cranfield.text import join_words


class RunMeta(NamedTuple):
    """What the form says of a run; `fields` are those that the task asks for besides."""

    tag: str = ""
    priority: int = 1  # of the team's runs in the pool, 1 first
    kind: str = "automatic"
    description: str = ""
    same_system: str = ""  # the run of an earlier round that this system made
    fields: Mapping[str, str] = {}


def read_meta(text: str, task: SharedTask) -> RunMeta:
    """What a TOML file beside a run says of it.

    >>> from cranfield.features.tasks.description import TEMPLATE, parse_task
    >>> read_meta('tag = "a"\\npriority = 2', parse_task(TEMPLATE))[:3]
    ('a', 2, 'automatic')
    """
    return meta_of({name: str(value) for name, value in parse_toml(text, "meta").items()}, task)


def meta_of(values: Mapping[str, str], task: SharedTask) -> RunMeta:
    """What a form says of a run, by the names of its fields; an error for what is not asked for, or is missing.

    >>> from cranfield.features.tasks.description import TEMPLATE, parse_task
    >>> meta_of({"kind": "magic"}, parse_task(TEMPLATE))
    Traceback (most recent call last):
    cranfield.errors.InputError: kind is 'magic'; expected automatic, feedback or manual
    """
    by_name = {field.name: field for field in task.field}
    if unknown := [name for name in values if name not in META and name not in by_name]:
        raise InputError(f"a run of this task has no {unknown[0]!r:.60}; available: {', '.join([*META, *by_name])}")
    values = {name: " ".join(value.split()) for name, value in values.items()}
    if too_long := [name for name, value in values.items() if len(value) > LONGEST]:
        raise InputError(f"{too_long[0]} has {len(values[too_long[0]]):,} characters; expected at most {LONGEST:,}")
    for name, field in by_name.items():
        if field.required and not values.get(name):
            raise InputError(f"the field {name} is missing; this task requires it ({field.about or name})")
        if field.choices and values.get(name) and values[name] not in field.choices:
            raise InputError(f"{name} is {values[name]!r:.60}; expected {join_words(field.choices, 'or')}")
    kind, priority = values.get("kind") or KINDS[0], values.get("priority") or "1"
    check_one_of(*KINDS)("kind", kind)
    if not re.fullmatch(r"[1-9]\d?", priority):
        raise InputError(f"priority is {priority!r:.60}; expected a whole number from 1 to 99")
    fields = {name: values[name] for name in by_name if values.get(name)}
    description, same = values.get("description", ""), values.get("same_system", "")
    return RunMeta(values.get("tag", ""), int(priority), kind, description, same, fields)


LONGEST = 2000  # characters of a field
