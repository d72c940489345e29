"""Members of staff in one role, as groups of the migration make them."""

import time

from django.contrib.auth.models import Group
from django.test import Client

from accounts import services
from accounts.models import User
from tests.conftest import signed_in


def make_staff(role: str = "", *, name: str = "") -> User:
    """A member of staff with this role and no other; without one, staff who may do nothing."""
    user = services.create_user(email=f"{name or role or 'nobody'}@staff.example")
    user.is_staff, user.name = True, (name or role).capitalize()
    user.save(update_fields=["is_staff", "name"])
    if role:
        user.groups.add(Group.objects.get_or_create(name=role)[0])
    return user


def staff_client(role: str = "", *, name: str = "") -> Client:
    """Signed in as such a one."""
    return signed_in(make_staff(role, name=name))


def fresh(client: Client) -> Client:
    """The same one, who typed the password just now."""
    session = client.session
    session["account_authentication_methods"] = [
        {"method": "password", "at": time.time(), "reauthenticated": True}
    ]
    session["account_authentication_methods_user"] = str(session["_auth_user_id"])
    session.save()
    return client
