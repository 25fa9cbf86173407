import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { definitionsReference } from './page.ts'
import { jsonSchemas } from './schema.ts'

// `bun run docs` writes the generated page and the schemas. A test fails if they are stale.
const FOLDER = join(import.meta.dir, '..', '..', '..', 'docs/reference')
writeFileSync(join(FOLDER, 'definitions.md'), definitionsReference())
for (const [kind, schema] of Object.entries(jsonSchemas()))
  writeFileSync(join(FOLDER, `${kind}.schema.json`), `${JSON.stringify(schema, null, 1)}\n`)
