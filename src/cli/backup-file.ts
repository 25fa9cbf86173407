import { createReadStream } from 'node:fs'
import { access, type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Reader, type Sink } from '../core/backup/container.ts'
import { BackupError } from '../core/backup/errors.ts'
import { headerOf } from '../core/backup/verify.ts'
import { CliError } from './errors.ts'

/** `-` is stdin or stdout. */
const STANDARD = '-'

/** Where a backup is written. */
export interface BackupTarget {
  readonly sink: Sink
  /** Syncs the file to disk and gives it its final name. */
  finish(): Promise<void>
  /** Deletes what was written so far. */
  discard(): Promise<void>
}

/**
 * Opens a file for a backup, or stdout for `-`. The file is named FILE.part until it is complete, and only its owner
 * can read it. Throws CliError if FILE exists.
 */
export async function openTarget(file: string): Promise<BackupTarget> {
  if (file === STANDARD) return { sink: toStdout, finish: () => Promise.resolve(), discard: () => Promise.resolve() }
  if (await exists(file)) throw new CliError(`${file} exists already; choose another name`)
  const part = `${file}.part`
  const writing = async <T>(work: Promise<T>): Promise<T> =>
    await work.catch((error: unknown) => {
      throw new CliError(`${part} cannot be written: ${reason(error)}`)
    })
  // what a killed backup left; one that still runs notices that its file is gone
  await writing(rm(part, { force: true }))
  const handle = await writing(open(part, 'wx', 0o600))
  const { ino, dev } = await handle.stat()
  const isOwn = async (): Promise<boolean> => {
    const there = await stat(part).catch(() => null)
    return there?.ino === ino && there.dev === dev
  }
  return {
    async sink(octets) {
      for (let at = 0; at < octets.length; ) at += (await writing(handle.write(octets, at))).bytesWritten
    },
    async finish() {
      await writing(handle.sync())
      if (!(await isOwn()))
        throw new CliError(`${part} is gone: another backup to this file was begun meanwhile, so this one is discarded`)
      await writing(rename(part, file))
      await handle.close()
      await syncFolder(dirname(resolve(file)))
    },
    async discard() {
      const own = await isOwn()
      await handle.close().catch(() => undefined)
      if (own) await rm(part, { force: true })
    },
  }
}

/** The bytes of a backup, in order. Throws CliError if the file cannot be read. */
export async function* readSource(file: string): AsyncGenerator<Uint8Array> {
  if (file === STANDARD) {
    yield* Bun.stdin.stream()
    return
  }
  try {
    yield* createReadStream(file, { highWaterMark: 2 ** 20 }) as AsyncIterable<Buffer>
  } catch (error) {
    throw new CliError(`${file} cannot be read: ${reason(error)}`)
  }
}

/**
 * Throws BackupError if a file does not begin like a backup, and CliError if it cannot be read, so that nothing is made
 * for it. Of stdin nothing can be known before it is read.
 */
export async function requireBackup(file: string): Promise<void> {
  if (file === STANDARD) return
  const reader = new Reader(readSource(file))
  try {
    for await (const member of reader.read()) {
      await headerOf(member)
      return
    }
    throw new BackupError('the backup is empty')
  } finally {
    await reader.close()
  }
}

function toStdout(octets: Uint8Array): Promise<void> {
  return new Promise((done, failed) => {
    process.stdout.write(octets, (error) => (error ? failed(error) : done()))
  })
}

async function exists(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  )
}

async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle | null = null
  try {
    handle = await open(folder, 'r')
    await handle.sync()
  } catch {
    // some file systems cannot sync a folder
  } finally {
    await handle?.close()
  }
}

function reason(error: unknown): string {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT'))
    return `${error.code === 'ENOSPC' ? 'its disk is full' : 'the quota of this user is used up'}; what was written is removed. Make room, or write to another disk`
  return error instanceof Error ? error.message : String(error)
}
