"""Draft sites as they are and with their markup changed in ways that say nothing else, and count what stays."""

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup, Tag

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.draft_sites import read_folder
from drafts.crawl.report import CrawlReport
from drafts.crawl.segments import read_site
from drafts.writing.extractive.writer import ExtractiveWriter
from drafts.writing.port import Written

BAR = 0.97
WRAPPERS = ("nav", "stats", "blog-post", "demo-preview", "testimonials", "team job", "x")


def rename_classes(soup: BeautifulSoup, chance: random.Random) -> None:
    """Every class gets a name that says nothing, in the page's own styles too."""
    names: dict[str, str] = {}
    for tag in soup.find_all(class_=True):
        tag["class"] = [names.setdefault(name, f"c{chance.randrange(10**6)}") for name in tag["class"]]
    for style in soup.find_all("style"):
        css = re.sub(r"\.([A-Za-z_][\w-]*)", lambda m: "." + names.get(m[1], m[1]), style.get_text())
        style.string = css


def wrap_body(soup: BeautifulSoup, chance: random.Random) -> None:
    """All of the page stands in one more element, whose class is a word for something else."""
    body = soup.body
    if body is not None:
        wrapper = soup.new_tag("div", attrs={"class": chance.choice(WRAPPERS)})
        for child in list(body.contents):
            wrapper.append(child.extract())
        body.append(wrapper)


def reveal(soup: BeautifulSoup, _chance: random.Random) -> None:
    """The blocks of the page fade in."""
    style = soup.new_tag("style")
    style.string = ".rv{opacity:0;transform:translateY(2em);transition:opacity .6s} .rv.on{opacity:1}"
    (soup.head or soup).append(style)
    for tag in soup.find_all(["section", "article", "h2", "h3", "p", "li"]):
        tag["class"] = [*tag.get("class", []), "rv"]


def add_icons(soup: BeautifulSoup, chance: random.Random) -> None:
    """Headings, list items and questions begin with a word of an icon font."""
    for tag in soup.find_all(["h3", "h4", "li", "summary", "button"]):
        icon = soup.new_tag("span", attrs={"class": "material-icons"})
        icon.string = chance.choice(("expand_more", "check_circle", "schedule", "cloud_done"))
        tag.insert(0, icon)


def shift_headings(soup: BeautifulSoup, _chance: random.Random) -> None:
    """Every heading but the first level is one level lower."""
    for level in (5, 4, 3, 2):
        for tag in soup.find_all(f"h{level}"):
            tag.name = f"h{level + 1}"


def shuffle_sections(soup: BeautifulSoup, chance: random.Random) -> None:
    """The sections after the first stand in another order."""
    found = [tag for tag in soup.find_all("section") if tag.find_parent("section") is None]
    for parent in {id(tag.parent): tag.parent for tag in found}.values():
        mine = [tag for tag in found if tag.parent is parent][1:]
        places = [
            tag.replace_with(soup.new_tag("hr", attrs={"data-at": str(at)})) and at
            for at, tag in enumerate(mine)
        ]
        chance.shuffle(mine)
        for at, tag in zip(places, mine, strict=True):
            mark = parent.find("hr", attrs={"data-at": str(at)})
            if isinstance(mark, Tag):
                mark.replace_with(tag)


def drop_languages(soup: BeautifulSoup, _chance: random.Random) -> None:
    """No element says in which language it is."""
    for tag in soup.find_all(lang=True):
        del tag["lang"]


MUTATIONS: dict[str, Callable[[BeautifulSoup, random.Random], None]] = {
    "classes renamed": rename_classes,
    "body wrapped": wrap_body,
    "reveal styles": reveal,
    "icon words": add_icons,
    "headings one level lower": shift_headings,
    "sections shuffled": shuffle_sections,
    "languages removed": drop_languages,
}


def mutated(
    report: CrawlReport, change: Callable[[BeautifulSoup, random.Random], None], seed: str
) -> CrawlReport:
    """The same site with every page changed."""
    pages = []
    for page in report.pages:
        soup = BeautifulSoup(page.html, "lxml")
        change(soup, random.Random(seed + page.url))
        pages.append(replace(page, html=str(soup) if page.html else ""))
    return replace(report, pages=tuple(pages))


def values(written: Written) -> Iterator[tuple[str, Any]]:
    """The single values of a draft; those of a list in no order."""
    for name, draft in written.fields.items():
        if name not in {"categories", "tags", "keywords"}:
            yield name, frozenset(draft.value) if isinstance(draft.value, tuple) else draft.value
    yield "founders", frozenset(founder.name for founder in written.founders)
    yield "faqs", frozenset(faq.question for faq in written.faqs)
    yield "socials", frozenset(str(draft.value) for draft in written.company_socials.values())


def compare(folder: Path, only: str) -> Iterator[tuple[str, str, bool]]:
    """For each change and each value that a site has, whether it stays."""
    writer = ExtractiveWriter()
    report = read_folder(folder / "pages")
    before = dict(values(writer.write(read_site(report))))
    for name, change in MUTATIONS.items():
        if only not in name:
            continue
        after = dict(values(writer.write(read_site(mutated(report, change, folder.name)))))
        for key, value in before.items():
            if value or after[key]:
                yield name, key, value == after[key]
            if only and value != after[key]:
                print(folder.name, key, "\n   ", value, "\n   ", after[key])


def main() -> None:
    """Count, for each change, how many of the values stay."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=1, help="draft every nth site only")
    parser.add_argument("--only", default="", help="one kind of change; shows what it changes")
    options = parser.parse_args()
    folders = sorted(p for corpus in options.corpora for p in corpus.iterdir() if (p / "pages").is_dir())
    found = [one for folder in folders[:: options.every] for one in compare(folder, options.only)]
    print("| change | values | unchanged | changed |\n|---|---|---|---|")
    for name in MUTATIONS:
        mine = [(key, is_same) for change, key, is_same in found if change == name]
        if mine:
            lost = Counter(key for key, is_same in mine if not is_same)
            worst = ", ".join(f"{key} {count}" for key, count in lost.most_common())
            print(f"| {name} | {len(mine)} | {1 - lost.total() / len(mine):.3f} | {worst} |")
    print(
        f"| all (bar {BAR}) | {len(found)} | {sum(is_same for _, _, is_same in found) / len(found):.3f} | |"
    )


if __name__ == "__main__":
    main()
