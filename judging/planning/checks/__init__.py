"""What looks unusual in the labels: one file per check, and the table of them."""

from cranfield.judging.planning.checks.table import CHECKS as CHECKS
from cranfield.judging.planning.checks.table import findings as findings
