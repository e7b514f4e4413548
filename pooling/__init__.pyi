"""The names of this package and their modules, for type checkers and for `lazily`, which loads them."""

from cranfield.api.pools import pool as pool
from cranfield.api.rounds import pool_delta as pool_delta
from cranfield.api.with_features import pool_extend as pool_extend
from cranfield.api.with_features import pool_forecast as pool_forecast
from cranfield.api.with_features import pool_simulate as pool_simulate
from cranfield.api.with_features import pool_verify as pool_verify
from cranfield.commands.pools import pool_build as pool_build
from cranfield.commands.pools import pool_diff as pool_diff
from cranfield.commands.pools import pool_estimate as pool_estimate
from cranfield.commands.pools import pool_methods as pool_methods
from cranfield.commands.pools import pool_show as pool_show

__all__: list[str]
