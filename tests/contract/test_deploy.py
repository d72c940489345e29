"""The files of deploy/ name programs, settings, addresses and metrics that exist, and leave no door open."""

import re
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.urls import resolve

from config import refusals, serve
from config.celery import app
from config.embedded.stack import PROGRAMS
from directory.models import Site

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
OF_OTHERS = {
    "LOCK",
    "SITE_HOST",
    "POSTGRES_PASSWORD",
    "REDIS_PASSWORD",
    "PATH",
    "PYTHONUNBUFFERED",
    "PYTHONDONTWRITEBYTECODE",
    "CELERY_SKIP_CHECKS",
}
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
SECRETS = {
    "common": {"DATABASE_URL", "REDIS_URL", "SECRET_KEY"},
    "payments": {
        *("STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"),
        *("PAYPAL_CLIENT_ID", "PAYPAL_CLIENT_SECRET", "PAYPAL_WEBHOOK_ID"),
        *("BTCPAY_URL", "BTCPAY_API_KEY", "BTCPAY_STORE_ID", "BTCPAY_WEBHOOK_SECRET"),
    },
    "web": {"METRICS_TOKEN"},
    "mail": {"EMAIL_URL"},
    "model": {"OPENAI_API_KEY"},
}
OWN = {  # which secrets each program has
    "web": {"common", "payments", "web", "model"},
    "worker": {"common", "payments", "mail"},
    "crawler": {"common", "model"},
    "prepare": {"common"},
}
MB = {"M": 1, "Mi": 1, "m": 1, "G": 1024, "Gi": 1024, "g": 1024}
WEB_PROCESS, PARENT = 400, 150  # MB: what a process of the web may grow to, and the one that started it
QUEUES = {"crawler": "crawl,ai", "worker": "payments,mail,default"}


def documents(folder: str) -> list[dict[str, Any]]:
    files = sorted((DEPLOY / folder).glob("*.yaml"))
    return list(chain.from_iterable(yaml.safe_load_all(file.read_text()) for file in files))


def commands() -> dict[str, list[str]]:
    """Every command that some file starts, by where it stands."""
    found = {f"compose {name}": COMPOSE[name]["command"] for name in ("web", "crawler", "worker", "prepare")}
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


def test_two_workers_of_a_machine_have_names_of_their_own() -> None:
    found = commands()
    for name, queues in QUEUES.items():
        unit = found[f"systemd {name}"]
        assert unit[unit.index("-n") + 1] == f"{name}@%%h"
        for page in ("README.md", "docs/operations.md"):
            assert f"celery -A config worker -n {name}@%h -Q {queues}" in (ROOT / page).read_text()


def test_every_variable_is_a_setting() -> None:
    sources = [
        ROOT / "config" / name
        for name in ("settings.py", "environment.py", "serve.py", "embedded/address.py")
    ]
    code = "".join(path.read_text() for path in (*sources, *(ROOT / "config").rglob("*.py")))
    examples = (*DEPLOY.glob("*.example"), *(DEPLOY / "kubernetes").glob("*.env"))
    texts = [path.read_text() for path in examples]
    names = set(re.findall(r"^([A-Z][A-Z_]+)=", "\n".join(texts), re.MULTILINE))
    names |= set(re.findall(r"\b([A-Z][A-Z_]{3,})=", (DEPLOY / "Containerfile").read_text()))
    names |= set(chain.from_iterable(COMPOSE[name]["environment"] for name in OWN))
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


def pods() -> dict[str, dict[str, Any]]:
    """What the cluster runs, by program."""
    return {
        one["spec"]["template"]["metadata"]["labels"]["app"].removeprefix("launch-"): one["spec"]["template"][
            "spec"
        ]
        for one in documents("kubernetes")
        if one["kind"] in {"Deployment", "Job"}
    }


def units() -> dict[str, str]:
    return {
        path.stem.removeprefix("launch-"): path.read_text() for path in (DEPLOY / "systemd").glob("*.service")
    }


def keys_of(path: Path) -> set[str]:
    return set(re.findall(r"^([A-Z][A-Z_]+)=", path.read_text(), re.MULTILINE))


def megabytes(given: str) -> int:
    number, unit = re.fullmatch(r"(\d+)(\w+)", given).groups()  # type: ignore[union-attr]
    return int(number) * MB[unit]


@pytest.mark.parametrize("name", sorted(COMPOSE))
def test_every_container_is_locked(name: str) -> None:
    service = COMPOSE[name]

    assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
    assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "caddy" else [])
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["pids_limit"] == 512
    assert "mem_limit" in service


def test_each_network_holds_only_those_who_need_it() -> None:
    networks = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["networks"]
    members = {
        name: {service for service in COMPOSE if name in COMPOSE[service]["networks"]} for name in networks
    }

    assert members == {
        "public": {"haproxy"},
        "edge": {"haproxy", "caddy"},
        "proxy": {"caddy", "web"},
        "database": {"postgres", *OWN},
        "queue": {"redis", *OWN},
        "outside": {"caddy", "web", "crawler", "worker"},
    }
    assert {name for name, network in networks.items() if (network or {}).get("internal")} == {
        *("edge", "proxy", "database", "queue")
    }
    assert {name for name in COMPOSE if "ports" in COMPOSE[name]} == {"haproxy"}


def test_redis_wants_a_password_everywhere() -> None:
    assert '--requirepass "$$REDIS_PASSWORD"' in COMPOSE["redis"]["command"][-1]
    assert {COMPOSE[name]["environment"]["REDIS_URL"] for name in OWN} == {
        "redis://:${REDIS_PASSWORD:?}@redis:6379/0"
    }
    assert "REDIS_URL=redis://:change-me@" in (DEPLOY / "kubernetes" / "secrets.env").read_text()


