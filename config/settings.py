"""Settings: the environment in, grouped by concern. Every outside service is off or sandboxed by default."""

import gc
import mimetypes
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from config import environment as env
from config import log_settings, refusals
from config.embedded import paths as embedded

gc.set_threshold(10_000)  # what is loaded stays: searches for garbage took a fifth of each start

BASE_DIR = Path(__file__).resolve().parent.parent
VERSION: str = tomllib.loads((BASE_DIR / "pyproject.toml").read_text())["project"]["version"]
DATA_DIR = Path(env.text("DATA_DIR") or BASE_DIR / "var").resolve()

# The service and its address
DEBUG = env.flag("DEBUG")
HOST, PORT = env.text("HOST", "127.0.0.1"), env.port("PORT", 8000)
SITE_URL = refusals.site_url(env.text("SITE_URL")) or f"http://{HOST}:{PORT}"
SITE_NAME = env.text("SITE_NAME", "Launch Directory")
HTTPS = SITE_URL.startswith("https://")
IS_LOCAL = refusals.is_loopback(urlsplit(SITE_URL).hostname or "")
ON_LOOPBACK = IS_LOCAL and refusals.is_loopback(HOST)  # nobody but this machine reaches it
SECRET_KEY_FALLBACKS = list(filter(None, env.text("SECRET_KEY_FALLBACKS").split(",")))
SECRET_KEY = refusals.secret_key(env.secret_key(DATA_DIR), former=SECRET_KEY_FALLBACKS, is_public=HTTPS)
ALLOWED_HOSTS = [
    host
    for host in {
        urlsplit(SITE_URL).hostname or "",
        HOST,
        "localhost",
        ".localhost",
        "127.0.0.1",
        *env.text("ALLOWED_HOSTS").replace(" ", "").split(","),
    }
    if host
]
CSRF_TRUSTED_ORIGINS = [SITE_URL]
TRUSTED_PROXIES = int(env.number("TRUSTED_PROXIES", 0))
LARGEST_BODY = 5 * 1024 * 1024  # of any operation or form: a picture, all fields of a draft
BODY_SECONDS = env.number("BODY_SECONDS", 30)  # within which the whole body of a request must be here

# Databases: PostgreSQL is the record, Redis carries hints, limits and caches
DATABASE_URL = env.text("DATABASE_URL") or embedded.database_url(DATA_DIR)
REDIS_URL = env.redis(env.text("REDIS_URL") or embedded.redis_url(DATA_DIR))
DATABASES = {
    "default": env.database(
        DATABASE_URL,
        patience=env.number("DATABASE_PATIENCE", 0),  # seconds; `config.serve` sets it for the web
        session_settings=env.flag("SESSION_SETTINGS", "on"),  # off behind a pooler that refuses `options`
    )
}
DIRECT_DATABASE_URL = env.text("DIRECT_DATABASE_URL") or DATABASE_URL  # what pg_dump reads, past a pooler
DATABASE_REPLICA_URL = env.text("DATABASE_REPLICA_URL")
DATABASE_REPLICA_LAG = env.number("DATABASE_REPLICA_LAG", 10)  # seconds; further behind, it is not read from
if DATABASE_REPLICA_URL:
    DATABASES["replica"] = env.database(
        DATABASE_REPLICA_URL,
        name="DATABASE_REPLICA_URL",
        patience=2,
        session_settings=env.flag("SESSION_SETTINGS", "on"),
    ) | {"TEST": {"MIRROR": "default"}}
PREPARED_STATEMENTS = env.flag("PREPARED_STATEMENTS", "on")  # off behind a pooler that does not pass them on
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
REDIS_TIMEOUT = env.number("REDIS_TIMEOUT", 0.25)  # seconds; past it, caches miss and limits count by process
CACHES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "core.cache.FailSoftRedisCache", "LOCATION": REDIS_URL, "TIMEOUT": 300},
    "process": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 10_000},
    },
}

