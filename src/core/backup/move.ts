import type { Log } from '../../observe/log.ts'
import { createBackup } from './create.ts'
import { Pipe } from './pipe.ts'
import type { Watch } from './progress.ts'
import { type RestoreOptions, type RestoreReport, restoreBackup } from './restore.ts'

export interface MoveOptions {
  readonly from: string
  readonly to: string
  /** Sessions on each side. Default 2. */
  readonly connections?: number
  readonly program: string
  readonly log: Log
  readonly watch: Watch
  readonly found: NonNullable<RestoreOptions['found']>
  /** Replaces what an earlier attempt left in the target. Default: a target that is not empty is refused. */
  readonly replace?: boolean
}

/**
 * Copies everything in one database to another, which must be empty unless `replace`, and compares the two. The source
 * stays as it is; what is written to it after the copy began is not in the copy. Throws the error that stopped either
 * side first.
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
