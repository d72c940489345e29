"""Words of many languages by which facts are known."""
