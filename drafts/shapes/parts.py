from typing import Any

from rest_framework import serializers

from core.api.serializers import AnyValue, OpenWord, Shape
from drafts import limits


class EvidenceOut(Shape):
    """A quote that stands literally on the website."""

    quote = serializers.CharField(help_text="The words as they stand on the page.")
    url = serializers.URLField(help_text="The page.")
    link = serializers.URLField(help_text="Opens the page at the quote (text fragment).")
    page_title = serializers.CharField(allow_null=True, help_text="The page's title.")
    source = OpenWord(  # type: ignore[assignment]
        values=("text", "meta", "json_ld", "alt", "robots"), help_text="Where on the page the words stand."
    )
    start = serializers.IntegerField(allow_null=True, help_text="Where the quote begins in the page's text.")
    end = serializers.IntegerField(allow_null=True, help_text="Where it ends.")
    page_sha256 = serializers.CharField(help_text="The hash of the page's text as it was read.")
    fetched_at = serializers.DateTimeField(allow_null=True, help_text="When the page was read.")

    @classmethod
    def render(cls, value: dict[str, Any]) -> dict[str, Any]:
        """All parts, unknown ones null: a quote from a tag has no place in the text."""
        return {"page_title": None, "start": None, "end": None, **value}


class SuggestionOut(Shape):
    """A value that the website may mean."""

    value = AnyValue(help_text="As update_draft takes it; send it to take it, and its evidence stays.")
    evidence = EvidenceOut(many=True, help_text="Where the website says so.")
    confidence = serializers.FloatField(
        min_value=0, max_value=1, help_text="How likely it is right: 0 to 1, two decimals."
    )

    @classmethod
    def render(cls, value: dict[str, Any]) -> dict[str, Any]:
        return {**value, "evidence": [EvidenceOut.render(quote) for quote in value["evidence"]]}


class DraftFieldOut(Shape):
    """One value of a draft and whose it is."""

    value = AnyValue(help_text="A text or a list of texts, as update_draft takes it; null if blank.")
    state = OpenWord(
        values=("ai", "not_found", "edited", "manual", "override", "deleted"),
        help_text="Whose value it is: written from the website, not found there, changed or given by you, locked,"
        " removed.",
    )
    evidence = EvidenceOut(many=True, help_text="Where the website says so.")
    locked = serializers.BooleanField(source="is_locked", help_text="It is not written again.")
    ai_value = AnyValue(
        help_text="What was written from the website, which restore puts back; null if nothing."
    )
    reason = serializers.CharField(
        allow_null=True, help_text="Why it is blank, if that is known; unconfirmed: there are suggestions."
    )
    confidence = serializers.FloatField(
        source="sureness",
        allow_null=True,
        min_value=0,
        max_value=1,
        help_text="How likely the written value is right: 0 to 1, two decimals; null for what a person typed.",
    )
    suggestions = SuggestionOut(
        source="others",
        many=True,
        help_text="At most three, the likeliest first: other values than this, or what it may be where it is blank. "
        "They do not count as filled until update_draft sends one.",
    )
    updated_at = serializers.DateTimeField(help_text="When it last changed.")
    updated_by = OpenWord(values=("ai", "user", "staff"), help_text="Who changed it.")


class DraftFieldsOut(Shape):
    """Every key of update_draft's fields."""

    def get_fields(self) -> dict[str, serializers.Field]:
        return {name: DraftFieldOut() for name in limits.FIELDS}


class DraftProgressOut(Shape):
    """How far the drafting is."""

    stage = serializers.CharField(help_text="What is being done; rewriting while regenerate is at work.")
    pages_read = serializers.IntegerField(help_text="How many pages have been read.")
    percent = serializers.IntegerField(help_text="0 to 100.")


class DraftFaqOut(Shape):
    """A drafted question."""

    question = serializers.CharField(help_text="The question.")
    answer = serializers.CharField(help_text="The answer.")
    state = OpenWord(values=("ai", "manual"), help_text="Whose words these are.")
    evidence = EvidenceOut(many=True, help_text="Where the website says so.")


