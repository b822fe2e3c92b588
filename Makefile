# make demo, make test: on a fresh machine with Python 3.11, a C++20 compiler and make, each does everything it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Not --compile: most of what is installed is never imported.
PIP := $(BIN)/pip --disable-pip-version-check install -q --no-compile --no-warn-conflicts -c constraints.txt
CMAKE := $(BIN)/cmake -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja -S .
NATIVE := $(shell find native -name '*.cpp' -o -name '*.h')
JOBS ?= 2
SECONDS ?= 10
NODES ?= 1000000
COUNT ?= 500
SEED ?= 0
HOURS ?= 2
# What the core is compiled for: native (the processor at hand), x86-64-v2, x86-64-v3, x86-64-v4, ... (docs/processors.md)
LEVEL ?= native
THREADED := tests/house/test_native_threads.py tests/learning/test_generators.py tests/learning/test_buffers.py tests/matches/test_matches.py tests/matches/test_bots.py
CROSS_TOOLS := aarch64-linux-gnu-g++ qemu-aarch64 qemu-x86_64 clang++
SUDO := $(shell test "$$(id -u)" = 0 || echo sudo)

.PHONY: audit campaign demo docs pictures test test-gpu test-slow bench leaderboard fuzz fuzz-native fuzz-cli lint test-native native-test sanitize sanitize-threads sanitize-python sbom wheel stub cross-tools clean FORCE

demo: $(VENV)/.built
	$(BIN)/python examples/demo.py

# Packages come over the network while the core and its tests are compiled.
test:
	$(MAKE) -j2 $(VENV)/.built lint test-native
	$(BIN)/python -m pytest -n $(JOBS) -m "not slow"

# All tests that need a CUDA device; -rs gives the reason of each that is skipped.
test-gpu: $(VENV)/.built
	$(BIN)/python -m pytest -m gpu -rs

# What fails at one level does not keep the rest from being tested.
test-slow: $(VENV)/.built native-test sanitize sanitize-threads cross-tools
	$(PIP) sb3-contrib nvidia-cuda-nvrtc nvidia-cuda-nvrtc-cu12
	-$(PIP) atheris
	$(BIN)/python scripts/native_levels.py all; levels=$$?; $(BIN)/python -m pytest -m slow -s && exit $$levels

bench: $(VENV)/.built .venv-peers/.installed
	$(BIN)/regretless bench

# Every algorithm on the small games, for SECONDS and for NODES touched.
leaderboard: $(VENV)/.built
	$(BIN)/python -m benchmarks.scripts.leaderboard --seconds $(SECONDS) --nodes $(NODES)

# Strange inputs for everything that reads, for SECONDS on JOBS cores, and COUNT random invocations of the command line.
fuzz: $(VENV)/.built
	$(BIN)/python tests/drivers/reader_fuzz.py --seconds $(SECONDS) --jobs $(JOBS) --seed $(SEED)

# Random work for every part, until the campaign in campaign/ has HOURS (docs/reliability.md). Without Atheris or clang a part is left out.
campaign: $(VENV)/.built
	-$(PIP) atheris
	-$(MAKE) build/fuzz-native/native_fuzz
	$(BIN)/python tests/campaign/campaign.py --hours $(HOURS) --jobs $(JOBS) --seed $(SEED)

# Strange inputs for the core without Python, under sanitizers, for SECONDS on one core (tests/drivers/native_fuzz.cpp).
fuzz-native: $(VENV)/.built build/fuzz-native/native_fuzz
	PYTHONPATH=tests/drivers:tests/house $(BIN)/python tests/campaign/fuzzers.py --seconds $(SECONDS) --seed $(SEED)

# Needs clang with its runtimes; Debian: clang and libclang-rt-14-dev.
build/fuzz-native/native_fuzz: $(VENV)/.tools tests/drivers/native_fuzz.cpp $(NATIVE)
	@mkdir -p build; echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' >build/probe.cpp; \
		clang++ -fsanitize=fuzzer,address build/probe.cpp -o build/probe 2>/dev/null || { echo "needs clang++ with libFuzzer (Debian: clang libclang-rt-14-dev)"; exit 1; }
	$(CMAKE) -B build/fuzz-native -DCMAKE_CXX_COMPILER=clang++ -DREGRETLESS_TESTS=ON -DREGRETLESS_LEVELS=native -DREGRETLESS_SANITIZE=fuzz >/dev/null
	$(BIN)/cmake --build build/fuzz-native

fuzz-cli: $(VENV)/.built
	$(BIN)/python tests/drivers/command_lines.py --count $(COUNT) --seed $(SEED)

lint: $(VENV)/.packages
	$(BIN)/ruff check src tests benchmarks examples scripts
	$(BIN)/ruff format --check src tests benchmarks examples scripts
	$(BIN)/mypy
	@$(BIN)/clang-format --dry-run --Werror $(NATIVE)

# The native tests under sanitizers, one level lower than the module that the Python tests use: both levels for the time of one.
test-native: $(VENV)/.core
	$(BIN)/python scripts/native_levels.py below --level $(LEVEL)

# Without precompiled headers: every file must include what it needs.
native-test: $(VENV)/.tools
	$(CMAKE) -B build/native -DREGRETLESS_TESTS=ON -DREGRETLESS_LEVELS=$(LEVEL) -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON >/dev/null
	$(BIN)/cmake --build build/native
	build/native/native_tests

