import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from 'node:net'
import { join } from 'node:path'
import { probes } from '../../src/api/probes.ts'
import { type ApiServer, serveApi } from '../../src/api/serve.ts'
import { createReadiness, pollingPart, type Readiness } from '../../src/app/readiness.ts'
import { createLog } from '../../src/observe/log.ts'
import { databaseUpstream } from '../../src/poller/database-upstream.ts'
import { createPoller, type Poller } from '../../src/poller/poller.ts'
import { type TestApi, testApi } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'

setDefaultTimeout(60_000)

let api: TestApi
let poller: Poller
let readiness: Readiness
let server: ApiServer
let checks = 0
beforeAll(async () => {
  api = await testApi({ 'poller.workers': '1' })
  poller = createPoller({ upstream: databaseUpstream(api.store), settings: api.settings, log: createLog('silent') })
  readiness = createReadiness(api.store.url, 'plain', pollingPart(poller))
  readiness.started()
  const check = () => {
    checks++
    return readiness.check()
  }
  server = serveApi(api.services, { hostname: '127.0.0.1', port: 0 }, probes(check))
})
afterAll(async () => {
  await server.stop()
  await readiness.close()
  await poller.stop(0)
  await api.drop()
})

const get = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`)

/** The response of `/readyz` once it has this status. */
const readyz = (status: number) =>
  eventually(async () => {
    const answer = await get('/readyz')
    return answer.status === status ? await answer.json() : null
  })

test('not ready before the poller runs or after it was stopped', async () => {
  const stopped = { status: 'unavailable', problems: ['Polling is not running.'] }
  expect(await readyz(503)).toEqual(stopped)
  await poller.start()
  expect(await readyz(200)).toEqual({ status: 'ok' })
  await poller.stop(0)
  expect(await readyz(503)).toEqual(stopped)
  expect(await (await get('/healthz')).json()).toEqual({ status: 'ok' })
})

test('the parts are checked once a second, however many requests there are', async () => {
  const before = checks
  const began = performance.now()
  await Promise.all(Array.from({ length: 500 }, () => get('/readyz')))
  expect(checks - before).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - began) / 1000))
})

test('HTTP/1.0 without a Host header is answered, as sent by simple supervisors', async () => {
  const answer = await new Promise<string>((resolve, reject) => {
    let text = ''
    const socket = connect(server.port, '127.0.0.1', () => socket.write('GET /healthz HTTP/1.0\r\n\r\n'))
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    socket.on('end', () => resolve(text)).on('error', reject)
  })
  expect(answer).toMatch(/^HTTP\/1\.[01] 200 /)
  expect(answer).toEndWith('{"status":"ok"}')
})

test("the image's health check passes while the server answers, and fails when it does not", async () => {
  const dockerfile = await Bun.file(join(import.meta.dir, '..', '..', 'Dockerfile')).text()
  const [, list = ''] = /^HEALTHCHECK .*? CMD (\[.*?\])$/ms.exec(dockerfile.replaceAll('\\\n', '')) ?? []
  const [program, ...given]: string[] = JSON.parse(list)
  expect(program).toBe('portlight')
  const command = [join(import.meta.dir, '..', '..', 'portlight'), ...given]
  const run = (port: number) =>
    Bun.spawn(command, { env: { ...process.env, PORTLIGHT_PORT: String(port) }, stderr: 'ignore' }).exited
  expect(await run(server.port)).toBe(0)
  // nothing listens at the discard port of loopback
  expect(await run(9)).not.toBe(0)
})

test('probes are not operations of the API', async () => {
  const index = await api.call('GET', '/api/v0')
  expect(index.status).toBe(200)
  expect(index.text).not.toMatch(/healthz|readyz/)
  expect(await (await get('/openapi.json')).text()).not.toMatch(/healthz|readyz/)
})
