"""Five generators make clients from our OpenAPI file, strictly typed; three of them do the main job: make clients.

Each client has its own way of reading the file; what one of them cannot compile, its users cannot use.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import lxml.html
import pytest

from config.embedded import paths
from tests.journeys.service import Service, wait_for
from tests.journeys.sites import fill
from tests.servers.folders import throwaway_folder
from tests.servers.website import Website, plain

HERE = Path(__file__).parent
MADE = HERE / "generated"
NODE = HERE / "node_modules" / "node" / "bin" / "node"
TOOLS = HERE / "node_modules" / ".bin"
PYTHON = Path(os.environ["CLIENTS_PYTHON"])
HOSTS = {"fetch": "fetch.test", "attrs": "attrs.test", "pydantic": "pydantic.test"}
PATIENCE = 180
BUYER = {
    "email": "ines@brindle.example",
    "name": "Ines Prado",
    "address": "Korenmarkt 1",
    "postcode": "9000",
    "city": "Ghent",
    "country": "BE",
    "terms": "on",
    "method": "test",
}
DONE = {
    "tagline": "Invoices that arrive",
    "status": "live",
    "claim": "verified",
    "order": "paid",
    "as_quoted": True,
}


@pytest.fixture(scope="module")
def websites() -> Iterator[dict[str, Website]]:
    """A product for each client that does the job."""
    with Website() as fetch, Website() as attrs, Website() as pydantic:
        sites = {"fetch": fetch, "attrs": attrs, "pydantic": pydantic}
        for site in sites.values():
            fill(site)
        yield sites


@pytest.fixture(scope="module")
def service(websites: dict[str, Website]) -> Iterator[Service]:
    """What `make up` runs, which may reach these products."""
    known = {host: websites[name].at(host)[host] for name, host in HOSTS.items()}
    resolve = ",".join(f"{host}={address}:{port}" for host, (address, port) in known.items())
    with throwaway_folder(migrated=True) as folder:
        running = Service(folder, paths.free_port(), {"CRAWL_RESOLVE": resolve})
        try:
            running.start()
            yield running
        finally:
            running.stop()


@pytest.fixture(scope="module")
def document(service: Service) -> Path:
    """Our OpenAPI file as the service gives it, in an empty folder for what is made of it."""
    shutil.rmtree(MADE, ignore_errors=True)
    MADE.mkdir()
    path = MADE / "openapi.json"
    path.write_bytes(httpx2.get(f"{service.site}/api/v1/openapi.json", trust_env=False).content)
    return path


def run(*command: str | Path, cwd: Path = MADE) -> str:
    """What a program prints; it must end well."""
    environment = {**os.environ, "PATH": f"{NODE.parent}:{os.environ['PATH']}", "MYPYPATH": str(MADE)}
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def clients(document: Path) -> Path:
    """All five, made."""
    python = PYTHON.parent
    config = MADE / "attrs.json"
    config.write_text(json.dumps({"package_name_override": "attrs_client", "post_hooks": []}))
    run(
        python / "openapi-python-client", "generate", "--path", document, "--meta", "none",
        "--output-path", MADE / "attrs_client", "--config", config, "--fail-on-warning",
    )  # fmt: skip
    run(
        python / "openapi-generator-cli", "generate", "-i", document, "-g", "python",
        "-o", MADE, "--package-name", "pydantic_client", "--global-property",
        "models,apis,supportingFiles,modelTests=false,apiTests=false,modelDocs=false,apiDocs=false",
    )  # fmt: skip
    run(TOOLS / "openapi-typescript", document, "-o", MADE / "fetch.d.ts")
    run(TOOLS / "openapi-ts", "-i", document, "-o", MADE / "hey")
    run(TOOLS / "orval", "--client", "fetch", "--input", document, "--output", MADE / "orval.ts")
    return MADE


def test_the_clients_of_typescript_compile_strictly(clients: Path) -> None:
    assert {path.name for path in clients.iterdir()} >= {"fetch.d.ts", "hey", "orval.ts"}
    run(TOOLS / "tsc", "-p", HERE, cwd=HERE)


@pytest.mark.parametrize(("name", "strict"), [("attrs", ["--strict"]), ("pydantic", [])])
def test_the_clients_of_python_are_typed(clients: Path, name: str, strict: list[str]) -> None:
    """OpenAPI Generator's own runtime is not written for mypy's strict mode."""
    run(PYTHON, "-m", "mypy", *strict, "-p", f"{name}_client")
    run(PYTHON, "-m", "mypy", "--strict", "--follow-imports=silent", HERE / f"journey_{name}.py")


def test_every_operation_has_its_function_in_every_client(clients: Path, document: Path) -> None:
    operations = [
        operation["operationId"]
        for methods in json.loads(document.read_text())["paths"].values()
        for operation in methods.values()
    ]
    attrs = {path.stem for path in (clients / "attrs_client" / "api").glob("*/*.py")}
    pydantic = "".join(path.read_text() for path in (clients / "pydantic_client" / "api").glob("*.py"))

    assert [name for name in operations if name not in attrs] == []
    assert [name for name in operations if f"def {name}(" not in pydantic] == []


@pytest.mark.parametrize("name", HOSTS)
def test_a_client_does_the_main_job(
    clients: Path, service: Service, websites: dict[str, Website], name: str
) -> None:
    key = service.command("create_api_key", f"{name}@people.example")
    program = [NODE, HERE / "journey.ts"] if name == "fetch" else [PYTHON, HERE / f"journey_{name}.py"]
    command = [str(word) for word in [*program, service.site, key, f"https://{HOSTS[name]}/"]]
    environment = {**os.environ, "PYTHONPATH": str(MADE)}
    with started(command, environment) as (requests, go_on):
        for line in requests:
            request = json.loads(line)
            if "pay" in request:
                pay(request["pay"], site=service.site)
            elif "publish" in request:
                websites[name].pages["/.well-known/plverify.txt"] = plain(request["publish"])
            else:
                assert request == DONE
                return
            go_on()
    pytest.fail("It ended before the job was done.")


def test_the_quick_starts_of_clients_do_what_they_say(clients: Path, service: Service) -> None:
    """The last line of each first text makes what the second one uses; it finds what was launched above."""
    page = lxml.html.fromstring(httpx2.get(f"{service.site}/docs/start", trust_env=False).text)
    texts = [page.get_element_by_id(f"client-{place}").text_content() for place in range(1, 5)]
    reads = {"launch.mts": [NODE, clients / "launch.mts"], "launch.py": [PYTHON, clients / "launch.py"]}
    for (made, text), (name, program) in zip((texts[:2], texts[2:]), reads.items(), strict=True):
        tool, *words = made.splitlines()[-1].removeprefix("npx ").split()
        run(next(path for path in (TOOLS / tool, PYTHON.parent / tool) if path.exists()), *words)
        (clients / name).write_text(text)
        assert "Invoices that arrive" in run(*program)
    run(TOOLS / "tsc", "-p", HERE, cwd=HERE)


@contextmanager
def started(
    command: list[str], environment: dict[str, str]
) -> Iterator[tuple[Iterator[str], Callable[[], None]]]:
    """A running program: the lines that it prints, and what lets it go on after one. Its complaints are shown."""
    process = subprocess.Popen(
        command, cwd=HERE, text=True, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    write = process.stdin

    def go_on() -> None:
        write.write("\n")
        write.flush()

    try:
        yield process.stdout, go_on
    finally:
        process.kill()
        process.communicate()


def pay(checkout_url: str, *, site: str) -> None:
    """What a person does on the checkout page, and on the page of test money; until the order is paid."""
    with httpx2.Client(base_url=site, follow_redirects=True, trust_env=False, timeout=60) as browser:
        for act in ("check", "pay"):
            page = submitted(browser, browser.get(checkout_url), {**BUYER, "act": act})
        submitted(browser, page, {"choice": "pay"})
        wait_for(lambda: "Paid. Here" in browser.get(checkout_url).text, patience=PATIENCE)


def submitted(browser: httpx2.Client, page: httpx2.Response, values: dict[str, str]) -> httpx2.Response:
    """The page that follows the checkout's form, or that of test money, filled in with these."""
    document = lxml.html.fromstring(page.text, base_url=str(page.url))
    wanted = "address" if "act" in values else "choice"
    form = next(form for form in document.forms if form.xpath(f'.//*[@name="{wanted}"]'))
    data = {**dict(form.form_values()), **values}
    target = httpx2.URL(str(page.url)).join(form.action or str(page.url))
    return browser.post(target, data=data, headers={"Referer": str(page.url)})


if __name__ == "__main__":
    sys.exit("Run it by make clients.")
