"""Reads and checks what the operator says in the environment: the variables that docs/settings.md explains."""

import ipaddress
import os
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE, FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off", ""}


def text(name: str, default: str = "") -> str:
    """The variable's value, or that of the file named by `<name>_FILE` (for mounted secrets)."""
    if path := os.environ.get(f"{name}_FILE"):
        try:
            return Path(path).read_text().strip()
        except (OSError, UnicodeDecodeError) as error:
            raise ImproperlyConfigured(f"{name}_FILE: {path} cannot be read: {error}.") from error
    return os.environ.get(name, default).strip()


def flag(name: str, default: str = "off") -> bool:
    """A switch: on/off, true/false, yes/no, 1/0."""
    value = text(name, default).lower()
    if value not in TRUE | FALSE:
        raise ImproperlyConfigured(f"{name} is {value!r}; use on or off.")
    return value in TRUE


def number(name: str, default: float) -> float:
    value = text(name, str(default))
    try:
        parsed = float(value)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} is {value!r}; use a number.") from error
    if not 0 <= parsed < float("inf"):
        raise ImproperlyConfigured(f"{name} is {value!r}; use a number from 0 up.")
    return parsed


def port(name: str, default: int) -> int:
    value = text(name, str(default))
    if not is_port(value):
        raise ImproperlyConfigured(f"{name} is {value!r}; use a number from 1 to 65535.")
    return int(value)


def is_port(value: str) -> bool:
    return value.isdecimal() and 0 < int(value) < 65_536


def choice(name: str, choices: tuple[str, ...], *, default: str) -> str:
    value = text(name, default).upper()
    if value not in choices:
        raise ImproperlyConfigured(f"{name} is {value!r}; use one of {', '.join(choices)}.")
    return value


def addresses(name: str) -> dict[str, tuple[str, int]]:
    """`host=address:port,…` as `{host: (address, port)}`, like curl's --resolve."""
    result: dict[str, tuple[str, int]] = {}
    for entry in filter(None, (piece.strip() for piece in text(name).split(","))):
        host, _, target = entry.partition("=")
        address, _, port = target.rpartition(":")
        if not (host and address and is_port(port)):
            raise ImproperlyConfigured(
                f"{name}: {entry!r} is not of the form host=address:port, with a port from 1 to 65535."
            )
        result[host.strip().lower()] = (address.strip("[]"), int(port))
    return result


def servers(name: str, *, default_port: int) -> list[tuple[str, int]]:
    """`address:port,…` as a list of pairs; a bare address takes the default port."""
    rows: list[tuple[str, int]] = []
    for entry in filter(None, (piece.strip() for piece in text(name).split(","))):
        has_port = entry.count(":") == 1 or "]:" in entry
        address, _, port = entry.rpartition(":") if has_port else (entry, "", str(default_port))
        if not (is_address(address.strip("[]")) and is_port(port)):
            raise ImproperlyConfigured(
                f"{name}: {entry!r} is not of the form address:port, with an IP address and a port from 1 to 65535."
            )
        rows.append((address.strip("[]"), int(port)))
    return rows


def is_address(value: str) -> bool:
    try:
        ipaddress.ip_address(value)
    except ValueError:
        return False
    return True


def split(name: str, url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} is not an address: {error}.") from error
    return parts


def service(name: str, default: str = "") -> str:
    """Where another service answers: an address of http or https, or nothing."""
    address = text(name, default)
    parts = split(name, address)
    if address and not (parts.scheme in {"http", "https"} and parts.hostname):
        raise ImproperlyConfigured(f"{name} must begin with http:// or https:// and name a host.")
    return address


def origins(name: str) -> list[str]:
    """`origin,…` as browsers send them: with a path, a slash at the end or capitals they would match nothing."""
    rows = text(name).replace(",", " ").split()
    for entry in rows:
        parts = split(name, entry)
        if not parts.netloc or entry != f"{parts.scheme}://{parts.netloc}".lower():
            raise ImproperlyConfigured(
                f"{name}: {entry!r} is no origin; use a scheme and a host in small letters, without a path or a slash"
                " at the end, such as https://inspector.example."
            )
    return rows


def redis(url: str) -> str:
    if split("REDIS_URL", url).scheme not in {"redis", "rediss", "unix"}:
        raise ImproperlyConfigured("REDIS_URL must begin with redis://, rediss:// or unix://.")
    return url


