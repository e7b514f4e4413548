"""Documents as people have them: folders of text, Markdown, HTML, PDF, Word and e-mail."""

from cranfield.hooks import Added, Feature, Row

FEATURE = Feature(
    "documents",
    "cranfield.features.documents",
    added=(Added("import corpus", "options:FolderOptions", "commands:import_documents"),),
    rows=(Row("formats.corpus", "formats:FOLDER", before="beir"),),
)
