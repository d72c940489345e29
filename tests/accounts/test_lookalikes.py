"""Letters that only look like others, or that a database takes for others, lead to nobody else's account."""

import re
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.conf import settings
from django.core import mail as outbox
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import services
from accounts.models import User
from core import jobs
from core.email_addresses import AddressRefusedError, mailbox, normal_email
from directory.models import Site
from drafts.models import Invite
from tests.accounts.test_pages_sign_in import sign_in
from tests.conftest import Api, People
from tests.drafts.conftest import blank_draft
from tests.factories.listings import make_listing

HERS, PASSWORD, HIS = "kris@kiosk-mail.example", "correct horse battery", "attacker-pw-123!"
OWN_DOMAIN = {"kris@kıosk-mail.example": "kris@xn--kosk-mail-vpb.example"}  # which anybody can register
REFUSED = (
    "krıs@kiosk-mail.example",
    "kriſ@kiosk-mail.example",
    "\u212aris@kiosk-mail.example",
    "ｋris@kiosk-mail.example",
    "KRİS@kiosk-mail.example",
    "kris@kioſk-mail.example",
    "kris@\u212aiosk-mail.example",
    "kris@kiosk-mail。example",
    "kris@ｋiosk-mail.example",
    "kris@kiosk-mail.example\u200b",
    "kr\u00adis@kiosk-mail.example",
    "\u202ekris@kiosk-mail.example",
    '"kris"@kiosk-mail.example',
    "kris@[127.0.0.1]",
)
LOOKALIKES = (*OWN_DOMAIN, *REFUSED)

pytestmark = pytest.mark.django_db


@pytest.fixture
def kris(db: None) -> User:
    return services.create_user(email=HERS, password=PASSWORD)


def hers() -> Any:
    """All that a takeover would change: her row, her addresses, and who else there is of her address."""
    user = User.objects.get(email=HERS)
    addresses = EmailAddress.objects.filter(user=user).values_list("email", "verified", "primary")
    return user.pk, user.password, user.last_login, list(addresses)


def mails() -> list[Any]:
    jobs.run_due()
    return list(outbox.outbox)


def browser(number: int) -> Client:
    """One of a network of its own."""
    return Client(REMOTE_ADDR=f"198.51.100.{number}")


def link_in(message: Any) -> str:
    match = re.search(r"https?://[^/\s]+(/accounts/confirm-email/\S+)", message.body)
    assert match, message.body
    return match[1]


@pytest.fixture
def mover(people: People) -> Client:
    """Somebody signed in who may ask to move to another address."""
    services.create_user(email=people.stranger.email, password=HIS)
    client = Client()
    sign_in(client, email=people.stranger.email, password=HIS)
    client.post("/accounts/reauthenticate/", {"password": HIS})
    return client


def test_each_address_has_one_form() -> None:
    assert normal_email(" Kris@KIOSK-mail.example\n") == HERS
    assert normal_email("Info@bücher.example") == normal_email("info@XN--BCHER-KVA.example")
    for typed, normal in OWN_DOMAIN.items():
        assert normal_email(typed) == normal != HERS
    for typed in (*REFUSED, "", "kris", "@kiosk.example", "kris@", "a b@c.example", "kris@xn--zz--.example"):
        with pytest.raises(AddressRefusedError):
            normal_email(typed)
    assert mailbox("kris+launch@kiosk.example") == mailbox("kris@kiosk.example") == "kris@kiosk.example"
    assert mailbox("k.ris+a@googlemail.com") == mailbox("kris@gmail.com")
    assert mailbox("k.ris@kiosk.example") != mailbox("kris@kiosk.example")


def test_a_code_for_a_lookalike_opens_nothing_of_hers(kris: User) -> None:
    before = hers()
    for number, typed in enumerate(REFUSED):
        answer = browser(number).post("/accounts/login/code/", {"email": typed})
        assert (typed, answer.status_code, mails(), User.objects.count()) == (typed, 200, [], 1)

    for typed, normal in OWN_DOMAIN.items():
        attacker = Client()
        attacker.post("/accounts/login/code/", {"email": typed})
        (sent,) = mails()
        assert sent.to == [normal]
        code = sent.subject.rpartition(" ")[2]
        assert attacker.post("/accounts/login/code/confirm/", {"code": code}).status_code == 302
        page = attacker.get("/account").content.decode()
        assert (normal in page, typed in page) == (True, False)
    assert hers() == before


