import type { Command } from 'commander'
import type { LoadComposition } from '../app.ts'
import { jsonText, print, say } from '../output.ts'

/** `portlight export`. */
export function registerExport(program: Command, load: LoadComposition): void {
  program
    .command('export')
    .description('print everything that is stored, as JSON lines: {"table": ..., "row": {...}}')
    .option('--secrets', 'include communities, passwords, hashes of passwords and tokens, and settings of transports')
    .option('--no-history', 'leave out samples and roll-ups')
    .action(async (options: { secrets?: true; history: boolean }, command: Command) => {
      const [{ withServices }, { exportLines }, { withoutSecrets }, { findSetting }] = await Promise.all([
        import('../open.ts'),
        import('../../core/import/read-export.ts'),
        import('../../config/secrets.ts'),
        import('../../config/names.ts'),
      ])
      const secrets = options.secrets === true
      let rows = 0
      await withServices(command, load, async ({ database }) => {
        for await (const lines of exportLines(database.store.sql, { secrets, history: options.history })) {
          rows += lines.length
          const shown = secrets ? lines : lines.map(withoutSetting)
          if (shown.length > 0) print(jsonText(shown.join('\n')))
        }
      })
      say(`${rows} rows`)

      /** Masks secrets in settings, which are in values and not in columns of their own. */
      function withoutSetting(line: string): string {
        const { table, row } = JSON.parse(line) as { table: string; row: { name?: string; value?: unknown } }
        if (table !== 'config') return line
        const name = findSetting(row.name ?? '')
        return JSON.stringify({ table, row: { ...row, value: name === null ? null : withoutSecrets(name, row.value) } })
      }
    })
}
