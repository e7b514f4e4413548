"""SMART's relevant pairs, `qid docno 0 0.000000`, as CISI.REL: every pair that is listed is relevant.

By its content this cannot be told from TREC qrels with an odd grade, so it has to be asked for by name.
"""

from __future__ import annotations

from cranfield.formats.columns import Layout, Table
from cranfield.formats.files import Source
from cranfield.formats.records import Format

LAYOUT = Layout("smart-rel has", ("qid", "docno", "0", "0.000000"), number=None)


def read(source: Source) -> Table:
    return Table(source.path, source.data(), LAYOUT)


QRELS = Format("qrels", "smart-rel", "qid docno 0 0.000000, every pair relevant", lambda head, path: False, read)
