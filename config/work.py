"""Runs a Celery worker, with the options of `celery -A config worker`: `python -m config.work --queues crawl,ai`.

Celery's own program does the same and loads its shell and all its other commands besides, 8 MB in each worker.
"""

import importlib.util
import sys

from celery.bin.base import CLIContext
from celery.bin.worker import worker

from config.celery import app

AT_FIRST_USE = (
    "jwcrypto.jwk",
)  # 9 MB with `cryptography`, to sign OpenID Connect's tokens, which no job does


def main() -> None:
    for name in AT_FIRST_USE:
        load_at_first_use(name)
    worker.main(obj=CLIContext(app=app, no_color=False, workdir="", quiet=True))


def load_at_first_use(name: str) -> None:
    """Have the module be there at once and be loaded when something of it is asked for."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(name)
    spec.loader = importlib.util.LazyLoader(spec.loader)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    package, _, own_name = name.rpartition(".")
    setattr(sys.modules[package], own_name, module)  # a plain `from package import name` leaves it unloaded


if __name__ == "__main__":
    main()
