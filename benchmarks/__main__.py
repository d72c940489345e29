"""`make bench ARGS="drills --kills 3"`: run the measurement that is named first, or tell which there are."""

import ast
import runpy
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
NO_MEASUREMENTS = {"__init__", "__main__", "machine"}


def main() -> int:
    """Hand the arguments on."""
    known = {path.stem: path for path in sorted(HERE.glob("*.py")) if path.stem not in NO_MEASUREMENTS}
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in known:
        for stem, path in known.items():
            print(f'make bench ARGS="{stem}"  {ast.get_docstring(ast.parse(path.read_text()))}')
        return 2 if name else 0
    sys.argv = [str(known[name]), *sys.argv[2:]]
    runpy.run_path(sys.argv[0], run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main())
