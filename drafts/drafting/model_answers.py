"""Ask the configured model within the day's caps, remember what it answered, and count what it cost."""

import hashlib
import json
import uuid
from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.db.models import F, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.module_loading import import_string

from core.outages import Outage
from drafts import limits, machinery
from drafts.models import Draft, ModelAnswer, ModelUse

MODEL = "drafts.writing.openai_model.OpenAIModel"
"""Imported when a model is asked: its SDK takes 14 MB and half a second of every process that holds it."""
CAP_NOTE = "Today's share of the model is used up; the rules alone wrote this."
ANSWERED, SILENT, REST = "model-answered", "model-silent", "model-rest"
DAY = 86400
OUTAGE = Outage("The language model", consequence="The rules alone write drafts meanwhile.", quiet=600.0)


def is_configured() -> bool:
    return bool(settings.OPENAI_API_KEY)


def configured_model() -> "machinery.ChatModel":
    model: Callable[..., machinery.ChatModel] = import_string(MODEL)
    return model(
        api_key=settings.OPENAI_API_KEY,
        base_url=settings.OPENAI_BASE_URL,
        model=settings.AI_MODEL,
        output_tokens=settings.AI_OUTPUT_TOKENS,
        is_streamed=settings.AI_STREAM,
    )


def is_within_caps(*, owner_id: int, at: datetime) -> bool:
    """Whether this person, and all people together, may use the model again today."""
    today = ModelUse.objects.filter(day=at.date())
    mine = today.filter(owner_id=owner_id).aggregate(used=Coalesce(Sum("tokens"), 0))["used"]
    everybodys = today.aggregate(used=Coalesce(Sum("tokens"), 0))["used"]
    factor = settings.RATE_LIMIT_FACTOR
    return (
        mine < settings.AI_TOKENS_PER_USER_A_DAY * factor and everybodys < settings.AI_TOKENS_A_DAY * factor
    )


def cost_micros(*, tokens_in: int, tokens_out: int) -> int:
    """The price of some tokens in millionths of the currency unit. Prices are per million tokens."""
    return round(tokens_in * settings.AI_PRICE_IN + tokens_out * settings.AI_PRICE_OUT)


@transaction.atomic
def book(*, owner_id: int, draft_id: uuid.UUID, reply: "machinery.Reply", at: datetime) -> None:
    """Add one answer to the day's figures and to its draft's, whatever becomes of the draft."""
    cost = cost_micros(tokens_in=reply.tokens_in, tokens_out=reply.tokens_out)
    row, _ = ModelUse.objects.get_or_create(owner_id=owner_id, day=at.date())
    ModelUse.objects.filter(pk=row.pk).update(
        calls=F("calls") + 1,
        tokens=F("tokens") + reply.tokens_in + reply.tokens_out,
        cost_micros=F("cost_micros") + cost,
    )
    Draft.objects.filter(pk=draft_id).update(
        tokens_in=F("tokens_in") + reply.tokens_in,
        tokens_out=F("tokens_out") + reply.tokens_out,
        cost_micros=F("cost_micros") + cost,
    )


class RememberingModel:
    """A model that is asked each question once: answers are kept by question, prompt version and model."""

    def __init__(
        self, model: "machinery.ChatModel", *, owner_id: int, draft_id: uuid.UUID, pages: tuple[str, ...]
    ) -> None:
        self.model = model
        self.name = model.name
        self.owner_id, self.draft_id = owner_id, draft_id
        self.pages = pages
        self.answered_before = cache.get(ANSWERED)

    def ask(self, prompt: "machinery.Prompt", *, ends_at: float) -> "machinery.Reply":
        """The kept answer, or a new one, which is counted and kept if it can be read."""
        key = self._key(prompt)
        stored = ModelAnswer.objects.filter(key=key).values_list("text", flat=True).first()
        if stored is not None:
            return machinery.Reply(text=stored)
        reply = self._ask(prompt, ends_at=ends_at)
        now = timezone.now()
        book(owner_id=self.owner_id, draft_id=self.draft_id, reply=reply, at=now)
        if reply.finish == "stop" and machinery.first_object(reply.text) is not None:
            row = ModelAnswer(key=key, model=self.name[:80], text=reply.text, created_at=now)
            ModelAnswer.objects.bulk_create([row], ignore_conflicts=True)
            forget(at=now)
        return reply

    def _ask(self, prompt: "machinery.Prompt", *, ends_at: float) -> "machinery.Reply":
        """Ask, unless the model is silent: then one draft at a time tries it, and nobody for a minute after that.

        One that answered anybody while this draft waited in vain is slow, not silent.
        """
        if cache.get(SILENT) and not cache.add(REST, self.name, settings.AI_TIMEOUT):
            raise machinery.ModelFailedError("timeout")
        try:
            reply = self.model.ask(prompt, ends_at=ends_at)
        except machinery.ModelFailedError as error:
            OUTAGE.began(error)
            if str(error) != "timeout":
                _note_answer()
            elif cache.get(ANSWERED) == self.answered_before and not cache.add(SILENT, self.name, DAY):
                cache.set(REST, self.name, limits.MODEL_REST_SECONDS)
            raise
        OUTAGE.ended()
        _note_answer()
        return reply

    def _key(self, prompt: "machinery.Prompt") -> str:
        question = [
            machinery.PROMPT_VERSION,
            self.name,
            self.pages,
            prompt.system,
            prompt.user,
            prompt.repair,
        ]
        return hashlib.sha256(json.dumps(question, ensure_ascii=True).encode()).hexdigest()


def _note_answer() -> None:
    cache.set(ANSWERED, uuid.uuid4().hex, DAY)
    for state in (SILENT, REST):
        cache.delete(state)


def forget(*, at: datetime) -> None:
    ModelAnswer.objects.filter(created_at__lt=at - timedelta(days=limits.MODEL_ANSWER_DAYS)).delete()
    ModelUse.objects.filter(day__lt=at.date() - timedelta(days=limits.MODEL_USE_DAYS)).delete()
