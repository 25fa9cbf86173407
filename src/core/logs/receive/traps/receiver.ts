import { NotificationReceiver, type SnmpNotification } from '@portlight/snmp/notification.ts'
import type { NotificationUser, OwnEngine } from '@portlight/snmp/own-message.ts'
import { steadyNow } from '../../../../lib/steady.ts'
import { beginRun } from '../../write-batch.ts'
import { insertTraps, type TrapCredentials, type TrapRow, trapCredentials } from '../../write-traps.ts'
import type { Received } from '../fair-queue.ts'
import { untilTaken } from '../retry.ts'
import type { TrapSources } from '../sources.ts'
import type { WriteDeps } from '../write-deps.ts'
import { trapEvent } from './event.ts'

interface TrapDeps extends WriteDeps {
  readonly engine: OwnEngine
  readonly sources: TrapSources
  /** Polls these devices. */
  readonly poll: (deviceIds: readonly number[]) => void
}

type Answer = (octets: Uint8Array, port: number, address: string) => void

const MAX_BATCH = 500
const GATHER_MS = 50
/** Maximum events of one device per minute. */
const MAX_A_MINUTE = 600
const MINUTE_MS = 60_000
/** An inform that is repeated within this time is answered again but not stored again, ms. */
const REPEATED_MS = 60_000
const MAX_REPEATED = 10_000
const SNMP_TRAP_ADDRESS = '1.3.6.1.6.3.18.1.3.0'

/** Receives traps and informs, and stores an event for each. */
export function createTraps(deps: TrapDeps) {
  const { store, queue, senders, sources, counter } = deps
  const receiver = new NotificationReceiver(deps.engine, steadyNow())
  const repeated = rememberInforms()
  const withinRate = limitRates()
  let answer: Answer = () => undefined

  /** Verifies the notifications of a batch, stores their events, then answers informs. */
  async function storeBatch(batch: readonly Received[], run: string, next: () => number): Promise<void> {
    const { users, communities } = deps.live()
    if (!(await learnt(batch.map(({ source }) => source)))) return
    const known = batch.flatMap(({ source }) => senders.of(source)?.device_id ?? [])
    const read = await untilTaken(() => trapCredentials(store, [...new Set(known)]), deps.stopped, deps.unavailable)
    if (read.kind !== 'done') return
    const heard = batch
      .flatMap((message) => hear(message, users, (id) => read.result.get(id) ?? null))
      .map(({ message, notification }) => {
        const relayed = sources.isRelay(message.source)
        return { message, notification, relayed, agent: relayed ? agentOf(notification) : null }
      })
    if (!(await learnt(heard.flatMap(({ agent }) => agent ?? [])))) return
    const rows: (TrapRow & { readonly poll: boolean })[] = []
    const answers: (() => void)[] = []
    for (const { message, notification, relayed, agent } of heard) {
      const sender = (agent === null ? null : senders.of(agent)) ?? senders.of(message.source)
      if (sender === null) {
        counter.drop('unknown_device')
        continue
      }
      const own = relayed ? null : (read.result.get(sender.device_id) ?? null)
      if (!allowed(notification, communities, own)) {
        counter.drop('credentials')
        continue
      }
      const { response } = notification
      if (response !== null) answers.push(() => answer(response, message.port, message.source))
      if (response !== null && repeated(message, notification)) continue
      if (!withinRate(sender.device_id, message.at)) {
        counter.drop('rate')
        continue
      }
      const { ifIndex, ...event } = trapEvent(notification)
      rows.push({
        device_id: sender.device_id,
        datetime: new Date(Date.now() - (steadyNow() - message.at)).toISOString(),
        ...event,
        if_index: ifIndex,
      })
    }
    if (rows.length > 0) {
      const key = { run, number: next() }
      const outcome = await untilTaken(() => insertTraps(store, key, rows), deps.stopped, deps.unavailable)
      if (outcome.kind !== 'done') {
        counter.drop('refused_by_database', rows.length)
        return
      }
      counter.stored += outcome.result
      deps.stored([...new Set(rows.map((row) => row.device_id))])
      const polls = [...new Set(rows.filter((row) => row.poll).map((row) => row.device_id))]
      if (polls.length > 0) deps.poll(polls)
    }
    for (const send of answers) send()
  }

  /** Looks up the devices with these addresses; false: the process is ending while the database is unavailable. */
  async function learnt(addresses: readonly string[]): Promise<boolean> {
    return (await untilTaken(() => senders.learn(addresses), deps.stopped, deps.unavailable)).kind === 'done'
  }

  function hear(
    message: Received,
    users: readonly NotificationUser[],
    credentialsOf: (deviceId: number) => TrapCredentials | null,
  ): { readonly message: Received; readonly notification: SnmpNotification }[] {
    const sender = senders.of(message.source)
    const own = sender === null ? null : credentialsOf(sender.device_id)
    const named = (name: string) => [...users, ...(own === null ? [] : [own])].filter((user) => user.authname === name)
    try {
      const heard = receiver.hear(message.octets, message.at, named)
      if (heard.kind === 'notification') return [{ message, notification: heard.notification }]
      if (heard.kind === 'report') {
        // whoever invents addresses would have us send to them, and a stranger's inform is not stored anyway
        if (sources.isKnown(message.source)) answer(heard.octets, message.port, message.source)
        else {
          counter.drop('unknown_device')
          return []
        }
      }
      if (heard.refusal !== null) counter.drop(heard.refusal)
    } catch {
      counter.drop('malformed')
    }
    return []
  }

  return {
    /** Sets the function that sends responses to informs. */
    answerBy(send: Answer): void {
      answer = send
    },
    receive(message: Received): void {
      // the wall clock may be set while a sender's clock is remembered
      counter.drop('queue_full', queue.push({ ...message, at: steadyNow() }))
    },
    /** Stores messages from the queue until stopped and the queue is empty. */
    async write(): Promise<void> {
      const run = crypto.randomUUID()
      let number = 0
      await untilTaken(() => beginRun(store, run), deps.stopped, deps.unavailable)
      for (;;) {
        const batch = queue.take(MAX_BATCH)
        if (batch.length > 0) await storeBatch(batch, run, () => ++number)
        else if (deps.stopped()) return
        await Bun.sleep(GATHER_MS)
      }
    },
  }
}

