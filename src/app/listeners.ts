import { readFileSync } from 'node:fs'
import type { Settings } from '../config/schema.ts'
import type { Store } from '../core/database/client.ts'
import { recordListeners } from '../core/logs/read-listeners.ts'
import { type Listeners, startListeners } from '../core/logs/receive/listeners.ts'
import { NONE, sumOf } from '../core/logs/receive/metrics.ts'
import type { Addresses, Counts, LiveOptions, StartOptions } from '../core/logs/receive/protocol.ts'
import { trapUsers } from '../core/logs/receive/traps/users.ts'
import { bootEngine } from '../core/logs/write-traps.ts'
import { secretKeySources } from '../core/secrets/ring.ts'
import type { Log } from '../observe/log.ts'
import type { Poller } from '../poller/poller.ts'
import { pollSoon } from './poll-soon.ts'

export interface ReceivingDeps {
  readonly url: string
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  readonly poller: Pick<Poller, 'poll'>
  /** Data of these devices was stored. */
  readonly written: (deviceIds: readonly number[], what: readonly string[]) => void
}

/** Reception of syslog messages and traps according to the settings. */
export interface Receiving {
  /** Port numbers by setting, once the configured listeners are open. */
  ready(): Promise<Readonly<Record<string, number>>>
  counts(): Counts
  stop(graceMs: number): Promise<void>
}

/** For a process that receives nothing. */
export const NOT_RECEIVING: Receiving = {
  ready: () => Promise.resolve({}),
  counts: () => NONE,
  stop: () => Promise.resolve(),
}

const RECORD_MS = 60_000
/** Format 5 (octets) of RFC 3411's SnmpEngineID, with no enterprise. */
const ENGINE_PREFIX = '8000000005'
const RETRY_MS = 5000

/** Opens the configured listeners, and reopens them when the settings change. */
export function receive({ url, store, settings, log, poller, written }: ReceivingDeps): Receiving {
  let past: Counts = NONE
  let listeners: Listeners | null = null
  let wanted = ''
  let work: Promise<void> = Promise.resolve()
  let ports: Readonly<Record<string, number>> = {}
  let stopped = false
  const polls = pollSoon(
    (deviceId) => poller.poll(deviceId),
    () => settings.get('traps.poll_seconds') * 1000,
  )

  async function change(): Promise<void> {
    const addresses = addressesOf(settings)
    const identity = JSON.stringify([addresses, settings.get('syslog.tls_cert'), settings.get('syslog.tls_key')])
    if (identity === wanted || stopped) {
      listeners?.configure(liveOf(settings))
      return
    }
    wanted = identity
    if (listeners !== null) {
      await listeners.stop(2000)
      past = sumOf(past, listeners.counts())
      listeners = null
      ports = {}
    }
    if (Object.values(addresses).every((address) => address === '')) return
    const tls = addresses.syslogTls === '' ? null : certificate(settings, log)
    const engine = await bootEngine(store, ENGINE_PREFIX + crypto.getRandomValues(new Uint8Array(12)).toHex())
    const options: StartOptions = {
      databaseUrl: url,
      addresses,
      tls,
      engine,
      live: liveOf(settings),
      keys: secretKeySources(),
    }
    listeners = startListeners({
      options,
      log,
      stored: (table, deviceIds) => written(deviceIds, [table]),
      poll: polls.ask,
    })
    ports = await listeners.ready
  }

  const again = (): void => {
    work = work.then(change).catch(async (error: unknown) => {
      log.error({ err: error }, 'cannot receive syslog messages and traps, will retry')
      wanted = ''
      await Bun.sleep(RETRY_MS)
      if (!stopped) again()
    })
  }
  const unsubscribe = settings.onChange(again)
  again()

  const counts = (): Counts => (listeners === null ? past : sumOf(past, listeners.counts()))
  let recorded = ''
  const timer = setInterval(() => {
    const now = counts()
    const text = JSON.stringify(now)
    if (text === recorded) return
    recorded = text
    recordListeners(store, now).catch(() => {
      recorded = ''
    })
  }, RECORD_MS)

  return {
    async ready() {
      await work
      return ports
    },
    counts,
    async stop(graceMs) {
      stopped = true
      clearInterval(timer)
      unsubscribe()
      polls.stop()
      await Promise.race([work, Bun.sleep(graceMs)])
      await listeners?.stop(graceMs)
    },
  }
}

function addressesOf(settings: Settings): Addresses {
  return {
    syslogUdp: settings.get('syslog.udp'),
    syslogTcp: settings.get('syslog.tcp'),
    syslogTls: settings.get('syslog.tls'),
    trapsUdp: settings.get('traps.udp'),
  }
}

function liveOf(settings: Settings): LiveOptions {
  return {
    filter: settings.get('syslog_filter'),
    xlate: settings.get('syslog_xlate') as Record<string, string>,
    relays: settings.get('syslog.relays'),
    trapRelays: settings.get('traps.relays'),
    communities: settings.get('traps.communities'),
    users: [...trapUsers(settings.get('traps.v3')), ...trapUsers(settings.get('snmp.v3'))],
  }
}

/** Certificate and key; null, with a log line, if they cannot be read. */
function certificate(settings: Settings, log: Log): StartOptions['tls'] {
  try {
    return {
      cert: readFileSync(settings.get('syslog.tls_cert'), 'utf8'),
      key: readFileSync(settings.get('syslog.tls_key'), 'utf8'),
    }
  } catch (error) {
    log.error(
      { reason: error instanceof Error ? error.message : String(error) },
      'cannot read the certificate or key of syslog.tls',
    )
    return null
  }
}
