import type { Command } from 'commander'
import type { MoveOptions } from '../move.ts'

/** `portlight move-database URL`. */
export function registerMoveDatabase(program: Command): void {
  program
    .command('move-database')
    .description('copy everything to another PostgreSQL or TimescaleDB server, compare both, and print how to switch')
    .argument('[url]', 'URL of an empty database, postgres://USER:PASSWORD@HOST/DATABASE; - reads it from stdin')
    .option('--to-embedded', 'copy from database_url into the embedded database instead')
    .option('--connections <number>', 'number of sessions on each side', '2')
    .action(async (url: string | undefined, options: MoveOptions, command: Command) => {
      const { runMove } = await import('../move.ts')
      await runMove(command, url, options)
    })
}
