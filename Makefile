# Two commands: `make demo` and `make test`. Both install what is missing (Debian packages, with sudo when
# not root), build, and are quiet when nothing is to be done.

SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c

PACKAGES = g++ cmake ninja-build pkg-config curl libboost-dev librandom123-dev libsodium-dev libcli11-dev \
           libfmt-dev libssl-dev nlohmann-json3-dev libsqlite3-dev libtomlplusplus-dev libopenmpi-dev openmpi-bin \
           libgtest-dev libbenchmark-dev faketime gnuplot-nox fonts-dejavu-core pybind11-dev python3-dev python3-numpy

# What the Python package works with where it is there, and what tests it; to be built and used it needs none of these.
PYTHON_PACKAGES = python3-pandas python3-matplotlib python3-distributed python3-mpi4py python3-nbclient \
                  python3-nbconvert python3-ipykernel python3-pytest mypy python3-pip python3-venv

# A line of progress for every file that is built, and silence when there is nothing to do.
define build
	@NINJA_STATUS='[%f/%t] ' ninja -C build/release $(1) | \
	  { grep --line-buffered -vE '^ninja: (no work to do|Entering directory)|Re-checking globbed' || true; }
endef

# What builds the fuzzers, and what makes a core that is searched.
FUZZ_PACKAGES = clang libclang-rt-14-dev gdb

.PHONY: demo notebook test build audit soak fuzz packages python_packages node_packages fuzz_packages configure

demo: configure
	$(call build,tacit_cli)
	@build/release/tacit reproduce hu-fig1 hu-fig2 -o build/demo

# The package for Python in 31 lines, from the catalogue to a policy that answers.
notebook: python_packages configure
	$(call build,tacit_python tacit_python_package)
	@PYTHONPATH=build/release/python /usr/bin/python3 scripts/notebook.py examples/notebook.py build/notebook

test: python_packages node_packages build
	@ctest --preset release --label-exclude audit --parallel 2

# The longer statistical checks, and the speed ratios.
audit: python_packages fuzz_packages build
	@ctest --preset release --label-regex audit --parallel 2

# What takes longer than an audit: a thousand kills, every write that may fail, and the memory of ten million decisions.
soak: build
	@ctest --preset release --build-config soak --label-regex soak
	@build/release/benchmarks/service_load soak

# Ten million inputs for every parser of the service, which takes some hours; in `make audit` it is a million.
fuzz: fuzz_packages
	@tests/fuzz/build.sh
	@ls tests/fuzz/seeds | xargs -P 2 -I NAME tests/fuzz/fuzz.sh NAME 10000000 0

build: configure
	$(call build,all)

configure: packages
	@[ build/release/build.ninja -nt CMakePresets.json ] || cmake --preset release >/dev/null

packages:
	@scripts/install_packages.sh $(PACKAGES)

# After the others: two of apt at once would refuse each other.
python_packages: packages
	@scripts/install_packages.sh $(PYTHON_PACKAGES)

# For the SDKs of OpenFeature. Where there is a node from elsewhere, Debian's npm would bring another.
node_packages: python_packages
	@command -v node >/dev/null && command -v npm >/dev/null || scripts/install_packages.sh nodejs npm

fuzz_packages: python_packages
	@scripts/install_packages.sh $(FUZZ_PACKAGES)
