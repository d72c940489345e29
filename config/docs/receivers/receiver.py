"""Receives events. Before it: pip install standardwebhooks, and WEBHOOK_SECRET as the site showed it."""

import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks import Webhook
from standardwebhooks.webhooks import WebhookVerificationError

webhook = Webhook(os.environ["WEBHOOK_SECRET"])
seen: set[str] = set()  # in a database in earnest: the same id may come twice


def handle(event: dict) -> None:
    """Your work. What takes long goes into a queue: the answer has 10 seconds."""
    sys.stdout.write(f"{event['type']} {event['timestamp']}\n")
    sys.stdout.flush()


class Receiver(BaseHTTPRequestHandler):
    """Any 2xx says that the event is yours now. Everything else has it sent again."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            event = webhook.verify(body, dict(self.headers))
        except WebhookVerificationError:
            self.send_error(400)
            return
        if self.headers["webhook-id"] not in seen:
            handle(event)
            seen.add(self.headers["webhook-id"])
        self.send_response(204)
        self.end_headers()


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Receiver)
sys.stdout.write(f"listening on {server.server_port}\n")
sys.stdout.flush()
server.serve_forever()