def test_signing_up_with_a_lookalike_adds_no_address_to_her_account(kris: User) -> None:
    victim = Client()
    sign_in(victim, email=HERS, password=PASSWORD)
    before = hers()
    for number, typed in enumerate(REFUSED):
        browser(number).post("/accounts/signup/", {"email": typed, "password1": HIS})
        assert (typed, mails(), User.objects.count()) == (typed, [], 1)

    for typed, normal in OWN_DOMAIN.items():
        Client().post("/accounts/signup/", {"email": typed, "password1": HIS})
        (sent,) = mails()
        assert sent.to == [normal]
        victim.post(link_in(sent))  # he sends her the genuine link, and she presses
    assert hers() == before
    assert sign_in(Client(), email=HERS, password=PASSWORD)["Location"] == "/account"


def test_passwords_and_resets_go_by_the_address_itself(kris: User) -> None:
    before = hers()
    for number, typed in enumerate(LOOKALIKES):
        client = browser(number)
        assert sign_in(client, email=typed, password=PASSWORD).status_code == 200
        client.post("/accounts/password/reset/", {"email": typed})
        assert client.get("/account").status_code == 302

    assert {message.subject for message in mails()} == {"No account for this address on Launch Directory"}
    assert hers() == before


def test_moving_to_a_lookalike_moves_to_no_account_of_hers(kris: User, people: People, mover: Client) -> None:
    before = hers()
    asked = EmailAddress.objects.filter(user=people.stranger, verified=False).values_list("email", flat=True)
    for typed in REFUSED[:9]:  # ten a minute may be asked for
        mover.post("/accounts/email/", {"email": typed, "action_add": ""})
        assert (typed, list(asked.all())) == (typed, [])

    mover.post("/accounts/email/", {"email": next(iter(OWN_DOMAIN)), "action_add": ""})

    assert list(asked.all()) == list(OWN_DOMAIN.values())
    assert hers() == before


def test_nobody_invites_a_lookalike(api: Api, people: People, site: Site) -> None:
    draft = blank_draft(owner=people.owner, site=site)
    caller = api("listings:write")
    for typed in REFUSED:
        answer = caller.post(f"/api/v1/drafts/{draft.pk}/invites", {"email": typed})
        assert (typed, answer.status_code, answer.json()["errors"][0]["pointer"]) == (typed, 400, "/email")

    assert (Invite.objects.count(), mails()) == (0, [])


def test_an_invitation_to_another_domain_is_not_one_to_hers(api: Api, people: People, site: Site) -> None:
    draft = blank_draft(owner=people.owner, site=site)
    for typed in ("Kris@kiosk-mail.example", HERS, *OWN_DOMAIN):
        path = f"/api/v1/drafts/{draft.pk}/invites"
        assert api("listings:write").post(path, {"email": typed}).status_code == 201

    assert [message.to for message in mails()] == [
        ["Kris@kiosk-mail.example"],
        *([normal] for normal in OWN_DOMAIN.values()),
    ]


@pytest.fixture
def boss(people: People) -> Client:
    """Staff who have just signed in."""
    services.create_user(email=people.staff.email, password=PASSWORD)
    client = Client()
    sign_in(client, email=people.staff.email, password=PASSWORD)
    return client


