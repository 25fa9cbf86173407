import { type Listeners, startListeners } from '../../../../src/core/logs/receive/listeners.ts'
import { listenerMetrics } from '../../../../src/core/logs/receive/metrics.ts'
import type { Addresses, LiveOptions, StartOptions } from '../../../../src/core/logs/receive/protocol.ts'
import { createLog } from '../../../../src/observe/log.ts'
import type { TestDatabase } from '../../../support/database.ts'
import { eventually } from '../../../support/eventually.ts'

export const NOTHING: Addresses = { syslogUdp: '', syslogTcp: '', syslogTls: '', trapsUdp: '' }
export const LIVE: LiveOptions = { filter: [], xlate: {}, relays: [], trapRelays: [], communities: [], users: [] }
export const ENGINE = { id: '80000000050102030405060708090a0b0c', boots: 3 }

export interface Running extends Listeners {
  readonly ports: Readonly<Record<string, number>>
  /** What the listeners reported as stored, and which polls they asked for. */
  readonly stored: { table: string; deviceIds: readonly number[] }[]
  readonly polls: number[]
  dropped(protocol: 'syslog' | 'traps', reason: string): number
}

export async function listening(database: TestDatabase, options: Partial<StartOptions>): Promise<Running> {
  const stored: Running['stored'] = []
  const polls: number[] = []
  const listeners = startListeners({
    options: { databaseUrl: database.url, addresses: NOTHING, tls: null, engine: ENGINE, live: LIVE, ...options },
    log: createLog('silent'),
    stored: (table, deviceIds) => stored.push({ table, deviceIds }),
    poll: (ids) => polls.push(...ids),
  })
  return {
    ...listeners,
    ports: await listeners.ready,
    stored,
    polls,
    dropped: (protocol, reason) =>
      listenerMetrics(listeners.counts()).find(
        ({ name, labels }) => name === `portlight_${protocol}_dropped_total` && labels?.['reason'] === reason,
      )?.value as number,
  }
}

export interface Message {
  readonly device_id: number
  readonly facility: string | null
  readonly level: string | null
  readonly tag: string | null
  readonly program: string | null
  readonly msg: string | null
}

/** The stored messages, once there are at least `count`. */
export async function messages({ store }: TestDatabase, count: number): Promise<Message[]> {
  return await eventually(async () => {
    const rows = await store.sql<Message[]>`
      select device_id, facility, level, tag, program, msg from syslog order by seq`
    return rows.length >= count ? [...rows] : null
  })
}

/** Runs a program and returns its output. */
export async function ran(...command: string[]): Promise<string> {
  const child = Bun.spawn(command, {
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, MIBS: '', SNMPCONFPATH: '/nonexistent', SNMP_PERSISTENT_DIR: '/tmp' },
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${err}`)
  return out + err
}
