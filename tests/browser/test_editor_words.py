"""Tags as chips, and the buttons that write Markdown, in the editor."""

from typing import Any

import pytest
from playwright.sync_api import expect

from accounts.models import User
from drafts.models import DraftField
from tests.browser.test_editor import opened, saved, show
from tests.browser.test_pages import broken, violations


@pytest.fixture
def tags(stocked: dict[str, str]) -> DraftField:
    row = DraftField.objects.get(draft=stocked["draft"], group="fields", name="tags")
    DraftField.objects.filter(pk=row.pk).update(value=["rotas", "cafés"], state="manual")
    return row


def test_tags_are_chips_that_a_press_removes_and_without_scripts_lines(
    visit: Any, ines: User, stocked: dict[str, str], tags: DraftField
) -> None:
    window = opened(visit, ines, f"/drafts/{stocked['draft']}", way=(390, True))
    field = show(window, "Overview").locator("#field-tags")
    entry = field.get_by_role("textbox", name="Tags")
    entry.fill("payroll")
    entry.press("Enter")
    field.get_by_role("button", name="Remove: rotas").click()
    expect(entry).to_be_focused()
    entry.fill("shifts, cafés")  # two, of which one is there
    assert [*violations(window.page), *broken(window.page)] == []
    entry.fill("left as it is")
    saved(window, way=(390, True))

    after = ["cafés", "payroll", "shifts", "left as it is"]
    assert DraftField.objects.get(pk=tags.pk).value == after
    expect(field.get_by_role("button", name="Remove: ")).to_have_count(4)
    entry.press("Backspace")
    expect(field.get_by_role("button", name="Remove: ")).to_have_count(3)

    without = opened(visit, ines, f"/drafts/{stocked['draft']}", way=(390, False))
    lines = show(without, "Overview").get_by_role("textbox", name="Tags").input_value()
    assert lines.splitlines()[:3] == after[:3]
    assert window.messages == []


def test_a_word_that_is_no_chip_yet_is_not_called_saved_and_pasted_lines_are_chips(
    visit: Any, ines: User, stocked: dict[str, str], tags: DraftField
) -> None:
    window = opened(visit, ines, f"/drafts/{stocked['draft']}", way=(1280, True))
    field = show(window, "Overview").locator("#field-tags")
    entry = field.get_by_role("textbox", name="Tags")
    leaves = "() => dispatchEvent(new Event('beforeunload', { cancelable: true }))"
    field.get_by_role("button", name="Remove: rotas").click()
    entry.press_sequentially("payr")
    window.page.locator("#editor-saved").get_by_role("button", name="Undo").wait_for()
    assert window.page.evaluate(leaves) is False
    entry.evaluate(
        """(entry) => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text", "crm\\r\\nsales\\n");
            entry.dispatchEvent(new ClipboardEvent("paste", { clipboardData, cancelable: true }));
        }"""
    )
    expect(field.get_by_role("button", name="Remove: ")).to_have_count(3)
    expect(field.get_by_role("button", name="Remove: payrcrm")).to_be_visible()


def test_buttons_above_a_description_write_markdown_and_arrows_lead_along_them(
    visit: Any, ines: User, stocked: dict[str, str]
) -> None:
    window = opened(visit, ines, f"/drafts/{stocked['draft']}", way=(1280, True))
    overview = show(window, "Overview")
    text = overview.get_by_role("textbox", name="Description", exact=True)
    press = overview.get_by_role("toolbar", name="Formatting").get_by_role("button")
    text.fill("Rotas\nfor cafés")
    for chosen, name, result in (
        ((0, 5), "Bold", "**Rotas**\nfor cafés"),
        ((2, 12), "List", "- **Rotas**\n- for cafés"),
        ((18, 23), "Link", "- **Rotas**\n- for [cafés](https://)"),
        ((0, 0), "Heading", "## - **Rotas**\n- for [cafés](https://)"),
    ):
        text.evaluate("(text, chosen) => text.setSelectionRange(...chosen)", chosen)
        press.and_(window.page.get_by_role("button", name=name)).click()
        expect(text).to_have_value(result)
        expect(text).to_be_focused()
    press.first.focus()
    window.page.keyboard.press("ArrowLeft")
    expect(press.last).to_be_focused()
    saved(window, way=(1280, True))
    row = DraftField.objects.get(draft=stocked["draft"], group="fields", name="description")
    assert row.value == "## - **Rotas**\n- for [cafés](https://)"
    assert window.messages == []

    without = opened(visit, ines, f"/drafts/{stocked['draft']}", way=(390, False))
    assert without.page.get_by_role("toolbar").count() == 0
