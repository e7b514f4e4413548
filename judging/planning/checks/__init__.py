"""What looks unusual in the labels: one file per check, and the table of them."""

from .table import CHECKS as CHECKS
from .table import findings as findings
