import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serverProcesses } from '../../src/postgres/postmaster.ts'
import { temporaryFolder } from '../cli/support.ts'
import { eventually } from '../support/eventually.ts'
import { asRoot, built, install, program, run, spawn } from './support.ts'

// The program of one file, as somebody gets it: alone in a folder.

setDefaultTimeout(180_000)

const NOBODY = 65534
const work = temporaryFolder()
afterAll(work.remove)
const portlight = program === null ? '' : install(work.path)

let count = 0
function folder(uid?: number): string {
  const path = join(work.path, String(count++))
  mkdirSync(path, { mode: 0o755 })
  if (uid !== undefined) chownSync(path, uid, uid)
  return path
}

const unpacked = (dataDir: string): string[] =>
  readdirSync(join(dataDir, 'postgres')).filter((name) => name.startsWith('postgresql-'))
const pgdata = (dataDir: string): string => join(dataDir, 'postgres', 'data')

/** Runs `serve` until `body` is done; resolves to its exit code. */
async function serving(
  args: readonly string[],
  options: Parameters<typeof spawn>[2],
  body: (greeting: string, stderr: () => Promise<string>) => Promise<void>,
): Promise<number> {
  const child = spawn(portlight, ['serve', '--port', '0', ...args], options)
  const log = child.stderr.text()
  const reader = child.stdout.getReader()
  const decoder = new TextDecoder()
  let greeting = ''
  const wanted = args.includes('--demo') ? 'A graph:' : 'Use it:'
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) throw new Error(`it ended: ${greeting} ${await log}`)
      greeting += decoder.decode(value, { stream: true })
      if (greeting.slice(greeting.indexOf(wanted)).includes('\n') && greeting.includes(wanted)) break
    }
    await body(greeting, () => log)
  } finally {
    child.kill('SIGTERM')
  }
  return await child.exited
}

/** The graph that the demonstration names is a picture. */
async function draws(greeting: string): Promise<void> {
  const answer = await fetch(/A graph: +(\S+)/.exec(greeting)?.[1] ?? '')
  const bytes = await answer.bytes()
  const kind = new TextDecoder().decode(bytes.subarray(1, 4))
  expect([answer.status, kind, bytes.length > 1000]).toEqual([200, 'PNG', true])
}

describe.skipIf(program === null)('the program', () => {
  const users = asRoot ? [NOBODY, undefined] : [undefined]
  test.each(users)('serves from an empty folder, in a folder that cannot be written to (user %s)', async (uid) => {
    const dataDir = join(folder(uid), 'data')
    const options = uid === undefined ? {} : { uid }
    // the demonstration takes a while, so only one user draws
    const demo = uid === users[0]
    const code = await serving([...(demo ? ['--demo'] : []), '--data-dir', dataDir], options, async (greeting) => {
      if (demo) await draws(greeting)
      const listed = await run(portlight, ['device', 'list', '--json', '--data-dir', dataDir], options)
      const devices: unknown = JSON.parse(listed.out)
      expect(Array.isArray(devices) && devices.length > 10).toBe(demo)
      // The database's user is never root, and can remove later what was unpacked for it.
      const [postmaster = 0] = serverProcesses(pgdata(dataDir))
      const { uid: user } = statSync(`/proc/${postmaster}`)
      expect(user).not.toBe(0)
      const place = join(dataDir, 'postgres', unpacked(dataDir)[0] ?? '')
      const owners = ['.', 'bin', 'bin/postgres', 'share'].map((path) => statSync(join(place, path)).uid)
      expect(owners).toEqual(owners.map(() => user))
    })
    expect([code, serverProcesses(pgdata(dataDir))]).toEqual([0, []])
    expect(unpacked(dataDir)).toHaveLength(1)
  })

  test('a second start uses what the first unpacked', async () => {
    const dataDir = folder()
    const inodes: number[] = []
    for (let i = 0; i < 2; i++) {
      expect(await run(portlight, ['migrate', '--create', '--data-dir', dataDir])).toMatchObject({ code: 0 })
      inodes.push(statSync(join(dataDir, 'postgres', unpacked(dataDir)[0] ?? '')).ino)
    }
    expect(inodes[1]).toBe(inodes[0])
  })

  test('two first starts at once unpack once', async () => {
    const dataDir = folder()
    const both = await Promise.all([0, 1].map(() => run(portlight, ['migrate', '--create', '--data-dir', dataDir])))
    expect(both.map(({ code, err }) => [code, /error|Error/.test(err)])).toEqual([
      [0, false],
      [0, false],
    ])
    expect(unpacked(dataDir)).toHaveLength(1)
  })

  test('a start that was killed while unpacking is made good by the next', async () => {
    const dataDir = folder()
    const child = spawn(portlight, ['migrate', '--create', '--data-dir', dataDir])
    const begun = (): boolean => {
      try {
        return unpacked(dataDir).some((name) => name.includes('.new-'))
      } catch {
        return false // no home yet
      }
    }
    while (!begun() && child.exitCode === null) await Bun.sleep(1)
    child.kill('SIGKILL')
    await child.exited
    expect(begun()).toBe(true)
    expect(await run(portlight, ['migrate', '--create', '--data-dir', dataDir])).toMatchObject({ code: 0 })
    expect(unpacked(dataDir).filter((name) => name.includes('.new-'))).toEqual([])
    expect(unpacked(dataDir)).toHaveLength(1)
  })

  test('files of the current folder are no settings', async () => {
    const cwd = folder()
    writeFileSync(join(cwd, '.env'), 'PORTLIGHT_PORT=nonsense\n')
    writeFileSync(join(cwd, 'evil.ts'), `console.log('loaded')\n`)
    writeFileSync(join(cwd, 'bunfig.toml'), 'preload = ["./evil.ts"]\n')
    const { code, out, err } = await run(portlight, ['config', 'check', '--data-dir', folder()], { cwd })
    expect([code, out, err]).toEqual([0, 'settings are valid\n', ''])
  })

  test('version says what it was made from', async () => {
    const { out } = await run(portlight, ['version', '--json'])
    const facts: unknown = JSON.parse(out)
    expect(facts).toMatchObject({ platform: `linux-${process.arch}`, bun: Bun.version })
    expect(facts).toHaveProperty('commit', expect.stringMatching(/^[0-9a-f]{40}$/))
    expect(facts).toHaveProperty('date', expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/))
    expect(facts).toHaveProperty('postgresql', expect.stringMatching(/^18\.\d+$/))
    expect((await run(portlight, ['--version'])).out).toMatch(/^portlight \d+\.\d+\.\d+ \(commit [0-9a-f]{12}/)
  })

  test('a folder without room for PostgreSQL is named', async () => {
    if (!asRoot) return console.warn('not root: a small disk is not tested')
    const disk = folder()
    Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=200m,mode=755', 'tmpfs', disk])
    const { code, err } = await run(portlight, ['serve', '--port', '0', '--data-dir', disk])
    Bun.spawnSync(['umount', '-l', disk])
    expect([code, err.split('\n').length]).toEqual([1, 2])
    expect(err).toMatch(/^portlight: .* is full/)
  })
})

