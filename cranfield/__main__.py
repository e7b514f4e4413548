"""`python -m cranfield` is `cranfield`."""

from cranfield.cli import main

main()
