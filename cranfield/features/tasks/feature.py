"""Shared tasks: a track from its call to its archive, with teams that submit runs."""

from cranfield.hooks import Commands, Feature, Functions, Row

FEATURE = Feature(
    "tasks",
    "cranfield.features.tasks",
    commands=(
        Commands(
            "Build",
            "commands",
            "task",
            "describe open close release invite revoke teams submissions withdrawals decide results archive receipt",
        ),
        Commands("Build", "submit_command", "", "submit"),
    ),
    groups={"task": "Run a shared task: its description, phases, teams, submissions, results and archive."},
    functions=(
        Functions(
            "tasks", "functions", "describe invite list_submissions list_results write_archive check_receipt submit"
        ),
    ),
    rows=(
        Row("web.routes", "pages:routes"),
        Row("organise.sections", "organise:TASK", "task"),
        Row("organise.forms", "organise:PHASE", "task-phase"),
        Row("organise.forms", "organise:INVITE", "task-invite"),
        Row("organise.forms", "organise:REVOKE", "task-revoke"),
        Row("organise.forms", "organise:DECIDE", "task-decide"),
    ),
    tables=("tables:TABLES", "tables:REQUESTS"),
)
