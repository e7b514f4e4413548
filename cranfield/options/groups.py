"""Groups of options that many commands share: what is read, how a table is written, limits, how models are asked.

An option says its group (`rich_help_panel=SELECTION`); a page of help shows a group as one line, and `cranfield help
selection` explains its options.
"""

from typing import NamedTuple

SELECTION, OUTPUT, LIMITS, SUBJECT, ASKING = "selection", "output", "limits", "subject", "asking"


class OptionGroup(NamedTuple):
    """What a group of options is for, an example, and commands that have all its options between them."""

    title: str
    about: str
    example: str
    commands: tuple[str, ...]


GROUPS = {
    SELECTION: OptionGroup(
        "What a command reads of a store, and whose labels count",
        "A command reads the present state of a store: all topics that are judged, the newest pool, and the labels of"
        " everybody. These options select less. Each command has those options that it can use; its `--help all` shows"
        " them. Withdrawn runs, topics and documents are never read, and a line reports them.",
        "cranfield evaluate track.db --topics dev --labels people --release 1.0",
        (
            "evaluate",
            "reusability",
            "pool forecast",
            "pool build",
            "model audit report",
            "online show",
        ),
    ),
    OUTPUT: OptionGroup(
        "How a table is written, and where to",
        "A command prints a table that fits the terminal. These options print it as JSON, CSV, TSV, Markdown or LaTeX,"
        " or write it to a file. JSON, CSV and TSV have all digits of a number. Where several people, or models,"
        " labelled, a line names whose labels scored; CSV and TSV have it in the column labels_of.",
        "cranfield evaluate track.db --output scores.csv",
        ("evaluate",),
    ),
    LIMITS: OptionGroup(
        "How files are read, and how large they may be",
        "A command detects the format of a file from its content, checks every line, and refuses a line or a file that"
        " is larger than the limits. These options name the format and the fields, move the limits, and make notes on"
        " files errors.",
        "cranfield evaluate qrels.csv runs/*.csv --field qrels.grade=label --max-file 2G --fail-on-note",
        ("evaluate", "import corpus"),
    ),
    SUBJECT: OptionGroup(
        "What is measured, where it is not rankings of documents",
        "A command measures the rankings of runs. With these options it measures generated answers, variations of"
        " topics, or the documents of passages instead.",
        "cranfield evaluate track.db --answers",
        ("evaluate",),
    ),
    ASKING: OptionGroup(
        "How a language model is asked, and what that may cost",
        "A command sends questions to the server of a model that speaks OpenAI's interface, keeps every answer, and"
        " stops before a limit is passed. `--dry-run` shows a prompt, the number of calls and the cost, and sends"
        " nothing. `--batch` writes the questions to a file instead.",
        "cranfield model assess run track.db --model NAME --url http://127.0.0.1:8000/v1 --dry-run",
        ("model assess run", "answers support", "answers claims make"),
    ),
}
