"""Collections published as folders that others can load: described, built, checked, imported."""

from cranfield.hooks import Commands, Feature, Functions, Row

FEATURE = Feature(
    "publishing",
    "cranfield.features.publishing",
    needs=("documents",),
    commands=(Commands("Build", "commands", "publish", "describe build check"),),
    groups={
        "publish": "Publish a collection as a folder that others can load: describe it, build the folder, check one.",
    },
    functions=(Functions("publish", "functions", "describe build_folder check_folder"),),
    tables=("store.tables:TABLES",),
    rows=(
        Row("collections.whole", "folder:restored_published"),
        Row("collections.left", "folder:unread"),
        Row("collections.built", "describe:describe_from"),
    ),
)
