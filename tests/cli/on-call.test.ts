import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { folderWithDatabase, type Outcome, portlight } from './support.ts'

setDefaultTimeout(180_000)

const folder = await folderWithDatabase()
afterAll(() => folder.remove())
const run = (...args: string[]): Promise<Outcome> => portlight([...args, '--data-dir', folder.dataDir])
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out) as Record<string, unknown>[]

test('a schedule from its first hand-over to its deletion', async () => {
  for (const user of ['ann', 'ben']) await run('user', 'add', user, '--no-password')
  const begins = ['--zone', 'Europe/Berlin', '--begins', '2026-01-05 08:00']
  const added = await run('on-call', 'add', 'NOC', ...begins, '--person', 'ann', '--person', 'ben', '--turn', '500d')
  expect(added).toMatchObject({ code: 1, err: expect.stringContaining('from 1 to 366') })
  expect(await run('on-call', 'add', 'NOC', ...begins, '--person', 'ann', '--turn', '1y')).toMatchObject({ code: 2 })
  expect(await run('on-call', 'add', 'NOC', ...begins, '--person', 'ann', '--person', 'ben')).toMatchObject({
    code: 0,
    err: 'on-call schedule NOC added with id 1\n',
  })
  const [now] = await json('on-call', 'now')
  expect(now).toMatchObject({ schedule: 'NOC', person: expect.stringMatching(/^(ann|ben)$/), reachable: false })
  expect((await run('on-call', 'now')).out).toContain('(no transport)')

  const other = now?.['person'] === 'ann' ? 'ben' : 'ann'
  const over = await run('on-call', 'override', 'noc', other, '--to', '2099-01-01 08:00')
  expect(over).toMatchObject({ code: 1, err: expect.stringContaining('a year at most') })
  expect(await run('on-call', 'override', 'noc', other, '--to', 'tomorrow')).toMatchObject({ code: 2 })
  const year = new Date().getFullYear() + 1
  const stand = ['--from', `${year}-01-01 00:00`, '--to', `${year}-01-02 00:00`]
  expect(await run('on-call', 'override', 'NOC', other, ...stand)).toMatchObject({ code: 0 })
  const shifts = await json('on-call', 'shifts', 'NOC', '--days', '100')
  expect(shifts.length).toBeGreaterThan(13)
  expect(await run('on-call', 'shifts', 'NOC', '--days', '101')).toMatchObject({ code: 2 })

  const calendar = await run('on-call', 'calendar', 'NOC')
  expect(calendar.out).toMatch(/^\/on-call\/calendar\/1-[\w-]{24}\.ics\n$/)
  expect(calendar.err).toContain('alert.graph_url')
  expect((await run('on-call', 'calendar', 'NOC')).out).toBe(calendar.out)
  expect((await run('on-call', 'calendar', 'NOC', '--renew')).out).not.toBe(calendar.out)
  expect((await run('on-call', 'calendar', 'NOC', '--close')).out).toBe('')

  expect(await run('on-call', 'delete', 'NOC')).toMatchObject({ code: 2 })
  expect(await run('on-call', 'delete', 'NOC', '--yes')).toMatchObject({ code: 0 })
  expect(await json('on-call', 'now')).toEqual([])
  expect(await run('on-call', 'shifts', 'NOC')).toMatchObject({ code: 1 })
})

test('how a user is reached', async () => {
  const webhook = ['transport', 'add', 'webhook', '--url', 'https://hook.example.net/']
  await run(...webhook, '--name', 'push')
  await run(...webhook, '--name', 'sms')
  expect(await run('on-call', 'reach', 'ann')).toMatchObject({ code: 0, out: '' })
  const two = ['--transport', 'sms', '--transport', 'Push']
  expect(await run('on-call', 'reach', 'ann', ...two, '--quiet', '22-7', '--zone', 'UTC')).toMatchObject({ code: 1 })
  expect(await run('on-call', 'reach', 'ann', '--transport', 'pigeon')).toMatchObject({ code: 1 })
  const set = await run('on-call', 'reach', 'ann', ...two, '--quiet', '22:00-07:00', '--zone', 'Europe/Berlin')
  expect(set.out).toMatch(/1 {2}sms +22:00-07:00 Europe\/Berlin +critical\n +2 {2}push/)
  const more = ['--quiet', '22:00-07:00', '--quiet', '6-7 07:00-10:00', '--zone', 'Europe/Berlin']
  expect((await run('on-call', 'reach', 'ann', ...two, ...more)).out).toMatch(
    /1 {2}sms +22:00-07:00; 6,7 07:00-10:00 Europe\/Berlin +critical/,
  )
  for (const bad of ['8 22:00-07:00', '22:00', 'Mo 22:00-07:00', '25:00-07:00', ''])
    expect(await run('on-call', 'reach', 'ann', ...two, '--quiet', bad)).not.toMatchObject({ code: 0 })
  expect(await run('on-call', 'reach', 'ann', ...two, ...more, '--quiet', '22:00-7:00')).toMatchObject({ code: 1 })
  expect(await json('on-call', 'reach', 'ann', '--none')).toEqual([])
})
