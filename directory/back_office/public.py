"""What everybody reads changes as soon as staff change it."""

from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import HttpRequest

from core.cache import changed
from directory.back_office.checks import CheckedAdmin


class PublicAdmin(CheckedAdmin):
    """Rows that public answers are made of. `stamps` names the bodies of data they belong to."""

    stamps: ClassVar[tuple[str, ...]] = ()

    def _tell(self) -> None:
        for stamp in self.stamps:
            changed(stamp)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: Any) -> None:
        """After a form, with what hangs on the row."""
        super().save_related(request, form, formsets, change)
        self._tell()

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        """After a row of an editable list, too."""
        super().save_model(request, obj, form, change)
        self._tell()

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        super().delete_model(request, obj)
        self._tell()

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        super().delete_queryset(request, queryset)
        self._tell()
