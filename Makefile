# make            sets up .venv once and runs the config's scale (preview) on all cores
# make test       runs the tests
# make resume     after a kill: unlocks, removes what is stale or half-written, and goes on
# make verify     reads every result again; tells what is missing, stale, damaged or foreign
# make pack       writes tables, figures, ledger and page to results-{scale}.tar.gz; make unpack FILE=... reads it
# make redraw     draws figures, ledger and page again from whole tables, and computes nothing
# make reference  draws the page and the figures that reference/, the run at the thesis's sizes, has; computes nothing
# make cost       prints what a scale costs before anyone spends it: make cost SCALE=thesis
# make decide     runs only what claims need to be decided, look by look, and judges: make decide SCALE=thesis HOURS=3
# make keep       adds what was decided at the thesis's sizes to reference/; make go-on takes it up again, elsewhere or later
# make recheck    after a change of code: computes rows of what it made stale again, and keeps what agrees as today's
# make audit      computes rows of the reference run again, drawn at random, and compares: make audit SAMPLE=50
# make slurm      adds Snakemake's executor for Slurm to .venv
# make clean-env  removes .venv
#
# Options: SCALE=smoke|preview|thesis  TRIALS=20  CONFIGFILE=my.yaml  CORES=8  TARGET=chapter2  ARGS="-n"
#          SET="seed=5 chapters=[2]" (any keys of config.yaml)  PROFILE=profiles/slurm (docs/cluster.md)
#          HOURS=3 (decide: stops politely then)  SAMPLE=50 SEED=7 MINUTES=10 (audit: docs/audit.md)

PYTHON ?= python3
CORES  ?= all
VENV   := .venv
BIN    := $(CURDIR)/$(VENV)/bin
export PATH := $(BIN):$(PATH)
export PYTHONPATH :=

CONFIG  = $(if $(SCALE),scale=$(SCALE)) $(if $(TRIALS),trials=$(TRIALS)) $(SET)
OPTIONS = $(if $(CONFIGFILE),--configfile $(CONFIGFILE)) $(if $(strip $(CONFIG)),--config $(CONFIG))

WHERE   = $(if $(PROFILE),--workflow-profile $(PROFILE),--cores $(CORES))

.PHONY: run resume unlock verify pack unpack redraw reference keep go-on recheck cost decide audit slurm test lint bench clean-env

DRY = $(filter -n --dry-run --dryrun,$(ARGS))

run: $(VENV)/.ok
	$(if $(DRY),,python -m nonconvex sweep $(OPTIONS))
	snakemake $(TARGET) $(WHERE) $(OPTIONS) $(ARGS)

resume: unlock run

unlock: $(VENV)/.ok
	python -m nonconvex sweep $(OPTIONS)
	snakemake --cores 1 --unlock $(OPTIONS)

verify: $(VENV)/.ok
	python -m nonconvex verify $(OPTIONS)

pack: $(VENV)/.ok
	python -m nonconvex pack $(if $(FILE),--output $(FILE)) $(OPTIONS)

unpack: $(VENV)/.ok
	python -m nonconvex unpack $(FILE)

redraw: $(VENV)/.ok
	$(if $(DRY),,python -m nonconvex sweep --redraw $(OPTIONS))
	snakemake --cores $(CORES) --allowed-rules all figure claims ledger page $(OPTIONS) $(ARGS)

cost: $(VENV)/.ok
	python -m nonconvex cost $(if $(MEASURE),--measure) $(if $(filter-out all,$(CORES)),--cores $(CORES)) $(OPTIONS)

decide: $(VENV)/.ok
	python -m nonconvex decide $(if $(HOURS),--hours $(HOURS)) $(if $(PROFILE),--profile $(PROFILE),--cores $(CORES)) \
		$(if $(TARGET),--target $(TARGET)) $(OPTIONS) $(if $(ARGS),-- $(ARGS))

reference: $(VENV)/.ok
	$(if $(DRY),,python -m nonconvex reference draw)
	snakemake $(TARGET) --cores $(CORES) --allowed-rules all $(filter chapter%,$(TARGET)) figure claims ledger page \
		--configfile reference/config.yaml $(ARGS)

keep: $(VENV)/.ok
	python -m nonconvex reference keep --config scale=thesis

go-on: $(VENV)/.ok
	python -m nonconvex reference resume --cores $(CORES) --config scale=thesis

recheck: $(VENV)/.ok
	python -m nonconvex reference recheck $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(SEED),--seed $(SEED)) --config scale=thesis

audit: $(VENV)/.ok
	python -m nonconvex audit $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(SEED),--seed $(SEED)) $(if $(MINUTES),--minutes $(MINUTES))

slurm: $(VENV)/.ok
	python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-slurm.lock

test: $(VENV)/.ok
	python -m pytest -n auto --dist loadfile --no-loadscope-reorder $(ARGS)

lint: $(VENV)/.ok
	ruff check .
	ruff format --check .
	snakefmt --check Snakefile workflow/rules
	snakemake --lint
	mypy

bench: $(VENV)/.ok
	python benchmarks/hankel_completion.py
	python benchmarks/hankel_baselines.py
	python benchmarks/dag.py
	python benchmarks/hankel_robust_baselines.py
	python benchmarks/networks.py
	python benchmarks/networks_pruned.py
	python benchmarks/hankel_robust.py
	python benchmarks/recover.py --alone
	python benchmarks/recover_size.py

$(VENV)/.ok: requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

clean-env:
	rm -rf $(VENV)
