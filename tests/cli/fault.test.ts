import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from '../../src/core/database/client.ts'
import { createLog } from '../../src/observe/log.ts'
import { attachEmbedded } from '../../src/postgres/embedded.ts'
import { storedFault } from '../api/tables/v1-faults.ts'
import { folderWithDatabase, type Outcome, portlight } from './support.ts'

setDefaultTimeout(180_000)

const folder = await folderWithDatabase()
const ids: number[] = []
beforeAll(async () => {
  await run('migrate')
  const server = await attachEmbedded(folder.dataDir, { log: createLog('silent') })
  const store = connect(server.url)
  for (const state of [1, 1, 0] as const) ids.push(await storedFault({ store }, { state }))
  await store.close()
  await server.stop()
}, 180_000)
afterAll(() => folder.remove())

const run = (...args: (string | number)[]): Promise<Outcome> =>
  portlight([...args.map(String), '--data-dir', folder.dataDir])
const json = async (...args: (string | number)[]): Promise<unknown> => JSON.parse((await run(...args, '--json')).out)

test('open faults are listed, the latest first, and others on request', async () => {
  const [first = 0, second = 0, third = 0] = ids
  expect(await json('fault', 'list')).toMatchObject([{ id: second }, { id: first }])
  expect(await json('fault', 'list', '--state', 'over')).toMatchObject([{ id: third, state: 0 }])
  expect(await json('fault', 'list', '--severity', 'warning')).toEqual([])
  const [{ alert_id: alert } = { alert_id: 0 }] = (await json('fault', 'list')) as { alert_id: number }[]
  expect(await json('fault', 'list', '--alert', alert, '--state', 'all')).toMatchObject([
    { id: second, alert_id: alert },
  ])
  expect(await json('fault', 'list', '--alert', alert + 1000)).toEqual([])
  expect(await run('fault', 'list', '--alert', 'x')).toMatchObject({ code: 2, out: '' })
  const one = await run('fault', 'list', '--limit', 1)
  expect(one.out).toMatch(/critical +active +\d{4}-\d\d-\d\dT\S+Z +fault\S+ +a port is down\n$/)
  expect(one.err).toBe('2 in all; --limit shows more\n')
  expect(await run('fault', 'list', '--device', 'nowhere')).toMatchObject({ code: 1, out: '' })
  expect(await run('fault', 'list', '--limit', 1001)).toMatchObject({ code: 2, out: '' })
  expect(await run('fault', 'list', '--state', 'weather')).toMatchObject({ code: 2, out: '' })
})

test('a fault is acknowledged, assigned, muted and noted, and shows what happened', async () => {
  const [id = 0, other = 0] = ids
  await run('user', 'add', 'ann', '--no-password', '--role', 'admin')
  const done = await run('fault', 'acknowledge', id, other, '--note', 'cable ordered', '--until', 'worse')
  expect(done).toMatchObject({
    code: 0,
    out: '',
    err: expect.stringContaining(`fault ${id} acknowledged: a port is down\n`),
  })
  expect(await json('fault', 'list', '--state', 'acknowledged')).toHaveLength(2)
  expect(await run('fault', 'unacknowledge', other)).toMatchObject({ err: `fault ${other} is active again\n` })
  expect(await run('fault', 'assign', id, 'ann')).toMatchObject({ err: `fault ${id} is assigned to ann\n` })
  expect(await json('fault', 'list', '--assigned-to', 'ann')).toMatchObject([{ id }])
  const year = new Date().getFullYear() + 1
  expect(await run('fault', 'mute', id, '--until', `${year}-01-31T12:00:00Z`)).toMatchObject({
    err: `fault ${id} is muted until ${year}-01-31T12:00:00.000Z\n`,
  })
  expect((await run('fault', 'list', '--assigned-to', 'ann')).out).toContain('acknowledged, muted')
  expect(await run('fault', 'unmute', id)).toMatchObject({ code: 0 })
  expect(await run('fault', 'note', id, 'on its way')).toMatchObject({ code: 0 })
  const { out } = await run('fault', 'show', id)
  expect(out).toMatch(/acknowledged until +it gets worse \(cli\)/)
  const { history } = (await json('fault', 'show', id)) as { history: { what: string; note: string; by: string }[] }
  expect(history.map(({ what, note, by }) => `${what} ${note} ${by}`)).toEqual([
    'began a port is down null',
    'acknowledged cable ordered cli',
    'assigned to ann cli',
    'muted  cli',
    'unmuted  cli',
    'note on its way cli',
  ])
  expect(await run('fault', 'assign', id)).toMatchObject({ err: `fault ${id} is assigned to nobody\n` })
})

test('what cannot be done is refused with the reason, and changes nothing', async () => {
  const [, active = 0, over = 0] = ids
  expect(await run('fault', 'acknowledge', active, over)).toMatchObject({
    code: 1,
    err: expect.stringContaining('is over'),
  })
  expect(await json('fault', 'list', '--state', 'active')).toMatchObject([{ id: active }])
  expect(await run('fault', 'show', 4711)).toMatchObject({
    code: 1,
    err: 'portlight: there is no fault 4711: portlight fault list shows those that there are\n',
  })
  for (const args of [
    ['show', 0],
    ['show', 'x'],
    ['acknowledge', active, '--until', 'tomorrow'],
    ['acknowledge', active, '--until', '2026-13-45T00:00:00Z'],
    ['mute', active, '--until', 'worse'],
  ])
    expect(await run('fault', ...args)).toMatchObject({ code: 2, out: '' })
  expect(await run('fault', 'mute', active, '--until', '2001-01-01T00:00:00Z')).toMatchObject({ code: 1 })
  expect(await run('fault', 'note', active, '  ')).toMatchObject({ code: 1, err: 'portlight: the note is empty\n' })
})
