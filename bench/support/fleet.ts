import { createSocket } from 'node:dgram'
import { existsSync } from 'node:fs'

/** A running fleet of simulated agents; device d answers at `address(d)`. */
export interface Fleet {
  readonly pid: number
  readonly port: number
  address(device: number): string
  stop(): Promise<void>
}

/**
 * Path of the simulator, from `--agent PATH` or PORTLIGHT_FLEET_AGENT. Prints a message and returns null if there is
 * none.
 */
export function fleetAgent(): string | null {
  const at = process.argv.indexOf('--agent')
  const path = at > 0 ? process.argv[at + 1] : process.env['PORTLIGHT_FLEET_AGENT']
  if (path !== undefined && existsSync(path)) return path
  console.warn(
    `SKIPPED: no agent simulator${path === undefined ? '' : ` at ${path}`}; give --agent PATH or PORTLIGHT_FLEET_AGENT`,
  )
  return null
}

/** Starts the simulator on loopback and waits until it answers; null if there is none. It exits after ten minutes. */
export async function startFleet(args: readonly string[]): Promise<Fleet | null> {
  const agent = fleetAgent()
  if (agent === null) return null
  const port = await freePort()
  const child = Bun.spawn([agent, '--port', String(port), '--duration', '1200', '--quiet', ...args], {
    stdout: 'ignore',
    stderr: 'ignore',
  })
  await answering(port)
  return {
    pid: child.pid,
    port,
    address: (device) => {
      const n = 16 * 65_536 + 1 + device
      return `127.${n >>> 16}.${(n >>> 8) & 255}.${n & 255}`
    },
    stop: async () => {
      child.kill()
      await child.exited
    },
  }
}

/** A free UDP port on loopback. */
export async function freePort(): Promise<number> {
  const socket = await Bun.udpSocket({ hostname: '127.0.0.1' })
  const { port } = socket
  socket.close()
  return port
}

/** Waits at most ten seconds for a response to a GET of sysUpTime.0. */
async function answering(port: number): Promise<void> {
  const request = Uint8Array.fromHex('302602010104067075626c6963a019020101020100020100300e300c06082b060102010103000500')
  const socket = createSocket('udp4')
  const deadline = Date.now() + 10_000
  const answered = new Promise<void>((resolve) => socket.once('message', () => resolve()))
  let stopped = false
  const ask = async (): Promise<void> => {
    while (!stopped && Date.now() < deadline) {
      socket.send(request, port, '127.16.0.1')
      await Bun.sleep(50)
    }
    if (!stopped) throw new Error('the agent simulator does not answer')
  }
  await Promise.race([answered, ask()])
  stopped = true
  socket.close()
}
