"""How many mails a stranger can have us send: codes, links, invitations, to a box and to a domain in a day."""

import hashlib

from core.api import throttling
from core.email_addresses import mailbox, normal_or_blank
from core.free_mail import is_free_mail


def box_of(address: str) -> str:
    box = mailbox(normal_or_blank(address) or address.lower())
    return f"mail:{hashlib.sha256(box.encode()).hexdigest()}"


def enforce(address: str) -> None:
    """Count one mail that somebody asked for without proving that the address is theirs. Raises RateLimitedError.

    A domain is counted too, as its owner has as many boxes as they like; not where the boxes are many people's.
    """
    throttling.enforce("mail_box", caller=box_of(address))
    domain = address.rpartition("@")[2].lower()
    if not is_free_mail(domain):
        throttling.enforce("mail_domain", caller=f"mail:{domain}")
