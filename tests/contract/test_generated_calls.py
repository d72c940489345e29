"""Calls that a program makes up from the OpenAPI file: none breaks the service, none is answered off the file.

Values are drawn from the schemas and against them, the same each time; GENERATED_CALLS=500 draws more.
"""

import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
import time_machine
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from config.docs.pages import schema
from config.wsgi import application
from core.api.routes import all_routes
from directory.models import Site
from tests.conftest import Api, People
from tests.contract.world import NOW, build_draft

CALLS = int(os.environ.get("GENERATED_CALLS", "6"))
# Whether a call is refused is not held against its schema: slugs that name nothing, weeks of another board and drafts
# that are not ready are refused though well-formed, and an empty text is taken for none though it fits no pattern.
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
FILE = schemathesis.openapi.from_dict(schema())
FILE.app = application
ROUTES = {route.spec.name: route for route in all_routes()}
FITTING = [(name, GenerationMode.POSITIVE) for name in sorted(ROUTES)]
BREAKING = [  # where nothing is taken, nothing can break a rule
    (name, GenerationMode.NEGATIVE)
    for name, route in sorted(ROUTES.items())
    if schema()["paths"][route.path][route.method.lower()].keys() & {"parameters", "requestBody"}
]


@pytest.fixture
def known(world: None, site: Site, people: People) -> Iterator[None]:
    """A directory in which something answers."""
    with time_machine.travel(NOW, tick=False):
        build_draft(site, owner=people.owner)
        for ending in (
            request_started,
            request_finished,
        ):  # the calls are made inside the test's transaction, as Django's own client makes them
            ending.disconnect(close_old_connections)
        yield
        for ending in (request_started, request_finished):
            ending.connect(close_old_connections)


@pytest.mark.parametrize(("operation", "mode"), [*FITTING, *BREAKING], ids=str)
@pytest.mark.usefixtures("known")
def test_an_answer_is_what_the_file_says(
    api: Api, monkeypatch: pytest.MonkeyPatch, operation: str, mode: GenerationMode
) -> None:
    monkeypatch.setattr("django.conf.settings.RATE_LIMIT_FACTOR", 10_000)
    route, headers = ROUTES[operation], {**api("all").headers, "Accept-Encoding": "identity"}
    described: Any = FILE[route.path][route.method]
    strategy = described.as_strategy(generation_mode=mode)

    @settings(
        max_examples=CALLS, derandomize=True, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
    )
    @given(case=strategy)
    def call(case: Any) -> None:
        case.call_and_validate(headers=headers, checks=CHECKS)

    call()
