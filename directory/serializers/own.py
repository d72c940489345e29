"""Answers to owners."""

from typing import Any

from rest_framework import serializers

from core.serializers import OpenWord, Shape
from directory.serializers.public import ListingOut, ListingSummaryOut


class RequiredBadgeOut(Shape):
    """The site's badge: what to put on the homepage, and whether it was seen there."""

    required = serializers.BooleanField(  # type: ignore[assignment]
        help_text="The launch waits for it. Paid launches need none."
    )
    found = serializers.BooleanField(help_text="It was there at the last look.")
    html = serializers.CharField(help_text="What to put on the homepage.")
    link_url = serializers.URLField(help_text="Where the badge leads.")
    last_checked_at = serializers.DateTimeField(allow_null=True, help_text="When we last looked.")
    last_result = serializers.CharField(allow_null=True, help_text="What we saw.")
    homepage = serializers.URLField(help_text="Where we look.")
    next_check_at = serializers.DateTimeField(allow_null=True, help_text="When we look again.")


class LaunchQueueOut(Shape):
    """A place in a launch week."""

    position = serializers.IntegerField(
        min_value=1, help_text="The place among those of the week, as booked."
    )
    week = serializers.DateField(help_text="The Monday of the week.")
    badge = RequiredBadgeOut()


class ListingVersionOut(Shape):
    """One edit in the history."""

    id = serializers.IntegerField(help_text="The version's id.")
    changed = serializers.ListField(child=serializers.CharField(), help_text="Which fields changed.")
    by = serializers.CharField(help_text="Who changed them.")
    at = serializers.DateTimeField(help_text="When.")
    review = OpenWord(known=("pending", "accepted", "reverted"), help_text="What the site team decided.")


class ListingSiteOut(Shape):
    """A site of the installation."""

    key = serializers.CharField(help_text="The site's key, for apply_to.")
    name = serializers.CharField(help_text="The site's name.")
    linked = serializers.BooleanField(help_text="The same company has a listing of yours there.")


class NextActionOut(Shape):
    """What to do next: the operation is also the MCP tool."""

    operation = serializers.CharField(help_text="The operationId, which is the tool's name too.")
    method = serializers.CharField(help_text="The HTTP method.")
    path = serializers.CharField(help_text="The path, its parts filled in.")
    why = serializers.CharField(help_text="What it is good for.")


class OwnerViewOut(Shape):
    """What only the owner sees."""

    listing_id = serializers.IntegerField(min_value=1, help_text="The listing's id in your own operations.")
    status = OpenWord(
        known=("draft", "awaiting_badge", "scheduled", "live", "rejected", "suspended", "archived"),
        help_text="Where it stands.",
    )
    status_reason = serializers.CharField(allow_null=True, help_text="Why, if somebody said so.")
    queue = LaunchQueueOut(
        allow_null=True, help_text="Its place in a launch week; null when it waits for none."
    )
    unlocked_sections = serializers.ListField(
        child=serializers.CharField(), help_text="Paid sections that were unlocked for this listing."
    )
    orders = serializers.ListField(child=serializers.CharField(), help_text="Numbers of its orders.")
    draft_id = serializers.UUIDField(allow_null=True, help_text="The draft it was made from.")
    versions = ListingVersionOut(many=True, help_text="The last edits, newest first.")
    sites = ListingSiteOut(many=True, help_text="The sites of the installation.")
    next_actions = NextActionOut(many=True, help_text="What you can do now, the most useful first.")


class OwnListingOut(OwnerViewOut, ListingOut):
    """The public profile and the owner's view."""

    @classmethod
    def render(cls, value: Any) -> Any:
        """Prepared by the selector."""
        return value


class OwnListingItemOut(OwnerViewOut, ListingSummaryOut):
    """A summary and the owner's view."""

    @classmethod
    def render(cls, value: Any) -> Any:
        """Prepared by the selector."""
        return value
