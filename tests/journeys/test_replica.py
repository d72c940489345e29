"""Public reads come from a streaming replica while it follows closely, and from the primary whenever it does not."""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass

import httpx2
import pytest
from django.core.cache.backends.redis import RedisCache

from config.embedded import paths
from tests.journeys.service import Service, wait_for
from tests.journeys.test_outages import held
from tests.servers.folders import throwaway_folder
from tests.servers.standby import Standby, standby
from tests.servers.web import web_server

pytestmark = pytest.mark.journey
LAG = 8  # seconds; a page that a busy machine answers late is still within them
SOON = 60.0
MAKE = (
    "from tests.factories.listings import make_listing; make_listing('mirrored', description='Seen before.')"
)
SLUG = "mirrored"


@dataclass
class World:
    """A web server that knows both, and the replica."""

    service: Service
    web: httpx2.Client
    follower: Standby
    key: str

    def figure(self, name: str) -> float:
        found = re.search(rf"^{name} (\S+)$", self.web.get("/metrics").text, re.MULTILINE)
        return float(found[1]) if found else -1.0

    def reads_from_it(self) -> bool:
        return self.figure("replica_in_use") == 1

    def rewrite(self, text: str) -> None:
        """Change a listing behind the service's back, so that nothing but the database speaks of it."""
        statement = "UPDATE directory_listing SET description = %s WHERE slug = %s RETURNING id"
        self.service.query(statement, [text, SLUG])

    def tell_of_a_change(self) -> None:
        """Stamp the listings as changed this moment, of which the replica need not have heard."""
        stamps = RedisCache(paths.redis_url(self.service.folder), {})
        stamps.set("stamp:listings", time.time_ns() // 1000)
        stamps.close()

    def page_says(self, text: str) -> bool:
        answer = self.web.get(f"/listings/{SLUG}")
        assert answer.status_code == 200
        return text in answer.text


@pytest.fixture(scope="module")
def world(service: Service) -> Iterator[World]:
    service.command("shell", "-v", "0", "-c", MAKE)
    key = service.command("create_api_key", "reader@people.example")
    environment = service.environ() | {
        "DATABASE_URL": paths.database_url(service.folder),
        "REDIS_URL": paths.redis_url(service.folder),
        "DATABASE_REPLICA_LAG": str(LAG),
    }
    del environment["PORT"]
    with (
        throwaway_folder() as folder,
        standby(service.folder, folder) as follower,
        web_server(**environment | {"DATABASE_REPLICA_URL": follower.url}) as (port, _),
        httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=30, trust_env=False) as web,
    ):
        yield World(service, web, follower, key)


def test_what_everybody_may_read_comes_from_the_replica_within_its_bound(world: World) -> None:
    wait_for(world.reads_from_it, patience=SOON)
    assert world.page_says("Seen before.")

    world.follower.says("SELECT pg_wal_replay_pause()")
    world.rewrite("Seen after.")
    is_old = world.page_says("Seen before.")
    own = world.web.get(f"/api/v1/listings/{SLUG}", headers={"Authorization": f"Bearer {world.key}"})
    wait_for(lambda: world.page_says("Seen after."), patience=SOON)
    fell_back = not world.reads_from_it()
    world.follower.says("SELECT pg_wal_replay_resume()")

    assert (is_old, own.json()["description"], fell_back) == (True, "Seen after.", True)
    wait_for(world.reads_from_it, patience=SOON)
    assert world.page_says("Seen after.")


def test_nobody_notices_that_the_primary_hangs_or_that_the_replica_is_gone(world: World) -> None:
    wait_for(world.reads_from_it, patience=SOON)
    with held(world.service, "postgres"):
        wait_for(lambda: world.figure("database_up") == 0, patience=SOON)
        assert world.page_says("Seen after.")
        world.tell_of_a_change()
        answer = world.web.get("/api/v1/listings?q=after")
        assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-cache")  # it may be older
    wait_for(lambda: world.figure("database_up") == 1, patience=SOON)

    world.follower.kill()

    assert all(world.page_says("Seen after.") for _ in range(10))
    assert world.web.get("/api/v1/listings?q=mirrored").status_code == 200
    assert not world.reads_from_it()
