"""demo: the whole workflow on the bundled collection."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli import not_in_python
from cranfield.cli.common_options import Wide
from cranfield.cli.tables import POOL, TableFormat, loss_display, output_table, print_note, say, score_display
from cranfield.extras import require_extra
from cranfield.store.connection import atomic_path
from cranfield.text import counted, join_words

if TYPE_CHECKING:
    from cranfield.view import View


DEPTH = 10


@not_in_python("it prints a tour of the commands")
def demo(
    path: Annotated[Path, typer.Argument(metavar="[STORE]", help="Store to create.")] = Path("workshop.db"),
    *,
    wide: Wide = False,
) -> None:
    """Take a tour of Cranfield with a small bundled collection.

    The command builds the collection, pools it, loads its judgments, scores its runs and measures its reusability. If
    workshop.db exists, the new store is called workshop-2.db, and so on.

    Example: cranfield demo

    Example: cranfield demo workshop.db
    """
    siblings = (path.with_stem(f"{path.stem}-{number}") for number in count(2))
    require_extra("search", "`cranfield demo`")
    path = path if not path.exists() else next(sibling for sibling in siblings if not sibling.exists())
    _build(path)
    _show(path, wide)
    say(_next_steps_text(path))


def _build(path: Path) -> None:
    with atomic_path(path) as part:
        _fill(part, path)


def _fill(part: Path, path: Path) -> None:
    """Create the store at `part`; `path` is its name."""
    from cranfield.analysis.recipes import bundled_recipes, finish_built_store, load_parts, new_store, read_recipe
    from cranfield.commands.pools import build_pool
    from cranfield.judging.labels.choice import labelling_assessors, labels_by_recorded_choice
    from cranfield.search.systems import search_with_systems
    from cranfield.store.log import assessors
    from cranfield.store.reading import Reading
    from cranfield.store.store import Store

    recipe = read_recipe("workshop")
    folder = bundled_recipes()["workshop"].parent
    with new_store(recipe, part) as store:
        load_parts(store, recipe, folder, ("corpus", "topics"))
        counts = store.counts()
    _print_step("corpus and topics", f"{counts['document']} notes, {counts['topic']} visitors' problems, in {path}")
    _print_step("search", f"{len(search_with_systems(part, None).tags)} baseline runs over the corpus")
    _print_step("pool", build_pool(Reading().select_place(part), depth=DEPTH).lines[0])
    with Store.open(part) as store:
        load_parts(store, recipe, folder, ("qrels",))
        finish_built_store(recipe, store)
        counts, names = store.counts(), list(assessors(store))
        decisive = labelling_assessors(store, labels_by_recorded_choice(store))
    _print_step(
        "judge",
        f"{counts['judgment_event']:,} judgments by {counted(len(names), 'model')} ({', '.join(names)}),"
        " as events in the log",
    )
    _print_step("qrels", f"{counts['qrels']:,} judgments count, by {join_words(decisive, 'and')}")


def _print_step(step: str, what: str) -> None:
    say(f"{step:>18}  {what}")


def _show(path: Path, wide: bool) -> None:
    from cranfield.collection import open_collection

    view = open_collection(path).select(policy="primary")
    for show in (_pool, _print_scores, _verdict):
        say()
        show(path, view, wide)


def _pool(path: Path, view: View, wide: bool) -> None:
    """What each run contributed to the pool."""
    from cranfield.pooling.stored.contents import contribution_by_run
    from cranfield.store.pools import stored_pool
    from cranfield.store.store import Store

    with Store.open(path, tell=print_note) as store:
        rows = contribution_by_run(stored_pool(store), view.qrels, view.min_relevant)
    output_table(
        rows,
        TableFormat.table,
        title=f"1. The pool: the first {DEPTH} documents of each run",
        display=POOL,
        wide=wide,
        left_out=view.left_out,
    )
    say("The last two columns show how many documents would be missing if a run had not contributed.")


def _print_scores(path: Path, view: View, wide: bool) -> None:
    from cranfield.analysis.evaluation import JUDGED_DEPTH, evaluation
    from cranfield.metrics.evaluate import score_runs
    from cranfield.metrics.notation import parse_measures
    from cranfield.options import MEASURES

    measures = parse_measures(MEASURES, view.min_relevant)
    rows, document = evaluation(score_runs(view.judged, measures, view.pool_depth or JUDGED_DEPTH), measures)
    title = f"2. The systems: means over {document['topics']} topics, best AP first"
    output_table(rows, TableFormat.table, title=title, display=score_display(rows), wide=wide, left_out=view.left_out)
    say("Check Judged@10 first. If it is below 1, a run retrieved documents that nobody judged.")


def _verdict(path: Path, view: View, wide: bool) -> None:
    from cranfield.analysis.change_rows import change_rows, sort_worst_first
    from cranfield.analysis.reusability import reusability_verdict
    from cranfield.analysis.verdict import verdict_rows, verdict_sentences
    from cranfield.metrics.notation import parse_measures
    from cranfield.options.trusting import MEASURES

    verdict = reusability_verdict(view, None, DEPTH, parse_measures(MEASURES, view.min_relevant))
    first = verdict.left_out.measures[0]
    rows, display = loss_display(sort_worst_first(change_rows(verdict.left_out, [first])), first)
    title = f"3. The verdict: each {verdict.left_out.by} scored as if its runs had not contributed to the pool"
    output_table(rows, TableFormat.table, title=title, display=display, wide=wide, left_out=view.left_out)
    say(
        "Each row shows a run's score and rank after its team's unique documents are removed. The largest rank drop"
        " is first.\n"
    )
    say(verdict_sentences(verdict))
    say()
    output_table(verdict_rows(verdict, first), TableFormat.table, wide=wide, left_out=view.left_out)


def _next_steps_text(path: Path) -> str:
    steps: dict[str, str] = {
        f"cranfield judge {path} --assessor me": "judge the pool yourself",
        f"cranfield evaluate {path} --per-topic -m AP": "show the scores by topic",
        f"cranfield reusability {path} --by run": "leave out one run at a time",
        f"cranfield import runs {path} my.run": "import your own run, then evaluate again",
        f"datasette {path}": "browse every table (pip install datasette)",
    }
    width = max(map(len, steps))
    return "\nNext:\n" + "\n".join(f"  {command:<{width}}  {why}" for command, why in steps.items())
