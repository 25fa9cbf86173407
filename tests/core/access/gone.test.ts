import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from 'node:net'
import { type ApiServer, serveApi } from '../../../src/api/serve.ts'
import { createSignInPace } from '../../../src/core/database/sign-in-pace.ts'
import type { Log } from '../../../src/observe/log.ts'
import { createWeb } from '../../../src/web/web.ts'
import { type TestApi, testApi } from '../../support/api.ts'

setDefaultTimeout(60_000)

let api: TestApi
let server: ApiServer
let token = ''
/** Messages of the server at level error. */
const logged: unknown[] = []
beforeAll(async () => {
  api = await testApi({ 'api.v1.enabled': 'true' })
  token = (await api.token(['admin'])).token
  const log = new Proxy(api.services.log, {
    get: (target, name) => (name === 'error' ? (...args: unknown[]) => logged.push(args) : Reflect.get(target, name)),
  }) as Log
  const services = { ...api.services, log }
  server = serveApi(services, { hostname: '127.0.0.1', port: 0 }, {}, undefined, createWeb(services))
})
afterAll(async () => {
  await server.stop()
  await api.drop()
})

/** Sends the beginning of a request's body and closes the connection. */
async function abandon(path: string, type: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = connect(server.port, '127.0.0.1', () => {
    const head = [
      ...[`POST ${path} HTTP/1.1`, 'Host: localhost', `X-Auth-Token: ${token}`, `Authorization: Bearer ${token}`],
      ...[`Content-Type: ${type}`, 'Content-Length: 1000', 'Origin: http://localhost', '', '{"name": "x'],
    ].join('\r\n')
    socket.write(head, () => socket.resetAndDestroy())
  })
  socket.once('close', () => resolve()).once('error', reject)
  await promise
}

test('a request whose client goes away while sending is no error', async () => {
  const forms = 'application/x-www-form-urlencoded'
  for (let round = 0; round < 5; round++) {
    for (const path of ['/api/v0/devices', '/api/v0/rules']) await abandon(path, 'application/json')
    for (const path of ['/sign-in', '/account', '/view-as/end']) await abandon(path, forms)
    // the server has handled what came before once it answers this
    expect(
      (await fetch(`http://127.0.0.1:${server.port}/api/v0/ping`, { headers: { 'X-Auth-Token': token } })).status,
    ).toBe(200)
  }
  expect(logged).toEqual([])
})

test('refused sign-ins to the database are repeated more and more slowly, and soon after the last one', () => {
  let ms = 1_000_000
  const pace = createSignInPace(() => ms)
  expect(pace.waitMs()).toBe(0)
  pace.noted('40001')
  expect(pace.waitMs()).toBe(0)
  const waits: number[] = []
  for (let n = 0; n < 8; n++) {
    // ten connections are refused together
    for (let i = 0; i < 10; i++) pace.noted(n % 2 === 0 ? '28P01' : '28000')
    waits.push(pace.waitMs())
    ms += pace.waitMs() + 1
  }
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000])
  ms += 60_001
  expect(pace.waitMs()).toBe(0)
  pace.noted('28P01')
  expect(pace.waitMs()).toBe(500)
})
