"""The first line of the docstring of each command of the core: the help of the program imports no command for it.

`python -m tests.summaries` writes this file; a test compares it.
"""

# ruff: noqa: E501

SUMMARIES = {
    "evaluate": "Score runs against judgments.",
    "compare": "Test which runs differ significantly, by more than the choice of topics explains.",
    "correlate": "Measure how similar two rankings of the same systems are: Kendall's tau, AP correlation, RBO and others.",
    "curve": "Show the precision-recall curve of each run, interpolated at 11 recall points or raw.",
    "measures": "List the measures, or describe one: what it is for, when it misleads, its source.",
    "trec-eval": "Print what trec_eval 10.0 prints, byte for byte: its measures, names, order and rounding.",
    "reusability": "Leave out each team, or group of similar runs, and see what it loses: the next system may lose as much.",
    "depths": "Show for each pool depth what judging would have cost, and what left-out systems would have lost.",
    "stability": "Measure how far the ranking of systems depends on the topics: the noise floor for any other change.",
    "diagnose": "Forecast what a run that did not help to build the pool would score.",
    "report": "Write a report on a collection: what it contains, the scores of its runs, and its reusability card.",
    "lag": "Show how the same systems do from round to round: the change of their means, with 95 % intervals over topics.",
    "demo": "Build the bundled collection, pool it, load its judgments, score its runs, and measure its reusability.",
    "init": "Create an empty store.",
    "info": 'Show what a store contains. "Unknown" counts what runs or judgments name but nobody imported.',
    "search": "Run baseline rankers over the stored corpus and topics, and store their runs.",
    "fuse": "Fuse runs into one, and add it to the store or write it as a run file.",
    "assign": "Assign the pooled topics to assessors or to a queue. Without options, show the assignments.",
    "judge": "Judge the pooled documents of a store at the keyboard.",
    "serve": "Serve a store: judge, adjudicate, organise and look at it in the browser.",
    "progress": "Show the progress of judging, the time left, agreement so far, and anomalies.",
    "agreement": "Measure how far assessors agree on the documents that several of them labelled.",
    "adjudicate": "Settle disagreements between assessors, first those that can change the ranking of the stored runs.",
    "diff": "Compare two sets of judgments: which labels differ, and the effect on scores, ranks and significance of the runs.",
    "why": "Explain a line of the qrels: every event behind it, pools, runs, and whether the text has changed since.",
    "rehearse": "Simulate assessors before any are paid: cost, expected agreement, and effect of policies. Nothing is stored.",
    "help": "Explain a command, or a group of options that many commands share.",
}
