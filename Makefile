# `make run` and `make test` work on a fresh machine with Python 3.11+ (with venv), make and git.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
RUN_OK := $(VENV)/.run-ready
DEV_OK := $(VENV)/.dev-ready

.DEFAULT_GOAL := help
.PHONY: help run test lint format lock schema bench clean

help: ## what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed; say which with: make PYTHON=python3.13 ..."; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(RUN_OK): requirements/run.lock pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements/run.lock
	$(BIN)/python -m pip install --quiet --no-deps --editable .
	@touch $@

$(DEV_OK): requirements/dev.lock $(RUN_OK)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements/dev.lock
	@touch $@

run: $(RUN_OK) ## check the bundled golden suite and show its report
	$(BIN)/agent-eval-gate check --cases examples/golden/cases.jsonl \
		--predictions examples/golden/good.jsonl --baseline baselines/golden.json --max-drop 0.05

test: $(DEV_OK) ## run the tests, doctests among them
	$(BIN)/python -m pytest -n auto --dist worksteal

lint: $(DEV_OK) ## floors, types, style, the action's declaration
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/check-jsonschema --builtin-schema vendor.github-actions action.yml

format: $(DEV_OK) ## put the code into its form
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format --quiet .

schema: $(RUN_OK) ## write schemas/ anew from the records
	$(BIN)/python schemas/generate.py

bench: $(DEV_OK) ## speed and memory, as ratios measured side by side
	$(BIN)/python benchmarks/run.py

lock: $(DEV_OK) ## resolve the lock files anew
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-emit-find-links \
		--upgrade --python-version 3.11 pyproject.toml -o requirements/run.lock
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-emit-find-links \
		--upgrade --python-version 3.11 -c requirements/run.lock --group test --group lint --group lock -o requirements/dev.lock

clean: ## remove what was made here
	rm -rf $(VENV) build dist .agent-eval-gate .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
