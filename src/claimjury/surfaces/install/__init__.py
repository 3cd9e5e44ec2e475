"""Installing: the entry by which a host of coding agents starts `claimjury mcp`, put into the host's own settings file."""
