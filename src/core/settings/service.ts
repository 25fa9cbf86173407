import { parseSetting } from '../../config/parse.ts'
import { SETTINGS, type SettingName, type Settings } from '../../config/schema.ts'
import { withoutSecrets } from '../../config/secrets.ts'
import { leafOf, switchNamed, treeOf } from '../../config/trees.ts'
import { invalid, notFound } from '../base/errors.ts'
import type { Store } from '../database/client.ts'
import { forgetSetting, storedSettings, storeSetting } from './write.ts'

/** A setting in a list. `value` is the effective value in this process, with secrets masked. */
export interface ShownSetting {
  readonly name: string
  readonly value: unknown
  readonly origin: ReturnType<Settings['origin']>
  readonly about: string
  /** `start`: a change takes effect at the next start. */
  readonly scope: 'start' | 'live'
}

/**
 * Operations on settings stored in the database. Every change is announced to all processes (NOTIFY
 * portlight_settings).
 */
export function createSettingsService({ store, settings }: { readonly store: Store; readonly settings: Settings }) {
  return {
    /** The effective value in this process. Throws `not_found` for an unknown name. */
    get(name: string): ShownSetting {
      const single = switchNamed(name)
      if (single === null) return shown(settings, requireName(name))
      const tree = shown(settings, single.tree)
      const value = leafOf(tree.value, single.path) ?? null
      return { ...tree, name, value, origin: value === null ? 'default' : tree.origin }
    },

    /** All settings in order of declaration. */
    list(): ShownSetting[] {
      return SETTING_NAMES.map((name) => shown(settings, name))
    },

    /** Stored values by name, for the caller to apply to the settings. */
    async stored(): Promise<ReadonlyMap<string, unknown>> {
      return await storedSettings(store)
    },

    /** Stores a value, given as text or in its own type. Throws `not_found` (name) or `invalid` (value). */
    async set(name: string, raw: unknown): Promise<void> {
      const single = switchNamed(name)
      if (single !== null) {
        if (treeOf(single.path, raw) === undefined) throw invalid(`${name}: expected true or false`)
        await storeSetting(store, name, leafOf(treeOf(single.path, raw), single.path))
        return
      }
      const known = requireName(name)
      const parsed = parseSetting(known, raw)
      if (parsed.kind === 'invalid') throw invalid(`${known}: expected ${parsed.allowed}`)
      await storeSetting(store, known, parsed.value)
    },

    /**
     * Deletes the stored value, so that the next source applies. Returns false when none was stored. Throws
     * `not_found`.
     */
    async unset(name: string): Promise<boolean> {
      return await forgetSetting(store, switchNamed(name) === null ? requireName(name) : name)
    },
  }
}

export type SettingsService = ReturnType<typeof createSettingsService>

const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[]

function requireName(name: string): SettingName {
  const known = SETTING_NAMES.find((n) => n === name)
  if (!known) throw notFound(`Unknown setting ${name}`)
  return known
}

function shown(settings: Settings, name: SettingName): ShownSetting {
  return {
    name,
    value: withoutSecrets(name, settings.get(name)),
    origin: settings.origin(name),
    about: SETTINGS[name].about,
    scope: SETTINGS[name].scope,
  }
}
