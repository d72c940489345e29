"""A page as browsers and search engines take it apart, by lxml's parser of HTML."""

import json
from functools import cached_property
from typing import Any

from django.test import Client
from lxml import html

LOADED = (
    "//script/@src",
    "//img/@src",
    "//iframe/@src",
    "//link[not(@rel='canonical' or @rel='alternate')]/@href",
)
JSON_LD = "application/ld+json"


class Read:
    """A page that was read: what it loads, names, states and shows."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.root = html.document_fromstring(text.encode(), parser=html.HTMLParser(encoding="utf-8"))

    def all(self, path: str) -> list[Any]:
        """What an XPath finds."""
        found: list[Any] = self.root.xpath(path)
        return found

    @property
    def canonical(self) -> list[str]:
        return self.all("//link[@rel='canonical']/@href")

    @property
    def loaded(self) -> list[str]:
        """The addresses that a browser asks for when it shows the page; icons share one file."""
        sprites = {address.partition("#")[0] for address in self.all("//*[local-name()='use']/@href")}
        return [address for path in LOADED for address in self.all(path)] + sorted(sprites)

    @property
    def links(self) -> list[str]:
        return self.all("//a/@href")

    @cached_property
    def data(self) -> list[Any]:
        """The structured data, as extruct takes them: each block by itself, strictly."""
        return [json.loads(block.text, strict=True) for block in self.all(f"//script[@type='{JSON_LD}']")]

    @cached_property
    def words(self) -> str:
        """Everything that somebody can read on it."""
        shown = "//body//text()[not(ancestor::script or ancestor::style or ancestor::template)]"
        return " ".join("".join(f" {text}" for text in self.all(shown)).split())

    @property
    def running(self) -> list[str]:
        """What would run as a script or lead to one: nothing of it is ours, whose scripts are files."""
        handlers = self.all("//*[@*[starts-with(name(), 'on')]]")
        foreign = self.all(f"//script[not(@src) and not(@type='{JSON_LD}')] | //*[@srcdoc]")
        leading = [
            address
            for address in self.all("//@href | //@src | //@action | //@formaction | //@data")
            if "".join(str(address).split()).lower().startswith(("javascript:", "data:", "vbscript:"))
        ]
        return [*(html.tostring(found)[:160].decode() for found in (*handlers, *foreign)), *leading]


def read(client: Client, address: str, *, status: int = 200) -> Read:
    """A page that answered with this status."""
    answer = client.get(address)
    assert answer.status_code == status, (address, answer.status_code, answer.content[:300])
    return Read(answer.content.decode())
