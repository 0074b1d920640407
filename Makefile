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
# make images     adds PyTorch to .venv, and 5,000 images of MNIST (docs/own-images.md)
# make docs       writes the API reference to build/api, from the docstrings (docs/api.md)
# make clean-env  removes .venv
#
# Options: SCALE=smoke|preview|thesis  TRIALS=20  CONFIGFILE=my.yaml  CORES=8  TARGET=chapter2  ARGS="-n"
#          SET="seed=5 chapters=[2]" (any keys of config.yaml)  PROFILE=profiles/slurm (docs/cluster.md)
#          TORCH_INDEX=... (images: an index of CPU or CUDA builds)
#          HOURS=3 (decide: stops politely then)  SAMPLE=50 SEED=7 MINUTES=10 (audit: docs/audit.md)

# Written for make 3.81, which macOS has: it may look for a program on the PATH that it was called with.

ifeq ($(wildcard Snakefile),)
$(error make runs in the folder of this Makefile: cd there, or make -C that folder)
endif

PYTHON ?= python3
CORES  ?= all
VENV   := .venv
PY     := $(VENV)/bin/python
export PYTHONPATH := $(CURDIR)/src

# In a container there may be no home to write to; Snakemake keeps a cache in it.
ifeq ($(shell test -w "$$HOME" && echo writable),)
export HOME := $(CURDIR)/.snakemake
endif

# Double quotes are YAML's: SET='figures=["2.10"]'. Single ones are the shell's, for values with spaces.
CONFIG  = $(if $(SCALE),scale=$(SCALE)) $(if $(TRIALS),trials=$(TRIALS)) $(subst ",\",$(SET))
OPTIONS = $(if $(CONFIGFILE),--configfile $(CONFIGFILE)) $(if $(strip $(CONFIG)),--config $(CONFIG))

WHERE   = $(if $(PROFILE),--workflow-profile $(PROFILE),--cores $(CORES))

.NOTPARALLEL:
.PHONY: run resume unlock verify pack unpack redraw reference keep go-on recheck cost decide audit slurm images docs test lint bench clean-env

DRY = $(filter -n --dry-run --dryrun,$(ARGS))
NAMED = $(if $(TARGET),--target $(TARGET))

run: $(VENV)/.ok
	$(PY) -m nonconvex sweep $(if $(DRY),--dry-run) $(NAMED) $(OPTIONS)
	$(PY) -m snakemake $(TARGET) $(WHERE) $(OPTIONS) $(ARGS)

resume: unlock run

unlock: $(VENV)/.ok
	$(PY) -m nonconvex sweep $(OPTIONS)
	$(PY) -m snakemake --cores 1 --unlock $(OPTIONS)

verify: $(VENV)/.ok
	$(PY) -m nonconvex verify $(OPTIONS)

pack: $(VENV)/.ok
	$(PY) -m nonconvex pack $(if $(FILE),--output $(FILE)) $(OPTIONS)

unpack: $(VENV)/.ok
	$(PY) -m nonconvex unpack $(FILE)

redraw: $(VENV)/.ok
	$(if $(DRY),,$(PY) -m nonconvex sweep --redraw $(OPTIONS))
	$(PY) -m snakemake --cores $(CORES) --allowed-rules all figure claims ledger page $(OPTIONS) $(ARGS)

cost: $(VENV)/.ok
	$(PY) -m nonconvex cost $(if $(MEASURE),--measure) $(if $(filter-out all,$(CORES)),--cores $(CORES)) $(OPTIONS)

decide: $(VENV)/.ok
	$(PY) -m nonconvex decide $(if $(HOURS),--hours $(HOURS)) $(if $(PROFILE),--profile $(PROFILE),--cores $(CORES)) \
		$(NAMED) $(OPTIONS) $(if $(ARGS),-- $(ARGS))

reference: $(VENV)/.ok
	$(if $(TARGET),$(PY) -m nonconvex sweep --dry-run $(NAMED) --configfile reference/config.yaml)
	$(if $(DRY),,$(PY) -m nonconvex reference draw)
	$(PY) -m snakemake $(TARGET) --cores $(CORES) --allowed-rules all $(filter chapter%,$(TARGET)) figure claims ledger page \
		--configfile reference/config.yaml $(ARGS)

keep: $(VENV)/.ok
	$(PY) -m nonconvex reference keep --config scale=thesis

go-on: $(VENV)/.ok
	$(PY) -m nonconvex reference resume --cores $(CORES) --config scale=thesis

recheck: $(VENV)/.ok
	$(PY) -m nonconvex reference recheck $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(SEED),--seed $(SEED)) \
		$(if $(AGAINST),--against $(AGAINST)) --config scale=thesis

audit: $(VENV)/.ok
	$(PY) -m nonconvex audit $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(SEED),--seed $(SEED)) $(if $(MINUTES),--minutes $(MINUTES))

slurm: $(VENV)/.ok
	PYTHONPATH= $(PY) -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-slurm.lock

# torch is pinned by version alone: its builds differ by platform. Its own index has CPU builds and one for each CUDA.
TORCH ?= torch==2.13.0

images: $(VENV)/.images

$(VENV)/.images: $(VENV)/.ok requirements-images.lock
	PYTHONPATH= $(PY) -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-images.lock
	PYTHONPATH= $(PY) -m pip install --quiet --disable-pip-version-check $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) $(TORCH)
	@touch $@

# The packages whose public functions are for users, and what their docstrings point to.
API := hankel hankel.observations networks networks.arguments networks.trials networks.tensor.convolutional \
	networks.tensor.graph networks.tensor.printed networks.tensor.signal networks.solvers.critical_point \
	networks.self_training.schedule arrays

docs: $(VENV)/.docs
	rm -rf build/api
	$(PY) -m pdoc --docformat numpy --no-show-source --output-directory build/api $(addprefix nonconvex.,$(API))
	$(PY) tools/check_links.py build/api README.md CONTRIBUTING.md docs

$(VENV)/.docs: $(VENV)/.ok requirements-docs.lock
	PYTHONPATH= $(PY) -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-docs.lock
	@touch $@

test: $(VENV)/.ok
	$(PY) -m pytest -n auto --dist loadfile --no-loadscope-reorder $(ARGS)

lint: $(VENV)/.ok
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/snakefmt --check Snakefile workflow/rules
	$(PY) -m snakemake --lint
	$(VENV)/bin/mypy

bench: $(VENV)/.ok
	$(PY) benchmarks/hankel_completion.py
	$(PY) benchmarks/hankel_baselines.py
	$(PY) benchmarks/dag.py
	$(PY) benchmarks/hankel_robust_baselines.py
	$(PY) benchmarks/networks.py
	$(PY) benchmarks/networks_pruned.py
	$(PY) benchmarks/hankel_robust.py
	$(PY) benchmarks/recover.py --alone
	$(PY) benchmarks/recover_size.py

# A Python that does not start, of a system that has another now or of a setup cut short, is set up again.
ifeq ($(shell $(PY) -c 'print("starts")' 2>/dev/null),)
.PHONY: $(VENV)/.ok
endif

$(VENV)/.ok: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null || { echo "error: $(PYTHON) must be \
	Python 3.11 or later, and is '`$(PYTHON) -V 2>&1`': make PYTHON=python3.12, or another that you have" >&2; exit 1; }
	@test ! -L $(VENV) || rm $(VENV)
	$(PYTHON) -m venv --clear $(VENV)
	PYTHONPATH= $(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	PYTHONPATH= $(PY) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@
	@for file in $^; do test ! $$file -nt $@ || touch -r $$file $@; done # dated in the future

clean-env:
	rm -rf $(VENV)
