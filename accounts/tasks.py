from accounts import services, services_apps
from core.jobs import does

# expired tokens and codes, registered clients that nobody uses, and accounts that nobody proved
does(
    "accounts.forget_unused",
    services_apps.forget_unused,
    services.forget_unproved,
    every=3600,
    lease_seconds=300,
)
