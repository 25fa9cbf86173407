import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectDir } from '../../../src/cli/globals.ts'
import { referencePages } from './pages.ts'

// `bun run docs` writes the generated pages. A test fails if one is out of date.
for (const { path, text } of referencePages()) writeFileSync(join(projectDir ?? '.', path), text)
