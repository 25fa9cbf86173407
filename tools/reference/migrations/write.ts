import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Writes the list of the files in db/migrations, which the compiled program carries, to db/migrations.ts. */
const folder = join(import.meta.dir, '..', '..', '..', 'db')
const files = readdirSync(join(folder, 'migrations')).toSorted()
const parts = files.map((file) => {
  const [, number = '', name = ''] = /^(\d{4})_(\w+)\.sql$/.exec(file) ?? []
  if (name === '') throw new Error(`db/migrations/${file}: expected NNNN_name.sql, such as 0042_port_notes.sql`)
  return { file, number, name }
})
const imports = parts.map(({ file, number }) => `import m${number} from './migrations/${file}' with { type: 'text' }\n`)
const entries = parts.map(({ number, name }) => `  { number: ${Number(number)}, name: '${name}', text: m${number} },\n`)
await Bun.write(
  join(folder, 'migrations.ts'),
  `// Written by \`bun run docs\` from the names of the files.
${imports.join('')}
/** One change of the relational schema. Applied once, in order of \`number\`, never edited after a release. */
export interface Migration {
  readonly number: number
  readonly name: string
  readonly text: string
}

/** Every file of db/migrations; a test compares this list with the folder. */
export const MIGRATIONS: readonly Migration[] = [
${entries.join('')}]
`,
)
