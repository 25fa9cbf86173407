import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { command } from '../../cli/support.ts'
import type { Block } from './blocks.ts'

/** What a command of a page printed, stdout and stderr as on a terminal. */
interface Came {
  readonly typed: string
  /** Exit code; null: the shell ended before it. */
  readonly code: number | null
  readonly output: string
}

/** Starts a server, prints what it says until it is ready, and stops it with the rest of the block. */
const SERVED = `
served() {
  printed=$OUT/served-$RANDOM
  : > "$printed"
  "$@" --listen 127.0.0.1 --port 0 --data-dir "\${SERVE_DATA:-$PORTLIGHT_DATA_DIR}" > "$printed" 2> "$printed.log" &
  started=$!
  pids="$pids $started"
  until grep -qE 'Use it:|remote poller;|no API here' "$printed" && { [[ "$*" != *--demo* ]] || grep -q 'Demo history:.*stored' "$printed"; }; do
    kill -0 $started 2> /dev/null || { cat "$printed" "$printed.log"; return 1; }
    sleep 0.1
  done
  cat "$printed"
}
# prints a stream up to its first data
for_a_while() {
  printed=$OUT/streamed
  : > "$printed"
  "$@" > "$printed" &
  started=$!
  until grep -q '^data:' "$printed"; do
    kill -0 $started || return 1
    sleep 0.1
  done
  kill $started
  cat "$printed"
}
pids=
stop_served() { [ -z "$pids" ] || { kill $pids; wait $pids; } 2> /dev/null; }
trap stop_served EXIT
`

/** A folder in which the commands of pages are typed: it has the program, and PATH begins with it. */
export function makeWorkFolder(path: string): void {
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'portlight'), `#!/bin/sh\nexec ${command.map((word) => `'${word}'`).join(' ')} "$@"\n`)
  // answers that are errors end with a code that is not 0
  const curl = Bun.which('curl') ?? 'curl'
  writeFileSync(join(path, 'curl'), `#!/bin/sh\nexec '${curl}' --silent --show-error --fail-with-body "$@"\n`)
  // stands for a store of passwords
  writeFileSync(join(path, 'pass'), '#!/bin/sh\necho 123456:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc\n')
  for (const name of ['portlight', 'curl', 'pass']) chmodSync(join(path, name), 0o755)
}

/** Types the commands of a block into one shell, one after the other. The process group ends with it. */
export async function type(
  { page, line }: Pick<Block, 'page' | 'line'>,
  commands: readonly string[],
  { folder, out, env }: { folder: string; out: string; env: Readonly<Record<string, string>> },
): Promise<Came[]> {
  mkdirSync(out, { recursive: true })
  const typed = commands.map((command, i) => {
    const serves = command.replace(/(\S*portlight serve\b)/, 'served $1')
    return `{\n${serves}\n} > "$OUT/${i}" 2>&1 < /dev/null\necho $? > "$OUT/${i}.code"\n`
  })
  const script = join(out, 'script')
  writeFileSync(script, `set -o pipefail\n${SERVED}\n${typed.join('')}`)
  const shell = Bun.spawn(['bash', script], { cwd: folder, env: { ...env, OUT: out }, stdin: 'ignore', stderr: 'pipe' })
  const errors = await shell.stderr.text()
  await shell.exited
  if (errors !== '') throw new Error(`${page}:${line}: the shell says ${errors}`)
  return commands.map((command, i) => {
    const code = text(join(out, `${i}.code`))
    return { typed: command, code: code === null ? null : Number(code), output: text(join(out, String(i))) ?? '' }
  })
}

function text(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
