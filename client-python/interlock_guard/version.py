VERSION = "1.0.0"
"""The version in pyproject.toml; a test holds the two equal."""
