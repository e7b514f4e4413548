"""`python -m cranfield` is `cranfield`."""

from cranfield.cli.start import main

main()
