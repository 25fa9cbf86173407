import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type ServedFleet, serveFleet } from '../../src/demo/serve.ts'
import { folderWithDatabase, portlight } from './support.ts'

setDefaultTimeout(180_000)

const folder = await folderWithDatabase()
const { dataDir } = folder
const run = (...args: string[]) => portlight([...args, '--data-dir', dataDir])
let fleet: ServedFleet
beforeAll(async () => {
  fleet = await serveFleet({ port: 21_461 })
})
afterAll(async () => {
  await fleet?.stop()
  await folder.remove()
})

test('device explain describes a simulated device in words and rounded numbers', async () => {
  const device = fleet.devices.find(({ hostname }) => hostname === 'core-1')
  const { address = '', port = 0 } = device ?? {}
  const how = ['--address', address, '--snmp-port', String(port), '--community', 'public', '--snmp-version', 'v2c']
  expect((await run('device', 'add', 'core-1', ...how)).code).toBe(0)
  expect((await run('device', 'discover', 'core-1')).code).toBe(0)
  const { code, out } = await run('device', 'explain', 'core-1')
  expect(code).toBe(0)
  expect(out).toMatch(/^polled +every 5 minutes; not yet$/m)
  expect(out).toMatch(/^discovered +last \d+ (second|minute)s? ago, took [\d.]+ s$/m)
  expect(out).toMatch(/^found +\d+ ports?, .*\d+ IP addresses, \d+ inventory entries/m)
  expect(out).toMatch(/^modules +\S+ +\d+ rows? +\d+ requests? +(\d+ ms|[\d.]+ s)/m)
  expect(out).toMatch(/^events +\d+ (second|minute)s? ago: /m)
  expect(out).toMatch(/the agent lacks \S+::\S+ and \d+ other tables/)
  expect(out).toMatch(/^ +not supported by this device: \S+/m)
  const named = await run('device', 'set', 'core-1', 'display', 'Core of the demo')
  expect(named.code).toBe(0)
  expect((await run('device', 'explain', 'core OF the demo')).out).toMatch(/^polled +every 5 minutes; not yet$/m)
  // no field names, no numbers with too many digits
  expect(out).not.toMatch(/portsDeleted|tookMs|pollEveryS|\d\.\d{3,} (s|ms)/)
})
