"""The category tree: shown whole, moved and merged by staff; addresses of merged ones lead on."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from accounts.staff import audit, pages, rights
from accounts.staff.audit import acting
from core.cache import changed
from directory.back_office.checks import PublicAdmin
from directory.back_office.widgets import LinesField
from directory.categories import categorising, naming
from directory.categories import tree as categories
from directory.listings.staff.importing import CATEGORIES
from directory.models import Category, Undo
from directory.moderation.comparing import category_merge_of
from directory.moderation.staff.forms import CategoryIntoForm, CategoryUnderForm
from directory.search import public_data

TREE = "admin:directory_category_tree"
WORDS, WORD = 200, 80


class CategoryForm(forms.ModelForm):
    def clean_parent(self) -> Category | None:
        parent: Category | None = self.cleaned_data["parent"]
        if parent and categorising.is_below(parent, self.instance.pk or 0):
            raise forms.ValidationError("A category can’t be under itself.")
        return parent


@admin.register(Category)
class CategoryAdmin(PublicAdmin):
    form = CategoryForm
    stamps = ("categories", "listings")
    page_name = "Categories"
    list_display = ("name", "slug", "parent", "position")
    list_filter = (("parent", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("parent",)
    search_fields = ("slug__startswith", "name__istartswith")
    search_placeholder = "How a name or an address begins"
    autocomplete_fields = ("parent",)
    ordering = ("position", "id")
    exported = ("description",)
    instead = "Merge it into another: what is in it and below it moves along."
    importing = CATEGORIES

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        if db_field.name == "terms":
            return LinesField(
                most=WORDS,
                limit=WORD,
                label="Words",
                help_text="By which a website shows that it belongs here.",
            )
        return super().formfield_for_dbfield(db_field, request, **options)

    @pages.page("tree/", "directory_category_tree", "categories.see")
    def tree(self, request: HttpRequest) -> HttpResponse:
        """All of it, with how much is filed where, and what drafts could not place."""
        return pages.show(
            request,
            self.admin_site,
            "directory/admin/tree.html",
            title="Categories",
            rows=categories.staff_tree(),
            unplaced=categories.unplaced(),
            may_edit=rights.may(request.user, "categories.edit"),
            may_merge=rights.may(request.user, "categories.merge"),
        )

    @pages.page("<int:category_id>/under/", "directory_category_under", "categories.edit")
    def under(self, request: HttpRequest, category_id: int) -> HttpResponse:
        category = get_object_or_404(Category, pk=category_id)
        form = CategoryUnderForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            parent = form.cleaned_data["under"]
            with acting(request, "categories.edit", form=form, field="under") as act:
                parent_id = parent.pk if parent else None
                categorising.move_category(category_id=category_id, parent_id=parent_id, at=act.at)
                before, after = {"parent": category.parent_id}, {"parent": parent_id}
                act.record("moved the category", on=category, before=before, after=after)
                act.say(f"{category.name} is {f'under {parent.name}' if parent else 'at the top'} now.")
                return HttpResponseRedirect(reverse(TREE))
        return pages.Question(
            title=f"Move {category.name}",
            says=["What is below it comes along. Its address stays."],
            button="Move",
            back=reverse(TREE),
            form=form,
        ).ask(request, self.admin_site)

    @pages.page("<int:category_id>/merge/", "directory_category_merge", "categories.merge")
    def merge(self, request: HttpRequest, category_id: int) -> HttpResponse:
        category = get_object_or_404(Category, pk=category_id)
        filed = categories.filed_in(category)
        form = CategoryIntoForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            into = form.cleaned_data["into"]
            moves = category_merge_of(category=category)
            with acting(request, "categories.merge", form=form, field="into") as act:
                undo = categorising.merge_category(category_id=category_id, into_id=into.pk, at=act.at)
                undo_at = reverse("admin:directory_category_undo", args=[undo.pk])
                after = {"into": into.slug, "listings": moves.listings}
                act.record("merged the category", on=category, after=after, undo=undo_at)
                act.say(f"{category.name} is part of {into.name} now: {moves.listings} listings moved.")
                return HttpResponseRedirect(reverse(TREE))
        return pages.Question(
            title=f"Merge {category.name} into another",
            says=[
                f"{filed} listings move; one that is filed in both stays there once.",
                f"/categories/{category.slug} leads to the other. What is below comes along, its words too.",
                "Undo for 30 days.",
            ],
            button="Merge",
            back=reverse(TREE),
            form=form,
        ).ask(request, self.admin_site)

    @pages.page("undo/<int:undo_id>/", "directory_category_undo", "categories.see", "categories.merge")
    def undo(self, request: HttpRequest, undo_id: int) -> HttpResponse:
        if request.method == "POST":
            get_object_or_404(Undo, pk=undo_id, kind=Undo.Kind.CATEGORY)
            with acting(request, "categories.merge") as act:
                line = audit.taken_back(request, of=act.right)
                category = categorising.undo_merge_category(undo_id=undo_id, at=act.at)
                act.record("took apart again", on=category, undoes_id=line)
                act.say(f"Undone: {category.name} is in the tree again.")
        return HttpResponseRedirect(reverse(TREE))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Who may both edit and merge; one with listings is merged instead."""
        return rights.may(request.user, "categories.merge") and rights.may(request.user, "categories.edit")

    def save_model(self, request: HttpRequest, obj: Category, form: Any, change: Any) -> None:
        """Listings carry their categories' names and places, so they follow; there may be many."""
        super().save_model(request, obj, form, change)
        if change and {"name", "slug", "parent"} & set(form.changed_data):
            public_data.plan_category_refresh(category_id=obj.pk, at=timezone.now())
        if change and "name" in form.changed_data:
            naming.tell_renamed({form.initial["name"]: obj.name}, renamed=[obj.pk])
        if change and "slug" in form.changed_data:
            categorising.keep_address(category_id=obj.pk, slug=form.initial["slug"])
        changed("categories")
