import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { serverProcesses } from '../../src/postgres/postmaster.ts'
import { eventually } from '../support/eventually.ts'
import { type Outcome, portlight, spawnServe, startServe, temporaryFolder } from './support.ts'

setDefaultTimeout(120_000)

// A failed start prints one sentence that says what to do, exits with code 1 and leaves nothing behind.
const folder = temporaryFolder()
afterAll(() => folder.remove())

const asRoot = process.getuid?.() === 0
const NOBODY = 65_534

function serve(dataDir: string, ...args: string[]): Promise<Outcome> {
  return portlight(['serve', '--data-dir', dataDir, ...(args.includes('--port') ? [] : ['--port', '0']), ...args])
}

/** The only line on stderr, without the program's name. */
function sentence({ code, out, err }: Outcome): string {
  expect({ code, out, lines: err.trim().split('\n').length }).toEqual({ code: 1, out: '', lines: 1 })
  return err.trim().replace(/^portlight: /, '')
}

describe('the address of the API', () => {
  test('a port in use is detected before anything is created', async () => {
    const taken = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
    const dataDir = join(folder.path, 'port')
    const said = sentence(await serve(dataDir, '--port', String(taken.port)))
    taken.stop(true)
    expect(said).toBe(`127.0.0.1:${taken.port} is in use by another program: stop it, or choose another --port`)
    expect(existsSync(dataDir)).toBe(false)
  })

  test('an address of another machine is detected too', async () => {
    const dataDir = join(folder.path, 'address')
    expect(sentence(await serve(dataDir, '--listen', '192.0.2.1', '--port', '8123'))).toBe(
      'this machine does not have the address 192.0.2.1: choose another --listen',
    )
    expect(existsSync(dataDir)).toBe(false)
  })
})

describe('a data folder that cannot be used', () => {
  const unusable = (path: string, reason: string) =>
    `${path} cannot be used as the data folder: ${reason}; choose another --data-dir`

  test('is a file, or is inside a file', async () => {
    const file = join(folder.path, 'file')
    writeFileSync(file, 'kept')
    for (const path of [file, join(file, 'below')]) {
      expect(sentence(await serve(path))).toBe(unusable(path, 'it is a file, or a part of its path is one'))
    }
    expect(await Bun.file(file).text()).toBe('kept')
  })

  test('has a path that is invalid on any file system', async () => {
    const path = join(folder.path, 'x'.repeat(300))
    expect(sentence(await serve(path))).toBe(unusable(path, 'its path is too long'))
  })

  test('cannot be created where it should be', async () => {
    expect(sentence(await serve('/proc/portlight/data'))).toBe(
      unusable('/proc/portlight/data', 'its parent folder does not exist and cannot be created'),
    )
  })

  test('has a path that is too long for a socket, and so has the folder for temporary files', async () => {
    const dataDir = join(folder.path, 'deep', 'y'.repeat(100))
    const TMPDIR = join(folder.path, 'z'.repeat(100))
    mkdirSync(TMPDIR)
    const said = sentence(await portlight(['serve', '--port', '0', '--data-dir', dataDir], { env: { TMPDIR } }))
    expect(said).toContain('too long for the path of a unix socket')
    expect(said).toContain('use a shorter --data-dir or TMPDIR')
  })

  if (!asRoot) console.warn('not root: skipping the test that a data folder of another user is refused')

  /** Runs the command as user nobody. */
  async function serveAsNobody(dataDir: string): Promise<Outcome> {
    return await portlight(['serve', '--port', '0', '--data-dir', dataDir], { uid: NOBODY })
  }

  test.if(asRoot)('is not writable for this user', async () => {
    const closed = join(folder.path, 'closed')
    mkdirSync(closed)
    chmodSync(closed, 0o555)
    for (const path of [closed, join(closed, 'below')]) {
      expect(sentence(await serveAsNobody(path))).toBe(unusable(path, 'this user may not write there'))
    }
    expect(readdirSync(closed)).toEqual([])
  })

  test.if(asRoot)('contains the database of another user', async () => {
    const other = join(folder.path, 'other')
    mkdirSync(join(other, 'postgres'), { recursive: true })
    chownSync(join(other, 'postgres'), 1, 1)
    expect(sentence(await serveAsNobody(other))).toMatch(
      /^the database folder belongs to user \w+: run as that user or as root$/,
    )
  })
})

