import type { Log } from '../observe/log.ts'
import { createBackup } from './create.ts'
import { Pipe } from './pipe.ts'
import type { Watch } from './progress.ts'
import { type RestoreOptions, type RestoreReport, restoreBackup } from './restore.ts'

export interface MoveOptions {
  readonly from: string
  readonly to: string
  /** Sessions at either side. Default 2. */
  readonly connections?: number
  readonly program: string
  readonly log: Log
  readonly watch: Watch
  readonly found: NonNullable<RestoreOptions['found']>
  /** What the target holds is of an earlier attempt and goes. Default: a target that holds something is refused. */
  readonly replace?: boolean
}

/**
 * Copies everything of one database into another, which must be empty unless `replace`, and compares both. The first stays as it is; what is
 * written to it after the beginning is not in the copy. Throws what stopped either side first.
 */
export async function moveDatabase(options: MoveOptions): Promise<RestoreReport> {
  const { from, to, program, log, watch, found } = options
  const connections = options.connections ?? 2
  const pipe = new Pipe()
  const reading = createBackup({ url: from, dataDir: null, connections, program }, pipe.sink).then(
    () => pipe.end(),
    (error: unknown) => pipe.fail(error),
  )
  try {
    const replace = (): Promise<boolean> => Promise.resolve(options.replace === true)
    return await restoreBackup({ url: to, dataDir: null, connections, replace, log, watch, found }, pipe.source())
  } catch (error) {
    pipe.fail(error)
    throw error
  } finally {
    await reading
  }
}
