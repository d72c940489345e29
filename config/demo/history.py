"""What happened to the hand-written listings, and the texts of the site itself."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from config.demo.data.demo import demo_posts, interview_questions
from config.demo.data.shapes import DemoListing
from directory.models import (
    Alternative,
    BlogPost,
    InterviewQuestion,
    Listing,
    ListingUpdate,
    Milestone,
    Site,
)
from directory.search.index.sources import Source

POSTS_LISTINGS = 4


def add_history(placed: Sequence[tuple[DemoListing, Source]], *, at: datetime) -> None:
    """Updates, milestones and alternatives of listings that were just loaded."""
    ListingUpdate.objects.bulk_create(
        ListingUpdate(
            listing_id=source.id,
            title=one.title,
            body=one.body,
            posted_at=at - timedelta(days=one.days_ago),
        )
        for demo, source in placed
        for one in demo.updates
    )
    Milestone.objects.bulk_create(
        Milestone(
            listing_id=source.id,
            date=(at - timedelta(days=one.days_ago)).date(),
            title=one.title,
            description=one.description,
        )
        for demo, source in placed
        for one in demo.milestones
    )
    ids = {(source.site_id, demo.slug): source.id for demo, source in placed}
    Alternative.objects.bulk_create(
        Alternative(listing_id=source.id, alternative_id=other, approved=True, at=source.updated_at)
        for demo, source in placed
        for slug in demo.alternatives
        if (other := ids.get((source.site_id, slug)))
    )


def add_texts(*, site: Site, at: datetime) -> None:
    """The blog and the questions for founders; those that are there stay as they are."""
    known = set(BlogPost.objects.filter(site=site).values_list("slug", flat=True))
    for post in demo_posts():
        if post.slug in known:
            continue
        published = at - timedelta(days=post.days_ago)
        row = BlogPost.objects.create(
            site=site,
            slug=post.slug,
            title=post.title,
            excerpt=post.excerpt,
            author=post.author,
            markdown=post.markdown,
            faqs=[{"question": faq.question, "answer": faq.answer} for faq in post.faqs],
            published_at=published,
            updated_at=published,
        )
        row.listings.set(_mentioned(post.markdown, site=site))
    asked = set(InterviewQuestion.objects.values_list("question", flat=True))
    InterviewQuestion.objects.bulk_create(
        InterviewQuestion(question=one.question, help=one.help, order=order)
        for order, one in enumerate(interview_questions())
        if one.question not in asked
    )


def _mentioned(text: str, *, site: Site) -> list[Listing]:
    found = Listing.objects.live().filter(site=site).only("pk", "name").order_by("pk")
    return [listing for listing in found if f"{listing.name}" in text][:POSTS_LISTINGS]
