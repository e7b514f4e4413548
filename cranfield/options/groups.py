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
        "Which part of a store a command reads, and whose labels count",
        "By default, a command reads the present state of a store: all judged topics, the newest pool and everybody's"
        " labels. These options restrict the selection. Each command accepts the options that apply to it, and its"
        " `--help all` lists them. The command never reads withdrawn runs, topics and documents; the output reports"
        " their number.",
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
        "How and where a table is written",
        "By default, a command prints a table that fits the terminal. These options print JSON, CSV, TSV, Markdown or"
        " LaTeX, or write to a file. JSON, CSV and TSV contain all digits of a number. If several people or models"
        " labelled documents, a line below the table states whose labels were used. CSV and TSV contain these names"
        " in the column labels_of.",
        "cranfield evaluate track.db --output scores.csv",
        ("evaluate",),
    ),
    LIMITS: OptionGroup(
        "How files are read, and the limits on their size",
        "A command detects the format of a file from its content and checks every line. It refuses lines and files"
        " that exceed the limits. These options name the format and the fields, change the limits, and turn notes"
        " about files into errors.",
        "cranfield evaluate qrels.csv runs/*.csv --field qrels.grade=label --max-file 2G --fail-on-note",
        ("evaluate", "import corpus"),
    ),
    SUBJECT: OptionGroup(
        "What to score instead of document rankings",
        "By default, a command scores the document rankings in runs. With these options, it scores generated"
        " answers, topic variations, or passages mapped to their documents instead.",
        "cranfield evaluate track.db --answers",
        ("evaluate",),
    ),
    ASKING: OptionGroup(
        "How a language model is called, and limits on the cost",
        "A command sends prompts to a model server with an OpenAI-compatible API. It stores every reply, and stops"
        " before a limit is exceeded. `--dry-run` shows a prompt, the number of calls and the cost, and sends"
        " nothing. `--batch` writes the requests to a file instead.",
        "cranfield model assess run track.db --model NAME --url http://127.0.0.1:8000/v1 --dry-run",
        ("model assess run", "answers support", "answers claims make"),
    ),
}
