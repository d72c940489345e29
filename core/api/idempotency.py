"""Idempotency-Key: the same key and body get the stored answer, and a change happens once.

Follows draft-ietf-httpapi-idempotency-key-header: a key is bare or a quoted structured-field string, 1 to 255 visible
ASCII characters. Only 2xx answers are stored, in the transaction of their change.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection

from core.api.errors import ApiError
from core.models import Replay
from core.postgresql.base import fetch_row

STORED_FOR = timedelta(hours=24)
BYTES_PER_PERSON = 16 * 1024 * 1024
TRIM_EVERY = 16
VISIBLE = re.compile(r"[\x21-\x7e]{1,255}\Z")
QUOTED = re.compile(r'"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"\Z')


class IdempotencyKeyInvalidError(
    ApiError, code="idempotency_key_invalid", title="The Idempotency-Key is not valid"
):
    """The header is empty, too long or holds other characters."""


class IdempotencyKeyReusedError(
    ApiError, code="idempotency_key_reused", title="The Idempotency-Key was used for another request"
):
    """The key was used for another request."""


class RequestInProgressError(
    ApiError, code="request_in_progress", title="The first request is still running"
):
    """The first request with this key is still running."""


@dataclass(frozen=True, kw_only=True)
class Call:
    """A keyed call: who, which operation, which key, what it asks for, and whether that changes nothing."""

    user_id: int
    operation: str
    key: str
    fingerprint: str
    changes_nothing: bool = False


def read_key(header: str) -> str:
    """The key of a header value. Raises IdempotencyKeyInvalidError."""
    value = header.strip()
    if quoted := QUOTED.match(value):
        value = re.sub(r"\\(.)", r"\1", quoted[1])
    elif value.startswith('"'):
        value = ""
    if not VISIBLE.match(value):
        raise IdempotencyKeyInvalidError("Idempotency-Key must be 1 to 255 visible ASCII characters.")
    return value


def fingerprint(*, method: str, path: str, body: Any) -> str:
    """What a call asks for, as a SHA-256 hex digest of its canonical JSON."""
    canonical = json.dumps([method, path, body], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def stored(call: Call, *, at: datetime) -> Replay | None:
    """The answer this call already got within 24 hours; without a body if the call changed nothing.

    Raises IdempotencyKeyReusedError for another body, and when the answer had to make room for later ones.
    """
    replay = Replay.objects.filter(user_id=call.user_id, operation=call.operation, key=call.key).first()
    if replay is None:
        return None
    if replay.created_at < at - STORED_FOR:
        replay.delete()
        return None
    if replay.fingerprint != call.fingerprint:
        raise IdempotencyKeyReusedError("This Idempotency-Key came with another path or body before.")
    if not replay.body and not call.changes_nothing:
        raise IdempotencyKeyReusedError(
            "This call was made before, and later answers have taken the place of its answer. Read what it changed."
        )
    return replay


def hold(call: Call) -> None:
    """Keep others with the same key out until this transaction ends. Raises RequestInProgressError if one runs."""
    if not _try_lock(f"{call.user_id}:{call.operation}:{call.key}"):
        raise RequestInProgressError(
            "The first request with this Idempotency-Key is still running.",
            headers={"Retry-After": "1"},
            retry_after=1,  # for those who see no headers: callers of a tool
        )


def _try_lock(name: str) -> bool:
    number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)
    return fetch_row("SELECT pg_try_advisory_xact_lock(%(number)s)", {"number": number}) == (True,)


def store(call: Call, *, status: int, body: bytes, headers: Mapping[str, str], at: datetime) -> None:
    """Keep a successful answer, in the transaction of its change; of a call that changes nothing, that it was made."""
    replay = Replay.objects.create(
        user_id=call.user_id,
        operation=call.operation,
        key=call.key,
        fingerprint=call.fingerprint,
        status=status,
        body=b"" if call.changes_nothing else body,
        headers=dict(headers),
        created_at=at,
    )
    if replay.pk % TRIM_EVERY == 0 and _try_lock(f"trim:{call.user_id}"):
        _trim(user_id=call.user_id)


TRIM = """
UPDATE core_replay SET body = '' WHERE id IN (
    SELECT id FROM (
        SELECT id, sum(octet_length(body)) OVER (ORDER BY id DESC) AS bytes
        FROM core_replay WHERE user_id = %s AND body <> ''
    ) AS stored WHERE bytes > %s
)
"""


def _trim(*, user_id: int) -> None:
    """Let a person's oldest answers go once theirs take too much room. That the calls were made stays known."""
    with connection.cursor() as cursor:
        cursor.execute(TRIM, [user_id, BYTES_PER_PERSON])
