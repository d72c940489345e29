"""A link that is mailed to the company's domain, and that a person opens."""

from claims import limits
from claims.errors import EmailNotAtDomainError, EmailRequiredError
from claims.methods.base import Instructions, Method, Target
from claims.reach import Reach
from core.api.errors import ApiError, FieldError
from core.api.serializers import Moment, Shape, Str


class ClaimMailSentOut(Shape):
    """A link that was mailed."""

    to = Str("Where it was mailed.")
    expires_at = Moment("Until when it works; null once it was used.", null=True)


class MailedLink(Method):
    """The weakest: whoever reads the company's mail need not own its website."""

    code, position, strength = "email", 40, 1
    by_link, proof_age = True, limits.EMAIL_PROOF_AGE
    label, noun, icon = "e-mail", "e-mail", "mail"
    hint = "You can read e-mail at the company’s domain."
    summary = "a mailed link"
    answer, shape = "email", ClaimMailSentOut

    def publish(self, target: Target) -> Instructions:
        return Instructions(
            summary=f"We e-mailed a link to {target.email}. Open it and press Yes; it works once, and "
            "not for anybody who is signed in with another account.",
            values={"to": target.email, "expires_at": target.link_expires_at},
        )

    def refuse_address(self, email: str, *, reach: Reach | None = None) -> None:
        kind: type[ApiError] = EmailRequiredError
        domain = reach.domain if reach else "the company’s domain"
        why = f"Give an address at {domain} whose e-mail you can read."
        if email:
            if reach is None or reach.has_address(email):
                return
            kind = EmailNotAtDomainError
            why = f"The address must be at {domain}, where the listing's website is."
        raise kind(why, errors=[FieldError(code=kind.code, pointer="/email", message=why)])
