"""Bounds of the leaderboards area."""

WEEK = 10
RATING_MAX = 100
AWARDED_RANKS = 3
