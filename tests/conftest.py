"""What every test may ask for: the people, a client per credential, the site, the clock."""

import gc
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import update_last_login
from django.contrib.sessions.models import Session
from django.core.cache import cache, caches
from django.db import connection
from django.template import Context, Template
from django.test import Client, TransactionTestCase, utils
from django.utils import timezone
from django.utils.crypto import get_random_string
from xdist.scheduler.loadfile import LoadFileScheduling

from accounts import services as accounts
from accounts.hashers import BoundedArgon2PasswordHasher
from accounts.models import User
from claims.proving import checking
from core import outages
from core.api import caching, throttling
from core.cache import FailSoftRedisCache
from core.jobs import hints
from directory.images import process
from directory.launches import badge_check
from directory.models import Site
from directory.sites import lookup as sites
from directory.sites.catalogue import ensure_default_site
from orders import vat_numbers
from tests import calls_outside
from tests.contract import validation
from tests.emptying import empty_tables, remember_rows
from tests.waiting import LONG

hypothesis.settings.register_profile(
    "suite",
    deadline=None,
    derandomize=True,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
    database=None,
)  # how fast the machine is at the moment is not what a test is about, nor what chance draws today
hypothesis.settings.load_profile("suite")
COST = {name: getattr(BoundedArgon2PasswordHasher, name) for name in ("memory_cost", "time_cost")}
BoundedArgon2PasswordHasher.memory_cost, BoundedArgon2PasswordHasher.time_cost = 8, 1  # but in test_hashers
TransactionTestCase._fixture_teardown = empty_tables  # type: ignore[method-assign]
WATCHED = utils.instrumented_test_render


def render(template: Template, context: Context) -> str:
    """Pages alone are watched by the test client, which copies what it sees: not their parts, nor fields of forms."""
    if context.template is template and not str(template.name).startswith("django/forms/"):
        return WATCHED(template, context)
    return template.nodelist.render(context)


utils.instrumented_test_render = render


pytest_plugins = [
    "tests.servers.website",
    "tests.servers.brindle",
    "tests.servers.dns",
    "tests.servers.live",
    "tests.servers.model",
    "tests.servers.stripe_server",
    "tests.servers.paypal_server",
    "tests.servers.btcpay_server",
    "tests.servers.web",
    "tests.servers.mail",
    "tests.servers.bucket",
]


DAY, HOLD = 24 * 3600, 20


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Begin no test so shortly before midnight (UTC) that it says "today" or "this week" of two."""
    left = DAY - time.time() % DAY
    if left < HOLD:
        time.sleep(left)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the few tests that take minutes: at the end the other processes would wait for them."""
    items.sort(key=lambda item: not any(item.get_closest_marker(name) for name in ("journey", "minutes")))


def pytest_collection_finish() -> None:
    """Some million objects that stay are left out of each search for what may go."""
    gc.collect()
    gc.freeze()


class Scheduling(LoadFileScheduling):
    """A process for each file, and one for all the journeys that a service is started for."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return "journeys" if file.startswith("tests/journeys/") else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduling | None:
    return Scheduling(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Each process' database is a copy of the migrated one, where the servers are our own."""
    if template := os.environ.get("TESTS_TEMPLATE"):
        connection.settings_dict["TEST"]["TEMPLATE"] = template


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """The database of the tests, and what a fresh one holds, the default site with it."""
    with django_db_blocker.unblock():
        ensure_default_site()
        remember_rows()


@dataclass(frozen=True)
class People:
    """Three people every test knows: an owner, a stranger who must never see anything of theirs, and staff."""

    owner: User
    stranger: User
    staff: User


