"""What became of “Suggest another”: where nothing new came of it, its field says so once."""

from collections.abc import Collection
from dataclasses import replace

from django.http import HttpRequest

from directory.listings.pages.forms import FactsForm, digest
from directory.listings.pages.sections import is_part
from drafts.models import DraftField
from drafts.selectors import DraftView

KEY = "redrafts"
NOTHING_NEW = "We read the pages once more and have nothing else to suggest."


def note(request: HttpRequest, view: DraftView, *, names: Collection[str]) -> None:
    """Keep what stands and is offered now, to compare it with what comes."""
    before = {name: text for name, text in _now(view).items() if name in names}
    request.session[KEY] = {"draft": str(view.draft.pk), "before": before}


def answer(request: HttpRequest, view: DraftView, form: FactsForm) -> None:
    noted = request.session.get(KEY)
    if not noted or noted["draft"] != str(view.draft.pk) or view.draft.redrafting or is_part(request):
        return
    del request.session[KEY]
    now = _now(view)
    for name, before in noted["before"].items():
        if now.get(name) == before:
            form.fields[name].mark = replace(form.fields[name].mark, note=NOTHING_NEW)


def _now(view: DraftView) -> dict[str, str]:
    fields = (row for row in view.fields if row.group == DraftField.Group.FIELDS)
    return {row.name: digest([row.value, row.others]) for row in fields}
