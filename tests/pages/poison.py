"""Texts that try to run a script, in every column of text that there is, as if strangers had written them there."""

from collections.abc import Iterator
from itertools import count
from typing import Any

from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.db.models import (
    BinaryField,
    CharField,
    EmailField,
    Field,
    FileField,
    JSONField,
    Model,
    SlugField,
    TextField,
    URLField,
)

from directory.models import Listing
from directory.search import public_data

MARK = "__xss"
TEXTS = (
    f"<script>window.{MARK}=1</script>",
    f'"><img src=x onerror=window.{MARK}=1>',
    f"'><svg onload=window.{MARK}=1>",
    f"</title></textarea></script><b onclick=window.{MARK}=1>b</b>",
    f'" autofocus onfocus=window.{MARK}=1 x="',
    f"[m](javascript:window.{MARK}=1) ![i](https://evil.test/i.png) [n]: data:text/html,<script>{MARK}</script>",
    f"<a href='javascript:window.{MARK}=1'>a</a><iframe srcdoc='<script>parent.{MARK}=1</script>'></iframe>",
    f"{{{{ 7|add:7 }}}}{{% debug %}}${{7*7}} ＜script＞{MARK}＜/script＞ \u202eabc\u2028\u2029 &lt;script&gt;",
)
ADDRESSES = (
    f"javascript:window.{MARK}=1//https://x.test/",
    f'https://x.test/"><script>window.{MARK}=1</script>',
    f"data:text/html,<script>parent.{MARK}=1</script>",
    f"https://x.test/' onmouseover='window.{MARK}=1",
    f" \tjava\nscript:window.{MARK}=1",
)
AREAS = {"accounts", "claims", "directory", "drafts", "leaderboards", "orders"}
# Words of our own and numbers that have a form, which nobody writes; and rows that only their writer may change.
CODES = {
    *("key", "kind", "token", "link", "digest", "sha256", "password", "prefix", "last4", "act", "role", "by"),
    *("domain", "host", "site_key", "home_url", "currency", "paid_currency", "country", "vat_country"),
    *("billing_country", "provider", "event_id", "robots", "skipped", "updated_by", "network", "scopes"),
    *("claimed_by_method", "vat_treatment", "vat_number_status", "from_status", "to_status", "board", "unit"),
    *(
        "unlocked_sections",
        "flags",
        "changed",
        "parts_done",
        "products",
        "product",
        "number",
        "queue",
        "series",
    ),
    *(
        "name of drafts.DraftField",
        "stage of drafts.Draft",
        "result of directory.BadgeCheck",
        "url of drafts.Draft",
    ),
    *("result of claims.ClaimCheck", "kind of drafts.DraftPage", "method of orders.Payment", "review"),
    *(
        "model of drafts.ModelAnswer",
        "request_id",
        "logo of drafts.Draft",
        "put_back",
        "redrafting",
        "effect",
        "options",
        "details",
    ),
}
JSON_CODES = {
    *("field", "reason", "source", "code", "kind", "key", "fields", "equals", "week", "date", "checked_at"),
    *(
        "fetched_at",
        "status",
        "state",
        "categories",
        "country",
        "page_sha256",
        "request_id",
        "currency",
        "product",
    ),
    *("pricing_model", "stage", "platform", "file", "treatment", "issued_at", "vat_rate", "percent"),
}
UNTOUCHED = {
    *("accounts.StaffAct", "orders.Invoice", "orders.ProductPrice", "orders.VatRate", "directory.SitePage"),
    "orders.VatArea",
    *("directory.ListingCard", "directory.SearchDocument", "directory.SearchTerm"),  # made of the others
}


def poison() -> int:
    """Write them everywhere, and have what is prepared for pages written anew. Gives how many columns were reached."""
    turn, reached = count(), 0
    for model in apps.get_models():
        if model._meta.app_label not in AREAS or model._meta.label in UNTOUCHED or model._meta.proxy:
            continue
        columns = list(_columns(model))
        reached += len(columns)
        for row in model._base_manager.all():
            written = {field.name: _worse(field, getattr(row, field.name), turn) for field in columns}
            if written:
                model._base_manager.filter(pk=row.pk).update(**written)
    public_data.refresh(listing_ids=list(Listing.objects.values_list("pk", flat=True)))
    return reached


def _columns(model: type[Model]) -> Iterator["Field[Any, Any]"]:
    """The columns of text of a model that people's words come into."""
    for field in model._meta.concrete_fields:
        is_text = isinstance(field, CharField | TextField | JSONField | ArrayField)
        is_ours = isinstance(field, SlugField | FileField | BinaryField) or field.choices or field.unique
        named = {field.name, f"{field.name} of {model._meta.label}"}
        if is_text and not is_ours and not field.is_relation and not named & CODES:
            yield field


def _worse(field: "Field[Any, Any]", value: Any, turn: Iterator[int]) -> Any:
    if isinstance(field, JSONField):
        return _worse_json(value, turn)
    if isinstance(field, ArrayField):
        return [_text(turn, field.base_field.max_length) for _ in value or []]
    if isinstance(field, EmailField):
        return f'"<svg/onload=window.{MARK}={next(turn)}>"@x.test' if value else value
    if isinstance(field, URLField) or field.name.endswith("url"):
        return ADDRESSES[next(turn) % len(ADDRESSES)] if value else value
    return _text(turn, field.max_length)


def _worse_json(value: Any, turn: Iterator[int], name: str = "") -> Any:
    if isinstance(value, dict):
        return {
            key: inside if key in JSON_CODES else _worse_json(inside, turn, key)
            for key, inside in value.items()
        }
    if isinstance(value, list):
        return [_worse_json(inside, turn, name) for inside in value]
    if isinstance(value, str) and (name in {"url", "link", "image"} or "://" in value):
        return ADDRESSES[next(turn) % len(ADDRESSES)]
    return _text(turn, 400) if isinstance(value, str) and value else value


def _text(turn: Iterator[int], most: int | None) -> str:
    """As many of them as there is room for, beginning with another one each time."""
    first, text = next(turn), ""
    for number in range(len(TEXTS)):
        more = TEXTS[(first + number) % len(TEXTS)]
        text += more if not most or len(text) + len(more) <= most else ""
    return text or TEXTS[0][: most or 0]
