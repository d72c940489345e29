"""`make demo`: the whole main job against the running service, step by step."""

import json
import os
import sys
import threading
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import django
import httpx2

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.conf import settings  # noqa: E402
from django.db.models import F, Value  # noqa: E402
from django.db.models.functions import Replace  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts import services as accounts  # noqa: E402
from directory import weeks  # noqa: E402
from directory.launches import badge_watch, publishing  # noqa: E402
from directory.models import BadgeCheck, Launch, Listing, ListingMove  # noqa: E402

PAGES = Path(settings.BASE_DIR) / "config" / "demo_site"
EMAIL = "maker@harbourlight.example"
PATIENCE_SECONDS = 120


class DemoSite(BaseHTTPRequestHandler):
    """A small product site. `badge` is what its maker pastes into the footer."""

    badge: ClassVar[str] = ""

    def do_GET(self) -> None:
        name = self.path.split("?")[0].strip("/") or "index.html"
        for candidate in (name, f"{name}.html"):
            path = (PAGES / candidate).resolve()
            if path.is_relative_to(PAGES) and path.is_file():
                self._send(200, path)
                return
        self.send_error(404)

    def _send(self, status: int, path: Path) -> None:
        texts = {".html": "text/html; charset=utf-8", ".txt": "text/plain"}
        kinds = {**texts, ".svg": "image/svg+xml", ".webp": "image/webp"}
        body = path.read_bytes().replace(b"<!-- badge -->", DemoSite.badge.encode())
        self.send_response(status)
        self.send_header("Content-Type", kinds[path.suffix])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def demo_site() -> Iterator[str]:
    """The demo product's website, on loopback, under its own name."""
    host, (address, port) = next(iter(settings.DEMO_RESOLVE.items()))
    with ThreadingHTTPServer((address, port), DemoSite) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"https://{host}/"
        finally:
            server.shutdown()


def date_back(listing_id: int, *, week: date, at: datetime) -> None:
    """Let a listing have booked the running week, so many weeks ago as its own lies ahead.

    It then launches now: a launch in a week to come would stand in its log days ahead of the clock.
    """
    running = weeks.week_of(at)
    if week <= running:
        return
    ahead, words = week - running, [f"week of {day:%-d %B %Y}" for day in (week, running)]
    listing = Listing.objects.filter(pk=listing_id)
    listing.update(
        launch_week=running,
        created_at=F("created_at") - ahead,
        status_reason=Replace("status_reason", Value(words[0]), Value(words[1])),
    )
    Launch.objects.filter(listing=listing_id).update(week=running, booked_at=F("booked_at") - ahead)
    BadgeCheck.objects.filter(listing=listing_id).update(at=F("at") - ahead)
    ListingMove.objects.filter(listing=listing_id).update(
        at=F("at") - ahead, reason=Replace("reason", Value(words[0]), Value(words[1]))
    )


