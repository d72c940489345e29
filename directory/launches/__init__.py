"""Launch weeks as a race: places by the hour, and what came of one launch."""
