import { afterAll, beforeAll, expect, test } from 'bun:test'
import { makeDevice } from '../support/samples.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

const MARKUP = `<img src=x onerror=alert(1)>"'</script><u>\u202e\u0007`

let web: TestWeb
let admin: Person
let user: Person
let mine: number
let other: number
beforeAll(async () => {
  web = await testWeb()
  const { store } = web.api
  mine = (await makeDevice(store, 1)).deviceId
  other = (await makeDevice(store, 1)).deviceId
  admin = await web.signedIn(['admin'])
  user = await web.signedIn(['user'])
  await web.api.services.users.grant(user.username, { deviceIds: [mine] })
  await store.sql`
    insert into syslog (device_id, facility, priority, level, tag, "timestamp", program, msg)
    select case when n % 2 = 0 then ${mine}::int else ${other}::int end, 'local7', (array['err', 'info'])[1 + n % 2], 'err', '', now() - n * interval '1 second',
      'SSHD', 'message ' || n || '.' from generate_series(1, 250) n`
  await store.sql`
    insert into syslog (device_id, priority, "timestamp", program, msg)
    values (${mine}, ${MARKUP}, now() - interval '1 hour', ${MARKUP}, ${MARKUP})`
})
afterAll(() => web.drop())

const open = async (path: string, person: Person) => await (await web.send(path, { cookie: person.cookie })).text()
const messages = (page: string) =>
  [...page.matchAll(/class="msg" dir="auto">message (\d+)\.</g)].map((match) => Number(match[1]))

test('paging by key returns every row once, newest first', async () => {
  let next: string | undefined = '/logs/syslog'
  const seen: number[] = []
  for (let pages = 0; next !== undefined && pages < 10; pages++) {
    const page: string = await open(next, admin)
    seen.push(...messages(page))
    const link: string | undefined = /rel="next" href="([^"]+)"/.exec(page)?.[1]
    next = link === undefined ? undefined : `/logs/syslog${link.replaceAll('&amp;', '&')}`
  }
  expect(seen).toEqual(Array.from({ length: 250 }, (_, i) => i + 1))
})

test('filters are in the URL', async () => {
  expect(messages(await open('/logs/syslog?q=message%2017.', admin))).toEqual([17])
  expect(messages(await open('/logs/syslog?q=100%25', admin))).toEqual([])
  const errors = messages(await open('/logs/syslog?level=3', admin))
  expect(errors.length).toBe(100)
  expect(errors.every((n) => n % 2 === 0)).toBe(true)
  expect(messages(await open(`/logs/syslog?device=${other}&program=sshd`, admin)).every((n) => n % 2 === 1)).toBe(true)
  expect(messages(await open('/logs/syslog?program=nothing', admin))).toEqual([])
  expect(messages(await open('/logs/syslog?from=-10s', admin)).every((n) => n <= 11)).toBe(true)
  expect(await open('/logs/syslog?from=never', admin)).toContain('is not a date and time')
})

test('a user sees rows of granted devices only, whatever the URL asks for', async () => {
  for (const path of [
    '/logs/syslog',
    `/logs/syslog?device=${other}`,
    `/logs/syslog?device=${other}&format=rows&after=0-0`,
  ]) {
    expect(messages(await open(path, user)).every((n) => n % 2 === 0)).toBe(true)
  }
  expect(messages(await open('/logs/syslog', user)).length).toBeGreaterThan(0)
  expect(messages(await open(`/logs/syslog?device=${other}`, user))).toEqual([])
})

test('markup in messages is shown as text, in the global log and on the device page', async () => {
  for (const path of ['/logs/syslog?from=all&before=9999999999999999-1', `/device/${mine}/logs?log=syslog&q=onerror`]) {
    const page = await open(path, admin)
    for (const bad of ['<img src=x', '<u>', '\u202e', '\u0007']) expect([bad, page.includes(bad)]).toEqual([bad, false])
  }
  expect(await open(`/device/${mine}/logs?log=syslog&q=onerror`, admin)).toContain('&lt;img src=x')
})

test('rows that arrived after a given one are fetched by its key', async () => {
  const newest = /data-newest="([^"]+)"/.exec(await open('/logs/syslog', admin))?.[1] ?? ''
  const rows = () => open(`/logs/syslog?format=rows&after=${newest}`, admin)
  expect(messages(await rows())).toEqual([])
  await web.api.store.sql`
    insert into syslog (device_id, "timestamp", program, msg) values (${mine}, now() + interval '1 second', 'X', 'message 1000.')`
  expect(messages(await rows())).toEqual([1000])
})

test('a message shows the time of reception, and the clock of the device where it differs', async () => {
  await web.api.store.sql`
    insert into syslog (device_id, "timestamp", program, msg, clock_drift) values
      (${mine}, now(), 'CLOCKED', 'late', -303), (${mine}, now(), 'CLOCKED', 'right', 2), (${mine}, now(), 'CLOCKED', 'none', null)`
  const html = await open(`/device/${mine}/logs?log=syslog&program=clocked`, admin)
  expect(html.match(/device: <time/g)).toHaveLength(1)
  expect(html).toContain('(5 min behind)')
})
