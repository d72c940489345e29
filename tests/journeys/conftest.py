"""One running service for all journeys, and the websites that it may reach."""

from collections.abc import Iterator

import pytest

from config.embedded import paths
from tests.journeys.service import Client, Service
from tests.journeys.sites import fill, fill_slowly
from tests.servers.folders import throwaway_folder
from tests.servers.website import Website, plain

SLOW_SITES = tuple(f"tool{number}.test" for number in range(19))
ANSWER_SECONDS = 0.4


@pytest.fixture(scope="session")
def tidewell() -> Iterator[Website]:
    """The product that is launched."""
    with Website() as website:
        fill(website)
        yield website


@pytest.fixture(scope="session")
def closed() -> Iterator[Website]:
    """A site that wants no robots, until its owner thinks better of it."""
    with Website({"/robots.txt": plain("User-agent: *\nDisallow: /")}) as website:
        yield website


@pytest.fixture(scope="session")
def tools() -> Iterator[Website]:
    """Many sites that take their time, so that drafting can be disturbed."""
    with Website() as website:
        fill_slowly(website, seconds=ANSWER_SECONDS)
        yield website


@pytest.fixture(scope="session")
def service(tidewell: Website, closed: Website, tools: Website) -> Iterator[Service]:
    """What `make up` runs, started once."""
    known = tidewell.at("tidewell.test") | closed.at("closed.test") | tools.at(*SLOW_SITES)
    resolve = ",".join(f"{host}={address}:{port}" for host, (address, port) in known.items())
    with throwaway_folder(migrated=True) as folder:
        running = Service(folder, paths.free_port(), {"CRAWL_RESOLVE": resolve})
        try:
            running.start()
            yield running
        finally:
            running.stop()


@pytest.fixture(scope="session")
def client(service: Service) -> Client:
    """A maker with a key of their own."""
    return service.client()
