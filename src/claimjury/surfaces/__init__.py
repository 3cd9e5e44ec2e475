"""Surfaces: they parse, call the core and render. Nothing else."""
