"""Claims that a tool can decide, and the tools that decide them."""
