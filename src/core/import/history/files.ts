import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { RrdDaemon } from '@portlight/rrd/daemon.ts'
import { readRrd } from '@portlight/rrd/file.ts'
import { RrdError } from '@portlight/rrd/header.ts'
import { type Joined, joinArchives } from '@portlight/rrd/join.ts'

/** The contents of a file. */
export interface FileValues {
  readonly joined: Joined
  /** Names of its data sets. */
  readonly names: readonly string[]
  readonly stepS: number
  readonly octets: number
  /** Epoch seconds. */
  readonly lastUpdateS: number
}

/** How far a file's clock may be ahead of ours, s. */
const MAX_AHEAD_S = 3600

/** Files reported with a reason; further ones are only counted. */
const MAX_REFUSED = 1000

/** The folder of RRD files. Keeps account of the files that are read, refused and unused. */
export class Files {
  readonly refused: { file: string; reason: string }[] = []
  refusedCount = 0
  /** Files that the daemon does not know under the name that they have here. */
  unknownToDaemon = 0
  private readonly used = new Set<string>()
  private readonly root: string

  constructor(
    private readonly folder: string,
    private readonly daemon: RrdDaemon | null,
  ) {
    this.root = realpathSync(folder)
  }

  /** True if the file exists below the folder; a link to outside is not followed. */
  exists(file: string): boolean {
    const path = join(this.folder, file)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined) return false
    if (found.isSymbolicLink() && !realpathOf(path).startsWith(`${this.root}${sep}`)) return false
    this.used.add(file)
    return true
  }

  /** Has the daemon write pending updates of the file. Throws DaemonError. */
  async flush(file: string): Promise<void> {
    if (this.daemon !== null && !(await this.daemon.flush(file))) this.unknownToDaemon++
  }

  /** Size in bytes and last update of a file; null: it cannot be read. */
  stateOf(file: string): { readonly octets: number; readonly lastUpdateS: number } | null {
    return this.use(file, (path) => ({
      octets: statSync(path).size,
      lastUpdateS: readRrd(path, ({ header }) => past(header.lastUpdateS)),
    }))
  }

  /** The contents of a file from `sinceS` (epoch seconds) on; null: it cannot be read. */
  read(file: string, sinceS: number): FileValues | null {
    return this.use(file, (path) => {
      const octets = statSync(path).size
      return readRrd(path, (rrd) => {
        const { header } = rrd
        const lastUpdateS = past(header.lastUpdateS)
        return {
          joined: joinArchives(rrd, sinceS),
          names: header.dataSets.map(({ name }) => name),
          stepS: header.stepS,
          octets,
          lastUpdateS,
        }
      })
    })
  }

  /** Names of a file's GAUGE data sets; null: there is no such file, or it cannot be read. */
  namesOf(file: string): readonly string[] | null {
    if (!this.exists(file)) return null
    return this.use(file, (path) =>
      readRrd(path, ({ header }) => header.dataSets.flatMap(({ name, type }) => (type === 'GAUGE' ? [name] : []))),
    )
  }

  refuse(file: string, reason: string): void {
    this.refusedCount++
    if (this.refused.length < MAX_REFUSED) this.refused.push({ file, reason })
  }

  /** Number of files that belong to no row, by the first word of their names. */
  unused(): Record<string, number> {
    const counts: Record<string, number> = {}
    for (const folder of readdirSync(this.root, { withFileTypes: true })) {
      if (!folder.isDirectory()) continue
      for (const name of readdirSync(join(this.root, folder.name))) {
        if (!name.endsWith('.rrd') || this.used.has(`${folder.name}/${name}`)) continue
        const kind = (/^[A-Za-z_]+/.exec(name)?.[0] ?? 'others').slice(0, 40)
        counts[kind] = (counts[kind] ?? 0) + 1
      }
    }
    return counts
  }

  private use<T>(file: string, read: (path: string) => T): T | null {
    try {
      return read(join(this.folder, file))
    } catch (error) {
      const { code } = error as { code?: string }
      if (!(error instanceof RrdError) && code === undefined) throw error
      this.refuse(file, error instanceof RrdError ? error.message : `cannot be read: ${code}`)
      return null
    }
  }
}

/** Returns the time of a last update. Throws RrdError if it is in the future. */
function past(timeS: number): number {
  if (timeS <= Date.now() / 1000 + MAX_AHEAD_S) return timeS
  throw new RrdError('was last updated in the future, so its header is damaged or a clock is wrong')
}

function realpathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return ''
  }
}
