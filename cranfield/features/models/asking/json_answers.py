"""Answers whose form the server enforces: JSON by a schema, as `response_format` has it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from cranfield.features.models.asking.grammar import number_in_json, number_on_line
from cranfield.features.models.asking.task import Asker

Schema = Mapping[str, Any]


def number_format(numbers: Collection[int]) -> Schema:
    """One number, {"score": N}.

    >>> number_format([0, 1])["json_schema"]["schema"]["properties"]
    {'score': {'type': 'integer', 'enum': [0, 1]}}
    """
    return _format("grade", {"score": {"type": "integer", "enum": list(numbers)}})


def rows_format(name: str, fields: Mapping[str, Schema]) -> Schema:
    """A list of objects under a name, {"labels": [{"id": ..., "label": ...}]}."""
    return _format(name, {name: {"type": "array", "items": _object(fields)}})


def _format(name: str, fields: Mapping[str, Schema]) -> Schema:
    return {"type": "json_schema", "json_schema": {"name": name, "strict": True, "schema": _object(fields)}}


def _object(fields: Mapping[str, Schema]) -> Schema:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def number_of(answer: str, asker: Asker, numbers: Collection[int]) -> int:
    """The one number of an answer, in the form that was asked for."""
    scale = {number: number for number in numbers}
    return number_in_json(answer, scale) if asker.json_answer else number_on_line(answer, asker.prompt.line, scale)
