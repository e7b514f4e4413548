"""Evaluation by what users do: interaction logs, A/B tests, interleaving, click models, counterfactual estimates."""

from cranfield.hooks import AddedOptions, Commands, Feature, Functions, Row

FEATURE = Feature(
    "online",
    "cranfield.features.online",
    commands=(
        Commands("Build", "commands.logs", "import", "log"),
        Commands("Online", "commands.experiments", "online", "show ab"),
        Commands("Online", "commands.interleaving", "online interleave", "lists methods"),
        Commands("Online", "commands.interleaving", "online", "preference"),
        Commands("Online", "commands.clicks", "online clicks", "topics fit models"),
        Commands("Online", "commands.clicks", "online", "counterfactual"),
        Commands("Online", "commands.experiments", "online", "divergence"),
    ),
    groups={
        "online": "Evaluate systems by what users do: logs, A/B tests, interleaving, click models.",
        "online interleave": "Mix the rankings of two systems or more into one list.",
        "online clicks": "Fit models of what users examine and click, and list frequent queries.",
    },
    functions=(
        Functions("store", "functions", "import_log"),
        Functions("online", "functions", "summarize_log compare_arms fit_click_model list_click_models"),
        Functions(
            "online",
            "functions",
            "estimate_counterfactual measure_divergence list_interleaving_methods infer_preferences",
        ),
        Functions("online", "interleaving", "interleave"),
    ),
    added=(
        AddedOptions("measures", "commands.logs:OnlineMeasures", "commands.logs:list_measures"),
        AddedOptions("store erase", "store.users:EraseOptions"),
    ),
    tables=("store.tables:TABLES", "store.tables:ATTRIBUTES", "store.tables:FILES"),
    rows=(
        Row("report.sections", "report:sections"),
        Row("look", "pages:LOG", "log"),
        Row("look", "pages:EXPERIMENTS", "experiments"),
        Row("store.counts", "store.read:lists_here"),
        Row("store.remove_import", "store.users:take_lists", "log"),
        Row("store.import_removed", "store.users:delete_import"),
        Row("store.named_documents", "store.users:documents_in_lists"),
        Row("store.remove_topic", "store.users:refuse_topic"),
        Row("store.erase", "store.users:erase_user", "user"),
        Row("measures.about", "commands.logs:about"),
        Row("measures.completed", "options:complete"),
        Row("formats.log", "formats.others:UBI"),
        Row("formats.log", "formats.others:OBD"),
        Row("formats.log", "formats.others:YANDEX"),
        Row("formats.log", "formats.ga4:GA4"),
        Row("formats.log", "formats.own:LOG"),
        Row("formats.log", "formats.tables:PARQUET"),
        Row("formats.log", "formats.tables:CSV"),
    ),
)
