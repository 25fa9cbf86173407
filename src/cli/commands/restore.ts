import type { Command } from 'commander'
import { addYes, type ConfirmOptions } from '../confirm.ts'
import { printJson, say } from '../output.ts'

interface Options extends ConfirmOptions {
  readonly force?: true
  readonly connections: string
  readonly json?: true
}

/** `portlight restore FILE`. */
export function registerRestore(program: Command): void {
  addYes(
    program
      .command('restore')
      .description(
        "restore a backup into an empty database, compare both, and migrate the database to this version's schema",
      )
      .argument('<file>', 'backup to restore; - for stdin')
      .option('--force', 'first delete everything in the database; asks for confirmation')
      .option('--connections <number>', 'number of sessions that load in parallel', '2')
      .option('--json', 'print the report as JSON'),
  ).action(async (file: string, options: Options, command: Command) => {
    const { describeRestore, restoreFile } = await import('../backup.ts')
    const report = await restoreFile(command, file, options)
    if (options.json === true) return printJson(report)
    for (const line of describeRestore(report)) say(line)
  })
}
