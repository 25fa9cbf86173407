import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '../../src/core/database/client.ts'
import { createLog } from '../../src/observe/log.ts'
import { attachEmbedded } from '../../src/postgres/embedded.ts'
import { portlight, type Served, startServe, temporaryFolder } from './support.ts'

setDefaultTimeout(120_000)

/** A different secret for each place, with characters that JSON, URLs and HTML escape. */
const planted = new Map<string, string>()
function secret(place: string, plain = false): string {
  const random = crypto.getRandomValues(new Uint8Array(9)).toHex()
  const value = plain ? `S${random}` : `S${random}/+&"ä ü=%?`
  planted.set(place, value)
  return value
}

const { path: folder, remove } = temporaryFolder()
let served: Served
let token: string
const run = async (args: readonly string[], env: Record<string, string> = {}) => {
  const outcome = await portlight([...args, '--data-dir', join(folder, 'data')], { env })
  if (outcome.code !== 0) throw new Error(`${args[0]} ${args[1]}: ${outcome.err}`)
  return outcome.out
}

const environment = {
  PORTLIGHT_EMAIL_SMTP_PASSWORD: secret('environment'),
  PORTLIGHT_SNMP_COMMUNITY: JSON.stringify(['public', secret('community in the environment')]),
  SOME_TOKEN: secret('variable of another program'),
}

