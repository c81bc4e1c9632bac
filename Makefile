# The one door to everything: README, pre-commit and .ci/run call these targets and nothing else.
# Needs Python 3.11 or newer with venv, Rust (cargo, clippy, rustfmt), GNU make and bash.
#
#   make test PYTHON=python3.13        another Python
#   make test ARGS="-k journal -x"     arguments for pytest
#   make test JOBS=0 ARGS=--pdb        one test at a time, with a debugger
#   make test VENV=/tmp/venv           another place for the environment

PYTHON ?= python3
VENV ?= .venv
ARGS ?=
# So many tests at once: they wait more than they work. JOBS=0 has them in one process, for a debugger.
JOBS ?= 4

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
# Two targets at once would fight over cargo's lock and mix their output.
.NOTPARALLEL:

BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest -n $(JOBS) --dist worksteal
CRATE := --manifest-path solver_core/rust/Cargo.toml
RUST_SOURCES := $(wildcard solver_core/rust/Cargo.*) $(shell find solver_core/rust/src -name '*.rs')
# Stamp of the last install; older than a source of the native module, it has that built again.
INSTALLED := $(VENV)/.installed
WHEEL_VENV := $(VENV)-wheel

.PHONY: help setup test chaos cluster-test test-rust check check-python check-rust format example wheel sdist test-wheel ci clean

help:  ## print this list
	@awk -F ':.*## ' '/^[.a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: $(INSTALLED)  ## make .venv and install gridmill into it, in place, with all that tests and checks need

$(INSTALLED): pyproject.toml $(RUST_SOURCES)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed, $(PYTHON) is " + sys.version.split()[0])'
	@command -v cargo >/dev/null || { echo 'cargo is needed to build gridmill: see https://rustup.rs' >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@echo 'installing gridmill and building its native module; the first time takes about a minute'
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

test: $(INSTALLED)  ## run the Python tests; ARGS="..." goes to pytest
	$(PYTEST) $(ARGS)

# LONG=1 runs the long form; SEEDS=n as many fault plans of each scenario.
chaos: $(INSTALLED)  ## kill, starve and lie to real brokers and workers, and compare the output
	CHAOS_LONG="$(LONG)" CHAOS_SEEDS="$(SEEDS)" $(PYTEST) -m chaos tests/chaos $(ARGS)

# LONG=1 runs the long form. -s shows how long it took to recover.
cluster-test: $(INSTALLED)  ## the cluster in containers, hurt in mid-run; skipped where there is no Docker engine
	CLUSTER_LONG="$(LONG)" $(BIN)/python -m pytest -m cluster tests/cluster -s $(ARGS)

test-rust:  ## run the tests of the crate; needs no Python
	cargo test $(CRATE) --locked

check: check-python check-rust  ## formatting, lint, types and import rules, Python and Rust

check-python: $(INSTALLED)  ## ruff, mypy and import-linter
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports

check-rust:  ## rustfmt and clippy, with and without the Python face
	cargo fmt $(CRATE) --check
	cargo clippy $(CRATE) --locked --all-targets -- -D warnings
	cargo clippy $(CRATE) --locked --all-targets --features python -- -D warnings

format: $(INSTALLED)  ## bring all sources into form, and repair what lint can repair
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	cargo fmt $(CRATE)

example: $(INSTALLED)  ## solve the shipped examples, with a private broker and local workers
	$(BIN)/gridmill solve examples/puzzles.txt
	@echo 'and lines that cannot all be read: exit code 1'
	$(BIN)/gridmill solve examples/broken.txt || [ $$? = 1 ]

# The wheel is abi3 (one for all Pythons from 3.11 on) and finds the CPU's vector units at run time. Its manylinux tag
# names the glibc it was linked against, so build it on the oldest system that is to be served, or let zig link it for
# an old one: .venv/bin/pip install 'maturin[zig]', then make wheel WHEEL_FLAGS="--zig --compatibility manylinux_2_28".
WHEEL_FLAGS ?=
wheel: $(INSTALLED)  ## make a wheel in dist/ that needs no Rust where it is installed
	rm -f dist/gridmill-*.whl
	PATH="$(abspath $(BIN)):$$PATH" maturin build --release --locked --out dist $(WHEEL_FLAGS)

sdist: $(INSTALLED)  ## make a source archive in dist/
	$(BIN)/maturin sdist --out dist

# Outside of the source tree, so that only what is in the wheel can be found.
test-wheel: wheel  ## install the wheel into an environment of its own, and solve the examples with it
	$(PYTHON) -m venv --clear $(WHEEL_VENV)
	$(WHEEL_VENV)/bin/python -m pip install --quiet dist/gridmill-*.whl
	cd $(WHEEL_VENV) && bin/gridmill solve $(abspath examples)/puzzles.txt -o examples.csv
	rm -rf $(WHEEL_VENV)

# The cheap checks first, chaos and cluster in their short forms; the Python tests last, so that their closing line
# stands at the end.
ci: check test-rust test-wheel example cluster-test chaos test  ## what must pass before a change is taken in: all of these

.env:  ## write .env for docker compose, with a random password
	@umask 077; echo "GRIDMILL_PASSWORD=$$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')" >$@
	@echo 'wrote .env'

clean:  ## remove everything that these targets made
	rm -rf $(VENV) $(WHEEL_VENV) dist solver_core/rust/target solver_core/_native*.so
	rm -rf .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find solver_core worker producer tests -name __pycache__ -type d -prune -exec rm -rf {} +
