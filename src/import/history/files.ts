import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { RrdDaemon } from '../../rrd/daemon.ts'
import { readRrd } from '../../rrd/file.ts'
import { RrdError } from '../../rrd/header.ts'
import { type Joined, joinArchives } from '../../rrd/join.ts'

/** What a file holds. */
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

/** Files whose fault is in the report; the others are counted. */
const MAX_REFUSED = 1000

/** The folder of RRD files. What is read of it, refused and left over is counted. */
export class Files {
  readonly refused: { file: string; reason: string }[] = []
  refusedCount = 0
  /** Files that the daemon does not know by the name that they have here. */
  unknownToDaemon = 0
  private readonly used = new Set<string>()
  private readonly root: string

  constructor(
    private readonly folder: string,
    private readonly daemon: RrdDaemon | null,
  ) {
    this.root = realpathSync(folder)
  }

  /** True for a file below the folder; a link out of it is not followed. */
  exists(file: string): boolean {
    const path = join(this.folder, file)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined) return false
    if (found.isSymbolicLink() && !realpathOf(path).startsWith(`${this.root}${sep}`)) return false
    this.used.add(file)
    return true
  }

  /** Has the daemon write what it holds back for the file. Throws DaemonError. */
  async flush(file: string): Promise<void> {
    if (this.daemon !== null && !(await this.daemon.flush(file))) this.unknownToDaemon++
  }

  /** Octets and last update of a file; null: it cannot be read. */
  stateOf(file: string): { readonly octets: number; readonly lastUpdateS: number } | null {
    return this.use(file, (path) => ({
      octets: statSync(path).size,
      lastUpdateS: readRrd(path, ({ header }) => past(header.lastUpdateS)),
    }))
  }

  /** What a file holds since then (epoch seconds); null: it cannot be read. */
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

  /** Names of a file's readings; null: no file, or one that cannot be read. */
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

  /** Number of files that no row has, by the first word of their names. */
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

/** The time of a last update. Throws RrdError if it is in the future. */
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
