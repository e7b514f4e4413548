"""Plot the results of `evaluate`, `curve` and `compare`. A notebook shows the figures, and `savefig` writes them.

`.plot()` of a result draws its figure: `cranfield.evaluate(qrels, runs, "AP").plot()` is
`score_distribution`, `cranfield.curve(qrels, runs).plot()` is `precision_recall_curves`, and
`cranfield.compare(qrels, runs, "AP").plot()` is `difference_bars` for two runs, `comparison_chart` for more. Call a
function of this module to draw another figure of the same table, or pass `ax=` to draw on your own axes.
"""

from typing import TYPE_CHECKING

from cranfield.lazy import lazy_dir, lazy_getattr

if TYPE_CHECKING:
    from cranfield.charts.differences import comparison_chart as comparison_chart
    from cranfield.charts.differences import difference_bars as difference_bars
    from cranfield.charts.scores import precision_recall_curves as precision_recall_curves
    from cranfield.charts.scores import score_distribution as score_distribution
    from cranfield.charts.scores import topic_recall_curves as topic_recall_curves
else:
    __getattr__ = lazy_getattr(__name__)
    __dir__ = lazy_dir(__name__)
