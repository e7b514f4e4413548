"""The bootstrap over users, of few kinds and of very many."""

import numpy as np
import pytest

from cranfield.online.bootstrap import redrawn


@pytest.mark.parametrize("equal", [False, True])
def test_many_kinds_of_users_are_drawn_as_few_are(monkeypatch: pytest.MonkeyPatch, equal: bool) -> None:
    """A heavy tail one by one and the rest by its mean and covariance give the same spread as all one by one."""
    rng = np.random.default_rng(1)
    counts = np.full(1500, 3.0) if equal else rng.integers(1, 20, 1500).astype(float)
    totals = rng.pareto(1.5, 1500) * counts
    whole = redrawn(totals, counts)
    monkeypatch.setattr("cranfield.online.bootstrap.MOST", 100)
    parts = redrawn(totals, counts)
    low, middle, high = np.quantile(whole, [0.025, 0.5, 0.975])
    np.testing.assert_allclose(np.quantile(parts, [0.025, 0.5, 0.975]), [low, middle, high], atol=0.1 * (high - low))
    assert parts.std() == pytest.approx(whole.std(), rel=0.06)
    assert redrawn(totals, counts).tolist() == parts.tolist()
