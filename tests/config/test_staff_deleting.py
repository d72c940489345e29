"""What staff may delete is asked about in words; what stands in the way is counted; nobody closes their own account."""

import html

from accounts.models import StaffAct, User
from directory.models import Category, Site
from tests.conftest import People, signed_in
from tests.factories.listings import make_category, make_listing
from tests.factories.staff import fresh, staff_client

LIST = "/admin/directory/category/"


def test_a_category_with_listings_is_not_deleted_and_it_is_said_what_to_do(site: Site) -> None:
    boss = staff_client("administrator")
    bills, empty = make_category("bills", name="Bills"), make_category("empty", name="<b>Empty</b>")
    make_category("late-bills", parent=bills)
    for slug in ("one", "two"):
        make_listing(slug, categories=("bills",))
    chosen = {"action": "delete_selected", "_selected_action": [bills.pk, empty.pk]}

    for page in (boss.post(LIST, chosen), boss.get(f"{LIST}{bills.pk}/delete/")):
        text = html.unescape(page.content.decode())
        assert "Nothing was changed. This stands in the way:" in text
        assert "<li>Listing category: 2</li>" in text
        assert "Merge it into another: what is in it and below it moves along." in text
        assert ">Delete</button>" not in text

    chosen["_selected_action"] = [empty.pk]
    asked = boss.post(LIST, chosen).content.decode()
    assert "<li>&lt;b&gt;Empty&lt;/b&gt;</li>" in asked
    assert "This can’t be undone." in asked
    boss.post(LIST, {**chosen, "post": "yes"})
    assert set(Category.objects.values_list("slug", flat=True)) == {"bills", "late-bills"}
    assert list(StaffAct.objects.values_list("said", "label")) == [("deleted category", "<b>Empty</b>")]


def test_one_is_deleted_from_its_own_page(site: Site) -> None:
    editor, empty = staff_client("administrator"), make_category("empty", name="Empty")

    asked = editor.get(f"{LIST}{empty.pk}/delete/").content.decode()
    assert ("Delete Empty?" in " ".join(asked.split()), ">Delete</button>" in asked) == (True, True)
    editor.post(f"{LIST}{empty.pk}/delete/", {"post": "yes"})

    assert not Category.objects.exists()


def test_nobody_closes_or_weakens_the_account_that_they_work_with(people: People) -> None:
    User.objects.filter(pk=people.staff.pk).update(is_superuser=True)
    boss, form = fresh(signed_in(people.staff)), {"email": people.staff.email, "name": "Asta"}
    form |= {"api_keys-TOTAL_FORMS": "0", "api_keys-INITIAL_FORMS": "0"}

    boss.post(f"/admin/accounts/user/{people.staff.pk}/change/?form", form)

    me = User.objects.get(pk=people.staff.pk)
    assert (me.name, me.is_active, me.is_staff, me.is_superuser) == ("Asta", True, True, True)
    boss.post(f"/admin/accounts/user/{people.owner.pk}/change/?form", {**form, "email": people.owner.email})
    assert not User.objects.get(pk=people.owner.pk).is_active
