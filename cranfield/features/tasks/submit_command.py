"""`submit`: check a run as the server does, and send it."""

from cranfield.cli.build import command, show_lines
from cranfield.features.tasks import functions

submit = command(functions.submit, show_lines, "tasks")
