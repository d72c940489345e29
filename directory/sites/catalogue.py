"""The sites and the category tree that every installation begins with."""

from django.conf import settings
from django.contrib.sites.models import Site as DjangoSite
from django.db import transaction
from django.utils import timezone

from accounts.models import StaffAct
from core.cache import changed
from core.fetch import split_url
from directory.data.categories import category_tree
from directory.models import Category, Site, SiteSettings

PURPOSE = "A public directory of products: what they do, who makes them, and how they launch."


def ensure_default_site() -> Site:
    """The installation's first site, made when there is none, with the name and address of the settings."""
    return Site.objects.filter(is_default=True).select_related("django_site").first() or _make_default_site()


@transaction.atomic
def _make_default_site() -> Site:
    django_site, _ = DjangoSite.objects.update_or_create(
        pk=settings.SITE_ID,
        defaults={"domain": split_url(settings.SITE_URL).netloc, "name": settings.SITE_NAME[:50]},
    )
    row, _ = Site.objects.get_or_create(
        key="main",
        defaults={
            "django_site": django_site,
            "name": settings.SITE_NAME,
            "purpose": PURPOSE,
            "is_default": True,
        },
    )
    SiteSettings.objects.create(site=row, changed_at=timezone.now())
    return row


@transaction.atomic
def load_categories() -> int:
    """Bring the category tree of the data file in; what staff edited stays, new words join theirs.

    What staff deleted stays so, with what would be below it.
    """
    existing = {category.slug: category for category in Category.everything.all()}
    deleted = StaffAct.objects.filter(kind=Category._meta.label_lower, said__startswith="deleted")  # noqa: SLF001
    names = set(deleted.values_list("label", flat=True))
    fresh = 0
    for position, data in enumerate(category_tree()):
        if data.slug in existing:
            _learn(existing[data.slug], terms=data.terms)
            continue
        if data.name in names or (data.parent and data.parent not in existing):
            continue
        existing[data.slug] = Category.objects.create(
            slug=data.slug,
            name=data.name,
            description=data.description,
            parent=_in_tree(existing[data.parent]) if data.parent else None,
            position=position,
            faqs=[{"question": faq.question, "answer": faq.answer} for faq in data.faqs],
            terms=list(data.terms),
            attributes=[vars(attribute) for attribute in data.attributes],
        )
        fresh += 1
    if fresh:
        changed("categories")
    return fresh


def _in_tree(category: Category) -> Category:
    """A category, or what it was merged into."""
    while category.merged_into is not None:
        category = category.merged_into
    return category


def _learn(category: Category, *, terms: tuple[str, ...]) -> None:
    """Let a category know words of the data file that it does not know yet."""
    terms_now = list(dict.fromkeys([*category.terms, *terms]))
    if terms_now != category.terms:
        category.terms = terms_now
        category.save(update_fields=["terms"])
