"""Misspells words as people do."""

from random import Random

LETTERS = "abcdefghijklmnopqrstuvwxyz"
SHORT = 3


def edited(word: str, rng: Random) -> str:
    """A word with one letter too many, too few, wrong, or swapped with its neighbour."""
    at = rng.randrange(len(word))
    letter = rng.choice(LETTERS)
    kind = rng.choice(("insert", "delete", "replace", "swap"))
    if kind == "insert":
        return word[:at] + letter + word[at:]
    if kind == "delete" and len(word) > SHORT:
        return word[:at] + word[at + 1 :]
    if kind == "swap" and at + 1 < len(word) and word[at] != word[at + 1]:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word[:at] + next(one for one in (letter, "q", "x") if one != word[at]) + word[at + 1 :]
