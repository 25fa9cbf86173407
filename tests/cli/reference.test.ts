import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { referencePages } from '../../tools/reference/cli/pages.ts'

test.each(referencePages())('$path is up to date (run `bun run docs`)', ({ path, text }) => {
  expect(readFileSync(join(import.meta.dir, '..', '..', path), 'utf8')).toBe(text)
})
