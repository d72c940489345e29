"""The category tree as data.

`categories.json` holds the tree, `category_words.tsv` for each category further words by which websites in many
languages show that they belong there: plain words and phrases, or their beginnings, parted by commas.
"""

import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Faq:
    question: str
    answer: str


@dataclass(frozen=True, kw_only=True)
class AttributeData:
    """One row of a comparison, and where on a listing its value can be stated.

    Kinds: `text`, `year` and `link` take the value of the one field; `stated` is yes when a field holds one
    of `phrases` or is one of `equals`, otherwise unknown and never no; `choices` names each choice whose
    phrases occur; `lines` takes the lines of a list field that hold a phrase. Phrases are lower case and
    match whole words.
    """

    key: str
    label: str
    kind: str
    fields: tuple[str, ...]
    phrases: tuple[str, ...] = ()
    equals: tuple[str, ...] = ()
    choices: dict[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class CategoryData:
    """A node of the tree. `attributes` holds its parent's rows first, then its own."""

    slug: str
    name: str
    parent: str | None
    description: str
    faqs: tuple[Faq, ...]
    terms: tuple[str, ...]
    attributes: tuple[AttributeData, ...]


@cache
def category_tree() -> tuple[CategoryData, ...]:
    vocabulary = {row["key"]: _attribute(row) for row in _rows("attributes")}
    words = _words()
    tree: dict[str, CategoryData] = {}
    for row in _rows("categories"):
        inherited = tree[row["parent"]].attributes if row["parent"] else ()
        own = tuple(vocabulary[key] for key in row["attributes"])
        tree[row["slug"]] = CategoryData(
            slug=row["slug"],
            name=row["name"],
            parent=row["parent"],
            description=row["description"],
            faqs=tuple(Faq(**faq) for faq in row["faqs"]),
            terms=tuple(dict.fromkeys([*row["terms"], *words.get(row["slug"], ())])),
            attributes=tuple({a.key: a for a in inherited + own}.values()),
        )
    return tuple(tree.values())


def _words() -> dict[str, list[str]]:
    lines = (FOLDER / "category_words.tsv").read_text(encoding="utf-8").splitlines()
    return {slug: words.split(", ") for slug, words in (line.split("\t") for line in lines)}


def _rows(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return rows


def _attribute(row: dict[str, Any]) -> AttributeData:
    return AttributeData(
        key=row["key"],
        label=row["label"],
        kind=row["kind"],
        fields=tuple(row["fields"]),
        phrases=tuple(row.get("phrases", ())),
        equals=tuple(row.get("equals", ())),
        choices={name: tuple(phrases) for name, phrases in row.get("choices", {}).items()},
    )
