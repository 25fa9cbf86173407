import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { portlight, startServe, temporaryFolder } from './support.ts'

setDefaultTimeout(180_000)

const folder = temporaryFolder()
const dataDir = join(folder.path, 'data')
let greeting = ''
let again = ''

beforeAll(async () => {
  for (const turn of [1, 2]) {
    const served = await startServe(dataDir, join(folder.path, 'log'))
    if (turn === 1) greeting = served.greeting
    else again = served.greeting
    served.process.kill('SIGTERM')
    await served.process.exited
  }
}, 180_000)
afterAll(() => folder.remove())

const rule = (...args: string[]) => portlight(['rule', ...args, '--data-dir', dataDir])

test('a new installation has initial rules, and the first start prints their names', async () => {
  expect(greeting).toContain('Alert rules:   Device down, Sensor over limit, State sensor critical')
  expect(again).not.toContain('Alert rules:')
  const listed = await rule('list', '--json')
  expect((JSON.parse(listed.out) as { name: string }[]).map(({ name }) => name)).toEqual([
    'Device down',
    'Sensor over limit',
    'State sensor critical',
    'BGP session down',
    'Storage full',
    'Service down',
  ])
})

test('a ready-made rule is added once; an unknown one is refused', async () => {
  expect(await rule('add', '--preset', 'port-down')).toMatchObject({ code: 0 })
  expect(await rule('add', '--preset', 'port-down')).toMatchObject({ code: 1 })
  expect((await rule('add', '--preset', 'nonsense')).err).toContain('port-errors')
  const listed = JSON.parse((await rule('list', '--json')).out) as { id: number; name: string }[]
  const added = listed.find(({ name }) => name === 'Port down that was up')
  expect((await rule('show', String(added?.id))).out).toContain('Port down that was up')
})

test('rule test prints what it finds', async () => {
  const one = await rule('test', '1')
  expect(one).toMatchObject({ code: 0 })
  expect(one.out).toContain('1 Device down: macros.device_down = 1\n  no device matches')
  expect((await rule('test', '--all')).out).toContain('Service down')
  expect(await rule('test')).toMatchObject({ code: 2 })
  expect(await rule('test', '99')).toMatchObject({ code: 1 })
})
