import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expand } from '../grafana/expand.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { fences } from './console/blocks.ts'

// SQL of the pages, in blocks and in commands of psql, is run on the migrated database: what only reads as it stands there, in
// a transaction that cannot write; on the page for Grafana as its role, with the macros that Grafana expands.

setDefaultTimeout(120_000)

const ROOT = join(import.meta.dir, '../..')
const GRAFANA = 'docs/reference/grafana.md'
const HOUR_S = 3600

/** Blocks that are not run, by page and beginning, each with its reason. */
const LEFT: readonly { readonly page: string; readonly begins: string; readonly reason: string }[] = [
  {
    page: 'docs/how-to/own-database.md',
    begins: 'create role',
    reason: 'changes the whole server; the console blocks of the page start on one of their own',
  },
  { page: 'docs/how-to/own-database.md', begins: 'create extension', reason: 'the server of the tests may lack it' },
  {
    page: 'docs/reference/data-model.md',
    begins: 'select decompress_chunk',
    reason: 'only the full edition of TimescaleDB has the function',
  },
  ...['add-a-device-field', 'add-a-module', 'add-a-port-field'].map((name) => ({
    page: `docs/how-to/${name}.md`,
    begins: name === 'add-a-module' ? 'create table' : 'alter table',
    reason: 'a migration; tests/how-to follows the page',
  })),
]

interface Statement {
  readonly page: string
  readonly line: number
  readonly text: string
}

const pages = [
  ...['README.md', 'CONTRIBUTING.md'],
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path)),
]
const found: readonly Statement[] = pages.flatMap((page) => {
  const markdown = readFileSync(join(ROOT, page), 'utf8')
  const blocks = fences(markdown, 'sql').map(({ line, lines }) => ({ page, line, text: lines.join('\n') }))
  const typed = markdown.split('\n').flatMap((text, i) => {
    const command = /psql "\$DATABASE_URL" -c "([^"]+)"/.exec(text)?.[1]
    return command === undefined ? [] : [{ page, line: i + 1, text: command }]
  })
  return [...blocks, ...typed]
})
const whyLeft = ({ page, text }: Statement) =>
  LEFT.find((left) => left.page === page && text.replace(/^(--.*\n)+/, '').startsWith(left.begins))

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const now = Math.floor(Date.now() / 1000)
const choice = { from: now - HOUR_S, to: now, intervalMs: 60_000, values: {} }

async function run({ page, text }: Statement): Promise<void> {
  await database.store.sql.begin('read only', async (tx) => {
    if (page === GRAFANA) await tx`set local role portlight_reader`
    await tx.unsafe(page === GRAFANA ? expand(text, choice, {}) : text)
  })
}

test('every statement runs, or is left with a reason', async () => {
  const due = found.filter((one) => whyLeft(one) === undefined)
  const failed: string[] = []
  for (const one of due)
    await run(one).catch((error: unknown) => failed.push(`${one.page}:${one.line}: ${String(error)}`))
  expect(failed).toEqual([])
  console.log(`${found.length} statements: ${due.length} run, ${found.length - due.length} left with a reason`)
  expect(due.length).toBeGreaterThan(6)
})

test('each reason is for a block that there is', () => {
  const used = new Set(found.map(whyLeft))
  expect(LEFT.filter((left) => !used.has(left))).toEqual([])
})

test('what cannot run is noticed: a column that there is not, a write, a table that the role may not read', async () => {
  const one = { page: 'x', line: 1 }
  await expect(run({ ...one, text: 'select no_such_column from devices' })).rejects.toThrow('no_such_column')
  await expect(run({ ...one, text: 'delete from devices' })).rejects.toThrow('read-only')
  await expect(run({ ...one, page: GRAFANA, text: 'select community from devices' })).rejects.toThrow('permission')
})
