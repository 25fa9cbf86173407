import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Part, part } from './parts.ts'

/** Packages that declare a licence but lack its text, and the package of the same authors that has it. */
const TEXT_OF: readonly (readonly [name: RegExp, from: string])[] = [[/^@napi-rs\/canvas-/, '@napi-rs/canvas']]

/** Licences whose text names no copyright holder, so that one text serves for every package. */
const SAME_FOR_ALL = new Set(['Apache-2.0', 'Unlicense'])

/** Licences of crates that are missing from the builder's list, as given by their registry. */
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
 * The npm packages with these names as installed in `folder`, with integrity from its lock file. Throws if a package
 * has no licence or lacks its text.
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

/** Integrity by `name@version`, from the text of a bun.lock; includes parts that are not installed as packages. */
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

/** What was built into a package's native library, according to the package's own bill of materials. */
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
