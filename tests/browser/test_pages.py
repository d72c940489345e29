"""What can only be seen in a browser: accessibility, the policy, small screens, weight."""

import gzip
import json
from pathlib import Path
from typing import Any

from accounts.models import User
from tests.browser.conftest import SCREENS

AXE = (Path(__file__).parents[1] / "vendor" / "axe-4.14.1.min.js").read_text()
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
STATIC = Path(__file__).resolve().parents[2] / "config" / "static"
SPACING = (
    "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }"
)
PUBLIC = [
    "/",
    "/weeks/this",
    "/listings/tidewell",
    "/listings/tidewell/sources",
    "/listings/tidewell/alternatives",
    "/listings/tidewell/badges",
    "/categories",
    "/categories/invoicing",
    "/search?q=product",
    "/search?q=nothingfits",
    "/compare?a=tidewell&b=product-1",
    "/founders",
    "/founders/freja-holm",
    "/blog",
    "/blog/hello",
    "/awards",
    "/leaderboards/community-all-time",
    "/leaderboards/billboard",
    "/leaderboards/revenue",
    "/docs",
    "/docs/errors",
    "/docs/operations/update_draft",
    "/docs/changes",
    "/crawler",
    "/how-ranking-works",
    "/accounts/login/",
    "/accounts/signup/",
    "/submit",
    "/nothing-here",
]
MAIN = [
    "/",
    "/weeks/this",
    "/listings/tidewell",
    "/listings/tidewell/badges",
    "/categories",
    "/search?q=product",
    "/compare?a=tidewell&b=product-1",
    "/founders/freja-holm",
    "/blog/hello",
    "/leaderboards/billboard",
    "/docs",
    "/accounts/login/",
    "/submit",
    "/nothing-here",
]
SIGNED_IN = [
    "/",
    "/listings/tidewell",
    "/account",
    "/account/keys",
    "/account/mail",
    "/account/data",
    "/account/data/erase",
    "/account/drafts",
    "/account/listings",
    "/accounts/password/change/",
]


OWN_PARTS = ("edit", "updates", "milestones", "story", "versions")


def addresses(stocked: dict[str, Any]) -> list[str]:
    """The pages of a person who is signed in."""
    own = [f"{stocked['own']}/{part}" for part in OWN_PARTS]
    return [*SIGNED_IN, stocked["draft"], stocked["own"], *own, "/account/interview"]


def violations(page: Any) -> list[str]:
    """What axe finds, one line each."""
    page.evaluate(AXE)
    run = (
        "async (rules) => (await axe.run(document, {runOnly: rules, resultTypes: ['violations']})).violations"
    )
    return [
        f"{found['id']}: {node['html'][:160]}"
        for found in page.evaluate(run, RULES)
        for node in found["nodes"]
    ]


def test_no_page_has_an_accessibility_violation_in_either_theme(
    stocked: dict[str, Any], visit: Any, ines: User
) -> None:
    found: dict[str, list[str]] = {}
    for theme, width, public in (("light", 1280, PUBLIC), ("dark", 390, MAIN)):
        anybody = visit(color_scheme=theme, viewport={"width": width, "height": 900})
        somebody = visit(color_scheme=theme, viewport={"width": width, "height": 900})
        somebody.sign_in(ines)
        for visitor, paths in ((anybody, public), (somebody, addresses(stocked))):
            for path in paths:
                visitor.go(path)
                if problems := violations(visitor.page):
                    found[f"{path} {theme}"] = problems

    assert found == {}, json.dumps(found, indent=1)


def test_every_page_fits_a_small_screen_and_keeps_to_the_policy(
    stocked: dict[str, Any], visit: Any, ines: User
) -> None:
    anybody = visit(viewport={"width": 320, "height": 640})
    somebody = visit(viewport={"width": 320, "height": 640})
    somebody.sign_in(ines)
    wide, statuses = [], {}
    for visitor, paths in ((anybody, PUBLIC), (somebody, addresses(stocked))):
        for path in paths:
            statuses[path] = visitor.go(path).status
            plain = visitor.page.evaluate("document.documentElement.scrollWidth")
            visitor.page.evaluate(SPACED, SPACING)
            spaced = visitor.page.evaluate("document.documentElement.scrollWidth")
            if max(plain, spaced) > 320:
                wide.append((path, plain, spaced))

    assert wide == []
    assert {path: status for path, status in statuses.items() if status != 200} == {"/nothing-here": 404}
    harmless = "the server responded with a status of 404"
    assert [text for text in anybody.messages + somebody.messages if harmless not in text] == []
    assert anybody.foreign + somebody.foreign == []


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
    assert (STATIC / "fonts" / "geist-latin.woff2").stat().st_size <= 30 * 1024


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


def test_pictures_of_every_page_are_kept_for_a_person_to_look_at(
    stocked: dict[str, Any], visit: Any, ines: User
) -> None:
    SCREENS.mkdir(parents=True, exist_ok=True)
    for theme, width in (("light", 1280), ("dark", 390)):
        visitor = visit(color_scheme=theme, viewport={"width": width, "height": 900})
        visitor.sign_in(ines)
        for path in ["/", "/listings/tidewell", "/weeks/this", stocked["draft"], "/account/keys"]:
            visitor.go(path)
            name = path.strip("/").split("/")[0] or "home"
            target = SCREENS / f"{name}-{theme}-{width}.png"
            visitor.page.screenshot(path=target, full_page=True)
            assert target.stat().st_size > 10_000
