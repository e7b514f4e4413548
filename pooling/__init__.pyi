"""The names of this package and their modules, for type checkers and for `lazy_getattr`, which loads them."""

from cranfield.api.rounds import list_unjudged as list_unjudged
from cranfield.commands.completeness import forecast_completeness as forecast_completeness
from cranfield.commands.fusion_tuning import tune_fusion as tune_fusion
from cranfield.commands.pool_checks import simulate_methods as simulate_methods
from cranfield.commands.pool_checks import verify_pool as verify_pool
from cranfield.commands.pools import build_pool as build_pool
from cranfield.commands.pools import compare_pools as compare_pools
from cranfield.commands.pools import estimate_from_sample as estimate_from_sample
from cranfield.commands.pools import extend_pool as extend_pool
from cranfield.commands.pools import list_methods as list_methods
from cranfield.commands.pools import pool_runs as pool_runs
from cranfield.commands.pools import summarize_pool as summarize_pool

__all__: list[str]
