"""Shared tasks: a track from its call to its archive, with teams that submit runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.extension import Extension
from cranfield.hooks import Commands, Functions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import ClassVar

    from starlette.routing import Route

    from cranfield.web.application import Application
    from cranfield.web.organise.download import Download
    from cranfield.web.organise.section import OrganiserSection


class TasksExtension(Extension):
    """Run a shared task."""

    name = "tasks"
    commands = (
        Commands(
            "Build",
            "commands",
            "task",
            "describe open close release invite revoke teams submissions withdrawals decide results archive receipt",
        ),
        Commands("Build", "submit_command", "", "submit"),
    )
    groups: ClassVar[Mapping[str, str]] = {
        "task": "Run a shared task: description, phases, teams, submissions and results."
    }
    functions = (
        Functions("tasks", "functions", "describe invite revoke list_teams list_withdrawals decide_withdrawal"),
        Functions("tasks", "phases", "open_task close_task release_results"),
        Functions("tasks", "functions", "list_submissions list_results write_archive check_receipt submit"),
    )
    tables = ("tables:TABLES", "tables:REQUESTS")

    def routes(self, application: Application) -> Sequence[Route]:
        from cranfield.features.tasks.pages import routes

        return routes(application)

    def organiser_pages(self) -> Mapping[str, OrganiserSection]:
        from cranfield.features.tasks.organise import TASK

        return {"task": TASK}

    def downloads(self) -> Mapping[str, Download]:
        from cranfield.features.tasks.download import ARCHIVE, RESULTS

        return {"archive": ARCHIVE, "results": RESULTS}