def test_staff_forms_choose_nobody_by_a_lookalike(kris: User, boss: Client, site: Site) -> None:
    listing = make_listing("lathe")
    move = reverse("admin:claims_listing_move", args=[listing.pk])
    share = reverse("admin:directory_listing_co_owners", args=[listing.pk])
    for typed in LOOKALIKES:
        added = boss.post("/admin/staff/add/", {"email": typed, "roles": ["moderator"]})
        moved = boss.post(move, {"email": typed, "reason": "Sold"})
        boss.post(share, {"emails": typed, "reason": "Sold"})
        assert (typed, added.status_code, moved.status_code) == (typed, 200, 200)
        assert list(listing.co_owners.all()) == []

    kris.refresh_from_db()
    listing.refresh_from_db()
    assert (kris.is_staff, listing.owner) == (False, None)
    boss.post(share, {"emails": f"{HERS.upper()} {HERS}", "reason": "Sold"})
    assert list(listing.co_owners.all()) == [kris]
    assert boss.post(move, {"email": HERS.upper(), "reason": "Sold"}).status_code == 302
    listing.refresh_from_db()
    assert listing.owner == kris


def test_staff_forms_choose_her_however_her_address_is_typed(boss: Client, site: Site) -> None:
    """An account of a former release that resembles hers, and is older, is not chosen in her place."""
    User.objects.bulk_create([User(email="krıs@kiosk-mail.example")])

    kris = services.create_user(email=HERS)
    boss.post("/admin/staff/add/", {"email": HERS.upper(), "roles": ["moderator"]})

    kris.refresh_from_db()
    assert (kris.is_staff, sorted(kris.roles)) == (True, ["moderator"])
    assert User.objects.filter(is_staff=True).count() == 2


@pytest.mark.parametrize("command", ["create_user", "create_api_key"])
def test_commands_make_nothing_for_her_by_a_lookalike(kris: User, command: str) -> None:
    before = hers()
    for typed in REFUSED:
        with pytest.raises(CommandError, match="is not an e-mail address"):
            call_command(command, typed, stdout=StringIO())
    assert User.objects.count() == 1
    for typed in OWN_DOMAIN:
        call_command(command, typed, stdout=StringIO())
    assert set(User.objects.values_list("email", flat=True)) == {HERS, *OWN_DOMAIN.values()}
    assert (hers(), kris.api_keys.count()) == (before, 0)


def test_beginning_an_account_answers_with_what_it_made_or_nothing(kris: User) -> None:
    before = hers()

    assert services.begin_account(email=HERS.upper(), at=timezone.now()) is None
    fresh = services.begin_account(email=next(iter(OWN_DOMAIN)), at=timezone.now())

    assert fresh is not None
    assert fresh.pk != kris.pk
    assert hers() == before


def test_whoever_moves_to_an_address_that_was_only_typed_gets_it(people: People, mover: Client) -> None:
    """And whoever moves to one that somebody has does not: nothing changes."""
    mover.post("/accounts/email/", {"email": HERS, "action_add": ""})
    link = link_in(mails()[-1])

    typed = services.begin_account(email=HERS, at=timezone.now())
    assert typed is not None
    services.create_user(email=HERS, password=PASSWORD)
    assert "Another account has this address" in mover.post(link, follow=True).content.decode()
    people.stranger.refresh_from_db()
    assert people.stranger.email == "stranger@people.example"

    typed.delete()
    assert services.begin_account(email=HERS, at=timezone.now())
    assert mover.post(link).status_code == 302
    people.stranger.refresh_from_db()
    assert (people.stranger.email, User.objects.filter(email=HERS).count()) == (HERS, 1)


