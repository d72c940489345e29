"""What comes into the Trophies group and what goes out."""

import re
from typing import Any

from rest_framework import serializers

from core.api.errors import NotFoundError
from core.api.pagination import QueryInteger
from core.api.serializers import Choice, OpenWord, Shape, Slug
from directory.listings.shapes.public import ListingSummaryOut
from directory.sites.shapes import AwardOut
from leaderboards import limits
from leaderboards.trophies.models import CabinetLook, Programme

NUMBER, ID_MAX = re.compile(r"[1-9][0-9]{0,18}\Z"), 2**63 - 1


class AwardId(serializers.IntegerField):
    """An award's id in a path; one that cannot be is an award that is not there."""

    def to_internal_value(self, data: Any) -> int:
        text = str(data)
        if not NUMBER.match(text) or int(text) > ID_MAX:
            raise NotFoundError("There is no such award.")
        return int(text)


class AwardPathIn(serializers.Serializer[Any]):
    id = AwardId(min_value=1, help_text="The award's id, as list_awards gives it.")


class HallOfFameIn(serializers.Serializer[Any]):
    year = QueryInteger(
        min_value=limits.EARLIEST_YEAR,
        max_value=limits.LATEST_YEAR,
        required=False,
        help_text="Only what was won in weeks of this year.",
    )
    category = Slug(required=False, help_text="A category's slug; includes its subcategories.")


class ListProgrammesIn(serializers.Serializer[Any]):
    status = Choice(choices=Programme.Status.values, required=False, help_text="Only those in this state.")


class TrophyOut(AwardOut):
    """An award with what proves it."""

    certificate_url = serializers.URLField(help_text="A certificate to print.")
    credential_url = serializers.URLField(
        help_text="An Open Badges 3.0 credential, checked with /.well-known/jwks.json."
    )
    programme = serializers.CharField(allow_null=True, help_text="Its slug; null: a launch week.")


class EmbedOut(Shape):
    """Code to show something elsewhere."""

    html = serializers.CharField(help_text="For a web page.")
    markdown = serializers.CharField(help_text="For a README.")


class TrophyCabinetOut(Shape):
    """What a listing has won."""

    listing = ListingSummaryOut(help_text="Whose cabinet it is.")
    finish = OpenWord(
        values=CabinetLook.Finish.values, allow_null=True, help_text="Bought; it changes no place."
    )
    title = serializers.CharField(allow_null=True, help_text="What its owner wrote above it.")
    items = TrophyOut(many=True, help_text="Valid awards, newest first.")
    embed = EmbedOut(help_text="Code for other pages.")
    page_url = serializers.URLField(help_text="The cabinet's page.")


class AwardCheckOut(Shape):
    """One thing that makes an award valid."""

    name = OpenWord(values=("signature", "standing", "not_revoked"), help_text="What was checked.")
    passed = serializers.BooleanField(help_text="Whether it holds.")
    detail = serializers.CharField(help_text="The same in a sentence.")


class AwardVerificationOut(Shape):
    """Whether an award holds."""

    award = TrophyOut(help_text="The award.")
    valid = serializers.BooleanField(help_text="Every check passed.")
    checks = AwardCheckOut(many=True, help_text="What was checked.")
    credential_url = serializers.URLField(help_text="To check it yourself.")
    issued_at = serializers.DateTimeField(help_text="When it was given.")
    revoked_at = serializers.DateTimeField(allow_null=True, help_text="When it was revoked.")
    reason = serializers.CharField(allow_null=True, help_text="Why it was revoked.")


class FameOut(Shape):
    """One listing in the Hall of Fame."""

    listing = ListingSummaryOut(help_text="Who won.")
    awards = TrophyOut(many=True, help_text="Newest first.")
    golds = serializers.IntegerField(min_value=0, help_text="How many first places.")
    silvers = serializers.IntegerField(min_value=0, help_text="How many second places.")
    bronzes = serializers.IntegerField(min_value=0, help_text="How many third places.")


class ProgrammeCategoryOut(Shape):
    """A category that a programme is for."""

    slug = serializers.CharField(help_text="Its slug.")
    name = serializers.CharField(help_text="Its name.")


class ProgrammeOut(Shape):
    """A contest that listings enter."""

    slug = serializers.CharField(help_text="What enter_programme takes.")
    title = serializers.CharField(help_text="Its name.")
    description = serializers.CharField(help_text="What it is about, in plain text.")
    status = OpenWord(values=Programme.Status.values, help_text="Where it is now.")
    entry_from = serializers.DateTimeField(help_text="From when owners enter.")
    entry_until = serializers.DateTimeField(help_text="Until when.")
    votes_from = serializers.DateTimeField(help_text="Votes from here on count.")
    votes_until = serializers.DateTimeField(help_text="Until when.")
    categories = ProgrammeCategoryOut(many=True, help_text="Who may enter; none: all.")
    launched_from = serializers.DateField(allow_null=True, help_text="Only launched on this day or later.")
    launched_until = serializers.DateField(allow_null=True, help_text="Only launched by this day.")
    places = serializers.IntegerField(min_value=1, help_text="How many win.")
    entries = serializers.IntegerField(min_value=0, help_text="How many listings take part.")
    winners = TrophyOut(many=True, help_text="Who won; empty until it is closed.")
    page_url = serializers.URLField(help_text="Its page, with the entries.")


class ProgrammesOut(Shape):
    """The programmes."""

    items = ProgrammeOut(many=True, help_text="Those whose voting ends last first.")
