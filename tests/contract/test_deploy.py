"""The files of deploy/ name programs, settings, addresses and metrics that exist."""

import re
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client
from django.urls import resolve

from config.embedded.stack import PROGRAMS
from directory.models import Site

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
OF_OTHERS = {
    "LOCK",
    "SITE_HOST",
    "POSTGRES_PASSWORD",
    "PATH",
    "PYTHONUNBUFFERED",
    "PYTHONDONTWRITEBYTECODE",
    "CELERY_SKIP_CHECKS",
}
QUEUES = {"crawler": "crawl,ai", "worker": "payments,mail,default"}


def documents(folder: str) -> list[dict[str, Any]]:
    files = sorted((DEPLOY / folder).glob("*.yaml"))
    return list(chain.from_iterable(yaml.safe_load_all(file.read_text()) for file in files))


def commands() -> dict[str, list[str]]:
    """Every command that some file starts, by where it stands."""
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    found = {f"compose {name}": compose[name]["command"] for name in ("web", "crawler", "worker", "prepare")}
    for unit in (DEPLOY / "systemd").glob("*.service"):
        line = re.search(r"^ExecStart=\S+/bin/(.+)$", unit.read_text(), re.MULTILINE)
        assert line, unit
        found[f"systemd {unit.stem.removeprefix('launch-')}"] = line[1].split()
    for one in documents("kubernetes"):
        if one["kind"] in {"Deployment", "Job"}:
            container = one["spec"]["template"]["spec"]["containers"][0]
            found[f"kubernetes {container['name']}"] = container["command"]
    return found


def test_every_program_is_started_in_each_way_with_its_queues() -> None:
    found = commands()

    assert sorted(found) == sorted(
        f"{way} {name}" for way in ("compose", "systemd", "kubernetes") for name in (*PROGRAMS, "prepare")
    )
    for place, command in found.items():
        name = place.split()[1]
        if name in QUEUES:
            assert command[:4] == ["celery", "-A", "config", "worker"], place
            assert (
                command[command.index("-Q") + 1]
                == QUEUES[name]
                == PROGRAMS[name][PROGRAMS[name].index("--queues") + 1]
            )
        elif name == "web":
            assert command == ["python", "-m", "config.serve"], place
        else:
            assert command == ["python", "manage.py", "prepare"], place


def test_every_variable_is_a_setting() -> None:
    sources = [
        ROOT / "config" / name
        for name in ("settings.py", "environment.py", "serve.py", "embedded/address.py")
    ]
    code = "".join(path.read_text() for path in (*sources, *(ROOT / "config").rglob("*.py")))
    texts = [(DEPLOY / "env.example").read_text(), (DEPLOY / "kubernetes" / "secrets.env").read_text()]
    names = set(re.findall(r"^([A-Z][A-Z_]+)=", "\n".join(texts), re.MULTILINE))
    names |= set(re.findall(r"\b([A-Z][A-Z_]{3,})=", (DEPLOY / "Containerfile").read_text()))
    names |= set(re.findall(r"\b([A-Z][A-Z_]{3,})[=:] ?[\w\"/]", (DEPLOY / "compose.yaml").read_text()))
    unknown = {name for name in names if f'"{name}"' not in code} - OF_OTHERS
    assert {name for name in unknown if not name.startswith("POSTGRES_")} == set()


@pytest.mark.django_db
def test_probes_and_the_scaling_metric_exist(client: Client, site: Site) -> None:
    text = "\n".join(path.read_text() for path in (DEPLOY / "kubernetes").glob("*.yaml"))

    assert {resolve(path).url_name or path for path in re.findall(r"path: (/\w+)", text)}
    assert set(re.findall(r"metric: \{name: (\w+)", text)) <= set(
        re.findall(r"^# TYPE (\w+)", client.get("/metrics").content.decode(), re.MULTILINE)
    )


def test_the_cluster_lists_each_of_its_files() -> None:
    listed = yaml.safe_load((DEPLOY / "kubernetes" / "kustomization.yaml").read_text())["resources"]

    assert sorted([*listed, "kustomization.yaml"]) == sorted(
        path.name for path in (DEPLOY / "kubernetes").glob("*.yaml")
    )
