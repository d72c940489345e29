# Needs Python 3.11 or newer and make. Everything else goes into .venv, pinned by hash.

VENV ?= .venv
PYTHON ?=
ARGS ?=
BIN := $(VENV)/bin
AREAS := accounts claims config directory drafts leaderboards orders
PYTHONS := $(or $(PYTHON),python3.11 python3.12 python3.13 python3.14 python3)
PIP = $(BIN)/python -m pip --disable-pip-version-check --no-input
UV := uv==0.13.8
COMPILE = UV_CUSTOM_COMPILE_COMMAND="make lock" .tools/bin/uv pip compile --quiet --universal \
  --generate-hashes --no-emit-index-url --no-annotate

# What tools and tests import is compiled once, at its first use, and not by each process anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: picture home-picture help up test test-upgrade test-alerts test-proxy test-pooler test-mcp test-einvoices test-browser check format openapi demo bench drills bench-search lock base dev peers

help: ## Show this
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

up: base ## Run everything; PORT=, HOST=, DATA_DIR=, SITE_URL=, DATABASE_URL=, REDIS_URL= change what and where
	@exec $(BIN)/python -m config.embedded --with-parent

test: dev ## Run the tests; ARGS="tests/core -x" chooses
	@exec $(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder -m "not browser" $(ARGS)

test-upgrade: dev ## Upgrade from the former release (docs/former-release.json) while somebody reads and drafts are written
	@exec $(BIN)/python -m tests.upgrade

test-alerts: dev ## Let Prometheus' promtool judge each alert's cause and end; `apt-get install prometheus` brings it
	@exec $(BIN)/python -m pytest tests/promtool.py $(ARGS)

test-proxy: dev ## Hold the HAProxy of deploy/ against too many connections; `apt-get install haproxy` brings it
	@exec $(BIN)/python -m pytest tests/proxy.py $(ARGS)

test-pooler: dev ## Run the areas' tests through PgBouncer in transaction mode; `apt-get install pgbouncer` brings it
	@exec $(BIN)/python -m tests.pooler $(ARGS)

test-mcp: dev ## Run the official MCP conformance suite; npm brings it, and the Node it needs
	@cd tests/mcp && npm ci --no-audit --no-fund --loglevel=error
	@exec $(BIN)/python -m pytest tests/mcp/conformance.py $(ARGS)

test-einvoices: dev .tools/bin/uv ## Check structured invoices against the official schematrons; PEPPOL_RULES= names Peppol's own
	@.tools/bin/uv pip install --quiet --python $(BIN)/python "saxonche>=13,<14"
	@PEPPOL_RULES="$(PEPPOL_RULES)" exec $(BIN)/python -m pytest tests/orders/einvoices.py $(ARGS)

clients: dev ## Generate five clients from the OpenAPI file, type-check them, do the main job with three, check credentials with jose; npm brings a part
	@cmp -s requirements/clients.lock .tools/clients/clients.lock || { \
	  $(BIN)/python -m venv --clear .tools/clients && \
	  .tools/clients/bin/python -m pip --disable-pip-version-check install -qq --require-hashes --only-binary :all: \
	    -r requirements/clients.lock && cp requirements/clients.lock .tools/clients/; }
	@cd tests/clients && SCARF_ANALYTICS=false npm ci --no-audit --no-fund --loglevel=error
	@CLIENTS_PYTHON=$(CURDIR)/.tools/clients/bin/python exec $(BIN)/python -m pytest tests/clients/gate.py tests/clients/credentials.py $(ARGS)

CHROMIUM ?= $(shell command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || command -v google-chrome)

test-browser: dev ## Look at the pages in a real browser; CHROMIUM= names one, PICTURES= a folder for a picture of each page
	@[ -x "$(CHROMIUM)" ] || { \
	  echo "A Chromium browser is needed. Debian: apt-get install chromium-headless-shell; elsewhere: make $@ CHROMIUM=/path/to/it"; \
	  exit 1; \
	}
	@CHROMIUM="$(CHROMIUM)" PICTURES="$(PICTURES)" exec $(BIN)/python -m pytest -m browser tests/browser -n 2 --dist worksteal $(ARGS)

check: dev ## Check style, types, imports, migrations and templates
	@$(MAKE) --no-print-directory -j2 types rules

.PHONY: types rules
types:
	$(BIN)/mypy

rules:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/djlint --check --lint --quiet $(wildcard */templates)
	$(BIN)/python -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run
	$(BIN)/python manage.py export_openapi --check
	$(BIN)/python -m docs.draw --check

format: dev ## Bring the code into form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/djlint --reformat --quiet $(wildcard */templates)

openapi: dev ## Write docs/openapi.json and tests/mcp/tools.json anew after a change of the API
	$(BIN)/python manage.py export_openapi
	$(BIN)/python -m tests.mcp.snapshot

picture: dev ## Draw the import graph in docs/architecture.md anew
	$(BIN)/python -m docs.draw

home-picture: dev ## With `make up` running: take the README's picture of the home page anew
	$(BIN)/python -m docs.picture "$(CHROMIUM)" http://$(or $(HOST),127.0.0.1):$(or $(PORT),8000)/

demo: base ## With `make up` running: play the main job; URL= takes a website of your own
	@exec $(BIN)/python -m tests.journeys.demo $(if $(URL),--url "$(URL)")

bench: peers ## Measure what the performance claims rest on; ARGS= goes to the measurement
	@exec $(BIN)/python -m benchmarks $(ARGS)

drills: dev ## Break what the running service stands on, and count what was lost; npm brings the Node of one; ARGS="--only redis-full --times 3"
	@exec $(BIN)/python -m benchmarks drills $(ARGS)

bench-search: peers ## Measure search up to a million listings beside tantivy; ARGS="--keep FOLDER" keeps them
	@exec $(BIN)/python -m benchmarks search $(ARGS)

lock: .tools/bin/uv ## Pin the dependencies of pyproject.toml again; ARGS=--upgrade takes newer ones
	$(COMPILE) --python-version 3.11 $(ARGS) pyproject.toml --output-file requirements/base.lock
	$(COMPILE) --python-version 3.11 $(ARGS) pyproject.toml --extra dev --extra traces --constraint requirements/base.lock \
	  --output-file requirements/dev.lock
	$(COMPILE) --python-version 3.11 $(ARGS) pyproject.toml --extra traces --constraint requirements/base.lock \
	  --output-file requirements/traces.lock
	$(COMPILE) --python-version 3.11 $(ARGS) pyproject.toml --extra bench --constraint requirements/base.lock \
	  --output-file requirements/bench.lock
	$(COMPILE) --python-version 3.11 $(ARGS) requirements/clients.in --output-file requirements/clients.lock

.tools/bin/uv: Makefile
	$(find-python) "$$python" -m venv .tools
	.tools/bin/python -m pip --disable-pip-version-check install --quiet $(UV)
	@touch $@

# A lock names all that its packages need, so its halves are installed side by side.
# It is installed when its copy stands in the virtual environment.
base:
	@cmp -s requirements/base.lock $(VENV)/base.lock && [ -x $(BIN)/python ] || $(MAKE) -s install LOCK=base
dev:
	@cmp -s requirements/dev.lock $(VENV)/dev.lock && [ -x $(BIN)/python ] || $(MAKE) -s install LOCK=dev
peers: dev
	@cmp -s requirements/bench.lock $(VENV)/bench.lock || $(MAKE) -s install LOCK=bench

define find-python
@for python in $(PYTHONS); do \
  "$$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; \
  python=; \
done; \
[ -n "$$python" ] || { \
  echo "Python 3.11 or newer with its venv module is needed; none of these is one: $(PYTHONS)"; \
  echo "Install it (Debian, Ubuntu: python3 and python3-venv), or name it: make $(MAKECMDGOALS) PYTHON=/path/to/python3"; \
  exit 1; \
};
endef

.PHONY: install
install:
	$(find-python) \
	if ! $(BIN)/python -c "import pip, sys; sys.exit(sys.version_info < (3, 11))" 2>/dev/null; then \
	  echo "Making $(VENV) with $$python."; "$$python" -m venv --clear $(VENV); \
	fi
	@echo "Installing requirements/$(LOCK).lock into $(VENV); this is done once and takes a minute."
	@trap 'kill $$halves' INT TERM; for half in 0 1; do \
	  awk -v half=$$half '/^[^ #]/ { pins++ } pins % 2 == half' requirements/$(LOCK).lock >$(VENV)/half$$half.txt; \
	  $(PIP) install -qq $(if $(filter-out base,$(LOCK)),--no-compile) --no-deps --require-hashes --only-binary :all: \
	    -r $(VENV)/half$$half.txt & halves="$$halves $$!"; \
	done; for half in $$halves; do wait $$half || failed=1; done; [ -z "$$failed" ]
	@cp $(sort requirements/base.lock requirements/$(LOCK).lock) $(VENV)/
