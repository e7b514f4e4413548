"""The numbers of what a tool returned for a task, under the same names for all tools, so that they can be compared."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

MEASURES = {
    "map": "AP",
    "ndcg_cut_10": "nDCG@10",
    "ndcg@10": "nDCG@10",
    "P_10": "P@10",
    "precision@10": "P@10",
}
Figures = dict[str, float]


def figures(tool: str, task: str, answer: Any) -> Figures:
    """The numbers of an answer by name; names are of runs, topics, documents or measures."""
    read = READERS.get((tool, task), READERS.get(("", task), lambda answer: answer))
    return {" ".join(names): number for names, number in _numbers(read(answer), task == "many_runs")}


def _numbers(answer: Any, has_measures: bool, names: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], float]]:
    """Each number with the keys that lead to it.

    >>> dict(_numbers({"a": {"map": 0.5}}, True)), dict(_numbers({"a": {"nDCG@10": 0.5}}, False))
    ({('a', 'AP'): 0.5}, {('a',): 0.5})
    """
    if isinstance(answer, Mapping):
        for key, value in answer.items():
            name = MEASURES.get(str(key), str(key))
            skipped = not has_measures and name in ("nDCG@10", "TwoInFive")
            yield from _numbers(value, has_measures, names if skipped else (*names, name))
    elif isinstance(answer, tuple):
        yield from _numbers(dict(zip(("difference", "p"), answer, strict=True)), has_measures, names)
    else:
        yield names, float(answer)


def _by_name(column: str, name: str = "name") -> Callable[[Any], Any]:
    return lambda table: dict(zip(table[name], table[column], strict=True))


def _difference(table: Any) -> tuple[float, float]:
    """Of PyTerrier's table of a baseline and a run."""
    baseline, run = table["nDCG@10"]
    return run - baseline, table["nDCG@10 p-value"][1]


def _medians(figure: Any) -> dict[str, float]:
    """The median of each run in a horizontal box plot of matplotlib: between the caps of its whiskers."""
    (axes,) = figure.axes
    names = [label.get_text() for label in axes.get_yticklabels()]
    upright = [line for line in axes.lines if len(line.get_xdata()) == 2 and len(set(line.get_xdata())) == 1]
    medians = {}
    for place, name in zip(axes.get_yticks(), names, strict=True):
        beside = sorted(line.get_xdata()[0] for line in upright if round(sum(line.get_ydata()) / 2) == place)
        medians[name] = beside[1]
    return medians


def _marked_medians(figure: Any) -> dict[str, float]:
    """The median of each run in our plot, where it is marked."""
    (axes,) = figure.axes
    (marks,) = (line for line in axes.lines if line.get_marker() == "|")
    return dict(zip((label.get_text() for label in axes.get_yticklabels()), marks.get_xdata(), strict=True))


READERS: dict[tuple[str, str], Callable[[Any], Any]] = {
    ("ours", "one_run"): lambda table: table["value"][0],
    ("ours", "many_runs"): lambda table: table.to_dict("index"),
    ("ours", "per_topic"): _by_name("value", "query_id"),
    ("ours", "compare_with_baseline"): lambda table: (table["difference"][0], table["p"][0]),
    ("ours", "correct_many_systems"): _by_name("p_corrected", "run_a"),
    ("ours", "own_measure"): lambda table: table["value"][0],
    ("ours", "fuse"): lambda table: dict(zip(table["query_id"] + " " + table["doc_id"], table["score"], strict=True)),
    ("ours", "pool_to_depth_10"): lambda table: dict.fromkeys(table["query_id"] + " " + table["doc_id"], 1),
    ("ours", "leave_one_out"): lambda table: _by_name("reduced", "run")(table[table["unit"] == table["run"]]),
    ("ours", "agreement"): lambda table: table["value"][0],
    ("ours", "plot"): _marked_medians,
    ("pyterrier", "many_runs"): lambda table: table.set_index("name").to_dict("index"),
    ("pyterrier", "compare_with_baseline"): _difference,
    ("pyterrier", "correct_many_systems"): lambda table: _by_name("nDCG@10 p-value corrected")(table.dropna()),
    ("pyterrier", "pool_to_depth_10"): lambda table: dict.fromkeys(table["qid"] + " " + table["docno"], 1),
    ("ranx", "fuse"): lambda run: run.to_dict(),
    ("", "plot"): _medians,
}
