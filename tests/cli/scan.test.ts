import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { startAgent, type TestAgent } from '../../packages/snmp/tests/support/agent.ts'
import { portlight, type Served, startServe, temporaryFolder } from './support.ts'

setDefaultTimeout(180_000)

const folder = temporaryFolder()
const dataDir = join(folder.path, 'data')
let agent: TestAgent
let served: Served

beforeAll(async () => {
  agent = await startAgent(() => ({
    '1.3.6.1.2.1.1.2.0': { kind: 'ObjectIdentifier', value: '1.3.6.1.4.1.9.1.716' },
    '1.3.6.1.2.1.1.5.0': { kind: 'OctetString', value: Buffer.from('access-1') },
  }))
  served = await startServe(dataDir, join(folder.path, 'log'))
  for (const [name, value] of [
    ['nets', '["127.0.0.0/24", "127.83.0.0/16"]'],
    ['autodiscovery.nets-exclude', '["127.0.0.2/32"]'],
    ['snmp.community', '["public"]'],
    ['snmp.version', '["v2c"]'],
    ['snmp.port', String(agent.port)],
    ['snmp.timeout', '0.2'],
  ] as const)
    expect(await cli('config', 'set', name, value)).toMatchObject({ code: 0 })
}, 180_000)
afterAll(async () => {
  served.process.kill('SIGTERM')
  await served.process.exited
  agent.stop()
  folder.remove()
})

const cli = (...args: string[]) => portlight([...args, '--data-dir', dataDir])
const lines = (out: string) =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

test('prints one object for each address, and a summary on stderr, with and without a running server', async () => {
  for (const running of [true, false]) {
    if (!running) {
      served.process.kill('SIGTERM')
      await served.process.exited
    }
    const { code, out, err } = await cli('scan', '127.0.0.0/29', '--json', '--no-ping')
    expect(code).toBe(0)
    const printed = lines(out)
    expect(printed.map(({ address, state }) => [address, state]).toSorted()).toEqual([
      ['127.0.0.1', 'found'],
      ['127.0.0.2', 'excluded'],
    ])
    expect(printed.find(({ state }) => state === 'found')).toMatchObject({
      name: 'access-1',
      sysObjectID: '1.3.6.1.4.1.9.1.716',
      why: expect.any(String),
    })
    expect(err).toContain('scanned 5 addresses')
    expect(err).toContain('1 found, 0 known, 0 added, 0 failed, 1 excluded')
  }
})

test('silent addresses are printed with --all; a scan that found nothing says why', async () => {
  const { code, out, err } = await cli('scan', '127.83.0.0/30', '--json', '--no-ping', '--all')
  expect(code).toBe(0)
  expect(lines(out).map(({ state }) => state)).toEqual(['silent', 'silent'])
  expect(err).toContain('Of 2 addresses, 0 answered SNMP, 2 were silent')
})

test('networks outside of nets are an error that names the setting', async () => {
  const { code, out, err } = await cli('scan', '127.0.0.0/30', '192.0.2.0/24', '--json')
  expect(code).toBe(1)
  expect(lines(out)).toMatchObject([{ address: '192.0.2.0/24', state: 'excluded' }])
  expect(err).toContain('192.0.2.0/24 is not in setting nets')
  expect(await cli('scan', '--ping-only', '--no-ping')).toMatchObject({ code: 2 })
  expect(await cli('scan', 'rubbish')).toMatchObject({ code: 1 })
})
