"""`python -m cranfield` is `cranfield`."""

from cranfield.cli.program import main

main()
