"""Acts of staff on one listing, each one service call and one line of the audit log."""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils import timezone

from accounts.staff import pages
from accounts.staff.audit import acting, taken_back
from core.api.errors import ApiError
from core.tables import rows_of
from directory.errors import DecidedError
from directory.launches import staff_queue
from directory.listings import media
from directory.models import Listing, Undo
from directory.moderation import banning, merging
from directory.moderation import status as moderation
from directory.moderation.comparing import COUNTED, beside_each_other, listings_of, merge_of, refuse_unfit
from directory.moderation.staff import rights_acts
from directory.moderation.staff.forms import IntoForm, ReasonForm, WeekForm, WhyForm
from directory.moderation.staff_rights import Gain

Question = pages.Question
PAGE = "admin:directory_listing_change"


@dataclass(frozen=True, kw_only=True)
class Done:
    """What came of an act: its line in the audit log, and what the page says."""

    line: str
    says: str
    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    undo: str = ""


Ask = Callable[[Listing, forms.Form | None], Question]
Run = Callable[[Listing, int, dict[str, Any]], Done]


@dataclass(frozen=True)
class Act:
    """One act: whose it is in the table of rights, what is done, and what is asked before where that depends.

    What is always asked stands in `acts.csv`; with neither, a button does it at once.
    """

    right: str
    run: Run
    form: Callable[..., forms.Form] | None = None
    ask: Ask | None = None


def page_of(listing: Listing) -> str:
    return reverse(PAGE, args=[listing.pk])


def _ask(listing: Listing, form: forms.Form | None, *, title: str, button: str, says: list[str]) -> Question:
    return Question(
        title=title.format(listing.name), says=says, button=button, back=page_of(listing), form=form
    )


def _moderate(listing: Listing, staff_id: int, data: dict[str, Any], *, to: str, participle: str) -> Done:
    moderation.refuse_same(listing, to=to)
    moderation.moderate(
        listing_id=listing.pk, to=to, staff_id=staff_id, at=timezone.now(), reason=data["reason"]
    )
    line, says = f"{participle} the listing", f"{listing.name} is {participle.removeprefix('put ')}."
    return Done(line=line, says=says, reason=data["reason"])


def _restore(listing: Listing, staff_id: int, data: dict[str, Any]) -> Done:
    reason = data["reason"]
    back = moderation.put_back(listing_id=listing.pk, staff_id=staff_id, at=timezone.now(), reason=reason)
    says = f"{listing.name} is {back.get_status_display().lower()} again."
    return Done(line="restored the listing", says=says, reason=reason)


def _check(listing: Listing, _staff_id: int, _data: dict[str, Any]) -> Done:
    staff_queue.check_badge_now(listing_id=listing.pk, at=timezone.now())
    says = f"{listing.url} is being opened. What is seen stands in the timeline in a few seconds."
    return Done(line="had the badge looked for of", says=says)


def _tell(listing: Listing, _staff_id: int, _data: dict[str, Any]) -> Done:
    moderation.tell_why_not_live(listing_id=listing.pk, at=timezone.now())
    return Done(line="told the owner why it is not live:", says="We’ve mailed it to the owner.")


def _move_week(listing: Listing, staff_id: int, data: dict[str, Any]) -> Done:
    week, was = data["week"], listing.launch_week
    staff_queue.move_week(listing_id=listing.pk, week=week, staff_id=staff_id, at=timezone.now())
    says = f"{listing.name} moved to the week of {week:%-d %B %Y}. Its owner is told."
    return Done(line="moved the launch of", says=says, after={"week": str(week), "was": str(was)})


def _waive(listing: Listing, staff_id: int, data: dict[str, Any]) -> Done:
    reason = data["reason"]
    staff_queue.waive_badge(listing_id=listing.pk, staff_id=staff_id, reason=reason, at=timezone.now())
    return Done(line="waived the badge of", says=f"{listing.name} launches without the badge.", reason=reason)


def _merge(listing: Listing, staff_id: int, data: dict[str, Any]) -> Done:
    into = data["into"]
    undo = merging.merge(listing_id=listing.pk, into_id=into.pk, staff_id=staff_id, at=timezone.now())
    says = f"{listing.name} is part of {into.name} now."
    after, undo_at = {"into": into.slug}, _undo_at(undo)
    return Done(line=f"merged into {into.slug}:", says=says, after=after, undo=undo_at)


