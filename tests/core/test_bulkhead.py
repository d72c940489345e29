"""Two requests of a process wait for a service that hangs; what all requests ask outside stands in such a place."""

import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest

from core import outages
from core.outages import PLACES, PLACES_IN_ALL, Bulkhead, NotNowError, ServiceAwayError
from tests import calls_outside
from tests.servers.hanging import HangingServer
from tests.waiting import taken


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Bulkhead:
    """A service that no other test knows."""
    monkeypatch.setattr(Bulkhead, "all", [])
    return Bulkhead("A service")


def answer(error: Exception | None) -> None:
    """Whatever the service did."""
    if error is not None:
        raise error


def visit(service: Bulkhead, error: Exception | None = None) -> str:
    """What one request gets."""
    try:
        with outages.request(), service.place():
            answer(error)
            return "answered"
    except ServiceAwayError:
        return "away"
    except Exception as fault:  # noqa: BLE001
        return type(fault).__name__


def test_two_wait_and_the_third_is_answered_at_once(service: Bulkhead) -> None:
    inside, leave = threading.Barrier(PLACES + 1), threading.Event()

    def wait() -> str:
        with outages.request(), service.place():
            inside.wait(30)
            assert leave.wait(30)
            return "answered"

    with ThreadPoolExecutor(PLACES) as threads:
        waiting = [threads.submit(wait) for _ in range(PLACES)]
        inside.wait(30)
        third = visit(service)
        leave.set()
        answers = [future.result() for future in waiting]

    assert (PLACES, third, answers, visit(service)) == (2, "away", ["answered"] * 2, "answered")


def test_one_request_takes_one_place_however_often_it_asks(service: Bulkhead) -> None:
    with outages.request(), service.place(), service.place(), service.place():
        assert visit(service) == "answered"


@pytest.mark.parametrize("error", [TimeoutError(), httpx2.ReadTimeout("-"), httpx2.ConnectTimeout("-")])
def test_after_a_time_out_nobody_waits_for_a_while(
    service: Bulkhead, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (visit(service, error), visit(service)) == (type(error).__name__, "away")
    monkeypatch.setattr(service, "_away_until", 0.0)  # 15 seconds later
    assert visit(service) == "answered"


def test_a_time_out_counts_whatever_library_wraps_it(service: Bulkhead) -> None:
    wrapped = RuntimeError("no answer")
    wrapped.__cause__ = TimeoutError()

    assert (visit(service, wrapped), visit(service)) == ("RuntimeError", "away")


def test_a_refusal_or_a_lost_connection_is_no_absence(service: Bulkhead) -> None:
    assert [visit(service, ValueError()), visit(service, ConnectionResetError()), visit(service)] == [
        "ValueError",
        "ConnectionResetError",
        "answered",
    ]


def test_where_each_call_has_another_server_a_time_out_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bulkhead, "all", [])
    service = Bulkhead("Sites", away_seconds=0)

    assert (visit(service, TimeoutError()), visit(service)) == ("TimeoutError", "answered")


def test_all_services_together_leave_threads_for_others(
    service: Bulkhead, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Bulkhead, "_places_in_all", threading.BoundedSemaphore(PLACES_IN_ALL))
    for _ in range(PLACES_IN_ALL):
        Bulkhead._places_in_all.acquire()

    assert (PLACES_IN_ALL, visit(service)) == (5, "away")
    Bulkhead._places_in_all.release()
    assert visit(service) == "answered"


def test_a_job_needs_no_place_and_has_more_time(service: Bulkhead) -> None:
    with taken(service), service.place():
        assert service.seconds_left(in_job=10.0) == 10.0
    with outages.request(), service.place():
        assert 4.0 < service.seconds_left(in_job=10.0) <= 5.0


def test_jobs_take_places_where_many_ask_one_server_and_wait_without_an_attempt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Bulkhead, "all", [])
    service = Bulkhead("A server of jobs", in_jobs=True)

    with taken(service), pytest.raises(NotNowError) as third, service.place():
        pytest.fail("the third is inside")
    with pytest.raises(TimeoutError), service.place():
        raise TimeoutError
    with pytest.raises(NotNowError) as after, service.place():
        pytest.fail("it is asked again at once")

    assert (2 <= third.value.seconds <= 4, 14 < after.value.seconds <= 30) == (True, True)
    monkeypatch.setattr(service, "_away_until", 0.0)
    with taken(service), pytest.raises(NotNowError) as later, service.place():
        pytest.fail("two already find out whether it is back")
    assert 15 <= later.value.seconds <= 30
    service.forget()
    with service.place():
        assert service.seconds_left(in_job=10.0) == 10.0


def test_a_request_that_asks_outside_of_a_place_is_seen(service: Bulkhead) -> None:
    with socket.socket() as guarded, socket.socket() as unguarded, HangingServer() as server:
        with outages.request(), service.place():
            guarded.connect(server.address)
        assert calls_outside.unguarded == []
        with outages.request():
            unguarded.connect(server.address)
        assert calls_outside.unguarded == [f"socket.connect {server.address}"]
    calls_outside.unguarded.clear()
