"""What a service is not started with is refused at once, in a sentence, before anything listens."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import refusals
from config.embedded.paths import ROOT, free_port

PUBLIC, LONG = {"SITE_URL": "https://launch.example"}, "k" * 32


def start(*program: str, **values: str) -> subprocess.CompletedProcess[str]:
    """The web server, or another program, with these settings, if it starts at all."""
    environment = {**os.environ, "PORT": str(free_port()), **values}
    return subprocess.run(
        [sys.executable, "-m", *(program or ("config.serve",))],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (
            PUBLIC | {"SECRET_KEY": "change-me-to-fifty-random-characters-please"},
            "SECRET_KEY is still the example",
        ),
        (PUBLIC | {"SECRET_KEY": "k" * 31}, "SECRET_KEY has 31 characters, and 32 are the least"),
        (
            PUBLIC | {"SECRET_KEY": LONG, "SECRET_KEY_FALLBACKS": "x,change-me"},
            "SECRET_KEY is still the example",
        ),
        ({"SITE_URL": "launch.example"}, "SITE_URL is 'launch.example'; use http:// or https:// and a host"),
        ({"SITE_URL": "https://launch.example/site"}, "SITE_URL is 'https://launch.example/site'; use"),
        ({"SITE_URL": "https://launch.example:x"}, "SITE_URL is 'https://launch.example:x'; use"),
        ({"SITE_URL": "https://launch.example:99999"}, "SITE_URL is 'https://launch.example:99999'; use"),
        ({"DNS_SERVERS": "dns.example"}, "DNS_SERVERS: 'dns.example' is not of the form address:port"),
        ({"DNS_SERVERS": "127.0.0.1,127.0.0.1:65536"}, "DNS_SERVERS: '127.0.0.1:65536' is not of the form"),
        ({"DNS_SERVERS": "127.0.0.1:²"}, "DNS_SERVERS: '127.0.0.1:²' is not of the form"),
        ({"CRAWL_RESOLVE": "a.test=127.0.0.1:0"}, "CRAWL_RESOLVE: 'a.test=127.0.0.1:0' is not of the form"),
        ({"MCP_CHALLENGE": "header"}, "MCP_CHALLENGE is 'header'; use one of: http, result."),
        (
            {"MCP_ALLOWED_ORIGINS": "https://a.example,https://b.example/"},
            "MCP_ALLOWED_ORIGINS: 'https://b.example/'",
        ),
        ({"REDIS_URL": "127.0.0.1:6379/0"}, "REDIS_URL must begin with redis://, rediss:// or unix://."),
        ({"DATABASE_REPLICA_URL": "mysql://x/y"}, "DATABASE_REPLICA_URL must begin with postgres://"),
        ({"OPENAI_BASE_URL": "model.example/v1"}, "OPENAI_BASE_URL must begin with http:// or https:// and"),
        ({"VIES_URL": "https://"}, "VIES_URL must begin with http:// or https:// and name a host."),
        ({"CURRENCY": "jpy"}, "CURRENCY is JPY, which has no decimals"),
        ({"CURRENCY": "KWD"}, "CURRENCY is KWD, which has more than two decimals"),
        ({"CURRENCY": "QQQ"}, "CURRENCY is 'QQQ', which is no currency"),
        ({"SELLER_COUNTRY": "XX"}, "SELLER_COUNTRY is 'XX', which is no country"),
        ({"SELLER_TIME_ZONE": "Brussels"}, "SELLER_TIME_ZONE is 'Brussels', which is no time zone"),
        ({"STRIPE_SECRET_KEY": "sk_live_x"}, "STRIPE_WEBHOOK_SECRET is needed beside STRIPE_SECRET_KEY"),
        ({"BTCPAY_URL": "https://pay.example"}, "BTCPAY_WEBHOOK_SECRET is needed beside BTCPAY_URL"),
    ],
)
def test_the_server_says_why_it_does_not_start(values: dict[str, str], words: str) -> None:
    done = start(**values)

    assert done.returncode == 1
    assert done.stderr.startswith(words)
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "program",
    [("config.work", "--queues", "default"), ("celery", "-A", "config", "beat")],
    ids=["work", "clock"],
)
def test_workers_and_the_clock_say_it_too(program: tuple[str, ...]) -> None:
    done = start(*program, CURRENCY="QQQ")

    assert done.returncode == 1
    assert done.stderr.startswith("CURRENCY is 'QQQ', which is no currency")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("check", "given", "taken"),
    [
        (refusals.site_url, "https://launch.example:8443/", "https://launch.example:8443"),
        (refusals.site_url, "http://[::1]:8000", "http://[::1]:8000"),
        (refusals.currency, "eur", "EUR"),
        (refusals.currency, "HUF", "HUF"),
        (refusals.seller_country, "de", "DE"),
    ],
)
def test_what_is_right_is_taken(check: Any, given: str, taken: str) -> None:
    assert check(given) == taken


@pytest.mark.parametrize("key", ["change-me", "short"])
def test_any_key_does_where_no_stranger_comes(key: str) -> None:
    assert refusals.secret_key(key, former=[], is_public=False) == key


def test_a_key_of_32_characters_does_everywhere_beside_a_short_former_one() -> None:
    assert refusals.secret_key(LONG, former=["short"], is_public=True) == LONG


@pytest.mark.parametrize("number", range(3))
def test_every_currency_has_three_letters_and_stands_once(number: int) -> None:
    codes = (refusals.TWO_DECIMALS, refusals.NO_DECIMALS, refusals.MORE_DECIMALS)[number].split()

    assert len(codes) == len(set(codes))
    assert {(len(code), code.isupper()) for code in codes} == {(3, True)}


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.8.0.1", True),
        ("[::1]", True),
        ("localhost", True),
        ("shop.localhost", True),
        ("0.0.0.0", False),
        ("10.0.0.1", False),
        ("localhost.example", False),
        ("", False),
    ],
)
def test_loopback_is_what_no_other_machine_reaches(*, host: str, expected: bool) -> None:
    assert refusals.is_loopback(host) is expected


def test_a_name_in_place_of_a_code_is_refused() -> None:
    with pytest.raises(ImproperlyConfigured, match="CURRENCY is 'EURO', which is no currency"):
        refusals.currency("EURO")


def test_make_up_says_it_once_before_it_starts_anything(tmp_path: Path) -> None:
    environment = {**os.environ, "PORT": str(free_port()), "DATA_DIR": str(tmp_path), "CURRENCY": "JPY"}
    done = subprocess.run(
        [sys.executable, "-m", "config.embedded"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 1
    assert (
        done.stderr.strip() == "CURRENCY is JPY, which has no decimals; use one with two, such as EUR or USD."
    )
    assert not {"postgres", "redis"} & {path.name for path in tmp_path.iterdir()}
