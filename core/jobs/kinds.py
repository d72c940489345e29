"""The kinds of jobs, each a line of its area's `tasks.py`: `does("area.kind", service, every=900)`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from inspect import signature
from typing import Any

from core.job_limits import SOFT_LIMIT_SECONDS

KINDS: dict[str, "Kind"] = {}
Work = Callable[..., object]
QUEUES_OF_STRANGERS = frozenset({"crawl", "ai"})


class LeaseLostError(Exception):
    """Another worker has taken the job over; stop without writing."""


class PermanentError(Exception):
    """Trying again cannot heal this: the job is dead at once."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """How jobs of one kind run. `every` is a period in seconds. Nobody waits for one that `is_background`.

    One that `goes_first` does so whatever else waits in its queue. One that is `never_planned` waits for its server
    alone, also where it was not tried yet.
    `on_dead` hears of a job that has failed for good: its `key`, the `error`, and what it was to do.
    """

    name: str
    work: tuple[Work, ...]
    lease: timedelta
    queue: str = "default"
    attempts: int = 5
    every: int | None = None
    on_dead: Callable[..., None] | None = None
    waits_seconds: float = 0
    is_background: bool = False
    goes_first: bool = False
    never_planned: bool = False

    @property
    def limit_seconds(self) -> float:
        """When the work is asked to end; a process that goes on is ended a while later."""
        return max(self.lease.total_seconds(), SOFT_LIMIT_SECONDS) + self.waits_seconds

    @property
    def is_of_strangers(self) -> bool:
        """Whether what it costs is up to a stranger, who would have it cost the same at the next attempt."""
        return self.queue in QUEUES_OF_STRANGERS

    def run(self, lease: Any, payload: Mapping[str, Any]) -> None:
        """Do the work, one service after the other. Each gets the payload, and of `lease` and `at` what it takes."""
        for service in self.work:
            takes = signature(service).parameters
            days = {name for name, taken in takes.items() if taken.annotation is date}
            values = {name: date.fromisoformat(v) if name in days else v for name, v in payload.items()}
            own = {name: v for name, v in (("lease", lease), ("at", lease.at)) if name in takes}
            service(**{**own, **values})


def does(name: str, *work: Work, lease_seconds: float = 60, **how: Any) -> None:
    """Register a kind with the services that do it; `how` is what else `Kind` says of it.

    One that `is_background` lets others of its queue go before, until it has waited for some minutes.
    """
    KINDS[name] = Kind(name=name, work=work, lease=timedelta(seconds=lease_seconds), **how)


def job(name: str, **how: Any) -> Callable[[Work], Work]:
    """The same above a function: `@job("area.kind", every=900)`."""

    def register(work: Work) -> Work:
        does(name, work, **how)
        return work

    return register


def may_wait(*names: str, seconds: float) -> None:
    """Let jobs of some kinds wait for an outside service for so long, beside their own work."""
    for name in names:
        KINDS[name] = replace(KINDS[name], waits_seconds=seconds)


def periodic() -> list[Kind]:
    return [kind for kind in KINDS.values() if kind.every]


def fault_of(work: Callable[[], object]) -> Exception | None:
    """Do the work; give the exception that it raised, for the caller to write down, or None."""
    try:
        work()
    except Exception as fault:  # noqa: BLE001  (whatever it raises, the caller lives on and says so)
        return fault
    return None
