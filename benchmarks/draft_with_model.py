"""Draft a corpus from its files with a stand-in model: faithful, inventing, obeying, broken, slow, silent."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from benchmarks import machine  # noqa: E402
from benchmarks.draft_sites import draft_out, read_folder  # noqa: E402
from drafts.crawl.extract_parts import SiteText  # noqa: E402
from drafts.crawl.segments import read_site  # noqa: E402
from drafts.writing.extractive.writer import ExtractiveWriter  # noqa: E402
from drafts.writing.openai_model import OpenAIModel  # noqa: E402
from drafts.writing.openai_writer import OpenAIWriter  # noqa: E402
from drafts.writing.port import FieldDraft, Written  # noqa: E402
from drafts.writing.roles import speaks  # noqa: E402
from tests.servers import model as stand_in  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "drafting-model.md"
TEXTS = ("name", "tagline", "city", "founded_year", "contact_email")
FIGURES = (
    "invented_rate_of_values",
    "precision",
    "recall_micro",
    "evidence_valid_rate",
    "closed_pages_cited",
)
TIMEOUT, TOGETHER, INPUT_TOKENS = 45.0, 50.0, 10_000


class NameAlone(ExtractiveWriter):
    """Rules that find a name and nothing else, so that all the rest hangs on the model and its check."""

    def write(self, site: SiteText, *, fields: Collection[str] | None = None) -> Written:
        """A draft with blanks to fill."""
        found = super().write(site, fields=fields)
        blank = FieldDraft(reason="not_on_site")
        kept = {name: value if name == "name" else blank for name, value in found.fields.items()}
        return replace(found, fields=kept, founders=(), faqs=())


def spoken(site: SiteText) -> list[str]:
    """The texts that speak about the product."""
    return [segment.text for page in site.pages for segment in page.segments if speaks(segment)]


def stated(site: SiteText, words: str) -> str:
    """The shortest segment that holds some words."""
    texts = [text for text in spoken(site) if stand_in.folded(words) in stand_in.folded(text)]
    return min(texts, key=len, default="")


def told_by(site: SiteText, gold: dict[str, Any]) -> dict[str, Any]:
    """What a faithful model would know of a site: the labels, as far as the site states them."""
    labels = {name: value for name, value in gold["fields"].items() if isinstance(value, list)}
    facts: dict[str, Any] = {}
    for name in TEXTS:
        facts[name] = next((v for v in labels.get(name, []) if isinstance(v, str) and stated(site, v)), None)
    if facts["city"] and labels.get("country"):
        facts["country"] = (labels["country"][0], facts["city"])
    features = [stated(site, word) for item in labels.get("features", []) for word in item.split("|")[:1]]
    facts["features"] = [text for text in features if text and len(text) <= 200]
    facts["founders"] = [person for person in labels.get("founders", []) if stated(site, person["name"])]
    facts["faqs"] = list(answered(site, labels.get("faqs", [])))
    facts["description"] = next((text for text in spoken(site) if len(text) > 120), None)
    if labels.get("short_description"):
        first = stated(site, labels["short_description"][0].split("|")[0])
        facts["short_description"] = first[:300] or None
    return facts


def answered(site: SiteText, questions: list[str]) -> Iterator[dict[str, str]]:
    """The questions with the segment that follows each."""
    for page in site.pages:
        for at, segment in enumerate(page.texts[:-1]):
            if any(stand_in.folded(segment.text) == stand_in.folded(question) for question in questions):
                yield {"question": segment.text, "answer": page.texts[at + 1].text}


def behaviour(mode: str, facts: dict[str, Any], gold: dict[str, Any]) -> Any:
    """How the stand-in acts on one site."""
    return {
        "faithful": stand_in.faithful(facts),
        "inventing a fifth": stand_in.inventing(facts),
        "obeying the pages": stand_in.obeying([*gold["forbidden"], "World's best tool"]),
        "garbage": stand_in.says("Sure! Here you go: {name: oops"),
        "2 s a call": stand_in.slow(2, stand_in.faithful(facts)),
        "silent": stand_in.never,
    }[mode]


def draft(
    site: SiteText, server: stand_in.ModelServer, *, rules: ExtractiveWriter, timeout: float
) -> tuple[Written, float, int, int]:
    """One draft with the model: what was written, seconds, calls, and input tokens at three characters each."""
    server.requests.clear()
    model = OpenAIModel(api_key=stand_in.KEY, base_url=server.base_url, model="stand-in", output_tokens=4000)
    writer = OpenAIWriter(model=model, rules=rules, seconds=min(TOGETHER, timeout), input_tokens=INPUT_TOKENS)
    started = time.monotonic()
    written = writer.write(site)
    seconds = time.monotonic() - started
    characters = sum(len(m["content"]) for body in server.requests for m in body["messages"])
    return written, seconds, len(server.requests), characters // 3


def score(drafts: dict[str, Any], *, corpus: Path, folder: Path) -> dict[str, Any]:
    """The corpus's own scorer."""
    drafted, out = folder / "drafts.json", folder / "scores.json"
    drafted.write_text(json.dumps(drafts, ensure_ascii=False))
    command = [sys.executable, str(corpus.parent / "score.py"), str(drafted), "--corpus", str(corpus)]
    subprocess.run([*command, "--json", str(out)], check=True, capture_output=True)
    found: dict[str, Any] = json.loads(out.read_text())
    return dict(found["summary"])


