import { hostname } from 'node:os'
import { insertDeviceEvent } from '../../../base/write-events.ts'
import type { SyslogSender } from '../../read-syslog-senders.ts'
import { driftOf } from '../../syslog/clock.ts'
import { readByOs } from '../../syslog/forms.ts'
import { insertSyslogBatch } from '../../write-batch.ts'
import type { ReceivedRow } from '../../write-syslog.ts'
import { plainAddress } from '../address.ts'
import type { Received } from '../fair-queue.ts'
import { networksOf } from '../networks.ts'
import { untilTaken } from '../retry.ts'
import type { WriteDeps } from '../write-deps.ts'
import { DeviceClocks } from './clocks.ts'
import type { ParsedSyslog } from './message.ts'
import { parseSyslog } from './parse.ts'

interface WriterDeps extends WriteDeps {
  /** Identifies this run of the process in the keys of batches. */
  readonly run: string
}

const MAX_BATCH = 4000
/** Messages received within this time are stored together, ms. */
const GATHER_MS = 50

interface Parsed {
  readonly message: ParsedSyslog
  /** Names or addresses that may identify the device, the most specific first. */
  readonly hosts: readonly string[]
  readonly receivedAt: number
}

/**
 * Stores messages from the queue in batches until stopped and empty. Parses a batch while the previous one is stored.
 */
export async function writeSyslog(deps: WriterDeps): Promise<void> {
  let number = 0
  let storing: Promise<void> = Promise.resolve()
  const clocks = new DeviceClocks()
  for (;;) {
    const batch = deps.queue.take(MAX_BATCH)
    if (batch.length === 0) {
      await storing
      if (deps.stopped() && deps.queue.size === 0) return
      await Bun.sleep(GATHER_MS)
      continue
    }
    const [rows] = await Promise.all([rowsOf(deps, batch), storing])
    if (rows === null) return
    storing = storeRows(deps, rows, () => ++number).then(() => tellClocks(deps, clocks, rows))
    // Sleeps even if the queue is full, so that the sockets are read.
    await Bun.sleep(batch.length < MAX_BATCH / 4 ? GATHER_MS : 0)
  }
}

/** The rows of a batch; null: the process is ending while the database is unavailable. */
async function rowsOf(deps: WriterDeps, batch: readonly Received[]): Promise<ReceivedRow[] | null> {
  const { counter, senders } = deps
  const live = deps.live()
  const isRelay = networksOf(live.relays)
  const translated = new Map(
    Object.entries(live.xlate).map(([name, host]) => [plainAddress(name), plainAddress(host)] as const),
  )
  const parsed: Parsed[] = []
  for (const { source, octets, at } of batch) {
    const message = parseSyslog(octets)
    if (message === null) counter.drop('malformed')
    else if (live.filter.some((noise) => message.content.includes(noise))) counter.drop('filtered')
    else {
      const hosts = isRelay(source) ? relayedHosts(message, source) : [source]
      parsed.push({ message, hosts: hosts.map((host) => translated.get(host) ?? host), receivedAt: at })
    }
  }
  const learnt = await untilTaken(
    () => senders.learn(parsed.flatMap(({ hosts }) => hosts)),
    deps.stopped,
    deps.unavailable,
  )
  if (learnt.kind === 'stopped') return null
  const rows: ReceivedRow[] = []
  for (const { message, hosts, receivedAt } of parsed) {
    const sender = hosts.map((host) => senders.of(host)).find((found) => found !== null) ?? null
    if (sender === null) counter.drop('unknown_device')
    else rows.push(rowOf(message, sender, receivedAt))
  }
  return rows
}

/** Names by which the messages of any relay may call itself. */
const ITSELF = /^(?:localhost(?:\..*)?|127\..*|::1)$/
const LOOPBACK = /^(?:127\..*|::1)$/
/** Programs on this host send to the loopback address, with its name, which need not be that of the device. */
function isThisHost(host: string): boolean {
  const own = hostname().toLowerCase()
  return host === own || host === own.split('.', 1)[0]
}

/** FASTPATH switches (Dell, Netgear, Ubiquiti) add the unit of the stack to their address. */
const WITH_UNIT = /^(\d+\.\d+\.\d+\.\d+)-\d+$/

/**
 * Whom a message from a relay is about: the host in its header, and nobody else if that is unknown. Without a host in
 * the header it is the relay's own.
 */
function relayedHosts({ hostname: named, devname }: ParsedSyslog, source: string): string[] {
  const within = devname === null ? [] : [plainAddress(devname)]
  if (named === null) return [...within, source]
  const host = plainAddress(named)
  if (ITSELF.test(host) || (LOOPBACK.test(source) && isThisHost(host))) return [host, source]
  const address = WITH_UNIT.exec(host)?.[1]
  return [host, ...(address === undefined ? [] : [address]), ...within]
}

const MAX_PROGRAM = 32

function rowOf(message: ParsedSyslog, { device_id, os }: SyslogSender, receivedAt: number): ReceivedRow {
  const { facility, level, tag, clock } = message
  const { program, msg } = (message.isCertain ? null : readByOs(message.content, os)) ?? message
  // The kernel of Linux and daemons that give no tag are told apart by their facility.
  const name = program ?? (os === 'linux' ? facility : null)
  return {
    device_id,
    facility,
    priority: level,
    level,
    tag,
    timestamp: new Date(receivedAt).toISOString(),
    program: name === null ? null : name.toUpperCase().slice(0, MAX_PROGRAM).toWellFormed(),
    msg: msg.trim(),
    clock_drift: clock === null ? null : driftOf(clock, receivedAt, -new Date(receivedAt).getTimezoneOffset()),
  }
}

/** Stores rows. If the database refuses them, tries each half, down to single rows. */
async function storeRows(deps: WriterDeps, rows: readonly ReceivedRow[], next: () => number): Promise<void> {
  const { store, run, counter } = deps
  if (rows.length === 0) return
  const key = { run, number: next() }
  const outcome = await untilTaken(() => insertSyslogBatch(store, key, rows), deps.stopped, deps.unavailable)
  if (outcome.kind === 'done') {
    const stored = outcome.result ?? rows.length
    counter.stored += stored
    counter.drop('unknown_device', rows.length - stored)
    deps.stored([...new Set(rows.map((row) => row.device_id))])
  } else if (outcome.kind === 'refused' && rows.length > 1) {
    const half = rows.length >> 1
    await storeRows(deps, rows.slice(0, half), next)
    await storeRows(deps, rows.slice(half), next)
  } else counter.drop('refused_by_database', rows.length)
}

/** Stores events about clocks that have been wrong, or right again, for a while. */
async function tellClocks({ store }: WriterDeps, clocks: DeviceClocks, rows: readonly ReceivedRow[]): Promise<void> {
  const now = performance.now()
  for (const { device_id, clock_drift } of rows) {
    const event = clocks.note(device_id, clock_drift, now)
    // An event that cannot be stored is not worth delaying messages.
    if (event !== null) await insertDeviceEvent(store, { device_id, type: 'syslog', ...event }).catch(() => undefined)
  }
}
