"""How each fact is drafted: one class a fact. `DRAFTED` has them by name, in the order in which a model is asked."""

from core.parts import load
from drafts.writing.facts.base import DraftedFact

DRAFTED: dict[str, DraftedFact] = {name: fact() for name, fact in load(__name__, DraftedFact).items()}
