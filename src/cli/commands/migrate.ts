import type { Command } from 'commander'
import type { LoadComposition } from '../app.ts'
import { printJson, say } from '../output.ts'

/** `portlight migrate`. */
export function registerMigrate(program: Command, load: LoadComposition): void {
  program
    .command('migrate')
    .description("migrate the database to this version's schema; serve does this automatically")
    .option('--create', 'also create the embedded database if the data folder has none')
    .option('--json', 'print JSON')
    .action(async ({ create = false, json }: { create?: boolean; json?: boolean }, command: Command) => {
      const { withServices } = await import('../open.ts')
      const schema = await withServices(command, load, ({ database }) => Promise.resolve(database.schema), {
        create: create ? 'everything' : 'tables',
      })
      if (json === true) return printJson(schema)
      say(schema.applied.length === 0 ? 'the schema is up to date' : `applied: ${schema.applied.join(', ')}`)
    })
}
