"""The votes of a launch by the hour as a picture for its makers' mails, at an address that only these know."""

from datetime import datetime, timedelta

from django.core.signing import BadSignature, Signer

from core.api.links import on_site
from directory import weeks
from directory.launches.figures import votes_by_hour
from directory.models import Launch

SIGNER = Signer(sep=".", salt="directory.launches.curve")
HOUR = timedelta(hours=1)
HOURS = 7 * 24


def curve_url(launch: Launch, *, at: datetime) -> str:
    """Where the picture of a launch is, as it was at a moment."""
    hours = min(HOURS, max(0, int((at - weeks.start(launch.week)) / HOUR)))
    return on_site(f"/share/curves/{SIGNER.sign(f'{launch.pk}-{hours}')}.png")


def curve_of(token: str) -> list[int] | None:
    """The votes of a launch by the hour up to the moment of the mail; nothing for an address we never made."""
    try:
        pk, _, hours = SIGNER.unsign(token).partition("-")
    except BadSignature:
        return None
    launch = Launch.objects.filter(pk=pk, is_hidden=False).first()
    if launch is None:
        return None
    first = weeks.start(launch.week)
    votes = {row["at"]: row["votes"] for row in votes_by_hour(launch)}
    return [votes.get(first + number * HOUR, 0) if number < int(hours) else 0 for number in range(HOURS)]
