"""Vendors' own hosts, through pydantic-ai and their SDKs. Imported only where a panel names one."""
