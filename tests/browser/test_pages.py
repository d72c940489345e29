"""What can only be seen in a browser: accessibility, the policy, small screens, weight."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from accounts.models import User
from tests.browser.conftest import picture
from tests.pages.long import lengthen
from tests.pages.table import MAKER, PAGES

AXE = (Path(__file__).parents[1] / "vendor" / "axe-4.14.1.min.js").read_text()
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
STATIC = Path(__file__).resolve().parents[2] / "config" / "static"
SPACING = (
    "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }"
)
LOOKS = {1280: "light", 375: "dark"}
LAYOUT = (Path(__file__).parent / "layout.js").read_text()
WIDTHS = (1280, 768, 414, 375, 320)
LAID_OUT = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"]
# A page in its second look has the same elements: what is measured is measured again, all else of those that just
# appeared. Without the rule that only ever asks a person to look
RUN = """async ([rules, again]) => {
  const visible = [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility());
  const fresh = visible.filter((one) => !window.looked?.has(one));
  window.looked = new Set(visible);
  const options = {rules: {"hidden-content": {enabled: false}}, resultTypes: ["violations"]};
  const run = async (on, runOnly) => (await axe.run(on, {...options, runOnly})).violations;
  if (!again) return run(document, rules);
  return [...(await run(document, again)), ...(fresh.length ? await run({include: fresh}, rules) : [])];
}"""


def axe(page: Any, run: str, *more: Any) -> Any:
    """What a run of axe gives on this page."""
    if not page.evaluate("'axe' in window"):
        page.context.add_init_script(AXE)  # what comes next finds it there, which a browser compiles once
        page.evaluate(AXE)
    return page.evaluate(run, *more)


def violations(page: Any, again: list[str] | None = None) -> list[str]:
    """What axe finds, one line each; `again` names the rules for what a look before has seen."""
    found = axe(page, RUN, [RULES, again])
    return [f"{rule['id']}: {node['html'][:160]}" for rule in found for node in rule["nodes"]]


@pytest.mark.minutes
def test_every_page_is_accessible_whole_at_every_width_and_keeps_to_the_policy(
    stocked: dict[str, str], visit: Any, ines: User
) -> None:
    """Loaded once each, with the longest names there are; a new address must be in the table of pages."""
    lengthen()
    # or colours would still be on their way from one theme to the other
    anybody, somebody = (visit(reduced_motion="reduce") for _ in range(2))
    somebody.sign_in(ines)
    found = {}
    for page in PAGES:
        visitor = somebody if page.reader == MAKER else anybody
        status = visitor.go(page.at(stocked)).status
        problems = [*broken(visitor.page, page.name), *too_wide_when_spaced(visitor.page)]
        if problems or status != page.status:
            found[page.name] = [status, *problems]

    assert found == {}, json.dumps(found, indent=1)
    harmless = "the server responded with a status of 4"  # which the table of pages says
    assert [text for text in anybody.messages + somebody.messages if harmless not in text] == []
    assert anybody.foreign + somebody.foreign == []


def broken(page: Any, name: str = "") -> list[str]:
    """Crushed columns, clipped labels, overlaps, sideways scrolling and dots that begin a line, at each width.

    With a name what axe finds as well, in both themes, on a desk and a phone, and a picture of each for a person.
    """
    found = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        if name and (theme := LOOKS.get(width)):
            page.emulate_media(color_scheme=theme)
            picture(page, f"{name}-{theme}-{width}")
            again = LAID_OUT if width != WIDTHS[0] else None
            found += [f"{theme}: {problem}" for problem in violations(page, again)]
        found += [f"{width}: {fault}" for fault in page.evaluate(LAYOUT)]
    return found


def too_wide_when_spaced(page: Any) -> list[str]:
    """Whether it scrolls sideways at 320 px with the text spaced out."""
    page.evaluate(SPACED, SPACING)
    spaced = page.evaluate("document.documentElement.scrollWidth")
    return [f"{spaced} px spaced"] if spaced > 320 else []


SPACED = """(text) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets = [sheet];
}"""


def test_home_stays_within_its_budget(stocked: dict[str, Any], visit: Any) -> None:
    visitor = visit(viewport={"width": 1280, "height": 900})
    sizes: list[int] = []
    visitor.page.on(
        "response", lambda answer: sizes.append(len(answer.body()) if answer.status == 200 else 0)
    )
    visitor.page.add_init_script(SHIFTS)
    visitor.go("/")
    visitor.page.wait_for_load_state("networkidle")

    assert len(sizes) <= 30
    assert sum(sizes) <= 150_000
    assert visitor.page.evaluate("window.shifts") < 0.02


SHIFTS = """window.shifts = 0;
new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shifts += entry.value; })
  .observe({type: 'layout-shift', buffered: true});"""


def test_sheets_scripts_and_font_stay_within_their_budget() -> None:
    sheets = {path.stem: path.read_bytes() for path in sorted((STATIC / "css").glob("*.css"))}
    shared = b"".join(sheets.pop(name) for name in ("tokens", "base", "layout", "components", "pages"))
    script = (STATIC / "site.js").read_bytes()

    for own in sheets.values():  # a page has at most one sheet of its own
        assert len(gzip.compress(shared + own, 9)) <= 10 * 1024
    assert len(gzip.compress(script, 9)) <= 20 * 1024
    sizes = {path.stem: path.stat().st_size for path in (STATIC / "fonts").glob("*.woff2")}
    assert sizes["geist-latin"] <= 30 * 1024
    assert sizes.pop("geist-latin-ext") <= 17 * 1024  # for names that have such a letter
    assert [*sizes] == ["geist-latin"]


def test_the_keyboard_finds_its_way_and_colours_may_be_forced(
    stocked: dict[str, Any], visit: Any, ines: User
) -> None:
    visitor = visit(forced_colors="active", reduced_motion="reduce")
    visitor.sign_in(ines)
    visitor.go("/weeks/this")
    visitor.page.keyboard.press("Tab")
    focused = visitor.page.evaluate(
        "[document.activeElement.textContent, getComputedStyle(document.activeElement).outlineWidth]"
    )
    assert focused == ["Skip to content", "3px"]

    visitor.page.locator("form[action$='/product-1/vote'] button").click()
    pressed = visitor.page.locator("form[action$='/product-1/vote'] button[aria-pressed=true]")
    pressed.wait_for()
    visitor.page.mouse.click(5, 5)
    assert pressed.evaluate("node => getComputedStyle(node).outlineStyle") == "solid"
    visitor.go("/leaderboards/billboard")
    label = visitor.page.locator("h1 .paid")
    assert label.evaluate("node => getComputedStyle(node).borderTopWidth") == "1px"


def test_vote_and_tabs_of_a_listing_stay_in_view_and_cover_nothing(
    stocked: dict[str, Any], visit: Any
) -> None:
    visitor = visit(viewport={"width": 1280, "height": 800})
    for width, height, stays in ((1280, 800, True), (390, 844, True), (844, 390, False)):
        visitor.page.set_viewport_size({"width": width, "height": height})
        visitor.go("/listings/tidewell#alternatives")
        tops = visitor.page.evaluate(TOPS)

        assert all(0 <= top < 60 for top in tops["bar"]) is stays, (width, tops)
        assert max(tops["bottom"], 0) <= tops["target"] <= tops["low"], (width, tops)
        assert tops["ground"] is stays, (width, tops)  # or words slide through below them


TOPS = """() => {
  const box = (name) => document.querySelector(name).getBoundingClientRect();
  const [vote, tabs, bar] = [box(".actions .vote"), box(".tabs"), box(".actions")];
  const isBelow = innerWidth < 992;  // under a thumb, at the lower edge of the window
  const ground = [".actions", ".stuck"].every(
    (name) => getComputedStyle(document.querySelector(name)).backgroundColor != "rgba(0, 0, 0, 0)"
  );
  return {
    bar: [isBelow ? innerHeight - vote.bottom : vote.top, tabs.top], ground, target: box("#alternatives").top,
    bottom: isBelow ? tabs.bottom : Math.max(vote.bottom, tabs.bottom),
    low: isBelow && bar.top > 0 ? bar.top : innerHeight,
  };
}"""


def test_a_certificate_prints_on_one_sheet(stocked: dict[str, Any], visit: Any) -> None:
    visitor = visit()
    for finish in ("paper", "oak", "steel"):
        visitor.go(f"/awards/{stocked['award']}/certificate?finish={finish}")

        sheets = visitor.page.pdf(prefer_css_page_size=True, print_background=True)
        assert re.findall(rb"/Type ?/Page\b(?!s)", sheets) == [b"/Type /Page"], finish
