import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { fillInstallation } from '../core/import/installation.ts'
import { MARIADB, startMaria } from '../core/import/maria.ts'
import { eventually } from '../support/eventually.ts'
import { command, type Outcome, portlight, projectDir, type Served, startServe, temporaryFolder } from './support.ts'

// Commands beside a running server, whose settings they do not have.

setDefaultTimeout(300_000)

const folder = temporaryFolder()
const dataDir = join(folder.path, 'data')
let server: Served
let databaseListen = ''
const run = (...args: string[]): Promise<Outcome> => portlight([...args, '--data-dir', dataDir])
beforeAll(async () => {
  const port = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const listen = `127.0.0.1:${port.port}`
  port.stop(true)
  expect((await portlight(['migrate', '--create', '--data-dir', dataDir])).code).toBe(0)
  server = await startServe(dataDir, join(folder.path, 'log'), [
    '--database-listen',
    listen,
    '--set',
    'poller.interval=61',
  ])
  databaseListen = listen
}, 300_000)
afterAll(async () => {
  server?.process.kill('SIGTERM')
  await server?.process.exited
  folder.remove()
})

const NOT_FOUND = [
  ...['show', 'discover', 'poll'].map((verb) => ['device', verb, 'nosuch']),
  ['device', 'delete', 'nosuch', '--yes'],
  ['device', 'explain', '999999'],
  ['user', 'role', 'nosuch', 'user'],
  ['user', 'disable', 'nosuch'],
  ['user', 'delete', 'nosuch', '--yes'],
  ['token', 'create', '--user', 'nosuch'],
  ['token', 'revoke', '999999', '--yes'],
  ['bill', 'explain', '999999'],
  ['maintenance', 'end', '999999'],
  ['maintenance', 'delete', '999999', '--yes'],
  ['maintenance', 'add', '--device', 'nosuch', '--duration', '1:00'],
  ['rule', 'show', '999999'],
  ['service', 'check', '999999'],
  ['service', 'list', '--device', 'nosuch'],
  ['service', 'add', 'nosuch', 'icmp'],
]

test('what does not exist is code 1, in one line', async () => {
  for (const args of NOT_FOUND) {
    const { code, out, err } = await run(...args)
    expect({ args, code, out, err }).toEqual({
      args,
      code: 1,
      out: '',
      err: expect.stringMatching(/^portlight: [^A-Z\n].*\n$/),
    })
  }
})

test('the text after the start names the program and its options as they were given', () => {
  const program = join(projectDir, 'portlight')
  expect(server.greeting).toContain(`${program} token create --user admin --description first --data-dir ${dataDir}`)
  expect(server.greeting).toContain('--set poller.interval=61')
})

test('commands use the addresses of the running server, whatever their own settings are', async () => {
  const { port } = new URL(server.url)
  const database = databaseListen.split(':')[1] ?? ''
  const grafana = await run('grafana', 'credentials')
  expect(grafana).toMatchObject({ code: 0, out: expect.stringContaining(`@127.0.0.1:${database}/portlight`) })
  expect((await run('service', 'watch-self')).code).toBe(0)
  const services = JSON.parse((await run('service', 'list', '--json')).out) as Record<string, unknown>[]
  const own = services.filter(({ service_type }) => service_type === 'portlight')
  expect(own.length).toBeGreaterThan(0)
  for (const { service_param } of own) expect(service_param).toStartWith(`-p ${port} `)
  expect(await run('health', '--ready', '--port', port)).toMatchObject({ code: 0, out: 'ok\n' })
  expect(await run('health', '--port', '99999')).toMatchObject({ code: 2, out: '' })
})

test.skipIf(MARIADB === null)('a running server watches imported devices at once', async () => {
  const maria = await startMaria()
  try {
    await fillInstallation(maria, { devices: 3, portsPerDevice: 1, endS: Math.floor(Date.now() / 1000) - 60 })
    const watched = async () =>
      Number(/^portlight_devices (\d+)$/m.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1])
    const before = await watched()
    const { code, err } = await run('import', 'librenms', '--database', maria.url, '--timezone', 'Europe/Berlin')
    // 3: something in it cannot be imported
    expect({ imported: code === 0 || code === 3, err }).toMatchObject({ imported: true })
    await eventually(async () => ((await watched()) > before ? true : null))
  } finally {
    await maria.stop()
  }
})

test('Ctrl-C ends a command without a word', async () => {
  const child = Bun.spawn([...command, 'device', 'add', '192.0.2.1', '--data-dir', dataDir], {
    cwd: folder.path,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let said = ''
  const decoder = new TextDecoder()
  let interrupted = false
  for await (const octets of child.stderr) {
    said += decoder.decode(octets, { stream: true })
    if (said.includes('trying 192.0.2.1') && !interrupted) {
      interrupted = true
      child.kill('SIGINT')
    }
  }
  expect(await child.exited).toBe(130)
  expect(said).not.toContain('portlight:')
  expect(said).not.toContain('internal error')
})
