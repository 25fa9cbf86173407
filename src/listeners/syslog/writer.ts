import { spoken } from '../../domain/syslog/program.ts'
import { insertSyslogBatch } from '../../store/logs/write-batch.ts'
import type { SyslogRow } from '../../store/logs/write-syslog.ts'
import type { Received } from '../fair-queue.ts'
import { networksOf } from '../networks.ts'
import { untilTaken } from '../retry.ts'
import type { WriteDeps } from '../write-deps.ts'
import { type ParsedSyslog, parseSyslog } from './parse.ts'

interface WriterDeps extends WriteDeps {
  /** Identifies this run of the process in the keys of batches. */
  readonly run: string
}

const MAX_BATCH = 4000
/** Messages received within this time are stored together, ms. */
const GATHER_MS = 50
/** If the time in a message is further off than this, the time of receipt is used, ms. */
const DAY_MS = 86_400_000

interface Parsed {
  readonly message: ParsedSyslog
  readonly source: string
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
    storing = storeRows(deps, rows, () => ++number)
    // Sleeps even if the queue is full, so that the sockets are read.
    await Bun.sleep(batch.length < MAX_BATCH / 4 ? GATHER_MS : 0)
  }
}

/** The rows of a batch; null: the process is ending while the database is unavailable. */
async function rowsOf(deps: WriterDeps, batch: readonly Received[]): Promise<SyslogRow[] | null> {
  const { counter, senders } = deps
  const live = deps.live()
  const trusted = networksOf(live.relays)
  const translated = new Map(Object.entries(live.xlate).map(([name, host]) => [name.toLowerCase(), host.toLowerCase()]))
  const parsed: Parsed[] = []
  for (const { source, octets, at } of batch) {
    const message = parseSyslog(octets)
    if (message === null) counter.drop('malformed')
    else if (live.filter.some((noise) => message.msg.includes(noise))) counter.drop('filtered')
    else {
      const own = source.toLowerCase()
      const said = trusted(source) && message.hostname !== null ? [message.hostname.toLowerCase()] : []
      const hosts = [...said, own].map((host) => translated.get(host) ?? host)
      parsed.push({ message, source, hosts, receivedAt: at })
    }
  }
  const learnt = await untilTaken(
    () => senders.learn(parsed.flatMap(({ hosts }) => hosts)),
    deps.stopped,
    deps.unavailable,
  )
  if (learnt.kind === 'stopped') return null
  const rows: SyslogRow[] = []
  for (const { message, hosts, receivedAt } of parsed) {
    const sender = hosts.map((host) => senders.of(host)).find((found) => found !== null) ?? null
    if (sender === null) counter.drop('unknown_device')
    else rows.push(rowOf(message, sender, receivedAt))
  }
  return rows
}

function rowOf(message: ParsedSyslog, sender: { device_id: number; os: string | null }, receivedAt: number): SyslogRow {
  const { facility, level, tag, program, msg, at } = message
  const time = at !== null && Math.abs(at - receivedAt) < DAY_MS ? at : receivedAt
  return {
    device_id: sender.device_id,
    facility,
    priority: level,
    level,
    tag,
    timestamp: new Date(time).toISOString(),
    ...spoken(sender.os, { program, facility, msg }),
  }
}

/** Stores rows. If the database refuses them, tries each half, down to single rows. */
async function storeRows(deps: WriterDeps, rows: readonly SyslogRow[], next: () => number): Promise<void> {
  const { store, run, counter } = deps
  if (rows.length === 0) return
  const key = { run, number: next() }
  const fate = await untilTaken(() => insertSyslogBatch(store, key, rows), deps.stopped, deps.unavailable)
  if (fate.kind === 'done') {
    const stored = fate.result ?? rows.length
    counter.stored += stored
    counter.drop('unknown_device', rows.length - stored)
    deps.stored([...new Set(rows.map((row) => row.device_id))])
  } else if (fate.kind === 'refused' && rows.length > 1) {
    const half = rows.length >> 1
    await storeRows(deps, rows.slice(0, half), next)
    await storeRows(deps, rows.slice(half), next)
  } else counter.drop('refused_by_database', rows.length)
}
