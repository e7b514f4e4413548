"""What the page for comparisons of documents says."""

from cranfield.judging.frontends.keys import COMMANDS, PREFERRING
from cranfield.web.language import translatable
from cranfield.web.wording import COMPARISONS

KEYS = {name: command for name, command in PREFERRING.items() if name != "original"} | {
    "document": COMMANDS["document"]._replace(about=translatable("go to the beginning of the documents"))
}  # of documents side by side
WORDING = COMPARISONS._replace(keys=KEYS)
