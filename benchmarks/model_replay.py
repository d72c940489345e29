"""Replay what a strong model wrote for known sites, true and false, and count what the check lets pass."""

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django  # noqa: E402

django.setup()

from benchmarks.draft_sites import HINTS, draft_out, read_folder  # noqa: E402
from benchmarks.parts.scored import scored  # noqa: E402
from drafts.crawl.extract_parts import Segment, SiteText  # noqa: E402
from drafts.crawl.segments import read_site  # noqa: E402
from drafts.writing.extractive.writer import ExtractiveWriter  # noqa: E402
from drafts.writing.openai_writer import OpenAIWriter  # noqa: E402
from drafts.writing.port import Written  # noqa: E402
from drafts.writing.prompt import (  # noqa: E402
    LISTS,
    REFUSED,
    Prompt,
    Reply,
)
from drafts.writing.text import sentences, squashed  # noqa: E402

MANY = LISTS | {"founders", "faqs"}


@dataclass
class Recorded:
    """A model that answers what was written down for one site, with the lines in which its quotes stand."""

    values: dict[str, Any]
    refuses: tuple[tuple[str, str], ...] = ()
    name: str = "recorded"
    asked: list[Prompt] = field(default_factory=list)

    def ask(self, prompt: Prompt, *, ends_at: float) -> Reply:
        """The recorded values of the fields that are wanted."""
        self.asked.append(prompt)
        answer: dict[str, Any] = dict.fromkeys(prompt.names)
        for name, value in self.values.items():
            if name in answer and value and name != REFUSED:
                rows = [self._entry(name, one, prompt.segments) for one in _many(value)]
                answer[name] = rows if name in MANY else rows[0]
        answer[REFUSED] = list(self._refused(prompt.user))
        return Reply(text=json.dumps(answer, ensure_ascii=False))

    def _entry(self, name: str, one: dict[str, Any], segments: tuple[Segment, ...]) -> dict[str, Any]:
        ids = list(dict.fromkeys(each for quote in one["quotes"] for each in standing(quote, segments)))
        return {key: value for key, value in one.items() if key != "quotes"} | {"segments": ids}

    def _refused(self, user: str) -> Iterator[str]:
        for line in user.splitlines():
            head, _, rest = line.partition(": ")
            words = head.split()
            if len(words) == 2 and rest.startswith('"') and any(words[1] == f for f, _ in self.refuses):
                value, _ = json.JSONDecoder().raw_decode(rest)
                if any(words[1] == f and bare(value) in bare(v) for f, v in self.refuses):
                    yield words[0]


def bare(text: str) -> str:
    """Letters and digits alone."""
    return "".join(c for c in squashed(text) if c.isalnum())


def _many(value: Any) -> list[dict[str, Any]]:
    return value if isinstance(value, list) else [value]


def standing(quote: str, segments: tuple[Segment, ...]) -> list[str]:
    """The shortest line in which a quote stands, or the lines that stand in it."""
    wanted = squashed(quote)
    holding = [s for s in segments if wanted in squashed(s.text)]
    if holding:
        return [min(holding, key=lambda s: len(s.text)).id]
    return [s.id for s in segments if len(squashed(s.text)) > 10 and squashed(s.text) in wanted]


def drafted(site: SiteText, model: Any, rules: ExtractiveWriter) -> Written:
    """One draft with a stand-in model."""
    return OpenAIWriter(model=model, rules=rules, seconds=60, input_tokens=16_000).write(site)


