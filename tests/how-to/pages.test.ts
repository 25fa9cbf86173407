import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { apply, type Step, stepsOf } from './page.ts'

/** The how-tos for contributors. All of them are followed in one copy of the checkout, so that it is compiled once. */
const PAGES = ['add-a-vendor', 'add-a-module', 'add-a-kind', 'add-a-transport', 'add-a-list-column']

const ROOT = join(import.meta.dir, '../..')
let copy = ''

const STEPS: ReadonlyMap<string, readonly Step[]> = new Map(
  PAGES.map((page) => [page, stepsOf(readFileSync(join(ROOT, `docs/how-to/${page}.md`), 'utf8'))]),
)
const changes = (page: string) => (STEPS.get(page) ?? []).filter((step) => step.kind !== 'command')
const commands = (page: string) =>
  (STEPS.get(page) ?? []).flatMap((step) => (step.kind === 'command' ? [step.command] : []))

/** Runs a command of a page in the copy; the answer is what it printed, with its exit code if that is not 0. */
async function run(command: string): Promise<string> {
  const words = command.split(' ').map((word, i) => (i === 0 && word === 'bun' ? process.execPath : word))
  const process_ = Bun.spawn(words, { cwd: copy, stdout: 'pipe', stderr: 'pipe', env: { ...process.env, CI: '' } })
  const [out, err, code] = await Promise.all([
    new Response(process_.stdout).text(),
    new Response(process_.stderr).text(),
    process_.exited,
  ])
  return code === 0 ? '' : `${command} ended with ${code}:\n${out}${err}`
}

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'portlight-how-to-'))
  const listed = Bun.spawnSync(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  for (const path of listed.stdout.toString().split('\0')) {
    // a file that was deleted and not committed yet is listed too
    if (path === '' || path.startsWith('docs/img/') || !existsSync(join(ROOT, path))) continue
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    cpSync(join(ROOT, path), join(copy, path), { verbatimSymlinks: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
}, 120_000)
afterAll(() => rmSync(copy, { recursive: true, force: true }))

test.each(PAGES)('%s can be followed to the letter', (page) => {
  expect(changes(page).length).toBeGreaterThan(0)
  expect(commands(page).length).toBeGreaterThan(0)
  for (const step of changes(page)) apply(copy, step)
})

test('the checkout compiles afterwards', async () => {
  expect(await run('bun x tsc --noEmit')).toBe('')
}, 600_000)

describe.each(PAGES)('%s', (page) => {
  test.each(commands(page))(
    '%s',
    async (command) => {
      expect(await run(command)).toBe('')
    },
    600_000,
  )
})
