import { type ModulePhase, moduleSwitch } from '../../config/switches.ts'
import type { Actor } from '../base/actor.ts'
import { recordChange } from '../base/change-audit.ts'
import { differences } from '../base/differences.ts'
import { invalid } from '../base/errors.ts'
import { deviceFacts } from './read-facts.ts'
import { readDevice } from './read-record.ts'
import { type OverrideDeps, type TestedCredentials, testCredentials } from './test-credentials.ts'
import { type ModuleAttribute, setModuleAttributes, setPollInterval } from './write-overrides.ts'

/** The switch of a module for one device and phase. */
export interface SwitchState {
  /** The device's own attribute; null: none. */
  readonly own: boolean | null
  readonly on: boolean
  /** The attribute or setting that decides; null: none, so the module is on. */
  readonly by: string | null
}

export interface ModuleState {
  readonly module: string
  readonly discover: SwitchState
  readonly poll: SwitchState
}

export interface DeviceOverrides {
  /** Seconds; null: that of the setting. */
  readonly pollIntervalS: number | null
  /** Answers to SNMP requests are accepted from any address and port. */
  readonly anySource: boolean
  readonly modules: readonly ModuleState[]
}

const INTERVAL = { least: 5, most: 86_400 }
const MODULE = /^[a-z0-9_-]{1,64}$/
const MAX_CHANGES = 200

/** Per-device overrides of settings, and a test of credentials before they are stored. */
export function createOverrideService(deps: OverrideDeps) {
  const { store, settings, gateway, devices } = deps
  return {
    /** Probes the device with these credentials instead of the stored ones. Stores nothing. Throws `not_found`. */
    test: (actor: Actor, ref: string, given: TestedCredentials) => testCredentials(deps, actor, ref, given),

    /** Throws `not_found` or `forbidden`. */
    async read(actor: Actor, ref: string): Promise<DeviceOverrides> {
      const device = await devices.require(actor, ref)
      const [facts, record] = await Promise.all([
        deviceFacts(store, device.device_id),
        readDevice(store, device.device_id, { secrets: false }),
      ])
      const own = new Map(
        facts.attributes.map(({ name, value }) => [name, ['1', 'true'].includes(value.toLowerCase())]),
      )
      const named = [...own.keys()].flatMap((name) => /^(?:discover|poll)_([a-z0-9_-]+)$/.exec(name)?.[1] ?? [])
      const modules = new Set([...facts.modules.map(({ module }) => module), ...named])
      modules.delete('system') // always runs
      const switched = { os: record?.os ?? null, switches: Object.fromEntries(own), groups: facts.groups }
      const state = (module: string, phase: ModulePhase): SwitchState => ({
        own: own.get(`${phase}_${module}`) ?? null,
        ...moduleSwitch(module, phase, switched, settings),
      })
      return {
        pollIntervalS: facts.pollInterval,
        anySource: facts.anySource,
        modules: [...modules]
          .sort()
          .map((module) => ({ module, discover: state(module, 'discover'), poll: state(module, 'poll') })),
      }
    },

    /** Sets the seconds between polls; null: those of the setting. Throws `not_found`, `forbidden` or `invalid`. */
    async setInterval(actor: Actor, ref: string, seconds: number | null): Promise<void> {
      const { device_id, hostname } = await devices.require(actor, ref)
      if (seconds !== null && !(Number.isInteger(seconds) && seconds >= INTERVAL.least && seconds <= INTERVAL.most))
        throw invalid(`Poll interval: enter ${INTERVAL.least} to ${INTERVAL.most} seconds, or leave it empty`)
      const { pollInterval: before } = await deviceFacts(store, device_id)
      await setPollInterval(store, device_id, seconds)
      const what = differences({ poll_interval: before }, { poll_interval: seconds })
      if (what !== '')
        await recordChange(store, actor, 'device-edit', String(device_id), `Device ${hostname}: ${what}`, device_id)
      gateway.refresh(device_id)
    },

    /** Changes switches of modules. Throws `not_found`, `forbidden` or `invalid`. */
    async setModules(
      actor: Actor,
      ref: string,
      changes: readonly { readonly module: string; readonly phase: ModulePhase; readonly on: boolean | null }[],
    ): Promise<void> {
      const { device_id, hostname } = await devices.require(actor, ref)
      if (changes.length > MAX_CHANGES) throw invalid('Too many modules at once')
      const attributes = changes.map(({ module, phase, on }): ModuleAttribute => {
        if (!MODULE.test(module) || module === 'system') throw invalid(`Module ${module.slice(0, 64)} has no switch`)
        return { name: `${phase}_${module}`, on }
      })
      if (attributes.length === 0) return
      const { attributes: stored } = await deviceFacts(store, device_id)
      const before = new Map(stored.map(({ name, value }) => [name, ['1', 'true'].includes(value.toLowerCase())]))
      await setModuleAttributes(store, device_id, attributes)
      const what = differences(
        Object.fromEntries(attributes.map(({ name }) => [name, switchWord(before.get(name) ?? null)])),
        Object.fromEntries(attributes.map(({ name, on }) => [name, switchWord(on)])),
      )
      if (what !== '')
        await recordChange(store, actor, 'device-edit', String(device_id), `Device ${hostname}: ${what}`, device_id)
      gateway.refresh(device_id)
    },
  }
}

export type OverrideService = ReturnType<typeof createOverrideService>

const switchWord = (on: boolean | null): string => (on === null ? 'as the settings say' : on ? 'on' : 'off')
