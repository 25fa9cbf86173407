import { MODULES } from '../modules/registry.ts'
import type { DevicePlan } from '../store/readers/plan.ts'

/**
 * Whether a module runs for a device: its own attribute `discover_{module}` or `poll_{module}` decides, else setting
 * `poller.modules_off`.
 */
function isOn(
  name: string,
  phase: 'discover' | 'poll',
  stored: Pick<DevicePlan, 'switches'>,
  off: readonly string[],
): boolean {
  return stored.switches[`${phase}_${name}`] ?? !off.includes(name)
}

/** Modules that a discovery of the device leaves out. `system` always runs: the others build on it. */
export function skippedModules(stored: Pick<DevicePlan, 'switches'>, off: readonly string[]): string[] {
  return MODULES.filter((m) => m.name !== 'system' && !isOn(m.name, 'discover', stored, off)).map((m) => m.name)
}

/** Modules with a poll phase that found something on the device and are not switched off. */
export function polledModules(stored: Pick<DevicePlan, 'switches' | 'modules'>, off: readonly string[]): string[] {
  return MODULES.filter(
    (m) => m.poll !== undefined && stored.modules.includes(m.name) && isOn(m.name, 'poll', stored, off),
  ).map((m) => m.name)
}

/** Kinds of gauges that are not polled on the device. */
export function isPolled(module: string, stored: Pick<DevicePlan, 'switches'>, off: readonly string[]): boolean {
  return isOn(module, 'poll', stored, off)
}
