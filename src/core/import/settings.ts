import { FINDING_SWITCHES } from '../../config/finding-settings.ts'
import { findSetting, isStorable } from '../../config/names.ts'
import { parseSetting } from '../../config/parse.ts'
import { SETTINGS } from '../../config/schema.ts'
import { leafOf, switchNamed, treeOf } from '../../config/trees.ts'
import { findTable, type Source, textOf } from './source.ts'
import { jsonOf } from './values.ts'

export interface FoundSettings {
  readonly settings: readonly { readonly name: string; readonly value: unknown }[]
  /** Names that have no counterpart here, or whose value is invalid here. */
  readonly ignored: readonly string[]
}

/** The installation's settings that exist here and differ from the default. */
export async function readSettings(source: Source): Promise<FoundSettings> {
  const table = findTable(source, 'config')
  const given = new Map<string, unknown>()
  if (table !== null)
    for await (const rows of source.rows(table))
      for (const row of rows) {
        const text = textOf(row, 'config_value')
        given.set(textOf(row, 'config_name'), jsonOf(text) ?? text)
      }
  return chosen(joined(given))
}

/** Combines lists stored with one row per item, as `bad_if.0`, under the name of the list. */
function joined(given: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> {
  const found = new Map(given)
  for (const name of [...given.keys()].toSorted()) {
    const [, parent = ''] = /^(.+)\.\d+$/.exec(name) ?? []
    if (parent === '') continue
    const before = found.get(parent)
    found.set(parent, [...(Array.isArray(before) ? before : []), given.get(name)])
    found.delete(name)
  }
  return found
}

function chosen(given: ReadonlyMap<string, unknown>): FoundSettings {
  const settings: { name: string; value: unknown }[] = []
  const ignored: string[] = []
  for (const [name, raw] of given) {
    const single = switchNamed(name)
    if (single !== null) {
      const tree = treeOf(single.path, raw)
      if (tree === undefined) ignored.push(name)
      else settings.push({ name, value: leafOf(tree, single.path) })
      continue
    }
    const known = findSetting(name)
    if (known === null || !isStorable(known) || raw === null) {
      ignored.push(name)
      continue
    }
    const parsed = parseSetting(known, plainPatterns(name, raw))
    if (parsed.kind === 'invalid') ignored.push(name)
    else if (AT_ONCE.has(known) || JSON.stringify(parsed.value) !== JSON.stringify(SETTINGS[known].default))
      settings.push({ name: known, value: parsed.value })
  }
  return { settings, ignored: ignored.toSorted() }
}

/**
 * Settings that count although they have their default value: that they were set says that found devices are added at
 * once (setting autodiscovery.add).
 */
const AT_ONCE: ReadonlySet<string> = new Set(FINDING_SWITCHES)

/**
 * Regular expressions without the delimiters that PHP requires: `/^ng[0-9]+$/i` becomes `(?i)^ng[0-9]+$`. Settings of
 * finding devices take them as they are.
 */
function plainPatterns(name: string, raw: unknown): unknown {
  if (!name.endsWith('_regexp') || name.startsWith('autodiscovery.') || !Array.isArray(raw)) return raw
  return raw.map((item: unknown) => {
    const [, , pattern, flags = ''] = /^([/#~!@])(.*)\1([a-z]*)$/s.exec(String(item)) ?? []
    return pattern === undefined ? item : `${flags.includes('i') ? '(?i)' : ''}${pattern}`
  })
}
