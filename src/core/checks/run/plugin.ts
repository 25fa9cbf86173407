import { parseOutput } from './perfdata.ts'
import { type CheckResult, type CheckStatus, resultOf } from './result.ts'

export interface PluginJob {
  readonly path: string
  readonly args: readonly string[]
  readonly timeoutMs: number
}

/** Bytes of output that are kept; the rest is read and discarded. */
const MAX_OUTPUT = 65_536
const MAX_ERRORS = 4096
/** How long the output may stay open after the plugin ended, held by a process that it left behind, ms. */
const LINGER_MS = 500

/** The environment of plugins. Ours is not passed on because it may contain secrets. */
const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  HOME: '/',
  TZ: 'UTC',
}

/**
 * Runs a plugin in its own process group, which is killed when the time is up. While it runs, `active` contains a
 * function that kills the group. Never throws.
 */
export async function runPlugin(
  { path, args, timeoutMs }: PluginJob,
  active: Set<() => void> = new Set(),
): Promise<CheckResult> {
  let child: ReturnType<typeof start>
  try {
    child = start(path, args)
  } catch (error) {
    return resultOf(3, `${path} could not be started: ${error instanceof Error ? error.message : String(error)}`)
  }
  let timedOut = false
  const kill = (): void => {
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // the group has ended
    }
  }
  const timer = setTimeout(() => {
    timedOut = true
    kill()
  }, timeoutMs)
  active.add(kill)
  const output = keepFirst(child.stdout, MAX_OUTPUT)
  const errors = keepFirst(child.stderr, MAX_ERRORS)
  const closed = Promise.all([output.closed, errors.closed])
  await child.exited
  clearTimeout(timer)
  const lingers = Promise.withResolvers<boolean>()
  const grace = setTimeout(() => lingers.resolve(true), LINGER_MS)
  if (await Promise.race([closed.then(() => false), lingers.promise])) {
    kill()
    output.cancel()
    errors.cancel()
  }
  clearTimeout(grace)
  active.delete(kill)
  if (timedOut) return resultOf(2, `CRITICAL - the check was killed after ${timeoutMs / 1000} s`)
  const { text, measured } = parseOutput(output.text())
  const code = child.signalCode === null ? child.exitCode : null
  const said = text || errors.text().trim().split('\n', 1)[0] || silent(path, code)
  if (code === null) return resultOf(3, `ended by ${child.signalCode}: ${said}`, measured)
  if (code < 0 || code > 3) return resultOf(3, `exit code ${code}: ${said}`, measured)
  return resultOf(code as CheckStatus, said, measured)
}

const STATES = ['OK', 'WARNING', 'CRITICAL', 'UNKNOWN']

/** The text of a plugin that prints none: its state is its exit code. */
function silent(path: string, code: number | null): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const state = code === null ? undefined : STATES[code]
  return state === undefined
    ? `${name} printed nothing`
    : `${state} - ${name} printed nothing and ended with exit code ${code}`
}

function start(path: string, args: readonly string[]) {
  return Bun.spawn([path, ...args], {
    cwd: '/',
    env: ENVIRONMENT,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    // a session and process group of its own
    detached: true,
  })
}

interface Kept {
  /** Resolves when the stream has ended. Never rejects. */
  readonly closed: Promise<void>
  text(): string
  cancel(): void
}

function keepFirst(stream: ReadableStream<Uint8Array>, limit: number): Kept {
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  const read = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      if (size < limit) chunks.push(value.subarray(0, limit - size))
      size += value.length
    }
  }
  return {
    closed: read().catch(() => undefined),
    text: () => Buffer.concat(chunks).toString('utf8'),
    cancel: () => void reader.cancel().catch(() => undefined),
  }
}
