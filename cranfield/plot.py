"""Figures of what `evaluate`, `curve` and `compare` return; a notebook shows them, and `savefig` writes them."""

from typing import TYPE_CHECKING

from cranfield.lazy import lazily, listing

if TYPE_CHECKING:
    from cranfield.charts.differences import comparison_plot as comparison_plot
    from cranfield.charts.differences import difference_bars as difference_bars
    from cranfield.charts.scores import precision_recall_plot as precision_recall_plot
    from cranfield.charts.scores import score_distribution as score_distribution
    from cranfield.charts.scores import topic_curve_plot as topic_curve_plot
else:
    __getattr__ = lazily(__name__)
    __dir__ = listing(__name__)
