"""Launch weeks: a calendar of places with who is in, and the same as a table."""

from datetime import date, timedelta

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from accounts.staff import pages, rights
from accounts.staff.audit import acting
from accounts.staff.lists import ReadOnlyAdmin
from directory import weeks
from directory.models import Launch, Site
from orders import places
from orders.models import LaunchWeek, SlotHold
from orders.selectors.calendar import calendar

CALENDAR = "admin:orders_launchweek_calendar"
BEFORE, LISTED, NAMED, PLACES = 1, 12, 200, 10_000
FAR = timedelta(days=3650)


class PlacesForm(forms.Form):
    """How many paid places a week has; nothing gives it as many as the site's settings say."""

    site = forms.ModelChoiceField(Site.objects.all())
    week = forms.DateField()
    places = forms.IntegerField(required=False, min_value=0, max_value=PLACES)

    def clean_week(self) -> date:
        week: date = self.cleaned_data["week"]
        if week - timezone.now().date() > FAR:
            raise forms.ValidationError("A week lies within ten years.")
        return week


@admin.register(LaunchWeek)
class LaunchWeekAdmin(ReadOnlyAdmin):
    """One row a week and site; they appear by themselves as weeks come on sale."""

    page_name = "Weeks on sale"
    list_display = ("week", "site", "capacity")
    list_filter = ("site",)
    list_select_related = ("site",)
    fields = ("site", "week", "capacity", "who")
    readonly_fields = ("site", "week", "capacity", "who")
    ordering = ("-week", "site")

    @pages.page("calendar/", "orders_launchweek_calendar", "weeks.see", "weeks.edit")
    def calendar(self, request: HttpRequest) -> HttpResponse:
        """Twelve weeks from one on; sending the form of a week gives it another number of paid places."""
        now = timezone.now()
        first = self._first(request, default=weeks.week_of(now) - BEFORE * weeks.WEEK)
        here = f"{reverse(CALENDAR)}?from={first}"
        if request.method == "POST":
            self._give_places(request)
            return HttpResponseRedirect(here)
        rows = calendar(first=first, number=LISTED, at=now)
        return pages.show(
            request,
            self.admin_site,
            "orders/admin/calendar.html",
            title="Weeks",
            rows=rows,
            has_sites=len({row.site.pk for row in rows}) > 1,
            earlier=first - LISTED * weeks.WEEK,
            later=first + LISTED * weeks.WEEK,
            here=here,
            may_edit=rights.may(request.user, "weeks.edit"),
        )

    @staticmethod
    def _first(request: HttpRequest, *, default: date) -> date:
        """The Monday that is asked for, unless it is far away or none."""
        try:
            week = weeks.parse(request.GET.get("from", ""), at=timezone.now())
        except ValueError:
            return default
        return week if abs(week - default) < FAR else default

    def _give_places(self, request: HttpRequest) -> None:
        form = PlacesForm(request.POST)
        if not form.is_valid():
            messages.error(
                request,
                f"Places are a number up to {PLACES} or nothing, in a week within ten years. Nothing was changed.",
            )
            return
        data = form.cleaned_data
        with acting(request, self.edit_act) as act:
            row, was = places.give_places(
                site_id=data["site"].pk, week=data["week"], places=data["places"], at=act.at
            )
            before, after = {"paid places": was}, {"paid places": row.capacity}
            act.record("changed the paid places of the week", on=row, before=before, after=after)
            number = "as many paid places as the settings say"
            if row.capacity is not None:
                number = f"{row.capacity} paid places"
            act.say(f"The week of {row.week:%-d %B %Y} has {number}. Nobody who has one loses it.")

    @admin.display(description="who is in it")
    def who(self, row: LaunchWeek) -> SafeString:
        booked = Launch.objects.filter(site=row.site, week=row.week).select_related("listing")
        holds = SlotHold.objects.filter(site=row.site, week=row.week).exclude(state=SlotHold.State.RELEASED)
        rows = [(launch.listing.name, launch.kind) for launch in booked.order_by("booked_at", "pk")[:NAMED]]
        rows += [
            (hold.line.order.number, hold.state)
            for hold in holds.select_related("line__order").order_by("pk")[:NAMED]
        ]
        return format_html_join("", "<div>{}: {}</div>", rows) or SafeString("Nobody yet.")
