"""Rounds: residual evaluation, renamed documents, cumulative judgments, the same systems over rounds."""

from cranfield.hooks import AddedOptions, Commands, Feature, Functions, Row

ANALYSES = (
    "evaluate", "compare", "curve", "correlate", "reusability", "depths", "stability", "diagnose", "report", "fuse",
    "pool build", "pool extend", "pool show", "pool verify", "pool simulate", "pool forecast", "pool estimate",
    "pool diff", "agreement", "diff", "rehearse", "progress", "export qrels", "topics hardness", "topics next",
    "model audit report", "model audit estimate",
)  # fmt: skip
FEATURE = Feature(
    "rounds",
    "cranfield.features.rounds",
    commands=(
        Commands("Build", "commands", "round", "start close list same"),
        Commands("Trust", "commands", "", "lag"),
    ),
    groups={"round": "Open, close and list the rounds of a collection that lives."},
    functions=(
        Functions("pooling", "functions", "pool_delta"),
        Functions("rounds", "functions", "round_start round_close round_list round_same lag"),
    ),
    added=(
        *(AddedOptions(command, "options:RoundOptions") for command in ANALYSES),
        *(AddedOptions(f"import {what}", "options:ImportRound") for what in ("runs", "topics")),
        AddedOptions("import qrels", "options:ImportQrels"),
        *(AddedOptions(f"store {what}", "options:WithdrawOptions") for what in ("withdraw", "restore")),
        AddedOptions("pool extend", "options:DeltaOptions", "delta:late_runs", of="what is to be judged"),
    ),
    tables=("tables:TABLES", "tables:WITHDRAWN_BY"),
    rows=(
        Row("store.counts_now", "selection:counts_in_round", "round"),
        Row("store.names_asked", "selection:names_asked", "round"),
        Row("store.round_now", "store:round_now", "round"),
        Row("store.round_names", "store:round_names", "round"),
        Row("store.verify", "store:refuse_changed"),
        Row("store.importing", "store:note_import", "round"),
        Row("store.withdrawing", "store:note_withdrawal", "withdrawn_by"),
        Row("store.withdrawn_by", "store:withdrawn_by", "withdrawn_by"),
        Row("store.judged_before", "store:takes"),
        Row("source.earlier", "selection:judged_before"),
    ),
)
