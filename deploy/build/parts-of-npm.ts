import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Part, part } from './parts.ts'

/** Packages that say their licence and have no text of it, and where the text of the same authors is. */
const TEXT_OF: readonly (readonly [name: RegExp, from: string])[] = [[/^@napi-rs\/canvas-/, '@napi-rs/canvas']]

/** Identifiers whose text names no holder, so that one text is the licence of every package. */
const SAME_FOR_ALL = new Set(['Apache-2.0', 'Unlicense'])

/** Licences of crates whose builder gives none, as their registry does. */
const CRATES: Readonly<Record<string, string>> = {
  anstyle: 'MIT OR Apache-2.0',
  canvas: 'MIT',
  clap: 'MIT OR Apache-2.0',
  clap_builder: 'MIT OR Apache-2.0',
  clap_lex: 'MIT OR Apache-2.0',
  'cxxbridge-cmd': 'MIT OR Apache-2.0',
  'skia-fontations': 'BSD-3-Clause',
  strsim: 'MIT',
}

/**
 * The npm packages of these names as installed in `folder`, with integrity from its lock. Throws when a package has no
 * licence or no text of it.
 */
export function npmParts(folder: string, names: readonly string[]): Part[] {
  const integrity = lockedIntegrity(readFileSync(join(folder, 'bun.lock'), 'utf8'))
  return names.toSorted().map((name) => {
    const place = join(folder, 'node_modules', name)
    const manifest = record(JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')))
    const { version, license } = manifest
    if (typeof version !== 'string' || typeof license !== 'string') throw new Error(`${name} names no licence`)
    return part(name, version, license.replace(/^\((.*)\)$/, '$1'), {
      texts: textsOf(folder, name, license),
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      integrity: integrity.get(`${name}@${version}`) ?? null,
      parts: builtInto(place),
    })
  })
}

/** Integrity by `name@version`, of a lock of Bun; also for parts that are not installed as packages. */
export function lockedIntegrity(lock: string): ReadonlyMap<string, string> {
  const packages = record(record(Bun.JSONC.parse(lock))['packages'])
  const found = new Map<string, string>()
  for (const entry of Object.values(packages)) {
    if (!Array.isArray(entry)) continue
    const [id, integrity] = [entry[0], entry[3]]
    if (typeof id === 'string' && typeof integrity === 'string') found.set(id, integrity)
  }
  return found
}

function textsOf(folder: string, name: string, licence: string): string[] {
  const from = TEXT_OF.find(([pattern]) => pattern.test(name))?.[1] ?? name
  const place = join(folder, 'node_modules', from)
  const files = readdirSync(place).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
  const own = join(import.meta.dir, '../licences', `${from.replaceAll('/', '__')}.txt`)
  const paths = files.length > 0 ? files.sort().map((file) => join(place, file)) : [own].filter(existsSync)
  if (paths.length === 0 && !SAME_FOR_ALL.has(licence)) {
    throw new Error(`${name} (${licence}) has no text of its licence: put it into deploy/licences`)
  }
  return paths.map((path) => readFileSync(path, 'utf8'))
}

/** What was built into a package's native library, as the package's own list of materials says. */
function builtInto(place: string): Part[] {
  const path = join(place, 'sbom.cdx.json')
  if (!existsSync(path)) return []
  const { components } = record(JSON.parse(readFileSync(path, 'utf8')))
  if (!Array.isArray(components)) throw new Error(`${path} has no components`)
  return components.map(record).flatMap((component) => {
    const { type, name, version, purl } = component
    if (type === 'file' || typeof name !== 'string') return []
    const licence = licenceOf(component) ?? CRATES[name]
    if (licence === undefined) throw new Error(`${path} names no licence of ${name}`)
    const more = { purl: typeof purl === 'string' ? purl : null }
    return part(name, typeof version === 'string' ? version : null, licence.replaceAll(' / ', ' OR '), more)
  })
}

function licenceOf({ licenses }: Readonly<Record<string, unknown>>): string | null {
  const [first] = Array.isArray(licenses) ? licenses.map(record) : []
  if (first === undefined) return null
  const { expression, license } = first
  const named = record(license ?? {})
  const found = expression ?? named['id'] ?? named['name']
  return typeof found === 'string' ? found : null
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
