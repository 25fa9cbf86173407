import { createReadStream } from 'node:fs'
import { access, type FileHandle, open, rename, rm } from 'node:fs/promises'
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
  const handle = await open(part, 'w', 0o600).catch((error: unknown) => {
    throw new CliError(`${part} cannot be written: ${reason(error)}`)
  })
  return {
    async sink(octets) {
      for (let at = 0; at < octets.length; ) at += (await handle.write(octets, at)).bytesWritten
    },
    async finish() {
      await handle.sync()
      await handle.close()
      await rename(part, file)
      await syncFolder(dirname(resolve(file)))
    },
    async discard() {
      await handle.close().catch(() => undefined)
      await rm(part, { force: true })
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
  return error instanceof Error ? error.message : String(error)
}
