import { isSettingName, isStorable, SETTING_NAMES } from '../../config/names.ts'
import { allowedValues } from '../../config/parse.ts'
import { SETTINGS, type Setting, type SettingName, type Settings } from '../../config/schema.ts'
import { isSecret, withoutSecrets } from '../../config/secrets.ts'
import type { Actor } from '../base/actor.ts'
import { auditText } from '../base/differences.ts'
import { invalid } from '../base/errors.ts'
import { type ChangeRow, lastSettingChanges, listChanges } from '../base/write-changes.ts'
import type { Store } from '../database/client.ts'
import type { SettingsService } from '../settings/service.ts'
import type { Audit } from './admin-audit.ts'

/** A setting for display. Secrets are masked in `value` and `fallback`. */
export interface SettingRow {
  readonly name: SettingName
  readonly setting: Setting
  /** As text, for a form field; '' for secrets. */
  readonly value: string
  readonly secret: boolean
  readonly origin: ReturnType<Settings['origin']>
  /** Whether it can be stored in the database and no source with precedence overrides it. */
  readonly editable: boolean
  /** Description of the allowed values. */
  readonly allowed: string
  /** The default as text. */
  readonly fallback: string
  /** The last change; null: none is recorded. */
  readonly changed: Pick<ChangeRow, 'at' | 'username'> | null
}

const MAX_CHANGES = 200

export interface SettingAdminDeps {
  readonly store: Store
  readonly config: Settings
  readonly settings: SettingsService
  /** Throws `invalid` for a value that refers to what does not exist. */
  readonly checkSetting: (name: string, text: string) => Promise<void>
}

/** Administration of settings. */
export function createSettingAdmin(
  { store, config, settings, checkSetting }: SettingAdminDeps,
  { guard, record }: Audit,
) {
  /** The setting's current value as text, including secrets. */
  async function valueBefore(name: string): Promise<string> {
    const stored = (await settings.stored()).get(name)
    if (stored !== undefined) return valueText(stored)
    return isSettingName(name) ? valueText(config.get(name)) : ''
  }

  return {
    /** Every setting, in order of declaration. */
    async settings(actor: Actor): Promise<SettingRow[]> {
      guard(actor)
      const [stored, changes] = await Promise.all([settings.stored(), lastSettingChanges(store)])
      const changed = new Map(changes.map((row) => [row.subject, row]))
      return SETTING_NAMES.map((name) => {
        const weak = ['default', 'stored'].includes(config.origin(name))
        // a value that was just stored counts even before this process has been notified of it
        const origin = weak ? (stored.has(name) ? 'stored' : 'default') : config.origin(name)
        const value = weak ? (stored.has(name) ? stored.get(name) : SETTINGS[name].default) : config.get(name)
        const last = changed.get(name)
        return {
          name,
          setting: SETTINGS[name],
          value: isSecret(name) ? '' : valueText(withoutSecrets(name, value)),
          secret: isSecret(name),
          origin,
          editable: isStorable(name) && weak,
          allowed: allowedValues(name),
          fallback: valueText(SETTINGS[name].default),
          changed: last === undefined ? null : { at: last.at, username: last.username },
        }
      })
    },

    /** Stores a setting, given as text. Throws `not_found`, or `invalid` with the allowed values. */
    async setSetting(actor: Actor, name: string, text: string): Promise<void> {
      guard(actor)
      if (isSettingName(name) && !isStorable(name))
        throw invalid(`${name} is needed before the database is open: set it by file, environment or flag`)
      await checkSetting(name, text)
      const before = await valueBefore(name)
      await settings.set(name, text)
      const words = isHidden(name)
        ? 'changed to a new value (not recorded)'
        : `changed from ${auditText(before)} to ${auditText(text)}`
      await record(actor, 'settings', name, `Setting ${name} ${words}`)
    },

    /** Removes the stored value, so that the default applies; false: none was stored. Throws `not_found`. */
    async unsetSetting(actor: Actor, name: string): Promise<boolean> {
      guard(actor)
      const before = await valueBefore(name)
      const had = await settings.unset(name)
      const was = isHidden(name) ? '' : ` from ${auditText(before)}`
      if (had) await record(actor, 'settings', name, `Setting ${name} back to its default${was}`)
      return had
    },

    /** The audit, latest first; at most 200 rows. */
    async changes(actor: Actor, before: number | null): Promise<ChangeRow[]> {
      guard(actor)
      return await listChanges(store, { limit: MAX_CHANGES, before })
    },
  }
}

/** Names that are not settings, such as the module switches, are not secret. */
const isHidden = (name: string): boolean => isSettingName(name) && isSecret(name)

function valueText(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return value.some((item) => /[,\s[]/.test(item) || item === '') ? JSON.stringify(value) : value.join(', ')
  }
  return typeof value === 'string' ? value : JSON.stringify(value)
}
