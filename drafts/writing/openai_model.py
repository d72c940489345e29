"""Talk to any server that speaks the chat completions of the OpenAI API, within a fixed time."""

import json
import time
from collections.abc import Mapping
from typing import Any

import httpx2
import openai

from drafts.writing.budget import tokens
from drafts.writing.chat import ModelFailedError, Reply
from drafts.writing.prompt import Prompt

MAX_BYTES = 1024 * 1024
LONGEST_PAUSE = 5.0
LEAST_SECONDS = 1.0
REFUSED_FORMAT = (openai.BadRequestError, openai.UnprocessableEntityError)
BUSY = (openai.RateLimitError, openai.InternalServerError, openai.APIConnectionError)


class OpenAIModel:
    """Asks for a strict schema first, then for any JSON object, then for plain text, as the server allows.

    The SDK's own retries are off: they wait as long as the server says, and its time-out is per read.
    """

    def __init__(
        self, *, api_key: str, base_url: str, model: str, timeout: float, output_tokens: int
    ) -> None:
        self.name = model
        self.timeout = timeout
        self.output_tokens = output_tokens
        self._key, self._base_url = api_key, base_url or None
        self._wishes = 0

    def ask(self, prompt: Prompt, *, ends_at: float) -> Reply:
        with openai.OpenAI(api_key=self._key, base_url=self._base_url, max_retries=0) as client:
            for number, wishes in list(enumerate(self._formats(prompt)))[self._wishes :]:
                self._wishes = number
                try:
                    return self._insist(client, prompt, wishes, ends_at=ends_at)
                except REFUSED_FORMAT:
                    continue
                except openai.APIError as error:
                    raise ModelFailedError("rejected") from error
        raise ModelFailedError("rejected")

    def _formats(self, prompt: Prompt) -> tuple[dict[str, Any], ...]:
        calm = {"temperature": 0, "max_tokens": self.output_tokens}
        strict = {"name": "profile", "strict": True, "schema": prompt.schema}
        return (
            {**calm, "response_format": {"type": "json_schema", "json_schema": strict}},
            {**calm, "response_format": {"type": "json_object"}},
            {},
        )

    def _insist(
        self, client: openai.OpenAI, prompt: Prompt, wishes: Mapping[str, Any], *, ends_at: float
    ) -> Reply:
        """Ask, and once more when the server is busy and time is left."""
        may_wait = True
        while True:
            try:
                return self._send(client, prompt, wishes, ends_at=ends_at)
            except openai.APITimeoutError as error:
                raise ModelFailedError("timeout") from error
            except BUSY as error:
                pause = _pause(error)
                if not may_wait or ends_at - time.monotonic() < pause + LEAST_SECONDS:
                    is_busy = isinstance(error, openai.APIStatusError)
                    raise ModelFailedError("busy" if is_busy else "unreachable") from error
                may_wait = False
                time.sleep(pause)

    def _send(
        self, client: openai.OpenAI, prompt: Prompt, wishes: Mapping[str, Any], *, ends_at: float
    ) -> Reply:
        left = min(self.timeout, ends_at - time.monotonic())
        if left < LEAST_SECONDS:
            raise ModelFailedError("timeout")
        ends_at = time.monotonic() + left
        create = client.chat.completions.with_streaming_response.create
        messages = _messages(
            prompt, with_schema=wishes.get("response_format", {}).get("type") != "json_schema"
        )
        body = b""
        try:
            with create(model=self.name, messages=messages, timeout=left, **wishes) as response:  # type: ignore[arg-type]
                for piece in response.iter_bytes():
                    body += piece
                    if time.monotonic() > ends_at:
                        raise ModelFailedError("timeout")
                    if len(body) > MAX_BYTES:
                        raise ModelFailedError("garbage")
        except httpx2.TimeoutException as error:
            raise ModelFailedError("timeout") from error
        except httpx2.HTTPError as error:
            raise ModelFailedError("unreachable") from error
        return _reply(body, prompt)


def _messages(prompt: Prompt, *, with_schema: bool) -> list[dict[str, str]]:
    system = prompt.system
    if with_schema:
        system += f"\nThe answer follows this JSON schema: {json.dumps(prompt.schema, separators=(',', ':'))}"
    rows = [{"role": "system", "content": system}, {"role": "user", "content": prompt.user}]
    for role, text in zip(("assistant", "user"), prompt.repair, strict=False):
        rows.append({"role": role, "content": text})
    return rows


def _pause(error: openai.APIError) -> float:
    response = getattr(error, "response", None)
    try:
        stated = float(response.headers.get("retry-after", "")) if response is not None else 0.5
    except ValueError:
        stated = 0.5
    return min(max(stated, 0.1), LONGEST_PAUSE)


def _reply(body: bytes, prompt: Prompt) -> Reply:
    try:
        answer = json.loads(body)
        choice = answer["choices"][0]
        message = choice["message"]
        text, refusal = message.get("content") or "", message.get("refusal") or ""
        usage = answer.get("usage") or {}
        tokens_in, tokens_out = usage.get("prompt_tokens"), usage.get("completion_tokens")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ModelFailedError("garbage") from error
    if not isinstance(text, str) or not isinstance(refusal, str):
        raise ModelFailedError("garbage")
    return Reply(
        text=text,
        finish=str(choice.get("finish_reason") or "stop"),
        refusal=refusal,
        tokens_in=_count(tokens_in, prompt.system + prompt.user),
        tokens_out=_count(tokens_out, text),
    )


def _count(told: Any, text: str) -> int:
    """What the server counted, or a guess where it counts nothing."""
    return told if type(told) is int and 0 <= told < 10_000_000 else tokens(text)
