"""The functions of the commands, and why some commands have none."""

from collections.abc import Mapping

DIFFERENT_NAMES: Mapping[str, str] = {  # all others have the words of the command, with _ between them
    "adjudicate": "disagreements",
    "export preferences": "preferences",
    "init": "Store.create",
    "online interleave lists": "interleave",
    "pool export": "pool",
    "report": "write_report",
    "search": "search_corpus",
}
WITHOUT: Mapping[str, str] = {
    "answers nuggets edit": "people write at the terminal",
    "answers nuggets export": "cranfield.features.answers.store.imports.nuggets_for_export returns them",
    "answers nuggets import": "cranfield.features.answers.store.imports.import_nuggets does it",
    "answers claims import": "cranfield.features.answers.store.labels.import_claims does it",
    "answers rubrics import": "cranfield.features.answers.store.rubrics.import_rubrics does it",
    "assessor invite": "it prints a link; cranfield.store.invitations.invite returns its token",
    "assessor list": "cranfield.store.invitations.invitations returns them",
    "assessor revoke": "cranfield.store.invitations.revoke does it",
    "collection show": "it prints a recipe; collection_list lists them",
    "demo": "it prints a tour of the commands",
    "export answers": "cranfield.features.answers.store.answers.exported returns them, the formats write them",
    "export beir": "cranfield.formats writes corpora, topics and judgments",
    "export bundle": "it hands work to an assessor at the terminal",
    "export corpus": "Store.documents yields the documents, cranfield.formats.write_corpus writes them",
    "export datasette-metadata": "it configures another program",
    "export judgments": "cranfield.store.log.events returns the events",
    "export pool": "pool returns the table that it writes",
    "export qrels": "read_qrels returns the table that it writes",
    "export runs": "read_runs returns the table that it writes",
    "export topics": "Store.topics returns the topics, cranfield.formats.write_topics writes them",
    "import preferences": "cranfield.features.preferences.files does it; preferences returns what there is",
    "import variations": "cranfield.features.collecting.variations reads and adds them",
    "import votes": "its options describe the file; import_qrels takes judgments in any form",
    "judge": "people judge at the terminal",
    "online clicks topics": "cranfield.features.online.analysis.log makes the topics that it writes",
    "serve": "people judge in the browser",
    "store backup": "it copies a file; cranfield.store.verification.backup does it",
    "store erase": "cranfield.store.erasing.erase does it, and says what",
    "store upgrade": "it converts a file; cranfield.store.upgrade.upgrade does it",
    "store remove": "cranfield.store.removal.remove does it, with its messages",
    **dict.fromkeys(("task open", "task close", "task release"), "cranfield.features.tasks.store.begin_phase does it"),
    "task revoke": "cranfield.features.tasks.store.revoke_team does it",
    "task teams": "cranfield.features.tasks.submissions.team_rows returns them",
    "trec-eval": "it prints what trec_eval prints; evaluate returns the same scores",
}


def function_of(command: str) -> str | None:
    """The name of the function of a command, in cranfield; None if it has none.

    >>> function_of("pool build"), function_of("report"), function_of("demo")
    ('pool_build', 'write_report', None)
    """
    if command in WITHOUT:
        return None
    return DIFFERENT_NAMES.get(command, command.replace(" ", "_").replace("-", "_"))
