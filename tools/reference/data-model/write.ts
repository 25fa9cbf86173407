import { join } from 'node:path'
import { dataModelPage } from './data-model.ts'

// `bun run docs` writes the generated pages; a test verifies that they are current.
const { path, text } = dataModelPage()
await Bun.write(join(import.meta.dir, '..', '..', '..', path), text)
