import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { modulesReference } from './page.ts'

// `bun run docs` writes the generated page. A test fails if it is stale.
writeFileSync(join(import.meta.dir, '..', '..', '..', 'docs/reference/modules.md'), modulesReference())
