"""The file formats of the field: corpora, topics, runs and qrels, read by their content and written back.

A format is one file here and one line in `table.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.lazy import lazily

if TYPE_CHECKING:
    from cranfield.formats.files import bare_name, open_plain
    from cranfield.formats.reading import distinct_names, each_run, read_qrels, read_runs, run_names
    from cranfield.formats.reading_texts import read_corpus, read_topics
    from cranfield.formats.records import Document, Format, Topic
    from cranfield.formats.runs.ir_metadata import read_metadata
    from cranfield.formats.runs.teams import RunInfo, read_teams
    from cranfield.formats.table import FORMATS, format_of, formats_of
    from cranfield.formats.votes.reading import Votes, read_votes
    from cranfield.formats.votes.records import Vote
    from cranfield.formats.writing import write_beir, write_corpus, write_qrels, write_run, write_topics

HOME = {
    "bare_name": "files", "open_plain": "files",
    "read_metadata": "runs.ir_metadata",
    "distinct_names": "reading", "each_run": "reading",
    "read_qrels": "reading", "read_runs": "reading", "run_names": "reading",
    "read_corpus": "reading_texts", "read_topics": "reading_texts",
    "Votes": "votes.reading", "read_votes": "votes.reading",
    "Document": "records", "Format": "records", "Topic": "records",
    "FORMATS": "table", "format_of": "table", "formats_of": "table",
    "RunInfo": "runs.teams", "read_teams": "runs.teams",
    "Vote": "votes.records",
    "write_beir": "writing", "write_corpus": "writing", "write_qrels": "writing",
    "write_run": "writing", "write_topics": "writing",
}  # fmt: skip

__all__ = [
    "FORMATS",
    "Document",
    "Format",
    "RunInfo",
    "Topic",
    "Vote",
    "Votes",
    "bare_name",
    "distinct_names",
    "each_run",
    "format_of",
    "formats_of",
    "open_plain",
    "read_corpus",
    "read_metadata",
    "read_qrels",
    "read_runs",
    "read_teams",
    "read_topics",
    "read_votes",
    "run_names",
    "write_beir",
    "write_corpus",
    "write_qrels",
    "write_run",
    "write_topics",
]

__getattr__ = lazily(__name__, HOME)
