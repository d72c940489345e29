"""The search field with scripts: a combobox by the keyboard alone, and the key that leads to it."""

from typing import Any

from tests.browser.test_pages import violations


def test_suggestions_are_walked_by_keyboard_and_the_slash_key_leads_to_them(
    stocked: dict[str, str], visit: Any
) -> None:
    visitor = visit(viewport={"width": 1280, "height": 900})
    page = visitor.page
    visitor.go("/")
    field, options = page.locator("#top-search"), page.get_by_role("option")

    page.keyboard.press("/")
    assert has_focus(field)
    page.keyboard.type("product")
    options.first.wait_for()
    assert states(field) == ["combobox", "list", "true", None]
    assert page.locator("header suggest-box [role=status]").inner_text() == "6 products"
    assert violations(page) == []
    walk(page, field=field, options=options)
    page.keyboard.press("Escape")
    assert (options.count(), field.input_value(), states(field)[2:]) == (0, "product", ["false", None])
    page.keyboard.type("-2")
    options.first.wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/listings/product-2")

    takes_the_name_alone(visitor)
    visitor.go("/search")
    page.get_by_role("button", name="Switch off the “/” search key").click()
    page.keyboard.press("/")
    assert not has_focus(page.locator("#top-search"))
    assert visitor.messages == []


def walk(page: Any, *, field: Any, options: Any) -> None:
    """Arrows mark one option after the other, all around, while the field keeps the focus."""
    for key, marked in (("ArrowDown", 0), ("ArrowDown", 1), ("ArrowUp", 0), ("ArrowUp", 6)):
        page.keyboard.press(key)
        chosen = [option.get_attribute("aria-selected") for option in options.all()]
        assert chosen == ["true" if number == marked else "false" for number in range(7)]
        assert field.get_attribute("aria-activedescendant") == options.nth(marked).get_attribute("id")
        assert has_focus(field)
    assert "All 9 results" in options.nth(6).inner_text()


def takes_the_name_alone(visitor: Any) -> None:
    """The fields of a comparison take the product's name; there a slash is a letter like any other."""
    visitor.go("/compare")
    field, options = visitor.page.get_by_label("First product"), visitor.page.get_by_role("option")
    field.press_sequentially("tide/")
    assert field.input_value() == "tide/"
    field.press("Backspace")
    options.first.wait_for()
    field.press("ArrowDown")
    field.press("Enter")
    assert (field.input_value(), options.count()) == ("Tidewell", 0)


def states(field: Any) -> list[str | None]:
    """What a combobox says of itself."""
    names = ("role", "aria-autocomplete", "aria-expanded", "aria-activedescendant")
    return [field.get_attribute(name) for name in names]


def has_focus(field: Any) -> bool:
    return bool(field.evaluate("node => node === document.activeElement"))
