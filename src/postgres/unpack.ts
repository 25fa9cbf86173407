import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { EmbeddedPostgresError } from './errors.ts'
import type { PackedBinaries } from './packed-binaries.ts'
import { processesRunning } from './postmaster.ts'
import { requireSpaceFor } from './space.ts'

/** Owner of the unpacked files; null: the user of this process. */
interface Owner {
  readonly uid: number
  readonly gid: number
}

/** Files written at a time; their fsync calls share commits of the file system's journal. */
const AT_ONCE = 16

/**
 * Unpacks PostgreSQL into its own folder below `folder`, unless it is already there and complete, and removes the
 * folders of other versions and of interrupted attempts from which no process runs. The folder gets its name only after
 * everything in it has been verified and synced to disk. The caller ensures that nobody else unpacks into `folder`.
 * When run as root, set `owner` to the user who must be able to remove the files later. Throws EmbeddedPostgresError
 * when the archive is damaged or the disk is full.
 */
export async function unpackBinaries(
  packed: PackedBinaries,
  folder: string,
  owner: Owner | null = null,
): Promise<Binaries> {
  const root = join(folder, packed.name)
  if (!isComplete(packed, root)) {
    removeOthers(folder, null)
    requireSpaceFor(
      folder,
      Object.values(packed.files).reduce((sum, { size }) => sum + size, 0),
    )
    const fresh = mkdtempSync(`${root}.new-`)
    try {
      await unpackTo(packed, fresh, owner)
      if (existsSync(root)) renameSync(root, `${fresh}.old`)
      renameSync(fresh, root)
    } catch (error) {
      rmSync(fresh, { recursive: true, force: true })
      throw explain(error, folder)
    }
    await sync(folder)
  }
  removeOthers(folder, packed.name)
  return { root, name: packed.name, major: packed.major }
}

/** Whether every file exists with its size. Their content was verified when they were written. */
function isComplete(packed: PackedBinaries, root: string): boolean {
  return Object.entries(packed.files).every(
    ([path, { size }]) => statSync(join(root, path), { throwIfNoEntry: false })?.size === size,
  )
}

async function unpackTo(packed: PackedBinaries, fresh: string, owner: Owner | null): Promise<void> {
  const content = await Bun.zstdDecompress(await readFile(packed.archive)).catch(() => {
    throw damaged('the archive')
  })
  const paths = Object.keys(packed.files)
  const starts = new Map<string, number>()
  paths.reduce((at, path) => {
    starts.set(path, at)
    return at + (packed.files[path]?.size ?? 0)
  }, 0)
  const folders = new Set(paths.flatMap((path) => parents(path)))
  // The modes are set again below, because the umask may keep the server's user out.
  for (const path of [...folders].sort()) mkdirSync(join(fresh, path), { mode: 0o755 })
  let next = 0
  const write = async (): Promise<void> => {
    for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
      const start = starts.get(path) ?? 0
      const bytes = content.subarray(start, start + (packed.files[path]?.size ?? 0))
      if (Bun.SHA256.hash(bytes, 'hex') !== packed.files[path]?.sha256) throw damaged(path)
      const file = await open(join(fresh, path), 'wx', 0o644)
      try {
        await file.writeFile(bytes)
        await file.chmod(path.startsWith('bin/') ? 0o755 : 0o644)
        if (owner !== null) await file.chown(owner.uid, owner.gid)
        await file.sync()
      } finally {
        await file.close()
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, write))
  for (const path of ['.', ...folders]) {
    const handle = await open(join(fresh, path))
    await handle.chmod(0o755)
    if (owner !== null) await handle.chown(owner.uid, owner.gid)
    await handle.sync()
    await handle.close()
  }
}

/** `a/b` and `a` of `a/b/c`. */
function parents(path: string): string[] {
  const found: string[] = []
  for (let at = dirname(path); at !== '.'; at = dirname(at)) found.push(at)
  return found
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync()
  await handle.close()
}

function removeOthers(folder: string, keep: string | null): void {
  for (const other of readdirSync(folder)) {
    if (!other.startsWith('postgresql-') || other === keep) continue
    // Before the new folder is complete only leftovers are removed, because any other may be the one to be replaced.
    if (keep === null && !other.includes('.new-')) continue
    if (processesRunning(join(folder, other)).length > 0) continue
    try {
      rmSync(join(folder, other), { recursive: true, force: true })
    } catch {
      // It belongs to another user and only takes up space.
    }
  }
}

function damaged(what: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `PostgreSQL inside this program is damaged (${what}): download the program again and compare it with SHA256SUMS`,
  )
}

function explain(error: unknown, folder: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error
  return new EmbeddedPostgresError(
    `the disk of ${folder} is full, PostgreSQL cannot be unpacked: make room or use another --data-dir`,
    { cause: error },
  )
}
