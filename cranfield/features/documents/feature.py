"""Documents as people have them: folders, parts of large corpora by reference, and passages."""

from cranfield.hooks import AddedOptions, Commands, Feature, Functions, Row

FEATURE = Feature(
    "documents",
    "cranfield.features.documents",
    commands=(
        Commands("Build", "commands", "passages", "build"),
        Commands("Build", "commands", "store", "fetch"),
    ),
    groups={"passages": "Cut documents into passages, which are then what is searched, pooled and judged."},
    functions=(Functions("store", "functions", "fetch_texts build_passages"),),
    added=(
        AddedOptions("import corpus", "options:FolderOptions", "commands:import_documents"),
        AddedOptions("init", "options:ShowOptions", "showing:begin_showing"),
        AddedOptions("evaluate", "options:DocumentsOfPassages", "relation:scores"),
        AddedOptions("export qrels", "options:JudgedDocuments", "relation:export"),
    ),
    tables=("store.tables:TABLES", "store.tables:PICTURES"),
    rows=(
        Row("formats.corpus", "folder:FOLDER", before="beir"),
        Row("store.adding", "store.documents:refuse_corpus", "passage_build"),
        Row("store.adding", "showing:with_fields", "picture"),
        Row("store.verify", "store.documents:refuse_changed"),
        Row("store.bundled", "store.documents:take_along"),
        Row("store.import_removed", "store.documents:delete_import"),
        Row("web.picture", "store.documents:picture_of"),
        Row("web.routes", "pages:routes"),
        Row("store.part", "store.documents:part_here", "corpus_source"),
    ),
)
