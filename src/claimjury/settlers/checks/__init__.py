"""The checks that a project declares, run by us: lint, types, compilation, tests."""
