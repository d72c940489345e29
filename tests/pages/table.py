"""The types of pages: where each is in the directory of `tests.pages.world`, and who may see it."""

from collections.abc import Mapping
from dataclasses import dataclass

ANYBODY, MAKER = "anybody", "maker"


@dataclass(frozen=True)
class Page:
    """One type of page. `address` holds names of `world.fill`; a search engine takes one that is `listed`."""

    name: str
    address: str
    reader: str = ANYBODY
    status: int = 200
    is_listed: bool = False

    def at(self, names: Mapping[str, str]) -> str:
        """Its address in a world."""
        return self.address.format_map(names)


def _public(**addresses: str) -> list[Page]:
    return [Page(name, address, is_listed=True) for name, address in addresses.items()]


def _unlisted(**addresses: str) -> list[Page]:
    return [Page(name, address) for name, address in addresses.items()]


def _own(**addresses: str) -> list[Page]:
    return [Page(name, address, MAKER) for name, address in addresses.items()]


PUBLIC = (
    *_public(
        home="/",
        week="/weeks/this",
        week_past="/weeks/{last_week}",
        week_coming="/weeks/{next_week}",
        listing="/listings/tidewell",
        listing_free="/listings/free",
        listing_coming="/listings/coming",
        sources="/listings/tidewell/sources",
        alternatives="/listings/tidewell/alternatives",
        badges="/listings/tidewell/badges",
        reviews="/listings/tidewell/reviews",
        questions="/listings/tidewell/questions",
        categories="/categories",
        category="/categories/invoicing",
        compare="/compare?a=tidewell&b=product-1",
        founders="/founders",
        founder="/founders/freja-holm",
        updates="/updates",
        answered="/questions",
        blog="/blog",
        post="/blog/hello",
        best="/best/{year}",
        best_category="/best/{year}/invoicing",
        best_reviewed="/best/reviewed",
        best_reviewed_category="/best/reviewed/invoicing",
        awards="/awards",
        award="/awards/{award}",
        award_verified="/awards/{award}/verify",
        certificate="/awards/{award}/certificate",
        cabinet="/listings/tidewell/trophies",
        hall_of_fame="/hall-of-fame",
        programmes="/programmes",
        programme="/programmes/best-of-autumn",
        board_week="/leaderboards/community-weekly",
        board_all_time="/leaderboards/community-all-time",
        board_rating="/leaderboards/domain-rating",
        board_revenue="/leaderboards/revenue",
        billboard="/leaderboards/billboard",
        docs="/docs",
        docs_errors="/docs/errors",
        docs_operation="/docs/operations/update_draft",
        docs_mcp="/docs/mcp",
        docs_mcp_tool="/docs/mcp/update_draft",
        docs_changes="/docs/changes",
        docs_start="/docs/start",
        docs_events="/docs/events",
        docs_votes="/docs/votes",
        open_data="/data",
        crawler="/crawler",
        how_ranking_works="/how-ranking-works",
        how_reviews_work="/how-reviews-work",
        how_a_launch_works="/how-a-launch-works",
        how_drafts_are_written="/how-drafts-are-written",
        status="/status",
        privacy="/privacy",
        terms="/terms",
        contact="/contact",
        submit="/submit",
    ),
    *_unlisted(
        search="/search",
        search_found="/search?q=product",
        search_narrowed="/search?q=product&country=DK&pricing_model=free",
        search_none="/search?q=nothingfits",
        sources_narrowed="/listings/tidewell/sources?show=website",
        founders_found="/founders?q=frea",
        compare_choose="/compare",
        compare_half="/compare?a=tidewell",
        report="/listings/tidewell/report",
        report_review="/listings/tidewell/report?review={review}",
        claim_visitor="/listings/product-1/claim",
        sign_in="/accounts/login/",
        sign_up="/accounts/signup/",
        sign_in_code="/accounts/login/code/",
        password_forgotten="/accounts/password/reset/",
        stop_mail="/mail/stop/{stop}",
        stop_winners="/mail/stop/winners/{reader}",
        confirm_winners="/winners/confirm/{reader}",
        stop_mail_of_products="/mail/stop/products/{stop_products}",
        winners="/winners",
        invite="/invites/{invite}",
        confirm_claim="/claims/confirm/{confirm}",
        checkout="{checkout}",
    ),
    Page("compare_unclear", "/compare?a=product&b=tidewell", status=400),
    Page("not_there", "/nothing-here", status=404),
    Page("gone", "/listings/gone", status=410),
)
OWN = tuple(
    _own(
        home_known="/",
        listing_own="/listings/tidewell",
        listing_voted="/listings/product-2",
        vote="/listings/product-3/vote",
        preview_saved="/listings/saved",
        claim="/listings/product-1/claim?way=dns",
        account="/account",
        keys="/account/keys",
        key_revoke="/account/keys/{key}/revoke",
        webhooks="/account/webhooks",
        webhook="/account/webhooks/{webhook}",
        webhook_delete="/account/webhooks/{webhook}/delete",
        apps="/account/apps",
        app_disconnect="/account/apps/{app}/disconnect",
        consent="{consent}",
        review_write="/listings/product-1/reviews/write",
        review_own="/listings/tidewell/reviews/write",
        written="/account/reviews",
        mail="/account/mail",
        votes="/account/votes",
        data="/account/data",
        erase="/account/data/erase",
        drafts="/account/drafts",
        draft="/drafts/{draft}",
        draft_preview="/drafts/{draft}/preview",
        draft_delete="/drafts/{draft}/delete",
        draft_failed="/drafts/{failed}",
        draft_reading="/drafts/{reading}",
        listings="/account/listings",
        listing_waiting="/account/listings/{waiting}",
        listing_saved="/account/listings/{saved}",
        listing_live="/account/listings/{live}",
        room_before="/account/listings/{waiting}/launch",
        room_live="/account/listings/{live}/launch",
        room_after="/account/listings/{ended}/launch",
        edit="/account/listings/{live}/edit",
        news="/account/listings/{live}/updates",
        news_edit="/account/listings/{live}/updates/{update}",
        listing_reviews="/account/listings/{live}/reviews",
        versions="/account/listings/{waiting}/versions",
        off_site="/account/listings/{live}/off",
        buy="/account/listings/{saved}/buy",
        buy_featured="/account/listings/{live}/buy/featured",
        profile="/account/profile",
        photo="/account/photo",
        interview="/account/interview",
        claims="/account/claims",
        orders="/account/orders",
        order="/account/orders/{order}",
        order_paid="/account/orders/{paid}",
        invoice="/account/orders/{paid}/invoices/{invoice}",
        password="/accounts/password/change/",
        confirm_again="/accounts/reauthenticate/code/",
        email="/accounts/email/",
        second_factor="/accounts/2fa/",
        second_factor_app="/accounts/2fa/totp/activate/",
        sign_out="/accounts/logout/",
    )
)
PAGES = (*PUBLIC, *OWN)
LISTED = tuple(page for page in PUBLIC if page.is_listed)
