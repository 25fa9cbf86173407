import { join } from 'node:path'
import { apiPages } from './pages.ts'

const root = join(import.meta.dir, '..', '..', '..')
for (const { path, text } of apiPages()) await Bun.write(join(root, path), text)
