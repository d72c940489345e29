"""The web server, from outside: slow, idle and odd callers keep nobody else waiting."""

import contextlib
import http.client
import json
import os
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.utils import timezone

from accounts.services import create_api_key
from config import asgi, wsgi
from directory.models import Site
from drafts.models import Draft
from tests.conftest import People
from tests.servers.web import web_server

HELD = 40  # of each kind: five times the threads that serve
PING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
MCP = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
BEGUN = {
    "body": b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
    "form": b"POST /accounts/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\na",
    "chunks": b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
    "headers": b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n",
    "idle": b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "silent": b"",
}


@contextlib.contextmanager
def connected(port: int) -> Iterator[http.client.HTTPConnection]:
    """A connection that gives up after twenty seconds."""
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        yield connection


def status_of(port: int, path: str) -> int:
    """The status of an answer on a connection of its own."""
    with connected(port) as connection:
        connection.request("GET", path)
        return connection.getresponse().status


@pytest.mark.parametrize("kind", BEGUN)
def test_those_who_hold_connections_keep_nobody_waiting(web_port: int, kind: str) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(HELD):
            held = stack.enter_context(socket.create_connection(("127.0.0.1", web_port)))
            held.sendall(BEGUN[kind])

        assert [status_of(web_port, "/api/v1/openapi.json") for _ in range(10)] == [200] * 10


@pytest.mark.parametrize(("length", "status"), [(30_000, b"200"), (200_000, b"431")])
def test_a_head_has_only_so_much_room(web_port: int, length: int, status: bytes) -> None:
    with socket.create_connection(("127.0.0.1", web_port), timeout=20) as caller:
        caller.sendall(BEGUN["headers"] + b"Connection: close\r\nX-Long: " + b"x" * length + b"\r\n\r\n")
        assert caller.recv(4096).split(b" ")[1] == status


@pytest.mark.parametrize("kind", ["body", "form", "chunks"])
def test_a_body_that_drips_is_refused_at_its_deadline(web_port: int, kind: str) -> None:
    with socket.create_connection(("127.0.0.1", web_port), timeout=20) as dripping:
        dripping.sendall(BEGUN[kind])
        received = b"".join(iter(lambda: dripping.recv(4096), b""))

    head, _, body = received.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408 ")
    assert json.loads(body)["code"] == "body_timeout"


def test_a_caller_who_leaves_in_the_middle_of_a_body_breaks_nothing(web_port: int) -> None:
    for _ in range(HELD):
        with socket.create_connection(("127.0.0.1", web_port)) as leaving:
            leaving.sendall(BEGUN["body"])

    assert status_of(web_port, "/healthz") == 200


@pytest.mark.parametrize("sent", [PING, iter([PING[:9], PING[9:]])], ids=["at once", "in chunks"])
def test_a_body_is_read_whether_it_tells_its_length_or_not(
    web_port: int, sent: bytes | Iterator[bytes]
) -> None:
    with connected(web_port) as connection:
        connection.request("POST", "/mcp", body=sent, headers=MCP)
        answer = connection.getresponse()

        assert (answer.status, json.load(answer)["result"]) == (200, {})


def test_a_draft_is_submitted_in_chunks(
    transactional_db: None, site: Site, web_port: int, people: People
) -> None:
    _, key = create_api_key(user=people.owner, name="chunks", at=timezone.now())
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    with connected(web_port) as connection:
        body = iter([b'{"url": ', b'"https://tidewell.com"}'])
        connection.request("POST", "/api/v1/drafts", body=body, headers=headers)
        answer = connection.getresponse()

        assert (answer.status, json.load(answer)["status"]) == (201, "crawling")
    assert Draft.objects.get().url == "https://tidewell.com/"


@pytest.mark.parametrize("length", [None, "declared"])
@pytest.mark.parametrize(
    ("path", "status", "kind"),
    [
        ("/mcp", 413, "application/json"),
        ("/api/v1/site", 405, "application/problem+json"),
        ("/api/v1/openapi.json", 405, "application/problem+json"),
        ("/oauth/register", 400, "application/json"),
        ("/accounts/login/", 400, "text/html; charset=utf-8"),
    ],
)
def test_a_body_larger_than_any_is_refused_in_the_words_of_the_address(
    transactional_db: None, web_port: int, path: str, status: int, kind: str, length: str | None
) -> None:
    large = b"x" * (wsgi.LARGEST_BODY + 2_000_000)
    with connected(web_port) as connection:
        body = large if length else iter([large[:1_000_000]] * 7)
        connection.request("POST", path, body=body, headers=MCP)
        answer = connection.getresponse()

        assert (answer.status, answer.getheader("Content-Type"), answer.read() != b"") == (status, kind, True)
        connection.request("GET", "/healthz")
        assert connection.getresponse().status == 200


def one_after_the_other(port: int, *, number: int) -> set[int]:
    """How bodies are answered that all together would find no room; none is allowed to be posted there."""
    statuses = set()
    with connected(port) as connection:
        for _ in range(number):
            connection.request("POST", "/api/v1/site", body=b"x" * wsgi.LARGEST_BODY, headers=MCP)
            answer = connection.getresponse()
            statuses.add(answer.status)
            answer.read()
    return statuses


