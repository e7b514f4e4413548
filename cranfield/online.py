"""Evaluate systems by what users do: logs, A/B tests, interleaving, click models."""

from typing import TYPE_CHECKING

from cranfield.lazy import lazily, listing

if TYPE_CHECKING:
    from cranfield.features.online.functions import online_ab as online_ab
    from cranfield.features.online.functions import online_clicks_fit as online_clicks_fit
    from cranfield.features.online.functions import online_clicks_models as online_clicks_models
    from cranfield.features.online.functions import online_counterfactual as online_counterfactual
    from cranfield.features.online.functions import online_divergence as online_divergence
    from cranfield.features.online.functions import online_interleave_methods as online_interleave_methods
    from cranfield.features.online.functions import online_preference as online_preference
    from cranfield.features.online.functions import online_show as online_show
    from cranfield.features.online.interleaving import interleave as interleave
else:
    __getattr__ = lazily(__name__)
    __dir__ = listing(__name__)