# Applications
SITE_ID = 1
INSTALLED_APPS = [
    "config.apps.ConfigConfig",
    "core.apps.CoreConfig",
    "accounts.apps.AccountsConfig",
    "directory.apps.DirectoryConfig",
    "leaderboards.apps.LeaderboardsConfig",
    "claims.apps.ClaimsConfig",
    "drafts.apps.DraftsConfig",
    "orders.apps.OrdersConfig",
    "config.apps.StaffAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sites",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "oauth2_provider",
    "allauth",
    "allauth.account",
    "allauth.mfa",
]
MIDDLEWARE = [
    "core.middleware.AnswerMiddleware",
    "directory.sites.lookup.with_addresses",
    "core.middleware.Compression",
    "core.middleware.CachedReads",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.page_answers.PageAnswers",
    "config.page_answers.MarkdownPages",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "config.page_answers.PageLimits",
    "django.contrib.messages.middleware.MessageMiddleware",
    "config.staff.seeing.SeesAs",
    "allauth.account.middleware.AccountMiddleware",
    "config.page_answers.PublicPages",
]
TRACES = bool(env.text("OTEL_EXPORTER_OTLP_ENDPOINT"))  # which OpenTelemetry's SDK reads itself, like OTEL_*
if TRACES:
    MIDDLEWARE.insert(0, "core.middleware.TracedRequests")
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
PARTS_OF_PAGES = ("addresses", "boards", "forms", "prices", "quotes", "site", "staff", "texts")
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "config" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.context.site",
            ],
            "builtins": [
                "django.templatetags.static",
                *("accounts.templatetags.account_menu", "orders.templatetags.orders"),
                *(f"config.templatetags.{name}" for name in PARTS_OF_PAGES),
            ],
        },
    }
]

# People
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.backends.Backend"]
PASSWORD_HASHERS = [
    "accounts.hashers.BoundedArgon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL, LOGIN_REDIRECT_URL, LOGOUT_REDIRECT_URL = "/accounts/login/", "/account", "/"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = False
ACCOUNT_LOGIN_BY_CODE_ENABLED = ACCOUNT_LOGIN_BY_CODE_SUPPORTS_RESEND = True
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 600
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_SESSION_REMEMBER = True
PASSWORD_RESET_TIMEOUT = 3600
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "accounts.forms.SignInForm",
    "signup": "accounts.forms.SignUpForm",
    "add_email": "accounts.forms.AddAddressForm",
    "reset_password": "accounts.forms.ResetForm",
    "request_login_code": "accounts.forms.CodeForm",
    "reset_password_from_key": "accounts.forms.NewPasswordForm",
}
STAFF_SECOND_FACTOR = env.flag("STAFF_SECOND_FACTOR")  # the back office opens only to staff who have one
MFA_ADAPTER = "accounts.adapter.MFAAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER, MFA_TOTP_TOLERANCE = SITE_NAME, 1
MFA_FORMS = {
    "authenticate": "accounts.forms.SecondFactorForm",
    "reauthenticate": "accounts.forms.SecondFactorAgainForm",
}
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_HTTPONLY = True

