"""What the sites of this installation are called, which the area above knows."""

from collections.abc import Callable

from django.conf import settings

from core.parts import Several

tells_site_names = Several[Callable[[], list[str]]]()


def site_names() -> set[str]:
    return {settings.SITE_NAME, *(name for names in tells_site_names for name in names())}
