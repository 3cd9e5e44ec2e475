"""The tools of a skeptic: they read one repository and write nothing."""
