#!/usr/bin/env bash
# run.sh TACIT: serves an empty store with that program, and lets OpenFeature's SDKs from npm loose on it.
set -eu

tacit=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
folder=$(mktemp -d)
server=
finish() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null && wait "$server" || true; fi
  rm -rf "$folder"
}
trap finish EXIT
cp "$here"/package.json "$here"/package-lock.json "$here"/test.mjs "$folder"
cd "$folder"

npm ci --no-audit --no-fund --loglevel=error >npm.log 2>&1 || { cat npm.log >&2; exit 1; }
TACIT_OPERATOR_KEY=$("$tacit" serve key add --role operator --store store.db 2>/dev/null)
"$tacit" serve --store store.db --listen 127.0.0.1:0 --log server.log &
server=$!
for _ in $(seq 100); do
  TACIT_URL=$(sed -n 's/.*"event":"start".*"url":"\([^"]*\)".*/\1/p' server.log 2>/dev/null || true)
  [ -z "$TACIT_URL" ] || break
  kill -0 "$server" 2>/dev/null || { echo "the service did not start" >&2; exit 1; }
  sleep 0.1
done
export TACIT_OPERATOR_KEY TACIT_URL
node test.mjs || { cat server.log >&2; exit 1; }
