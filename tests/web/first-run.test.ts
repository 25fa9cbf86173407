import { afterAll, beforeAll, expect, test } from 'bun:test'
import { makeDevice } from '../support/samples.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

let web: TestWeb
let admin: Person
let user: Person
beforeAll(async () => {
  web = await testWeb()
  admin = await web.signedIn(['admin'])
  user = await web.signedIn(['user'])
})
afterAll(() => web.drop())

const open = async (path: string, person: Person) => await (await web.send(path, { cookie: person.cookie })).text()
const QUESTION = 'Which networks are yours?'
const stored = () => web.api.services.settings.stored()
/** The process follows stored settings, as the server does. */
const follow = async () => web.api.settings.applyStored(await stored())

/** Sends a form while the process follows what it stores. */
async function act(person: Person, path: string, form: Readonly<Record<string, string>>) {
  const timer = setInterval(() => void follow(), 10)
  try {
    const answer = await web.post(path, { csrf: person.csrf, ...form }, { cookie: person.cookie })
    const text = await answer.text()
    const says = /<div class="note \w+" role="status">.*?<b>(.*?)<\/b>/s.exec(text)?.[1]
    return { status: answer.status, to: answer.headers.get('location'), says, text }
  } finally {
    clearInterval(timer)
    await follow()
  }
}

test('an administrator is asked for the networks; others are not, and may not answer', async () => {
  expect(await open('/', admin)).toContain(QUESTION)
  expect(await open('/', user)).not.toContain(QUESTION)
  for (const form of [{ do: 'skip' }, { do: 'begin', networks: '192.0.2.0/24' }])
    expect((await act(user, '/first-run', form)).status).toBe(404)
  expect((await stored()).size).toBe(0)
})

test('what is missing or wrong is said, and what was entered is kept, except secrets', async () => {
  const begin = (form: Readonly<Record<string, string>>) => act(admin, '/first-run', { do: 'begin', ...form })
  expect((await begin({ community: 'x' })).says).toContain('Tick or enter one of your networks')
  expect((await begin({ networks: '192.0.2.0/33' })).says).toContain('192.0.2.0/33 is not a network')
  const half = await begin({ networks: '192.0.2.0/24', community: 'a secret', authname: 'monitor' })
  expect(half.says).toContain('enter the authentication password')
  expect(half.text).toContain('>192.0.2.0/24</textarea>')
  expect(half.text).toContain('value="monitor"')
  expect(half.text).not.toContain('a secret')
  expect((await stored()).size).toBe(0)
})

test('the answers are stored in front of what is set, and the scan begins', async () => {
  const answer = await act(admin, '/first-run', {
    ...{ do: 'begin', 'net-192.0.2.0/24': '1', networks: '198.51.100.0/25\n198.51.100.200', community: 'mine, really' },
    ...{ authname: 'monitor', authlevel: 'authNoPriv', authpass: 'a long secret', authalgo: 'SHA' },
  })
  expect(answer.to).toMatch(/^\/scans\/\d+$/)
  const { config } = web.api.services
  expect(config.get('nets')).toEqual(['192.0.2.0/24', '198.51.100.0/25', '198.51.100.200'])
  expect(config.get('snmp.community')).toEqual(['mine, really', 'public'])
  expect(config.get('snmp.v3')).toMatchObject([{ authname: 'monitor', authpass: 'a long secret' }])
  const page = await open(answer.to ?? '', admin)
  expect(page).toContain('Waiting')
  expect(page).toContain('data-again="1"')
  expect(page).toContain('Add all that were found')
  const audit = await open('/settings/audit', admin)
  expect(audit).toContain('snmp.community')
  expect(audit).not.toContain('mine, really')

  const stopped = await act(admin, answer.to ?? '', { do: 'stop' })
  expect(stopped.to).toBe(answer.to)
  const stood = await open(answer.to ?? '', admin)
  expect(stood).toContain('Resume the scan')
  expect(stood).not.toContain('data-again')
  await act(admin, answer.to ?? '', { do: 'resume' })
  expect(await open(answer.to ?? '', admin)).toContain('Stop the scan')
})

test('networks are changed on the page of scans, and nothing outside of them is scanned', async () => {
  await act(admin, '/scans', { do: 'networks', nets: '192.0.2.0/24 198.51.100.0/25', excluded: '192.0.2.64/26' })
  const { config } = web.api.services
  expect(config.get('nets')).toEqual(['192.0.2.0/24', '198.51.100.0/25'])
  expect(config.get('autodiscovery.nets-exclude')).toEqual(['192.0.2.64/26'])
  const outside = await act(admin, '/scans', { do: 'start', networks: '203.0.113.0/24' })
  expect([outside.status, outside.says?.includes('203.0.113.0/24')]).toEqual([422, true])
  expect((await act(admin, '/scans', { do: 'start', 'net-192.0.2.0/24': '1', rate: 'fast' })).says).toContain(
    'Requests per second',
  )
  const started = await act(admin, '/scans', { do: 'start', 'net-192.0.2.0/24': '1', rate: '50' })
  const page = await open(started.to ?? '', admin)
  // the network without its first and last address, and without the quarter that is left out
  expect(page).toContain('0 of 190 addresses asked')
  expect(await open('/scans', admin)).toContain(`href="${started.to}"`)
})

test('a scan that found nothing says why', async () => {
  const { sql } = web.api.store
  const [{ id } = { id: 0 }] = await sql<{ id: number }[]>`
    insert into scans (networks, state, rate, started_by, started_at, ended_at, counts, why)
    values ('{192.0.2.0/30}', 'done', 500, 'admin', now() - interval '9 s', now(),
      '{"total": 2, "done": 2, "answeredPing": 1, "silent": 1, "refused": {"wrong <b>password</b>": 1}}',
      '1 answered ping and none SNMP. Check the community and access lists.') returning id`
  const page = await open(`/scans/${id}`, admin)
  expect(page).toContain('1 answered ping and none SNMP. Check the community and access lists.')
  expect(page).toContain('wrong &lt;b&gt;password&lt;/b&gt;')
  expect(page).toContain('2 of 2 addresses asked, 0 found')
  expect(page).toContain('Nothing is left to decide')
})

test('the question is skipped for good, or until there is a device', async () => {
  expect((await act(admin, '/first-run', { do: 'skip' })).to).toBe('/')
  const page = await open('/', admin)
  expect(page).not.toContain(QUESTION)
  expect(page).toContain('Find them in my networks')
  expect(await open('/first-run', admin)).toContain(QUESTION)
  await web.api.services.settings.unset('web.first_run')
  await follow()
  expect(await open('/', admin)).toContain(QUESTION)
  await makeDevice(web.api.store, 1)
  expect(await open('/', admin)).not.toContain(QUESTION)
})
