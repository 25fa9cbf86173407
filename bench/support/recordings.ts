import { existsSync, readdirSync } from 'node:fs'
import { fleetAgent } from './fleet.ts'

/** The recordings in a folder, served by the agent simulator. The community selects the recording. */
export interface Recordings {
  readonly names: readonly string[]
  readonly port: number
  /** An address for the n-th device. Every address serves every recording. */
  address(n: number): string
  stop(): Promise<void>
}

const BASE = '127.32.0.1'
/** Number of addresses served, at most that of 127.32.0.0/16. */
const ADDRESSES = 4000

/** Serves the recordings. Prints a message and returns null if there is no simulator or no such folder. */
export async function startRecordings(folder: string): Promise<Recordings | null> {
  const agent = fleetAgent()
  if (agent === null) return null
  if (!existsSync(folder)) {
    console.warn(`SKIPPED: no recordings at ${folder}`)
    return null
  }
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.snmprec') && !file.includes('@'))
    .map((file) => file.slice(0, -'.snmprec'.length))
  const port = 30_000 + (process.pid % 10_000)
  const args = {
    mode: 'addr',
    base: BASE,
    devices: ADDRESSES,
    port,
    community: '',
    'rec-dir': folder,
    'rec-rate': 1000,
    duration: 3000,
  }
  const child = Bun.spawn(
    [agent, ...Object.entries(args).flatMap(([name, value]) => [`--${name}`, String(value)]), '--quiet'],
    { stdout: 'ignore', stderr: 'ignore' },
  )
  // stop the simulator even when a benchmark fails
  process.once('exit', () => child.kill())
  await Bun.sleep(500)
  return {
    names,
    port,
    address: (n) => `127.32.${(n + 1) >>> 8}.${(n + 1) & 255}`,
    async stop() {
      child.kill()
      await child.exited
    },
  }
}
