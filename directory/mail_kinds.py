"""The kinds of mail that a person can stop by one link, each with its column of their choice."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.signing import BadSignature, Signer
from django.db.models import Q

from accounts.models import User
from core import mail
from core.api.errors import NotFoundError
from core.api.links import absolute
from core.tables import rows_of
from directory.models import Listing, MailChoice


@dataclass(frozen=True, kw_only=True)
class MailKind:
    """Wanted until its reader says otherwise. `name` stands in the address of the link, `column` in their choice."""

    name: str
    column: str
    salt: str
    about: str
    words: str
    instead: str

    @property
    def _signer(self) -> Signer:
        return Signer(sep=".", salt=self.salt)

    def is_on(self, *, user_id: int) -> bool:
        return not MailChoice.objects.filter(pk=user_id, **{self.column: False}).exists()

    def choose(self, *, user_id: int, is_on: bool, at: datetime) -> None:
        defaults = {self.column: is_on, "changed_at": at}
        MailChoice.objects.update_or_create(pk=user_id, defaults=defaults)

    def token(self, user_id: int) -> str:
        return self._signer.sign(str(user_id))

    def stop_url(self, user_id: int) -> str:
        return absolute(f"/mail/stop/{self.name}/{self.token(user_id)}")

    def write(
        self, user: User, template: str, *, key: str, thing: Listing | None = None, **context: Any
    ) -> None:
        """Queue one mail with the links that choose and stop it."""
        links = {"choice_url": absolute("/account/mail"), "unsubscribe_url": self.stop_url(user.pk)}
        envelope = mail.Envelope(person_id=user.pk, thing=thing, unsubscribe_url=links["unsubscribe_url"])
        mail.send(template=template, to=user.email, key=key, context={**links, **context}, envelope=envelope)

    def reader_of(self, token: str) -> User:
        return reader_of(token, signer=self._signer)


def reader_of(token: str, *, signer: Signer) -> User:
    """Whose mail a link to stop it was in. Raises NotFoundError for a link that we never made."""
    try:
        user_id = signer.unsign(token)
    except BadSignature as error:
        raise NotFoundError("There is no such link.") from error
    row = User.objects.filter(pk=user_id, is_active=True).first()
    if row is None:
        raise NotFoundError("The account is gone, and its mail with it.")
    return row


def readers_of(listing: Listing, *, key: str, kind: MailKind | None = None) -> list[tuple[User, str]]:
    """Everybody who owns a listing, may sign in and wants that kind of mail, each with the key of their own mail.

    The owner comes first.
    """
    is_owner = Q(pk=listing.owner_id)
    others = listing.co_owners.through.objects.filter(listing=listing).values("user")
    people = User.objects.filter(is_owner | Q(pk__in=others), is_active=True, suspended_at=None)
    if kind is not None:
        people = people.exclude(**{f"mail_choice__{kind.column}": False})
    rows = sorted(people, key=lambda user: (user.pk != listing.owner_id, user.pk))
    return [(user, key if user.pk == listing.owner_id else f"{key}-{user.pk}") for user in rows]


KINDS = {row["name"]: MailKind(**row) for row in rows_of(__file__, "mail_kinds.csv")}
OF_PRODUCTS, OF_LAUNCHES, OF_COMING, OF_TOPICS, OF_ANSWERS = KINDS.values()
