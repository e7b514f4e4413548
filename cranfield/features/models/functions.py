"""Labels by models: asking for them, with a server or by batch files."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.api.arguments import checked
from cranfield.api.keywords import taking
from cranfield.features.models.options import AssessExportOptions, AssessRunOptions
from cranfield.view import StoreGiven, store_open

if TYPE_CHECKING:
    from cranfield.features.models.asking.limits import AskingTally


@checked
@taking(AssessRunOptions)
def assess(store: StoreGiven, model: str, url: str, options: AssessRunOptions) -> AskingTally:
    """Ask a model to label the documents of a pool that it has not labelled; what came of it, and what it cost.

    The key is read from CRANFIELD_API_KEY or OPENAI_API_KEY. An answer without exactly one grade on the scale is
    recorded as "cannot judge". `price` is that of a million tokens, in and out; `budget` is of tokens or money, as
    "200000tokens" or "2.50usd". `repeat` asks again about so many graded documents, drawn at random. An adaptive pool
    grows as it is labelled, in topics that are not assigned.

    >>> from cranfield import Store
    >>> with Store.memory("binary") as store:
    ...     assess(store, "qwen3", "http://127.0.0.1:8000/v1", prompt="umbrela")
    Traceback (most recent call last):
    cranfield.errors.InputError: the prompt gives the grades 0, 1, 2, 3, the scale of the store is 0, 1; use the prompt
    basic, or map numbers to grades under [scale] in a prompt of your own
    """
    with store_open(store) as there:
        tally = options.assessment(there, model, url, options.repeat).run(options.limits)
    tally.refuse_errors_alone(url)
    return tally


@checked
@taking(AssessExportOptions)
def export_batch(store: StoreGiven, out: str | PathLike[str], model: str, options: AssessExportOptions) -> int:
    """Write what a model would be asked as a batch file of OpenAI's interface; how many requests, counted as sent."""
    with store_open(store) as there:
        return options.assessment(there, model, None).grow().write(Path(out), options.limit)


@checked
def import_batch(
    store: StoreGiven, path: str | PathLike[str], *, price: tuple[float, float] | None = None
) -> dict[str, int]:
    """Record the answers to a batch file: how many of each outcome, of which "ok" gave a label."""
    from cranfield.features.models.asking.assess import take_batch
    from cranfield.features.models.asking.limits import Price

    with store_open(store) as there:
        return dict(take_batch(there, Path(path), Price(*price) if price is not None else None).outcomes)
