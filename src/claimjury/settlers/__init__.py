"""The settlers: claims that a tool decides from the tree, the change or a run of ours, without a model.

A settler is a grammar over the whole statement and a decision over evidence of a known extent. Wrong is worse than silent.
"""
