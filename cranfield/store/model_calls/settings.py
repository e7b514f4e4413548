"""What an assessor of kind model is for a task: a model, a prompt and parameters, which do not change."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.store.decoding import json_of
from cranfield.store.log import add_assessor, assessors
from cranfield.store.store import Store, now, sha256


class StoredPrompt(NamedTuple):
    """A prompt as a store keeps it."""

    sha256: str
    name: str
    task: str
    version: int
    content: str  # JSON
    source: str


class ModelSetting(NamedTuple):
    """An assessor that is a model: what answers, asked with which prompt and parameters."""

    assessor: str
    task: str
    model: str
    prompt: StoredPrompt
    parameters: Mapping[str, Any]


def setting_of(store: Store, assessor: str, task: str) -> ModelSetting | None:
    """What an assessor is for a task; None where it was never asked."""
    found = store.rows(
        "SELECT s.model, s.parameters, p.sha256, p.name, p.task, p.version, p.content, p.source FROM model_setting s"
        " JOIN assessor a ON a.id = s.assessor JOIN prompt p ON p.id = s.prompt WHERE a.name = ? AND s.task = ?",
        [assessor, task],
    )
    if not found:
        return None
    model, parameters, *prompt = found[0]
    known = json_of(dict, parameters, "model_setting", (assessor, task), "parameters")
    return ModelSetting(assessor, task, model, StoredPrompt(*prompt), known)


def changed_prompt(store: Store) -> str | None:
    """The name of a prompt whose hash is not that of its content; None where there is none."""
    rows = store.rows("SELECT name, content, sha256 FROM prompt ORDER BY id")
    return next((name for name, content, was in rows if sha256(content) != was), None)


def check_setting(store: Store, setting: ModelSetting) -> None:
    """An error where the assessor is something else already: a person, imported labels, another setting."""
    kind = assessors(store).get(setting.assessor)
    known = setting_of(store, setting.assessor, setting.task)
    if known is None and kind is not None and (kind != "model" or _has_labels(store, setting)):
        what = "a person" if kind == "human" else "the name of imported labels"
        raise InputError(f"{setting.assessor!r} is {what}; give the model another name with --assessor")
    for what, before, after in _compared(known, setting):
        if before != after:
            raise InputError(
                f"{setting.assessor!r} was asked with the {what} {before}, not {after}; an assessor is one"
                " model, prompt and set of parameters: give another name with --assessor"
            )


def _has_labels(store: Store, setting: ModelSetting) -> bool:
    """Whether a name has labels that no call gave."""
    return bool(
        store.rows(
            "SELECT 1 FROM judgment_event e JOIN assessor a ON a.id = e.assessor WHERE a.name = ?1 AND NOT EXISTS"
            " (SELECT 1 FROM model_setting s WHERE s.assessor = a.id) LIMIT 1",
            [setting.assessor],
        )
    )


def _compared(known: ModelSetting | None, new: ModelSetting) -> list[tuple[str, object, object]]:
    if known is None:
        return []
    before, after = (f"{one.name} {one.sha256[:8]}" for one in (known.prompt, new.prompt))
    others = [name for name in {**known.parameters, **new.parameters} if _shown(known, name) != _shown(new, name)]
    return [
        ("model", known.model, new.model),
        ("prompt", before, after),
        *((f"parameter {name}", _shown(known, name), _shown(new, name)) for name in sorted(others)),
    ]


def _shown(setting: ModelSetting, name: str) -> str:
    """The value of a parameter."""
    return json.dumps(setting.parameters[name], sort_keys=True) if name in setting.parameters else "none"


def introduce(store: Store, setting: ModelSetting) -> None:
    """Make an assessor and its prompt known, so that calls can refer to them; an error if it is something else."""
    with store.writing():
        check_setting(store, setting)
        add_assessor(store, setting.assessor, "model")
        if not store.rows("SELECT 1 FROM prompt WHERE sha256 = ?", [setting.prompt.sha256]):
            columns = "sha256, name, task, version, content, source"
            store.conn.execute(f"INSERT INTO prompt ({columns}) VALUES (?, ?, ?, ?, ?, ?)", setting.prompt)


def keep_setting(store: Store, setting: ModelSetting) -> None:
    """Record what an assessor is for a task, once; the same again changes nothing, another one is an error."""
    with store.writing():
        introduce(store, setting)
        if setting_of(store, setting.assessor, setting.task) is None:
            store.conn.execute(
                "INSERT INTO model_setting (assessor, task, model, prompt, parameters, made) VALUES"
                " ((SELECT id FROM assessor WHERE name = ?), ?, ?, (SELECT id FROM prompt WHERE sha256 = ?), ?, ?)",
                [setting.assessor, setting.task, setting.model, setting.prompt.sha256,
                 json.dumps(setting.parameters, sort_keys=True), now()],
            )  # fmt: skip
