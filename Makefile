# The verbs of this project. The same ones run in CI.
.DEFAULT_GOAL := help
PY := .venv/bin/python
MANAGE := $(PY) manage.py
DJHTML := --tabwidth 2
CHECK_ENV := DEID_SECRET_KEY=$$($(PY) -c 'import secrets;print(secrets.token_urlsafe(64))') DEID_SECURE=1
# With this variable, which some container images set, each process of the portal and of its tests would compile a
# thousand modules anew: three seconds of every start.
unexport PYTHONDONTWRITEBYTECODE

help: ## list the verbs
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 20

install: ## set up everything the portal needs (system libraries, Python environment, keys)
	@scripts/setup.sh run

install-test: ## set up everything the tests need as well (Chromium, PostgreSQL, MariaDB, Redis, Java)
	@scripts/setup.sh test

demo: install ## start the portal with demo data on http://127.0.0.1:8000
	@exec $(MANAGE) demo

demo-reset: install ## throw the demo data away; the next "make demo" starts anew
	@$(MANAGE) demo --reset

test: install-test ## run every test
	@scripts/test.sh

truth: ## sentences on tables where they are true and false, leaky results that the gate stops, safe ones that it passes; counts
	@$(PY) -m pytest -q tests/truth

fuzz: ## nightly: hostile input to every operation and address by every role; FUZZ_EXAMPLES, FUZZ_ROUNDS, FUZZ_AT change it
	@$(PY) -m pytest -q tests/access/fuzz.py tests/access/hostile_names.py

barriers: ## nightly: every page at every checkpoint in a browser: axe by day and night, wide and on a phone; BARRIERS_AT, BARRIERS_OF look at less
	@$(PY) -m pytest -q tests/access/barriers.py

check: ## every check that is not a test, two at a time
	@$(MAKE) --no-print-directory -j2 --output-sync=target types format-check templates lint contracts house-check translations words migrations deploy-check workflow techniques-check house-picture-check reference-check schema

format: ## rewrite the code and the templates in the project's format
	.venv/bin/ruff format .
	.venv/bin/ruff check --fix .
	.venv/bin/djhtml $(DJHTML) templates

format-check: ## the code is in the project's format
	.venv/bin/ruff format --check .

templates: ## the templates are in the project's format
	.venv/bin/djhtml $(DJHTML) --check templates

lint: ## ruff
	.venv/bin/ruff check .

types: ## mypy with the Django plugin, strict for the engine
	.venv/bin/mypy approvals deid_portal projects techniques

contracts: ## who may import whom
	.venv/bin/lint-imports

translations: ## every string translated, catalogues in step with the source
	$(PY) scripts/check_translations.py

words: ## one word for one thing in Chinese, and Chinese punctuation; the words that gave way are in docs/glossary.md
	$(PY) scripts/check_words.py

migrations: ## models and migrations in step
	$(MANAGE) makemigrations --check --dry-run

deploy-check: ## Django's deployment check with production settings
	$(CHECK_ENV) $(MANAGE) check --deploy --fail-level WARNING

workflow: ## the diagram in docs/ is the one that the tables give
	$(MANAGE) workflow_diagram --check

bench-techniques: ## techniques side by side with their peers
	$(PY) -m benchmarks.techniques

bench-models: ## models and risk side by side with their peers, and the growth curve
	$(PY) -m benchmarks.models

bench-scale: ## what a row costs on this machine and on Spark as tables grow, and what 10^9 rows need by it; hours, e.g. ARGS="--rows 1e5,1e6" or "--huge"
	$(PY) -m benchmarks.scale $(ARGS)

bench-worst: ## masked columns that could make a measure hang: seconds, and values looked at
	$(PY) -m benchmarks.worst_cases

crosscheck: ## risk figures against pycanon, in an environment of its own under var/
	@test -x var/crosscheck/bin/python || { .venv/bin/uv venv -q var/crosscheck && .venv/bin/uv pip install -q --python var/crosscheck/bin/python pycanon==1.3.6; }
	$(PY) -m benchmarks.crosscheck --python var/crosscheck/bin/python

suppression-audit: ## nightly: 1,000 random tables of statistics: no hidden cell can be worked out, none hides much more than it must
	@RANDOM_TABLES=1000 $(PY) -m pytest -q tests/techniques/families/statistical/tables/test_suppression.py

mutants: ## which changes of the code no test notices, by a sample; nightly, e.g. ARGS="gate --sample 60 --seed 1"
	@test -x var/mutants/bin/cosmic-ray || { .venv/bin/uv venv -q --python $(PY) var/mutants && .venv/bin/uv pip install -q --python var/mutants/bin/python --require-hashes -r scripts/mutants/mutants.lock; }
	@nice var/mutants/bin/python scripts/mutants $(ARGS)

bench-masking: ## live masking over HTTP: how long a call with 100 values takes
	$(PY) -m benchmarks.masking

bench-pages: ## pages over HTTP, 50 people at once: how long each type takes, what a first visit weighs
	$(PY) -m benchmarks.pages

bench-many: ## lists, search and boards over 10,000 projects and 1,000,000 rows of the log, e.g. ARGS="--postgres"
	$(PY) -m benchmarks.many $(ARGS)

techniques-page: ## write docs/reference/techniques.md from the catalogue
	$(PY) -m techniques.cli.catalogue_page

techniques-check: ## docs/reference/techniques.md is what the catalogue gives
	$(PY) -m techniques.cli.catalogue_page --check

house: ## how the house stands, in numbers
	@$(PY) scripts/count_house.py

house-check: ## fail where the house is not as it should be, and say where
	@$(PY) scripts/count_house.py --check

house-picture: ## draw docs/images/house.svg from the imports
	$(PY) scripts/draw_house.py

house-picture-check: ## docs/images/house.svg is what the imports give
	$(PY) scripts/draw_house.py --check

reference: ## write the pages of docs/ that the code gives
	$(PY) scripts/write_reference.py

reference-check: ## the pages of docs/ are what the code gives
	$(PY) scripts/write_reference.py --check

wheels: ## build/deid-*.whl, the engine alone, and build/deid_portal-*.whl, the portal
	@$(PY) scripts/build_wheels.py

faces: ## cut the faces of documents anew out of the collections of fonts-noto-cjk
	$(PY) scripts/cut_faces.py

schema: ## the OpenAPI schema is complete and without warnings
	$(MANAGE) spectacular --validate --fail-on-warn --file /dev/null

.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*/\1/p' $(MAKEFILE_LIST))
