"""`export`: judgments, runs, texts and pools as files, and what others work with: bundles, offline pages, Datasette."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.build import command, show_lines, show_summary
from cranfield.cli.common_options import SafeCsv
from cranfield.cli.tables import print_note, print_summary
from cranfield.commands.exports import (
    export_beir,
    export_corpus,
    export_datasette_metadata,
    export_judgments,
    export_qrels,
    export_topics,
)
from cranfield.commands.pools import PooledDocuments, pool_runs
from cranfield.commands.run_export import export_runs
from cranfield.commands.transfers import export_bundle, export_page
from cranfield.options import Written
from cranfield.text import counted


def check_pool_name(out: Path) -> None:
    """Refuse the name of a pool that promises another format than CSV or TSV; note a name that promises none."""
    from cranfield.formats.output_names import POOL, format_by_name

    if line := format_by_name(out, POOL, "tsv").note:
        print_note(line)


def write_pool_table(
    result: PooledDocuments,
    *,
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="Output file: .csv or .tsv, optionally with .gz."), Written()
    ],
    safe_csv: SafeCsv = False,
) -> None:
    """Write the pool."""
    from cranfield.formats.writing import write_pool

    write_pool(out, result.documents, safe_csv)
    print_summary(out, counted(len(result.documents), "document"))


qrels = command(export_qrels, show_summary, "store")
runs = command(export_runs, show_lines, "store")
pool = command(pool_runs, write_pool_table, "pooling", check=check_pool_name)
judgments = command(export_judgments, show_summary, "store")
topics = command(export_topics, show_summary, "store")
corpus = command(export_corpus, show_summary, "store")
beir = command(export_beir, show_lines, "store")
bundle = command(export_bundle, show_lines, "judging")
page = command(export_page, show_lines, "judging")
datasette_metadata = command(export_datasette_metadata, show_lines, "store")
