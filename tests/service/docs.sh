#!/usr/bin/env bash
# docs.sh RUN DOCUMENT FOLDER: does what a reader of docs/service.md does (RUN is tests/tutorial/run.sh), at a port that is free.
set -eu

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
sed "s/127\.0\.0\.1:8080/127.0.0.1:$port/g" "$2" >"$copy/$(basename "$2")"
"$1" "$copy/$(basename "$2")" "$3"
