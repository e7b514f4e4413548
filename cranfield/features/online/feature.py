"""Evaluation from user behaviour: interaction logs, A/B tests, interleaving, click models, counterfactual estimates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.extension import Extension
from cranfield.features.online.fields import LOG_FILE
from cranfield.hooks import AddedOptions, Commands, Functions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import ClassVar

    from cranfield.formats.files import Format
    from cranfield.formats.records import Kind
    from cranfield.metrics.measure import DescribedNames
    from cranfield.report.blocks import Section
    from cranfield.store.erasing import Find
    from cranfield.store.removal import Removers
    from cranfield.store.store import Store
    from cranfield.web.look.view import LookView
    from cranfield.web.organise.upload import Upload


class OnlineExtension(Extension):
    """Evaluate systems from user behaviour."""

    name = "online"
    commands = (
        Commands("Build", "commands.logs", "import", "log"),
        Commands("Online", "commands.experiments", "online", "show ab"),
        Commands("Online", "commands.interleaving", "online interleave", "lists methods"),
        Commands("Online", "commands.interleaving", "online", "preference"),
        Commands("Online", "commands.clicks", "online clicks", "topics fit models"),
        Commands("Online", "commands.clicks", "online", "counterfactual"),
        Commands("Online", "commands.experiments", "online", "divergence"),
    )
    groups: ClassVar[Mapping[str, str]] = {
        "online": "Evaluate systems from user behaviour.",
        "online interleave": "Mix the rankings of two or more systems into one list.",
        "online clicks": "Fit click models, and make topics from frequent queries.",
    }
    functions = (
        Functions("store", "functions", "import_log"),
        Functions("subjects", "subjects", "InteractionLogs"),
        Functions(
            "online",
            "functions",
            "summarize_log compare_arms measure_divergence list_interleaving_methods infer_preferences",
        ),
        Functions("online", "click_functions", "fit_click_model list_click_models estimate_counterfactual"),
        Functions("online", "click_functions", "write_query_topics"),
        Functions("online", "interleaving", "interleave"),
        Functions("online", "interleaved_lists", "interleave_runs"),
    )
    added_options = (
        AddedOptions("measures", "commands.logs:OnlineMeasures", subject="InteractionLogs"),
        AddedOptions("store erase", "store.users:EraseOptions"),
    )
    tables = ("store.tables:TABLES", "store.tables:ATTRIBUTES", "store.tables:FILES")
    file_kinds = (LOG_FILE,)

    def formats(self, kind: Kind) -> Sequence[Format]:
        if kind != "log":
            return ()
        from cranfield.features.online.formats.ga4 import GA4
        from cranfield.features.online.formats.others import OBD, UBI, YANDEX
        from cranfield.features.online.formats.own import LOG
        from cranfield.features.online.formats.tables import CSV, PARQUET

        return UBI, OBD, YANDEX, GA4, LOG, PARQUET, CSV

    def described_names(self) -> DescribedNames:
        from cranfield.features.online.options import complete, log_measure_text
        from cranfield.metrics.measure import DescribedNames

        return DescribedNames(complete(), log_measure_text)

    def uploads(self) -> Mapping[str, Upload]:
        from cranfield.features.online.upload import UPLOADS

        return UPLOADS

    def removers(self) -> Removers:
        from cranfield.features.online.store.users import delete_import, documents_in_lists, take_lists
        from cranfield.store.removal import Removers

        return Removers({"log": take_lists}, finish_import=delete_import, used_documents=documents_in_lists)

    def erasers(self) -> Mapping[str, Find]:
        from cranfield.features.online.store.users import erase_user

        return {"user": erase_user}

    def report_sections(self, store: Store) -> Sequence[Section]:
        from cranfield.features.online.report import sections

        return sections(store)

    def views(self) -> Mapping[str, LookView]:
        from cranfield.features.online.pages import EXPERIMENTS, LOG

        return {"log": LOG, "experiments": EXPERIMENTS}
