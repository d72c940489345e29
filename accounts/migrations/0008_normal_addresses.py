"""Brings addresses into their one form. What has none, or whose form somebody else has, stays and is named."""

from django.db import migrations

from core.email_addresses import NORMAL, normal_or_blank


def bring_into_form(apps, _schema_editor):
    users = apps.get_model("accounts", "User").objects
    addresses = apps.get_model("account", "EmailAddress").objects
    for user in users.exclude(email__regex=NORMAL).order_by("pk"):
        before, after = user.email, form_of(user.email)
        if not after or users.filter(email=after).exists():
            print(f"\n  Account {user.pk}: nobody can sign in with {before!a}. See manage.py addresses.", end="")
            continue
        users.filter(pk=user.pk).update(email=after)
        if not before.isascii():
            print(f"\n  Account {user.pk}: {before!a} is written {after} now.", end="")
    for address in addresses.exclude(email__regex=NORMAL).select_related("user").order_by("pk"):
        after = form_of(address.email)
        if not address.verified and after != address.user.email:
            address.delete()  # a move that was asked for, perhaps by somebody else, in letters like others
        elif after and not is_taken(addresses, address, after):
            addresses.filter(pk=address.pk).update(email=after)


def form_of(address):
    """Its one form, where mail to that goes to the same box as mail to it went: Django wrote domains by IDNA 2003."""
    after = normal_or_blank(address)
    try:
        sent_to = address.rpartition("@")[2].lower().encode("idna").decode("ascii")
    except UnicodeError:
        return ""
    return after if after.rpartition("@")[2] == sent_to else ""


def is_taken(addresses, address, after):
    others = addresses.filter(email=after).exclude(pk=address.pk)
    return others.filter(user=address.user).exists() or (
        address.verified and others.filter(verified=True).exists()
    )


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0007_one_address"),
        ("account", "0009_emailaddress_unique_primary_email"),
    ]

    operations = [migrations.RunPython(bring_into_form, migrations.RunPython.noop)]
