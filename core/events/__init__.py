"""Events: what happened to a person's things, sent to the addresses of their own programs (Standard Webhooks 1.0).

An area declares its types, and emits one in the transaction of the change. A delivery is a row for each endpoint that
wants the type; jobs send them, one endpoint at a time.
"""

from core.event_types import TEST, TYPES
from core.events.emitting import emit, emit_each, send_off
from core.events.sending import resume_events, send_events
from core.events.signing import GRACE, new_nonce, secret_of
