"""Names and words that are hard on a page: of 64 letters, from right to left, without spaces, in one long piece."""

from datetime import date

from django.db.models import Model
from django.utils import timezone

from directory.models import BlogPost, Category, Founder, Listing, ListingFounder, ListingUpdate, Milestone
from directory.search import public_data
from leaderboards.models import RevenueReport

ENDLESS = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbe"  # 64 letters
ARABIC = "منصة إدارة المخزون والفواتير للمتاجر الصغيرة في المدن البعيدة"
JAPANESE = "小規模な店舗のための在庫と請求書を一つにまとめて管理する道具"
GERMAN = "Rechtsschutzversicherungsgesellschaften vergleichen, Grundstücksverkehrsgenehmigung beantragen"
NAMES = {
    "tidewell": ENDLESS,
    "product-0": ENDLESS,
    "product-1": ARABIC,
    "product-2": JAPANESE,
    "product-3": GERMAN,
    "coming": ENDLESS,
    "past": ENDLESS,
    "waiting": ENDLESS,
    "saved": GERMAN,
    "free": ARABIC,
}


def lengthen() -> None:
    """Give what the directory of `world.fill` holds the names that break pages."""
    for slug, name in NAMES.items():
        rows = Listing.objects.filter(slug=slug)
        rows.update(name=name, tagline=f"{name} is a product", short_description=f"{name}. {GERMAN}.")
    Listing.objects.filter(slug="tidewell").update(
        description=f"{ENDLESS}\n\n{ARABIC}\n\n- {JAPANESE}\n- {GERMAN}",
        features=[ENDLESS, ARABIC, JAPANESE, GERMAN],
        pricing_summary=GERMAN,
        city="Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch",
        contact_email=f"{ENDLESS.lower()}@tidewell.example",
        faqs=[{"question": ENDLESS, "answer": ARABIC}, {"question": JAPANESE, "answer": GERMAN}],
    )
    Category.objects.filter(slug="invoicing").update(name="Grundstücksverkehrsgenehmigungen und Rechnungen")
    _set(Founder, name=ENDLESS, title=GERMAN)
    _set(ListingFounder, title=GERMAN)
    _set(ListingUpdate, title=ENDLESS, body=JAPANESE)
    _set(Milestone, title=ENDLESS, description=ARABIC)
    _set(BlogPost, title=ENDLESS, excerpt=GERMAN)
    RevenueReport.objects.create(
        listing=Listing.objects.get(slug="tidewell"),
        amount_cents=185000,
        is_verified=True,
        method="payment provider, read access",
        as_of=date(2026, 10, 31),
        entered_at=timezone.now(),
    )
    public_data.refresh(listing_ids=list(Listing.objects.values_list("pk", flat=True)))


def _set(model: type[Model], **values: str) -> None:
    model._default_manager.update(**values)
