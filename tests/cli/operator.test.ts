import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { folderWithDatabase, type Outcome, portlight } from './support.ts'

setDefaultTimeout(120_000)

const folder = await folderWithDatabase()
afterAll(() => folder.remove())
const { dataDir } = folder
const run = (...args: string[]): Promise<Outcome> => portlight([...args, '--data-dir', dataDir])

async function list(command: string): Promise<Record<string, unknown>[]> {
  const { out } = await run(command, 'list', '--json')
  return JSON.parse(out) as Record<string, unknown>[]
}

test('poller groups: add, list, edit, delete', async () => {
  expect((await run('poller-group', 'add', 'far', '--descr', 'away')).code).toBe(0)
  expect((await run('poller-group', 'add', 'FAR')).err).toContain('already exists')
  expect((await run('poller-group', 'add', '12')).err).toContain('must not be empty or a number')
  await run('poller-group', 'edit', 'far', '--name', 'near')
  expect(await list('poller-group')).toEqual([{ id: expect.any(Number), group_name: 'near', descr: 'away' }])
  await run('poller-group', 'delete', 'near', '--yes')
  expect(await list('poller-group')).toEqual([])
})

test('maintenance: add, list, delete', async () => {
  await run('device', 'add', 'sw1.example.net', '--force', '--community', 'x')
  expect((await run('maintenance', 'add', '--duration', '1:00')).code).toBe(2)
  const added = await run('maintenance', 'add', '--device', 'sw1.example.net', '--duration', '1:30', '--behavior', '2')
  expect(added).toMatchObject({ code: 0, err: 'maintenance 1 of sw1.example.net begins now and lasts 1:30 h\n' })
  await run('user', 'add', 'viewer')
  const given = await run('user', 'grant', 'viewer', '--device', 'sw1.example.net')
  expect(given).toMatchObject({ code: 0, err: 'viewer was given 1 grant and sees 1 device now\n' })
  const [one] = await list('maintenance')
  expect(one).toMatchObject({ target: 'device sw1.example.net', title: 'sw1.example.net', behavior: 2 })
  const weekly = ['--start', '2031-03-03 22:00', '--duration', '4:00', '--until', '2031-03-31', '--days', '1,3']
  expect((await run('maintenance', 'add', '--device', 'sw1.example.net', ...weekly)).code).toBe(0)
  expect((await list('maintenance'))[1]).toMatchObject({
    recurring: 1,
    recurring_day: '1,3',
    start: new Date(2031, 2, 3, 22).toISOString(),
    end: new Date(2031, 3, 1, 2).toISOString(),
  })
  await run('maintenance', 'delete', String((await list('maintenance'))[1]?.['schedule_id']), '--yes')
  expect((await run('maintenance', 'delete', String(one?.['schedule_id']), '--yes')).code).toBe(0)
  expect(await list('maintenance')).toEqual([])
})

test('schedule notes of a user', async () => {
  await run('user', 'add', 'alice', '--no-password')
  expect((await run('user', 'schedule-notes', 'alice', 'on')).code).toBe(0)
  expect((await run('user', 'schedule-notes', 'bob', 'on')).code).toBe(1)
})
