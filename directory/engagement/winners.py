"""Anybody gets a week's winners by mail: who asks confirms first, and is forgotten with one press."""

from datetime import datetime

from django.core.signing import BadSignature, Signer
from django.db import transaction

from core import mail
from core.api import throttling
from core.api.errors import NotFoundError
from core.api.links import addresses_of, on_site
from core.models import Job, Mail
from directory import limits
from directory.models import Site, WinnersReader
from directory.sites.lookup import address_of

SIGNER = Signer(sep=".", salt="directory.winners")
CONFIRM, WEEKLY = "directory/mail/winners_confirm", "directory/mail/winners"


def ask(*, site: Site, email: str, network: str, at: datetime) -> None:
    """Mail the address a link that confirms it; nothing where it is confirmed, so that nobody learns who reads.

    Raises RateLimitedError for too many from one network or to one address.
    """
    throttling.enforce("winners", caller=network)
    throttling.enforce("winners_address", caller=mail.box_of(email))
    mail.enforce(email)
    with transaction.atomic():
        reader, _ = WinnersReader.objects.update_or_create(
            site=site, email=email, defaults={}, create_defaults={"created_at": at}
        )
        if reader.confirmed_at is None:
            WinnersReader.objects.filter(pk=reader.pk).update(created_at=at)
            _write_confirm(reader, site=site, at=at)


def _write_confirm(reader: WinnersReader, *, site: Site, at: datetime) -> None:
    with addresses_of(lambda: address_of(site)):
        mail.send(
            template=CONFIRM,
            to=reader.email,
            key=f"winners-confirm-{reader.pk}-{at.isoformat()}",
            context={"confirm_url": on_site(f"/winners/confirm/{token_of(reader)}")},
            envelope=mail.Envelope(is_repeatable=False),
        )


def token_of(reader: WinnersReader) -> str:
    return SIGNER.sign(str(reader.pk))


def stop_path(reader: WinnersReader) -> str:
    return f"/mail/stop/winners/{token_of(reader)}"


def reader_of(token: str) -> WinnersReader | None:
    """Whose link it is; nothing once they are forgotten. Raises NotFoundError for a link that we never made."""
    try:
        pk = SIGNER.unsign(token)
    except BadSignature as error:
        raise NotFoundError("There is no such link.") from error
    return WinnersReader.objects.filter(pk=pk).first()


def confirm(*, token: str, at: datetime) -> None:
    """Have the winners mailed to whoever has this link. Raises NotFoundError once the address is forgotten."""
    reader = reader_of(token)
    if reader is None:
        raise NotFoundError("This link was for three days. Ask for a new one.")
    WinnersReader.objects.filter(pk=reader.pk, confirmed_at=None).update(confirmed_at=at)


def readers(*, site: Site, until: datetime, after: int) -> list[WinnersReader]:
    rows = WinnersReader.objects.filter(site=site, confirmed_at__lt=until, pk__gt=after)
    return list(rows.order_by("pk")[: limits.MAILED_AT_ONCE])


def stop(*, token: str) -> None:
    """Have no more winners mailed to whoever has this link. A second call changes nothing."""
    reader = reader_of(token)
    if reader is not None:
        forget(reader)


@transaction.atomic
def forget(reader: WinnersReader) -> None:
    """Delete an address, with the mails that wait for it and its lines in the log."""
    lines = Mail.objects.filter(address=reader.email, template__in=(CONFIRM, WEEKLY))
    Job.objects.filter(kind=mail.KIND, key__in=list(lines.values_list("key", flat=True))).delete()
    lines.delete()
    reader.delete()