def database(
    url: str, *, name: str = "DATABASE_URL", patience: float = 0, session_settings: bool = True
) -> dict[str, Any]:
    """Django's description of the PostgreSQL database at `url`.

    `patience` in seconds: what takes longer is given up, whether the server works on it or hangs. Without
    `session_settings`, nothing is set on a connection and no cursor stays on one, as poolers need it.
    """
    parts = split(name, url)
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured(
            f"{name} must begin with postgres:// (PostgreSQL 15 or newer); it begins with {parts.scheme}://."
        )
    query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
    statement, lock = (f"{patience * 900:.0f}ms", f"{patience * 800:.0f}ms") if patience else ("30s", "5s")
    options = (
        f"-c statement_timeout={statement} -c lock_timeout={lock} -c idle_in_transaction_session_timeout=60s"
        " -c timezone=UTC -c jit=off"
    )
    return {
        "ENGINE": "core.postgresql",
        "NAME": unquote(parts.path.lstrip("/")) or "postgres",
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": query.pop("host", None) or unquote(parts.hostname or ""),
        "PORT": str(query.pop("port", "") or parts.port or ""),
        "CONN_MAX_AGE": 600,
        "CONN_HEALTH_CHECKS": True,
        "DISABLE_SERVER_SIDE_CURSORS": not session_settings,
        "PATIENCE": patience or None,
        "OPTIONS": {
            **({"options": options} if session_settings else {}),
            "connect_timeout": 2 if patience else 5,
            "tcp_user_timeout": 10_000,
            "keepalives_idle": 30,
            "keepalives_interval": 10,
            "keepalives_count": 3,
            **{key: query[key] for key in ("sslmode", "sslrootcert") if key in query},
        },
    }


def libpq(url: str) -> dict[str, Any]:
    """How PostgreSQL's own programs and psycopg reach the database at `url`."""
    existing = database(url)
    names = {"dbname": "NAME", "user": "USER", "password": "PASSWORD", "host": "HOST", "port": "PORT"}
    ssl = {name: value for name, value in existing["OPTIONS"].items() if name.startswith("ssl")}
    return (
        {name: existing[key] for name, key in names.items() if existing[key]} | ssl | {"connect_timeout": 5}
    )


def email(url: str) -> dict[str, Any]:
    """Django's mail settings for `smtp://user:password@host:port`, `smtps://`, `file:///folder` or `console://`."""
    parts = split("EMAIL_URL", url)
    if parts.scheme == "console":
        return {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
    if parts.scheme == "file":
        return {"EMAIL_BACKEND": "core.mail.PrivateFiles", "EMAIL_FILE_PATH": unquote(parts.path)}
    if parts.scheme not in {"smtp", "smtps", "smtp+tls"}:
        raise ImproperlyConfigured(
            "EMAIL_URL must begin with smtp://, smtps://, smtp+tls://, file:/// or console://."
        )
    return {
        "EMAIL_BACKEND": "core.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname or "localhost",
        "EMAIL_PORT": parts.port or (465 if parts.scheme == "smtps" else 25),
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_SSL": parts.scheme == "smtps",
        "EMAIL_USE_TLS": parts.scheme == "smtp+tls",
        "EMAIL_TIMEOUT": 10,
    }


S3_OPTIONS = ("endpoint_url", "region_name", "addressing_style")


def storage(name: str) -> dict[str, Any] | None:
    """Django's description of the place that a variable names; None when it names none."""
    address = text(name)
    return place(address, name=name) if address else None


def place(address: str, *, name: str) -> dict[str, Any]:
    """A folder for its owner's eyes, or `s3://bucket/prefix?endpoint_url=…&region_name=…`; keys as AWS_… variables."""
    if "://" not in address:
        modes = {"file_permissions_mode": 0o600, "directory_permissions_mode": 0o700}
        options = {"location": str(Path(address).resolve()), **(modes if name != "MEDIA_STORAGE" else {})}
        return {"BACKEND": "config.folders.Folder", "OPTIONS": options}
    parts = split(name, address)
    query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
    if parts.scheme != "s3" or not parts.netloc or set(query) - set(S3_OPTIONS):
        raise ImproperlyConfigured(
            f"{name} is a folder or s3://bucket/prefix, after which ?{'=…&'.join(S3_OPTIONS)}=… may follow."
        )
    options = {"bucket_name": parts.netloc, "location": parts.path.strip("/"), **query}
    return {"BACKEND": "config.buckets.Bucket", "OPTIONS": options}


def secret_key(data_dir: Path) -> str:
    """`SECRET_KEY`, or one made once and kept in the data folder, readable by its owner alone."""
    if own_key := text("SECRET_KEY"):
        return own_key
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
