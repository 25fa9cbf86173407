import type { Command } from 'commander'
import { print, printJson, say } from '../output.ts'

/** `portlight backup FILE` and `portlight backup verify FILE`. */
export function registerBackup(program: Command): void {
  const group = program
    .command('backup')
    .description(
      'back up everything while the server runs: inventory, series, settings, users, logs (/help/how-to/backup in the help of a running server)',
    )
    .argument('<file>', 'file to write; - for stdout')
    .option('--connections <number>', 'number of sessions that read in parallel', '2')
    .option('--json', 'print the report as JSON')
    .action(async (file: string, options: { connections: string; json?: true }, command: Command) => {
      const { makeBackup, describeBackup } = await import('../backup.ts')
      const report = await makeBackup(command, file, options.connections)
      if (options.json === true && file !== '-') return printJson(report)
      for (const line of describeBackup(file, report)) say(line)
    })
  group
    .command('verify')
    .description('check that a backup is complete and its rows and files are unchanged; needs no database')
    .argument('<file>', 'backup to check; - for stdin')
    .option('--json', 'print the report as JSON')
    .action(async (file: string, options: { json?: true }) => {
      const { checkBackup, describeCheck } = await import('../backup.ts')
      const report = await checkBackup(file)
      if (options.json === true) return printJson(report)
      for (const line of describeCheck(file, report)) print(line)
    })
}
