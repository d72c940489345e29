"""How large the web's processes get by many sign-in tries at once and by many uploads, and what they give back.

    PORT=8000 DATA_DIR=var make bench ARGS=memory

Asks a service of `make up` on this machine, whose PORT and DATA_DIR it is told. It makes an account
and a listing there.
"""

import argparse
import io
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django  # noqa: E402
import httpx2  # noqa: E402
import psutil  # noqa: E402

django.setup()

from django.conf import settings  # noqa: E402
from django.test import Client  # noqa: E402
from PIL import Image  # noqa: E402

from accounts.models import User  # noqa: E402
from accounts.services import create_user  # noqa: E402
from directory.models import Listing  # noqa: E402
from tests.factories.listings import make_listing  # noqa: E402

MOST, REST = 400.0, 250.0  # megabytes of each process: at any time, and a while later
ADDRESS = "memory@people.example"
GLANCE, RETURN_SECONDS = 0.1, 90


@dataclass
class Sizes:
    """The largest size of each process of the web while somebody watches."""

    port: int
    largest: dict[int, float] = field(default_factory=dict)

    def now(self) -> dict[int, float]:
        """Megabytes by process, of those that listen at the port."""
        found = {}
        for process in psutil.process_iter():
            try:
                listens = any(
                    each.status == psutil.CONN_LISTEN and each.laddr.port == self.port
                    for each in process.net_connections(kind="tcp")
                )
                if listens:
                    found[process.pid] = process.memory_info().rss / 2**20
            except psutil.Error:
                continue
        return found

    def watch(self, over: threading.Event) -> None:
        """Look until it is over."""
        processes = [psutil.Process(pid) for pid in self.largest]
        while not over.wait(GLANCE):
            for process in processes:
                size = process.memory_info().rss / 2**20
                self.largest[process.pid] = max(size, self.largest.get(process.pid, 0.0))


def browser(site: str, **cookies: str) -> tuple[httpx2.Client, dict[str, str]]:
    """A browser that has opened the sign-in page, and what its forms carry."""
    client = httpx2.Client(base_url=site, cookies=cookies, timeout=60, trust_env=False)
    client.get("/accounts/login/")
    token = client.cookies.get("csrftoken") or ""
    return client, {"X-CSRFToken": token, "Referer": site}


def status_of(send: Callable[[], httpx2.Response]) -> int:
    """The status of an answer; 599 if none came in time."""
    try:
        return send().status_code
    except httpx2.HTTPError:
        return 599


def sign_in_tries(site: str) -> Callable[[int], int]:
    """A try with an address that nobody has."""
    client, headers = browser(site)

    def go(number: int) -> int:
        form = {"login": f"nobody-{time.time_ns()}-{number}@people.example", "password": "not the password"}
        return status_of(lambda: client.post("/accounts/login/", data=form, headers=headers))

    return go


def uploads(site: str) -> Callable[[int], int]:
    """An upload of a small file that is twelve megapixels large."""
    owner = User.objects.filter(email=ADDRESS).first() or create_user(email=ADDRESS)
    listing = Listing.objects.filter(owner=owner).first() or make_listing("memory", owner=owner, plan="paid")
    inside = Client()
    inside.force_login(owner)
    client, headers = browser(site, sessionid=inside.cookies[settings.SESSION_COOKIE_NAME].value)
    client.get(f"/account/listings/{listing.pk}/edit")
    headers["X-CSRFToken"] = client.cookies.get("csrftoken") or headers["X-CSRFToken"]
    file = io.BytesIO()
    Image.new("RGB", (3990, 3000), "navy").save(file, "PNG")

    def go(number: int) -> int:
        files = {"picture": (f"{number}.png", file.getvalue(), "image/png")}
        path = f"/account/listings/{listing.pk}/pictures"
        alt = {"alt": f"Picture {number}"}
        return status_of(lambda: client.post(path, data=alt, files=files, headers=headers))

    return go


def attack(name: str, go: Callable[[int], int], *, count: int, port: int) -> bool:
    """Do it all at once, print what came of it, and say whether the web stayed small."""
    sizes, over = Sizes(port), threading.Event()
    before = sizes.now()
    sizes.largest = dict(before)
    watcher = threading.Thread(target=sizes.watch, args=[over])
    watcher.start()
    began = time.monotonic()
    with ThreadPoolExecutor(count) as pool:
        statuses = Counter(pool.map(go, range(count)))
    seconds = time.monotonic() - began
    over.set()
    watcher.join()
    time.sleep(RETURN_SECONDS)
    after = sizes.now()
    print(
        f"{name}: {count} at once in {seconds:.1f} s, statuses {dict(statuses)}; megabytes of each process:"
        f" before {written(before)}, at most {written(sizes.largest)}, {RETURN_SECONDS} s later {written(after)}",
        flush=True,
    )
    return max(sizes.largest.values()) < MOST and max(after.values()) < REST


def written(sizes: dict[int, float]) -> str:
    """Sizes in the order of the processes."""
    return ", ".join(f"{size:.0f}" for _, size in sorted(sizes.items()))


def main() -> int:
    """Both attacks, several times over; the exit code says whether the bars are held."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=["sign-in", "pictures"])
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--count", type=int, default=26)
    options = parser.parse_args()
    site, port = f"http://127.0.0.1:{settings.PORT}", settings.PORT
    kinds = {"sign-in": sign_in_tries, "pictures": uploads}
    passed = [
        attack(name, make(site), count=options.count, port=port)
        for _ in range(options.times)
        for name, make in kinds.items()
        if options.only in {None, name}
    ]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