def truths(entry: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The values that were written for a site: field and text, items apart."""
    for name, value in entry["answer"].items():
        if name != REFUSED and value:
            for one in _many(value):
                yield name, one.get("value") or one.get("name") or one.get("question")


@dataclass
class Count:
    """What became of the values of each field, and which went wrong."""

    all: Counter[str] = field(default_factory=Counter)
    bad: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    def add(self, name: str, *, is_bad: bool, note: str) -> None:
        """One value more."""
        self.all[name] += 1
        if is_bad:
            self.bad[name] += 1
            self.notes.append(note)


def is_refused(written: Written, name: str, value: str) -> bool:
    """Whether all of a value was refused: of a text, so much that the rules' own text stands."""
    refusals = [each for each in written.refused if each.field == name]
    if name in {"description", "short_description", "tagline"}:
        return any(each.value == value[:300] for each in refusals) or (
            bool(refusals)
            and not any(part in _told(written, name) for part in value.split(". ")[:40] if len(part) > 20)
        )
    return any(each.value == value[:300] for each in refusals)


def _told(written: Written, name: str) -> str:
    draft = written.fields.get(name)
    return draft.value if draft and isinstance(draft.value, str) else ""


def falsehood_passes(site: SiteText, rules: ExtractiveWriter, one: dict[str, Any]) -> bool:
    """Whether a wrong value, or a sentence of it, is not refused when a model answers it alone."""
    name, value = one["field"], one["value"]
    entry: dict[str, Any] = {"value": value, "quotes": one["quotes"]}
    if name in {"founders", "faqs"}:
        first, _, second = value.partition("|")
        keys = ("name", "title") if name == "founders" else ("question", "answer")
        entry = {keys[0]: first, keys[1]: second or None, "quotes": one["quotes"]}
    written = drafted(site, Recorded({name: [entry]}), rules)
    gone = [each.value for each in written.refused if each.field == name]
    if name == "description":
        return len("".join(gone)) < len(value) * 0.9 and value[:300] not in gone
    return not gone


def main() -> None:
    """Replay and count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sites", type=Path, required=True, help="where second/materialise.py put the sites")
    parser.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "corpus")
    parser.add_argument("--only", default="")
    parser.add_argument("--notes", action="store_true", help="tell each value that went wrong")
    options = parser.parse_args()
    true = json.loads((options.corpus / "model" / "true_values.json").read_text())
    false = json.loads((options.corpus / "model" / "false_values.json").read_text())
    rules = ExtractiveWriter(HINTS)
    wanted = [name for name in true if not options.only or name in options.only.split(",")]
    result = Result()
    for name in wanted:
        replay(name, true[name], false.get(name, []), options.sites, rules, result)
    report("true values refused", result.refused, notes=options.notes)
    report("false values passed", result.passed, notes=options.notes)
    print(f"descriptions of the model kept: {result.kept} of {len(wanted)}")
    print(f"seconds of the processor a draft: {result.seconds / len(wanted):.2f}")
    for label, drafts in (("rules alone", result.plain), ("with the model", result.drafts)):
        notes = options.notes and drafts is result.drafts
        print(label, scored(drafts, corpus=options.sites, scorer=options.corpus, notes=notes))


@dataclass
class Result:
    """What the replay of all sites gives."""

    refused: Count = field(default_factory=Count)
    passed: Count = field(default_factory=Count)
    drafts: dict[str, Any] = field(default_factory=dict)
    plain: dict[str, Any] = field(default_factory=dict)
    kept: int = 0
    seconds: float = 0.0


def replay(
    name: str,
    true: dict[str, Any],
    false: list[dict[str, Any]],
    sites: Path,
    rules: ExtractiveWriter,
    result: Result,
) -> None:
    """One site: the draft with what is true, and one more for each falsehood."""
    site = read_site(read_folder(sites / name / "pages"))
    refuses = tuple((row[0], row[1]) for row in true["answer"].get(REFUSED, []))
    began = time.process_time()
    written = drafted(site, Recorded(true["answer"], refuses), rules)
    result.seconds += time.process_time() - began
    result.drafts[name], result.plain[name] = draft_out(written), draft_out(rules.write(site))
    for what, value in truths(true):
        whys = "; ".join(r.why for r in written.refused if r.field == what and r.value in value)
        note = f"{name} {what}: {value[:160]} ({whys})"
        result.refused.add(what, is_bad=is_refused(written, what, value), note=note)
    own, told = true["answer"]["description"]["value"], _told(written, "description")
    result.kept += all(sentence.strip() in own for sentence in sentences(told))
    for one in false:
        note = f"{name} {one['field']}: {one['value'][:160]} ({one['fault']})"
        result.passed.add(one["field"], is_bad=falsehood_passes(site, rules, one), note=note)


def report(title: str, count: Count, *, notes: bool) -> None:
    """One table, by field."""
    print(
        f"{title}: {count.bad.total()} of {count.all.total()} ({count.bad.total() / max(1, count.all.total()):.1%})"
    )
    print(
        "  " + ", ".join(f"{name} {count.bad[name]}/{number}" for name, number in sorted(count.all.items()))
    )
    for note in count.notes if notes else ():
        print("   -", note)


if __name__ == "__main__":
    main()
