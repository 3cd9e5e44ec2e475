"""Citations in prose: found, and held against the repository that they name. The standard library alone, since a hook runs it."""
