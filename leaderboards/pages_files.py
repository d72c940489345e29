"""Files that anybody checks or loads."""

from django.http import FileResponse, HttpRequest
from django.views.decorators.http import require_safe

from core.api.errors import NotFoundError
from directory import weeks
from directory.sites.lookup import current_site
from leaderboards import ballots

GZIP = "application/gzip"
YEAR = 365 * 86400


@require_safe
def ballots_file(request: HttpRequest, week: str) -> FileResponse:
    """`/weeks/<monday>/ballots.ndjson.gz`: the votes of a closed week."""
    day = weeks.day_of(week)
    row = ballots.file_of(site=current_site(request), week=day) if day else None
    if row is None:
        raise NotFoundError("No week that is closed has these ballots.")
    response = FileResponse(
        row.file.open("rb"), content_type=GZIP, filename=str(row.file.name).rpartition("/")[2]
    )
    response["Cache-Control"] = f"public, max-age={YEAR}, immutable"
    response["ETag"] = f'"{row.head}"'
    response["Access-Control-Allow-Origin"] = "*"
    return response
