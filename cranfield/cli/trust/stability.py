"""stability: how far the ranking of systems depends on the choice of topics.

JSON: {"topics", "runs", "measures": [{"measure", "floor": {"split_half_mean", "split_half_sd", "bootstrap_mean",
"bootstrap_p5"}, "discriminative_power", "by_topics": [{"topics", "swap_rate", "difference", "tau", "told_apart"}],
"swap_rates": [{"topics", "from", "pairs", "swapped", "rate"}]}]}; undefined numbers are null.
"""

from __future__ import annotations

from cranfield.arrays.which_topics import WhichTopics
from cranfield.cli.options import Assessor, Cluster, Format, Labels, Measures, Output, Plot, SourcePaths, Topics
from cranfield.cli.tables import SEPARATED, TableFormat, emit, note, say
from cranfield.store.labelled_by import LabelledBy


def stability(
    paths: SourcePaths,
    measure: Measures = None,
    topics: Topics = WhichTopics.all,
    assessor: Assessor = None,
    labels: Labels = LabelledBy.all,
    cluster: Cluster = None,
    plot: Plot = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Measure how far the ranking of systems depends on the topics: the noise floor for any other change.

    One row per number of topics: how often two disjoint sets of that size disagree on which of two systems is better;
    the difference in means from which on they rarely do, where at least 20 pairs differ so much; Kendall's tau between
    the rankings by the two sets; and the discriminative power: the share of pairs of systems that differ significantly
    by one set (paired t test, .05, uncorrected).

    --plot draws the same numbers, and how often the two sets disagree by the difference of the two systems.

    Example: cranfield stability qrels.txt runs/*.gz -m AP
    """
    from cranfield.analysis.stability import rows, stability_of, stability_sentences, title
    from cranfield.metrics.notation.parse import parse_all
    from cranfield.source import min_relevant, open_blocks

    judged, rel = open_blocks(paths, assessor, labels, note, topics), min_relevant(paths[0])
    document = stability_of(judged, parse_all(measure or ["AP"], rel))
    emit(rows(document, format not in SEPARATED), format, output, title=title(document), document=document)
    if format is TableFormat.table and output is None:
        for measured in document["measures"]:
            say("\n" + "\n".join(stability_sentences(measured, document["topics"])))
    if plot is not None:
        from cranfield.plots.stability import stability_plot
        from cranfield.plots.style import save

        save(stability_plot(document), plot)
