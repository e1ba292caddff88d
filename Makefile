# Two commands: `make demo` and `make test`. Both install what is missing (Debian packages, with sudo when
# not root), build, and are quiet when nothing is to be done.

PACKAGES = g++ cmake ninja-build pkg-config libboost-dev librandom123-dev libsodium-dev libcli11-dev \
           libfmt-dev nlohmann-json3-dev libgtest-dev libbenchmark-dev gnuplot-nox jq

.PHONY: demo test build audit packages configure

demo: configure
	@cmake --build --preset release --target tacit_cli -- --quiet
	@scripts/demo.sh build/release/tacit build/demo

test: build
	@ctest --preset release --label-exclude audit --parallel 2 --progress

# The longer statistical checks.
audit: build
	@ctest --preset release --label-regex audit --parallel 2 --progress

build: configure
	@cmake --build --preset release -- --quiet

configure: packages
	@[ -f build/release/build.ninja ] || cmake --preset release --log-level=WARNING

packages:
	@scripts/install_packages.sh $(PACKAGES)
