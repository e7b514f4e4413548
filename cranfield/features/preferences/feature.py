"""Preferences: which of two documents is better, said by people or models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.features.models.extension import ModelLabels
from cranfield.hooks import AddedOptions, Commands, Functions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cranfield.features.models.asking.extension import TaskMaker
    from cranfield.features.models.audited import AuditedKind
    from cranfield.store.removal import Removers
    from cranfield.web.open_sessions import JudgingRole
    from cranfield.web.organise.download import Download
    from cranfield.web.organise.upload import Upload


class PreferencesExtension(ModelLabels):
    """Record which of two documents is better."""

    name = "preferences"
    needs = ("models",)
    commands = (
        Commands("Build", "commands", "import", "preferences"),
        Commands("Build", "commands", "export", "preferences"),
        Commands("Judge", "commands", "model", "prefer"),
    )
    functions = (
        Functions("store", "functions", "import_preferences"),
        Functions("judging", "functions", "list_preferences export_preferences"),
        Functions("models", "functions", "label_preferences"),
    )
    added_options = (AddedOptions("judge", "judging:PairOptions", "judging:judge_pairs"),)
    tables = ("tables:TABLES",)

    def removers(self) -> Removers:
        from cranfield.features.preferences.store import take_preferences
        from cranfield.store.removal import Removers

        return Removers({"preferences": take_preferences})

    def roles(self) -> Sequence[JudgingRole]:
        from cranfield.features.preferences.judging import open_comparisons
        from cranfield.features.preferences.store import has_pairs
        from cranfield.features.preferences.wording import WORDING
        from cranfield.web.language import translatable
        from cranfield.web.open_sessions import JudgingRole

        return (
            JudgingRole(
                "prefer",
                translatable("compare pairs of documents"),
                open_comparisons,
                wording=WORDING,
                has_work=has_pairs,
                link=translatable("Compare pairs of documents"),
            ),
        )

    def model_tasks(self) -> Mapping[str, TaskMaker]:
        from cranfield.features.preferences.by_model import preference_task

        return {"preference": preference_task}

    def audited_kinds(self) -> Mapping[str, AuditedKind]:
        from cranfield.features.preferences.by_model import KIND

        return {"preferences": KIND}

    def downloads(self) -> Mapping[str, Download]:
        from cranfield.features.preferences.transfers import PREFERENCES

        return {"preferences": PREFERENCES}

    def uploads(self) -> Mapping[str, Upload]:
        from cranfield.features.preferences.transfers import READING

        return {"preferences": READING}
