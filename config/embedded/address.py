"""The address at which the service listens: whether it is free, and whether the service answers there."""

import errno
import os
import socket
from dataclasses import dataclass

import psutil

from config import environment as env
from config.embedded.paths import CannotRunError

PATIENCE = 2.0
LONGEST_STATUS = 200  # bytes
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104 the operator chooses


@dataclass(frozen=True)
class Address:
    host: str
    port: int

    @property
    def site_url(self) -> str:
        return (env.text("SITE_URL") or f"http://{self.host}:{self.port}").rstrip("/")

    def check_free(self) -> None:
        """Refuse early, and with a name, what the web server could not bind later."""
        try:
            family, kind, protocol, _, address = socket.getaddrinfo(
                self.host or None, self.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
            with socket.socket(family, kind, protocol) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(address)
                probe.listen()
        except OSError as error:
            raise CannotRunError(self._refusal(error)) from error

    def answers(self, path: str, *, headers: dict[str, str] | None = None) -> bool:
        """Whether the service answers at this path, and not with a refusal or a fault."""
        host = EVERYWHERE.get(self.host, self.host)
        lines = [f"GET {path} HTTP/1.1", f"Host: {f'[{host}]' if ':' in host else host}:{self.port}"]
        lines += [f"{name}: {value}" for name, value in {"Connection": "close", **(headers or {})}.items()]
        try:  # by hand, as http.client brings ssl and 5 MB for as long as the service runs
            with socket.create_connection((host, self.port), timeout=PATIENCE) as connection:
                connection.sendall("\r\n".join([*lines, "", ""]).encode())
                status = connection.makefile("rb").readline(LONGEST_STATUS).split()
        except OSError:
            return False
        return len(status) > 1 and status[0].startswith(b"HTTP/") and status[1] < b"400"

    def _refusal(self, error: OSError) -> str:
        if error.errno == errno.EADDRINUSE:
            return (
                f"Port {self.port} is in use{self._user()}. Stop that, or choose another: make up PORT=8001."
            )
        if error.errno == errno.EACCES:
            return f"This user may not listen on port {self.port}. Choose one above 1023: make up PORT=8000."
        return f"Nothing can listen on HOST={self.host} PORT={self.port}: {error.strerror}."

    def _user(self) -> str:
        try:
            listening = [
                result.pid
                for result in psutil.net_connections(kind="tcp")
                if result.status == psutil.CONN_LISTEN and result.laddr.port == self.port and result.pid
            ]
            return f" by process {listening[0]} ({psutil.Process(listening[0]).name()})" if listening else ""
        except psutil.Error:
            return ""


def requested() -> Address:
    port = os.environ.get("PORT", "").strip() or "8000"
    if not port.isdigit() or not 0 < int(port) < 65_536:
        raise CannotRunError(f"PORT is {port!r}; use a number from 1 to 65535.")
    return Address(host=os.environ.get("HOST", "").strip() or "127.0.0.1", port=int(port))
