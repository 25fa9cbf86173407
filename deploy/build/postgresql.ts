import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Manifest } from '../../src/postgres/packed-binaries.ts'

/**
 * Files that a server does not need: development files, ECPG, procedural languages that depend on libraries of the
 * host, and the XML and UUID modules with their libraries (PostgreSQL generates UUIDs without them).
 */
const NOT_NEEDED = [
  /\.a$/,
  /^include\//,
  /^lib\/pkgconfig\//,
  /^lib\/postgresql\/pgxs\//,
  /^lib\/lib(ecpg|ecpg_compat|pgtypes|xslt|ossp-uuid)\.so/,
  /(plperl|plpython3|pltcl)[^/]*$/,
  /^lib\/postgresql\/(pgxml|uuid-ossp)\.so$/,
  /^share\/postgresql\/extension\/(xml2|uuid-ossp)\b/,
  /^pg-symlinks\.json$/,
]

export interface PackOptions {
  /** Folder with `bin`, `lib` and `share`. */
  readonly root: string
  readonly version: string
  readonly platform: string
  /** zstd level, 1 to 19. Level 19 takes 20 s and saves a seventh compared with 12. */
  readonly level: number
  /** Path prefix under which the archive is cached; a cached archive is used if the content is unchanged. */
  readonly kept?: string
}

/** The files to pack, as paths relative to the root, in the same order on every machine. */
export function packedFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => !NOT_NEEDED.some((pattern) => pattern.test(path)) && statSync(join(root, path)).isFile())
    .sort()
}

/**
 * Packs PostgreSQL into one archive (src/postgres/unpack.ts unpacks it), with a list of its files. It does not use
 * tar, whose timestamps would differ from build to build.
 */
export function packPostgresql(options: PackOptions): { archive: Uint8Array; manifest: Manifest } {
  const { root, version, platform, level } = options
  const content = Object.fromEntries(packedFiles(root).map((path) => [path, readFileSync(join(root, path))]))
  const files = Object.fromEntries(
    Object.entries(content).map(([path, bytes]) => [
      path,
      { size: bytes.length, sha256: Bun.SHA256.hash(bytes, 'hex') },
    ]),
  )
  const hash = Bun.SHA256.hash(JSON.stringify(files), 'hex')
  const manifest = { version, platform, hash, files }
  const kept = options.kept === undefined ? null : `${options.kept}-${hash.slice(0, 16)}.zst`
  if (kept !== null && existsSync(kept)) return { archive: readFileSync(kept), manifest }
  const archive = Bun.zstdCompressSync(Buffer.concat(Object.values(content)), { level })
  if (kept !== null) {
    mkdirSync(dirname(kept), { recursive: true })
    writeFileSync(`${kept}.${process.pid}`, archive)
    renameSync(`${kept}.${process.pid}`, kept)
  }
  return { archive, manifest }
}
