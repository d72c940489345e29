"""Our programs as an operator starts them on several machines: web servers, workers, crawlers, a proxy before them."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import psutil

from config.embedded.stack import ENVIRONMENT, PROGRAMS
from tests.journeys.service import wait_for

ROOT = Path(__file__).resolve().parents[2]
READY, STOP = 240.0, 60.0
NGINX = """
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log warn;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/f;
  uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  upstream launch {{
{servers}
    keepalive 32;
    keepalive_timeout 15s;
  }}
  server {{
    listen 127.0.0.1:{port};
    client_max_body_size 5m;
    location / {{
      proxy_pass http://launch;
      proxy_http_version 1.1;
      proxy_connect_timeout 1s;
      proxy_next_upstream error timeout;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto $scheme;
    }}
  }}
}}
"""


@dataclass
class Programs:
    """Processes of ours by a name each, such as `web 2`."""

    environment: Mapping[str, str]
    folder: Path
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    stack: ExitStack = field(default_factory=ExitStack)

    def start(self, name: str, *more: str, **environment: str) -> subprocess.Popen[bytes]:
        """Start the program that the name begins with."""
        kind = name.split(maxsplit=1)[0]
        words = [*PROGRAMS[kind], *more]
        if kind != "web":
            words[words.index("--hostname") + 1] = f"{name.replace(' ', '')}@%h"
        log = (self.folder / f"{name.replace(' ', '-')}.log").open("ab")
        self.running[name] = subprocess.Popen(
            [sys.executable, "-m", *words],
            cwd=ROOT,
            env={**os.environ, **ENVIRONMENT, **self.environment, **environment},
            stdout=log,
            stderr=log,
            stdin=subprocess.DEVNULL,
        )
        log.close()
        return self.running[name]

    def kill(self, name: str) -> None:
        """End a program and its children without a word."""
        family = self.family(name)
        for one in family:
            one.kill()
        psutil.wait_procs(family, timeout=10)
        self.running[name].wait()

    def end(self, name: str) -> int:
        """End a program in order; gives its exit code."""
        process = self.running.pop(name)
        process.terminate()
        return process.wait(STOP)

    def family(self, name: str) -> list[psutil.Process]:
        """A program and what it started."""
        try:
            own = psutil.Process(self.running[name].pid)
            return [own, *own.children(recursive=True)]
        except psutil.NoSuchProcess:
            return []

    def stop(self) -> None:
        """End all of them, and see that nobody stays."""
        families = [one for name in self.running for one in self.family(name)]
        for process in self.running.values():
            process.terminate()
        _, left = psutil.wait_procs(families, timeout=STOP)
        for one in left:
            one.kill()


@contextmanager
def programs(environment: Mapping[str, str], folder: Path) -> Iterator[Programs]:
    """Start programs in here; all have ended afterwards."""
    every = Programs(environment, folder)
    try:
        yield every
    finally:
        every.stop()


def wait_ready(port: int) -> None:
    """Until a web server says that it is ready."""

    def is_ready() -> bool:
        try:
            return (
                httpx2.get(f"http://127.0.0.1:{port}/readyz", timeout=5, trust_env=False).status_code == 200
            )
        except httpx2.HTTPError:
            return False

    wait_for(is_ready, patience=READY)


@contextmanager
def proxy(folder: Path, *, port: int, webs: list[int]) -> Iterator[None]:
    """The nginx of docs/operations.md before several web servers."""
    program = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/bin")
    if program is None:
        raise SystemExit("nginx is needed: `apt-get install nginx-light` brings it.")
    servers = "\n".join(f"    server 127.0.0.1:{web} max_fails=1 fail_timeout=2s;" for web in webs)
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, port=port, servers=servers))
    process = subprocess.Popen([program, "-p", folder, "-c", folder / "nginx.conf", "-g", "daemon off;"])
    try:
        time.sleep(0.5)
        yield
    finally:
        process.terminate()
        process.wait(10)