class Demo:
    """Submit a website, watch the draft being written, make it a listing, launch it, find it by search."""

    def run(self, url: str) -> None:
        """Play it with a website, or with our own."""
        user = accounts.create_user(email=EMAIL)
        _, key = accounts.create_api_key(user=user, name="Demo", at=timezone.now())
        self.api = httpx2.Client(
            base_url=f"{settings.SITE_URL}/api/v1",
            headers={"Authorization": f"Bearer {key}"},
            timeout=30,
            trust_env=False,
        )
        try:
            if url:
                self.play(url, launches=False)
            else:
                with demo_site() as own:
                    self.play(own, launches=True)
        except httpx2.HTTPError as error:
            raise SystemExit(
                f"The service at {settings.SITE_URL} does not answer ({error}). Run `make up` first."
            ) from error

    def play(self, url: str, *, launches: bool) -> None:
        self.step(f"Submit {url}", "POST /api/v1/drafts")
        draft = self.ready(self.submit(url))
        self.show(draft)
        if draft.get("duplicate_of"):
            self.say("The site has a live listing already, from an earlier run.")
            self.find(draft["duplicate_of"]["slug"])
            return
        if not draft["ready_to_submit"]:
            self.say(
                "A listing still needs: " + ", ".join(m["field"] for m in draft["missing"] if m["required"])
            )
            return
        self.step("Submit the draft", f"POST /api/v1/drafts/{draft['id']}/submit")
        saved = self.call("POST", f"/drafts/{draft['id']}/submit")
        self.say(f"Listing {saved['listing_id']} saved, slug {saved['slug']}, not published yet.")
        if launches:
            self.launch(saved)
        self.say(f"\nSee it: {settings.SITE_URL}/drafts/{draft['id']}")

    def submit(self, url: str) -> dict[str, Any]:
        """A draft of the site: a new one, or the open one there is already."""
        answer = self.api.post("/drafts", json={"url": url})
        if answer.status_code == 400 and answer.json()["code"] == "duplicate_listing":
            self.say("There is a draft of this site already; we go on with it.")
            return self.call("GET", f"/drafts/{answer.json()['draft_id']}")
        return self.checked(answer)

    def ready(self, draft: dict[str, Any]) -> dict[str, Any]:
        ends, shown = time.monotonic() + PATIENCE_SECONDS, ""
        while draft["status"] in {"crawling", "drafting"} and time.monotonic() < ends:
            line = f"{draft['status']}: {draft['progress']['pages_read']} pages, {draft['progress']['percent']} %"
            if line != shown:
                self.say(line)
                shown = line
            time.sleep(0.5)
            draft = self.call("GET", f"/drafts/{draft['id']}")
        if draft["status"] != "ready":
            reason = (draft.get("error") or {}).get(
                "detail", "no worker has taken it; is the worker running?"
            )
            raise SystemExit(f"The draft is {draft['status']}: {reason}")
        return draft

    def show(self, draft: dict[str, Any]) -> None:
        self.say(
            f"\nDraft {draft['id']}, {draft['completeness']} % complete; robots.txt: {draft['crawl']['robots']}"
        )
        for name, field in draft["fields"].items():
            if field["value"] in (None, []):
                self.say(f"  {name:18} blank ({field.get('reason') or 'not on the site'})")
                continue
            value = field["value"] if isinstance(field["value"], str) else ", ".join(field["value"])
            self.say(f"  {name:18} {value[:100]}")
            for quote in field["evidence"][:1]:
                self.say(f"  {'':18}   “{quote['quote'][:90]}” ({quote['url']})")

    def launch(self, saved: dict[str, Any]) -> None:
        """The free way: queue it, put the badge up, let Monday come."""
        here = f"/me/listings/{saved['listing_id']}"
        if saved["status"] == "live":
            self.say("It is live already.")
        else:
            self.step("Launch it free", f"POST /api/v1{here}/free")
            own = self.call("POST", f"{here}/free")
            self.say(f"{own['status']} for the week of {own['launch_week']}; put this on the homepage:")
            self.say(f"  {own['queue']['badge']['html']}")
            DemoSite.badge = own["queue"]["badge"]["html"]
            self.step("The maker pastes the badge; we look", "manage.py check_badges")
            badge_watch.check_badge(listing_id=saved["listing_id"], at=timezone.now())
            self.say(f"Now {self.call('GET', here)['status']}.")
            self.step(
                "Its Monday comes (what it did so far is dated back, for it only)", "manage.py publish_due"
            )
            date_back(saved["listing_id"], week=date.fromisoformat(own["launch_week"]), at=timezone.now())
            publishing.launch_listing(listing_id=saved["listing_id"], at=timezone.now())
            self.say(f"Now {self.call('GET', here)['status']}.")
        self.find(saved["slug"])

    def find(self, slug: str) -> None:
        """Search for it as a visitor would, misspelt."""
        self.step("Find it by search, with a typo", "GET /api/v1/listings?q=harborlight")
        found = self.call("GET", "/listings?q=harborlight")
        self.say(f"{found['total']} found: " + ", ".join(item["name"] for item in found["items"][:5]))
        if slug not in [item["slug"] for item in found["items"]]:
            raise SystemExit("Search did not find the listing.")
        self.say(f"\nThe listing: {settings.SITE_URL}/listings/{slug}")
        self.say(f"The API twin: {settings.SITE_URL}/api/v1/listings/{slug}")

    def call(self, method: str, path: str) -> dict[str, Any]:
        return self.checked(self.api.request(method, path))

    @staticmethod
    def checked(answer: httpx2.Response) -> dict[str, Any]:
        """The body, or the refusal as an error."""
        if answer.status_code >= 400:
            raise SystemExit(f"{answer.status_code}: {json.dumps(answer.json(), indent=1)[:2000]}")
        body: dict[str, Any] = answer.json()
        return body

    def step(self, title: str, how: str) -> None:
        """Announce a step and how it is done by hand."""
        self.say(f"\n== {title}\n   {how}")

    def say(self, line: str) -> None:
        """One line, at once."""
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--url", default="", help="draft this site instead of the demo product's")
    Demo().run(parser.parse_args().url)
