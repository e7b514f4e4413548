"""export judgments."""

from __future__ import annotations

import json

from cranfield.cli.export_options import OutputFile
from cranfield.cli.options import StorePath
from cranfield.cli.tables import note, summary
from cranfield.text import counted


def judgments(path: StorePath, out: OutputFile) -> None:
    """Write every event of the judgment log, one JSON object per line.

    Example: cranfield export judgments track.db judgments.jsonl
    """
    from cranfield.formats.whole_files import write_lines
    from cranfield.store.log import events
    from cranfield.store.names.unknown import strangers
    from cranfield.store.qrels import qrels_of
    from cranfield.store.store import Store

    with Store.open(path) as store:
        log = events(store)
        for text in strangers(store, qrels_of(store), "that are judged"):
            note(text)
    write_lines(out, (json.dumps(event._asdict(), ensure_ascii=False) for event in log))
    summary(out, counted(len(log), "event"))