def _ban(listing: Listing, staff_id: int, data: dict[str, Any]) -> Done:
    reason = data["reason"]
    undo = banning.ban(user_id=listing.owner_id or 0, staff_id=staff_id, reason=reason, at=timezone.now())
    says = "The account is banned. Its listings answer “removed”."
    return Done(line="banned the account that owns", says=says, reason=reason, undo=_undo_at(undo))


def _undo_at(undo: Undo) -> str:
    return reverse("admin:directory_listing_undo", args=[undo.pk])


def _gain(
    listing: Listing, staff_id: int, data: dict[str, Any], *, run: Callable[..., Gain], line: str, says: str
) -> Done:
    gain = run(listing, staff_id, data)
    text = says.format(listing.name)
    return Done(line=line, says=text, before=gain.before, after=gain.after, reason=data["reason"])


def _ask_merge(listing: Listing, form: forms.Form | None) -> Question:
    says = [
        f"Votes, followers, featured places that run or come, and the address /listings/{listing.slug} move. "
        "Who voted for both is counted once.",
        "Orders stay with their buyer. Updates, story and awards stay here and are no longer shown.",
        "Undo for 30 days.",
    ]
    into = form.cleaned_data.get("into") if form is not None and form.is_bound and form.is_valid() else None
    if into is None:
        return _ask(listing, form, title="Merge {} with a duplicate", button="Compare", says=says)
    refuse_unfit(listing=listing, into=into)
    moves = merge_of(listing=listing, into=into, at=timezone.now())
    says[0] = (
        f"{moves.votes} votes ({moves.voted_for_both} people voted for both, counted once), "
        f"{moves.followers} followers, {moves.places} featured places that run or come, and the address "
        f"/listings/{listing.slug} move."
    )
    title = f"Merge {listing.name} into {into.name}?"
    form = IntoForm(listing=listing, initial={"into": into.slug, "sure": into.slug})
    answer = _ask(listing, form, title=title, button=f"Merge into {into.name}", says=says)
    heads = (f"{listing.name}, which goes", f"{into.name}, which stays")
    sides = pages.Sides(heads=heads, rows=beside_each_other(listing=listing, into=into))
    return replace(answer, sides=sides)


def _ask_ban(listing: Listing, form: forms.Form | None) -> Question:
    ids = list(listings_of(listing.owner_id or 0).values_list("pk", flat=True)[:COUNTED])
    number = f"{COUNTED}+" if len(ids) == COUNTED else str(len(ids))
    plural = "" if len(ids) == 1 else "s"
    says = [
        "Keys and sign-ins end now. Paid orders stay as they are; finance sees them on the person's page.",
        "Votes stay counted. The account's listings answer “removed”; their owner reads the reason.",
        "Undo for 30 days.",
    ]
    title = f"Ban this account and its {number} listing{plural}?"
    return _ask(listing, form, title=title, button=f"Ban account and {number} listing{plural}", says=says)


def _to(status: str, text: str) -> Run:
    return functools.partial(_moderate, to=status, participle=text)  # type: ignore[return-value]


def _giving(run: Callable[..., Gain], text: str, says: str) -> Run:
    return functools.partial(_gain, run=run, line=text, says=says)  # type: ignore[return-value]


def _clear(listing: Listing, _staff_id: int, data: dict[str, Any]) -> Done:
    if not listing.media:
        raise DecidedError("It has no pictures.")
    media.take_down_pictures(listing_id=listing.pk, reason=data["reason"], at=timezone.now())
    says = f"The pictures of {listing.name} are removed. Its owner reads why."
    return Done(line="removed the pictures of", says=says, reason=data["reason"])


Status = Listing.Status
_gives = _giving(rights_acts.give_paid, "gave plan and paid places to", "{} has what you gave it.")
_renames = _giving(rights_acts.rename, "changed the address of", "The address of {} is changed.")
_shares = _giving(
    rights_acts.choose_co_owners, "chose who may edit", "Who may edit {} is changed. Its owner is told."
)
ACTS: dict[str, Act] = {
    "suspend": Act("listings.suspend", _to(Status.SUSPENDED, "suspended"), WhyForm),
    "reject": Act("listings.suspend", _to(Status.REJECTED, "rejected"), WhyForm),
    "archive": Act("listings.suspend", _to(Status.ARCHIVED, "archived"), ReasonForm),
    "put_live": Act("listings.move", _to(Status.LIVE, "put live"), ReasonForm),
    "restore": Act("listings.suspend", _restore, ReasonForm),
    "check": Act("listings.check", _check),
    "tell": Act("listings.check", _tell),
    "week": Act("listings.move", _move_week, WeekForm),
    "waive": Act("listings.move", _waive, ReasonForm),
    "clear": Act("listings.edit", _clear, ReasonForm),
    "give": Act("listings.give", _gives, rights_acts.PaidForm),
    "co_owners": Act("listings.share", _shares, rights_acts.CoOwnersForm),
    "address": Act("listings.rename", _renames, rights_acts.AddressForm),
    "merge": Act("listings.move", _merge, IntoForm, _ask_merge),
    "ban": Act("people.ban", _ban, WhyForm, _ask_ban),
}
WORDS = {row["act"]: row for row in rows_of(__file__, "acts.csv")}
ASKS_AGAIN = {"ban", "give", "co_owners"}
OF_LISTING = {IntoForm, rights_acts.PaidForm, rights_acts.CoOwnersForm, rights_acts.AddressForm}


