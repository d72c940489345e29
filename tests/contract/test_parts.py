"""Parts of one kind: each a file of one folder. Nobody else knows one by its code, and none knows another."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from core.parts import load
from orders.payments import Provider
from orders.products import Product

ROOT = Path(__file__).parents[2]
AREAS = ("config", "core", "accounts", "directory", "leaderboards", "drafts", "claims", "orders")


@dataclass(frozen=True)
class Folder:
    """A folder of parts, and where a word of its codes can mean nothing else."""

    name: str
    kind: type[Any]
    area: str

    @property
    def path(self) -> Path:
        return ROOT.joinpath(*self.name.split("."))

    @property
    def parts(self) -> dict[str, type[Any]]:
        return load(self.name, self.kind)


FOLDERS = [Folder("orders.products", Product, "orders"), Folder("orders.payments", Provider, "orders")]
each_folder = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


def sources(folder: Folder) -> Iterator[tuple[Path, bool]]:
    """Modules and templates outside the folder, with whether they are the area's own."""
    for area in AREAS:
        for path in sorted((ROOT / area).rglob("*")):
            is_code = path.suffix in {".py", ".html", ".txt"} and path.is_file()
            if is_code and "migrations" not in path.parts and folder.path not in path.parents:
                yield path, area == folder.area


def words(path: Path) -> set[str]:
    """The texts of a module that are a code and nothing else; of a template what its tags compare."""
    text = path.read_text()
    if path.suffix == ".py":
        constants = (node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant))
        return {value for value in constants if isinstance(value, str)}
    tags = " ".join(re.findall(r"{[{%].*?[%}]}", text, re.DOTALL))
    return {first or second for first, second in re.findall(r"\"([^\"]*)\"|'([^']*)'", tags)}


@each_folder
def test_nobody_else_writes_the_code_of_a_part(folder: Folder) -> None:
    codes = set(folder.parts)
    telling = {code for code in codes if "_" in code}  # words that mean nothing else anywhere

    written = {
        str(path.relative_to(ROOT)): sorted(words(path) & (codes if is_own else telling))
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
