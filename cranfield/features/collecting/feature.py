"""Collecting without a shared task: active learning, stopping, searching, systems outside, topics in development."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.extension import Extension
from cranfield.hooks import AddedOptions, Commands, Functions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cranfield.arrays.rankings import Runs
    from cranfield.formats.runs.files import RunInfo
    from cranfield.judging.labels.pairs import Pair
    from cranfield.judging.planning.sections import ProgressTable
    from cranfield.pooling.method import Method
    from cranfield.store.store import Store
    from cranfield.web.open_sessions import JudgingRole
    from cranfield.web.organise.section import OrganiserSection
    from cranfield.web.organise.upload import Upload


class CollectingExtension(Extension):
    """Build a collection without a shared task."""

    name = "collecting"
    commands = (
        Commands("Build", "finding.commands", "topics", "try keep drop"),
        Commands("Build", "commands", "import", "variations"),
    )
    functions = (
        Functions("topics", "finding.functions", "list_candidates propose keep drop"),
        Functions("store", "functions", "import_variations"),
        Functions("subjects", "subjects", "Variations"),
        Functions("subjects", "systems.subject", "ExternalSystem"),
    )
    added_options = (
        AddedOptions("search", "systems.commands:SystemOptions", subject="ExternalSystem", suffix=".toml"),
        AddedOptions("search", "added_options:VariationSearch", subject="Variations"),
        AddedOptions("evaluate", "added_options:VariationOptions", subject="Variations"),
        AddedOptions("topics list", "finding.commands:CandidateOptions", "finding.commands:list_candidates"),
        AddedOptions("progress", "added_options:StopOptions", "commands:stop_table"),
    )
    tables = ("tables:TABLES",)

    def pooling_methods(self) -> Sequence[Method]:
        from cranfield.features.collecting.cal import CAL, DRAW
        from cranfield.features.collecting.scal import SCAL

        return CAL, SCAL, DRAW

    def progress(self, store: Store) -> Mapping[str, ProgressTable]:
        from cranfield.features.collecting.commands import knee_rows
        from cranfield.features.collecting.finding.store import search_rows
        from cranfield.judging.planning.sections import ProgressTable

        searches = "Searches: what assessors judged that they found themselves; not blind, and kept apart"
        stopping = "Stopping, by knee6: it promises no recall, and early documents were likelier to be relevant"
        return {
            "searches": ProgressTable(searches, search_rows(store)),
            "stopping": ProgressTable(stopping, knee_rows(store)),
        }

    def judged_apart(self, store: Store) -> Mapping[Pair, str]:
        pairs: dict[Pair, str] = {}
        if store.has_rows("search_event") or store.has_rows("candidate_event"):
            from cranfield.features.collecting.finding.store import found_apart

            pairs |= found_apart(store)
        if store.has_rows("pool"):
            from cranfield.features.collecting.tables import pairs_of_draws

            pairs |= pairs_of_draws(store)
        return pairs

    def new_runs(self, store: Store, runs: Runs, infos: Mapping[str, RunInfo]) -> tuple[Runs, Mapping[str, RunInfo]]:
        if not store.has_rows("variation"):
            return runs, infos
        from cranfield.features.collecting.variations import split_runs

        return split_runs(store, runs, infos)

    def organiser_pages(self) -> Mapping[str, OrganiserSection]:
        from cranfield.features.collecting.finding.pages import TOPICS
        from cranfield.features.collecting.stop_page import STOPPING

        return {"stopping": STOPPING, "candidates": TOPICS}

    def roles(self) -> Sequence[JudgingRole]:
        from cranfield.features.collecting.finding.pages import DEVELOP, SEARCH
        from cranfield.features.collecting.finding.store import allow, may_search
        from cranfield.web.language import translatable
        from cranfield.web.open_sessions import JudgingRole

        return (
            JudgingRole(
                "search",
                translatable("search and judge"),
                page=SEARCH,
                with_judging=True,
                has_work=may_search,
                link=translatable("Search, and judge what you find"),
                allow=allow,
            ),
            JudgingRole("develop", translatable("develop topics"), page=DEVELOP, commands=["topics try"]),
        )

    def uploads(self) -> Mapping[str, Upload]:
        from cranfield.features.collecting.variation_upload import VARIATIONS

        return {"variations": VARIATIONS}
