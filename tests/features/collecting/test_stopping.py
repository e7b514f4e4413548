"""Rules for stopping: the published numbers, their definitions, and what is refused with its price."""

import json
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from cranfield.errors import InputError
from cranfield.features.collecting.stop_commands import stops
from cranfield.features.collecting.stop_page import STOPPING
from cranfield.features.collecting.stopping import RULES, Found, fewest, least_found, price
from cranfield.pooling.stored.growth import build
from cranfield.pooling.stored.request import PoolRequest
from cranfield.store.store import Store
from cranfield.web.organise.section import Asked
from tests.conftest import Cranfield
from tests.features.collecting.corpora import store_of
from tests.features.collecting.test_learning import judge


@pytest.mark.parametrize(("relevant", "j"), [(14, 14), (20, 20), (30, 28), (100, 87)])
def test_how_many_have_to_be_found(relevant: int, j: int) -> None:
    """Lewis, Yang and Frieder's bound, exactly."""
    assert least_found(relevant, 0.8) == j


def test_what_is_too_few_to_certify() -> None:
    assert [fewest(recall) for recall in (0.8, 0.9, 0.95)] == [14, 29, 59]
    assert price(14, 1_000_000, 50) == 280_000
    with pytest.raises(InputError, match=r"cannot be certified from 13 relevant documents; it takes 14"):
        least_found(13, 0.8)


def test_a_topic_that_has_run_dry_may_stop() -> None:
    """30 relevant documents early and none in the following 870: every rule but the strict knee agrees."""
    ends = np.arange(10, 910, 10)
    dry, rich = Found(ends, np.minimum(ends, 30), 1000), Found(ends, ends // 2, 1000)
    assert {name for name, rule in RULES.items() if rule(dry)} == set(RULES)
    assert {name for name, rule in RULES.items() if rule(rich)} == {"budget-knee"}  # of three quarters


def test_the_ratio_is_that_of_its_definition() -> None:
    random = np.random.default_rng(1)
    ends = np.cumsum(random.integers(1, 30, 12))
    relevant = np.cumsum(random.integers(0, 3, 12))
    slow = max(
        (r / i) / ((1 + relevant[-1] - r) / (ends[-1] - i)) for i, r in zip(ends[:-1], relevant[:-1], strict=True)
    )
    assert Found(ends, relevant, 1000).ratio == pytest.approx(slow)


def test_progress_tells_it(cranfield: Cranfield, tmp_path: Path) -> None:
    """By topic; a rule that certifies is refused with its price, one that is none with those that are."""
    path = tmp_path / "s.db"
    with store_of(path) as store:
        build(store, PoolRequest("cal", 20, 18, options={"first": 4}))
        judge(store)
        assert [(row["topic"], row["judged"], row["stop"]) for row in stops(store, "knee6")] == [
            ("1", 18, False),
            ("2", 18, False),
        ]
    assert (
        "knee6 says that 0 of 2 topics may stop; it promises no recall"
        in cranfield("progress", path, "--stop", "knee6").out
    )
    usual = json.loads(cranfield("progress", path, "--format", "json").out)["stopping"]
    assert [(row["topic"], row["judged"], row["stop"]) for row in usual] == [("1", 18, False), ("2", 18, False)]
    with Store.open(path) as store:
        values = STOPPING.values(Asked(store, {}, datetime.now(UTC)))
    assert [block.kind for block in values["blocks"]] == ["html", "table"]
    refused = cranfield("progress", path, "--stop", "qbcb:0.8")
    assert refused.code == 1
    assert (
        "qbcb:0.8 needs 14 relevant documents drawn at random before learning, judged blind; about 60 labels"
        in refused.err
    )
    assert cranfield("progress", path, "--stop", "soon").code == 2


def test_a_pool_of_another_method_is_refused() -> None:
    with store_of() as store:
        build(store, PoolRequest("depth", 5))
        with pytest.raises(InputError, match="pool 1 is by depth; rules for stopping look at a pool by cal"):
            stops(store, "knee6")
