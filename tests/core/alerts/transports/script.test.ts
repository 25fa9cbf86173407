import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../../cli/support.ts'
import { eventually } from '../../../support/eventually.ts'
import { delivering, huge, never, notification, SECRET } from './support.ts'

setDefaultTimeout(60_000)

const folder = temporaryFolder()
const allowed = join(folder.path, 'allowed')
const out = join(folder.path, 'out')

function program(name: string, text: string, where = allowed): string {
  const path = join(where, name)
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
  return path
}

beforeAll(() => mkdirSync(allowed))
afterAll(() => folder.remove())

const run = (settings: Readonly<Record<string, unknown>>, given = notification(), signal = never) =>
  delivering({ 'alert.script_dirs': allowed })({ kind: 'script', settings }, given, signal)

test('off unless a folder is set', async () => {
  const path = program('never', `touch ${out}.never`)
  const delivery = await delivering()({ kind: 'script', settings: { path } }, notification(), never)
  expect(delivery).toMatchObject({ kind: 'refused', reason: expect.stringContaining('alert.script_dirs') })
  expect(await Bun.file(`${out}.never`).exists()).toBe(false)
})

test('only programs in that folder, after resolving symlinks', async () => {
  const outside = program('outside', `touch ${out}.outside`, folder.path)
  symlinkSync(outside, join(allowed, 'link'))
  const sub = join(allowed, 'sub')
  mkdirSync(sub)
  const below = program('below', `touch ${out}.outside`, sub)
  for (const path of [
    outside,
    join(allowed, 'link'),
    below,
    `${allowed}/../outside`,
    '/bin/true',
    join(allowed, 'absent'),
  ])
    expect([path, (await run({ path })).kind]).toEqual([path, 'refused'])
  expect(await Bun.file(`${out}.outside`).exists()).toBe(false)
})

test('unchanged arguments, JSON on stdin, and a small environment', async () => {
  process.env['PORTLIGHT_TEST_SECRET'] = SECRET
  const path = program(
    'report',
    `printf '%s\\n' "$@" > ${out}.args; env > ${out}.env; cat > ${out}.json; pwd > ${out}.cwd`,
  )
  const args = ['$(touch x)', 'a b', '"; rm', "'"]
  try {
    expect(await run({ path, arguments: args })).toEqual({ kind: 'delivered' })
  } finally {
    delete process.env['PORTLIGHT_TEST_SECRET']
  }
  expect(readFileSync(`${out}.args`, 'utf8')).toBe(`${args.join('\n')}\n`)
  expect(JSON.parse(readFileSync(`${out}.json`, 'utf8'))).toMatchObject({ version: 1, alertId: 42, kind: 'alert' })
  const env = readFileSync(`${out}.env`, 'utf8')
  expect(env).toContain('PORTLIGHT_HOSTNAME=core1.example.net\n')
  expect(env).not.toContain(SECRET)
  expect(env.split('\n').filter((line) => /^(HOME|DATABASE_URL|USER)=/.test(line))).toEqual([])
  expect(readFileSync(`${out}.cwd`, 'utf8')).toBe('/\n')
})

test.each([
  ['exit 0', 'delivered'],
  ['exit 75', 'retry'],
  ['exit 1', 'refused'],
  ['kill -9 $$', 'retry'],
] as const)('%s: %s', async (text, kind) => {
  expect((await run({ path: program('ends', text) })).kind).toBe(kind)
})

test('a program that does not read its input, or writes endlessly', async () => {
  expect((await run({ path: program('deaf', 'exit 0') }, huge())).kind).toBe('delivered')
  expect((await run({ path: program('loud', 'head -c 5000000 /dev/zero') })).kind).toBe('delivered')
})

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

test('the timeout kills the program and what it started', async () => {
  const path = program('slow', `sleep 600 & echo $! > ${out}.pid; sleep 600`)
  expect(await run({ path, timeout: '1' })).toMatchObject({ kind: 'retry', reason: expect.stringContaining('1 s') })
  const pid = Number(readFileSync(`${out}.pid`, 'utf8'))
  expect(pid).toBeGreaterThan(1)
  await eventually(() => Promise.resolve(!alive(pid) || null))
})

test('so does stopping Portlight', async () => {
  const abort = new AbortController()
  const path = program('stopped', `sleep 600 & echo $! > ${out}.pid2; sleep 600`)
  const running = run({ path, timeout: '300' }, notification(), abort.signal)
  const pid = async () =>
    Number(
      await Bun.file(`${out}.pid2`)
        .text()
        .catch(() => '0'),
    )
  await eventually(async () => (await pid()) > 1 || null)
  abort.abort()
  expect((await running).kind).toBe('retry')
  const child = await pid()
  await eventually(() => Promise.resolve(!alive(child) || null))
})
