"""What every experiment of a store says: one row per comparison, by the measure that its kind has."""

from collections.abc import Iterator

from cranfield.errors import CranfieldError
from cranfield.features.online.analysis.ab import Row, ab_test
from cranfield.features.online.analysis.interleaving import preferences
from cranfield.features.online.analysis.subjects import AbWanted
from cranfield.features.online.options import PreferenceOptions
from cranfield.features.online.store.read import Experiment, experiments
from cranfield.store.store import Store

NAN = float("nan")
NOTHING = {"difference": NAN, "low": NAN, "high": NAN, "p": NAN}


def experiment_results(store: Store) -> list[Row]:
    """A row per pair of arms: of an A/B test CTR against the first arm, of interleaving Delta.

    >>> with Store.memory("nothing") as store:
    ...     experiment_results(store)
    []
    """
    return [row for each in experiments(store).values() if len(each.arms) > 1 for row in _results(store, each)]


def _results(store: Store, experiment: Experiment) -> Iterator[Row]:
    of = _interleaved if experiment.kind == "interleave" else _tested
    try:
        yield from of(store, experiment)
    except CranfieldError as error:  # the sample ratio, teams that are missing
        yield _result(experiment, "", "") | {"result": str(error)}


def _result(experiment: Experiment, arms: str, measure: str) -> Row:
    return {"experiment": experiment.name, "kind": experiment.kind, "arms": arms, "measure": measure, **NOTHING}


def _interleaved(store: Store, experiment: Experiment) -> Iterator[Row]:
    for found in preferences(store, PreferenceOptions(experiment=experiment.name)):
        if not found.impressions:
            yield _result(experiment, " : ".join(experiment.arms), "Delta") | {
                "result": "none of its lists is logged yet"
            }
            continue
        for row in found.rows:
            said = f"users prefer {row['prefers']}" if row["prefers"] else "undecided"
            biased = "; balanced interleaving is biased" * (row["method"] == "balanced")
            yield _result(experiment, f"{row['a']} : {row['b']}", "Delta") | {
                "difference": row["delta"], "low": row["low"], "high": row["high"], "p": row["p_corrected"],
                "result": said + biased,
            }  # fmt: skip


def _tested(store: Store, experiment: Experiment) -> Iterator[Row]:
    control = experiment.arms[0]
    for row in ab_test(store, AbWanted(control=control, experiment=experiment.name)).rows:
        said = f"{row['arm']} {'raises' if row['difference'] > 0 else 'lowers'} CTR"
        yield _result(experiment, f"{row['arm']} - {control}", "CTR") | {
            "difference": row["difference"], "low": row["low"], "high": row["high"], "p": row["p_corrected"],
            "result": said if row["significant"] else "undecided",
        }  # fmt: skip
