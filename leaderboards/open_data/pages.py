"""Files that anybody checks or loads."""

from typing import Any

from django.conf import settings
from django.http import FileResponse, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from core.api.errors import NotFoundError
from core.api.links import on_site
from core.methods import require_safe
from directory import weeks
from directory.sites.lookup import current_site
from leaderboards import ballots
from leaderboards.open_data.tables import FORMATS, TABLES, newest, newest_of

GZIP = "application/gzip"
YEAR, HOUR = 365 * 86400, 3600
TITLE = "Open data"
LEDE = (
    "What the public pages show, as files to load: live listings, categories, launch weeks and awards. Made anew each "
    "night, without anything about people."
)


@require_safe
def ballots_file(request: HttpRequest, week: str) -> FileResponse:
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


@require_safe
def data_file(request: HttpRequest, table: str, kind: str) -> FileResponse:
    row = NotFoundError.unless(newest_of(site=current_site(request), table=table, kind=kind), "file")
    response = FileResponse(row.file.open("rb"), content_type=GZIP, filename=f"{table}.{kind}.gz")
    response["Cache-Control"] = f"public, max-age={HOUR}"
    response["ETag"] = f'"{row.sha256}"'
    response["Access-Control-Allow-Origin"] = "*"
    return response


@require_safe
def data_index(request: HttpRequest) -> JsonResponse:
    """`/data/index.json`: the files with rows, size and SHA-256, and the columns of each table."""
    response = JsonResponse(_described(request))
    response["Cache-Control"] = f"public, max-age={HOUR}"
    response["Access-Control-Allow-Origin"] = "*"
    return response


@require_safe
def data(request: HttpRequest) -> HttpResponse:
    site, described = current_site(request), _described(request)
    context = {
        "described": described,
        "dataset": _dataset(described, name=site.name),
        "made_at": min((row.made_at for row in newest(site)), default=None),
        "title": TITLE,
        "lede": LEDE,
        "types": FORMATS,
        "license": settings.DATA_LICENSE,
        "license_url": settings.DATA_LICENSE if settings.DATA_LICENSE.startswith("https://") else "",
    }
    return render(request, "leaderboards/open_data.html", context)


def _described(request: HttpRequest) -> dict[str, Any]:
    rows = newest(current_site(request))
    return {
        "made_at": f"{min(row.made_at for row in rows):%Y-%m-%dT%H:%M:%SZ}" if rows else None,
        "license": settings.DATA_LICENSE or None,
        "tables": [
            {
                "name": table.name,
                "title": table.title,
                "columns": [{"name": name, "description": words} for name, words in table.columns.items()],
                "files": [
                    {
                        "url": on_site(f"/data/{row.table}.{row.format}.gz"),
                        "format": row.format,
                        "rows": row.rows,
                        "bytes": row.size,
                        "sha256": row.sha256,
                    }
                    for row in rows
                    if row.table == table.name
                ],
            }
            for table in TABLES.values()
        ],
    }


def _dataset(described: dict[str, Any], *, name: str) -> dict[str, Any]:
    """The same for search engines (schema.org Dataset), in the words of the page."""
    tables = described["tables"]
    stated = {"license": described["license"], "dateModified": described["made_at"]}
    return {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "name": TITLE,
        "description": LEDE,
        "url": on_site("/data"),
        "creator": {"@type": "Organization", "name": name, "url": on_site("/")},
        "variableMeasured": sorted({column["name"] for table in tables for column in table["columns"]}),
        **{key: value for key, value in stated.items() if value},
        "distribution": [
            {
                "@type": "DataDownload",
                "contentUrl": file["url"],
                "encodingFormat": FORMATS[file["format"]],
                "sha256": file["sha256"],
            }
            for table in tables
            for file in table["files"]
        ],
    }
