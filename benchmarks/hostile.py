"""Submit sites that never end, loop, drip, burst or choke parsers, and time how each draft ends."""

import argparse
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import machine  # noqa: E402
from config.embedded import paths, servers  # noqa: E402
from tests.journeys.service import Client, Service, wait_for  # noqa: E402
from tests.servers import website as w  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "hostile.md"
SECONDS, MEMORY = 60.0, 400.0
PATIENCE, IDLE = 150.0, 90.0
PAGES = 12


def home(*links: str) -> str:
    """A small honest home page with a menu."""
    menu = "".join(f'<a href="{link}">{link.strip("/")}</a>' for link in links)
    text = "<h1>Bolts, counted</h1><p>Acme counts the bolts of a workshop by their weight.</p>"
    return f"<title>Acme</title><nav>{menu}</nav>{text}"


def _maze(handler: w.Handler) -> None:
    links = (f"{handler.path.rstrip('/')}/{number}" for number in range(60))
    w.html(home(*links) + f"<p>{handler.path}</p>")(handler)


def _deeper(handler: w.Handler) -> None:
    w.redirect(handler.path + "x")(handler)


MANY = [f"/p{number}" for number in range(30)]
MENU = ["/pricing", "/about", "/features", "/faq", *MANY]
SITES: dict[str, tuple[dict[str, w.Reply | str], w.Reply]] = {
    "honest": ({"/": home("/about"), "/about": home("/")}, w.NOT_FOUND),
    "endless home page": ({"/": w.endless()}, w.NOT_FOUND),
    "endless pages": ({"/": home(*MENU)}, w.endless()),
    "maze": ({}, _maze),
    "redirects for ever": ({"/": home(*MENU)}, _deeper),
    "redirect loop at home": ({"/": w.redirect("/")}, w.NOT_FOUND),
    "dripping home page": ({"/": w.drip(every=0.2)}, w.NOT_FOUND),
    "dripping pages": ({"/": home(*MENU)}, w.drip(every=0.2)),
    "dripping headers": ({"/": home(*MENU)}, w.drip_headers(every=0.2)),
    "silent pages": ({"/": home(*MENU)}, w.hang()),
    "dripping robots.txt": ({"/": home(), "/robots.txt": w.drip(every=0.2)}, w.NOT_FOUND),
    "bomb of 200 MB at home": ({"/": w.gzip_bomb(megabytes=200)}, w.NOT_FOUND),
    "bombs of 50 MB everywhere": ({"/": home(*MENU)}, w.gzip_bomb(megabytes=50)),
    "60,000 nested tags": ({"/": home(*MENU)}, w.html("<div>" * 60_000)),
    "60,000 nested tags at home": ({"/": "<div>" * 60_000 + "Acme"}, w.NOT_FOUND),
    "pages of 1.9 MB of text": ({"/": home(*MENU)}, w.html(home() + "<p>bolt " * 230_000)),
    "pages of 59,000 tags": ({"/": home(*MENU)}, w.html(home() + "<p>x " * 59_000)),
    "wrong types": ({"/": home(*MENU)}, w.html("%PDF-1.7", content_type="application/pdf")),
    "binary as HTML": ({"/": home(*MENU)}, w.html(bytes(range(256)) * 4_000)),
    "private redirects": ({"/": home(*MENU)}, w.redirect("http://169.254.169.254/latest/meta-data/")),
}


@dataclass(frozen=True)
class Ended:
    """How one site's draft ended."""

    name: str
    status: str
    why: str
    seconds: float


def host_of(number: int) -> str:
    """The name under which a site is found."""
    return f"hostile{number}.test"


@contextmanager
def served() -> Iterator[str]:
    """All sites, each at a port of its own; gives where they are found."""
    with ExitStack() as stack:
        found = []
        for number, (pages, otherwise) in enumerate(SITES.values()):
            site = stack.enter_context(w.Website({"/robots.txt": w.plain(""), **pages}, otherwise=otherwise))
            host, port = site.address
            found.append(f"{host_of(number)}={host}:{port}")
        yield ",".join(found)


class Watch:
    """The most memory that one process of the crawler held."""

    def __init__(self, look: Callable[[], float]) -> None:
        self.most = 0.0
        self.look = look
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self._watch, daemon=True)
        self.thread.start()

    def _watch(self) -> None:
        while not self.stopped.wait(0.1):
            self.most = max(self.most, self.look())

    def stop(self) -> float:
        """The figure."""
        self.stopped.set()
        self.thread.join()
        return self.most


def drafted(client: Client) -> list[Ended]:
    """Each site by itself, so that its time is its own."""
    found = []
    for number, name in enumerate(SITES):
        since = time.monotonic()
        identifier = client.submit(f"http://{host_of(number)}/")
        draft = client.ended([identifier], patience=PATIENCE)[identifier]
        why = (draft.get("error") or {}).get("code", "")
        found.append(Ended(name, draft["status"], why, time.monotonic() - since))
        print(found[-1], flush=True)
    return found


def page(ended: list[Ended], memory: float) -> str:
    """The page of results."""
    rows = [f"| {one.name} | {one.status} | {one.why} | {one.seconds:.1f} |" for one in ended]
    slowest = max(one.seconds for one in ended)
    return "\n".join(
        [
            "# Drafting hostile sites",
            "",
            f"`{machine.command_line()}`",
            "",
            machine.described(),
            "",
            "One site after another, through the API of a service of its own. Seconds from the submission to the",
            "answer that shows the draft ended.",
            "",
            "| site | draft | reason | seconds |",
            "|---|---|---|---|",
            *rows,
            "",
            f"Slowest: {slowest:.1f} s (bar: {SECONDS:.0f} s, {verdict(slowest <= SECONDS)}). Largest process of the"
            f" crawler: {memory:.0f} MB (bar: {MEMORY:.0f} MB, {verdict(memory <= MEMORY)}).",
            "",
        ]
    )


def verdict(is_met: bool) -> str:  # noqa: FBT001
    """The word for it."""
    return "met" if is_met else "**not met**"


def main() -> int:
    """Run everything, write the figures, and say by the exit code whether the bars are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--no-results", action="store_true", help=f"leave {RESULTS.name} as it is")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="launch-directory-hostile-"))
    folder.chmod(0o711)
    with served() as resolve:
        environment = {"CRAWL_RESOLVE": resolve, "RATE_LIMIT_FACTOR": "100"}
        service = Service(folder, options.port or paths.free_port(), environment)
        try:
            service.start()
            wait_for(lambda: len(service.group("crawler@")) == 1, patience=IDLE, every=2)
            watch = Watch(lambda: max(map(machine.resident, service.group("crawler@")), default=0.0))
            ended = drafted(service.client())
            memory = watch.stop()
        finally:
            service.stop()
            servers.forget(folder)
    found = page(ended, memory)
    print(found)
    if not options.no_results:
        RESULTS.write_text(found)
    return 0 if memory <= MEMORY and all(one.seconds <= SECONDS for one in ended) else 1


if __name__ == "__main__":
    sys.exit(main())
