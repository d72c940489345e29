from functools import cache
from pathlib import Path


@cache
def country_names() -> dict[str, list[str]]:
    """The names of each country in many languages by its two letters, the English name first."""
    text = Path(__file__).with_name("data").joinpath("countries.tsv").read_text(encoding="utf-8")
    return {code: names.split("|") for code, _, names in (line.partition("\t") for line in text.splitlines())}


@cache
def countries() -> list[tuple[str, str]]:
    return sorted(((code, names[0]) for code, names in country_names().items()), key=lambda row: row[1])
