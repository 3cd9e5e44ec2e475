"""Evidence: sources (files as loaded) and the reference, confined, fenced and sized. Nothing is ever cut."""
