# `make` lists the targets. Variables: PYTHON (python3), ARGS (more arguments).

PYTHON ?= python3
ARGS ?=
PREUVES ?= longue
ROUTE ?= /api/v1/auth/validate
# Who may do what, and what hostile inputs are answered: what both engines must answer alike.
MATRIX := config/tests/contrat/test_matrice.py config/tests/contrat/test_matrice_complete.py
BOTH_ENGINES := $(MATRIX) config/tests/hostiles
TEST_DATABASE_URL ?= postgres://postgres@127.0.0.1:5432/postgres
TEST_REDIS_URL ?= redis://127.0.0.1:6379/9

BIN := .venv/bin
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check --no-input --require-hashes
UV := $(BIN)/python -m uv pip
# What a target of its own runs.
APART := not parcours and not navigateur and not tableur and not preuve
# What reads the API's description; `.ci/run` has it wait for npm beside other things.
OPENAPI ?= .ci/openapi/lint
# A Python 3.12 or newer, for the newest Django; empty where there is none.
NEXT_PYTHON ?= $(shell .ci/next-python)
# It deprecates the mail settings, for two years, and ours has nothing yet to put in their place.
NEXT_PYTEST := .venv-next/bin/python -W "ignore:The EMAIL_" -m pytest -n 2 -p no:cacheprovider -W "ignore:The EMAIL_"
NEXT := .venv-next/.installed-$(shell cksum < requirements-next.txt | tr ' ' '-')
# A stamp carries the checksum of its lock file: a changed lock, or another branch, installs again.
RUNTIME := .venv/.runtime-$(shell cksum < requirements.txt | tr ' ' '-')
DEV := .venv/.dev-$(shell cksum < requirements-dev.txt | tr ' ' '-')
WITHOUT_SERVICES := env -u CAMPUS_TEST_SERVICES -u TEST_DATABASE_URL -u TEST_REDIS_URL
LOCK := $(UV) compile --quiet --generate-hashes --no-header \
	--python-version 3.11 --python-platform x86_64-manylinux_2_28

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run test test-all test-services test-plain test-next test-journey test-browser prove pictures test-spreadsheet bench profile audit sbom lint format lock translations clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 18

run: $(RUNTIME) ## migrate, seed and serve (PORT, HOST, DATA_DIR, DEMO)
	@exec $(BIN)/python manage.py serve

test: $(DEV) ## tests on SQLite in some minutes: all but the long ones
	$(WITHOUT_SERVICES) $(BIN)/python -m pytest -n auto -m "$(APART) and not longue" $(ARGS)

test-all: $(DEV) ## tests on SQLite, the long ones too, without services, servers, browser or spreadsheet
	$(WITHOUT_SERVICES) $(BIN)/python -m pytest -n auto -m "$(APART)" $(ARGS)

test-services: export TEST_DATABASE_URL := $(TEST_DATABASE_URL)
test-services: export TEST_REDIS_URL := $(TEST_REDIS_URL)
test-services: $(DEV) ## all the same tests on PostgreSQL and Redis (TEST_DATABASE_URL, TEST_REDIS_URL)
	$(BIN)/python -m pytest -n auto -m "$(APART)" $(ARGS)

test-plain: $(DEV) ## matrix, hostile inputs and journeys by the ORM and DRF alone (same two variables, when set)
	MOTEUR=ordinaire $(BIN)/python -m pytest -n 2 --dist loadfile $(BOTH_ENGINES) config/tests/services/test_parcours.py $(ARGS)

test-next: $(NEXT) ## matrix with the newest Django by the ORM and DRF alone, then the engine (NEXT_PYTHON: a Python 3.12 or newer)
	$(WITHOUT_SERVICES) MOTEUR=ordinaire $(NEXT_PYTEST) $(MATRIX) $(ARGS)
	$(WITHOUT_SERVICES) $(NEXT_PYTEST) socle/moteur $(ARGS)

test-journey: $(DEV) ## journeys against real server processes (same two variables, when set)
	$(BIN)/python -m pytest -m parcours $(ARGS)

test-browser: $(DEV) ## the pages in a real browser (same two variables, when set; needs chromium; PREUVES_DEPARTS: how often each is left in a hurry)
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -m navigateur $(ARGS)

prove: export TEST_DATABASE_URL := $(TEST_DATABASE_URL)
prove: export TEST_REDIS_URL := $(TEST_REDIS_URL)
prove: export PREUVES := $(PREUVES)
prove: $(DEV) ## the proofs, for hours; PREUVES=courte: for minutes (needs PostgreSQL, Redis, chromium; same two variables)
	$(BIN)/python -m pytest -p no:xdist -m preuve --durations=10 $(ARGS)
	$(if $(filter longue,$(PREUVES)),$(WITHOUT_SERVICES) PREUVES_DEPARTS=20 $(BIN)/python -m pytest -n 2 -m navigateur portail/tests/test_navigateur_departs.py)

