import type { Settings } from '../config/schema.ts'
import { type ModulePhase, moduleSwitch, type Switched } from '../config/switches.ts'
import type { DevicePlan } from '../core/polling/read-plan.ts'
import { MODULES } from '../modules/registry.ts'
import type { ModuleCost } from './protocol.ts'

/** Whether a module runs for a device, by its attributes, groups, OS and the global settings; see `moduleSwitch`. */
export type IsEnabled = (module: string, phase: ModulePhase) => boolean

export function switchesOf(stored: Switched, settings: Pick<Settings, 'get'>): IsEnabled {
  return (module, phase) => moduleSwitch(module, phase, stored, settings).on
}

/** Modules skipped by a discovery of the device. `system` always runs, because the others build on it. */
export function skippedModules(isOn: IsEnabled): string[] {
  return MODULES.filter((m) => m.name !== 'system' && !isOn(m.name, 'discover')).map((m) => m.name)
}

/** Modules with a poll phase that found something on the device and are not switched off. */
export function polledModules(stored: Pick<DevicePlan, 'modules'>, isOn: IsEnabled): string[] {
  return MODULES.filter((m) => m.poll !== undefined && stored.modules.includes(m.name) && isOn(m.name, 'poll')).map(
    (m) => m.name,
  )
}

/** Entry of a module that is switched off. */
export function switchedOffCost(name: string): ModuleCost {
  return { name, rows: 0, requests: 0, tookMs: 0, note: '', complete: true, limited: [] }
}
