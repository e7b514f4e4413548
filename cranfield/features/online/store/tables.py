"""What the store keeps of interaction logs. Releases have none of it: its documents and topics may have come later."""

from pathlib import Path

from cranfield.store.tables import Presentation, Table, Tables

SHOWN = {
    "action": Presentation("Interaction log: actions", None, ("kind", "position")),
    "arm": Presentation("Experiments: arms", "name", ("experiment",)),
    "experiment": Presentation("Experiments", "name", ("kind",)),
    "impression": Presentation("Interaction log: lists shown", "name", ("experiment", "arm")),
    "query": Presentation("Interaction log: queries", "text"),
}
TABLES = Tables(
    Path(__file__).with_suffix(".sql").read_text("utf-8"),
    (
        Table("user_salt"),
        Table("experiment", "empty"),
        Table("arm", "empty"),
        Table("query", "empty"),
        Table("action", "empty"),
        Table("impression", "empty", names_topics=True,
              unpublished=("list of the interaction log", "lists of the interaction log")),
    ),
    imports={"log": {"impression": "list"}},
    names={"experiment": "SELECT name FROM experiment", "arm": "SELECT DISTINCT name FROM arm"},
    shown=SHOWN,
    hidden=("user_salt",),
)  # fmt: skip
