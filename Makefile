# `make` builds in place and lists the targets. Everything needed is installed into
# build/venv, and nothing is written outside build/ and python/cupric/.
#
#   PYTHON=python3.12   the interpreter to use
#   DEVICE=host         the device that tests, demo and benchmarks run on (host, cuda, all)
#   ARGS="-k roll"      passed on to pytest, to the demo and to the benchmarks
#   TOOL=memcheck       of compute-sanitizer: memcheck, racecheck, synccheck, initcheck
#
# Of `make fuzz`: PROGRAMS=20000 or SECONDS=60, SEED=1 (else a fresh one), JOBS=2; ONLY=17
# for one program; LARGE=1 for programs of large arrays; DEVICE=both for the host against CUDA; UNDER=asan or UNDER=memcheck.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:

PYTHON ?= python3
DEVICE ?= $(or $(CUPRIC_DEVICE),host)
ARGS ?=
JOBS ?= auto
TOOL ?= memcheck

VENV := build/venv
PY := $(VENV)/bin/python
RUN := PYTHONPATH=python $(PY)
PIP := $(PY) -m pip install --quiet --disable-pip-version-check
# The packages of an extra of pyproject.toml, without cupric itself.
EXTRA = $(PY) -c 'import re, sys, ast; t = open("pyproject.toml").read(); \
  print(*ast.literal_eval(re.search(r"(?ms)^$(1) = (\[.*?\])$$", t)[1]), sep="\n")'

.PHONY: all build wheel docs build-times kernels names coverage launches help run test fuzz bench demo notebooks asan asan-build tsan memcheck format lint clean

all: build help

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

build: $(VENV)/.build ## build in place, in parallel, only what changed
	@$(PY) -W ignore setup.py -q build_ext --inplace

kernels: $(VENV)/.build ## build in place, CUDA kernels too: CUPRIC_CUDA_ARCHS=90
	@CUPRIC_CUDA_ARCHS="$${CUPRIC_CUDA_ARCHS:-all}" \
	  $(PY) -W ignore setup.py -q build_ext --inplace