pictures: $(DEV) ## take the pictures of the README again, and those of every page and state, into build/pictures (needs chromium)
	$(WITHOUT_SERVICES) $(BIN)/python -m config.tests.outils.images

test-spreadsheet: $(DEV) ## exports and cleaned documents opened with LibreOffice (needs it, with calc, writer, impress)
	$(WITHOUT_SERVICES) $(BIN)/python -m pytest -m tableur $(ARGS)

bench: $(RUNTIME) ## what merges, readings, routes and sockets cost; PostgreSQL and Redis when they answer (same two variables)
	@$(BIN)/python manage.py bench --postgres "$(TEST_DATABASE_URL)" --redis "$(TEST_REDIS_URL)" $(ARGS)

profile: $(RUNTIME) ## a flame graph of a route, in build/ (ROUTE=/api/v1/auth/validate; ARGS="--as gestionnaire")
	@$(BIN)/python manage.py profile "$(ROUTE)" $(ARGS)

audit: $(DEV) ## known vulnerabilities of the locked packages, where their database can be reached
	@.ci/audit

sbom: $(DEV) ## a bill of materials of what runs, in build/sbom.cdx.json (CycloneDX)
	@mkdir -p build
	@$(BIN)/cyclonedx-py requirements requirements.txt --mc-type application --output-reproducible \
		--output-format JSON --output-file build/sbom.cdx.json
	@echo build/sbom.cdx.json

lint: export DATABASE_URL := sqlite:///:memory:
lint: $(DEV) ## style, types, layers, migrations and the API's documents (by linters of npm's, where it is)
	$(BIN)/python -m ruff check
	$(BIN)/python -m ruff format --check
	$(BIN)/python -m mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python manage.py spectacular --validate --fail-on-warn --file /dev/null
	$(OPENAPI)

format: $(DEV) ## repair what ruff can, then format
	$(BIN)/python -m ruff check --fix-only
	$(BIN)/python -m ruff format

lock: $(DEV) ## write the lock files again (ARGS=--upgrade takes newer versions)
	$(LOCK) $(ARGS) requirements.in --output-file requirements.txt
	$(LOCK) $(ARGS) requirements-dev.in --output-file requirements-dev.txt
	grep -v '^-c' requirements-dev.in | $(subst 3.11,3.12,$(LOCK)) $(ARGS) - --override requirements-next.in --output-file requirements-next.txt

translations: $(RUNTIME) ## collect the English texts, compile both catalogues (needs gettext)
	$(BIN)/python manage.py makemessages --locale en --no-obsolete --no-wrap --add-location file
	$(BIN)/python manage.py compilemessages --locale en --locale fr --ignore '.venv*'

clean: ## remove the environment and every cache
	rm -rf .venv .venv-next .ci/openapi/node_modules .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/pip:
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) not found: install Python 3.11 or newer" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "$$($(PYTHON) -V) is too old: Python 3.11 or newer is needed" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
		|| { echo "python3-venv is missing: install it (Debian: apt-get install python3-venv)" >&2; exit 1; }
	@$(PYTHON) -m venv --clear .venv

# Of a lock file, with these options of uv. pip takes a minute over it, uv seconds; but only pip knows the mirrors that pip
# is told of, so it has the last word.
define INSTALL
@echo "Installing $(1) into .venv"
@rm -f .venv/.runtime-* .venv/.dev-*
@sed -n '/^uv==/,/[^\\]$$/p' requirements-dev.txt > .venv/uv.txt
@{ $(PIP) -r .venv/uv.txt && $(UV) install --quiet --system-certs $(2) --require-hashes -r $(1); } \
	|| { echo "uv could not: installing with pip, which takes longer" >&2; $(PIP) -r $(1); }
endef

# Compiled here, as pip does: a service that may not write beside its packages would compile them at each start.
$(RUNTIME): | $(BIN)/pip
	$(call INSTALL,requirements.txt,--compile-bytecode)
	@touch $@

# The development lock holds the runtime one, so it settles both stamps; what runs is installed first, and compiled.
$(DEV): | $(RUNTIME)
	$(call INSTALL,requirements-dev.txt,)
	@touch $(RUNTIME) $@

$(NEXT): | $(DEV)
	@test -n "$(NEXT_PYTHON)" || { echo "no Python 3.12 or newer: name one by NEXT_PYTHON" >&2; exit 1; }
	@echo "Installing requirements-next.txt into .venv-next"
	@$(NEXT_PYTHON) -m venv --clear .venv-next
	@$(UV) install --quiet --system-certs --python .venv-next/bin/python --require-hashes -r requirements-next.txt \
		|| .venv-next/bin/python -m pip install -qq --disable-pip-version-check --no-input --require-hashes -r requirements-next.txt
	@touch $@
