"""Reads and checks what the operator says in the environment."""

import os
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE, FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off", ""}


def text(name: str, default: str = "") -> str:
    """The variable's value, or that of the file named by `<name>_FILE` (for mounted secrets)."""
    if path := os.environ.get(f"{name}_FILE"):
        return Path(path).read_text().strip()
    return os.environ.get(name, default).strip()


def flag(name: str, default: str = "off") -> bool:
    """A switch: on/off, true/false, yes/no, 1/0."""
    value = text(name, default).lower()
    if value not in TRUE | FALSE:
        raise ImproperlyConfigured(f"{name} is {value!r}; use on or off.")
    return value in TRUE


def number(name: str, default: float) -> float:
    """A number that is not negative."""
    value = text(name, str(default))
    try:
        parsed = float(value)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} is {value!r}; use a number.") from error
    if not 0 <= parsed < float("inf"):
        raise ImproperlyConfigured(f"{name} is {value!r}; use a number from 0 up.")
    return parsed


def addresses(name: str) -> dict[str, tuple[str, int]]:
    """`host=address:port,…` as `{host: (address, port)}`, like curl's --resolve."""
    found: dict[str, tuple[str, int]] = {}
    for entry in filter(None, (piece.strip() for piece in text(name).split(","))):
        host, _, target = entry.partition("=")
        address, _, port = target.rpartition(":")
        if not (host and address and port.isdigit()):
            raise ImproperlyConfigured(f"{name}: {entry!r} is not of the form host=address:port.")
        found[host.strip().lower()] = (address.strip("[]"), int(port))
    return found


def servers(name: str, *, default_port: int) -> list[tuple[str, int]]:
    """`address:port,…` as a list of pairs; a bare address takes the default port."""
    found: list[tuple[str, int]] = []
    for entry in filter(None, (piece.strip() for piece in text(name).split(","))):
        address, _, port = entry.rpartition(":") if entry.count(":") == 1 else (entry, "", "")
        if port and not port.isdigit():
            raise ImproperlyConfigured(f"{name}: {entry!r} is not of the form address:port.")
        found.append(((address or entry).strip("[]"), int(port or default_port)))
    return found


def database(url: str) -> dict[str, Any]:
    """Django's description of the PostgreSQL database at `url`."""
    parts = urlsplit(url)
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured(
            f"DATABASE_URL must begin with postgres:// (PostgreSQL 15 or newer); it begins with {parts.scheme}://."
        )
    query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
    host = query.pop("host", None) or unquote(parts.hostname or "")
    return {
        "ENGINE": "core.postgresql",
        "NAME": unquote(parts.path.lstrip("/")) or "postgres",
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": str(query.pop("port", "") or parts.port or ""),
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            "options": "-c statement_timeout=30s -c lock_timeout=5s -c idle_in_transaction_session_timeout=60s"
            " -c timezone=UTC -c jit=off",
            "connect_timeout": 5,
            **{key: query[key] for key in ("sslmode", "sslrootcert") if key in query},
        },
    }


def email(url: str) -> dict[str, Any]:
    """Django's mail settings for `smtp://user:password@host:port`, `smtps://`, `file:///folder` or `console://`."""
    parts = urlsplit(url)
    if parts.scheme == "console":
        return {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
    if parts.scheme == "file":
        return {
            "EMAIL_BACKEND": "core.mail.PrivateFiles",
            "EMAIL_FILE_PATH": unquote(parts.path),
        }
    if parts.scheme not in {"smtp", "smtps", "smtp+tls"}:
        raise ImproperlyConfigured(
            "EMAIL_URL must begin with smtp://, smtps://, smtp+tls://, file:/// or console://."
        )
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname or "localhost",
        "EMAIL_PORT": parts.port or (465 if parts.scheme == "smtps" else 25),
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_SSL": parts.scheme == "smtps",
        "EMAIL_USE_TLS": parts.scheme == "smtp+tls",
        "EMAIL_TIMEOUT": 10,
    }


def secret_key(data_dir: Path) -> str:
    """`SECRET_KEY`, or one made once and kept in the data folder, readable by its owner alone."""
    if given := text("SECRET_KEY"):
        return given
    path = data_dir / "secret_key"
    if not path.exists():
        data_dir.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(f".{os.getpid()}")
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_urlsafe(50))
        try:
            os.link(fresh, path)
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
    return path.read_text().strip()
