import type { FormOs } from '../../librenms/form.ts'
import type { LoadedDefinitions } from '../../librenms/store.ts'
import type { DeviceFacts } from '../module.ts'
import type { Observation, StorageRow } from '../observation.ts'
import type { OsPortRules } from '../ports/filter.ts'
import { matches } from './test.ts'

/** The setting that names the folder of compiled definitions. */
export const FOLDER_SETTING = 'definitions.folder'

/** Whether a definition has rules for sensors, processors, memory or storage. */
export function hasHealth(form: FormOs | null): form is FormOs {
  if (form === null) return false
  return form.sensors.length + form.processors.length + form.mempools.length + form.storage.length > 0
}

/** The loaded definition of a device's OS; null: none. */
export function formOf(
  open: (folder: unknown) => LoadedDefinitions,
  { os, settings }: Pick<DeviceFacts, 'os' | 'settings'>,
): FormOs | null {
  return os === null ? null : open(settings[FOLDER_SETTING]).form(os)
}

/** The port rules of a loaded definition. */
export function portRulesOf({ ports }: Pick<FormOs, 'ports'>): OsPortRules {
  if (ports === undefined) return {}
  const { goodIf, badIf, badIfType, badIfOperStatus, badIfRegexp, badIfNameRegexp, nameless } = ports
  return {
    goodIf,
    badIf,
    badIfType,
    badIfOperStatus,
    isBadIf: (ifDescr) => badIfRegexp.some((pattern) => matches(pattern, ifDescr)),
    isBadIfName: (ifName) => badIfNameRegexp.some((pattern) => matches(pattern, ifName)),
    nameless,
  }
}

/** The observations without the filesystems that a loaded definition ignores. */
export function withoutIgnoredBy(form: FormOs | null, observations: readonly Observation[]): readonly Observation[] {
  const ignored = form?.ignored
  if (ignored === undefined) return observations
  const whole = new Set(ignored.mount)
  const types = new Set(ignored.mountType)
  const isIgnored = ({ storage_descr: descr, storage_type: type }: StorageRow): boolean =>
    whole.has(descr) ||
    types.has(type) ||
    ignored.mountString.some((part) => descr.includes(part)) ||
    ignored.mountRegexp.some((pattern) => matches(pattern, descr))
  return observations.map((o) => (o.kind === 'storage' ? { ...o, rows: o.rows.filter((row) => !isIgnored(row)) } : o))
}
