# make demo, make test: on a fresh machine with Python 3.11, a C++20 compiler and make, each does everything it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --disable-pip-version-check install -q -c constraints.txt
CMAKE := $(BIN)/cmake -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja -S .
NATIVE := $(shell find native -name '*.cpp' -o -name '*.h')
JOBS ?= 2
SECONDS ?= 10

.PHONY: demo test test-slow bench leaderboard lint native-test sanitize stub clean

demo: $(VENV)/.built
	$(BIN)/python examples/demo.py

test: lint sanitize
	$(BIN)/python -m pytest -n $(JOBS) -m "not slow"

test-slow: $(VENV)/.built native-test
	$(BIN)/python -m pytest -m slow -s

bench: $(VENV)/.built .venv-peers/.installed
	$(BIN)/regretless bench

# Every algorithm on the small games, SECONDS each.
leaderboard: $(VENV)/.built
	$(BIN)/python examples/leaderboard.py --seconds $(SECONDS)

lint: $(VENV)/.built
	$(BIN)/ruff check src tests benchmarks examples scripts
	$(BIN)/ruff format --check src tests benchmarks examples scripts
	$(BIN)/mypy

native-test: $(VENV)/.tools
	$(CMAKE) -B build/native -DREGRETLESS_TESTS=ON >/dev/null
	$(BIN)/cmake --build build/native
	build/native/native_tests

sanitize: $(VENV)/.tools
	$(CMAKE) -B build/sanitize -DREGRETLESS_TESTS=ON -DREGRETLESS_SANITIZE=ON >/dev/null
	$(BIN)/cmake --build build/sanitize
	build/sanitize/native_tests

# The typed face of the native module; a test checks that it is up to date.
stub: $(VENV)/.built
	$(BIN)/python -m nanobind.stubgen -q -m regretless._native -o src/regretless/_native.pyi

clean:
	rm -rf build $(VENV) .venv-peers

$(VENV)/.tools: constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) cmake ninja nanobind scikit-build-core
	touch $@

$(VENV)/.built: $(VENV)/.tools pyproject.toml CMakeLists.txt $(NATIVE)
	$(PIP) --no-build-isolation -e '.[test]'
	touch $@

.venv-peers/.installed: benchmarks/peers/requirements.txt
	test -x .venv-peers/bin/python || $(PYTHON) -m venv .venv-peers
	.venv-peers/bin/pip --disable-pip-version-check install -q -r benchmarks/peers/requirements.txt
	touch $@
