"""Django's mail by SMTP with an end: a limit of each wait alone lets a server drip its replies for ever."""

import io
import smtplib
import socket
import time
from typing import Any

from django.core.mail.backends import smtp

SECONDS = 30.0


class _Replies(io.RawIOBase):
    def __init__(self, server: socket.socket, *, wait: float, ends_at: float) -> None:
        super().__init__()
        self._server, self._wait, self._ends_at = server, wait, ends_at

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        left = self._ends_at - time.monotonic()
        if left <= 0:
            raise TimeoutError("The mail server took too long.")
        self._server.settimeout(min(left, self._wait))
        return self._server.recv_into(buffer)


class Timed(smtplib.SMTP):
    """A delivery whose replies all come by one moment."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._ends_at = time.monotonic() + SECONDS
        super().__init__(*args, **kwargs)

    def getreply(self) -> tuple[int, bytes]:
        if self.file is None and self.sock is not None:
            self.file = io.BufferedReader(_Replies(self.sock, wait=self.timeout, ends_at=self._ends_at))
        return super().getreply()


class TimedSSL(Timed, smtplib.SMTP_SSL):
    """The same, encrypted from its first byte."""


class EmailBackend(smtp.EmailBackend):
    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        return TimedSSL if self.use_ssl else Timed
