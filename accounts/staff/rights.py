"""Who of the staff may do what: the tables that every page, list and act of the back office asks."""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import Model

from accounts.models import User
from core.tables import rows_of

ROLES = {"E": "editor", "M": "moderator", "F": "finance", "A": "administrator"}
MADE_BY = {"E": "editors", "M": "moderators", "F": "finance", "A": "administrators"}
COLLEAGUES = 2  # so many colleagues a refusal names

# Act: the roles that may, and how a refusal begins. What only shows is refused as if it were not there.
ACTS = {row["act"]: (row["roles"], row["refused"]) for row in rows_of(__file__, "acts.csv")}
# Model: the acts of looking at its rows and of changing them. What is missing here only superusers reach.
MODELS = {row["model"]: (row["see"], row["change"]) for row in rows_of(__file__, "models.csv")}
# Field: the act that alone changes it. It is worth money or power, so a form that shows it to others shows it as text.
WORTH = {row["field"]: row["act"] for row in rows_of(__file__, "worth.csv")}


def locked_fields(user: User | AnonymousUser, model: type[Model]) -> tuple[str, ...]:
    """The fields of a model that this member of staff reads and does not write."""
    begins = f"{model._meta.label_lower}."  # noqa: SLF001  (documented by Django)
    return tuple(
        field.removeprefix(begins)
        for field, act in WORTH.items()
        if field.startswith(begins) and not may(user, act)
    )


def may(user: User | AnonymousUser, act: str) -> bool:
    """Whether this member of staff may do it. A superuser may do everything; staff without a role, nothing."""
    roles, _ = ACTS[act]
    if not (user.is_active and user.is_staff) or user.is_suspended:
        return False
    return user.is_superuser or any(ROLES[letter] in user.roles for letter in roles)


def holds(user: User | AnonymousUser, permission: str) -> bool:
    """Django's permissions, such as `directory.change_listing`, by the table."""
    app, _, name = permission.partition(".")
    verb, _, model = name.partition("_")
    see, edit = MODELS.get(f"{app}.{model}", ("", ""))
    act = see if verb == "view" else edit
    return bool(act) and may(user, act)


def role_of(user: User) -> str:
    if user.is_superuser:
        return "superuser"
    return ", ".join(role for role in ROLES.values() if role in user.roles) or "no role"


class NotYoursError(PermissionDenied):
    """A member of staff asked for an act that their roles do not have; says whose it is."""

    def __init__(self, act: str) -> None:
        super().__init__(refusal(act))


def require(user: Any, act: str) -> None:
    """Raise NotYoursError unless this member of staff may do it."""
    if not may(user, act):
        raise NotYoursError(act)


def refusal(act: str) -> str:
    letters, begin = ACTS[act]
    made_by = " and ".join(MADE_BY[letter] for letter in letters)
    colleagues = User.objects.filter(
        is_staff=True,
        is_active=True,
        suspended_at=None,
        groups__name__in=[ROLES[letter] for letter in letters],
    ).order_by("pk")
    names = dict.fromkeys(user.get_short_name() for user in colleagues[: COLLEAGUES * 2])
    ask = f" Ask {' or '.join(list(names)[:COLLEAGUES])}." if names else ""
    return f"{begin or 'This is shown'} {'to' if not begin else 'by'} {made_by}.{ask}"
