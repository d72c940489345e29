"""OpenAPI 3.1 from the operations' declarations, on drf-spectacular's own hooks."""

import inspect
from typing import Any

from django.conf import settings
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from core import slugs
from core.api.links import absolute
from core.api.operations import MUTATING, Operation
from core.api.pagination import PageIn
from core.api.serializers import (
    AnyValue,
    Bool,
    DictOf,
    Email,
    Int,
    Link,
    ListOf,
    OpenWord,
    SecureLink,
    Shape,
    Str,
    Text,
    Url,
    Uuid,
)

TAGS = {"me": "account", "drafts": "drafts", "claims": "claims", "orders": "orders", "products": "orders"}
TROPHIES = frozenset({"trophies", "verification", "hall-of-fame", "programmes"})
IDEMPOTENCY_KEY = OpenApiParameter(
    name="Idempotency-Key",
    location=OpenApiParameter.HEADER,
    type={
        "type": "string",
        "minLength": 1,
        "maxLength": 255,
        "pattern": r"""^(?:[!#-~][!-~]*|"(?:[!#-\[\]-~]|\\["\\])+")$""",
    },
    description="Makes a retry safe: the same key and body get the same answer for 24 hours."
    " Visible ASCII characters, bare or as a quoted string.",
)


CONTROL = r"\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F"
PRINTABLE = rf"^[^{CONTROL}]*$"  # what `Text` takes
NOT_BLANK = rf"^\s*[^{CONTROL}\s][^{CONTROL}]*$"
IN_LINKS = rf"""{CONTROL}\s<>"'`\\"""  # is not, as core.fetch has it
LINK = rf"^\s*[Hh][Tt][Tt][Pp]{{s}}://[^{IN_LINKS}/?#]+\.[^{IN_LINKS}]+\s*$"
REDUNDANT = ("description", "minLength")


def identifier(name: str) -> dict[str, Any]:
    """The schema of an identifier in a path, by the house's names for them."""
    if name == "slug":
        return {"type": "string", "pattern": slugs.PATTERN, "maxLength": slugs.LENGTH}
    if name == "id":
        return {"type": "string", "format": "uuid"}
    return {"type": "integer", "minimum": 1} if name.endswith("_id") else {"type": "string"}


def _pattern_of(field: Text) -> str:
    """What can be said of a text before it is asked for; an empty one is welcome where it means null."""
    if isinstance(field, Link):
        link = LINK.replace("{s}", "[Ss]" if isinstance(field, SecureLink) else "[Ss]?")
        return rf"^\s*$|{link}" if field.allow_null else link
    return PRINTABLE if field.allow_null or field.allow_blank or not field.required else NOT_BLANK


class FieldErrorOut(serializers.Serializer[Any]):
    """One failing value, by pointer in a body or by parameter elsewhere."""

    code = Str("Which rule it breaks, for programs: required, max_length, pattern …")
    pointer = Str(
        "Where it is in the body (RFC 6901): /fields/name. Empty for the body itself.", required=False
    )
    parameter = Str("Which part of the query or path it is, or which argument of a tool.", required=False)
    message = Str("The rule in words.")
    limit = AnyValue(help_text="The bound that it breaks, as a number; null where there is none.")


class ProblemOut(serializers.Serializer[Any]):
    """An error (RFC 9457). What is not required here says more of some codes; more members may come."""

    type = Url("The page that explains the code.")
    title = Str("The code in words; the same each time.")
    status = Int("The HTTP status.")
    code = Str("What went wrong, for programs. Codes are stable; more may come.")
    detail = Str("What went wrong this time, for people.")
    instance = Str("The path that was called.")
    request_id = Str("Quote it when you write to us.")
    errors = FieldErrorOut(many=True, help_text="Every failing value, all at once.")  # type: ignore[assignment]
    current = Str("The state it is in: invalid_state, draft_not_ready, programme_closed.", required=False)
    allowed = ListOf(Str(), "The states that it may move to: invalid_state.", required=False)
    missing = ListOf(Str(), "What a listing lacks to launch: invalid_state.", required=False)
    required_scope = Str("The scope that is needed: insufficient_scope.", required=False)
    retry_after = Int("Seconds to wait, as in Retry-After: request_in_progress.", required=False)
    slug = Str("The listing that is live at the address: duplicate_listing.", required=False)
    listing_id = Int("The listing that is yours: already_owner.", required=False)
    draft_id = Uuid("The open draft of the same site: duplicate_listing.", required=False)
    draft_url = Url("Where that draft is read: duplicate_listing.", required=False)
    rule = Str("Why: programme_closed, not_eligible.", required=False)
    limit = Int("How many there may be: invite_limit, regenerate_limit.", required=False)
    suggestions = DictOf(
        ListOf(Str(), "Names of categories."), "By unknown word: category_unknown.", required=False
    )
    next_actions = ListOf(DictOf(Str(), ""), "What you can do instead, as answers have it.", required=False)