def main() -> None:
    """Draft in each mode and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "corpus" / "dev")
    parser.add_argument("--work", type=Path, default=ROOT / "var" / "draft-with-model")
    parser.add_argument("--only", default="", help="modes, separated by semicolons")
    parser.add_argument("--silent-timeout", type=float, default=2.0)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    golds = {
        path.parent.name: json.loads(path.read_text()) for path in sorted(options.corpus.glob("*/gold.json"))
    }
    sites = {name: read_site(read_folder(options.corpus / name / "pages")) for name in golds}
    plain = {name: draft_out(ExtractiveWriter().write(site)) for name, site in sites.items()}
    rows = [("rules alone", score(plain, corpus=options.corpus, folder=options.work), [0.0], [0], [0])]
    modes = ["faithful", "inventing a fifth", "obeying the pages", "garbage", "2 s a call", "silent"]
    modes += [f"{mode}, rules off" for mode in modes[:3]]
    wanted = [mode for mode in modes if not options.only or mode in options.only.split(";")]
    with stand_in.ModelServer(stand_in.says("{}")) as server:
        for mode in wanted:
            timeout = options.silent_timeout if mode == "silent" else TIMEOUT
            kind, _, without = mode.partition(", ")
            rules = NameAlone() if without else ExtractiveWriter()
            found, figures = {}, []
            for name, site in sites.items():
                server.behave = behaviour(kind, told_by(site, golds[name]), golds[name])
                written, *measured = draft(site, server, rules=rules, timeout=timeout)
                found[name] = draft_out(written)
                figures.append(measured)
            seconds, calls, tokens = (list(column) for column in zip(*figures, strict=True))
            rows.append(
                (mode, score(found, corpus=options.corpus, folder=options.work), seconds, calls, tokens)
            )
            print(mode, {name: rows[-1][1].get(name) for name in FIGURES}, flush=True)
    RESULTS.write_text(report(rows, sites=len(sites), silent=options.silent_timeout))


def report(rows: list[Any], *, sites: int, silent: float) -> str:
    """The table."""
    lines = [
        "# Drafting with a stand-in model",
        "",
        f"{machine.described()}",
        "",
        f"In process, without a running service: {sites} sites read from their files, extracted, drafted by rules,",
        "completed by the stand-in of `tests/servers/model.py` over loopback HTTP, verified, and scored by the",
        "corpus's scorer. Times are of the drafting step alone. The silent model is given up after",
        f"{silent:g} s here instead of {TIMEOUT:g} s. Repeat: `{machine.command_line()}`",
        "With the rules off, everything but the name hangs on the model and on what checks it.",
        "",
        "| model | invented of values | precision | recall (micro) | quotes valid | closed pages cited | "
        "median s | most s | most calls | median input tokens |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for mode, scored, seconds, calls, tokens in rows:
        figures = " | ".join(f"{scored.get(name, 0):.3f}" for name in FIGURES)
        lines.append(
            f"| {mode} | {figures} | {statistics.median(seconds):.1f} | {max(seconds):.1f} | {max(calls)} | "
            f"{statistics.median(tokens):.0f} |"
        )
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    main()