describe('a damaged database', () => {
  const sound = join(folder.path, 'sound')
  const dataDir = join(folder.path, 'damaged')
  const data = join(dataDir, 'postgres', 'data')
  beforeAll(async () => {
    expect(await portlight(['migrate', '--create', '--data-dir', sound])).toMatchObject({ code: 0 })
  })

  const DAMAGES: readonly (readonly [name: string, hurt: () => void, reason: string])[] = [
    [
      'a corrupt pg_control',
      () => {
        const path = join(data, 'global', 'pg_control')
        const text = readFileSync(path)
        writeFileSync(path, text.fill(0xff, 48, 64))
      },
      'incorrect checksum in control file',
    ],
    ['an empty pg_control', () => truncateSync(join(data, 'global', 'pg_control')), 'pg_control'],
    ['no pg_control', () => rmSync(join(data, 'global', 'pg_control')), 'pg_control'],
    [
      'no write-ahead log',
      () => {
        for (const name of readdirSync(join(data, 'pg_wal')).filter((file) => /^[0-9A-F]{24}$/.test(file)))
          rmSync(join(data, 'pg_wal', name))
      },
      'checkpoint',
    ],
    ['no version', () => rmSync(join(data, 'PG_VERSION')), 'PG_VERSION is missing'],
    ['an empty version', () => truncateSync(join(data, 'PG_VERSION')), 'PG_VERSION is unreadable'],
    ['no tables', () => rmSync(join(data, 'base'), { recursive: true }), ''],
  ]
  for (const [name, hurt, reason] of DAMAGES) {
    test(name, async () => {
      rmSync(dataDir, { recursive: true, force: true })
      // cp -a preserves owners, cpSync does not
      expect(Bun.spawnSync(['cp', '-a', sound, dataDir]).success).toBe(true)
      hurt()
      const said = sentence(await portlight(['serve', '--port', '0', '--data-dir', dataDir, '--log-level', 'silent']))
      expect(said).toContain('is damaged')
      expect(said).toContain(reason)
      expect(said).toContain('from a backup')
      const log = /the log is (\S+)$/.exec(said)?.[1]
      if (log !== undefined) expect(existsSync(log)).toBe(true)
      expect(serverProcesses(data)).toEqual([])
    })
  }
})

describe('the first password', () => {
  test('is replaced if it was never shown', async () => {
    const dataDir = join(folder.path, 'password')
    const server = await startServe(dataDir, join(folder.path, 'log'))
    const greeted = /user admin, password (\S+)/.exec(server.greeting)?.[1] ?? ''
    expect(server.greeting).toContain(`user reset-password admin --data-dir ${dataDir}`)
    const reset = await portlight(['user', 'reset-password', 'admin', '--data-dir', dataDir])
    expect(reset.code).toBe(0)
    expect(reset.out).toMatch(/^\S{16}\n$/)
    expect(reset.out.trim()).not.toBe(greeted)
    const given = await portlight(['user', 'reset-password', 'admin', '--password-stdin', '--data-dir', dataDir], {
      input: 'correct horse battery\n',
    })
    expect(given).toMatchObject({ code: 0, out: '' })
    const nobody = await portlight(['user', 'reset-password', 'bob', '--data-dir', dataDir])
    expect(nobody).toMatchObject({ code: 1, out: '', err: expect.stringContaining('there is no user bob') })
    server.process.kill('SIGTERM')
    expect(await server.process.exited).toBe(0)
  })

  test('a server with a closed stdout keeps running and logs how to set a password', async () => {
    const dataDir = join(folder.path, 'unread')
    const log = join(folder.path, 'unread.log')
    const child = spawnServe(dataDir, log)
    await child.stdout.cancel()
    await eventually(async () => ((await Bun.file(log).text()).includes('stdout is closed') ? true : null))
    expect(await Bun.file(log).text()).toContain('user reset-password admin')
    const reset = await portlight(['user', 'reset-password', 'admin', '--data-dir', dataDir])
    expect(reset).toMatchObject({ code: 0, out: expect.stringMatching(/^\S{16}\n$/) })
    expect(child.exitCode).toBe(null)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  })
})
