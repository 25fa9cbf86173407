import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { modulesReference } from '../../tools/reference/modules/page.ts'

test('docs/reference/modules.md is up to date (run `bun run docs`)', () => {
  const stored = readFileSync(join(import.meta.dir, '..', '..', 'docs/reference/modules.md'), 'utf8')
  expect(stored).toBe(modulesReference())
})