class DraftFounderOut(Shape):
    """A drafted founder."""

    name = serializers.CharField(help_text="The person's name.")
    title = serializers.CharField(allow_null=True, help_text="Their role.")
    bio = serializers.CharField(allow_null=True, help_text="About them.")
    state = OpenWord(values=("ai", "manual"), help_text="Whose words these are.")
    evidence = EvidenceOut(many=True, help_text="Where the website says so.")


class DraftMilestoneOut(Shape):
    """A milestone the owner gave."""

    date = serializers.DateField(help_text="The day.")
    title = serializers.CharField(help_text="What happened.")
    description = serializers.CharField(allow_null=True, help_text="More about it.")
    url = serializers.URLField(allow_null=True, help_text="Where to read on.")


class SeoOut(Shape):
    """What search engines show."""

    title = serializers.CharField(allow_null=True, help_text="The title in results.")
    meta = serializers.CharField(allow_null=True, help_text="The text below it.")


class ComparedFactOut(Shape):
    """One fact of the draft beside the competitor's, with the quotes that carry the latter."""

    attribute = serializers.CharField(help_text="What is compared.")
    ours = AnyValue(help_text="What this draft says.")
    theirs = AnyValue(help_text="What the competitor's website says.")
    evidence = EvidenceOut(many=True, help_text="Where the competitor's website says so.")


class CompetitorOut(Shape):
    """The comparison with one competitor."""

    url = serializers.URLField(allow_null=True, help_text="The competitor's website.")
    status = OpenWord(values=("none", "reading", "ready", "failed"), help_text="How far it is.")
    reason = serializers.CharField(required=False, help_text="Why it failed.")
    comparison = ComparedFactOut(many=True, help_text="Fact by fact.")


class InviteOut(Shape):
    """An invitation."""

    email = serializers.EmailField(help_text="Who was invited.")
    status = OpenWord(values=("sent", "accepted", "expired"), help_text="What became of it.")
    sent_at = serializers.DateTimeField(help_text="When it was sent.")

    @classmethod
    def render(cls, value: Any) -> dict[str, Any]:
        return cls.of(value, status=getattr(value, "stands", value.status))


class MissingFieldOut(Shape):
    """A blank field."""

    field = serializers.CharField(help_text="The field, by its key in update_draft.")
    required = serializers.BooleanField(  # type: ignore[assignment]
        help_text="submit_draft is refused until it is given."
    )
    hint = serializers.CharField(help_text="What to give.")


class CrawledPageOut(Shape):
    """One address of the crawl."""

    url = serializers.URLField(help_text="The address.")
    status = serializers.IntegerField(allow_null=True, help_text="The HTTP status; null without an answer.")
    bytes = serializers.IntegerField(source="size", help_text="How much was read.")
    skipped = OpenWord(
        allow_null=True,
        values=("robots", "type", "size", "limit", "error"),
        help_text="Why it was not used; null if it was.",
    )
    reason = serializers.CharField(source="detail", allow_null=True, help_text="The same in words.")


class DraftCrawlOut(Shape):
    """What was read, what was not, and why."""

    robots = OpenWord(
        allow_null=True,
        values=("allowed", "partly", "blocked"),
        help_text="What robots.txt lets us read; null until it was asked for.",
    )
    pages = CrawledPageOut(many=True, help_text="Every address that was looked at.")
    warnings = serializers.ListField(child=serializers.CharField(), help_text="What to know about the draft.")


class RefusedValueOut(Shape):
    """What a model proposed and the check did not let pass."""

    field = serializers.CharField(help_text="The field, by its key in update_draft.")
    value = AnyValue(help_text="What was proposed.")
    why = serializers.CharField(help_text="Why it was refused.")


class DraftWriterOut(Shape):
    """Who wrote the draft."""

    name = serializers.CharField(help_text="The writer.")
    model = serializers.CharField(allow_null=True, help_text="The language model, if one was used.")
    tokens = serializers.IntegerField(allow_null=True, help_text="What it consumed.")
    note = serializers.CharField(allow_null=True, help_text="What happened on the way.")
    refused = RefusedValueOut(many=True, help_text="What the check of the model's answers refused.")


class DuplicateListingOut(Shape):
    """A live listing of the same site."""

    slug = serializers.CharField(help_text="The listing's slug.")
    claimable = serializers.BooleanField(
        help_text="Nobody has proved it to be theirs: claim_listing may be the better way."
    )