@pytest.mark.parametrize("name", sorted(OWN))
def test_each_program_has_its_own_secrets_alone(name: str) -> None:
    every, own = set().union(*SECRETS.values()), set().union(*(SECRETS[part] for part in OWN[name]))
    cluster = DEPLOY / "kubernetes"
    maps = [
        entry["secretRef"]["name"]
        for entry in pods()[name]["containers"][0]["envFrom"]
        if "secretRef" in entry
    ]
    files = {"launch-secrets": "secrets.env"}
    in_cluster = set().union(
        *(keys_of(cluster / files.get(item, f"secrets-{item.removeprefix('launch-')}.env")) for item in maps)
    )

    assert set(COMPOSE[name]["environment"]) & every == own
    assert in_cluster <= own
    assert in_cluster & SECRETS["payments"] == {
        one for one in in_cluster if one.startswith(("STRIPE", "PAYPAL"))
    }
    assert COMPOSE[name]["env_file"] == ["settings.env"]
    assert keys_of(DEPLOY / "settings.example") & every == set()
    expected = ["/etc/launch-directory/env"]
    expected += [f"-/etc/launch-directory/{name}.env"] if name != "prepare" else []
    assert re.findall(r"^EnvironmentFile=(.+)$", units()[name], re.MULTILINE) == expected


def test_metrics_are_for_whoever_has_the_token_and_not_for_strangers() -> None:
    assert "METRICS_TOKEN" in keys_of(DEPLOY / "env.example")
    assert keys_of(DEPLOY / "kubernetes" / "secrets-web.env") == {"METRICS_TOKEN"}
    assert "respond /metrics 404" in (DEPLOY / "Caddyfile").read_text()
    (ingress,) = (one for one in documents("kubernetes") if one["kind"] == "Ingress")
    paths = {path["path"]: path for path in ingress["spec"]["rules"][0]["http"]["paths"]}
    assert paths["/metrics"]["backend"]["service"]["name"] == "launch-nobody"
    (nobody,) = (
        one for one in documents("kubernetes") if one.get("metadata", {}).get("name") == "launch-nobody"
    )
    assert "selector" not in nobody["spec"]
    (job,) = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yml").read_text())["scrape_configs"]
    assert job["authorization"] == {"credentials_file": "/etc/prometheus/metrics_token"}


@pytest.mark.parametrize("name", sorted(OWN))
def test_pods_have_no_token_of_the_cluster_and_a_limit(name: str) -> None:
    pod = pods()[name]
    container = pod["containers"][0]

    assert pod["automountServiceAccountToken"] is False
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    unit = re.search(r"^MemoryMax=(\w+)$", units()[name], re.MULTILINE)
    assert unit
    limits = (COMPOSE[name]["mem_limit"], container["resources"]["limits"]["memory"], unit[1])
    assert len({megabytes(limit) for limit in limits}) == 1


def test_memory_limits_hold_what_the_programs_may_take() -> None:
    crawlers = int(PROGRAMS["crawler"][-1].partition(",")[0])

    assert megabytes(COMPOSE["web"]["mem_limit"]) >= serve.WORKERS * WEB_PROCESS + PARENT
    assert (
        megabytes(COMPOSE["crawler"]["mem_limit"])
        >= crawlers * app.conf.worker_max_memory_per_child / 1000 + PARENT
    )
    (redis,) = re.findall(r"--maxmemory (\d+)mb", COMPOSE["redis"]["command"][-1])
    assert megabytes(COMPOSE["redis"]["mem_limit"]) == 2 * int(redis)


def test_the_cluster_s_network_lets_in_nobody_who_is_not_named() -> None:
    policies = {
        one["metadata"]["name"]: one["spec"]
        for one in documents("kubernetes")
        if one["kind"] == "NetworkPolicy"
    }

    assert policies["launch-nobody-unless-named"] == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    apps = policies["launch-programs"]["podSelector"]["matchExpressions"][0]["values"]
    assert apps == [f"launch-{name}" for name in ("web", "worker", "crawler", "prepare")]
    assert sorted(name.removeprefix("launch-") for name in apps) == sorted(OWN)
    public = policies["launch-programs"]["egress"][-1]["to"]
    assert {"10.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"} <= set(
        public[0]["ipBlock"]["except"]
    )
    for name, port in (("redis", 6379), ("postgres", 5432)):
        (rule,) = policies[f"launch-{name}"]["ingress"]
        assert rule["ports"] == [{"port": port}]
        assert rule["from"][0]["podSelector"]["matchExpressions"][0]["values"] == apps


@pytest.mark.parametrize("file", ["env.example", "kubernetes/secrets.env"])
def test_nothing_starts_with_the_example_s_key(file: str) -> None:
    found = re.search(r"^SECRET_KEY=(.+)$", (DEPLOY / file).read_text(), re.MULTILINE)
    assert found

    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY is still the example's"):
        refusals.secret_key(found[1], former=[], is_public=True)


def test_the_outermost_door_counts_connections_by_network() -> None:
    haproxy, nftables = ((DEPLOY / name).read_text() for name in ("haproxy.cfg", "nftables.conf"))

    assert haproxy.count("tcp-request connection track-sc0 src,ipmask(24,56) table networks") == 2
    assert haproxy.count("tcp-request connection reject if { sc0_conn_cur(networks) gt 256 }") == 2
    assert haproxy.count("tcp-request inspect-delay 5s") == 2
    assert nftables.count("ct count over 256") == 2
    assert "proxy_protocol" in (DEPLOY / "Caddyfile").read_text()
