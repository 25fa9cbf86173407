import { createLimiter } from '@portlight/limit/limit.ts'

/** An installed program that sends echo requests when this process is not permitted to. */
export interface PingProgram {
  readonly method: 'fping' | 'ping'
  /** Round-trip times of the replies, milliseconds; null when the program could not send (no route, no permission). */
  ping(address: string, family: 4 | 6, count: number, timeoutMs: number): Promise<readonly number[] | null>
}

/** Maximum number of processes at a time. */
const MAX_PROCESSES = 16
/** Maximum number of addresses per fping process. */
const MAX_BATCH = 200
/** Milliseconds during which requests are collected for one fping process. */
const GATHER_MS = 10

/** fping, else ping, if it is installed, can be started, and is not in `without`; else null. `path`: where they are looked for. */
export async function findPingProgram(without: readonly string[], path?: string): Promise<PingProgram | null> {
  for (const [name, program, version] of [
    ['fping', fpingProgram, '-v'],
    ['ping', pingProgram, '-V'],
  ] as const) {
    const found = without.includes(name) ? null : Bun.which(name, path === undefined ? {} : { PATH: path })
    if (found !== null && (await output([found, version], 'stdout', 5000)) !== null) return program(found)
  }
  return null
}

/**
 * What a program writes; null: it cannot be started, as Linux does not start one with file capabilities (fping, ping)
 * that this process was not given.
 */
async function output(
  command: readonly string[],
  stream: 'stdout' | 'stderr',
  timeoutMs: number,
): Promise<string | null> {
  try {
    const child = Bun.spawn([...command], {
      stdin: 'ignore',
      stdout: stream === 'stdout' ? 'pipe' : 'ignore',
      stderr: stream === 'stderr' ? 'pipe' : 'ignore',
      timeout: timeoutMs,
      env: { ...process.env, LC_ALL: 'C' },
    })
    const text = await new Response(stream === 'stdout' ? child.stdout : child.stderr).text()
    await child.exited
    return text
  } catch {
    return null
  }
}

interface Gathered {
  readonly family: 4 | 6
  readonly count: number
  readonly timeoutMs: number
  readonly requests: { readonly address: string; readonly settle: (times: readonly number[] | null) => void }[]
}

function fpingProgram(path: string): PingProgram {
  const inTurn = createLimiter(MAX_PROCESSES)
  const gathered = new Map<string, Gathered>()
  const flush = async (name: string): Promise<void> => {
    const batch = gathered.get(name)
    gathered.delete(name)
    if (batch === undefined) return
    const { family, count, timeoutMs, requests } = batch
    const args = [`-${family}`, '-C', String(count), '-q', '-t', String(timeoutMs), '-p', String(timeoutMs), '-B', '1']
    const addresses = [...new Set(requests.map((r) => r.address))]
    const most = (count + 1) * timeoutMs + addresses.length * 25 + 5000
    const text = await inTurn(() => output([path, ...args, ...addresses], 'stderr', most))
    const times = parseFping(text ?? '')
    for (const { address, settle } of requests) settle(times.get(address) ?? null)
  }
  return {
    method: 'fping',
    ping: (address, family, count, timeoutMs) =>
      new Promise((resolve) => {
        const name = `${family} ${count} ${timeoutMs}`
        let batch = gathered.get(name)
        if (batch === undefined) {
          batch = { family, count, timeoutMs, requests: [] }
          gathered.set(name, batch)
          setTimeout(() => void flush(name), GATHER_MS)
        }
        batch.requests.push({ address, settle: resolve })
        if (batch.requests.length >= MAX_BATCH) void flush(name)
      }),
  }
}

/** Lines `address : 0.05 - 0.07` of `fping -C -q`: a time in milliseconds, or a dash, for each request. */
export function parseFping(text: string): Map<string, number[]> {
  const times = new Map<string, number[]>()
  for (const line of text.split('\n')) {
    const match = /^(\S+)\s+:((?:\s+(?:-|\d+(?:\.\d+)?))+)\s*$/.exec(line)
    if (match === null) continue
    const [, address = '', fields = ''] = match
    times.set(
      address,
      fields
        .trim()
        .split(/\s+/)
        .filter((field) => field !== '-')
        .map(Number),
    )
  }
  return times
}

function pingProgram(path: string): PingProgram {
  const inTurn = createLimiter(MAX_PROCESSES)
  return {
    method: 'ping',
    ping: async (address, family, count, timeoutMs) => {
      const seconds = String(Math.max(1, Math.ceil(timeoutMs / 1000)))
      const command = [path, `-${family}`, '-n', '-c', String(count), '-W', seconds, address]
      const most = (count + 1) * (timeoutMs + 1000) + 5000
      const text = await inTurn(() => output(command, 'stdout', most))
      return text === null || text === '' ? null : parsePing(text)
    },
  }
}

/** `time=0.05 ms` of each reply; iputils and busybox print the same format. */
export function parsePing(text: string): number[] {
  return Array.from(text.matchAll(/\btime[=<](\d+(?:\.\d+)?) ms/g), (match) => Number(match[1]))
}
