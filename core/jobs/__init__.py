"""Work that must not be lost: a row per job, a lease per worker, a hint through Celery, a reaper behind it all."""

from core.jobs import hints
from core.jobs.kinds import (
    KINDS,
    Kind,
    LeaseLostError,
    PermanentError,
    does,
    fault_of,
    job,
    may_wait,
    periodic,
)
from core.jobs.places import place
from core.jobs.queue import (
    ALL,
    add,
    again,
    bury,
    claim,
    forget,
    hurry,
    pause,
    pauses,
    resume,
    revive,
    run,
    run_job,
)
from core.jobs.reaping import (
    add_periodic,
    doubt_hints,
    due,
    forget_heartbeat,
    heartbeats,
    note_heartbeat,
    reap,
    run_due,
)
from core.jobs.renewing import Lease
from core.outages import NotNowError
