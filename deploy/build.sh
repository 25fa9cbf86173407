#!/bin/sh
# Builds the single-file program, which needs no Bun and no node_modules, into dist: bun run build [PLATFORM... | all].
# deploy/build/main.ts lists what is built. Run it in a checkout; the launcher installs what is missing.
set -eu
cd "$(dirname "$0")/.."
bun=$(./portlight version --json | sed -n 's/.*"executable": "\(.*\)".*/\1/p')
exec "$bun" --no-env-file deploy/build/main.ts "$@"
