"""A mail server on loopback that keeps what it was given."""

from email import message_from_bytes, policy
from email.message import EmailMessage
from types import TracebackType
from typing import Any, Self

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope

from config.embedded import paths
from tests.waiting import LONG


class MailServer:
    """Takes mail from one account; `messages` holds it as it arrived. `refuses` answers for some addresses."""

    def __init__(self, *, user: str, password: str, port: int = 0) -> None:
        self.account = (user.encode(), password.encode())
        self.messages: list[EmailMessage] = []
        self.refuses: dict[str, str] = {}
        self.controller = Controller(
            self,
            hostname="127.0.0.1",
            port=port or paths.free_port(),
            authenticator=self._check,
            auth_required=True,
            auth_require_tls=False,
            ready_timeout=LONG,
        )

    @property
    def port(self) -> int:
        return int(self.controller.port)

    def _check(self, _server: Any, _session: Any, _envelope: Any, _mechanism: str, given: Any) -> AuthResult:
        return AuthResult(success=(given.login, given.password) == self.account)

    async def handle_RCPT(  # noqa: N802
        self, _server: Any, _session: Any, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if address in self.refuses:
            return self.refuses[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(  # noqa: N802  (aiosmtpd calls it so)
        self, _server: Any, _session: Any, envelope: Envelope
    ) -> str:
        message: Any = message_from_bytes(envelope.content or b"", policy=policy.default)  # type: ignore[arg-type]
        self.messages.append(message)
        return "250 OK"

    def __enter__(self) -> Self:
        self.controller.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.controller.stop()
