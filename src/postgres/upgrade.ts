import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Log } from '../observe/log.ts'
import { type Binaries, binariesIn, packagedBinaries } from './binaries.ts'
import { clusterMajor, switchFile } from './cluster.ts'
import { attachEmbedded } from './embedded.ts'
import { EmbeddedPostgresError } from './errors.ts'
import { type Home, openHome } from './home.ts'
import { tryLock } from './lock.ts'
import { freeOctets, mib } from './space.ts'

/** Folders of old clusters are called `data-17`. */
const OLD = /^data-(\d+)$/
/** Data folder of the new cluster until it takes the old one's place. */
const FRESH = 'upgrade'

/** A major upgrade of the embedded cluster. */
export interface ClusterUpgrade {
  readonly from: number
  readonly to: number
  /**
   * Starts both servers, lets `copy` fill the new one, stops both, and puts the new cluster in place of the old one,
   * which stays beside it. If `copy` fails, everything stays as it was.
   */
  run(copy: (from: string, to: string) => Promise<void>): Promise<{ readonly kept: string }>
  /** Lets others use the data folder. */
  release(): void
}

/**
 * Prepares the upgrade of a data folder, or finishes one that was interrupted while exchanging the folders. null: the
 * cluster already has the version of this program's PostgreSQL. `oldBinaries`: folder with `bin/` of the old version;
 * null: search for it. Throws EmbeddedPostgresError when a process serves the folder, or the old version is not found.
 */
export function prepareUpgrade(
  dataDir: string,
  oldBinaries: string | null,
  log: Log,
  { major }: Pick<Binaries, 'major'> = packagedBinaries(),
): ClusterUpgrade | null {
  const home = openHome(dataDir, (message, facts) => log.warn(facts, message))
  const lock = tryLock(join(home.folder, 'serve.lock'), 'exclusive')
  if (lock === null) throw new EmbeddedPostgresError(`a server is running on ${dataDir}: stop it first`)
  try {
    if (existsSync(switchFile(home))) exchange(home, dataDir)
    const from = clusterMajor(home)
    if (from === major || from === null) {
      lock.release()
      return null
    }
    if (from > major) {
      throw new EmbeddedPostgresError(
        `${home.data} was made by PostgreSQL ${from}, which is newer than the ${major} of this program: use the version of the program that made it`,
      )
    }
    const old = findBinaries(home, from, oldBinaries)
    return { from, to: major, run: (copy) => upgrade(home, dataDir, old, log, copy), release: lock.release }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** PostgreSQL of the old cluster's version: as given, a copy in the home, beside the program, or the distribution's. */
function findBinaries(home: Home, major: number, given: string | null): Binaries {
  const links = join(home.folder, 'lib-old')
  if (given !== null) {
    const found = binariesIn(given, links)
    if (found.major === major) return found
    throw new EmbeddedPostgresError(`${given} has PostgreSQL ${found.major}, but the database was made by ${major}`)
  }
  const copies = readdirSync(home.folder).filter((name) => name.startsWith(`postgresql-${major}.`))
  const places = [
    ...copies.map((name) => join(home.folder, name)),
    join(dirname(process.execPath), `postgresql-${major}`),
    `/usr/lib/postgresql/${major}`,
  ]
  for (const place of places) if (existsSync(join(place, 'bin', 'postgres'))) return binariesIn(place, links)
  throw new EmbeddedPostgresError(
    `PostgreSQL ${major}, which made the database, was not found: give its folder with --old-binaries, for example the folder postgresql of the earlier version of this program`,
  )
}

async function upgrade(
  home: Home,
  dataDir: string,
  old: Binaries,
  log: Log,
  copy: (from: string, to: string) => Promise<void>,
): Promise<{ kept: string }> {
  const needed = folderOctets(home.data)
  const free = freeOctets(home.folder)
  if (free < needed) {
    throw new EmbeddedPostgresError(
      `the disk of ${home.folder} has ${mib(free)} MiB free, and a second copy of the database needs ${mib(needed)}: make room first`,
    )
  }
  const source = await attachEmbedded(dataDir, { log, binaries: old })
  try {
    const target = await attachEmbedded(join(dataDir, FRESH), { log })
    try {
      await copy(source.url, target.url)
    } finally {
      await target.stop(60_000)
    }
  } finally {
    await source.stop(60_000)
  }
  writeFileSync(switchFile(home), `data-${old.major}\n`)
  return { kept: exchange(home, dataDir) }
}

/** Puts the new cluster in place of the old one; may be repeated from any point. Returns the old one's folder. */
function exchange(home: Home, dataDir: string): string {
  const name = readFileSync(switchFile(home), 'utf8').trim()
  if (!OLD.test(name)) throw new EmbeddedPostgresError(`${switchFile(home)} is damaged: it names no folder`)
  const kept = join(home.folder, name)
  const fresh = openHome(join(dataDir, FRESH), () => undefined)
  if (!existsSync(kept)) renameSync(home.data, kept)
  if (!existsSync(home.data)) renameSync(fresh.data, home.data)
  rmSync(switchFile(home))
  rmSync(fresh.folder, { recursive: true, force: true })
  rmSync(join(dataDir, FRESH), { recursive: true, force: true })
  rmSync(join(home.folder, 'lib-old'), { recursive: true, force: true })
  return kept
}

/** Folders of old clusters left by upgrades. */
export function oldClusters(dataDir: string): readonly string[] {
  const home = openHome(dataDir, () => undefined)
  return readdirSync(home.folder)
    .filter((name) => OLD.test(name))
    .map((name) => join(home.folder, name))
}

/** Settings that people added to the configuration files of a cluster, which an upgrade does not carry over. */
export function ownSettings(cluster: string): readonly string[] {
  return ['postgresql.conf', 'postgresql.auto.conf'].flatMap((file) => {
    const path = join(cluster, file)
    const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
    return lines.filter((line) => /^\s*[a-z]/i.test(line) && !line.startsWith("include 'portlight.conf'"))
  })
}

function folderOctets(folder: string): number {
  let octets = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) octets += Bun.file(join(entry.parentPath, entry.name)).size
  }
  return octets
}
