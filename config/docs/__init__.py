"""The documentation that people and programs read: OpenAPI, reference pages, the quick start, changes."""
