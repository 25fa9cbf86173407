import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../support/eventually.ts'
import { portlight, type Served, startServe, temporaryFolder } from './support.ts'

setDefaultTimeout(180_000)

// A separate disk for the database, filled by another program.
const SIZE_MIB = 700
const folder = temporaryFolder()
const disk = join(folder.path, 'disk')
const dataDir = join(disk, 'data')
const filling = join(disk, 'filling')
const log = join(folder.path, 'log')
let server: Served | null = null

mkdirSync(disk)
const mounted =
  process.getuid?.() === 0 &&
  Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${SIZE_MIB}m,mode=755`, 'tmpfs', disk]).success
if (!mounted) console.warn('a tmpfs cannot be mounted here (not root?): full disks are not tested')

afterAll(async () => {
  server?.process.kill('SIGTERM')
  await server?.process.exited
  if (mounted) Bun.spawnSync(['umount', '-l', disk])
  folder.remove()
})

/** Fills the disk except for `leftMib`. */
function fill(leftMib: number): void {
  rmSync(filling, { force: true })
  const { bavail, bsize } = statfsSync(disk)
  const size = bavail * bsize - leftMib * 2 ** 20
  expect(Bun.spawnSync(['fallocate', '-l', String(Math.floor(size)), filling]).success).toBe(true)
}

test.if(mounted)('no database is created on a full disk', async () => {
  fill(50)
  const { code, out, err } = await portlight(['serve', '--port', '0', '--data-dir', dataDir])
  expect({ code, out, err }).toEqual({
    code: 1,
    out: '',
    err: `portlight: the disk of ${dataDir} is full: 50 MiB are free and the database needs 320; make room or use another --data-dir\n`,
  })
  expect(readdirSync(disk)).toEqual(['filling'])
})

test.if(mounted)('a disk that fills up during initdb leaves no partial database', async () => {
  rmSync(filling, { force: true })
  mkdirSync(join(dataDir, 'postgres'), { recursive: true, mode: 0o755 })
  const small = join(dataDir, 'postgres')
  Bun.spawnSync(['chown', 'nobody', small])
  expect(Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=330m,mode=700,uid=65534', 'tmpfs', small]).success).toBe(
    true,
  )
  try {
    // enough space at the start, none left while initdb runs
    const filler = Bun.spawn([
      'sh',
      '-c',
      `while [ ! -e '${small}'/data.new-*/base ]; do :; done; fallocate -l 310M '${small}/filling'`,
    ])
    const { code, err } = await portlight(['serve', '--port', '0', '--data-dir', dataDir, '--log-level', 'silent'])
    await filler.exited
    expect({ code, err }).toEqual({
      code: 1,
      err: `portlight: the disk of ${small} is full, the database cannot be created: make room or use another --data-dir\n`,
    })
    expect(readdirSync(small).filter((name) => name.startsWith('data'))).toEqual([])
  } finally {
    Bun.spawnSync(['umount', '-l', small])
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test.if(mounted)(
  'a disk that fills up while the server runs: reads continue, writes are refused, and all recover',
  async () => {
    server = await startServe(dataDir, log, ['--set', 'poller.interval=10', '--demo'])
    const { url } = server
    const made = await portlight(['token', 'create', '--user', 'admin', '--data-dir', dataDir])
    const headers = { 'X-Auth-Token': made.out.trim(), 'Content-Type': 'application/json' }
    const get = async (path: string) => {
      const answer = await fetch(`${url}/api/v0/${path}`, { headers })
      return { status: answer.status, json: (await answer.json()) as Record<string, unknown> }
    }
    const addLocation = async (location: string) => {
      const body = JSON.stringify({ location, lat: 1, lng: 1 })
      const answer = await fetch(`${url}/api/v0/locations`, { method: 'POST', headers, body })
      return { status: answer.status, json: (await answer.json()) as Record<string, unknown> }
    }
    const metric = async (name: string) => {
      const text = await (await fetch(`${url}/metrics`)).text()
      const found = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))]
      return found.length === 0 ? Number.NaN : found.reduce((sum, [, value]) => sum + Number(value), 0)
    }
    expect((await addLocation('before')).status).toBeLessThan(300)
    await eventually(async () => ((await metric('portlight_samples_written_total')) > 0 ? true : null))

    fillUp()
    const refused = await eventually(async () => {
      const answer = await addLocation('meanwhile')
      return answer.status === 503 ? answer : null
    })
    expect(refused.json['message']).toBe(
      'the database takes no writes at the moment: its disk is full, or it is read-only',
    )
    expect(await get('devices')).toMatchObject({ status: 200, json: { status: 'ok' } })
    await eventually(async () => ((await metric('portlight_samples_waiting')) > 0 ? true : null))
    expect(await get('devices')).toMatchObject({ status: 200, json: { status: 'ok' } })
    const listed = await portlight(['device', 'list', '--data-dir', dataDir])
    expect(listed.code).toBe(0)
    expect(linesWith('the disk is full')).toBe(1)

    rmSync(filling)
    await eventually(async () => ((await addLocation('after')).status < 300 ? true : null))
    await eventually(async () => ((await metric('portlight_samples_waiting')) === 0 ? true : null))
    expect(linesWith('there is room on the disk again')).toBe(1)
    expect(await metric('portlight_samples_dropped_total')).toBe(0)
    const events = await eventually(async () => {
      const { json } = await get('logs/eventlog?limit=1000')
      const messages = (json['logs'] as { message: string }[]).map((event) => event.message)
      // the first one had to wait for free space and may come second
      const both = ['There is room', 'The disk of'].every((text) =>
        messages.some((message) => message.startsWith(text)),
      )
      return both ? messages : null
    })
    expect(events.filter((message) => message.startsWith('The disk of the database is full'))).toHaveLength(1)
  },
)

test.if(mounted)('a server does not start on a full disk, and its data is unchanged', async () => {
  server?.process.kill('SIGTERM')
  expect(await server?.process.exited).toBe(0)
  server = null
  fill(20)
  const { code, err } = await portlight(['serve', '--port', '0', '--data-dir', dataDir])
  expect({ code, err }).toEqual({
    code: 1,
    err: `portlight: the disk of ${join(dataDir, 'postgres')} is full: 20 MiB are free and the database needs 96; make room or use another --data-dir\n`,
  })
  rmSync(filling)
  expect((await portlight(['user', 'list', '--data-dir', dataDir])).code).toBe(0)
})

/** Leaves no free space, even while others write. */
function fillUp(): void {
  const { stderr } = Bun.spawnSync(['sh', '-c', `cat /dev/zero > '${filling}'`], { stderr: 'pipe' })
  expect(stderr.toString()).toContain('No space left')
}

function linesWith(text: string): number {
  return readFileSync(log, 'utf8').split(text).length - 1
}