class Caller:
    """An HTTP client of the API: sends JSON and one credential, holds answers against their schema."""

    def __init__(self, key: str | None) -> None:
        self.client = Client(raise_request_exception=False)
        self.headers = {"Authorization": f"Bearer {key}"} if key else {}

    def _send(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        send = getattr(self.client, method)
        headers = {**self.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
        if body is None:
            response = send(path, data=b"", content_type="application/json", headers=headers)
        else:
            response = send(path, data=body, content_type="application/json", headers=headers)
        validation.check(method=method, path=path, response=response)
        return response

    def get(self, path: str, **headers: str) -> Any:
        return self._send("get", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self._send("post", path, body, **headers)

    def put(self, path: str, body: Any = None, **headers: str) -> Any:
        return self._send("put", path, body, **headers)

    def patch(self, path: str, body: Any = None, **headers: str) -> Any:
        return self._send("patch", path, body, **headers)

    def delete(self, path: str, body: Any = None, **headers: str) -> Any:
        return self._send("delete", path, body, **headers)


Api = Callable[..., Caller]


@pytest.fixture
def people(db: None) -> People:
    """As `accounts.create_user` makes them, in two statements: thousands of tests begin here."""
    rows = User.objects.bulk_create(
        User(email=f"{name}@people.example", password=make_password(None), is_staff=power, is_superuser=power)
        for name, power in (("owner", False), ("stranger", False), ("staff", True))
    )
    EmailAddress.objects.bulk_create(
        EmailAddress(user=row, email=row.email, verified=True, primary=True) for row in rows
    )
    return People(*rows)


@pytest.fixture
def api(people: People) -> Api:
    """`api()` is anonymous, `api("listings:write")` has a key with that scope, `api("all")` one with every scope."""

    def make(scope: str | None = None, *, user: User | None = None) -> Caller:
        if scope is None:
            return Caller(None)
        scopes = accounts.ALL_SCOPES if scope == "all" else scope.split()
        _, key = accounts.create_api_key(
            user=user or people.owner, name="Test", scopes=scopes, at=timezone.now()
        )
        return Caller(key)

    return make


def signed_in(user: User) -> Client:
    """As `force_login` does it in fourteen statements, in two: thousands of tests begin here."""
    client, key, now = Client(), get_random_string(32), timezone.now()
    held = {
        SESSION_KEY: str(user.pk),
        BACKEND_SESSION_KEY: settings.AUTHENTICATION_BACKENDS[0],
        HASH_SESSION_KEY: user.get_session_auth_hash(),
    }
    until = now + timedelta(seconds=settings.SESSION_COOKIE_AGE)
    row = Session(session_key=key, session_data=Session.objects.encode(held), expire_date=until)
    Session.objects.bulk_create([row])
    update_last_login(None, user)
    client.cookies[settings.SESSION_COOKIE_NAME] = key
    return client


@pytest.fixture
def owner(people: People) -> Client:
    """The owner's browser."""
    return signed_in(people.owner)


@pytest.fixture
def staff(people: People) -> Client:
    """That of staff who may do everything."""
    return signed_in(people.staff)


@pytest.fixture
def storage(settings: Any, tmp_path: Path) -> Path:
    """Where uploads are stored during a test."""
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


@pytest.fixture
def site(db: None) -> Site:
    """The default site."""
    return Site.objects.select_related("django_site").get(is_default=True)


@pytest.fixture(autouse=True)
def fresh_counters(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees another's rate limits, cached answers or outages, nor a turn of time between its statements."""
    monkeypatch.setattr(FailSoftRedisCache, "_away_until", 0.0)
    cache.clear()  # and what the limiter counted, beside it in Redis
    caches["process"].clear()
    caching.ANSWERS.clear()
    caching.PARTS.clear()
    monkeypatch.setattr(hints, "_rests_until", [0.0])
    monkeypatch.setattr(caching, "SLOT_SECONDS", 10**10)
    monkeypatch.setattr(sites, "CACHED_SECONDS", 10**9)
    for known in (*outages.Outage.all, *outages.Bulkhead.all):
        known.forget()
    sites.forget_sites()
    throttling.limiter.cache_clear()


@pytest.fixture(autouse=True)
def no_files_of_documents(settings: Any) -> None:
    """Drawing PDFs takes longer than most tests; those of them switch it on."""
    settings.INVOICE_FILES = False


@pytest.fixture(autouse=True)
def guarded_calls() -> Iterator[None]:
    """No request asks another's server but in a place of that service's bulkhead."""
    calls_outside.unguarded.clear()
    yield
    assert calls_outside.unguarded == []


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a request waits for comes, however busy the machine is; tests of these bounds set their own."""
    monkeypatch.setattr(badge_check, "AT_ONCE", replace(badge_check.AT_ONCE, seconds=LONG))
    monkeypatch.setattr(checking, "AT_ONCE", LONG)
    monkeypatch.setattr(process, "SECONDS", LONG)
    monkeypatch.setattr(vat_numbers, "SECONDS", LONG)
