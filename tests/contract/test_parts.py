"""Parts of one kind: each a file of one folder. Nobody else knows one by its code, and none knows another."""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from claims.methods import Method
from core.parts import load
from leaderboards.boards import Board
from orders.payments import Provider
from orders.products import Product

ROOT = Path(__file__).parents[2]
AREAS = ("config", "core", "accounts", "directory", "leaderboards", "drafts", "claims", "orders")


@dataclass(frozen=True)
class Folder:
    """A folder of parts, and where a word of its codes can mean nothing else.

    Where parts are named by everyday words, one of a single word tells only where it stands together with others, or
    is compared with the part's `noun` or given as it.
    """

    name: str
    kind: type[Any]
    area: str
    noun: str = "code"
    is_everyday: bool = False

    @property
    def path(self) -> Path:
        return ROOT.joinpath(*self.name.split("."))

    @cached_property
    def parts(self) -> dict[str, type[Any]]:
        return load(self.name, self.kind)


FOLDERS = [
    Folder("orders.products", Product, "orders"),
    Folder("orders.payments", Provider, "orders"),
    Folder("claims.methods", Method, "claims", noun="method", is_everyday=True),
    Folder("leaderboards.boards", Board, "leaderboards", noun="board", is_everyday=True),
]
each_folder = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


def sources(folder: Folder) -> Iterator[tuple[Path, bool]]:
    """Modules and templates outside the folder, with whether they are the area's own."""
    for area in AREAS:
        for path in sorted((ROOT / area).rglob("*")):
            is_code = path.suffix in {".py", ".html", ".txt"} and path.is_file()
            if is_code and "migrations" not in path.parts and folder.path not in path.parents:
                yield path, area == folder.area


@dataclass(frozen=True)
class Texts:
    """The texts of a module or template: each for itself, those of a list together, and with what one is compared."""

    all: frozenset[str]
    lists: tuple[frozenset[str], ...] = ()
    compared: tuple[tuple[str, str], ...] = ()


@cache
def texts_of(path: Path) -> Texts:
    """Of a template, what its tags hold."""
    text = path.read_text()
    if path.suffix == ".py":
        return _texts_of_module(ast.parse(text))
    tags = " ".join(re.findall(r"{[{%].*?[%}]}", text, re.DOTALL))
    compared = re.findall(r"(\w+)(?:\.code)? *[=!]= *[\"']([^\"']*)[\"']", tags)
    single = re.findall(r"\"([^\"]*)\"|'([^']*)'", tags)
    return Texts(frozenset(first or second for first, second in single), compared=tuple(compared))


def _texts_of_module(tree: ast.Module) -> Texts:
    single: set[str] = set()
    lists: list[frozenset[str]] = []
    compared: list[tuple[str, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            single.add(node.value)
        elif isinstance(node, ast.List | ast.Tuple | ast.Set):
            lists.append(_constants(node.elts))
        elif isinstance(node, ast.Dict):
            lists.append(_constants(node.keys))
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            names = [getattr(side, "attr", getattr(side, "id", "")) for side in sides]
            compared += [(name, text) for name in names if name for text in _constants(sides)]
        elif isinstance(node, ast.keyword) and node.arg:
            compared += [(node.arg, text) for text in _constants([node.value])]
    return Texts(frozenset(single), tuple(found for found in lists if len(found) > 1), tuple(compared))


def _constants(nodes: Iterable[Any]) -> frozenset[str]:
    return frozenset(
        node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def codes_in(path: Path, *, is_own: bool, folder: Folder) -> list[str]:
    """The codes of a folder's parts that a file writes."""
    texts, codes = texts_of(path), set(folder.parts)
    composed = {code for code in codes if "_" in code or "-" in code}
    # elsewhere, and where parts have everyday names, words that mean nothing else
    written = texts.all & (codes if is_own and not folder.is_everyday else composed)
    together = {code for row in texts.lists if len(row & codes) > 1 for code in row & codes}
    compared = {text for name, text in texts.compared if name == folder.noun} & codes
    return sorted(written | together | compared)


@each_folder
def test_nobody_else_writes_the_code_of_a_part(folder: Folder) -> None:
    written = {
        str(path.relative_to(ROOT)): codes_in(path, is_own=is_own, folder=folder)
        for path, is_own in sources(folder)
    }

    assert {path: codes for path, codes in written.items() if codes} == {}


@each_folder
def test_no_part_imports_another(folder: Folder) -> None:
    homes = {part.__module__ for part in folder.parts.values()}
    imported = {
        home: node.module
        for home in homes
        for node in ast.walk(ast.parse(Path(import_module(home).__file__ or "").read_text()))
        if isinstance(node, ast.ImportFrom) and node.module in homes - {home}
    }

    assert (len(homes), imported) == (len(folder.parts), {})


def test_every_product_does_something() -> None:
    products = load("orders.products", Product)

    idle = [code for code, product in products.items() if product.do is Product.do and not product.parts]
    assert idle == []
    assert [
        code for code, product in products.items() for part in product.parts if part not in products
    ] == []


def test_two_parts_with_one_code_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Twin(Product):
        code = "launch"

    monkeypatch.setattr("orders.products.skip_queue.Twin", Twin, raising=False)

    with pytest.raises(ValueError, match="another part has the code launch"):
        load("orders.products", Product)
