"""What further sites that nobody had seen list as features, and what such lists look like that are none."""

from typing import Any

import pytest

from tests.drafts.test_extractive_sentences import offered, value
from tests.drafts.test_extractive_unseen import drafted


def features(html: str) -> Any:
    told = drafted(html, head="<title>Boltly</title><h1>Bolts, counted</h1>")
    return next(offered(told, "features"), None)


def headed(*titles: str) -> str:
    told = "".join(f"<h3>{title}</h3><p>Boltly does so by itself, whoever asks.</p>" for title in titles)
    return f"<section>{told}</section>"


def listed(tag: str = "ul") -> str:
    return f"<{tag}>{''.join(f'<li>{line}</li>' for line in LINES)}</{tag}>"


BOLTS = ("Sort bolts", "Count bolts", "Order bolts")
LINES = ("Bolts by weight", "Bolts by their length", "Bolts by the thread")


@pytest.mark.parametrize(
    ("others", "sound"),
    [
        (listed("ol"), listed("ul")),
        (f"<div class='stats'>{listed()}</div>", f"<div class='rows'>{listed()}</div>"),
        (f"<div class='catalog'>{listed()}</div>", f"<div class='rows'>{listed()}</div>"),
        (f"<div><b>Solo</b><p>$9</p>{listed()}</div>", f"<div><b>Solo</b><p>Nine</p>{listed()}</div>"),
        (headed("40 years", "16 weeks", "Few nuts"), headed("Forty years", "16 weeks", "Few nuts")),
    ],
    ids=["ordered", "stats", "goods", "plan", "figures"],
)
def test_neither_steps_nor_figures_nor_goods_nor_a_plan_go_on_after_features(others: str, sound: str) -> None:
    above = headed(*BOLTS)

    assert features(above + others) == BOLTS
    assert len(features(above + sound)) == 2 * len(BOLTS)


def test_what_a_plan_holds_gives_way_to_another_list_and_not_to_a_menu() -> None:
    plan = f"<div class='price'><h2>Features</h2><p>$9</p>{listed()}</div>"
    menu = f"<nav>{listed().replace('Bolts', 'Nuts')}</nav>"

    assert features(plan + menu)[: len(LINES)] == features(plan) == LINES
    assert features(plan + headed(*BOLTS)) == BOLTS


def test_boxes_of_different_kinds_are_no_row_of_cards() -> None:
    titles = [f"<b>{line}</b><br>Boltly does so by itself, whoever asks." for line in LINES]
    alike = "".join(f"<div>{title}</div>" for title in titles)
    mixed = f"<p>{titles[0]}</p><div>{titles[1]}</div><div>{titles[2]}</div>"

    assert features(f"<div>{alike}</div>") == LINES
    assert features(f"<div>{mixed}</div>") is None


def test_a_hidden_list_within_a_sample_promises_nothing() -> None:
    tab = f"<h3>Boltly features</h3>{listed()}</div>"
    sample, shown = (
        f'<div{name} role="tabpanel" style="display:none">{tab}' for name in (' class="demo"', "")
    )

    assert features(shown) == LINES
    assert features(sample + headed(*BOLTS)) == BOLTS


def test_lists_of_releases_and_sums_are_no_features() -> None:
    releases = listed().replace("Bolts by", "1.5.2 of")
    sums = listed().replace("the thread", "the thread: 29 580 €")

    assert features(f"<div>{releases}</div>") is None
    assert features(headed(*BOLTS) + f"<div>{sums}</div>") == BOLTS


def test_what_a_program_reads_is_neither_feature_nor_description() -> None:
    files = tuple(f"{name}-bundle.zip" for name in ("first", "second", "third"))
    paths = tuple(f"GET /v1/{name}" for name in ("bolts", "nuts", "washers"))
    labels = tuple(f"{name}:" for name in ("Developer", "Founding date", "Releases"))
    command = 'iwr "https://boltly.test/releases/latest/boltly.exe" -OutFile boltly.exe; ./boltly.exe init'
    told = "Boltly counts the bolts of a whole workshop, and says which of them are missing."

    assert [features(headed(*names)) for names in (files, paths, labels)] == [None, None, None]
    assert features(headed(*BOLTS)) == BOLTS
    bare = "<title>Boltly</title><h1>Boltly</h1>"
    assert value(drafted(f"<p>{command}</p><p>{told}</p>", head=bare), "short_description") == told


def test_an_arrow_after_a_feature_is_none_of_its_words() -> None:
    assert features(headed("Sort bolts →", "Count bolts ↗", "Order bolts")) == BOLTS
