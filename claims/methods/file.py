"""A text file with one line at a fixed address, or else at the root."""

import time
from dataclasses import replace

from claims import limits
from claims.methods.base import CheckResult, Instructions, Target
from claims.methods.website import HTML, OnWebsite, get_page
from core.api.serializers import Shape, Str, Url

FILE_PATH = "/.well-known/plverify.txt"
ROOT_PATH = "/plverify.txt"


class ClaimWebsiteFileOut(Shape):
    """A file to publish."""

    url = Url("Where the file must be.")
    path = Str("Its path on the website.")
    content = Str("The file's one line.")


class WebsiteFile(OnWebsite):
    """Shows a whole host to be yours, so it is closed where many share one."""

    code, position = "file", 30
    label, noun, icon = "file", "a file on its website", "file"
    hint = "You can put a file on the web server."
    summary = "a text file"
    answer, shape = "file", ClaimWebsiteFileOut

    def publish(self, target: Target) -> Instructions:
        url = target.reach.origin + FILE_PATH
        return Instructions(
            summary=f"Put a plain text file with the one line {target.line} at {url}. "
            "Leave it there: we look again from time to time.",
            values={"url": url, "path": FILE_PATH, "content": target.line},
            lines={"Address": url, "Content": target.line},
        )

    def find_proof(self, target: Target, *, seconds: float) -> CheckResult:
        ends = time.monotonic() + seconds
        first = _check_at(target, FILE_PATH, seconds=seconds)
        left = ends - time.monotonic()
        if first.result not in {"not_found", "mismatch"} or left < 0.1:
            return first
        second = _check_at(target, ROOT_PATH, seconds=left)
        return replace(second if second.is_proof else first, raw=f"{first.raw}\n{second.raw}")


def _check_at(target: Target, path: str, *, seconds: float) -> CheckResult:
    page = get_page(target, target.reach.origin + path, seconds=seconds, max_bytes=limits.FILE_BYTES + 1)
    if isinstance(page, CheckResult):
        return page
    text = page.body.decode("utf-8", "replace").removeprefix("\ufeff").strip()
    raw = f"{page.status} {page.content_type[:80]} {page.url}\n{text[:500]}"
    if text in {target.line, target.token} and len(page.body) <= limits.FILE_BYTES:
        return CheckResult(result="found", detail=f"The file is at {page.url}.", texts=(text,), raw=raw)
    is_page = page.content_type in HTML or text[:200].lstrip().startswith("<")
    detail = (
        f"{page.url} is a web page, not the file."
        if is_page
        else f"The file at {page.url} says something else."
    )
    return CheckResult(result="mismatch", detail=detail, texts=(text,), raw=raw)
