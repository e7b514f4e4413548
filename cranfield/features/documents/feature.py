"""Documents as people have them: folders, parts of large corpora by reference, and passages."""

from cranfield.hooks import Added, Commands, Feature, Row

FEATURE = Feature(
    "documents",
    "cranfield.features.documents",
    commands=(
        Commands("Build", "passages.commands", "passages", "build"),
        Commands("Build", "commands", "store", "fetch"),
    ),
    groups={"passages": "Cut documents into passages, which are then what is searched, pooled and judged."},
    added=(
        Added("import corpus", "options:FolderOptions", "commands:import_documents"),
        Added("init", "options:ShowOptions", "showing:begin_showing"),
        Added("evaluate", "options:DocumentsOfPassages", "passages.steps:scores"),
        Added("export qrels", "options:JudgedDocuments", "passages.steps:export"),
    ),
    tables=("store.tables:TABLES", "store.tables:PICTURES"),
    rows=(
        Row("formats.corpus", "formats:FOLDER", before="beir"),
        Row("store.adding", "showing:with_fields", "picture"),
        Row("store.verify", "store.pictures:refuse_changed"),
        Row("store.bundled", "store.pictures:take_along"),
        Row("store.import_removed", "store.pictures:delete_import"),
        Row("web.picture", "store.pictures:picture_of"),
        Row("web.routes", "pages:routes"),
        Row("store.importing", "store.passages:refuse_corpus", "passage_build"),
        Row("store.part", "store.sources:part_here", "corpus_source"),
    ),
)
