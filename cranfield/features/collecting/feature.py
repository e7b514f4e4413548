"""Collecting without a shared task: active learning, stopping, searching, systems outside, topics in development."""

from cranfield.hooks import AddedOptions, Commands, Feature, Functions, Row

FEATURE = Feature(
    "collecting",
    "cranfield.features.collecting",
    commands=(
        Commands("Build", "finding.commands", "topics", "try keep drop"),
        Commands("Build", "commands", "import", "variations"),
    ),
    functions=(Functions("topics", "finding.functions", "list_candidates propose keep drop"),),
    added=(
        AddedOptions("search", "systems.commands:SystemOptions", "systems.commands:search_with"),
        AddedOptions("search", "commands:VariationSearch", "commands:search_with_variations"),
        AddedOptions("evaluate", "commands:VariationOptions", "commands:scores"),
        AddedOptions("topics list", "finding.commands:CandidateOptions", "finding.commands:list_candidates"),
        AddedOptions("progress", "commands:StopOptions", "commands:stop_table"),
    ),
    rows=(
        Row("search.outside", "systems.commands:search_files"),
        Row("pooling.methods", "cal:CAL", "cal"),
        Row("pooling.methods", "scal:SCAL", "scal"),
        Row("pooling.methods", "cal:DRAW", "draw"),
        Row("forecast.new_run", "new_run:unjudged_by_learning", "cal"),
        Row("store.new_runs", "variations:split_runs", "variation"),
        *(
            Row("source.found_apart", "finding.store:found_apart", table)
            for table in ("search_event", "candidate_event")
        ),
        Row("source.found_apart", "tables:pairs_of_draws", "pool"),
        Row("progress", "finding.store:search_rows", "searches"),
        Row("progress", "commands:knee_rows", "stopping"),
        Row("organise.sections", "stop_page:STOPPING", "stopping"),
        Row("invite", "finding.store:allow", "search"),
        Row("web.besides", "finding.store:may_search", "search"),
        Row("web.pages", "finding.pages:SEARCH", "search"),
        Row("web.pages", "finding.pages:DEVELOP", "develop"),
        Row("organise.sections", "finding.pages:TOPICS", "candidates"),
    ),
    tables=("tables:TABLES",),
)
