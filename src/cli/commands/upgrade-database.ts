import type { Command } from 'commander'
import { addYes } from '../confirm.ts'
import type { UpgradeOptions } from '../upgrade-database.ts'

/** `portlight upgrade-database`. */
export function registerUpgradeDatabase(program: Command): void {
  addYes(
    program
      .command('upgrade-database')
      .description("move the embedded database to this program's version of PostgreSQL, and compare both")
      .option(
        '--old-binaries <folder>',
        'folder with bin/ of the PostgreSQL version that created the database (default: searched for)',
      )
      .option('--remove-old', 'delete the old database, which is otherwise kept')
      .option('--connections <number>', 'number of sessions on each side', '2'),
  ).action(async (options: UpgradeOptions, command: Command) => {
    const { upgradeDatabase } = await import('../upgrade-database.ts')
    await upgradeDatabase(command, options)
  })
}
