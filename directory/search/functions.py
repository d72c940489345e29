"""The functions that search has in PostgreSQL: their texts are in `sql/`, their numbers come from here.

Whoever changes a text or a number adds a migration that calls `load` again; a test compares the database with both.
A function keeps its parameters, since the release before calls it while this one starts.
"""

import re
from pathlib import Path
from typing import Any

from core.api.pagination import TOTAL_EXACT_UP_TO, WORDS_EXACT_UP_TO
from directory.search.lexemes import SAMPLE_ENOUGH, SAMPLE_OF
from directory.search.query.planning import FEW
from directory.search.query.ranking import RANKED_UP_TO

FOLDER = Path(__file__).parent / "sql"
NAMES = ("look_up", "near", "ids", "matched", "stage", "page")  # a function stands after those that it calls
PLACEHOLDER = re.compile(r"\{([A-Z_]+)\}")
NUMBERS: dict[str, Any] = {
    "FEW": FEW,
    "TOTAL_EXACT_UP_TO": TOTAL_EXACT_UP_TO,
    "SAMPLE_OF": SAMPLE_OF,
    "SAMPLE_ENOUGH": SAMPLE_ENOUGH,
    # that many hits in the sample say that all of them are more than are ranked
    "SAMPLE_IS_MANY": RANKED_UP_TO // SAMPLE_OF,
    # where a page ends up to which totals may be estimates
    "ESTIMATED_WITHIN": WORDS_EXACT_UP_TO,
    # names that begin with what was typed are hits, up to so many
    "NAMES_UP_TO": 500,
    # so many hits of a tier are handed on to the next, so that the pages behind the first few do not repeat any
    "SEEN_UP_TO": 500,
    # the shares of a word in the description, keywords, tagline and name
    "FIELD_WEIGHTS": "{0,0.2,0.4,1}",
    "OF_EXACT_NAME": 1000,
    "OF_NAME_BEGINNING": 0.5,
    "OF_POPULARITY": 0.02,  # times the logarithm of a listing's votes
}


def source(name: str) -> str:
    """The statement that makes this function or puts it in the place of an older one."""
    return PLACEHOLDER.sub(lambda match: str(NUMBERS[match[1]]), (FOLDER / f"{name}.sql").read_text())


def load(_apps: Any, schema_editor: Any) -> None:
    """The step of a migration: make all functions as they are now."""
    for name in NAMES:
        schema_editor.execute(source(name), params=None)
