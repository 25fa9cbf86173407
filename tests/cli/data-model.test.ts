import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { KIND_LIST } from '../../src/series/kinds.ts'
import { dataModelPage } from '../../tools/reference/data-model/data-model.ts'

const { path, text } = dataModelPage()

test('docs/reference/data-model.md is up to date (run `bun run docs`)', () => {
  expect(readFileSync(join(import.meta.dir, '..', '..', path), 'utf8')).toBe(text)
})

test('every kind has a section with a row for each column, and a graph', () => {
  const without: string[] = []
  for (const { name, columns } of KIND_LIST) {
    const section = text.split(`\n### \`${name}\`\n`)[1]?.split('\n## ')[0]?.split('\n### ')[0] ?? ''
    for (const column of columns) expect(section).toContain(`\n| \`${column.name}\` | ${column.type} |`)
    if (section.includes('- Graphs: none.')) without.push(name)
  }
  expect(without).toEqual([])
})
