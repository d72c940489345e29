"""What strangers are answered: some public addresses, asked of this process's database.

A snapshot is one of PostgreSQL's that another connection holds: all answers are then of that moment, whatever is
written meanwhile.
"""

import hashlib
import re
from contextlib import nullcontext
from urllib.parse import quote

from django.conf import settings
from django.db import connection, transaction
from django.test import Client
from psycopg import sql

Answers = dict[str, tuple[int, str]]
AS_OF = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"
SAMPLE = """
SELECT slug FROM directory_listing WHERE status = 'live' AND launched_at < clock_timestamp() - interval '1 minute'
ORDER BY md5(id::text) LIMIT %s
"""
FIXED = (
    "/search",
    "/search?q=invoice",
    "/search?sort=votes",
    "/categories",
    "/founders",
    "/blog",
    "/awards",
    "/how-ranking-works",
    "/sitemap.xml",
    "/feeds/launches.atom",
    "/api/v1/site",
    "/api/v1/listings",
    "/api/v1/listings?sort=votes&per_page=100",
    "/api/v1/listings?q=team",
    "/api/v1/categories",
    "/api/v1/founders",
    "/api/v1/awards",
    "/api/v1/blog",
    "/api/v1/launches",
    "/api/v1/products",
)
OF_A_LISTING = (
    "/api/v1/listings/{}",
    "/listings/{}",
    "/api/v1/listings/{}/alternatives",
    "/api/v1/listings?q={}",
)
RANDOM = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]*"')  # by intent, in each answer another


def paths(number: int) -> list[str]:
    """So many public addresses: lists, and listings chosen by chance, each asked in several ways.

    Pages that name the minute are left out, as the home page does while a week runs.
    """
    with connection.cursor() as cursor:
        cursor.execute(SAMPLE, [number // len(OF_A_LISTING) + 1])
        slugs = [slug for (slug,) in cursor.fetchall()]
    of_listings = [form.format(quote(slug)) for slug in slugs for form in OF_A_LISTING]
    return [*FIXED, *of_listings][:number]


def ask(addresses: list[str], *, snapshot: str) -> Answers:
    client = Client(raise_request_exception=False)
    with transaction.atomic() if snapshot else nullcontext():
        if snapshot:
            with connection.cursor() as cursor:
                cursor.execute(AS_OF)
                cursor.execute(sql.SQL("SET TRANSACTION SNAPSHOT {}").format(sql.Literal(snapshot)))
        result = {path: _answer(client, path) for path in addresses}
        if snapshot:
            transaction.set_rollback(True)
    return result


def _answer(client: Client, path: str) -> tuple[int, str]:
    host = settings.SITE_URL.partition("://")[2]
    answer = client.get(path, secure=settings.HTTPS, headers={"host": host})
    body = answer.getvalue()
    return answer.status_code, hashlib.sha256(RANDOM.sub(b"", body)).hexdigest()
