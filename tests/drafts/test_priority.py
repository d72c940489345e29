"""Costly work that lets everything else go before."""

import os
import threading

import pytest

from drafts.services import priority
from drafts.services.priority import NICENESS, at_low_priority


def test_only_the_thread_of_the_work_has_the_low_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(priority, "MEANWHILE_SECONDS", 0.01)
    called = threading.Event()
    own = os.getpriority(os.PRIO_PROCESS, 0)

    def work(until: threading.Event) -> int:
        assert until.wait(10), "nothing was called meanwhile"
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    assert at_low_priority(work, called, meanwhile=called.set) == NICENESS
    assert os.getpriority(os.PRIO_PROCESS, 0) == own


def test_what_the_work_raises_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        at_low_priority(lambda: 1 / 0, meanwhile=lambda: None)