@pytest.fixture
def old_rows(kris: User) -> dict[str, User]:
    """Accounts as former releases wrote them, before the database brought what they write into form."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE accounts_user DISABLE TRIGGER user_email_in_form")
    texts = (
        "Ada@People.example",
        "krıs@kiosk-mail.example",
        "kris@ｋiosk-mail.example",
        "bo@bücher.example",
        "cy@straße.example",
    )
    rows = {text: User.objects.create(email=text, password="!") for text in texts}
    for text, user in rows.items():
        EmailAddress.objects.create(user=user, email=text.lower(), verified=True, primary=True)
    EmailAddress.objects.create(user=kris, email="krıs@kiosk-mail.example", verified=False)
    return rows


def test_the_upgrade_brings_old_addresses_into_form_and_names_the_others(
    kris: User, old_rows: dict[str, User], capsys: pytest.CaptureFixture[str]
) -> None:
    import_module("accounts.migrations.0008_normal_addresses").bring_into_form(apps, None)

    told = capsys.readouterr().out
    after = {text: User.objects.get(pk=user.pk).email for text, user in old_rows.items()}
    odd = ["krıs@kiosk-mail.example", "kris@ｋiosk-mail.example", "cy@straße.example"]
    assert after == {
        **dict(zip(odd, odd, strict=True)),
        "Ada@People.example": "ada@people.example",
        "bo@bücher.example": "bo@xn--bcher-kva.example",
    }
    assert re.findall(r"Account (\d+): nobody", told) == [str(old_rows[text].pk) for text in odd]
    assert f"Account {old_rows['bo@bücher.example'].pk}: 'bo@b\\xfccher.example' is written bo@xn--" in told
    assert list(EmailAddress.objects.filter(user=kris).values_list("email", flat=True)) == [HERS]
    proved = EmailAddress.objects.get(user=old_rows["bo@bücher.example"])
    assert (proved.email, proved.verified) == ("bo@xn--bcher-kva.example", True)


def test_what_the_former_release_writes_during_the_upgrade_gets_its_form() -> None:
    """It runs on the new schema until it is restarted, and leaves capitals before the @ as they were typed."""
    typed = (
        "Ada.B@people.example",
        "BO@kiosk-mail.example",
        "kr\u0131s.B@kiosk-mail.example",
        "cy@people.example",
    )
    rows = User.objects.bulk_create([User(email=text, password="!") for text in typed])
    User.objects.filter(pk=rows[3].pk).update(email="Cy@People.example")

    stored = [User.objects.get(pk=row.pk).email for row in rows]
    assert stored == ["ada.b@people.example", "bo@kiosk-mail.example", typed[2], "cy@people.example"]
    assert User.objects.with_address("Ada.B@People.example") == rows[0]
    assert services.begin_account(email="Ada.B@people.example", at=timezone.now()) is None


def test_an_operator_sees_those_without_a_form_and_gives_them_an_address(old_rows: dict[str, User]) -> None:
    out = StringIO()
    mended = old_rows["krıs@kiosk-mail.example"]
    call_command("addresses", stdout=out)
    assert f"{mended.pk}  'kr\\u0131s@kiosk-mail.example'  it has no form of its own" in out.getvalue()
    assert out.getvalue().splitlines()[-1].startswith("5 with an address")

    for taken in (HERS, "krıs@kiosk-mail.example"):
        with pytest.raises(CommandError):
            call_command("addresses", "--give", str(mended.pk), taken)
    call_command("addresses", "--give", str(mended.pk), "Kris.B@kiosk-mail.example", stdout=out)

    mended.refresh_from_db()
    assert mended.email == "kris.b@kiosk-mail.example"
    assert not EmailAddress.objects.get(user=mended).verified
    assert "4 with an address" in _listed()


def _listed() -> str:
    out = StringIO()
    call_command("addresses", stdout=out)
    return out.getvalue()


def test_no_code_compares_addresses_as_a_database_would() -> None:
    """`iexact` is UPPER() in PostgreSQL, which takes `ı` for i and `ſ` for s; names may be compared so."""
    root = Path(settings.BASE_DIR)
    areas = ("accounts", "claims", "config", "core", "directory", "drafts", "leaderboards", "orders")
    files = [file for area in areas for file in (root / area).rglob("*.py")]
    loose = re.compile(r"(\w*?)_*(?:iexact|iendswith|icontains|iregex)\b|Upper\(\"(\w*(?:mail|address)\w*)\"")
    wrong = [
        f"{file.relative_to(root)}: with_address finds people"
        for file in files
        if file.parts[-2:] not in {("accounts", "services.py"), ("accounts", "models.py")}
        and re.search(r"User\.objects\.(?:filter|get)\(email=", file.read_text())
    ]
    wrong += [
        f"{file.relative_to(root)}: {found[0]}"
        for file in files
        for found in loose.finditer(file.read_text())
        if "migrations" not in file.parts and not (found[1] or "").endswith(("name", "slug", "title"))
    ]

    assert len(files) > 300
    assert wrong == []
