"""Random sequences of update, lock, regenerate and restore, through the services, against a small model."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import jobs
from core.api.errors import ApiError
from core.models import Job
from drafts.drafting import redrafting
from drafts.editing import updating
from drafts.models import Draft
from drafts.writing.port import Evidence, FieldDraft, Written
from tests.conftest import People
from tests.drafts.conftest import blank_draft
from tests.drafts.test_fields import Model

NAMES = ("name", "city")
DRAFTED = ("name",)
TEXT = st.none() | st.sampled_from(["Ink", "Quill", "Nib"])
MOVE = st.tuples(st.sampled_from(["type", "lock", "restore", "redraft"]), st.sampled_from(NAMES), TEXT)
QUOTE = Evidence(
    quote="q",
    url="https://tidewell.test/",
    page_title="",
    source="text",
    page_sha256="0" * 64,
    fetched_at=None,
)


@pytest.fixture
def draft(people: People, site: Any) -> Draft:
    return blank_draft(owner=people.owner, site=site)


def write_again(draft: Draft, name: str, value: str | None) -> None:
    """Ask for one field and let the job put in what a writer would hand over."""
    ask(draft, {"regenerate": [name]})
    found = FieldDraft(
        value=value, evidence=(QUOTE,) if value else (), reason=None if value else "not_on_site"
    )
    row = Job.objects.get(kind=redrafting.JOB)
    claimed = jobs.claim(job_id=row.pk)
    assert claimed is not None
    redrafting._put_in(
        draft_id=str(draft.pk),
        names=frozenset({name}),
        written=Written(fields={name: found}),
        lease=claimed[1],
        at=draft.created_at,
    )
    row.delete()


def ask(draft: Draft, changes: dict[str, Any]) -> None:
    updating.update_draft(owner_id=draft.owner_id, draft_id=draft.pk, changes=changes, at=draft.created_at)


def apply(draft: Draft, move: str, name: str, value: str | None) -> None:
    if move == "redraft":
        write_again(draft, name, value)
        return
    ask(
        draft,
        {"type": {"fields": {name: value}}, "lock": {"lock_fields": [name]}, "restore": {"restore": [name]}}[
            move
        ],
    )


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(moves=st.lists(MOVE, max_size=10))
def test_any_sequence_of_edits_follows_the_rules_field_by_field(
    draft: Draft, moves: list[tuple[str, str, str | None]]
) -> None:
    blank = {"value": None, "state": "not_found", "evidence": [], "ai_value": None, "ai_evidence": []}
    draft.field_rows.update(**blank, is_locked=False, reason="")
    Draft.objects.update(pages_read=1, redrafts=0, redrafting=None)
    models = {name: Model() for name in NAMES}
    for name in DRAFTED:
        apply(draft, "redraft", name, "Ink")
        models[name].apply("redraft", "Ink")

    for move, name, value in moves:
        if move == "redraft" and models[name].locked:
            with pytest.raises(ApiError) as refused:
                apply(draft, move, name, value)
            assert refused.value.code == "field_locked"
        else:
            apply(draft, move, name, value)
            models[name].apply(move, value)

        for row in draft.field_rows.filter(name__in=NAMES):
            model = models[row.name]
            assert (row.value, row.state, row.is_locked) == (model.text, model.state(), model.locked)
            assert bool(row.evidence) == model.is_quoted()
