"""The first line of the docstring of each command of the core: the help of the program imports no command for it.

`python -m tests.summaries` writes this file; a test compares it.
"""

SUMMARIES = {
    "evaluate": "Score runs against judgments.",
    "compare": "Test which differences between runs are significant.",
    "correlate": "Measure how similar two rankings of the same systems are.",
    "curve": "Show the precision-recall curve of each run, interpolated or raw.",
    "measures": "List the measures, describe one, or recommend measures for a task.",
    "trec-eval": "Print the output of trec_eval 10.0, byte for byte.",
    "reusability": "Leave each team out of the pool, and show how much it loses.",
    "depths": "Show the judging cost, and the loss of left-out runs, at each pool depth.",
    "stability": "Measure how much the system ranking depends on the topics.",
    "diagnose": "Forecast the score of a run that did not contribute to the pool.",
    "report": "Write an HTML report on a collection and its reusability.",
    "lag": "Show how the scores of the same systems change between rounds.",
    "demo": "Take a tour of Cranfield with a small bundled collection.",
    "init": "Create an empty store.",
    "info": "Show the contents of a store.",
    "search": "Run baseline rankers on the stored topics, and store their runs.",
    "fuse": "Fuse several runs into one run.",
    "assign": "Assign pooled topics to assessors or to a queue.",
    "judge": "Judge pooled documents interactively.",
    "serve": "Serve a store for judging and organising in the browser.",
    "progress": "Show the progress of judging, the time left, and agreement so far.",
    "agreement": "Measure the agreement of assessors who labelled the same documents.",
    "adjudicate": "Settle disagreements between assessors.",
    "diff": "Compare two sets of judgments, and their effect on the runs.",
    "why": "Explain a qrels line by the events, pools and runs behind it.",
    "rehearse": "Simulate assessors to plan judging before it costs anything.",
    "help": "Explain a command or a group of shared options.",
}