beforeAll(async () => {
  const data = join(folder, 'data')
  const flag = `auth.oidc.client_secret=${secret('flag')}`
  served = await startServe(data, join(folder, 'serve.log'), ['--set', flag])
  await run(['config', 'set', 'auth.oidc.client_secret', secret('stored setting')])
  await run(['config', 'set', 'traps.communities', JSON.stringify([secret('community of traps')])])
  const v3 = {
    authlevel: 'authPriv',
    authname: 'monitor',
    authalgo: 'SHA',
    cryptoalgo: 'AES',
    authpass: secret('v3 in settings: authentication'),
    cryptopass: secret('v3 in settings: privacy'),
  }
  await run(['config', 'set', 'snmp.v3', JSON.stringify([v3])])
  const server = await attachEmbedded(data, { log: createLog('silent') })
  const store = connect(server.url)
  const { sql } = store
  await sql`insert into devices (hostname, community, snmpver) values ('one.example.net', ${secret('community')}, 'v2c')`
  await sql`insert into devices (hostname, snmpver, authlevel, authname, authpass, cryptopass, display)
    values ('two.example.net', 'v3', 'authPriv', 'monitor', ${secret('authpass')}, ${secret('cryptopass')}, '')`
  const [device] = await sql<{ id: number }[]>`select device_id as id from devices order by 1 limit 1`
  const id = device?.id ?? 0
  // an event may quote secrets
  await sql`insert into eventlog (device_id, datetime, message, type, severity)
    values (${id}, now(), ${`refused: ${planted.get('community') ?? ''}`}, 'system', 1)`
  await sql`insert into device_failures (device_id, kind, detail) values (${id}, 'refused', ${planted.get('authpass') ?? ''})`
  await sql`insert into devices_attribs (device_id, attrib_type, attrib_value) values (${id}, 'ipmi_password', ${secret('attribute')})`
  await sql`insert into alert_transports (transport_name, transport_type, transport_config)
    values ('a', 'slack', ${JSON.stringify({ url: `https://hooks.example.net/${secret('path of a webhook', true)}` })}::text::jsonb),
      ('b', 'mail', ${JSON.stringify({ to: 'a@example.net', password: secret('transport') })}::text::jsonb)`
  await sql`insert into second_factors (user_id, secret) select user_id, ${secret('second factor', true)} from users limit 1`
  await sql`insert into services (device_id, service_type, service_ip, service_param, service_name, service_desc, service_ds, service_message)
    values (${id}, 'http', '', ${`-a user:${secret('parameters of a service', true)}`}, 's', '', '{}', '')`
  await store.close()
  await server.stop()
  token =
    /\b[0-9a-f]{32,}\b|\S{30,}/.exec(
      await run(['token', 'create', '--user', 'admin', '--description', 'first']),
    )?.[0] ?? ''
  planted.set('token', token)
  planted.set('first password', /password (\S+)/.exec(served.greeting)?.[1] ?? '')
})

afterAll(async () => {
  served.process.kill('SIGTERM')
  await served.process.exited
  remove()
})

/** The text itself, and its decoded runs of Base64, hexadecimal, escapes and percent-encoding. */
function readings(text: string): string[] {
  const tolerant = (decode: () => string): string => {
    try {
      return decode()
    } catch {
      return ''
    }
  }
  const runs = [...text.matchAll(/[\w+/-]{12,}={0,2}/g)].flatMap(([part]) =>
    [0, 1, 2, 3].flatMap((from) => [
      Buffer.from(part.slice(from), 'base64').toString(),
      Buffer.from(part.slice(from), 'hex').toString(),
    ]),
  )
  const unescaped = text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, code: string | undefined, c: string) =>
    code === undefined ? c : String.fromCharCode(Number.parseInt(code, 16)),
  )
  const percent = text.replaceAll(/(?:%[0-9a-fA-F]{2})+/g, (codes) => tolerant(() => decodeURIComponent(codes)))
  return [text, unescaped, unescaped.replaceAll(/\\(.)/g, '$1'), percent, percent.replaceAll('+', ' '), ...runs]
}

async function unpack(file: string): Promise<Map<string, string>> {
  const into = mkdtempSync(join(folder, 'unpacked-'))
  const tar = Bun.spawn(['tar', 'xzf', file, '-C', into])
  expect(await tar.exited).toBe(0)
  const names = [...new Bun.Glob('**/*').scanSync({ cwd: into })]
  return new Map(names.map((name) => [name.replace('portlight-support/', ''), readFileSync(join(into, name), 'utf8')]))
}

function leaks(files: ReadonlyMap<string, string>): string[] {
  const all = [...files].flatMap(([name, text]) => readings(text).map((reading) => ({ name, reading })))
  return [...planted].flatMap(([place, value]) =>
    all.filter(({ reading }) => reading.includes(value)).map(({ name }) => `${place} is in ${name}`),
  )
}

test('a support file has the promised contents and no secret in any form', async () => {
  expect(planted.size).toBeGreaterThan(15)
  for (const value of planted.values()) expect(value.length).toBeGreaterThan(8)
  // a log that quotes every secret in the database and the settings, in every form
  const quoted = [...planted].filter(
    ([place]) => !['token', 'first password', 'parameters of a service'].includes(place),
  )
  const log = join(folder, 'quoted.log')
  const lines = quoted.flatMap(([place, value]) => [
    `${place}: ${value}`,
    JSON.stringify({ msg: value, nested: JSON.stringify({ value }) }),
    `GET /x?${new URLSearchParams({ value }).toString()} ${encodeURIComponent(value)}`,
    `authorization: Basic ${Buffer.from(`user:${value}`).toString('base64')} ${Buffer.from(value).toString('base64url')}`,
    `${Buffer.from(value).toString('hex')} what a poller said`,
  ])
  writeFileSync(log, `first line stays\n${lines.join('\n')}\n`)
  expect(leaks(new Map([['log', lines.join('\n')]])).length).toBeGreaterThan(quoted.length * 2)
  const file = join(folder, 'support.tar.gz')
  const port = new URL(served.url).port
  const flag = `auth.oidc.client_secret=${planted.get('flag') ?? ''}`
  const out = await run(['doctor', '--bundle', file, '--log', log, '--set', `port=${port}`, '--set', flag], environment)
  expect(out).toBe('')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const files = await unpack(file)
  expect([...files.keys()].toSorted()).toEqual(
    [
      ...['README.txt', 'about.json', 'database.json', 'devices.json', 'findings.json', 'log.txt', 'metrics.txt'],
      ...['missing.json', 'settings.json'],
    ].toSorted(),
  )
  expect(leaks(files)).toEqual([])
  const text = (name: string) => files.get(name) ?? ''
  expect(text('metrics.txt')).toContain('portlight_build_info{')
  expect(text('log.txt')).toContain('first line stays')
  expect(text('log.txt')).toContain('what a poller said')
  expect(JSON.parse(text('missing.json'))).toEqual({})
  const devices = JSON.parse(text('devices.json')) as { device: { hostname: string } }[]
  expect(devices[0]?.device.hostname).toBe('one.example.net')
  const settings = JSON.parse(text('settings.json')) as { name: string; value: unknown }[]
  expect(settings.find(({ name }) => name === 'poller.interval')?.value).toBe(300)
  const database = JSON.parse(text('database.json')) as { migrations: unknown[]; tables: { table: string }[] }
  expect(database.migrations.length).toBeGreaterThan(20)
  expect(database.tables.map(({ table }) => table)).toContain('devices')
  expect(JSON.parse(text('about.json'))).toMatchObject({ bun: Bun.version })
})

test("the first administrator's password is taken out of the log in which the server printed it", async () => {
  const password = planted.get('first password') ?? ''
  expect(served.greeting).toContain(password)
  const log = join(folder, 'first.log')
  const journal = served.greeting.replaceAll(/^/gm, '2026-01-01T00:00:00+0000 host portlight[7]: ')
  writeFileSync(log, `${served.greeting}\n${journal}\nsomebody tried ${password} again\n`)
  const file = join(folder, 'first.tar.gz')
  await run(['doctor', '--bundle', file, '--log', log])
  const files = await unpack(file)
  expect(files.get('log.txt')).toContain('user admin, password ********')
  expect(leaks(files)).toEqual([])
})

test('the list of devices masks their credentials, as the record of one device does', async () => {
  for (const args of [['list'], ['list', '--json'], ['show', 'one.example.net'], ['show', 'two.example.net', '--json']])
    expect([args, leaks(new Map([['output', await run(['device', ...args])]]))]).toEqual([args, []])
  const listed = JSON.parse(await run(['device', 'list', '--json'])) as { hostname: string; community: string | null }[]
  expect(listed.find(({ hostname }) => hostname === 'one.example.net')?.community).toBe('********')
})

test('without the database it lists what is missing, and contains no password', async () => {
  const file = join(folder, 'away.tar.gz')
  const password = secret('database address', true)
  const url = `postgres://someone:${password}@127.0.0.1:1/portlight`
  const log = join(folder, 'away.log')
  writeFileSync(log, 'a line\n')
  const outcome = await portlight(['doctor', '--bundle', file, '--log', log], { env: { DATABASE_URL: url } })
  expect(outcome.code).toBe(0)
  const files = await unpack(file)
  expect(leaks(files)).toEqual([])
  expect(Object.keys(JSON.parse(files.get('missing.json') ?? '{}'))).toEqual([
    ...['database.json, devices.json', 'metrics.txt', 'log.txt, settings.json'],
  ])
  expect(files.has('log.txt')).toBe(false)
  expect(files.get('findings.json')).toContain('"bad"')
})
