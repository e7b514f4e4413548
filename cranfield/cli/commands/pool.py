"""`pool`: build, extend, show and compare pools; and `search` and `fuse`, which make runs for them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.build import command, show_lines, show_table
from cranfield.cli.commands.exports import pool as export
from cranfield.cli.common_options import Printer
from cranfield.cli.tables import Display, TableFormat, output_table, parse_table_format, print_note, say
from cranfield.commands.calls import single_store_path
from cranfield.commands.pools import (
    PoolExtension,
    StoredPool,
    build_pool,
    compare_pools,
    extend_pool,
    list_methods,
    summarize_pool,
)
from cranfield.commands.runs import FusedRun, search_corpus
from cranfield.commands.runs import fuse as fuse_runs
from cranfield.options import Implies, Written
from cranfield.results import Result, ResultInLines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.store.reading import Place


build = command(build_pool, show_lines, "pooling")


GROWTH = Display(
    {
        "pairs": "to judge", "alone": "of no other run", "nDCG@10 if none": "nDCG@10 if none relevant",
        "if all": "if all relevant",
    }
)  # fmt: skip


def show_growth(
    result: StoredPool | PoolExtension,
    *,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Output file for the pairs as CSV (requires --dry-run)."),
        Written(),
        Implies("dry_run"),
    ] = None,
    format: Annotated[
        TableFormat | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            parser=parse_table_format,
            help="Output format with --dry-run: table, json, csv, tsv, markdown or latex.",
        ),
        Implies("dry_run"),
    ] = None,
) -> None:
    """Print what was pooled, or what would have to be judged."""
    if isinstance(result, StoredPool):
        show_lines(result)
        return
    left_out = result.context.left_out
    if output is not None:
        output_table(result.pairs, TableFormat.csv, output, left_out=left_out)
    output_table(
        result.rows(), format or TableFormat.table, title=result.title, document=result.document, display=GROWTH,
        left_out=left_out,
    )  # fmt: skip


extend = command(extend_pool, show_growth, "pooling")
show = command(summarize_pool, show_table, "pooling")
__all__ = ["export"]
diff = command(compare_pools, show_table, "pooling")
methods = command(list_methods, show_table, "pooling")


def show_search(result: Result, *, printer: Printer) -> None:
    """Print what was searched: lines, or a table of rankers or documents."""
    if isinstance(result, ResultInLines):
        show_lines(result)
    else:
        show_table(result, printer)


search = command(search_corpus, show_search, "store")


def show_fused(
    result: FusedRun,
    *,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Output run file, instead of adding the run to the store."),
        Written(),
    ] = None,
) -> None:
    """Write the fused run, or add it to the store; print how many were fused."""
    from cranfield.analysis.pools import add_fused
    from cranfield.formats import write_run
    from cranfield.store.reading import name_of

    assert result.fusion is not None
    if output is not None:
        write_run(output, result.fusion, result.fusion.tags[0])
    elif result.place is not None:
        add_fused(name_of(result.place), result.fusion, result.about, tell=print_note)
    say(f"{result.title}, in {output or result.place}")


def refuse_files_without_output(runs: Sequence[Place], output: Path | None) -> None:
    """Refuse run files without a file for the fused run."""
    if output is None and single_store_path(runs[:1]) is None:
        raise typer.BadParameter(
            "no output file; expected -o FILE for the fused run, such as -o fused.run", param_hint="--output"
        )


fuse = command(fuse_runs, show_fused, check=refuse_files_without_output)
