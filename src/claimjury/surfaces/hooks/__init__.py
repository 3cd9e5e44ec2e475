"""Hooks of coding agents: the end of a turn, looked at and never held up."""