# Security headers
SECURE_SSL_REDIRECT = env.flag("SECURE_SSL_REDIRECT")
SECURE_HSTS_SECONDS = int(env.number("SECURE_HSTS_SECONDS", 31_536_000 if HTTPS else 0))
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_REFERRER_POLICY = "strict-origin-when-cross-origin"
X_FRAME_OPTIONS = "DENY"
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# The API
APPEND_SLASH = False
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["accounts.authentication.BearerAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_THROTTLE_CLASSES": [],
    "DEFAULT_PARSER_CLASSES": ["core.api.bodies.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["core.api.bodies.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "core.api.bodies.Negotiation",
    "DEFAULT_SCHEMA_CLASS": "core.api.schema.OperationSchema",
    "EXCEPTION_HANDLER": "core.api.handler.handle",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
    "URL_FORMAT_OVERRIDE": None,
    "NON_FIELD_ERRORS_KEY": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": f"{SITE_NAME} API",
    "VERSION": "1.0.0",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SCHEMA_PATH_PREFIX_TRIM": True,
    "SERVERS": [{"url": f"{SITE_URL}/api/v1"}],
    "COMPONENT_SPLIT_REQUEST": True,
    "COMPONENT_SPLIT_PATCH": False,
    "ENFORCE_NON_BLANK_FIELDS": True,
    "ENUM_ADD_EXPLICIT_BLANK_NULL_CHOICE": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "SORT_OPERATIONS": False,
    "POSTPROCESSING_HOOKS": ["core.api.schema.finish", "config.docs.document.complete"],
    "PREPROCESSING_HOOKS": ["core.api.schema.only_operations"],
}
CURRENCY = refusals.currency(env.text("CURRENCY", "EUR"))
SELLER_COUNTRY = refusals.seller_country(env.text("SELLER_COUNTRY", "BE"))
SELLER_TIME_ZONE = refusals.time_zone(env.text("SELLER_TIME_ZONE"))  # of documents; empty: its country's
SELLER_VAT_NUMBER = env.text("SELLER_VAT_NUMBER")
SELLER_NAME, SELLER_ADDRESS = env.text("SELLER_NAME", SITE_NAME), env.text("SELLER_ADDRESS")
SELLER_EMAIL, SELLER_REGISTRATION = env.text("SELLER_EMAIL"), env.text("SELLER_REGISTRATION")
TERMS_URL = env.text("TERMS_URL")
INVOICE_FILES = env.flag("INVOICE_FILES", "on")  # made and attached at once, not only when somebody asks
PEPPOL_URL, PEPPOL_TOKEN = env.service("PEPPOL_URL"), env.text("PEPPOL_TOKEN")
DATEV_CONSULTANT, DATEV_CLIENT = env.text("DATEV_CONSULTANT"), env.text("DATEV_CLIENT")
DATEV_ACCOUNTS = env.text("DATEV_ACCOUNTS")
SHOWN_PRICES = refusals.choice(
    env.text("SHOWN_PRICES", "by_buyer"), "by_buyer", "with_vat", "without_vat", name="SHOWN_PRICES"
)
NETWORK_COUNTRIES = env.text("NETWORK_COUNTRIES")  # a table of the country of each network
VAT_OSS = env.flag("VAT_OSS", "on")  # VAT of the buyer's country, through the EU's one-stop shop
VIES_URL = env.service("VIES_URL", "https://ec.europa.eu/taxation_customs/vies/rest-api")
DOMAIN_RATING_URL, DOMAIN_RATING_KEY = env.service("DOMAIN_RATING_URL"), env.text("DOMAIN_RATING_KEY")
DOMAIN_RATING_SOURCE = env.text("DOMAIN_RATING_SOURCE", "rating service")
RATE_LIMIT_FACTOR = env.number("RATE_LIMIT_FACTOR", 1)

# Payments: whoever has a key here is on; with none of them test money is, where only this machine can pay with it
TEST_MONEY = env.flag("TEST_MONEY", "on" if ON_LOOPBACK else "off")
STRIPE_SECRET_KEY = env.text("STRIPE_SECRET_KEY")
STRIPE_WEBHOOK_SECRET = refusals.webhook_secret(
    env.text("STRIPE_WEBHOOK_SECRET"),
    name="STRIPE_WEBHOOK_SECRET",
    beside="STRIPE_SECRET_KEY",
    is_on=bool(STRIPE_SECRET_KEY),
)
STRIPE_API_BASE, STRIPE_PAYPAL = env.service("STRIPE_API_BASE"), env.flag("STRIPE_PAYPAL")
PAYPAL_CLIENT_ID, PAYPAL_CLIENT_SECRET = env.text("PAYPAL_CLIENT_ID"), env.text("PAYPAL_CLIENT_SECRET")
PAYPAL_WEBHOOK_ID = env.text("PAYPAL_WEBHOOK_ID")
PAYPAL_API_BASE = env.service("PAYPAL_API_BASE", "https://api-m.paypal.com")
BTCPAY_URL, BTCPAY_STORE_ID = env.service("BTCPAY_URL"), env.text("BTCPAY_STORE_ID")
BTCPAY_API_KEY = env.text("BTCPAY_API_KEY")
BTCPAY_WEBHOOK_SECRET = refusals.webhook_secret(
    env.text("BTCPAY_WEBHOOK_SECRET"),
    name="BTCPAY_WEBHOOK_SECRET",
    beside="BTCPAY_URL",
    is_on=bool(BTCPAY_URL),
)

# Sign-in: so many tries a minute (or other time) for one address, account or person
SIGN_IN_LIMITS = {
    "login": [(30, "m/ip")],
    "login_failed": [(10, "m/ip"), (5, "300s/key")],
    "request_login_code": [(20, "m/ip"), (3, "m/key")],
    "reset_password": [(20, "m/ip"), (5, "m/key")],
    "reset_password_from_key": [(20, "m/ip")],
    "signup": [(20, "m/ip")],
    "confirm_email": [(1, "180s/key")],
    "reauthenticate": [(10, "m/user")],
    "change_password": [(5, "m/user")],
    "manage_email": [(10, "m/user")],
}
ACCOUNT_RATE_LIMITS = {
    action: ",".join(f"{max(1, round(limit * RATE_LIMIT_FACTOR))}/{per}" for limit, per in limits)
    for action, limits in SIGN_IN_LIMITS.items()
}

# Programs that sign people in: see accounts/oauth
OAUTH2_PROVIDER_APPLICATION_MODEL = "oauth2_provider.Application"
OAUTH2_PROVIDER: dict[str, Any] = {
    "SCOPES": {
        "account:read": "See your account, drafts, listings, claims and orders",
        "listings:write": "Submit products, and edit and launch your listings",
        "orders:write": "Price orders and make checkout links (you pay yourself)",
    },
    "DEFAULT_SCOPES": ["account:read"],
    "OAUTH2_SERVER_CLASS": "accounts.oauth.validator.Server",
    "OAUTH2_VALIDATOR_CLASS": "accounts.oauth.validator.Validator",
    "OIDC_ISS_ENDPOINT": SITE_URL,
    "PKCE_REQUIRED": True,
    "AUTHORIZATION_CODE_EXPIRE_SECONDS": 60,
    "ACCESS_TOKEN_EXPIRE_SECONDS": 4 * 3600,
    "REFRESH_TOKEN_EXPIRE_SECONDS": 30 * 86400,
    "ROTATE_REFRESH_TOKEN": True,
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    "CIMD_ENABLED": True,
    "CIMD_METADATA_FETCHER": "accounts.oauth.client_metadata.DocumentFetcher",
    "CIMD_REGISTRATION_PERMISSION_CLASSES": ["accounts.oauth.validator.FromSignedInPage"],
    # RFC 9700; plain http redirects are for loopback alone, which accounts/oauth/addresses.py sees to
    **{
        f"COMPLIANT_BCP_RFC9700_{gate}": True
        for gate in (
            "IMPLICIT_GRANT",
            "PASSWORD_GRANT",
            "PKCE_METHOD",
            "ACCESS_TOKEN_TRANSPORT",
            "AUTHZ_RESPONSE_ISS",
            "TOKEN_STORAGE",
            "REFRESH_TOKEN",
            "REDIRECT_URI_MATCHING",
            "PKCE_REQUIRED",
        )
    },
}

# The MCP endpoint: browser origins it takes beside ours and local ones, and where a challenge goes (http or result)
MCP_ALLOWED_ORIGINS = env.origins("MCP_ALLOWED_ORIGINS")
MCP_CHALLENGE = refusals.choice(env.text("MCP_CHALLENGE", "http"), "http", "result", name="MCP_CHALLENGE")
MAIL_REPLY_TO = env.text(
    "CONTACT_EMAIL"
)  # who reads what people answer; mails ask for an answer only with it
CONTACT_EMAIL = MAIL_REPLY_TO or f"hello@{urlsplit(SITE_URL).hostname}"
SECURITY_CONTACT = env.text("SECURITY_CONTACT") or f"mailto:security@{urlsplit(SITE_URL).hostname}"

# Work in the background
CELERY_BROKER_URL = REDIS_URL
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", f"{SITE_NAME} <no-reply@{urlsplit(SITE_URL).hostname}>")
EMAIL_URL = env.text("EMAIL_URL") or f"file://{DATA_DIR / 'mail'}"
globals().update(env.email(EMAIL_URL))

DATA_LICENSE, API_LICENSE = env.text("DATA_LICENSE"), env.text("API_LICENSE")

# Crawling and drafting
DEMO_RESOLVE = {"harbourlight.example": ("127.0.0.1", PORT + 1000)}
CRAWL_RESOLVE = env.addresses("CRAWL_RESOLVE") or (DEMO_RESOLVE if IS_LOCAL else {})
DNS_SERVERS = env.servers("DNS_SERVERS", default_port=53)
CRAWL_PROCESSES = env.number("CRAWL_PROCESSES", 4)  # of all crawlers together
CRAWLER_TOKEN = "LaunchDirectoryBot"  # noqa: S105  (the product token of robots.txt, no secret)
CRAWLER_USER_AGENT = f"{CRAWLER_TOKEN}/1.0 (+{SITE_URL}/crawler)"
OPENAI_API_KEY, OPENAI_BASE_URL = env.text("OPENAI_API_KEY"), env.service("OPENAI_BASE_URL")
AI_MODEL = env.text("AI_MODEL", "gpt-4o-mini")
# Seconds for all questions of one draft; tokens of one question, of one answer and of a day; prices per million
AI_TIMEOUT = min(env.number("AI_TIMEOUT", 120), 600)
AI_STREAM, AI_ASKS_AGAIN = env.flag("AI_STREAM"), env.flag("AI_ASKS_AGAIN")
AI_INPUT_TOKENS = int(env.number("AI_INPUT_TOKENS", 16_000))
AI_OUTPUT_TOKENS = int(env.number("AI_OUTPUT_TOKENS", 8_000))
AI_TOKENS_PER_USER_A_DAY = int(env.number("AI_TOKENS_PER_USER_A_DAY", 300_000))
AI_TOKENS_A_DAY = int(env.number("AI_TOKENS_A_DAY", 10_000_000))
AI_PRICE_IN, AI_PRICE_OUT = env.number("AI_PRICE_IN", 0), env.number("AI_PRICE_OUT", 0)

# Files
STATIC_URL, STATIC_ROOT = "/static/", DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "config" / "static"]
MEDIA_URL, MEDIA_ROOT = "/media/", DATA_DIR / "media"
STORAGES: dict[str, Any] = {
    "default": env.storage("MEDIA_STORAGE") or {"BACKEND": "config.folders.Folder"},
    "staticfiles": {"BACKEND": "config.static_files.Storage"},
}
mimetypes.add_type("font/woff2", ".woff2")
BACKUP_TO = env.text("BACKUP_TO")  # nightly, to a folder or a bucket; nowhere unless named
if backups := env.storage("BACKUP_TO"):
    STORAGES["backups"] = backups
BACKUP_KEEP = int(env.number("BACKUP_KEEP", 7))

# Language and time
LANGUAGE_CODE, TIME_ZONE, USE_TZ, USE_I18N = "en-gb", "UTC", True, True
FORMAT_MODULE_PATH = ["config.formats"]  # 24 hours a day, with the weekday

# Logs and figures
METRICS_TOKEN = env.text("METRICS_TOKEN")  # the bearer token of /metrics; none: closed, but on loopback
LOG_LEVEL = env.choice("LOG_LEVEL", ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"), default="INFO")
LOG_FORMAT = env.choice("LOG_FORMAT", log_settings.FORMATS, default="JSON")
LOGGING = log_settings.logging_of(level=LOG_LEVEL, form=LOG_FORMAT)