class ListingActs:
    admin_site: Any

    def act_urls(self) -> list[Any]:
        """One address for each, and one at which what they did is undone."""
        rows = [
            path(
                f"<int:listing_id>/{name}/",
                pages.staff_page(
                    self.admin_site,
                    functools.partial(self.act, name=name),
                    see=act.right,
                    asks_again=name in ASKS_AGAIN,
                ),
                name=f"directory_listing_{name}",
            )
            for name, act in ACTS.items()
        ]
        undo = pages.staff_page(self.admin_site, self.undo, see="listings.move")
        return [*rows, path("undo/<int:undo_id>/", undo, name="directory_listing_undo")]

    def act(self, request: HttpRequest, listing_id: int, *, name: str) -> HttpResponse:
        listing = get_object_or_404(Listing.objects.select_related("owner", "site"), pk=listing_id)
        act = ACTS[name]
        form = self._form(request, act, listing)
        try:
            is_sure = request.method == "POST" and (form is None or form.is_valid())
            if is_sure and getattr(form, "is_sure", True):
                return self._do(request, listing, act, form.cleaned_data if form else {})
            question = self._question(name, listing, form)
        except ApiError as error:
            messages.error(request, error.detail)
            return HttpResponseRedirect(page_of(listing))
        if question is None:
            return HttpResponseRedirect(page_of(listing))
        return question.ask(request, self.admin_site)

    @staticmethod
    def _form(request: HttpRequest, act: Act, listing: Listing) -> forms.Form | None:
        if act.form is None:
            return None
        options = {"listing": listing} if act.form in OF_LISTING else {}
        named = request.GET if "into" in request.GET else None  # as the link to a comparison has it
        return act.form(request.POST or named, **options)

    @staticmethod
    def _question(name: str, listing: Listing, form: forms.Form | None) -> Question | None:
        if ask := ACTS[name].ask:
            return ask(listing, form)
        words = WORDS.get(name)
        if words is None:
            return None
        return _ask(listing, form, title=words["title"], button=words["button"], says=[words["says"]])

    def _do(self, request: HttpRequest, listing: Listing, act: Act, values: dict[str, Any]) -> HttpResponse:
        with acting(request, act.right) as doing:
            done = act.run(listing, doing.staff_id, values)
            before, after = done.before or {"status": listing.status}, done.after
            doing.record(
                done.line, on=listing, before=before, after=after, reason=done.reason, undo=done.undo
            )
            doing.say(done.says)
        following = request.POST.get("next", "")
        return HttpResponseRedirect(following if following.startswith("/admin/") else page_of(listing))

    def undo(self, request: HttpRequest, undo_id: int) -> HttpResponse:
        undo = get_object_or_404(Undo.objects.select_related("listing"), pk=undo_id)
        back = page_of(undo.listing) if undo.listing else reverse("admin:index")
        if undo.user_id is not None:
            back = reverse("admin:accounts_user_change", args=[undo.user_id])
        if request.method != "POST":
            return HttpResponseRedirect(back)
        is_ban = undo.kind == Undo.Kind.BAN
        with acting(request, "people.ban" if is_ban else "listings.move") as act:
            line, text, remaining = taken_back(request, of=act.right), "took apart again", list[str]()
            if is_ban:
                text = "took back the ban of"
                remaining = banning.undo_ban(undo_id=undo.pk, staff_id=act.staff_id, at=act.at)
            else:
                merging.undo_merge(undo_id=undo.pk, staff_id=act.staff_id, at=act.at)
            act.record(text, on=undo.user or undo.listing, undoes_id=line)
            act.say("Undone: everything is where it was.")
            for sentence in remaining:
                messages.warning(request, sentence)
        return HttpResponseRedirect(back)
