import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '../..')
const reachable = readFileSync(join(import.meta.dir, 'reachable.txt'), 'utf8')
  .trimEnd()
  .split('\n')
const page = readFileSync(join(root, 'docs/reference/grafana.md'), 'utf8')
/** Rows of the tables by the names in their first cell. */
const described = new Map(
  page.split('\n').flatMap((line) => {
    const [, first = '', , columns = ''] = line.split('|')
    return [...first.matchAll(/`(\w+)/g)].map((match) => [match[1] ?? '', columns] as const)
  }),
)

test('the page names every view with its columns, and every function', () => {
  const missing = reachable.flatMap((line) => {
    const [, name = '', sort, rest = ''] = /^grafana\.(\w+)([:(])(.*)/.exec(line) ?? []
    // port_totals is described in a sentence.
    if (name === '' || name === 'port_totals' || /_1[hd]$/.test(name)) return []
    const columns = described.get(name)
    if (columns === undefined) return [name]
    if (sort === '(' || name === 'device_stats') return []
    return rest.trim() === [...columns.matchAll(/`(\w+)`/g)].map((match) => match[1]).join(' ')
      ? []
      : [`columns of ${name}`]
  })
  expect(missing).toEqual([])
  expect(described.size).toBeGreaterThan(30)
})
