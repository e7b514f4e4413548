"""What DBN and CCM as fitted by PyClick have in common: steps of expectation maximisation that are not exact."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Mask
from cranfield.online.click_models.cascade import Cascade, cascade_chances
from cranfield.online.click_models.lists import ClickedLists


class Judged(NamedTuple):
    """What a step takes each cell for."""

    attracted: Floats  # the probability that the document attracts
    examined: Floats  # that it was examined, given the clicks above
    on: Floats  # what a way to read it counts if the user went on
    stopped: Floats  # the same if not


def judged(lists: ClickedLists, of: Cascade, none_below: Floats) -> Judged:
    """The cells of each list; `none_below` is that of the posterior.

    What DBN and CCM as fitted by PyClick have in common: steps of expectation maximisation that are not exact.

    These are approximate, and kept so that figures published with that tool can be compared:

    - A list without clicks is taken for read to its end, so all its documents count as seen and not attractive.
    - Where a document below the last click attracts, the clicks above it do not change how likely it was examined.
    - Where a user goes on from a document without a click, that click's absence does not make it less likely examined.
    - No click further down is as likely as on the documents at the top of the list, as many as there are below.

    Sources: Chuklin, Markov and de Rijke, Click models for web search, Morgan & Claypool 2015, chapter 4, for the
    formulas of attractiveness and satisfaction; PyClick (github.com/markovi/PyClick, 2021) for going on.
    """
    given, alone = cascade_chances(lists, of)
    examined, may_stop = given / of.attraction, _may_stop(lists)
    missed = _missed(of, alone / of.attraction, none_below)
    attracted = np.where(lists.click, 1, np.where(may_stop, missed, 0))
    on = np.where(lists.click, of.after_click, examined * of.after_none)
    quiet = np.where(may_stop, _none_at_top(lists, of), 1)
    either = on * quiet + may_stop * (1 - on)
    return Judged(attracted, examined, quiet / either, may_stop / either)


def _may_stop(lists: ClickedLists) -> Mask:
    """Whether the user can have stopped at a cell: at the last click or below it; nowhere without a click."""
    return (lists.ranks >= lists.last[:, None]) & (lists.last >= 0)[:, None]


def _missed(of: Cascade, examined: Floats, none_below: Floats) -> Floats:
    """The probability that a document attracts that was not clicked, nor any below it."""
    clicked_on = of.attraction + (1 - of.attraction) * of.after_none * (1 - none_below)
    return (1 - examined) * of.attraction / (1 - examined * clicked_on)


def _none_at_top(lists: ClickedLists, of: Cascade) -> Floats:
    """The probability of no click on the first documents of a list, as many as there are below each cell."""
    silent = cascade_chances(replace(lists, click=np.zeros_like(lists.click)), of).given
    none = np.cumprod(np.where(lists.shown, 1 - silent, 1), axis=1)
    below = lists.shown.sum(axis=1, keepdims=True) - lists.shown.cumsum(axis=1)
    at = lists.shown.argmax(axis=1, keepdims=True) + below - 1
    return np.where(below > 0, np.take_along_axis(none, np.maximum(at, 0), axis=1), 1)
