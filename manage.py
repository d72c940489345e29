#!/usr/bin/env python
"""Django's command line for this project."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import OperationalError


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except OperationalError as error:
        if "--traceback" in sys.argv or getattr(error.__cause__, "sqlstate", None):
            raise  # it did answer
        reason = str(error).partition("\n")[0]
        sys.exit(f"The database does not answer ({reason}); see docs/runbook/database-away.md.")


if __name__ == "__main__":
    main()
