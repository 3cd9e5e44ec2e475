"""Reports: a result, shown. Reads results only."""
