"""The jury: which of these 1 to 20 claims does the evidence support? Votes of disjoint families, tallied by rule."""
