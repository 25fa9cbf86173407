import type { Command } from 'commander'
import { addYes } from '../confirm.ts'
import type { UpgradeOptions } from '../upgrade-database.ts'

/** `portlight upgrade-database`. */
export function registerUpgradeDatabase(program: Command): void {
  addYes(
    program
      .command('upgrade-database')
      .description("move the embedded database to this program's version of PostgreSQL, comparing both")
      .option('--old-binaries <folder>', 'folder with bin/ of the PostgreSQL that made it (default: looked for)')
      .option('--remove-old', 'delete the old database, which otherwise stays')
      .option('--connections <number>', 'sessions at either side', '2'),
  ).action(async (options: UpgradeOptions, command: Command) => {
    const { upgradeDatabase } = await import('../upgrade-database.ts')
    await upgradeDatabase(command, options)
  })
}