class RateLimitedOut(serializers.Serializer[Any]):
    """Too many requests of one kind. Nothing was done; the same call may succeed later."""

    error = Str("rate_limited.")
    message = Str("The same in words.")
    retry_after = Int("Seconds to wait, as in Retry-After.")
    limit = Int("How many are allowed in a window.")
    remaining = Int("How many are left: 0.")
    window_seconds = Int("The window's length.")
    policy = Str("What is counted: read, search, write, crawl, promo …")
    request_id = Str("Quote it when you write to us.")


def only_operations(endpoints: list[tuple[str, str, str, Any]]) -> list[tuple[str, str, str, Any]]:
    """Leave out whatever is not an operation of the interface."""
    return [row for row in endpoints if row[0].startswith("/api/v1/") and hasattr(row[3], "actions")]


class OperationSchema(AutoSchema):
    @property
    def spec(self) -> Operation:
        spec: Operation = self.view.operation  # type: ignore[attr-defined]
        return spec

    def get_operation_id(self) -> str:
        return self.spec.name

    def get_serializer_name(self, serializer: Any, direction: str) -> str:
        """Component names are the shapes' own words; spectacular adds Request to what comes in."""
        return type(serializer).__name__.removesuffix("Out").removesuffix("In")

    def get_summary(self) -> str:
        return self.spec.summary

    def get_description(self) -> str:  # type: ignore[override]
        """The whole docstring, and the codes a refusal may carry."""
        codes = ", ".join(self.spec.codes)
        return self.spec.description + (f" Errors: {codes}." if codes else "")

    def get_tags(self) -> list[str]:
        parts = self.path.removeprefix("/api/v1/").split("/")
        if not TROPHIES.isdisjoint(parts):
            return ["Trophies"]
        return [TAGS.get(parts[0], "public")]

    def get_auth(self) -> list[dict[str, list[str]]]:
        """Public operations take a credential or none; the others need one of their scopes."""
        if not self.spec.scope:
            return [{}, {"apiKey": []}, {"oauth2": []}]
        return [{"apiKey": []}, *({"oauth2": [scope.value]} for scope in self.spec.scope)]

    def get_override_parameters(self) -> list[Any]:
        rows: list[Any] = []
        kinds: list[type[serializers.Serializer[Any]] | None] = [
            self.spec.query,
            PageIn if self.spec.paged else None,
        ]
        for kind in filter(None, kinds):
            rows += [
                OpenApiParameter(
                    name=name,
                    location=OpenApiParameter.QUERY,
                    required=field.required,
                    type=self._parameter(field),
                    description=str(field.help_text or ""),
                )
                for name, field in kind().fields.items()
            ]
        if self.method in MUTATING and self.spec.keyed:
            rows.append(IDEMPOTENCY_KEY)
        return rows

    def _parameter(self, field: serializers.Field[Any, Any, Any, Any]) -> dict[str, Any]:
        """A parameter's schema with its bounds. An empty value counts as none, so no length is too short."""
        schema: dict[str, Any] = self._map_serializer_field(field, "request")
        self._insert_field_validators(field, schema)
        return {name: value for name, value in schema.items() if name not in REDUNDANT}

    def _get_serializer_field_meta(self, field: Any, direction: str) -> dict[str, Any]:
        """What spectacular says of any field, with the known words of an open list.

        A nested shape without words of its own is described by its docstring. An empty text is welcome where it
        means null.
        """
        meta: dict[str, Any] = super()._get_serializer_field_meta(field, direction)
        nested = getattr(field, "child", field)
        if "description" not in meta and isinstance(nested, serializers.BaseSerializer):
            meta["description"] = inspect.getdoc(type(nested))
        if isinstance(field, OpenWord):
            meta["x-extensible-enum"] = field.values
        if (field.allow_null or not field.required) and meta.get("minLength") == 1:
            del meta["minLength"]
        return meta

    def _insert_field_validators(self, field: Any, schema: dict[str, Any]) -> None:
        """The bounds of a field, with those that spectacular leaves out."""
        super()._insert_field_validators(field, schema)
        longest = getattr(field, "max_length", None)
        if isinstance(field, serializers.ListSerializer) and longest is not None:
            schema["maxItems"] = longest
        if isinstance(field, Email):
            schema["format"] = "email"
        if isinstance(field, Text) and "enum" not in schema and "pattern" not in schema:
            schema["pattern"] = _pattern_of(field)

    def _resolve_path_parameters(self, variables: list[str]) -> list[dict[str, Any]]:
        fields = self.spec.path().fields if self.spec.path else {}
        return [
            {
                "in": "path",
                "name": name,
                "required": True,
                "schema": self._parameter(fields[name]) if name in fields else identifier(name),
                "description": self.spec.parts.get(name)
                or str(getattr(fields.get(name), "help_text", "") or ""),
            }
            for name in variables
        ]

    def get_request_serializer(self) -> Any:
        return self.spec.body

    def get_response_serializers(self) -> Any:
        refusals = {400: "Invalid request"}
        if self.spec.scope:
            refusals |= {401: "Not authenticated", 403: "Access refused"}
        if "{" in self.path:
            refusals[404] = "Not found"
        answers: dict[Any, Any] = {self.spec.status: self._success()}
        for status, text in refusals.items():
            answers[(status, "application/problem+json")] = OpenApiResponse(ProblemOut, description=text)
        answers[(429, "application/json")] = OpenApiResponse(RateLimitedOut, description="Rate limited")
        return answers

    def _success(self) -> Any:
        if not self.spec.paged:
            return self.spec.returns
        return paged_shape(self.spec.returns)

    def _is_list_view(self, serializer: Any = None) -> bool:
        return False


