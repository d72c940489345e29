"""The first proof of an address.

allauth's mailed code confirms an address without asking the adapter. Its signal is the one thing that every
proof passes: link, code, reset and staff. That is why this area listens to it.
"""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.account.signals import email_confirmed
from django.contrib import messages
from django.http import HttpRequest
from django.utils import timezone

from accounts import services_apps
from accounts.adapter import pop_chosen_password

STARTED_AFRESH = (
    "A password that was typed for this account elsewhere, before the address was confirmed, does not count. "
    "Choose one under Account, Password, or sign in with a code by e-mail."
)


def begin_with_proof(request: HttpRequest, email_address: EmailAddress, **_: Any) -> None:
    """Leave nothing that was set before the proof, unless this browser set it.

    Anybody can sign up with somebody else's address; whoever opens its mail owns it.
    """
    user: Any = email_address.user
    if request.user.pk == user.pk:
        return
    if chosen := pop_chosen_password(request, user=user):
        user.password = chosen
        user.save(update_fields=["password"])
        return
    services_apps.end_access(user=user, at=timezone.now())
    adapter = get_adapter(request)
    adapter.add_message(request, messages.INFO, message=STARTED_AFRESH)
    adapter.send_notification_mail("account/email/started_afresh", user, email=email_address.email)


email_confirmed.connect(begin_with_proof)
