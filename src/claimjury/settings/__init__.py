"""Settings: what a user, a project and the environment say once, so that no flag has to. Read by surfaces only."""