describe.skipIf(program === null)('what is released with it', () => {
  test('checksums fit', () => {
    const checked = Bun.spawnSync(['sha256sum', '--check', '--quiet', 'SHA256SUMS'], { cwd: join(built(''), '..') })
    expect([checked.exitCode, checked.stderr.toString()]).toEqual([0, ''])
    for (const suffix of ['', '.cdx.json', '.map.gz', '.THIRD-PARTY-LICENSES'])
      expect(readFileSync(join(built(''), '../SHA256SUMS'), 'utf8')).toContain(`${built(suffix).split('/').at(-1)}\n`)
  })

  test('the program contains no source maps', () => {
    const bytes = readFileSync(built(''))
    // with source maps, the names of all sources are in it as they are; the documentation in it names a few too
    const source = 'src/postgres/start-log.ts'
    expect(bytes.includes(source)).toBe(false)
    const maps = Buffer.from(Bun.gunzipSync(readFileSync(built('.map.gz'))))
    expect(maps.includes(source)).toBe(true)
  })

  test('its list of materials names everything, with the program it belongs to', async () => {
    const list: unknown = JSON.parse(readFileSync(built('.cdx.json'), 'utf8'))
    expect(list).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' })
    expect(list).toHaveProperty('metadata.component.hashes', [
      { alg: 'SHA-256', content: Bun.SHA256.hash(readFileSync(built('')), 'hex') },
    ])
    const names = new Set(namesIn(list))
    const wanted = ['bun', 'postgresql', 'openssl', 'elysia', 'pino', 'oui-data', 'freetype', 'DejaVu Sans Condensed']
    expect(wanted.filter((name) => !names.has(name))).toEqual([])
    expect([...names].filter((name) => ['typescript', 'playwright-core', 'knip'].includes(name))).toEqual([])
    // every one of them is in the licences
    const { out } = await run(portlight, ['version', '--licenses'])
    expect(out.trim()).toBe(readFileSync(built('.THIRD-PARTY-LICENSES'), 'utf8').trim())
    expect([...names].filter((name) => !out.includes(name))).toEqual([])
  })
})

function namesIn(list: unknown): string[] {
  if (typeof list !== 'object' || list === null || !('components' in list) || !Array.isArray(list.components)) return []
  return list.components.flatMap((each: { name: string }) => [each.name, ...namesIn(each)])
}

test.skipIf(program === null)('a server that is killed leaves programs that its orphan still runs from', async () => {
  const dataDir = folder()
  const child = spawn(portlight, ['serve', '--port', '0', '--data-dir', dataDir])
  await eventually(() => Promise.resolve(serverProcesses(pgdata(dataDir)).length > 3 ? true : null))
  child.kill('SIGKILL')
  await child.exited
  expect(serverProcesses(pgdata(dataDir)).length).toBeGreaterThan(0)
  expect(await run(portlight, ['migrate', '--create', '--data-dir', dataDir])).toMatchObject({ code: 0 })
  expect(await run(portlight, ['migrate', '--create', '--data-dir', dataDir])).toMatchObject({ code: 0 })
  expect(await serving(['--data-dir', dataDir], {}, () => Promise.resolve())).toBe(0)
  expect(serverProcesses(pgdata(dataDir))).toEqual([])
})