def test_large_bodies_have_only_so_much_room_and_small_ones_always_find_some(transactional_db: None) -> None:
    begun = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9000000\r\n\r\n" + b"x" * 4_900_000
    with contextlib.ExitStack() as stack:
        port, _ = stack.enter_context(web_server())
        assert one_after_the_other(port, number=asgi.ROOM // wsgi.LARGEST_BODY + 2) == {405}
        held = []
        for _ in range(asgi.ROOM // 4_900_000 + 1):
            held.append(stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20)))
            held[-1].sendall(begun)
        (refused, *_), _, _ = select.select(held, [], [], 20)  # whichever is read last finds no room
        statuses = [refused.recv(13)[9:12]]

        with connected(port) as connection:
            connection.request("POST", "/mcp", body=PING, headers=MCP)
            statuses.append(str(connection.getresponse().status).encode())

    assert statuses == [b"503", b"200"]


def test_names_with_underscores_do_not_pass_for_others(web_port: int) -> None:
    with connected(web_port) as connection:
        connection.request("GET", "/healthz", headers={"X_Request_Id": "pretended-id"})

        assert connection.getresponse().getheader("X-Request-Id") != "pretended-id"


def test_two_idempotency_keys_are_no_key(
    transactional_db: None, site: Site, web_port: int, people: People
) -> None:
    _, key = create_api_key(user=people.owner, name="two keys", at=timezone.now())
    head = (
        f"POST /api/v1/drafts HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n"
        "Content-Type: application/json\r\nContent-Length: 31\r\nConnection: close\r\n"
        "Idempotency-Key: one\r\nIdempotency-Key: two\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", web_port), timeout=20) as caller:
        caller.sendall(head.encode() + b'{"url": "https://tidewell.com"}')
        answer = b"".join(iter(lambda: caller.recv(65536), b""))

    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b'"code":"idempotency_key_invalid"' in answer
    assert Draft.objects.count() == 0


def test_a_head_has_the_length_of_the_answer_and_no_body(transactional_db: None, web_port: int) -> None:
    with connected(web_port) as connection:
        connection.request("HEAD", "/api/v1/openapi.json")
        answer = connection.getresponse()

        assert (answer.status, int(answer.getheader("Content-Length", "0")) > 1000, answer.read()) == (
            200,
            True,
            b"",
        )


def test_odd_settings_are_refused_in_a_sentence(tmp_path_factory: pytest.TempPathFactory) -> None:
    log = tmp_path_factory.mktemp("serve") / "log"
    for name, value, sentence in [
        ("PORT", "eighty", "PORT is 'eighty'; use a number from 1 to 65535."),
        ("WEB_WORKERS", "0", "WEB_WORKERS is '0'; use a number from 1 to 64."),
    ]:
        with pytest.raises(pytest.fail.Exception), web_server(log=log, **{name: value}):
            pass
        assert log.read_text().splitlines()[-1] == sentence


def test_a_port_that_somebody_has_is_refused_in_a_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        server = subprocess.run(
            [sys.executable, "-m", "config.serve"],
            env=os.environ | {"HOST": "127.0.0.1", "PORT": str(port)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    assert server.returncode == 1
    assert server.stderr.startswith(f"Somebody listens at 127.0.0.1:{port} already.")


def test_a_restart_refuses_nobody() -> None:
    over = threading.Event()
    statuses: list[int] = []
    closed: list[http.client.RemoteDisconnected] = []

    def keep_asking(port: int) -> None:
        """Ask on ever new connections; once more, like browsers, where one was closed before anything was read of it.

        Of a thousand such connections a server that ends may have accepted the last one and read nothing: whoever
        asked for a page may ask again (RFC 9110, section 9.2.2).
        """
        while not over.is_set():
            try:
                statuses.append(status_of(port, "/healthz"))
            except http.client.RemoteDisconnected as error:
                closed.append(error)
                statuses.append(status_of(port, "/healthz"))

    with web_server() as (port, former), ThreadPoolExecutor(2) as readers:
        reading = [readers.submit(keep_asking, port) for _ in range(2)]
        try:
            with web_server("--instead-of", str(former.pid), port=port):
                assert former.wait(40) == 0
                statuses += [status_of(port, "/healthz") for _ in range(20)]
                over.set()
                for reader in reading:
                    reader.result()  # raises if one was refused
        finally:
            over.set()

    assert set(statuses) == {200}
    assert len(closed) <= 2, "at most one a process that ends"


def test_a_restart_loses_no_request_of_a_connection_that_is_kept() -> None:
    with contextlib.ExitStack() as stack:
        port, former = stack.enter_context(web_server())
        caller = stack.enter_context(connected(port))
        stack.enter_context(web_server("--instead-of", str(former.pid), port=port))
        says = None
        while says != "close":
            caller.request("GET", "/healthz")
            answer = caller.getresponse()  # raises if the connection ended without a word
            says = answer.getheader("Connection")
            answer.read()
        was_running = former.poll() is None
        assert former.wait(40) == 0
        after = status_of(port, "/healthz")

    assert (answer.status, was_running, after) == (200, True, 200)