/** The agent whose trap a relay forwarded: agent-addr of v1, or snmpTrapAddress.0 (RFC 3584 §3.1); null if absent. */
function agentOf({ agentAddr, varbinds }: SnmpNotification): string | null {
  const forwarded = varbinds.find(({ oid }) => oid === SNMP_TRAP_ADDRESS)?.value
  const address = forwarded?.kind === 'IpAddress' ? forwarded.value : agentAddr
  return address === null || address === '0.0.0.0' ? null : address
}

/** The community must be that of the device or one in the setting. A v3 message has been verified before. */
function allowed(
  { version, community }: SnmpNotification,
  communities: readonly string[],
  own: TrapCredentials | null,
): boolean {
  if (version === 'v3') return true
  if (community !== null && communities.includes(community)) return true
  return community !== null && community !== '' && community === own?.community
}

/** Whether an inform was received before, within REPEATED_MS. */
function rememberInforms() {
  const informs = new Map<string, number>()
  return function repeated({ source, port, at }: Received, { version, requestId }: SnmpNotification): boolean {
    const key = `${source} ${port} ${version} ${requestId}`
    const before = informs.get(key)
    informs.delete(key)
    informs.set(key, at)
    if (informs.size > MAX_REPEATED) {
      const [oldest] = informs.keys()
      if (oldest !== undefined) informs.delete(oldest)
    }
    return before !== undefined && at - before < REPEATED_MS
  }
}

/** Whether a device may have another event in this minute. */
function limitRates() {
  let rates = new Map<number, number>()
  let ratesSince = 0
  return function withinRate(deviceId: number, at: number): boolean {
    if (at - ratesSince >= MINUTE_MS) {
      ratesSince = at
      rates = new Map()
    }
    const count = (rates.get(deviceId) ?? 0) + 1
    rates.set(deviceId, count)
    return count <= MAX_A_MINUTE
  }
}
