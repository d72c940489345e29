"""What the corpus's own scorer says of some drafts."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

TREE = Path(__file__).resolve().parents[2] / "directory" / "data" / "categories.json"
FIGURES = (
    *("invented_rate_of_values", "precision", "recall_micro", "recall_macro", "evidence_valid_rate"),
    *("no_faqs_invented", "no_faqs_precision", "no_faqs_recall", "recall_with_suggestions"),
)


def scored(drafts: dict[str, Any], *, corpus: Path, scorer: Path, notes: bool = False) -> dict[str, float]:
    """The figures of the drafted sites alone, with those of categories."""
    with tempfile.TemporaryDirectory() as folder:
        for name in drafts:
            (Path(folder) / name).symlink_to(corpus / name)
        file, out = Path(folder) / "drafts.json", Path(folder) / "scores.json"
        file.write_text(json.dumps(drafts, ensure_ascii=False))
        command = [
            sys.executable,
            str(scorer / "score.py"),
            str(file),
            "--corpus",
            folder,
            "--json",
            str(out),
            "--tree",
            str(TREE),
        ]
        subprocess.run(command, check=True, capture_output=True)
        found = json.loads(out.read_text())
    summary: dict[str, Any] = found["summary"]
    for note in found["notes"] if notes else ():
        print("   -", *note)
    return {k: v for k, v in summary.items() if k in FIGURES or "categor" in k}
