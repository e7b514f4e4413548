"""Random numbers: the argument `rng` of public functions, as SPEC 7 of Scientific Python has it."""

from typing import TYPE_CHECKING, TypeAlias

from cranfield.errors import InputError
from cranfield.lazy import lazy_type

if TYPE_CHECKING:
    from numpy.random import Generator
else:
    Generator = lazy_type("numpy.random", "Generator")

Rng: TypeAlias = int | Generator | None
DEFAULT_SEED = 0  # so that results are the same each time
N_SEEDS = 2**32  # among which a Generator draws


def seed_of(rng: Rng, min_seed: int | None = None) -> int:
    """Return the seed that an `rng` stands for: the number itself, one that a Generator draws, or the default.

    >>> import numpy as np
    >>> seed_of(None), seed_of(7), seed_of(np.random.default_rng(1))
    (0, 7, 2032329983)
    >>> seed_of("7")
    Traceback (most recent call last):
    cranfield.errors.InputError: rng is '7'; expected None, a whole number, or a numpy.random.Generator
    """
    if rng is None:
        return DEFAULT_SEED
    if hasattr(rng, "integers"):
        return int(rng.integers(N_SEEDS))
    is_number = hasattr(rng, "__index__") and not isinstance(rng, bool)
    if not is_number or (min_seed is not None and int(rng) < min_seed):
        number = "a whole number" if min_seed is None else f"a whole number of at least {min_seed}"
        raise InputError(f"rng is {rng!r:.60}; expected None, {number}, or a numpy.random.Generator")
    return int(rng)
