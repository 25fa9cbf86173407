import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { request as httpRequest } from 'node:http'
import { type ApiServer, serveApi } from '../../src/api/serve.ts'
import { mint, type TestApi, testApi } from '../support/api.ts'
import { type Seeded, seed } from './fixtures.ts'
import { member, message } from './tables/row.ts'

// What programs written for LibreNMS rely on, in dialect `librenms`; the default dialect stays as documented.

setDefaultTimeout(120_000)

let api: TestApi
let server: ApiServer
let seeded: Seeded
let librenms: string
let documented: string
beforeAll(async () => {
  // without programs of check plugins, which may accept any parameters
  api = await testApi({ nagios_plugins: '/nonexistent' })
  server = serveApi(api.services, { hostname: '127.0.0.1', port: 0 })
  seeded = await seed(api)
  librenms = (await api.token(['admin'], 'librenms')).token
  documented = (await api.token(['admin'], 'documented')).token
})
afterAll(async () => {
  await server.stop()
  await api.drop()
})

/** The members of an answer that are not part of the envelope. librenmsapi refuses answers that have several. */
async function results(path: string, token: string): Promise<string[]> {
  const { status, json } = await api.call('GET', `/api/v0${path}`, { token })
  expect({ path, status }).toEqual({ path, status: 200 })
  return Object.keys(json as object).filter((name) => !['status', 'message', 'count'].includes(name))
}

describe('one member with the result', () => {
  test('of a link, of ports behind a MAC address, of port security', async () => {
    const { sql } = api.store
    const { deviceId, portIds } = seeded
    const [link] = await sql<{ id: number }[]>`
      insert into links (local_port_id, local_device_id, remote_device_id, remote_hostname, remote_port, remote_version, protocol)
      values (${portIds[0]}, ${deviceId}, 0, 'far', 'Gi1', '', 'lldp') returning id`
    await sql`insert into ports_fdb (port_id, mac_address, device_id) values (${portIds[0]}, '0011aa22bb33', ${deviceId})`
    await sql`insert into port_security (port_id, device_id) values (${portIds[0]}, ${deviceId})`
    const paths = {
      [`/resources/links/${link?.id}`]: ['link', ['links', 'link']],
      '/ports/mac/0011aa22bb33': ['ports', ['port', 'ports']],
      '/ports/mac/0011aa22bb33?filter=first': ['ports', ['port', 'ports']],
      '/port_security': ['port', ['ports', 'port']],
      [`/port_security/port/${portIds[0]}`]: ['port', ['ports', 'port']],
      [`/port_security/device/${deviceId}`]: ['port', ['ports', 'port']],
    } as const
    for (const [path, [one, both]] of Object.entries(paths)) {
      expect({ path, names: await results(path, librenms) }).toEqual({ path, names: [one] })
      expect({ path, names: await results(path, documented) }).toEqual({ path, names: [...both] })
    }
    const first = await api.call('GET', '/api/v0/ports/mac/0011aa22bb33?filter=first', { token: librenms })
    expect(member(first, 'ports')).toMatchObject({ port_id: portIds[0], fdb_entries_count: 1 })
  })
})

describe('services', () => {
  const added = async (token: string, body: object) =>
    await api.call('POST', `/api/v0/services/${seeded.hostname}`, { token, body: { type: 'http', ...body } })

  test.each(['--unheard', "-p 80 -s 'open", '-p port', 'x'.repeat(5000)])(
    'parameters %s are stored as they are, and refused in the other dialect',
    async (param) => {
      expect(await added(documented, { param })).toMatchObject({ status: 400 })
      const answer = await added(librenms, { param })
      expect(answer.status).toBe(201)
      const id = Number(/\(#(\d+)\)$/.exec(String(message(answer)))?.[1])
      const [row] = await api.store.sql`select service_param, service_status from services where service_id = ${id}`
      expect({ ...row }).toEqual({ service_param: param, service_status: 3 })
      const change = { service_param: `${param} --more`, service_desc: `changed ${mint()}` }
      expect(await api.call('PATCH', `/api/v0/services/${id}`, { token: documented, body: change })).toMatchObject({
        status: 400,
      })
      expect(await api.call('PATCH', `/api/v0/services/${id}`, { token: librenms, body: change })).toMatchObject({
        status: 201,
      })
    },
  )

  test('an unknown type is refused in both', async () => {
    for (const token of [librenms, documented])
      expect(await added(token, { type: 'nowhere' })).toMatchObject({ status: 400 })
  })

  test('what only administrators may check stays refused to others', async () => {
    const { token, username } = await api.token(['global-read'], 'librenms')
    await api.services.users.defineRole('checker', ['service.create'])
    await api.services.users.setRoles(username, ['global-read', 'checker'])
    for (const param of ['--unheard', '-F /etc/shadow'])
      expect(await added(token, { type: 'log', param })).toMatchObject({ status: 403 })
  })
})

describe('a GET with a body', () => {
  /** Over HTTP: fetch sends no body with GET. */
  const get = (token: string, body: string, type = 'application/json') =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const sent = httpRequest(
        {
          host: '127.0.0.1',
          port: server.port,
          path: '/api/v0/devices',
          method: 'GET',
          headers: { 'X-Auth-Token': token, 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) },
        },
        (answer) => {
          let text = ''
          answer.setEncoding('utf8').on('data', (part: string) => {
            text += part
          })
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })

  test.each(['{"type":"up"}', '{"a":1}', '{"query":"x","type":"os"}'])(
    '%s holds filters and is refused',
    async (body) => {
      const answer = await get(librenms, body)
      expect(answer.status).toBe(400)
      expect(JSON.parse(answer.text)).toEqual({
        status: 'error',
        message: expect.stringContaining('send its members as query parameters'),
      })
      expect((await get(documented, body)).status).toBe(200)
    },
  )

  test.each([
    ['', 'application/json'],
    ['[]', 'application/json'],
    ['{}', 'application/json; charset=utf-8'],
    ['null', 'application/json'],
    ['type=up&x=1', 'application/x-www-form-urlencoded'],
  ])('%p as %s is ignored', async (body, type) => {
    expect((await get(librenms, body, type)).status).toBe(200)
  })
})

describe('401 and 403', () => {
  test('403 of a gate has a status member', async () => {
    const weak = (dialect: 'librenms' | 'documented') => api.token([], dialect)
    const text = 'This action is unauthorized.'
    const devices = async (token: string) => (await api.call('GET', '/api/v0/devices', { token })).json
    expect(await devices((await weak('librenms')).token)).toEqual({ status: 'error', message: text })
    expect(await devices((await weak('documented')).token)).toEqual({ message: text })
  })

  test('401 has one where the dialect is the default, since there is no token to tell', async () => {
    const unknown = async () => await api.call('GET', '/api/v0/devices', { token: 'nobody' })
    expect(await unknown()).toMatchObject({ status: 401, json: { message: 'Unauthenticated.' } })
    expect((await unknown()).json).not.toHaveProperty('status')
    api.settings.applyStored(new Map([['api.v0.dialect', 'librenms']]))
    try {
      expect((await unknown()).json).toEqual({ status: 'error', message: 'Unauthenticated.' })
      expect((await api.call('GET', '/api/v0/devices', { token: null })).json).toEqual({
        status: 'error',
        message: 'Unauthenticated.',
      })
    } finally {
      api.settings.applyStored(new Map())
    }
  })
})
