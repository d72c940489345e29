"""Answers to owners."""

from typing import Any

from rest_framework import serializers

from core.serializers import Shape
from directory.serializers.public import ListingOut, ListingSummaryOut


class RequiredBadgeOut(Shape):
    """Whether our badge is on the homepage."""

    required = serializers.BooleanField()  # type: ignore[assignment]
    found = serializers.BooleanField()
    html = serializers.CharField()
    link_url = serializers.CharField()
    last_checked_at = serializers.DateTimeField(allow_null=True, required=False)
    last_result = serializers.CharField(allow_null=True, required=False)
    homepage = serializers.CharField()
    next_check_at = serializers.DateTimeField(allow_null=True, required=False)


class LaunchQueueOut(Shape):
    """A place in a launch week."""

    position = serializers.IntegerField(min_value=1)
    week = serializers.DateField()
    badge = RequiredBadgeOut()


class ListingVersionOut(Shape):
    """One edit in the history."""

    id = serializers.IntegerField()
    changed = serializers.ListField(child=serializers.CharField())
    by = serializers.CharField()
    at = serializers.DateTimeField()
    review = serializers.CharField(help_text="pending, accepted or reverted; more may come.")


class ListingSiteOut(Shape):
    """A site of the installation."""

    key = serializers.CharField()
    name = serializers.CharField()
    linked = serializers.BooleanField()


class NextActionOut(Shape):
    """What to do next: the operation is also the MCP tool."""

    operation = serializers.CharField()
    method = serializers.CharField()
    path = serializers.CharField()
    why = serializers.CharField()


class OwnerViewOut(Shape):
    """What only the owner sees."""

    listing_id = serializers.IntegerField(min_value=1)
    status = serializers.CharField(
        help_text="draft, awaiting_badge, scheduled, live, rejected, suspended or archived; more may come."
    )
    status_reason = serializers.CharField(allow_null=True, required=False)
    queue = LaunchQueueOut(allow_null=True, required=False)
    unlocked_sections = serializers.ListField(child=serializers.CharField())
    orders = serializers.ListField(child=serializers.CharField())
    draft_id = serializers.UUIDField(allow_null=True, required=False)
    versions = ListingVersionOut(many=True)
    sites = ListingSiteOut(many=True)
    next_actions = NextActionOut(many=True)


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
