"""Open data: what public pages show, as files that anybody loads, made anew each night."""

from leaderboards.open_data.tables import TABLES
from leaderboards.open_data.writing import FORMATS, newest, newest_of, write_all

__all__ = ["FORMATS", "TABLES", "newest", "newest_of", "write_all"]
