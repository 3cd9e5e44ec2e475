"""Ollama's native API: the one adapter of our own, because it alone says who answered, why it stopped, what it cost."""
