import { createHash } from 'node:crypto'
import { jetstream } from '@nats-io/jetstream'
import { type KV, Kvm } from '@nats-io/kv'
import type { Log } from '../../../../observe/log.ts'
import type { Store } from '../../../database/client.ts'
import { loadDevicePlan } from '../../../polling/read-plan.ts'
import { deviceIdsOfGroup } from '../read.ts'
import type { Nats } from './connection.ts'
import {
  DEFINITIONS_KEY,
  type DefinitionsBundle,
  definitionEntries,
  isDefinitionsKey,
  NO_DEFINITIONS,
} from './definitions.ts'
import { deviceOfKey, planKey, SETTINGS_KEY, siteNames } from './names.ts'
import { encodeEntry } from './plan-codec.ts'
import type { Seal } from './seal.ts'

export interface PlanBucketOptions {
  readonly nats: Nats
  readonly store: Store
  readonly poller: { readonly name: string; readonly domain: string; readonly poller_group: number }
  readonly seal: Seal
  readonly log: Log
  /** The settings that the poller follows, by name. */
  readonly settings: () => Readonly<Record<string, unknown>>
  /** Definitions added at the centre; null: none. */
  readonly definitions: () => DefinitionsBundle | null
}

/** The bucket of a remote poller: its devices and settings, sealed for that poller. */
export interface PlanBucket {
  /**
   * Writes what has changed of these devices, and removes those that are gone; null: of everything. Throws if NATS or
   * the database does not answer.
   */
  publish(deviceIds: readonly number[] | null): Promise<void>
}

const ANSWER_MS = 5000
const DEVICES_PER_READ = 200
const WRITES_AT_ONCE = 16

/** When this process last wrote an entry, as it says in it. */
let lastAt = 0

/** `stopping`: ends `publish` before all devices are written. */
export function createPlanBucket(o: PlanBucketOptions, stopping: () => boolean): PlanBucket {
  const names = siteNames(o.poller.name)
  /** Hash of what is in the bucket, by key. */
  const written = new Map<string, string>()
  let bucketMade = ''
  /** Id of the definitions in the bucket; null if unknown. */
  let definitions: string | null = null
  let tooLarge = new Set<number>()

  async function publish(some: readonly number[] | null): Promise<void> {
    const domain = o.poller.domain === '' ? {} : { domain: o.poller.domain }
    const bucket = await new Kvm(jetstream(o.nats.connection, { timeout: ANSWER_MS, ...domain })).open(names.bucket)
    const { streamInfo } = await bucket.status()
    if (streamInfo.created !== bucketMade) {
      written.clear()
      for await (const key of await bucket.keys()) written.set(key, '')
      bucketMade = streamInfo.created
      definitions = null
      some = null
    }
    const ids = await deviceIdsOfGroup(o.store, o.poller.poller_group)
    const own = new Set(ids)
    const gone = [...written.keys()].filter((key) => {
      const id = deviceOfKey(key)
      return id !== null && !own.has(id)
    })
    for (const key of gone) {
      await bucket.delete(key)
      written.delete(key)
    }
    if (some === null) {
      await put(bucket, SETTINGS_KEY, o.settings())
      await putDefinitions(bucket)
    }
    const looked = some === null ? ids : some.filter((id) => own.has(id))
    for (let i = 0; i < looked.length && !stopping(); i += DEVICES_PER_READ) {
      const plans = await loadDevicePlan(o.store, looked.slice(i, i + DEVICES_PER_READ))
      for (let j = 0; j < plans.length; j += WRITES_AT_ONCE) {
        await Promise.all(
          plans.slice(j, j + WRITES_AT_ONCE).map((plan) => put(bucket, planKey(plan.device_id), plan, plan.device_id)),
        )
      }
    }
  }

  async function putDefinitions(bucket: KV): Promise<void> {
    const bundle = o.definitions()
    if (definitions === (bundle?.id ?? '')) return
    const entries =
      bundle !== null
        ? definitionEntries(bundle)
        : written.has(DEFINITIONS_KEY)
          ? [[DEFINITIONS_KEY, NO_DEFINITIONS] as const]
          : []
    for (const [key, value] of entries) await put(bucket, key, value)
    const kept = new Set(entries.map(([key]) => key))
    for (const key of [...written.keys()].filter((one) => isDefinitionsKey(one) && !kept.has(one))) {
      await bucket.delete(key)
      written.delete(key)
    }
    definitions = bundle?.id ?? ''
  }

  /** Sites ignore what is not newer than what they have, so it grows also if the clock was set back or stands still. */
  function nextAt(): number {
    lastAt = Math.max(Date.now(), lastAt + 1)
    return lastAt
  }

  async function put(bucket: KV, key: string, value: unknown, deviceId = 0): Promise<void> {
    const hash = createHash('sha256').update(JSON.stringify(value)).digest('base64')
    if (written.get(key) === hash) return
    const sealed = o.seal.close('to-poller', key, encodeEntry({ at: nextAt(), value }))
    if (sealed.length > (o.nats.connection.info?.max_payload ?? 1_048_576) - 1024) {
      if (!tooLarge.has(deviceId))
        o.log.error({ deviceId, octets: sealed.length }, 'the plan of a device is larger than a NATS message can be')
      tooLarge = new Set(tooLarge).add(deviceId)
      return
    }
    await bucket.put(key, sealed, { timeout: ANSWER_MS })
    written.set(key, hash)
  }

  return { publish }
}
