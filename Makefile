# `make play` and `make test` are the only two commands a newcomer needs.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# Tests wait now and then, so three workers for two processors keep them busy.
CORES   := $(shell getconf _NPROCESSORS_ONLN)
WORKERS ?= $(shell echo $$(( $(CORES) * 3 / 2 )))

# Programs that tests start would compile every module again without stored byte code.
PYTEST = PYTHONDONTWRITEBYTECODE= $(BIN)/pytest -n $(WORKERS) --dist worksteal
SLOW_FOLDERS := bench browser golden oracles playthroughs server \
	unit/analysis unit/kernels unit/oracles unit/reports unit/tools

.PHONY: play test test-fast test-lowest test-newest browser budgets check soak bench coverage schema playthroughs goldens pages docs screenshots pins clean

# Serve the tables at http://127.0.0.1:8000; `crossfelt play` is a table in the terminal.
play: $(READY)
	@$(BIN)/crossfelt serve

# `make test PKG=table` runs the tests of one package.
test: $(if $(PKG),$(READY),browser)
	$(PYTEST) $(if $(PKG),$(wildcard tests/$(PKG) tests/*/$(PKG) src/crossfelt/$(PKG)))

# The inner loop, in half a minute: a part of every package without server, browser or enumerations.
test-fast: $(READY)
	$(PYTEST) -n $(CORES) -m "not (soak or exhaustive or server or browser)" $(SLOW_FOLDERS:%=--ignore=tests/%)

# Browser tests use the system's Chromium; root on Debian installs one if it is missing.
browser: $(READY)
	@$(BIN)/python -m benchmarks.chromium >/dev/null 2>&1 && exit; \
	if test "$$(id -u)" = 0 && command -v apt-get >/dev/null; then \
		apt-get update -qq && export DEBIAN_FRONTEND=noninteractive && \
		{ apt-get install -qq --yes chromium-headless-shell fonts-liberation >/dev/null 2>&1 || \
			apt-get install -qq --yes chromium >/dev/null; }; \
	else \
		echo "make: no Chromium, so browser tests are skipped; install chromium or set CROSSFELT_CHROMIUM" >&2; \
	fi

# Test the package, installed in an environment of its own, with the lowest or the newest versions it allows.
test-lowest test-newest: test-%:
	$(PYTHON) tools/check_bounds.py $*

# Measure the budgets of the browser's table: first paint, size, keys, commands, advice.
budgets: browser
	$(BIN)/python -m benchmarks start page

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The long tests, then the load: 1,200 seats, 6,000 connections, a restart with a million events.
soak: browser
	$(BIN)/pytest -n auto -m soak
	$(BIN)/python tools/mutate_rulebooks.py
	@mkdir -p bench-results
	$(BIN)/python -m benchmarks.load --tables 200 --seconds 60 --connections 6000 --plot bench-results/load.svg
	$(BIN)/python -m benchmarks.server --events 1000000

bench: $(VENV)/.bench
	@mkdir -p bench-results
	$(BIN)/python -m benchmarks --out bench-results/bench.json

# Write the golden playthroughs again, after an intended change.
playthroughs: $(READY)
	$(BIN)/python tools/write_playthroughs.py

# Write the golden files again: histories, output of commands, OpenAPI, wire transcripts, PAR sheets.
goldens: $(READY)
	$(BIN)/python tools/write_goldens.py

# Write the JSON Schemas of reports and training questions.
schema: $(READY)
	$(BIN)/python -c 'from crossfelt.training.question import schema; print(schema().decode(), end="")' > docs/training.schema.json
	PYTHONPATH=tools $(BIN)/python -c 'from handbook.rulebook_schema import schema; print(schema().decode(), end="")' > src/crossfelt/rulebooks/rulebook.schema.json
	$(BIN)/python -c 'from crossfelt.reports.document import schema; print(schema().decode(), end="")' > docs/report.schema.json

# Write the generated parts of the pages on games: rules, odds and figures.
pages: $(READY)
	$(BIN)/python tools/write_pages.py

# Take the screenshots of README and docs again; needs Chromium.
screenshots: $(READY)
	PYTHONPATH=. $(BIN)/python tools/write_screenshots.py

# Build the documentation into site/, without a network.
docs: $(READY)
	$(BIN)/python tools/build_docs.py

# Write the list of clauses and the tests that prove them, which ships with the package.
coverage: $(READY)
	$(BIN)/python tools/write_coverage.py

# Pin the versions and hashes of all that tests and benchmarks need, on every platform; needs uv. Pins stay where they
# can; `make pins UPGRADE=--upgrade` takes the newest versions.
PIN = uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate $(UPGRADE) \
	--custom-compile-command 'make pins' pyproject.toml
pins:
	$(PIN) --extra dev --output-file requirements.txt >/dev/null
	$(PIN) --extra bench --constraint requirements.txt --output-file requirements-bench.txt >/dev/null

$(READY): pyproject.toml requirements.txt Makefile
	@command -v $(PYTHON) >/dev/null || { echo "make: $(PYTHON) not found; set PYTHON to a Python 3.11 or newer" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "make: Crossfelt needs Python 3.11 or newer; set PYTHON" >&2; exit 1; }
	@echo "Setting up $(VENV) (once; about a minute) ..." >&2
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) --require-hashes --no-deps --requirement requirements.txt
	@$(PIP) --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q src  # so that the first start does not wait for it
	@touch $@

$(VENV)/.bench: $(READY) requirements-bench.txt
	@$(PIP) --require-hashes --no-deps --requirement requirements-bench.txt
	@touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis dist build
