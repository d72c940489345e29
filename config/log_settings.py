"""How lines are logged, as Django's LOGGING says it: JSON for programs, plain words for a person at a terminal."""

from typing import Any

FORMATS = ("JSON", "CONSOLE")

# libraries that tell of each request, task or token
QUIET = ("httpx2", "httpcore2", "openai", "urllib3", "celery", "oauth2_provider")


def logging_of(*, level: str, form: str) -> dict[str, Any]:
    """The settings of all loggers. A request's JSON line is ready when it is logged, which is cheap."""
    is_json = form == "JSON"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "json": {"()": "core.logs.formatter"},
            "console": {"()": "core.logs.console_formatter"},
            "ready": {"format": "%(message)s"},
        },
        "filters": {
            "outages": {"()": "core.logs.NoOutages"},
            "restarts": {"()": "core.logs.NoRestarts"},
            "routine": {"()": "core.logs.NoRoutine"},
        },
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "json" if is_json else "console",
                "filters": [] if is_json else ["routine"],
            },
            "requests": {"class": "logging.StreamHandler", "formatter": "ready" if is_json else "console"},
        },
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django.request": {"level": "ERROR", "filters": ["outages"]},
            "requests": {"handlers": ["requests"], "propagate": False},
            "django.security.DisallowedHost": {"level": "CRITICAL"},
            **{name: {"level": "WARNING"} for name in QUIET},
            # billiard's own, which hands nothing on by itself
            "multiprocessing": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
            # an outage is one line, by core.outages
            "celery.bootsteps": {"level": "CRITICAL"},
            "celery.worker.consumer": {"level": "CRITICAL"},
            "celery.worker.consumer.consumer": {"filters": ["restarts"]},
        },
    }
