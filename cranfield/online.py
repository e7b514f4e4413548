"""Evaluate systems from user behaviour: logs, A/B tests, interleaving, click models."""

from typing import TYPE_CHECKING

from cranfield.lazy import lazy_dir, lazy_getattr

if TYPE_CHECKING:
    from cranfield.features.online.click_functions import estimate_counterfactual as estimate_counterfactual
    from cranfield.features.online.click_functions import fit_click_model as fit_click_model
    from cranfield.features.online.click_functions import list_click_models as list_click_models
    from cranfield.features.online.click_functions import write_query_topics as write_query_topics
    from cranfield.features.online.functions import compare_arms as compare_arms
    from cranfield.features.online.functions import infer_preferences as infer_preferences
    from cranfield.features.online.functions import list_interleaving_methods as list_interleaving_methods
    from cranfield.features.online.functions import measure_divergence as measure_divergence
    from cranfield.features.online.functions import summarize_log as summarize_log
    from cranfield.features.online.interleaved_lists import interleave_runs as interleave_runs
    from cranfield.features.online.interleaving import interleave as interleave
else:
    __getattr__ = lazy_getattr(__name__)
    __dir__ = lazy_dir(__name__)
