"""What the store keeps of publishing: what people say of the collection, and what published logs said."""

from pathlib import Path

from cranfield.store.tables import Presentation, Table, Tables

TABLES = Tables(
    Path(__file__).with_suffix(".sql").read_text("utf-8"),
    (
        Table("publication"),
        Table("published_log", "copy", key="origin", columns="events head chains"),
    ),
    shown={
        "publication": Presentation("Description for publication"),
        "published_log": Presentation("Logs of published folders"),
    },
)  # fmt: skip