wheel: $(VENV)/.build $(VENV)/.wheel ## a manylinux wheel into build/dist: for all GPUs; CUPRIC_CUDA=0 leaves CUDA out
	@rm -rf build/wheel
	@CUPRIC_CUDA_ARCHS="$${CUPRIC_CUDA_ARCHS-all}" \
	  $(PY) -W ignore setup.py -q bdist_wheel --dist-dir build/wheel
	@PATH="$(VENV)/bin:$$PATH" $(PY) -m auditwheel repair --strip --zip-compression-level 9 \
	  --wheel-dir build/dist build/wheel/*.whl
	@ls -l build/dist/*.whl

docs: build $(VENV)/.docs ## the documents as a site, into build/site
	@$(RUN) -m tools.site

build-times: $(VENV)/.build ## what each object takes to compile, from the beginning, without a compiler cache
	@rm -rf build/objects build/library_kernels
	@CCACHE_DISABLE=1 $(PY) -W ignore setup.py -q build_ext --inplace
	@$(PY) -m tools.times

names: ## write the lists of public names that follow from src/ops/*.def
	@$(PYTHON) -m tools.names

coverage: build ## write what there is of CuPy's interface, and of what there is lacks documentation
	@$(RUN) -m tools.coverage
	@$(RUN) -m tools.documented

launches: build ## write what calls cost on CUDA: docs/launches.md; ARGS="--peer cupy" on a GPU
	@$(RUN) -m tools.launches $(ARGS)

test: build $(VENV)/.test ## run the tests: ARGS="-k roll" DEVICE=host JOBS=2
	@$(RUN) -m pytest --device $(DEVICE) -n $(JOBS) $(ARGS)

FUZZ = -m tests.fuzz --device $(DEVICE) --jobs $(JOBS:auto=1) \
  $(if $(SEED),--seed $(SEED)) $(if $(PROGRAMS),--programs $(PROGRAMS)) \
  $(if $(SECONDS),--seconds $(SECONDS)) $(if $(ONLY),--only $(ONLY)) \
  $(if $(LARGE),--large) $(ARGS)
FUZZ_asan = $(ASAN_RUN)
FUZZ_memcheck = $(MEMCHECK_RUN) $(PY)

fuzz: build $(VENV)/.test $(if $(filter asan,$(UNDER)),asan-build) ## random programs against NumPy: DEVICE=host SEED= PROGRAMS= SECONDS= JOBS= LARGE=1
	@$(or $(FUZZ_$(UNDER)),$(RUN)) $(FUZZ)

demo: $(VENV)/.build $(VENV)/.demo ## the lesson: a convolution, by SciPy and by cupric
	@CUPRIC_KERNELS=0 $(PY) -W ignore setup.py -q build_ext --inplace
	@CUPRIC_DEVICE=$(DEVICE) $(RUN) examples/gpu_lesson.py \
	  --output build/gpu_lesson.png $(ARGS)

run: build ## a program on the package in place: ARGS=program.py ARGS="-m cupric says_cupy.py"
	@CUPRIC_DEVICE=$(DEVICE) $(RUN) $(ARGS)

notebooks: build $(VENV)/.notebooks ## open the notebooks in JupyterLab: ARGS=--no-browser
	@CUPRIC_DEVICE=$(DEVICE) PYTHONPATH="$(CURDIR)/python" \
	  $(PY) -m jupyterlab --notebook-dir=notebooks $(ARGS)

bench: build $(VENV)/.bench ## measure against NumPy and SciPy, or CuPy and PyTorch; into benchmarks/results/
	@CUPRIC_DEVICE=$(DEVICE) $(RUN) benchmarks/run.py $(ARGS)

# ---- builds with a sanitizer: a package of their own under build/ ----------------------

ASAN_DIR := build/asan
TSAN_DIR := build/tsan
CC_OR_DEFAULT := $(if $(filter default,$(origin CC)),cc,$(CC))
# The path, or where the compiler knows none the name, by which the loader looks for it.
runtime = $(shell $(CC_OR_DEFAULT) -print-file-name=$(1))

ASAN_RUN = LD_PRELOAD="$(call runtime,libasan.so) $(call runtime,libstdc++.so.6)" \
  ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=4096:$(ASAN_OPTIONS) \
  UBSAN_OPTIONS=print_stacktrace=1:$(UBSAN_OPTIONS) \
  PYTHONMALLOC=malloc PYTHONPATH=$(ASAN_DIR)/lib $(PY)

asan: asan-build $(VENV)/.test ## address and undefined-behaviour sanitizer, then the tests
	@$(ASAN_RUN) -m pytest --device $(DEVICE) -n $(JOBS) $(ARGS)

asan-build: $(VENV)/.build
	@CUPRIC_SANITIZE=address,undefined $(PY) -W ignore setup.py -q build \
	  --build-base $(ASAN_DIR) --build-lib $(ASAN_DIR)/lib

tsan: $(VENV)/.build $(VENV)/.test ## thread sanitizer, then the tests that use threads
	@CUPRIC_SANITIZE=thread $(PY) -W ignore setup.py -q build \
	  --build-base $(TSAN_DIR) --build-lib $(TSAN_DIR)/lib
	@LD_PRELOAD="$(call runtime,libtsan.so)" \
	  TSAN_OPTIONS=report_signal_unsafe=0:die_after_fork=0:$(TSAN_OPTIONS) \
	  PYTHONPATH=$(TSAN_DIR)/lib setarch -R \
	  $(PY) -m pytest --device $(DEVICE) $(or $(ARGS),-k thread)

VALGRIND = PYTHONMALLOC=malloc PYTHONPATH=python valgrind --quiet --error-exitcode=1 \
  --trace-children=yes --suppressions=tests/valgrind.supp
COMPUTE_SANITIZER = PATH="$$PATH:/usr/local/cuda/bin" CUPRIC_DEVICE=cuda PYTHONPATH=python \
  compute-sanitizer --tool $(TOOL) --target-processes all --report-api-errors no \
  --error-exitcode 1
MEMCHECK_RUN = $(if $(filter cuda,$(DEVICE)),$(COMPUTE_SANITIZER),$(VALGRIND))

memcheck: build $(VENV)/.test ## every kernel under compute-sanitizer (DEVICE=cuda TOOL=racecheck), or valgrind
	@if [[ $(DEVICE) == cuda ]]; then \
	  $(MEMCHECK_RUN) $(PY) $(or $(ARGS),tests/cuda/representative.py); \
	else \
	  command -v valgrind >/dev/null || { \
	    echo "make memcheck: valgrind is missing: sudo apt install valgrind"; exit 1; }; \
	  $(MEMCHECK_RUN) $(PY) -m pytest --device host $(or $(ARGS),tests/memory); \
	fi

# ---- style -----------------------------------------------------------------------------

C_FILES = $(shell find src cuda tools python -path python/cupric/include -prune -o -name '*.[ch]' -print -o -name '*.[ch]pp' -print -o -name '*.cu' -print -o -name '*.cuh' -print)
CLANG_FORMAT = $(VENV)/bin/clang-format

format: $(VENV)/.lint ## rewrite the sources by clang-format and ruff
	@$(CLANG_FORMAT) -i $(C_FILES)
	@$(VENV)/bin/ruff check --quiet --fix .
	@$(VENV)/bin/ruff format --quiet .

lint: $(VENV)/.build $(VENV)/.lint ## check the format, and compile with warnings as errors
	@$(CLANG_FORMAT) --dry-run -Werror $(C_FILES)
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@CUPRIC_WERROR=1 $(PY) -W ignore setup.py -q build_ext --inplace

clean: ## remove build/ and what was built in place
	rm -rf build python/cupric/include python/cupric/*.so python/cupric/kernels.bin \
	  notebooks/.ipynb_checkpoints
	find python -name "*.pyi" -delete
	find python tests benchmarks examples -name __pycache__ -prune -exec rm -rf {} +

# ---- the virtual environment -----------------------------------------------------------

DEBIAN := "On Debian or Ubuntu: sudo apt install build-essential python3-dev python3-venv"

$(VENV)/.new:
	@command -v $(PYTHON) >/dev/null || { \
	  echo "make: $(PYTHON) is missing."; echo $(DEBIAN); exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { \
	  echo "make: Python 3.10 or later is needed, this is $$($(PYTHON) -V)."; \
	  echo "Name another by make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "make: $(PYTHON) has no venv module."; echo $(DEBIAN); exit 1; }
	@for tool in cc c++; do command -v $$tool >/dev/null || { \
	  echo "make: no C and C++ compiler was found ($$tool)."; echo $(DEBIAN); exit 1; }; \
	done
	@$(PYTHON) -c 'import os, sys, sysconfig as s; \
	  sys.exit(not os.path.exists(s.get_path("include") + "/Python.h"))' || { \
	  echo "make: Python.h is missing."; echo $(DEBIAN); exit 1; }
	@echo "making $(VENV)"
	@$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(VENV)/.build: pyproject.toml | $(VENV)/.new
	@$(PIP) 'setuptools>=77' wheel 'numpy>=2.0'
	@touch $@

$(VENV)/.test $(VENV)/.bench $(VENV)/.demo $(VENV)/.notebooks $(VENV)/.lint $(VENV)/.wheel $(VENV)/.docs: $(VENV)/.%: pyproject.toml | $(VENV)/.build
	@echo "installing what '$*' needs"
	@$(call EXTRA,$*) > $(VENV)/$*.txt
	@$(PIP) -r $(VENV)/$*.txt
	@touch $@
