"""Labels by language models: asked, audited against people's, corrected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.features.models.extension import ModelLabels
from cranfield.hooks import AddedOptions, Commands, Functions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import ClassVar

    from cranfield.features.models.audited import AuditedKind
    from cranfield.store.store import Store
    from cranfield.web.look.view import LookView


class ModelsExtension(ModelLabels):
    """Label with language models."""

    name = "models"
    commands = (
        Commands("Judge", "commands.labels", "model assess", "run export import"),
        Commands("Judge", "commands.labels", "model", "prompts"),
        Commands("Judge", "commands.labels", "model", "panel"),
        Commands("Judge", "commands.audit", "model audit", "draw report estimate"),
    )
    groups: ClassVar[Mapping[str, str]] = {
        "model": "Label with language models, and use people's labels to audit and correct them.",
        "model assess": "Label a pool's documents with a language model: through a server, or with batch files.",
        "model audit": "Draw a sample for a person to judge, compare a model's labels with the person's, and"
        " estimate the scores with people's labels.",
    }
    functions = (
        Functions("models", "functions", "assess export_batch import_batch"),
        Functions("models", "options", "Asking"),
        Functions("models", "auditing", "list_prompts form_panel draw_audit_sample audit estimate_human_labels"),
    )
    added_options = (AddedOptions("judge", "commands.audit:AuditOptions", "commands.audit:judge_sample"),)
    tables = ("tables:TABLES", "tables:TOPICS")

    def verify(self, store: Store) -> None:
        from cranfield.features.models.calls import refuse_changed

        refuse_changed(store)

    def unstored_files(self, store: Store) -> Sequence[str]:
        from cranfield.features.models.asking.journal import unstored_replies

        return unstored_replies(store)

    def views(self) -> Mapping[str, LookView]:
        from cranfield.features.models.look import VIEWS

        return VIEWS

    def audited_kinds(self) -> Mapping[str, AuditedKind]:
        from cranfield.features.models.analysis.documents import KIND

        return {"documents": KIND}
