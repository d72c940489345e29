"""Who may be signed in, asked again with every request of a session."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth.base_user import AbstractBaseUser

from accounts.staff import rights


class Backend(AuthenticationBackend):
    """Sign-in by e-mail; closed accounts are out of every page at once, the admin included."""

    def user_can_authenticate(self, user: AbstractBaseUser | None) -> bool:
        return super().user_can_authenticate(user) and not getattr(user, "is_suspended", False)

    def has_perm(self, user_obj: Any, perm: str, obj: Any = None) -> bool:
        """What Django's admin asks, answered by the table of staff's rights; permissions of rows do not count."""
        return rights.holds(user_obj, perm)

    def has_module_perms(self, user_obj: Any, app_label: str) -> bool:
        """Whether any list of an area is theirs to look at."""
        return any(
            rights.may(user_obj, see)
            for model, (see, _) in rights.MODELS.items()
            if model.startswith(f"{app_label}.")
        )
