"""A model's preferences between documents beside people's, for an audit.

A run is scored as prefs_simp of trec_eval does: the share of the preferences that it fulfils, where one between two
documents that it did not retrieve is not fulfilled. Ties are no preferences.
"""

from collections.abc import Iterable, Mapping
from functools import partial

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Runs
from cranfield.errors import InputError
from cranfield.features.models.analysis.audit import Asked, AuditedKind, Comparison, two_who_share_most
from cranfield.features.models.analysis.estimate import check_model
from cranfield.features.preferences.pairs import Preference, resolve
from cranfield.features.preferences.store import DocumentPair, current_preferences, that_count
from cranfield.judging.agreement.agreement import LabelMatrix
from cranfield.metrics.measure import Measure
from cranfield.store import MODELS
from cranfield.store.log import assessors
from cranfield.store.runs import stored_runs
from cranfield.store.store import Store

SECOND, TIE, FIRST = GRADES = (0, 1, 2)  # which document of a pair is better, in the order of their docnos
FULFILLED = Measure("prefs_simp", lambda judged: np.zeros(0), explanation="")
Grades = Mapping[DocumentPair, int]


def compare(store: Store, model: str, human: str | None, measures: Asked) -> Comparison:
    """The preferences between the pairs of which both have one."""
    check_model(store, model)
    if measures and str(measures) != FULFILLED.name and measures not in ([FULFILLED.name], (FULFILLED.name,)):
        raise InputError(f"preferences score runs by {FULFILLED.name} alone")
    kinds, by = assessors(store), _by_assessor(resolve(that_count(store, current_preferences(store))).preferences)
    people = {name: grades for name, grades in by.items() if kinds[name] not in MODELS and human in (None, name)}
    theirs = {pair: grade for grades in reversed(people.values()) for pair, grade in grades.items()}
    machine = by.get(model, {})
    if not (both := sorted(theirs.keys() & machine.keys())):
        raise InputError(f"no pair has preferences by both {model!r} and {human or 'people'}, in both orders")
    runs = stored_runs(store)
    matrix = _matrix({"people": theirs, "model": machine}, both)
    return Comparison(
        matrix,
        two_who_share_most(_matrix(people, sorted({pair for grades in people.values() for pair in grades}))),
        runs.tags,
        [FULFILLED] if runs.tags else [],
        score=partial(
            _scores, _first_above(runs, both), np.unique([pair.qid for pair in both], return_inverse=True)[1]
        ),
        ordered=False,
    )


KIND = AuditedKind(compare)


def _by_assessor(preferences: Iterable[Preference]) -> dict[str, dict[DocumentPair, int]]:
    found: dict[str, dict[DocumentPair, int]] = {}
    for one in preferences:
        grade = {one.pair.first: FIRST, one.pair.second: SECOND}.get(one.better, TIE)
        found.setdefault(one.assessor, {})[one.pair] = grade
    return found


def _matrix(by: Mapping[str, Grades], pairs: list[DocumentPair]) -> LabelMatrix:
    grades = np.array([[given.get(pair, np.nan) for given in by.values()] for pair in pairs], float)
    units = [(pair.qid, f"{pair.first} {pair.second}") for pair in pairs]
    return LabelMatrix(tuple(by), units, grades.reshape(len(pairs), len(by)), GRADES)


def _first_above(runs: Runs, pairs: list[DocumentPair]) -> Ints:
    """Of each run and pair: 1 the first document is above the second, -1 below it; 0 neither was retrieved.

    Ties are in the order of docnos, as in trec_eval's measures of preferences.
    """
    size, number = len(runs.docnos.names) + 1, np.zeros(len(runs.docnos.names), np.int64)
    in_order = runs.docnos.in_byte_order(runs.document)
    number[in_order] = np.arange(len(in_order))
    topics = runs.topics.codes([pair.qid for pair in pairs]) * size + 1
    first, second = (topics + runs.docnos.codes([pair[place] for pair in pairs]) for place in (1, 2))
    above = []
    for run in range(len(runs.tags)):
        of = np.flatnonzero(runs.run == run)
        of = of[np.lexsort((number[runs.document[of]], -runs.score[of]))]
        keys = runs.topic[of] * size + 1 + runs.document[of]
        above.append(np.sign(_place(keys, second) - _place(keys, first)))
    return np.array(above, np.int64).reshape(len(runs.tags), len(pairs))


def _place(keys: Ints, wanted: Ints) -> Ints:
    """Where each wanted key is among all; after them where it is not."""
    padded = np.append(keys, np.iinfo(np.int64).max)
    order = np.argsort(padded, kind="stable")
    found = order[np.searchsorted(padded, wanted, sorter=order)]
    return np.asarray(np.where(padded[found] == wanted, found, len(keys)))


def _scores(above: Ints, topic: Ints, grades: Floats) -> Floats:
    """The share of the preferences that each run fulfils, by topic; NaN where all are ties."""
    wanted = np.sign(grades - TIE)
    asked = np.bincount(topic, wanted != 0)
    done = np.array([np.bincount(topic, (run == wanted) & (wanted != 0), minlength=len(asked)) for run in above])
    share = np.divide(done, asked, out=np.full(done.shape, np.nan), where=asked > 0)
    return np.asarray(share[..., None])
