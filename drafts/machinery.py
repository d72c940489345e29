"""What reads websites and writes drafts, each part loaded when it is first asked for.

With its parsers it takes 14 MB and half a second of every process, and only the crawler uses it: web processes and the
worker of short jobs import this module and nothing behind it.
"""

# ruff: noqa: PLC0414  (a name imported as itself is meant for others, which type checkers ask for)
import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from drafts.crawl.crawler import crawl as crawl
    from drafts.crawl.extract_parts import SiteText as SiteText
    from drafts.crawl.photo_ties import Tie as Tie
    from drafts.crawl.photo_ties import photos_in as photos_in
    from drafts.crawl.segments import read_site as read_site
    from drafts.writing.answer import first_object as first_object
    from drafts.writing.extractive.categories import named_like as named_like
    from drafts.writing.extractive.writer import ExtractiveWriter as ExtractiveWriter
    from drafts.writing.openai_writer import OpenAIWriter as OpenAIWriter
    from drafts.writing.prompt import PROMPT_VERSION as PROMPT_VERSION
    from drafts.writing.prompt import ChatModel as ChatModel
    from drafts.writing.prompt import ModelFailedError as ModelFailedError
    from drafts.writing.prompt import Prompt as Prompt
    from drafts.writing.prompt import Reply as Reply

PLACES = {
    "crawl": "drafts.crawl.crawler",
    "SiteText": "drafts.crawl.extract_parts",
    "read_site": "drafts.crawl.segments",
    "Tie": "drafts.crawl.photo_ties",
    "photos_in": "drafts.crawl.photo_ties",
    "first_object": "drafts.writing.answer",
    "ChatModel": "drafts.writing.prompt",
    "ModelFailedError": "drafts.writing.prompt",
    "Reply": "drafts.writing.prompt",
    "ExtractiveWriter": "drafts.writing.extractive.writer",
    "named_like": "drafts.writing.extractive.categories",
    "OpenAIWriter": "drafts.writing.openai_writer",
    "PROMPT_VERSION": "drafts.writing.prompt",
    "Prompt": "drafts.writing.prompt",
}


if not TYPE_CHECKING:  # whoever checks types knows the names from above, and no other

    def __getattr__(name: str) -> Any:
        """The part of this name (PEP 562), from where it is defined. Raises AttributeError for any other."""
        if name not in PLACES:
            raise AttributeError(name)
        return getattr(importlib.import_module(PLACES[name]), name)


def load() -> None:
    """Load every part now, for processes that will all need them."""
    for place in PLACES.values():
        importlib.import_module(place)
