"""The MCP server: where coding agents meet the jury. Its settings are the operator's, and a floor for every caller."""
