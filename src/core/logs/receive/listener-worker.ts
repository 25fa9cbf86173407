import { collectEveryMinute } from '../../../lib/periodic-gc.ts'
import { reportThread } from '../../../observe/threads.ts'
import { connect, type Store } from '../../database/client.ts'
import { StoreError } from '../../database/errors.ts'
import { useSecretKeys } from '../../secrets/ring.ts'
import { beginRun } from '../write-batch.ts'
import { Counter } from './counter.ts'
import { FairQueue } from './fair-queue.ts'
import type { FromWorker, LiveOptions, StartOptions, ToWorker } from './protocol.ts'
import { Senders } from './senders.ts'
import { type Listening, listenTcp, listenUdp, type Sources } from './sockets.ts'
import { createSources, createTrapSources } from './sources.ts'
import { writeSyslog } from './syslog/writer.ts'
import { createTraps } from './traps/receiver.ts'

declare const self: Worker

/** Limits of the queues: messages, and their size in bytes. */
const SYSLOG_QUEUE = { messages: 100_000, octets: 32 << 20 }
const TRAP_QUEUE = { messages: 10_000, octets: 8 << 20 }
const COUNTS_MS = 500
const RETRY_MS = 1000

let stopped = false
let live: LiveOptions | null = null
let forget = (): void => undefined
const open: Listening[] = []

const send = (message: FromWorker): void => self.postMessage(message)

self.onmessage = (event: MessageEvent<ToWorker>) => {
  const message = event.data
  if (message.kind === 'start') void start(message.options)
  else if (message.kind === 'live') {
    live = message.live
    forget()
  } else {
    stopped = true
    for (const listening of open) listening.close()
  }
}

async function start(options: StartOptions): Promise<void> {
  live = options.live
  useSecretKeys(options.keys ?? [])
  const store = connect(options.databaseUrl, { max: 2 })
  const senders = new Senders(store)
  forget = () => senders.forget()
  const sources = createSources(senders, () => live ?? options.live)
  const syslog = new FairQueue(SYSLOG_QUEUE, (source) => sources.isKnown(source) === true)
  const trapSources = createTrapSources(senders, () => live ?? options.live)
  const traps = new FairQueue(TRAP_QUEUE, trapSources.isKnown)
  const counters = { syslog: new Counter(), traps: new Counter() }
  const counts = (): void =>
    send({
      kind: 'counts',
      counts: { syslog: counters.syslog.counts(syslog.size), traps: counters.traps.counts(traps.size) },
    })
  const common = {
    store,
    senders,
    live: () => live ?? options.live,
    stopped: () => stopped,
    unavailable,
  }
  const receiver = createTraps({
    ...common,
    queue: traps,
    sources: trapSources,
    counter: counters.traps,
    engine: { id: Uint8Array.fromHex(options.engine.id), boots: options.engine.boots },
    stored: (deviceIds) => send({ kind: 'stored', table: 'eventlog', deviceIds }),
    poll: (deviceIds) => send({ kind: 'poll', deviceIds }),
  })
  await listen(options, {
    syslog: (message) => counters.syslog.drop('queue_full', syslog.push(message)),
    counters,
    receiver,
    sources,
  })
  collectEveryMinute()
  reportThread('listeners')
  const timer = setInterval(counts, COUNTS_MS)
  const run = crypto.randomUUID()
  await recordRun(store, run)
  await Promise.all([
    writeSyslog({
      ...common,
      run,
      queue: syslog,
      counter: counters.syslog,
      stored: (deviceIds) => send({ kind: 'stored', table: 'syslog', deviceIds }),
    }),
    receiver.write(),
  ])
  clearInterval(timer)
  counts()
  await store.close(1)
  send({ kind: 'stopped' })
}

interface Receivers {
  readonly syslog: Parameters<typeof listenTcp>[3]
  readonly counters: Readonly<Record<'syslog' | 'traps', Counter>>
  readonly receiver: ReturnType<typeof createTraps>
  readonly sources: Sources
}

/** Opens the listeners that are configured. If one fails, the others still work. */
async function listen(
  { addresses, tls }: StartOptions,
  { syslog, counters, receiver, sources }: Receivers,
): Promise<void> {
  const ports: Record<string, number> = {}
  const problems: string[] = []
  const attempt = async (name: string, at: string, begin: () => Listening | Promise<Listening>): Promise<void> => {
    if (at === '') return
    try {
      const listening = await begin()
      ports[name] = listening.port
      open.push(listening)
    } catch (error) {
      problems.push(`${name}: cannot listen at ${at}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  await attempt('syslog.udp', addresses.syslogUdp, () => listenUdp(addresses.syslogUdp, counters.syslog, syslog))
  await attempt('syslog.tcp', addresses.syslogTcp, () =>
    listenTcp(addresses.syslogTcp, null, counters.syslog, syslog, sources),
  )
  await attempt('syslog.tls', addresses.syslogTls, () => {
    if (tls === null) throw new Error('syslog.tls_cert and syslog.tls_key are not set')
    return listenTcp(addresses.syslogTls, tls, counters.syslog, syslog, sources)
  })
  await attempt('traps.udp', addresses.trapsUdp, async () => {
    const socket = await listenUdp(addresses.trapsUdp, counters.traps, (message) => receiver.receive(message))
    receiver.answerBy((octets, port, address) => {
      unanswered(address, socket.send(octets, port, address))
    })
    return socket
  })
  send({ kind: 'ready', ports, problems })
}

async function recordRun(store: Store, run: string): Promise<void> {
  while (!stopped) {
    try {
      await beginRun(store, run)
      return
    } catch (error) {
      unavailable(error instanceof StoreError ? error.message : String(error))
      await Bun.sleep(RETRY_MS)
    }
  }
}

let unsent = ''
/** Logs why informs are not answered, once for each reason; `reason` null: an answer was sent. */
function unanswered(address: string, reason: string | null): void {
  if (reason !== null && reason !== unsent)
    send({ kind: 'log', level: 'warn', text: `cannot answer the inform of ${address}: ${reason}` })
  unsent = reason ?? ''
}

let down = false
/** Logs once when the database becomes unavailable, and once when it accepts messages again. */
function unavailable(reason: string | null): void {
  if (reason === null && down) send({ kind: 'log', level: 'info', text: 'messages are stored again' })
  if (reason !== null && !down)
    send({ kind: 'log', level: 'error', text: `the database is unavailable, messages are waiting: ${reason}` })
  down = reason !== null
}
