"""`python -m claimjury`."""

from claimjury.surfaces.cli.main import main

main()