sanitize: $(VENV)/.tools
	$(CMAKE) -B build/sanitize -DREGRETLESS_TESTS=ON -DREGRETLESS_LEVELS=$(LEVEL) -DREGRETLESS_SANITIZE=address >/dev/null
	$(BIN)/cmake --build build/sanitize
	build/sanitize/native_tests

# What runs on several threads, under the thread sanitizer.
sanitize-threads: $(VENV)/.tools
	$(CMAKE) -B build/sanitize-threads -DREGRETLESS_TESTS=ON -DREGRETLESS_LEVELS=$(LEVEL) -DREGRETLESS_SANITIZE=thread >/dev/null
	$(BIN)/cmake --build build/sanitize-threads
	TSAN_OPTIONS=halt_on_error=1 build/sanitize-threads/native_tests thread

# Python tests with threads over a core that has the thread sanitizer, in an environment of its own beside $(VENV).
sanitize-python: $(VENV)/.built
	$(PYTHON) -m venv build/threads
	echo $(CURDIR)/$$(cd $(VENV) && echo lib/python3*/site-packages | sed 's|^|$(VENV)/|') >$$(echo build/threads/lib/python3*/site-packages)/packages.pth
	$(BIN)/pip --disable-pip-version-check install -q --prefix build/threads --ignore-installed --no-build-isolation --no-deps \
		-C build-dir=build/threads-core -C cmake.define.REGRETLESS_LEVELS=$(LEVEL) -C cmake.define.REGRETLESS_SANITIZE=thread .
	LD_PRELOAD=$$($(CXX) -print-file-name=libtsan.so) TSAN_OPTIONS="exitcode=66 ignore_noninstrumented_modules=1 die_after_fork=0" OMP_NUM_THREADS=1 \
		build/threads/bin/python -m pytest -p no:cacheprovider -m "not slow" $(THREADED)

# One wheel for every processor, with the core at each level: dist/. The same commit and compiler give the same bytes.
wheel: $(VENV)/.tools
	SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct 2>/dev/null || echo 1767225600)} $(BIN)/pip --disable-pip-version-check wheel -q --no-build-isolation --no-deps -w dist \
		-C build-dir=build/wheel -C cmake.define.REGRETLESS_LEVELS=all .

# What is installed in $(VENV), as a CycloneDX bill of materials: dist/sbom.json.
sbom: $(VENV)/.built
	mkdir -p dist
	$(BIN)/python scripts/sbom.py >dist/sbom.json

# Known vulnerabilities of what is installed; needs the network.
audit: $(VENV)/.built
	test -x .venv-audit/bin/pip-audit || { $(PYTHON) -m venv .venv-audit && .venv-audit/bin/pip --disable-pip-version-check install -q pip-audit; }
	$(BIN)/pip freeze --exclude-editable | grep == >build/installed.txt
	.venv-audit/bin/pip-audit -r build/installed.txt --no-deps --disable-pip

# The documentation as a site, build/site/index.html, with an environment of its own.
docs: .venv-docs/.installed
	mkdir -p build/docs_source
	NO_MKDOCS_2_WARNING=1 PYTHONPATH=scripts .venv-docs/bin/mkdocs build -q --strict
	@echo build/site/index.html

# Pictures of every page in both looks and three sizes: build/pictures/index.html; those that the documentation shows: docs/images.
pictures: $(VENV)/.built
	PYTHONPATH=tests/drivers $(BIN)/python scripts/pictures.py

# The typed face of the native module; a test checks that it is up to date.
stub: $(VENV)/.built
	$(BIN)/python -m nanobind.stubgen -q -m regretless._native -o src/regretless/_native.pyi

# Compilers and emulators for make test-slow, from Debian.
cross-tools:
	@which $(CROSS_TOOLS) >/dev/null || $(SUDO) apt-get install -y -q g++-aarch64-linux-gnu qemu-user clang \
		|| echo "cannot install all of $(CROSS_TOOLS): what needs them will fail"

clean:
	rm -rf build dist $(VENV) .venv-peers .venv-docs .venv-audit

$(VENV)/.tools: constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) cmake ninja nanobind scikit-build-core
	touch $@

# What regretless and its tests need, and regretless itself: apart, so that both can be made at once.
$(VENV)/.packages: $(VENV)/.tools pyproject.toml
	$(BIN)/python scripts/requirements.py test >$(VENV)/requirements.txt
	$(PIP) -r $(VENV)/requirements.txt
	touch $@

$(VENV)/.core: $(VENV)/.tools pyproject.toml CMakeLists.txt $(NATIVE) build/.level
	$(PIP) --no-build-isolation --no-deps -C cmake.define.REGRETLESS_LEVELS=$(LEVEL) -e .
	touch $@

$(VENV)/.built: $(VENV)/.packages $(VENV)/.core
	touch $@

# Newer than what is built where that was built for another level.
build/.level: FORCE
	@mkdir -p build; echo $(LEVEL) | cmp -s - $@ || echo $(LEVEL) >$@

.venv-docs/.installed: constraints.txt
	test -x .venv-docs/bin/python || $(PYTHON) -m venv .venv-docs
	.venv-docs/bin/pip --disable-pip-version-check install -q -c constraints.txt mkdocs-material latex2mathml
	touch $@

.venv-peers/.installed: benchmarks/peers/requirements.txt
	test -x .venv-peers/bin/python || $(PYTHON) -m venv .venv-peers
	.venv-peers/bin/pip --disable-pip-version-check install -q -r benchmarks/peers/requirements.txt
	touch $@
