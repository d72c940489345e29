"""Every variable of the environment that is read, with the sentence that says what it is for.

`config.environment` reads no other, and docs/settings.md is made from this: `make settings`.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Variables:
    """Variables that belong together: their names, what they are for, and what holds without them."""

    names: tuple[str, ...]
    says: str
    default: str


GROUPS: dict[str, tuple[Variables, ...]] = {
    "The service": (
        Variables(
            ("PORT", "HOST", "SITE_URL"),
            "where the service listens, and its public address",
            "8000, 127.0.0.1, `http://HOST:PORT`",
        ),
        Variables(("DATA_DIR",), "everything that is stored", "`var/`"),
        Variables(
            ("ALLOWED_HOSTS",),
            "`host,…`: further hosts that are answered, for further sites of the installation",
            "none",
        ),
        Variables(("SITE_NAME",), "the site's name", "Launch Directory"),
        Variables(
            ("DATA_LICENSE",),
            "the licence of the files at `/data`: an address that begins with https://, or its name",
            "none: the page says that none was granted",
        ),
        Variables(
            ("API_LICENSE",),
            (
                "the licence of the API, `info.license` of its OpenAPI file: an address that begins with "
                "https://, or a name of SPDX's list"
            ),
            "none",
        ),
        Variables(("DEMO_DATA",), "off: the first start loads no demo data", "on"),
        Variables(
            ("SECRET_KEY",),
            "signs sessions and links; at least 32 characters on a site with https",
            "made once, in `var/`",
        ),
        Variables(
            ("DEBUG",),
            "on: failures show their cause to whoever reads the page; never on a real server",
            "off",
        ),
        Variables(
            ("SECRET_KEY_FALLBACKS",),
            "`key,…`: former keys, which open what they signed until it ends",
            "none",
        ),
    ),
    "Database and Redis": (
        Variables(("DATABASE_URL",), "PostgreSQL 15 or newer; set: no PostgreSQL is started", "own server"),
        Variables(
            ("DATABASE_MEMORY",),
            "MB that the own PostgreSQL holds rows in (`shared_buffers`)",
            "an eighth of the memory, 64 to 2048",
        ),
        Variables(
            ("DATABASE_REPLICA_URL", "DATABASE_REPLICA_LAG"),
            (
                "a streaming replica that public reads of who is not signed in come from, while it is at most "
                "so many seconds behind"
            ),
            "none, 10",
        ),
        Variables(
            ("PREPARED_STATEMENTS",),
            (
                "off: nothing is prepared on a connection, as a transaction pooler that forgets it needs "
                "(PgBouncer before 1.21, or with `max_prepared_statements = 0`)"
            ),
            "on",
        ),
        Variables(
            ("SESSION_SETTINGS",),
            (
                "off: nothing is set on database connections, as PgBouncer in transaction mode needs it; see "
                "[operations](operations.md)"
            ),
            "on",
        ),
        Variables(
            ("DATABASE_PATIENCE",),
            "seconds; past it, the web gives a statement up, whether the server works on it or hangs",
            "5",
        ),
        Variables(("REDIS_URL",), "Valkey, or Redis 6.2 or newer; set: none is started", "own server"),
        Variables(
            ("REDIS_TIMEOUT",), "seconds; past it, nothing is cached and limits count by process", "0.25"
        ),
        Variables(
            ("DIRECT_DATABASE_URL",),
            "the server itself, where `DATABASE_URL` is a pooler; backups are read from there",
            "`DATABASE_URL`",
        ),
    ),
    "Web server and limits": (
        Variables(
            ("WEB_WORKERS", "BODY_SECONDS"),
            "processes of the web server, and how long a request's body may take",
            "2, 30",
        ),
        Variables(("RATE_LIMIT_FACTOR",), "multiplies every rate limit and daily cap", "1"),
        Variables(("TRUSTED_PROXIES",), "how many proxies in front may name the caller's address", "0"),
        Variables(
            ("STAFF_SECOND_FACTOR",),
            "on: the back office opens only to staff with an authenticator app; advised on real servers",
            "off",
        ),
        Variables(
            ("SECURE_SSL_REDIRECT", "SECURE_HSTS_SECONDS"),
            (
                "whether plain http is led to https here, and for how long browsers remember to ask by https "
                "alone"
            ),
            "off; a year where `SITE_URL` is https, else 0",
        ),
        Variables(
            ("MCP_ALLOWED_ORIGINS", "MCP_CHALLENGE"),
            (
                "further browser origins that the MCP endpoint takes, and where it asks for credentials: "
                "`http` or `result`"
            ),
            "none, `http`",
        ),
    ),
    "People and mail": (
        Variables(
            ("CONTACT_EMAIL",),
            (
                "where people write to: shown at `/contact`, and the Reply-To of every mail. Without it mails "
                "ask nobody for an answer, and `doctor` says so"
            ),
            "none; `/contact` shows `hello@` the site's host",
        ),
        Variables(
            ("DEFAULT_FROM_EMAIL",),
            "what mails are from, such as `Launch <hello@launch.example>`",
            "`no-reply@` the site's host",
        ),
        Variables(("SECURITY_CONTACT",), "the contact of security.txt", "`mailto:security@` the site's host"),
        Variables(
            ("EMAIL_URL",),
            (
                "`smtp://user:password@host:port`, `smtps://…`, `smtp+tls://…` (STARTTLS), `file:///folder`, "
                "`console://`"
            ),
            "files in `var/mail`",
        ),
    ),
    "Drafting": (
        Variables(
            ("CRAWL_RESOLVE",),
            "`host=address:port,…`: these hosts are reached there, by plain http (for tests)",
            "the demo's site, on loopback only",
        ),
        Variables(("DNS_SERVERS",), "`address:port,…`", "the system's"),
        Variables(
            ("DOMAIN_RATING_URL", "DOMAIN_RATING_KEY", "DOMAIN_RATING_SOURCE"),
            'a rating service: `GET <url>?domain=…` answering `{"domain_rating": 0 to 100}`',
            "none",
        ),
        Variables(
            ("CRAWL_PROCESSES",),
            ("processes of all crawlers together; one person's sites, and all slow sites, get half of them"),
            "4",
        ),
    ),
    "Money": (
        Variables(
            ("STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_API_BASE", "STRIPE_PAYPAL"),
            (
                "cards and wallets by Stripe, with `STRIPE_PAYPAL=on` PayPal too; its events come to "
                "`/webhooks/stripe`"
            ),
            "none",
        ),
        Variables(
            ("PAYPAL_CLIENT_ID", "PAYPAL_CLIENT_SECRET", "PAYPAL_WEBHOOK_ID", "PAYPAL_API_BASE"),
            "PayPal by PayPal; `/webhooks/paypal`",
            "none; `https://api-m.paypal.com`",
        ),
        Variables(
            ("BTCPAY_URL", "BTCPAY_API_KEY", "BTCPAY_STORE_ID", "BTCPAY_WEBHOOK_SECRET"),
            "crypto by a BTCPay server; `/webhooks/btcpay`",
            "none",
        ),
        Variables(
            ("TEST_MONEY",),
            'on: with none of the three people pay with test money; off: "Checkout is not open yet"',
            "on where `SITE_URL` and `HOST` are loopback",
        ),
        Variables(
            ("CURRENCY",), "ISO 4217 code of all money of the site, of a currency with two decimals", "EUR"
        ),
        Variables(
            ("SELLER_COUNTRY", "SELLER_VAT_NUMBER"),
            "where the seller is, and its VAT number for invoices",
            "BE, none",
        ),
        Variables(
            ("SELLER_TIME_ZONE",),
            "whose day and year the dates and numbers of documents are, such as `Europe/Brussels`",
            "that of the seller's capital",
        ),
        Variables(
            ("VAT_OSS",),
            "off: buyers elsewhere in the EU pay the seller's VAT rate instead of their own",
            "on",
        ),
        Variables(
            ("SHOWN_PRICES",),
            (
                "how prices are shown before checkout: `by_buyer` (consumers with VAT once their country is "
                "known, businesses with a VAT number without), `with_vat` or `without_vat`"
            ),
            "`by_buyer`",
        ),
        Variables(
            ("NETWORK_COUNTRIES",),
            (
                "a file with the country of each network, a line `first address,last address,two letters` for each "
                "range, sorted, as DB-IP publishes it: one more thing that says where a buyer is"
            ),
            "none: networks say nothing",
        ),
        Variables(
            ("VIES_URL",),
            ("the service that says whether VAT numbers are registered: `<base>/ms/{country}/vat/{number}`"),
            "the EU's",
        ),
        Variables(
            ("SELLER_NAME", "SELLER_ADDRESS", "SELLER_EMAIL", "SELLER_REGISTRATION"),
            (
                "who sells, as invoices say it, beside `SELLER_COUNTRY` and `SELLER_VAT_NUMBER`; the "
                "registration is a line such as a company number"
            ),
            "the site's name",
        ),
        Variables(
            ("INVOICE_FILES",),
            "off: PDFs of invoices are made when somebody asks for one, and are not attached to mails",
            "on",
        ),
        Variables(
            ("PEPPOL_URL", "PEPPOL_TOKEN"),
            (
                "where your access point takes UBL documents by POST, and its bearer token; without them "
                "they wait on the start page of the back office"
            ),
            "none",
        ),
        Variables(
            ("DATEV_CONSULTANT", "DATEV_CLIENT", "DATEV_ACCOUNTS"),
            (
                "for the file of bookings for DATEV: Berater, Mandant, and the accounts, such as "
                "`debtor=10000,domestic=4400,oss=4320,reverse_charge=4336,elsewhere=4338,outside_scope=4338,"
                "vat=3806,vat_oss=3817`"
            ),
            "none; the accounts of the SKR03",
        ),
        Variables(
            ("TERMS_URL",), "terms of sale that the checkout page and the OpenAPI file link to", "`/terms`"
        ),
    ),
    "Files, backups and figures": (
        Variables(
            ("OTEL_EXPORTER_OTLP_ENDPOINT",),
            (
                "where traces are sent (OTLP over HTTP), with OpenTelemetry's own `OTEL_…` variables beside "
                "it; wants `requirements/traces.lock`"
            ),
            "none: off",
        ),
        Variables(
            ("METRICS_TOKEN",),
            "the bearer token that `/metrics` is asked with",
            "none: closed, but on loopback",
        ),
        Variables(
            ("BACKUP_TO", "BACKUP_KEEP"),
            (
                "a folder or `s3://bucket/prefix?endpoint_url=…&region_name=…` that gets a backup each night, "
                "and how many stay"
            ),
            "nowhere, 7",
        ),
        Variables(
            ("MEDIA_STORAGE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"),
            (
                "a folder or such a bucket for logos and uploads; keys of buckets are `AWS_ACCESS_KEY_ID`, "
                "`AWS_SECRET_ACCESS_KEY`"
            ),
            "`media/` in `DATA_DIR`",
        ),
        Variables(
            ("LOG_LEVEL", "LOG_FORMAT"),
            "how much is logged, and as `json` or, for people, `console`",
            "INFO; `console` for `make up` in a terminal, else `json`",
        ),
    ),
    "A language model": (
        Variables(
            ("OPENAI_API_KEY", "OPENAI_BASE_URL", "AI_MODEL"),
            (
                "a model that writes drafts, at any server that speaks OpenAI's chat completions: at most two "
                "questions a draft; without a key the rules alone write, and they stand when it fails"
            ),
            "none, OpenAI's, `gpt-4o-mini`",
        ),
        Variables(
            ("AI_TIMEOUT",),
            "seconds that all questions of one draft may take together; at most 600, which models that think long need",
            "120",
        ),
        Variables(
            ("AI_STREAM", "AI_ASKS_AGAIN"),
            (
                "whether answers are asked for piece by piece, and whether the model is asked once more about the "
                "sentences on which words alone cannot decide"
            ),
            "off, off",
        ),
        Variables(
            ("AI_INPUT_TOKENS", "AI_OUTPUT_TOKENS"),
            "tokens of one question, and of one answer",
            "16000, 8000",
        ),
        Variables(
            ("AI_TOKENS_PER_USER_A_DAY", "AI_TOKENS_A_DAY"),
            "past these the rules alone write, until midnight UTC",
            "300000, 10000000",
        ),
        Variables(
            ("AI_PRICE_IN", "AI_PRICE_OUT"),
            "price of a million tokens; staff see the cost of each draft",
            "0, 0",
        ),
    ),
}
NAMES = frozenset(name for group in GROUPS.values() for entry in group for name in entry.names)
