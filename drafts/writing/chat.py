"""What a drafter needs of a model: one question, one answer."""

from dataclasses import dataclass
from typing import Protocol

from drafts.writing.prompt import Prompt


class ModelFailedError(Exception):
    """No answer, for one of these reasons: timeout, busy, unreachable, rejected, garbage."""


@dataclass(frozen=True, kw_only=True)
class Reply:
    text: str
    finish: str = "stop"
    refusal: str = ""
    tokens_in: int = 0
    tokens_out: int = 0


class ChatModel(Protocol):
    name: str

    def ask(self, prompt: Prompt, *, ends_at: float) -> Reply:
        """One answer before a moment of the monotonic clock. Raises ModelFailedError."""
        ...
