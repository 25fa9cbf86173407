import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSession } from '../../src/session.ts'
import { createTransport } from '../../src/transport.ts'
import { targetAt } from './agent.ts'

/** Debian's snmpd, started for a test. */
export interface Snmpd {
  readonly port: number
  stop(): Promise<void>
}

/** Path of snmpd; null, with a warning, when it is not installed. */
export function findSnmpd(): string | null {
  const path = Bun.which('snmpd', { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin` })
  if (path === null) console.warn('SKIPPED: snmpd is not installed (Debian package snmpd)')
  return path
}

/** A UDP port that is currently free. */
export async function freePort(): Promise<number> {
  const socket = await Bun.udpSocket({ hostname: '127.0.0.1' })
  const { port } = socket
  socket.close()
  return port
}

/**
 * Starts snmpd on loopback (IPv4 and IPv6) with community `public` and additional lines of configuration, on a free
 * port or the given one.
 */
export async function startSnmpd(path: string, config: (port: number) => string, on?: number): Promise<Snmpd> {
  const folder = await mkdtemp(join(tmpdir(), 'portlight-snmpd-'))
  const port = on ?? (await freePort())
  const base = [
    `agentaddress udp:127.0.0.1:${port},udp6:[::1]:${port}`,
    'rocommunity public',
    'rocommunity6 public',
    'sysName portlight-test',
    config(port),
  ]
  await writeFile(join(folder, 'snmpd.conf'), `${base.join('\n')}\n`)
  const child = Bun.spawn(
    [path, '-f', '-C', '-c', join(folder, 'snmpd.conf'), '-Lf', join(folder, 'log'), '-I', '-smux'],
    {
      env: { ...process.env, SNMP_PERSISTENT_DIR: folder, MIBS: '', MIBDIRS: '/nonexistent' },
      stdout: 'ignore',
      stderr: 'ignore',
    },
  )
  const stop = async () => {
    child.kill()
    await child.exited
    await rm(folder, { recursive: true, force: true })
  }
  if (!(await answers(port))) {
    const log = await readFile(join(folder, 'log'), 'utf8').catch(() => '')
    await stop()
    throw new Error(`snmpd does not answer: ${log}`)
  }
  return { port, stop }
}

/** Waits at most ten seconds for an answer, by retrying a request. */
async function answers(port: number): Promise<boolean> {
  const transport = await createTransport({ sockets: 1 })
  try {
    const session = openSession(transport, targetAt(port, { timeout: 0.1, retries: 100 }))
    return (await session.get(['1.3.6.1.2.1.1.3.0'])).kind === 'answer'
  } finally {
    transport.close()
  }
}
