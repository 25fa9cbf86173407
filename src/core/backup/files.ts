import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BackupError } from './errors.ts'

/**
 * Folders of the data folder that are backed up: compiled definitions that people have added. Everything else there is
 * the database itself, or must not leave the machine: keys, tokens, sockets.
 */
const FOLDERS = ['definitions']
/** Maximum bytes of all files together, which are held in memory while they are restored. */
const MAX_OCTETS = 256 * 2 ** 20
const SAFE = /^\.?[\w@+-][\w.@+ -]*(\/\.?[\w@+-][\w.@+ -]*)*$/

export interface DataFile {
  /** Below the data folder. */
  readonly path: string
  readonly content: Uint8Array
}

/** The files of a data folder that belong in a backup, one at a time. */
export function* dataFiles(dataDir: string): Generator<DataFile> {
  let octets = 0
  for (const folder of FOLDERS) {
    if (!existsSync(join(dataDir, folder))) continue
    for (const entry of readdirSync(join(dataDir, folder), { recursive: true }).toSorted()) {
      const path = `${folder}/${String(entry)}`
      if (!SAFE.test(path) || !lstatSync(join(dataDir, path)).isFile()) continue
      const content = readFileSync(join(dataDir, path))
      octets += content.length
      if (octets > MAX_OCTETS) throw new BackupError(`${join(dataDir, folder)} is too large for a backup`)
      yield { path, content }
    }
  }
}

/** Files of a backup, collected until the whole backup has been checked. */
export class RestoredFiles {
  readonly #files: DataFile[] = []
  #octets = 0

  add(file: DataFile): void {
    const [folder = ''] = file.path.split('/')
    if (!FOLDERS.includes(folder) || !SAFE.test(file.path))
      throw new BackupError(`the backup has a file that does not belong in a data folder: ${file.path}`)
    this.#octets += file.content.length
    if (this.#octets > MAX_OCTETS) throw new BackupError('the backup is corrupt: its files are too large')
    this.#files.push(file)
  }

  get files(): readonly DataFile[] {
    return this.#files
  }

  /**
   * Writes each folder that does not exist yet, as a whole. Returns the names of those that exist, which stay
   * unchanged.
   */
  write(dataDir: string): readonly string[] {
    const kept: string[] = []
    for (const [folder = '', files] of Map.groupBy(this.#files, ({ path }) => path.split('/')[0])) {
      const target = join(dataDir, folder)
      if (existsSync(target)) {
        kept.push(folder)
        continue
      }
      const fresh = `${target}.restoring`
      rmSync(fresh, { recursive: true, force: true })
      for (const { path, content } of files) {
        const at = join(fresh, path.slice(folder.length + 1))
        mkdirSync(dirname(at), { recursive: true })
        writeFileSync(at, content)
      }
      renameSync(fresh, target)
    }
    return kept
  }
}
