import { jetstream } from '@nats-io/jetstream'
import { type KV, Kvm, type KvWatchEntry } from '@nats-io/kv'
import type { QueuedIterator } from '@nats-io/transport-node'
import type { Log } from '../../../../observe/log.ts'
import type { DevicePlan } from '../../../polling/read-plan.ts'
import { isRecord } from './checks.ts'
import { type Nats, reasonOf } from './connection.ts'
import { assembleDefinitions, isDefinitionsKey } from './definitions.ts'
import { deviceOfKey, SETTINGS_KEY, siteNames } from './names.ts'
import { decodeEntry, planOf } from './plan-codec.ts'
import { MAX_SKEW_MS } from './requests.ts'
import type { Seal } from './seal.ts'

/** The devices and settings of a remote poller, from the bucket on its site's NATS server. */
export interface SitePlans {
  /** Resolves when everything that was in the bucket at the start has been read. */
  readonly loaded: Promise<void>
  get(deviceId: number): DevicePlan | undefined
  ids(): number[]
  /** Marks the device as discovered until the centre sends its next plan. */
  discovered(deviceId: number): void
  /** The settings last sent by the centre; null: none yet. */
  settings(): ReadonlyMap<string, unknown> | null
  /** Number of entries refused: sealed for another poller or by another centre, or malformed. */
  refused(): number
  stop(): void
}

export interface SitePlansOptions {
  readonly nats: Nats
  readonly poller: string
  readonly domain: string
  readonly seal: Seal
  readonly log: Log
  /** Called after each change, once everything is loaded. */
  readonly changed: (deviceId: number) => void
  readonly settingsChanged: () => void
  /** Called with the definitions of the centre, or null if it no longer has any. May throw. */
  readonly definitions: (bundle: { readonly id: string; readonly octets: Uint8Array } | null) => void
}

const RETRY_MS = 2000
const ANSWER_MS = 5000
/** Maximum size of the bucket, bytes; a plan takes 1 to 10 kB. */
const MAX_OCTETS = 128 * 1024 * 1024

export function followPlans(o: SitePlansOptions): SitePlans {
  const names = siteNames(o.poller)
  const plans = new Map<number, DevicePlan>()
  /** When the centre wrote the entries that were read, by key. */
  const writtenAt = new Map<string, number>()
  const definitions = assembleDefinitions(o.definitions)
  const loaded = Promise.withResolvers<void>()
  let isLoaded = false
  let settings: ReadonlyMap<string, unknown> | null = null
  let refused = 0
  let stopped = false
  let watch: QueuedIterator<KvWatchEntry> | null = null

  async function follow(): Promise<void> {
    let quiet = false
    while (!stopped) {
      try {
        const js = jetstream(o.nats.connection, {
          ...(o.domain !== '' && { domain: o.domain }),
          timeout: ANSWER_MS,
        })
        const bucket = await new Kvm(js).create(names.bucket, { history: 1, max_bytes: MAX_OCTETS })
        await read(bucket)
        quiet = false
      } catch (error) {
        if (!quiet && !stopped) o.log.warn({ reason: reasonOf(error) }, 'cannot read devices from NATS; trying again')
        quiet = true
      }
      if (!stopped) await Bun.sleep(RETRY_MS)
    }
  }

  /** Reads everything in the bucket and then every change, until the connection or the bucket is lost. */
  async function read(bucket: KV): Promise<void> {
    const { values } = await bucket.status()
    watch = await bucket.watch()
    let left = values
    if (left === 0) loadedNow()
    for await (const entry of watch) {
      take(entry)
      left--
      if (left <= 0 || entry.isUpdate) loadedNow()
    }
  }

  function loadedNow(): void {
    if (isLoaded) return
    isLoaded = true
    o.log.info({ devices: plans.size }, 'read devices from NATS')
    loaded.resolve()
  }

  function take({ key, operation, value }: KvWatchEntry): void {
    const deviceId = deviceOfKey(key)
    if (deviceId === null && key !== SETTINGS_KEY && !isDefinitionsKey(key)) return
    if (operation !== 'PUT') {
      // Deletions are not sealed, but forged ones can only make the poller poll fewer devices.
      if (deviceId !== null && plans.delete(deviceId)) tell(deviceId)
      return
    }
    const plain = o.seal.open('to-poller', key, value)
    try {
      if (plain === null) throw new Error('it is not sealed for this poller by the centre with poller.centre_key')
      const entry = decodeEntry(plain)
      const before = writtenAt.get(key) ?? 0
      // one of the future was written while the centre's clock was ahead: until it comes, all others would be ignored
      if (entry.at <= before && before <= Date.now() + MAX_SKEW_MS) return
      if (isDefinitionsKey(key)) definitions.take(key, entry.value)
      else if (deviceId === null) {
        if (!isRecord(entry.value)) throw new Error('it contains no settings')
        settings = new Map(Object.entries(entry.value))
        if (isLoaded) o.settingsChanged()
      } else {
        plans.set(deviceId, planOf(deviceId, entry.value))
        tell(deviceId)
      }
      writtenAt.set(key, entry.at)
    } catch (error) {
      refused++
      o.log.warn({ key, reason: reasonOf(error) }, 'refused an entry of the bucket')
    }
  }

  function tell(deviceId: number): void {
    if (isLoaded) o.changed(deviceId)
  }

  // a watch does not notice that the server was restarted with another disk
  o.nats.onReconnect(() => watch?.stop())
  void follow()
  return {
    loaded: loaded.promise,
    get: (deviceId) => plans.get(deviceId),
    ids: () => [...plans.keys()].sort((a, b) => a - b),
    discovered(deviceId) {
      const plan = plans.get(deviceId)
      if (plan?.last_discovered === null) plans.set(deviceId, { ...plan, last_discovered: new Date() })
    },
    settings: () => settings,
    refused: () => refused,
    stop() {
      stopped = true
      watch?.stop()
    },
  }
}
