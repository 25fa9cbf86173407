import { readFileSync } from 'node:fs'
import { embeddedFile } from '../lib/compiled.ts'
import { EmbeddedPostgresError } from './errors.ts'

/** Names of the files that the build puts into the binary (deploy/build/postgresql.ts). */
export const ARCHIVE = 'postgresql.zst'
export const MANIFEST = 'postgresql.json'

/** What a packed PostgreSQL consists of, as the build wrote it. */
export interface Manifest {
  /** Version of PostgreSQL and of its package. */
  readonly version: string
  /** For example `linux-x64`. */
  readonly platform: string
  /** Hash over the content of all files, hexadecimal. */
  readonly hash: string
  /** By path below the root, with `/`, in the order of the archive: size in bytes and SHA-256 in hexadecimal. */
  readonly files: Readonly<Record<string, { readonly size: number; readonly sha256: string }>>
}

/** PostgreSQL as one compressed archive, and the name of the folder that it is unpacked to. */
export interface PackedBinaries {
  readonly name: string
  /** Major version of PostgreSQL, for example 18. */
  readonly major: number
  /** Path of the content of all files, one after the other, compressed with zstd. */
  readonly archive: string
  readonly files: Manifest['files']
}

/** PostgreSQL inside the compiled binary; null from source and in builds without. */
export function packedBinaries(): PackedBinaries | null {
  const [archive, manifest] = [embeddedFile(ARCHIVE), embeddedFile(MANIFEST)]
  return archive === null || manifest === null ? null : describePacked(archive, readFileSync(manifest, 'utf8'))
}

/** Combines an archive with its manifest, JSON text. Throws EmbeddedPostgresError if the manifest is invalid. */
export function describePacked(archive: string, manifest: string): PackedBinaries {
  const parsed: unknown = JSON.parse(manifest)
  if (!isManifest(parsed))
    throw new EmbeddedPostgresError('the manifest of the PostgreSQL inside this program cannot be read')
  const { version, platform, hash, files } = parsed
  return {
    archive,
    files,
    major: Number.parseInt(version, 10),
    name: `postgresql-${version}-${platform}-${hash.slice(0, 12)}`,
  }
}

function isManifest(value: unknown): value is Manifest {
  if (typeof value !== 'object' || value === null) return false
  if (!('version' in value && 'platform' in value && 'hash' in value && 'files' in value)) return false
  const texts = [value.version, value.platform, value.hash].every((text) => typeof text === 'string')
  return texts && typeof value.files === 'object' && value.files !== null
}
