import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Part, part } from './parts.ts'
import { packedFiles } from './postgresql.ts'

/** Libraries included with PostgreSQL: the file's name, and where the version is found in the file or its name. */
const LIBRARIES: readonly { file: RegExp; name: string; licence: string; version: RegExp | null }[] = [
  { file: /^libcrypto\.so/, name: 'openssl', licence: 'OpenSSL', version: /OpenSSL (\d+\.\d+\.\d+[a-z]*) / },
  { file: /^libssl\.so/, name: 'openssl', licence: 'OpenSSL', version: null },
  { file: /^libicu(data|i18n|uc)\.so/, name: 'icu', licence: 'ICU', version: null },
  { file: /^libxml2\.so/, name: 'libxml2', licence: 'MIT', version: /(2\d{4})\0{2,}xmlGet/ },
  { file: /^liblzma\.so/, name: 'xz', licence: 'public domain', version: /\0(5\.\d+\.\d+)\0/ },
  { file: /^libz\.so/, name: 'zlib', licence: 'Zlib', version: /deflate (\d+(?:\.\d+)+) / },
  { file: /^libpq\.so/, name: 'postgresql', licence: 'PostgreSQL', version: null },
]

/** PostgreSQL from a package's folder `native`, with its libraries. Throws if a library is unknown. */
export function postgresqlPart(root: string): Part {
  const libraries = new Map<string, Part>()
  for (const path of packedFiles(root)) {
    const file = basename(path)
    if (!/^lib\/[^/]+$/.test(path)) continue
    const known = LIBRARIES.find((library) => library.file.test(file))
    if (known === undefined) throw new Error(`${path} of PostgreSQL is unknown: add it to LIBRARIES with its licence`)
    if (known.name === 'postgresql') continue
    const version = versionOf(join(root, path), known.version, file)
    if (version === null && libraries.has(known.name)) continue
    libraries.set(known.name, part(known.name, version, known.licence))
  }
  const server = readFileSync(join(root, 'bin', 'postgres'), 'latin1')
  const version = /PostgreSQL (\d+\.\d+) on/.exec(server)?.[1]
  if (version === undefined) throw new Error('bin/postgres does not say its version')
  return part('postgresql', version, 'PostgreSQL', {
    texts: [readFileSync(join(import.meta.dir, '../licences/postgresql.txt'), 'utf8')],
    purl: `pkg:generic/postgresql@${version}`,
    kind: 'application',
    parts: [...libraries.values()],
  })
}

/** The version in the file, otherwise the one in its name if it has two numbers, otherwise null. */
function versionOf(path: string, inside: RegExp | null, file: string): string | null {
  if (inside === null) return /\.so\.(\d+\.\d+)$/.exec(file)?.[1] ?? null
  const found = inside.exec(readFileSync(path, 'latin1'))?.[1]
  if (found === undefined) throw new Error(`${path} does not say its version`)
  // 20904 is 2.9.4
  const [, major, minor, patch] = /^(\d)(\d\d)(\d\d)$/.exec(found) ?? []
  return major === undefined ? found : `${major}.${Number(minor)}.${Number(patch)}`
}

/** Whether the PostgreSQL in this folder is built for the processor, by e_machine in its ELF header. */
export function isBuiltFor(root: string, cpu: 'x64' | 'arm64'): boolean {
  const header = readFileSync(join(root, 'bin', readdirSync(join(root, 'bin'))[0] ?? '')).subarray(0, 20)
  return header.readUInt16LE(18) === (cpu === 'x64' ? 0x3e : 0xb7)
}
