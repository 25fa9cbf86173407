import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Block, type Command, consoleBlocks } from './console/blocks.ts'
import { disagreement } from './console/compare.ts'
import { type House, startHouse, writeFiles } from './console/house.ts'
import { LEFT } from './console/left.ts'
import { GIVEN, type Given } from './console/pages.ts'
import { placeOf } from './console/rewriting.ts'
import { type } from './console/shell.ts'

// What the pages tell people to type is typed, on a real installation, and what it prints is compared with the page.

// a page has thirty commands, each of which takes seconds on a machine that does other things as well
setDefaultTimeout(900_000)

const ROOT = join(import.meta.dir, '../..')
const PAGES = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...['docs', 'packages', 'deploy', 'bench'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md') && !path.includes('node_modules'))
      .map((path) => join(folder, path))
      .sort(),
  ),
]

const BLOCKS = PAGES.flatMap((page) => consoleBlocks(page, readFileSync(join(ROOT, page), 'utf8')))
const reasonOf = (block: Block): string | null => {
  if (block.info === 'run') return 'tests/how-to follows the page'
  const first = block.commands[0]?.text ?? ''
  return LEFT.find(({ page, begins }) => page === block.page && first.startsWith(begins))?.reason ?? null
}
const LEFT_BLOCKS = BLOCKS.filter((block) => reasonOf(block) !== null)
const RUN = Map.groupBy(
  BLOCKS.filter((block) => reasonOf(block) === null),
  ({ page }) => page,
)
console.info(
  `${BLOCKS.length} console blocks: ${BLOCKS.length - LEFT_BLOCKS.length} run, ${LEFT_BLOCKS.length} left with a reason`,
)

let house: House
beforeAll(async () => {
  house = await startHouse(RUN.size)
}, 180_000)
afterAll(async () => {
  await house?.stop()
}, 60_000)

test('a block is left with a reason, once, and no reason is left over', () => {
  expect(
    LEFT.filter(
      ({ page, begins }) => !BLOCKS.some((one) => one.page === page && one.commands[0]?.text.startsWith(begins)),
    ),
  ).toEqual([])
  expect(Object.keys(GIVEN).filter((page) => !RUN.has(page))).toEqual([])
})

test.each([...RUN.keys()])('%s', async (page) => {
  const blocks = RUN.get(page) ?? []
  const given: Given = GIVEN[page] ?? {}
  const number = [...RUN.keys()].indexOf(page) + 1
  const bare = placeOf(house, number, [])
  const { env = {}, replaced = [], stop } = (await given.before?.(house, bare)) ?? {}
  const place = placeOf(house, number, replaced)
  const files = { ...shownFiles(blocks), ...given.files }
  writeFiles(house.folder, Object.fromEntries(Object.entries(files).map(([path, text]) => [path, place.to(text)])))
  const wrong: string[] = []
  const environment = { ...house.env, ...env }
  for (const [i, block] of blocks.entries()) {
    Object.assign(environment, await given.beforeBlock?.(house, i))
    if (block.commands.some(({ text }) => text.includes('curl'))) await house.discovered()
    const typed = block.commands.map(({ text }) => place.to(text))
    const came = await type(block, typed, { folder: house.folder, out: house.newFolder(), env: environment })
    for (const [n, one] of came.entries()) {
      const command = block.commands[n]
      const problem = command === undefined ? null : problemOf(command, one.code, place.back(one.output), given)
      if (problem !== null) wrong.push(`${page}:${block.line}: ${one.typed}\n  ${problem}`)
    }
  }
  await stop?.()
  // the pages after one that moves the database go on with the old one
  rmSync(join(String(house.env['PORTLIGHT_DATA_DIR']), 'postgres.moved'), { force: true })
  expect(wrong).toEqual([])
})

/** Files that a page shows with `cat`. */
function shownFiles(blocks: readonly Block[]): Record<string, string> {
  const shown = blocks.flatMap(({ commands }) => commands.filter(({ text }) => /^cat \S+$/.test(text)))
  return Object.fromEntries(shown.map(({ text, printed }) => [text.slice('cat '.length), `${printed.join('\n')}\n`]))
}

/** What is wrong with a command, in a sentence; null: nothing. */
function problemOf({ text, printed }: Command, code: number | null, output: string, given: Given): string | null {
  const { fails = {}, others = [], figures = false } = given
  const always = (line: string) => !others.some((other) => line.startsWith(other))
  const shown = printed.filter(always)
  const mayFail = Object.keys(fails).some((begins) => text.startsWith(begins))
  if (mayFail || shown.some((line) => line.startsWith('portlight: '))) {
    if (code === null || code === 0) return `it ended with ${code} and should fail: ${output.slice(0, 600)}`
  } else if (code !== 0) return `it ended with ${code}: ${output.slice(0, 600)}`
  const came = output.split('\n').filter(always)
  // of a stream only its beginning comes
  const begins = text.startsWith('curl -N') ? shown.slice(0, came.findLastIndex((line) => line !== '') + 1) : shown
  return begins.length === 0 ? null : disagreement(begins, came.join('\n'), figures)
}
