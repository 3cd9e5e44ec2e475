"""Models: from an id on a panel to an answer whose provenance is known. One seam: pydantic_ai's `Model`."""