class Envelope(Shape):
    """What every page of a list says of itself."""

    page = Int("This page's number.", min_value=1)
    per_page = Int("How many items a page holds at most.", min_value=1)
    total = Int("How many items there are on all pages.", min_value=0)
    total_pages = Int("How many pages there are, as far as they can be asked for.", min_value=0)
    next = Url("The next page's address; null on the last page.", null=True)
    previous = Url(
        "The address of the page before; null on the first. Past the end it is the last page's.", null=True
    )
    total_is_estimate = Bool(
        "There when total is only about right: above 10,000, and with words in q above 1,000.", required=False
    )


PAGED: dict[type[Shape], type[Shape]] = {}


def paged_shape(item: type[Shape]) -> type[Shape]:
    if item not in PAGED:
        PAGED[item] = type(
            f"{item.__name__.removesuffix('Out')}Page",
            (Envelope,),
            {"__doc__": "A page of a list.", "items": item(many=True, help_text="What this page holds.")},
        )
    return PAGED[item]


def finish(*, result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Close request objects, name the security schemes, and drop what only confuses readers of a schema."""
    components = result.setdefault("components", {})
    for name, schema in components.get("schemas", {}).items():
        if name.endswith("Request"):
            schema.setdefault("additionalProperties", False)
    components["securitySchemes"] = {
        "apiKey": {"type": "http", "scheme": "bearer", "description": "An API key of your account."},
        "oauth2": {
            "type": "oauth2",
            "flows": {
                "authorizationCode": {
                    "authorizationUrl": absolute("/oauth/authorize"),
                    "tokenUrl": absolute("/oauth/token"),
                    "refreshUrl": absolute("/oauth/token"),
                    "scopes": dict(settings.OAUTH2_PROVIDER["SCOPES"]),
                }
            },
        },
    }
    return without(result, name="x-spec-enum-id")


def without(value: Any, *, name: str) -> Any:
    if isinstance(value, dict):
        return {key: without(inner, name=name) for key, inner in value.items() if key != name}
    return [without(inner, name=name) for inner in value] if isinstance(value, list) else value
