"""What the store keeps of passages, of corpora of which it has a part, and of what is shown."""

from pathlib import Path

from cranfield.store.tables import Presentation, Table, Tables

TABLES = Tables(
    Path(__file__).with_suffix(".sql").read_text("utf-8"),
    (
        Table("passage_build", "copy", append_only=True, columns="at name head options", json={"options": "object"}),
        Table("corpus_source", part_of="import", part_by="import", append_only=True,
              columns="import source wanted fields sha256 documents kept", json={"fields": "object"}),
        Table("shown_field", "copy", append_only=True, columns="name type"),
    ),
    shown={"corpus_source": Presentation("Sources of the corpus", "source")},
    hidden=("passage_build", "shown_field"),
)  # fmt: skip
PICTURES = Tables(
    Path(__file__).with_name("pictures.sql").read_text("utf-8"),
    (Table("picture", part_of="import", part_by="import", columns="import sha256 type",
           unpublished=("picture", "pictures")),),
    hidden=("picture",),
)  # fmt: skip
