"""What the store keeps of a shared task: its description, its teams, what they submitted."""

from pathlib import Path

from cranfield.store.tables import Presentation, Table, Tables

TABLES = Tables(
    Path(__file__).with_suffix(".sql").read_text("utf-8"),
    (
        Table("task", "rows", log=True),
        Table("task_phase", "rows", log=True),
        Table("team", "rows", log=True),
        Table("team_contact", "empty"),
        Table("team_link", "empty"),
        Table("terms_accepted", "rows", log=True),
        Table("submission", "rows", log=True, json={"metadata": "object"}, unpublished=("submission", "submissions")),
        Table("submission_upload", "empty"),
        Table("submission_piece", "empty"),
        Table("submission_event", "rows", log=True),
    ),
    shown={
        "task": Presentation("Task: descriptions"),
        "task_phase": Presentation("Task: phases", None, ("phase",)),
        "team": Presentation("Teams", "name"),
        "terms_accepted": Presentation("Teams: terms accepted", None, ("team",)),
        "submission": Presentation("Submissions", "tag", ("team", "late")),
        "submission_event": Presentation("Submissions: log", None, ("kind",)),
        "submission_log": Presentation("Submissions: log, with names", None, ("kind", "team")),
    },
    hidden=("team_contact", "team_link", "submission_upload", "submission_piece"),
)
REQUESTS = Tables(
    Path(__file__).with_name("withdrawal_requests.sql").read_text("utf-8"),
    (Table("withdrawal_request", "rows", log=True),),
    shown={"withdrawal_request": Presentation("Submissions: requests to withdraw", None, ("kind",))},
)
