"""Who may be signed in, asked again with every request of a session."""

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth.base_user import AbstractBaseUser


class Backend(AuthenticationBackend):
    """Sign-in by e-mail; closed accounts are out of every page at once, the admin included."""

    def user_can_authenticate(self, user: AbstractBaseUser | None) -> bool:
        """Whether the account is neither switched off nor suspended."""
        return super().user_can_authenticate(user) and not getattr(user, "is_suspended", False)
