import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runPlugin } from '../../../src/core/checks/run/plugin.ts'
import { findPlugin } from '../../../src/core/checks/types.ts'
import { eventually } from '../../support/eventually.ts'
import { hasPlugins, PLUGINS, serveTcp } from './support.ts'

setDefaultTimeout(60_000)
const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'portlight-plugins-'))
  folders.push(made)
  return made
}

function script(text: string, mode = 0o755): string {
  const path = join(folder(), 'check_own')
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, mode)
  return path
}

const run = (path: string, args: readonly string[] = [], timeoutMs = 20_000) => runPlugin({ path, args, timeoutMs })

test.skipIf(!hasPlugins())('Debian’s plugins: state, message and performance data', async () => {
  const server = await serveTcp((socket) => socket.end('220 ready\r\n'))
  try {
    const ok = await run(`${PLUGINS}/check_tcp`, ['-H', '127.0.0.1', '-p', String(server.port), '-e', '220'])
    expect(ok).toMatchObject({ status: 0, measured: [{ label: 'time', unit: 's', value: expect.any(Number) }] })
    expect(ok.message).toStartWith('TCP OK - ')
  } finally {
    server.close()
  }
  const refused = await run(`${PLUGINS}/check_tcp`, ['-H', '127.0.0.1', '-p', '1'])
  expect(refused).toMatchObject({ status: 2, message: expect.stringContaining('refused'), measured: [] })
  expect(await run(`${PLUGINS}/check_dummy`, ['3', 'odd'])).toMatchObject({ status: 3, message: 'UNKNOWN: odd' })
  const usage = await run(`${PLUGINS}/check_tcp`, ['--nonsense'])
  expect(usage.status).toBe(3)
})

test('a plugin gets its arguments unchanged, a minimal environment and empty input', async () => {
  const path = script('printf "%s|" "$@"; env | sort | tr "\\n" " " >&2; cat; exit 0')
  expect(await run(path, ['$HOME; echo x', '`id`', "a 'b'"])).toMatchObject({ status: 0, message: '$HOME; echo x' })
  const said = await run(script('env | grep -v "^_=\\|^PWD=" | cut -d= -f1 | sort | tr "\\n" ","'))
  expect(said.message).toBe('HOME,LC_ALL,PATH,TZ,')
})

test.each([
  ['exit 4', 3, 'exit code 4: check_own printed nothing'],
  ['echo oops >&2; exit 1', 1, 'oops'],
  ['kill -TERM $$', 3, 'ended by SIGTERM: check_own printed nothing'],
  ['echo; exit 0', 0, 'OK - check_own printed nothing and ended with exit code 0'],
] as const)('%s', async (text, status, message) => {
  expect(await run(script(text))).toMatchObject({ status, message })
})

test('a plugin that does not end is killed with everything that it started', async () => {
  const pids = join(folder(), 'pids')
  const path = script(`sleep 1000 & echo $! > ${pids}; (sleep 1000 & echo $! >> ${pids}; wait) & wait`)
  const result = await run(path, [], 500)
  expect(result).toEqual({ status: 2, message: 'CRITICAL - the check was killed after 0.5 s', measured: [] })
  const started = readFileSync(pids, 'utf8').trim().split('\n')
  expect(started).toHaveLength(2)
  for (const pid of started) await eventually(async () => (isRunning(pid) ? null : true))
})

test('a process that a plugin leaves behind does not delay the check, and is killed', async () => {
  const pids = join(folder(), 'pids')
  const result = await run(script(`sleep 1000 & echo $! > ${pids}; echo "OK | a=1"; exit 0`))
  expect(result).toEqual({ status: 0, message: 'OK', measured: [{ label: 'a', value: 1, unit: '' }] })
  await eventually(async () => (isRunning(readFileSync(pids, 'utf8').trim()) ? null : true))
})

test('endless output is read, and dropped beyond the first bytes', async () => {
  const result = await run(script('echo "first line"; head -c 20000000 /dev/zero | tr "\\0" x; exit 1'))
  expect(result).toMatchObject({ status: 1, message: 'first line' })
})

test('a plugin that is missing or cannot be run gives state unknown', async () => {
  expect((await run('/nonexistent/check_x')).status).toBe(3)
  expect((await run(script('exit 0', 0o644))).status).toBe(3)
})

test('only executable files in the folders are plugins', async () => {
  const [one, two, elsewhere] = [folder(), folder(), folder()]
  const put = (where: string, name: string, mode = 0o755) => {
    writeFileSync(join(where, name), '#!/bin/sh\nexit 0\n')
    chmodSync(join(where, name), mode)
  }
  put(one, 'check_a')
  put(two, 'check_a')
  put(two, 'check_b')
  put(one, 'check_plain', 0o644)
  put(one, 'check_open', 0o777)
  put(elsewhere, 'check_out')
  mkdirSync(join(one, 'check_folder'))
  symlinkSync(join(two, 'check_b'), join(one, 'check_link'))
  symlinkSync(join(elsewhere, 'check_out'), join(one, 'check_out'))
  const find = (type: string) => findPlugin([one, two, '/nonexistent'], type)
  expect(await find('a')).toBe(join(one, 'check_a'))
  expect(await find('b')).toBe(join(two, 'check_b'))
  expect(await find('link')).toBe(join(one, 'check_link'))
  for (const type of ['plain', 'open', 'folder', 'out', 'none', '../x', 'a/../b', ''])
    expect(await find(type)).toBeNull()
})

/** A zombie counts as ended: in a container there may be no process that reaps it. */
function isRunning(pid: string): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
