"""The parts that read and write are found by the names that type checkers know them by."""

import ast
import inspect

import pytest

from drafts import machinery


def test_each_part_is_where_the_imports_for_type_checkers_say() -> None:
    imports = [
        (alias.name, node.module)
        for node in ast.walk(ast.parse(inspect.getsource(machinery)))
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("drafts.")
        for alias in node.names
    ]

    assert dict(imports) == machinery.PLACES
    assert [name for name in machinery.PLACES if getattr(machinery, name) is None] == []
    with pytest.raises(AttributeError):
        machinery.__getattr__("Printer")
