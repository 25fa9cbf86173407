import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { BUILTIN_TYPES, builtinOptions } from '../../src/core/checks/builtin.ts'
import { createChecker } from '../../src/core/checks/run/checker.ts'
import { createCheckPool } from '../../src/core/checks/run/pool.ts'
import { SERVICE_CHANNEL } from '../../src/core/checks/write.ts'
import { listen } from '../../src/core/database/listen.ts'
import { createLog } from '../../src/observe/log.ts'
import { optionWords } from '../../src/web/pages/services/labels.ts'
import { makeDevice } from '../support/samples.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

let web: TestWeb
let admin: Person
let reader: Person
let deviceId: number
beforeAll(async () => {
  web = await testWeb()
  admin = await web.signedIn(['admin'])
  reader = await web.signedIn(['global-read'])
  deviceId = (await makeDevice(web.api.store, 1)).deviceId
  await web.api.store.sql`update devices set status = 1 where device_id = ${deviceId}`
})
afterEach(async () => {
  await web.api.store.sql`delete from services`
})
afterAll(() => web.drop())

const open = async (path: string, person: Person) => await (await web.send(path, { cookie: person.cookie })).text()
const act = (path: string, person: Person, form: Readonly<Record<string, string>>) =>
  web.post(path, { csrf: person.csrf, ...form }, { cookie: person.cookie })
const add = { do: 'add', type: 'tcp', name: 'needle', param: '-p 9', ip: '', desc: '' }
const services = async () => [...(await web.api.store.sql`select * from services order by service_id`)]

async function added(more: Readonly<Record<string, string>> = {}): Promise<string> {
  const answer = await act('/services/new', admin, { ...add, device: String(deviceId), ...more })
  return answer.headers.get('location') ?? ''
}

test('a service is added, changed and deleted', async () => {
  const path = await added()
  expect(path).toMatch(/^\/services\/\d+$/)
  expect(await open('/services', admin)).toContain('needle')
  const saved = await act(path, admin, { ...add, do: 'save', name: 'pin', param: '-p 10', disabled: '1' })
  expect(saved.status).toBe(200)
  expect((await services())[0]).toMatchObject({ service_name: 'pin', service_param: '-p 10', service_disabled: 1 })
  const gone = await act(path, admin, { do: 'delete' })
  expect([gone.status, gone.headers.get('location')]).toEqual([303, '/services'])
  expect(await services()).toEqual([])
})

test('invalid input is reported on the form, which keeps it', async () => {
  const answer = await act('/services/new', admin, {
    ...add,
    device: String(deviceId),
    param: '-p "9',
    name: 'kept-name',
  })
  const text = await answer.text()
  expect(answer.status).toBe(422)
  expect(text).toMatch(/role="status"/)
  expect(text).toContain('value="kept-name"')
  const nowhere = await act('/services/new', admin, { ...add, device: 'nowhere' })
  expect(await nowhere.text()).toContain('There is no device nowhere')
  expect(await services()).toEqual([])
})

test('a reader is offered no changes, cannot make any, and does not see parameters', async () => {
  const path = await added({ param: '-p 9 -s secret' })
  const page = await open(path, reader)
  expect(page).not.toContain('value="delete"')
  expect(page).not.toContain('secret')
  expect(await open('/services', reader)).not.toContain('/services/new')
  for (const what of ['check', 'save', 'delete'])
    expect((await act(path, reader, { ...add, do: what })).status).toBe(404)
  expect((await act('/services/new', reader, { ...add, device: String(deviceId) })).status).toBe(404)
  expect((await services()).length).toBe(1)
})

test('worst first', async () => {
  const [fine, bad] = [await added({ name: 'first' }), await added({ name: 'second' })]
  const { sql } = web.api.store
  await sql`update services set service_status = 0 where service_name = 'first'`
  await sql`update services set service_status = 2 where service_name = 'second'`
  const page = await open('/services', admin)
  expect(page.indexOf(`href="${bad}"`)).toBeLessThan(page.indexOf(`href="${fine}"`))
  expect(page).toContain('1 service needs attention, 1 critical')
  expect(await open('/services?state=critical', admin)).not.toContain(`href="${fine}"`)
})

test('check now shows the result of the check', async () => {
  const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } })
  const { store, services } = web.api
  const log = createLog('silent')
  const checker = createChecker({
    ...{ store, log, settings: services.config, pool: createCheckPool(log), written: () => undefined },
  })
  // as the serving process does
  const listening = listen(
    store,
    SERVICE_CHANNEL,
    (text) => (text.startsWith('check ') ? checker.hasten(Number(text.slice(6))) : checker.reload('all')),
    () => checker.reload('all'),
    log,
  )
  try {
    checker.start()
    const path = await added({ ip: '127.0.0.1', param: `-p ${server.port}` })
    const found = async () => await store.sql<{ at: Date }[]>`select checked_at as at from service_checks`
    while ((await found()).length === 0) await Bun.sleep(50)
    const [before] = await found()
    const page = await (await act(path, admin, { do: 'check' })).text()
    expect(page).toContain('The service has been checked')
    expect((await found())[0]?.at.getTime()).toBeGreaterThan(before?.at.getTime() ?? Number.POSITIVE_INFINITY)
  } finally {
    await listening.stop()
    await checker.stop(1000)
    server.stop(true)
  }
}, 60_000)

test('every option of the built-in checks is explained', () => {
  const silent = BUILTIN_TYPES.flatMap((type) =>
    builtinOptions(type).flatMap((option) =>
      optionWords(type, option) === undefined ? [`${type} ${option.name}`] : [],
    ),
  )
  expect(silent).toEqual([])
})
