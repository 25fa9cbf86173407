import { expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadSettings } from '../../src/config/load.ts'
import { parseBuilder } from '../../src/core/rules/builder.ts'
import { parseHealth } from '../../src/definitions/health-parse.ts'
import { consoleBlocks, fences } from './console/blocks.ts'
import { disagreement } from './console/compare.ts'

// What pages show is what the program reads; and what compares the console blocks can fail.

const ROOT = join(import.meta.dir, '../..')
const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8')
const PAGES = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md'))
  .map((path) => join('docs', path))
const blocksOf = (language: string) =>
  PAGES.flatMap((page) =>
    fences(read(page), language).map((block) => ({ ...block, page, text: block.lines.join('\n') })),
  )

test('configuration files of the pages are ones that the program starts with', () => {
  const blocks = blocksOf('toml')
  expect(blocks.length).toBeGreaterThan(0)
  const folder = mkdtempSync(join(tmpdir(), 'portlight-docs-'))
  try {
    for (const { page, line, text } of blocks) {
      const config = join(folder, 'portlight.toml')
      writeFileSync(config, text)
      expect(() => loadSettings({ env: {}, config, folders: [] }), `${page}:${line}`).not.toThrow()
    }
    writeFileSync(join(folder, 'portlight.toml'), '[poller]\ninterval = "often"\n')
    expect(() => loadSettings({ env: {}, config: join(folder, 'portlight.toml'), folders: [] })).toThrow('interval')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('rules of the pages can be read', () => {
  const rules = blocksOf('json').filter(({ page }) => page === 'docs/how-to/write-a-rule.md')
  expect(rules.length).toBeGreaterThan(1)
  for (const { text } of rules) {
    const rule = JSON.parse(text) as object
    expect(parseBuilder('condition' in rule ? rule : { condition: 'AND', rules: [rule] }).rules.length).toBeGreaterThan(
      0,
    )
  }
})

test('JSON and YAML of the pages is well-formed, and the definition that is explained is valid', () => {
  for (const { page, line, text } of blocksOf('json')) expect(() => JSON.parse(text), `${page}:${line}`).not.toThrow()
  const yaml = blocksOf('yaml')
  // two files in one block: a base and what extends it
  for (const { page, line, text } of yaml.filter((one) => !one.text.includes('\n# pump-p7')))
    expect(() => Bun.YAML.parse(text), `${page}:${line}`).not.toThrow()
  const [example] = yaml.filter(({ page, text }) => page.endsWith('definitions.md') && text.startsWith('about:'))
  expect(parseHealth('example', Bun.YAML.parse(example?.text ?? '')).sensors.length).toBe(3)
})

test('a block is commands with their continued lines and here-documents, and what they print', () => {
  const page = [
    'Text',
    '   ```console',
    '   $ one \\',
    '       --two',
    '   printed',
    '',
    "   site# three <<'X'",
    '   $ not a command',
    '   X',
    '   ```',
    '```console run',
    '$ four # a comment',
    '```',
  ].join('\n')
  expect(consoleBlocks('p.md', page)).toEqual([
    {
      ...{ page: 'p.md', line: 2, info: '' },
      commands: [
        { text: 'one \\\n    --two', printed: ['printed'] },
        { text: "three <<'X'\n$ not a command\nX", printed: [] },
      ],
    },
    { page: 'p.md', line: 11, info: 'run', commands: [{ text: 'four # a comment', printed: [] }] },
  ])
  expect(() => consoleBlocks('p.md', '```console\nprinted\n```')).toThrow('no command')
  expect(() => consoleBlocks('p.md', '```console\n$ x')).toThrow('does not end')
})

test.each([
  [['device 192.0.2.1 added with id 1; done'], 'device 192.0.2.1 added with id 27; done\n'],
  [['ready after 2.5 s'], 'ready after 61 s'],
  [['about 4 s left'], 'about 1 h 52 min left'],
  [['as of 2026-11-23T03:40:49.240Z'], 'as of 2027-01-01T00:00:00.000Z'],
  [['user admin, password HNynW92X9j7rheHw (once)'], 'user admin, password x-9_ (once)'],
  [['first', '...', 'last'], 'first\nsecond\nthird\nlast\n'],
  [['first', '...'], 'first\nsecond\n'],
  [['{"a":1,...}'], '{"a":1,"b":2}'],
  [['ID  NAME', ' 1  x'], 'ID    NAME\n 1    x\n\n'],
  [['a.b (c) [d] *'], 'a.b (c) [d] *'],
])('%j is what came', (printed, came) => expect(disagreement(printed, came, false)).toBeNull())

test.each([
  [['19 devices removed'], '20 devices removed'],
  [['one'], ''],
  [['one'], 'one\ntwo'],
  [['one', '...', 'three'], 'one\ntwo'],
  [['two', 'one'], 'one\ntwo'],
  [['a.c'], 'abc'],
  [['...', 'one'], 'two'],
])('%j is not what came', (printed, came) => expect(disagreement(printed, came, false)).toContain('«'))

test('figures are compared unless the page says that they are an example', () => {
  expect(disagreement(['47.3 MB of 12 rows'], '1.1 MB of 3 rows', false)).toContain('47.3 MB')
  expect(disagreement(['47.3 MB of 12 rows'], '1.1 MB of 3 rows', true)).toBeNull()
  expect(disagreement(['47.3 MB of 12 rows'], '1.1 MB of 3 columns', true)).toContain('columns')
})
