import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { apply, type Step, stepsOf } from './page.ts'

/** The how-tos for contributors. All of them are followed in one copy of the checkout, so that it is compiled once. */
const PAGES = [
  'add-a-vendor',
  'add-a-module',
  'add-a-kind',
  'add-a-transport',
  'add-a-list-column',
  'add-a-device-field',
  'add-a-port-field',
]

const ROOT = join(import.meta.dir, '../..')
let copy = ''
/** A folder with `bun`, which the scripts of package.json name: the launcher's own is in no folder of PATH. */
let bin = ''

const STEPS: ReadonlyMap<string, readonly Step[]> = new Map(
  PAGES.map((page) => [page, stepsOf(readFileSync(join(ROOT, `docs/how-to/${page}.md`), 'utf8'))]),
)
const changes = (page: string) => (STEPS.get(page) ?? []).filter((step) => step.kind !== 'command')
const commands = (page: string) =>
  (STEPS.get(page) ?? []).flatMap((step) => (step.kind === 'command' ? [step.command] : []))

const TESTS = 'bun test '
/** What the pages run, each command once. */
const OTHERS = [...new Set(PAGES.flatMap(commands))].filter((command) => !command.startsWith(TESTS))
/** The test files that the pages run: together, so that they share one database server. */
const FILES = new Set(
  PAGES.flatMap(commands).flatMap((command) =>
    command.startsWith(TESTS) ? command.slice(TESTS.length).split(' ') : [],
  ),
)

/** Runs a command of a page in the copy; returns what it printed if it failed, otherwise ''. */
async function run(command: string): Promise<string> {
  const words = command.split(' ').map((word, i) => (i === 0 && word === 'bun' ? process.execPath : word))
  // what a run prepares for its tests was made from the checkout as it is, without what the pages add
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('PORTLIGHT_TEST_'))
  const env = { ...Object.fromEntries(kept), PATH: `${bin}:${process.env['PATH'] ?? ''}` }
  const child = Bun.spawn(words, { cwd: copy, env, stdout: 'pipe', stderr: 'pipe' })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return code === 0 ? '' : `${command} ended with ${code}:\n${out}${err}`
}

/** The files of the checkout, also where there is no git. Pictures of pages are not needed. */
function files(): readonly string[] {
  const listed = Bun.spawnSync(['sh', '-c', 'git ls-files -z --cached --others --exclude-standard'], { cwd: ROOT })
  const paths =
    listed.exitCode === 0
      ? listed.stdout.toString().split('\0')
      : readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((path) => !/(?:^|\/)node_modules\//.test(path))
  // git also lists a file whose deletion is not committed yet
  return paths.filter((path) => !path.startsWith('docs/img/') && statSync(join(ROOT, path), FOUND)?.isFile() === true)
}
const FOUND = { throwIfNoEntry: false } as const

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'portlight-how-to-'))
  for (const path of files()) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    copyFileSync(join(ROOT, path), join(copy, path))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  bin = mkdtempSync(join(tmpdir(), 'portlight-how-to-bin-'))
  symlinkSync(process.execPath, join(bin, 'bun'))
}, 120_000)
afterAll(() => {
  for (const folder of [copy, bin]) rmSync(folder, { recursive: true, force: true })
}, 120_000)

test.each(PAGES)('%s can be followed to the letter', (page) => {
  expect(changes(page).length).toBeGreaterThan(0)
  expect(commands(page).length).toBeGreaterThan(0)
  for (const step of changes(page)) apply(copy, step)
})

test('the checkout compiles afterwards', async () => {
  expect(await run('bun x tsc --noEmit --singleThreaded')).toBe('')
}, 600_000)

test.each(OTHERS)(
  '%s',
  async (command) => {
    expect(await run(command)).toBe('')
  },
  600_000,
)

test('the tests that the pages name pass', async () => {
  // as long as the runner of all tests gives them
  expect(await run(`${TESTS}--timeout 120000 ${[...FILES].join(' ')}`)).toBe('')
}, 600_000)
