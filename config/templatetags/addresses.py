"""Addresses as pages show them and lead to them."""

from django import template
from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString

from core.api.links import on_site
from core.fetch import split_url

register = template.Library()


@register.filter
def breakable(address: str) -> SafeString:
    """A mail address that breaks before its @ first."""
    return format_html("{}<wbr>{}{}", *address.partition("@"))


@register.filter
def host(url: str) -> str:
    return (split_url(str(url)).hostname or str(url)).removeprefix("www.")


@register.filter
def short_url(url: str) -> str:
    parts = split_url(str(url))
    return (parts.netloc.removeprefix("www.") + parts.path.rstrip("/")) or str(url)


@register.filter
def handle(url: str) -> str:
    """Whose account an address of a network is, such as `@ada`; nothing where it names none."""
    name = split_url(str(url)).path.strip("/").partition("/")[0].removeprefix("@")
    return f"@{name}" if name else ""


@register.filter
def path_of(url: str) -> str:
    parts = split_url(str(url))
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


@register.filter
def own_path(url: str | None) -> str:
    """The path of an image that we serve ourselves, from its address or its path; pages show no other."""
    path = (url or "").removeprefix(on_site(""))
    return path if path.startswith(settings.MEDIA_URL) else ""


@register.filter
def own_srcset(srcset: str) -> str:
    """The same of the addresses of a picture's sizes, which we have made ourselves."""
    return srcset.replace(on_site(settings.MEDIA_URL), settings.MEDIA_URL)


@register.filter
def web_only(url: str | None) -> str:
    """An address of the web; anything else, such as javascript:, leads nowhere."""
    return str(url) if split_url(str(url)).scheme in {"http", "https"} else "#"
