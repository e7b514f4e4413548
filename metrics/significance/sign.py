"""The sign test: does one run win more topics than a fair coin would give it?"""

from __future__ import annotations

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.metrics.significance.pairs import Pairs, SignificanceTest


def sign(pairs: Pairs) -> Floats:
    """Whether one run wins more topics than a fair coin would give it, however small the wins; ties are dropped.

    It asks a different question from the others: how often, not by how much. It overlooks a run that wins big and loses
    small, and it can reject where the means are equal; as a test of means its error rate grows with the topics (at .05:
    .078 with 50 topics, .125 with 100). Kept because it is used; take t or permutation.

    Its weakness on five topics, then nine: one run wins four of five, which a coin does often; with fewer than six
    topics not even winning all is significant at .05. After four small losses it has won five of nine, the likeliest
    outcome of a coin, though its wins are large:

    >>> from cranfield.metrics.significance.t import paired_t
    >>> wins, losses = [0.30, 0.25, 0.35, 0.20, 0.30], [-0.01, -0.02, -0.01, -0.02]
    >>> def both(differences):
    ...     scores = np.array([differences, np.zeros(len(differences))])
    ...     pair = Pairs(scores, np.array([0]), np.array([1]))
    ...     return round(float(sign(pair)[0]), 3), round(float(paired_t(pair)[0]), 3)
    >>> both(wins[:4] + losses[:1]), both(wins[:5] + losses)
    ((0.375, 0.025), (1.0, 0.024))

    Sources: Conover, Practical nonparametric statistics, 1999; against its use here: Smucker, Allan and Carterette,
    CIKM 2007; the rates: Urbano, Lima and Hanjalic, SIGIR 2019.

    >>> scores = np.array([[0.5, 0.3, 0.9, 0.7], [0.25, 0.2, 0.4, 0.7], [0.5, 0.3, 0.9, 0.7]])
    >>> sign(Pairs(scores, np.array([0, 0]), np.array([1, 2])))  # 3 wins and a tie
    array([0.25, 1.  ])
    """
    from scipy.special import bdtr

    wins, losses = (pairs.rounded > 0).sum(axis=1), (pairs.rounded < 0).sum(axis=1)
    fewer = np.asarray(bdtr(np.minimum(wins, losses), wins + losses, 0.5), dtype=float)
    return np.asarray(np.minimum(1.0, 2 * fewer))


SIGN = SignificanceTest("sign", "sign test", sign, least=lambda topics, samples, runs: 2.0 ** (1 - topics))
