import type { Settings } from '../../../config/schema.ts'
import { calledDevice } from '../../base/device-name.ts'
import { notFound } from '../../base/errors.ts'
import type { Store } from '../../database/client.ts'
import { reachabilityNow } from '../../dependencies/watch.ts'
import { findDevice } from '../../devices/read.ts'
import { devicesUnderMaintenance, partsInMaintenance } from '../../maintenance/read.ts'
import type { NotificationKind } from '../due.ts'
import { type EngineRule, engineRule } from '../engine-rule.ts'
import { type BrokenRule, brokenRules, type EngineRuleRow, engineRules } from '../read-engine-rules.ts'
import { alertedDevices, alertSubjects } from '../read-subjects.ts'
import { faultSentence } from '../sentences/sentence.ts'
import { MAX_KEYS } from '../state.ts'
import { alertWrite, type Moment } from '../transition.ts'
import { type DeviceFaults, faultsOfDevices } from '../write-evaluation.ts'
import { type DeadLetter, deadLetters, outboxCounts } from '../write-outbox.ts'

export type { BrokenRule }

/** The faults that a rule finds on a device now, and what the engine would do about them. */
export interface PreviewedDevice {
  readonly device_id: number
  readonly hostname: string
  readonly faults: number
  /** What is wrong, in a sentence for each of the first faults. */
  readonly why: readonly string[]
  /** State of the alert now, and the state it would get. */
  readonly before: number
  readonly after: number
  /** null: nothing would be sent. */
  readonly sends: NotificationKind | null
  readonly held: string | null
}

/** A rule as it would be evaluated now. */
export interface RulePreview {
  readonly id: number
  readonly name: string
  readonly severity: string
  readonly disabled: boolean
  /** null: it can be evaluated. */
  readonly broken: string | null
  /** The condition as text. */
  readonly rule: string
  /** At most MAX_DEVICES; devices without a fault only if they have an alert. */
  readonly devices: readonly PreviewedDevice[]
  /** Number of devices beyond these. */
  readonly more: number
  /** How long it took to evaluate it, ms; null: it could not be evaluated. */
  readonly tookMs: number | null
}

const MAX_DEVICES = 1000
const SHOWN_FAULTS = 5
const TIMEOUT_MS = 30_000

/** Computes what the alert engine would do, without changing anything. */
export function createAlertPreview({ store, settings }: { readonly store: Store; readonly settings: Settings }) {
  async function preview(row: EngineRuleRow, deviceId: number | null): Promise<RulePreview> {
    const rule = engineRule(row)
    const shown = { id: row.id, name: row.name, severity: row.severity, disabled: row.disabled === 1 }
    const none = { ...shown, rule: '', devices: [], more: 0, tookMs: null }
    if (typeof rule === 'string') return { ...none, broken: rule }
    const only = deviceId === null ? null : [deviceId]
    const limits = { maxKeys: MAX_KEYS, maxRows: SHOWN_FAULTS, timeoutMs: TIMEOUT_MS }
    const began = performance.now()
    const found = await faultsOfDevices(store, rule, only, limits)
    const tookMs = performance.now() - began
    if (found.kind === 'broken') return { ...none, rule: rule.text, broken: found.failure.detail }
    const ids = new Set([...found.of.keys(), ...(only ?? (await alertedDevices(store, rule.id)))])
    const some = [...ids].toSorted((a, b) => a - b).slice(0, MAX_DEVICES)
    const devices = await describe(rule, some, found.of)
    return { ...shown, broken: null, rule: rule.text, devices, more: ids.size - some.length, tookMs }
  }

  async function describe(
    rule: EngineRule,
    ids: readonly number[],
    faults: ReadonlyMap<number, DeviceFaults>,
  ): Promise<PreviewedDevice[]> {
    const moment = await momentOf(store, settings, Date.now())
    const subjects = await alertSubjects(store, rule, ids)
    return subjects.map((subject) => {
      const { device, alert, applies } = subject
      const here = faults.get(device.device_id) ?? null
      const write = alertWrite(rule, subject, here, moment)
      return {
        device_id: device.device_id,
        hostname: device.hostname,
        faults: here?.count ?? 0,
        why: (here?.rows ?? []).map((row) =>
          faultSentence(rule.sentence, row, { device: calledDevice(device), since: null, now: moment.now }),
        ),
        before: alert?.state ?? 0,
        after: write?.state ?? alert?.state ?? 0,
        sends: (write?.notification?.kind ?? null) as NotificationKind | null,
        held: applies ? (write?.held ?? alert?.held ?? null) : 'the rule does not apply to this device',
      }
    })
  }

  return {
    /** Evaluates one rule or all (null) on one device or all. Throws `not_found`. */
    async rules(id: number | null, deviceRef: string | null): Promise<RulePreview[]> {
      const rows = (await engineRules(store)).filter((row) => id === null || row.id === id)
      if (id !== null && rows.length === 0) throw notFound(`There is no alert rule ${id}`)
      const device = deviceRef === null ? null : await findDevice(store, deviceRef)
      if (deviceRef !== null && device === null) throw notFound(`Device ${deviceRef} not found`)
      const previews: RulePreview[] = []
      for (const row of rows) previews.push(await preview(row, device?.device_id ?? null))
      return previews
    },

    /** Rules that the running engine could not evaluate. */
    async broken(): Promise<BrokenRule[]> {
      return await brokenRules(store)
    },

    /** Numbers of notifications that are waiting and that were given up, and the newest of the latter. */
    async outbox(): Promise<{ waiting: number; dead: number; deadLetters: readonly DeadLetter[] }> {
      return { ...(await outboxCounts(store)), deadLetters: await deadLetters(store, { kind: 'all' }, 5) }
    },
  }
}

/** The circumstances the engine takes into account at a time (epoch ms). */
export async function momentOf(store: Store, settings: Settings, at: number): Promise<Moment> {
  const [maintenance, partMaintenance] = await Promise.all([
    devicesUnderMaintenance(store, at),
    partsInMaintenance(store, at),
  ])
  return {
    now: at,
    toleranceS: settings.get('alert.tolerance_window'),
    damping: {
      count: settings.get('alert.flap_count'),
      windowS: settings.get('alert.flap_window'),
      holdS: settings.get('alert.flap_hold'),
    },
    stepDurationS: settings.get('alert.step_duration'),
    maintenance,
    partMaintenance,
    reachability: await reachabilityNow(store, settings, { maintenance, at, told: true }),
  }
}

export type AlertPreview = ReturnType<typeof createAlertPreview>
