"""Clicks drawn from click models as their papers define them: one user at a time, in all lists at once."""

from collections.abc import Callable, Mapping
from itertools import permutations

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.features.online.click_models.model import ClickedLists, Fit, distinct_lists

DEPTH = 4
ATTRACTION = np.array([0.75, 0.6, 0.45, 0.3, 0.2])
SATISFACTION = np.array([0.3, 0.7, 0.5, 0.4, 0.6])
EXAMINATION = np.array([0.9, 0.6, 0.4, 0.25])
CONTINUATION = np.array([0.8, 0.6, 0.5, 0.5])
BROWSING = np.array(
    [[0.9, 0.5, 0.5, 0.5], [0.55, 0.8, 0.5, 0.5], [0.3, 0.6, 0.7, 0.5], [0.2, 0.3, 0.5, 0.8]]
)  # by rank, and by the last click above; where nothing can be above, nothing is drawn
ON = np.array([0.8])
ON_AFTER = np.array([0.85, 0.6, 0.25])  # no click, a click that did not satisfy, one that did

TRUTH: Mapping[str, Fit] = {
    "gctr": Fit({}, {"rate": np.array([0.3])}),
    "rctr": Fit({}, {"rate": EXAMINATION / 2}),
    "dctr": Fit({"attractiveness": ATTRACTION}, {}),
    "pbm": Fit({"attractiveness": ATTRACTION}, {"examination": EXAMINATION}),
    "cm": Fit({"attractiveness": ATTRACTION}, {}),
    "dcm": Fit({"attractiveness": ATTRACTION}, {"continuation": CONTINUATION}),
    "sdbn": Fit({"attractiveness": ATTRACTION, "satisfaction": SATISFACTION}, {}),
    "dbn": Fit({"attractiveness": ATTRACTION, "satisfaction": SATISFACTION}, {"continuation": ON}),
    "dcm-em": Fit({"attractiveness": ATTRACTION}, {"continuation": CONTINUATION}),
    "sdbn-em": Fit({"attractiveness": ATTRACTION, "satisfaction": SATISFACTION}, {}),
    "ubm": Fit({"attractiveness": ATTRACTION}, {"examination": BROWSING}),
    "ccm": Fit({"attractiveness": ATTRACTION, "satisfaction": ATTRACTION}, {"continuation": ON_AFTER}),
}
TRUTH = {**TRUTH, **{f"{name}-pyclick": TRUTH[name] for name in ("dbn", "ccm")}}


def simulate(name: str, sessions: int, rng: np.random.Generator) -> ClickedLists:
    """Lists of four of five documents in any order, and what users who follow the model click in them."""
    orders = np.array(list(permutations(range(len(ATTRACTION)), DEPTH)))
    pair = orders[rng.integers(len(orders), size=sessions)]
    return distinct_lists(2 * pair + clicks(name, pair, rng), len(ATTRACTION))


def clicks(name: str, pair: Ints, rng: np.random.Generator) -> Mask:
    """The clicks of one user per list."""
    if name in ("gctr", "rctr"):
        return np.asarray(rng.random(pair.shape) < np.broadcast_to(TRUTH[name].shared["rate"], pair.shape))
    if name in ("dctr", "pbm"):
        return np.asarray(rng.random(pair.shape) < ATTRACTION[pair] * (EXAMINATION if name == "pbm" else 1))
    return _browse(pair, rng) if name == "ubm" else _read_from_the_top(GOING_ON[name.removesuffix("-em")], pair, rng)


def _browse(pair: Ints, rng: np.random.Generator) -> Mask:
    clicked, last = np.zeros(pair.shape, bool), np.full(len(pair), -1)
    for rank in range(pair.shape[1]):
        examined = rng.random(len(pair)) < BROWSING[rank, last + 1]
        clicked[:, rank] = examined & (rng.random(len(pair)) < ATTRACTION[pair[:, rank]])
        last[clicked[:, rank]] = rank
    return clicked


GoingOn = Callable[[Mask, Mask, int], Floats | float]  # after a click, of a satisfied user, at a rank
GOING_ON: Mapping[str, tuple[Floats, GoingOn]] = {  # the chance to satisfy, and to go on
    "cm": (SATISFACTION, lambda click, satisfied, rank: np.where(click, 0, 1)),
    "dcm": (SATISFACTION, lambda click, satisfied, rank: np.where(click, CONTINUATION[rank], 1)),
    "sdbn": (SATISFACTION, lambda click, satisfied, rank: np.where(satisfied, 0, 1)),
    "dbn": (SATISFACTION, lambda click, satisfied, rank: np.where(satisfied, 0, ON[0])),
    "ccm": (ATTRACTION, lambda click, satisfied, rank: ON_AFTER[click.astype(int) + satisfied]),
}


def _read_from_the_top(user: tuple[Floats, GoingOn], pair: Ints, rng: np.random.Generator) -> Mask:
    satisfying, going_on = user
    clicked, reads = np.zeros(pair.shape, bool), np.ones(len(pair), bool)
    for rank, documents in enumerate(pair.T):
        click = clicked[:, rank] = reads & (rng.random(len(pair)) < ATTRACTION[documents])
        satisfied = click & (rng.random(len(pair)) < satisfying[documents])
        reads &= rng.random(len(pair)) < going_on(click, satisfied, rank)
    return clicked


def identify(name: str, fit: Fit) -> Floats:
    """The parameters that clicks determine: of products with examination, those at the first rank and ratios to it."""
    values = {**fit.documents, **fit.shared}
    if "examination" in values:
        examination = values["examination"]
        first = examination.ravel()[0]
        where = np.tril(np.ones(examination.shape, bool)) if examination.ndim == 2 else np.ones(len(examination), bool)
        values |= {"attractiveness": values["attractiveness"] * first, "examination": (examination / first)[where][1:]}
    if name in ("dcm", "dcm-em"):
        values |= {"continuation": values["continuation"][:-1]}  # after the last rank nothing is seen
    if name == "ccm":
        values.pop("satisfaction")
    return np.concatenate([np.ravel(one) for one in values.values()])
