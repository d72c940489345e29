"""The category tree that every installation begins with."""

import json
import re
from collections import Counter

from directory import limits
from directory.data.categories import category_tree
from directory.models import Category, Site
from directory.sites.catalogue import load_categories
from tests.factories.staff import staff_client

LISTING_FIELDS = {
    "pricing_model", "pricing_summary", "stage", "country", "founded_year", "demo_video_url",
    "features", "usps", "keywords", "description",
}  # fmt: skip
KINDS = {"text", "year", "link", "stated", "choices", "lines"}


def test_is_two_levels_of_about_200_with_every_parent_before_its_children() -> None:
    tree = category_tree()
    seen: set[str] = set()
    for category in tree:
        assert category.parent is None or category.parent in seen, category.slug
        seen.add(category.slug)
    roots = {c.slug for c in tree if c.parent is None}
    children = Counter(c.parent for c in tree if c.parent)

    assert (len(tree), len(roots)) == (207, 22)
    assert set(children) == roots
    assert min(children.values()) >= 3
    assert all(c.parent in roots for c in tree if c.parent)


def test_slugs_and_names_are_unique_and_fit_the_interface() -> None:
    tree = category_tree()

    assert len({c.slug for c in tree}) == len(tree)
    assert len({c.name.casefold() for c in tree}) == len(tree)
    assert [c.slug for c in tree if not re.match(limits.SLUG_PATTERN, c.slug)] == []
    assert max(len(c.name) for c in tree) <= 60


def test_each_category_explains_itself() -> None:
    for category in category_tree():
        assert 50 <= len(category.description) <= 400, category.slug
        assert 1 <= len(category.faqs) <= 3, category.slug
        for faq in category.faqs:
            assert faq.question.endswith("?"), faq
            assert len(faq.question) <= limits.FAQ_QUESTION
            assert 40 <= len(faq.answer) <= limits.FAQ_ANSWER


def test_terms_are_lower_case_specific_and_shared_by_few() -> None:
    owners = Counter(term for category in category_tree() for term in category.terms)

    assert max(owners.values()) <= 4, owners.most_common(5)
    for category in category_tree():
        assert 10 <= len(category.terms) <= 450, category.slug
        for term in category.terms:
            assert term == term.lower().strip()
            assert 2 <= len(term) <= 80
            assert term not in {"ai", "platform", "tool", "software", "app", "cloud", "home", "team"}


def test_comparison_rows_name_where_their_value_can_be_stated() -> None:
    tree = {c.slug: c for c in category_tree()}
    for category in tree.values():
        keys = [a.key for a in category.attributes]
        assert len(keys) == len(set(keys)), category.slug
        if category.parent:
            inherited = [a.key for a in tree[category.parent].attributes]
            assert keys[: len(inherited)] == inherited
        for attribute in category.attributes:
            assert attribute.kind in KINDS
            assert set(attribute.fields) <= LISTING_FIELDS
            assert bool(attribute.phrases or attribute.choices) is (
                attribute.kind in {"stated", "choices", "lines"}
            )
            assert all(p == p.lower() for p in attribute.phrases)
            assert len(attribute.fields) == 1 or attribute.kind in {"stated", "choices"}


def test_rows_can_be_stored_as_json() -> None:
    for category in category_tree():
        rows = [vars(attribute) for attribute in category.attributes]
        assert [row["key"] for row in json.loads(json.dumps(rows))] == [a.key for a in category.attributes]


def test_what_staff_deleted_does_not_come_back(site: Site) -> None:
    load_categories()
    gone = Category.objects.filter(children=None).first()
    assert gone is not None
    staff_client("administrator").post(f"/admin/directory/category/{gone.pk}/delete/", {"post": "yes"})

    assert (load_categories(), Category.objects.filter(slug=gone.slug).exists()) == (0, False)
