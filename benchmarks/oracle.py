"""A model that knows the labels: what it cannot put right through our code, no model can."""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django  # noqa: E402

django.setup()

from benchmarks.draft_sites import HINTS, draft_out, read_folder  # noqa: E402
from benchmarks.model_replay import bare, drafted  # noqa: E402
from benchmarks.parts.scored import scored  # noqa: E402
from benchmarks.parts.sure import scorer_of  # noqa: E402
from drafts.crawl.extract_parts import Segment  # noqa: E402
from drafts.crawl.segments import read_site  # noqa: E402
from drafts.writing.cues.money import MONEY  # noqa: E402
from drafts.writing.extractive.writer import ExtractiveWriter  # noqa: E402
from drafts.writing.facts import DRAFTED  # noqa: E402
from drafts.writing.prompt import (  # noqa: E402
    REFUSED,
    Prompt,
    Reply,
)
from drafts.writing.text import squashed  # noqa: E402

FACTS = ("name", "tagline", "city", "contact_email", "founded_year")
MOST, SENTENCE = 6, 30
Entry = dict[str, Any]


@dataclass
class Oracle:
    """Answers every field with its label and the shortest lines that state it, and refuses what is labelled wrong."""

    gold: dict[str, Any]
    score: ModuleType
    name: str = "oracle"

    def ask(self, prompt: Prompt, *, ends_at: float) -> Reply:
        """What the labels say."""
        answer: dict[str, Any] = dict.fromkeys(prompt.names)
        lines = sorted(prompt.segments, key=lambda segment: len(segment.text))
        for name in prompt.names:
            label = self.gold["fields"].get(name)
            if name != REFUSED and isinstance(label, list) and label:
                answer[name] = self._entries(name, label, lines) or None
        answer[REFUSED] = [key for key, field, value in _candidates(prompt) if self._is_wrong(field, value)]
        return Reply(text=json.dumps(answer, ensure_ascii=False))

    def _entries(self, name: str, label: list[Any], lines: list[Segment]) -> Any:
        if name in FACTS:
            told = ((value, _holding(value, lines)) for value in label)
            return next((_entry(value, ids) for value, ids in told if ids), None)
        if name in {"country", "pricing_model"}:
            return self._stated(name, label, lines)
        ways = {
            "categories": self._categories,
            "features": self._items,
            "founders": self._people,
            "short_description": self._line,
            "pricing_summary": self._prices,
        }
        return ways[name](label, lines) if name in ways else None

    def _categories(self, label: list[str], lines: list[Segment]) -> list[Entry]:
        names = {hint.slug: hint.name for hint in HINTS}
        return [_entry(names[slug], [lines[-1].id]) for slug in label if slug in names]

    def _people(self, label: list[Entry], lines: list[Segment]) -> list[Entry]:
        rows = []
        for person in label:
            who, what = person["name"], person.get("title")
            if ids := _holding(who, lines):
                beside = _holding(what, lines) if what else []
                rows.append({"name": who, "title": what if beside else None, "segments": [*ids, *beside]})
        return rows

    def _items(self, label: list[str], lines: list[Segment]) -> list[Entry]:
        told = (next((s for s in lines if self._is_like(s.text, wanted)), None) for wanted in label)
        return [_entry(s.flat, [s.id]) for s in told if s is not None]

    def _is_like(self, text: str, wanted: str) -> bool:
        return any(self.score.similar(text, part, 0.5) for part in wanted.split("|"))

    def _stated(self, name: str, label: list[str], lines: list[Segment]) -> Entry | None:
        for value in label:
            ids = [s.id for s in lines if DRAFTED[name].is_stated(value, [s.text])]
            if ids:
                return _entry(value, ids[:MOST])
        return None

    def _line(self, label: list[str], lines: list[Segment]) -> Entry | None:
        right = (s for s in lines if len(s.text) > SENTENCE)
        right = (s for s in right if self.score.simple_ok("short_description", s.flat, label))
        return next((_entry(s.flat, [s.id]) for s in right), None)

    def _prices(self, label: list[str], lines: list[Segment]) -> Entry | None:
        placed = sorted(lines, key=lambda s: "price" not in s.all_roles and not MONEY.search(s.text))
        told = [next((s for s in placed if self.score.has_alt(s.text, wanted)), None) for wanted in label]
        stated = list(dict.fromkeys(s for s in told if s is not None))
        return _entry("; ".join(s.flat for s in stated), [s.id for s in stated]) if stated else None

    def _is_wrong(self, field: str, value: str) -> bool:
        label = self.gold["fields"].get(field, "skip")
        if field == "categories":
            slugs = {hint.name: hint.slug for hint in HINTS}
            return label != "skip" and slugs.get(value) not in (label or ())
        if self.score.bad_word(self.gold, value):
            return True
        if field == "features" and isinstance(label, list):
            return not any(self._is_like(value, wanted) for wanted in label)
        if field in {"founders", "faqs"}:
            known = [bare(one["name"] if isinstance(one, dict) else one) for one in label or ()]
            return label != "skip" and not any(bare(value) in one or one in bare(value) for one in known)
        if field not in self.score.SIMPLE or label == "skip":
            return False
        return label is None or not self.score.simple_ok(field, value, label)


def _holding(value: str, lines: list[Segment]) -> list[str]:
    """The shortest lines that hold a value."""
    return [s.id for s in lines if squashed(value) in squashed(s.text)][:MOST]


def _entry(value: str, ids: list[str]) -> Entry:
    return {"value": value, "segments": ids}


def _candidates(prompt: Prompt) -> Iterator[tuple[str, str, str]]:
    """The rules' values as the question tells them: id, field and value."""
    for line in prompt.user.splitlines():
        head, _, rest = line.partition(": ")
        words = head.split()
        if len(words) == 2 and words[0][:1] == "c" and words[0][1:].isdigit() and rest.startswith('"'):
            yield words[0], words[1], json.JSONDecoder().raw_decode(rest)[0]


def main() -> None:
    """Draft every site with the oracle in the model's place, and score it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sites", type=Path, required=True, help="where second/materialise.py put the sites")
    parser.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "corpus")
    parser.add_argument("--notes", action="store_true", help="tell each value that went wrong")
    options = parser.parse_args()
    score, rules, drafts = scorer_of(options.corpus / "score.py"), ExtractiveWriter(HINTS), {}
    for folder in sorted(options.sites.iterdir()):
        gold = json.loads((folder / "gold.json").read_text())
        written = drafted(read_site(read_folder(folder / "pages")), Oracle(gold, score), rules)
        drafts[folder.name] = draft_out(written)
        for one in written.refused if options.notes else ():
            print("   -", folder.name, one.field, one.value[:100], "|", one.why)
    print(scored(drafts, corpus=options.sites, scorer=options.corpus, notes=options.notes))


if __name__ == "__main__":
    main()
