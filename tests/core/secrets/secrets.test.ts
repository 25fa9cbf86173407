import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { SETTING_NAMES } from '../../../src/config/names.ts'
import { isSecret } from '../../../src/config/secrets.ts'
import { insertSession, putSecret, secondFactor, sessionIdToken } from '../../../src/core/access/write-sessions.ts'
import { browsersOf, putBrowser } from '../../../src/core/alerts/push/write-subscriptions.ts'
import { insertTransport, listTransports, updateTransport } from '../../../src/core/alerts/transports/write.ts'
import { claimOutbox } from '../../../src/core/alerts/write-outbox.ts'
import { servicesToCheck } from '../../../src/core/checks/write-results.ts'
import type { Store } from '../../../src/core/database/client.ts'
import { deviceListJson } from '../../../src/core/devices/read-list.ts'
import { readDevice } from '../../../src/core/devices/read-record.ts'
import { insertDevice, updateDevice } from '../../../src/core/devices/write.ts'
import { trapCredentials } from '../../../src/core/logs/write-traps.ts'
import { loadDevicePlan } from '../../../src/core/polling/read-plan.ts'
import { isToken, keyIdOf, newKeyText, openText, parseKeys, sealText } from '../../../src/core/secrets/codec.ts'
import { SECRET_COLUMNS, SECRET_SETTINGS, type SecretName } from '../../../src/core/secrets/columns.ts'
import { useSecretKeys } from '../../../src/core/secrets/ring.ts'
import { createSecretsService } from '../../../src/core/secrets/service.ts'
import { storedSecretTexts } from '../../../src/core/secrets/texts.ts'
import { openRecords } from '../../../src/core/secrets/values.ts'
import { offerKeys } from '../../../src/core/secrets/write-keys.ts'
import { countSecrets } from '../../../src/core/secrets/write-recrypted.ts'
import { storedSettings, storeSetting } from '../../../src/core/settings/write.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

const KEYS = [newKeyText(), newKeyText()] as const
const [first, second] = KEYS.map((text) => parseKeys(text, 'test')[0]).filter((key) => key !== undefined)
const give = (...texts: readonly string[]) => useSecretKeys(texts.map((text) => ({ text, source: 'test' })))
const quiet = () => undefined

describe('the stored text', () => {
  const key = first as NonNullable<typeof first>

  test('is decrypted to the original, but only for its place', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).map((s) => s.toWellFormed()),
        fc.string(),
        (secret, elsewhere) => {
          const token = sealText(key, 'devices.community', secret)
          expect(isToken(token)).toBe(true)
          expect(keyIdOf(token)).toBe(key.id)
          expect(openText([key], 'devices.community', token)).toBe(secret)
          if (elsewhere !== 'devices.community') expect(openText([key], elsewhere, token)).toBeNull()
          expect(openText(second === undefined ? [] : [second], 'devices.community', token)).toBeNull()
          expect(sealText(key, 'devices.community', secret)).not.toBe(token)
        },
      ),
    )
  })

  test('is rejected if one bit of it was changed', () => {
    const token = sealText(key, 'devices.community', 'a secret')
    const head = token.lastIndexOf(':') + 1
    const octets = Buffer.from(token.slice(head), 'base64url')
    for (let bit = 0; bit < octets.length * 8; bit++) {
      const changed = Buffer.from(octets)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(openText([key], 'devices.community', token.slice(0, head) + changed.toString('base64url'))).toBeNull()
    }
  })

  test('keys are 32 bytes in Base64 or hexadecimal, and their id reveals nothing about them', () => {
    const octets = crypto.getRandomValues(new Uint8Array(32))
    const text = `# of the year\n${octets.toHex()}\n\n${octets.toBase64()} # the same\n`
    const keys = parseKeys(text, 'file')
    expect(new Set(keys.map(({ id }) => id)).size).toBe(1)
    expect(keys).toHaveLength(2)
    expect(octets.toHex()).not.toContain(keys[0]?.id ?? '')
    for (const wrong of ['short', 'x'.repeat(44), octets.toHex().slice(2), `${octets.toBase64()} more`])
      expect(() => parseKeys(wrong, 'file')).toThrow('file, line 1: expected a key of 32 bytes')
    expect(() => parseKeys('secret-in-the-file', '/k')).not.toThrow('secret-in-the-file')
  })
})

test('in JSON records only members are decrypted, not text from devices', () => {
  give(KEYS[0])
  const token = sealText(first as NonNullable<typeof first>, 'devices.community', 'quo"te\\n')
  const records = [
    { community: token, sysDescr: `"community":"${token}"`, authpass: null },
    { sysDescr: token, community: null },
    { sysDescr: `{"community":"${token}"}`, cryptopass: token },
  ]
  const opened: unknown = JSON.parse(openRecords(JSON.stringify(records)))
  expect(opened).toEqual([
    { ...records[0], community: 'quo"te\\n' },
    records[1],
    { ...records[2], cryptopass: null }, // of another column
  ])
  give()
  expect(JSON.parse(openRecords(JSON.stringify(records)))).toMatchObject([{ community: null }, {}, {}])
})

test('the secret settings are those that are masked', () => {
  expect(SECRET_SETTINGS.map(String).toSorted()).toEqual(SETTING_NAMES.filter(isSecret).map(String).toSorted())
})

const ALL = { kind: 'all' } as const

/** Writes and reads a secret of each column as the program does; a column without an entry does not compile. */
const ways: Readonly<
  Record<SecretName, { write(store: Store, secret: string): Promise<void>; read(store: Store): Promise<unknown[]> }>
> = {
  'devices.community': device('community'),
  'devices.authpass': device('authpass'),
  'devices.cryptopass': device('cryptopass'),
  'alert_transports.transport_config': {
    async write(store, secret) {
      const id = await insertTransport(store, { name: 'a', kind: 'slack', isDefault: false, settings: { url: 'x' } })
      await updateTransport(store, id ?? 0, { settings: { url: secret }, isDefault: true })
      await store.sql`insert into alert_outbox (key, transport_id, kind, context)
        select 'k' || random(), transport_id, 'test', '{}' from alert_transports`
    },
    async read(store) {
      await store.sql`update alert_outbox set claimed_at = null`
      const items = await claimOutbox(store, { ids: [], capacities: [], others: 5 })
      const listed = await listTransports(store)
      return [...items, ...listed].map(({ transport_config }) => transport_config['url'])
    },
  },
  'push_subscriptions.subscription': {
    async write(store, secret) {
      await store.sql`insert into users (username, auth_type, auth_id) values ('someone', 'mysql', 1) on conflict do nothing`
      const [user] = await store.sql<{ id: number }[]>`select user_id as id from users where username = 'someone'`
      await putBrowser(store, user?.id ?? 0, { endpoint: secret, keys: { p256dh: secret, auth: secret } }, '', 5)
    },
    async read(store) {
      const { browsers } = await browsersOf(store, ['someone'])
      return browsers.map(({ subscription }) => subscription.endpoint)
    },
  },
  'second_factors.secret': {
    async write(store, secret) {
      await store.sql`insert into users (username, auth_type, auth_id) values ('someone', 'mysql', 1) on conflict do nothing`
      const [user] = await store.sql<{ id: number }[]>`select user_id as id from users limit 1`
      await putSecret(store, user?.id ?? 0, secret)
    },
    async read(store) {
      const users = await store.sql<{ id: number }[]>`select user_id as id from second_factors`
      return await Promise.all(users.map(async ({ id }) => (await secondFactor(store, id))?.secret))
    },
  },
  'sessions.id_token': {
    async write(store, secret) {
      const [user] = await store.sql<{ id: number }[]>`select user_id as id from users limit 1`
      const session = { user_id: user?.id ?? 0, stage: 'open', method: 'oidc', address: '', agent: '' } as const
      await insertSession(store, { ...session, secret_hash: 'hash', id_token: secret })
    },
    read: async (store) => [await sessionIdToken(store, 'hash')],
  },
  'config.value': {
    async write(store, secret) {
      for (const name of SECRET_SETTINGS)
        await storeSetting(store, name, name.endsWith('v3') ? [{ authpass: secret }] : secret)
    },
    read: async (store) =>
      [...(await storedSettings(store))]
        .filter(([name]) => name !== 'poller.interval')
        .map(([, value]) => (Array.isArray(value) ? value[0].authpass : value)),
  },
}

function device(column: 'community' | 'authpass' | 'cryptopass') {
  return {
    async write(store: Store, secret: string) {
      const hostname = `${column}.example.net`
      const id = await insertDevice(store, { hostname, snmpver: 'v2c', [column]: 'before' }, null, 'test')
      await updateDevice(store, id, { [column]: secret }, undefined)
      await store.sql`insert into services (device_id, service_type, service_ip, service_param, service_name, service_desc, service_ds, service_message)
        values (${id}, 'snmp', '', '', '', '', '{}', '')`
    },
    async read(store: Store): Promise<unknown[]> {
      const [row] = await store.sql<{ id: number }[]>`
        select device_id as id from devices where hostname = ${`${column}.example.net`}`
      const id = row?.id ?? 0
      const list = await deviceListJson(store, ALL, ALL, { column: 'hostname', descending: false }, { secrets: true })
      const listed = (JSON.parse(list.json) as Record<string, unknown>[]).find((d) => d['device_id'] === id)
      const [plan] = await loadDevicePlan(store, [id])
      const [check] = await servicesToCheck(store, { devices: [id] })
      expect([plan?.unreadable, check?.unreadable]).toEqual([false, false])
      return [
        (await readDevice(store, id, { secrets: true }))?.[column],
        listed?.[column],
        plan?.[column],
        check?.[column],
        (await trapCredentials(store, [id])).get(id)?.[column],
      ]
    },
  }
}

/** All rows of all tables as `copy` writes them. */
async function dump({ sql }: Store): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`
  const parts: string[] = []
  for (const { name } of tables) {
    const [row] = await sql.unsafe<{ text: string | null }[]>(
      `select string_agg(t::text, chr(10)) as text from ${name} t`,
    )
    parts.push(row?.text ?? '')
  }
  return parts.join('\n')
}

describe('stored secrets', () => {
  let db: TestDatabase
  const planted = new Map<SecretName, string>()
  const names = Object.keys(ways) as SecretName[]

  beforeAll(async () => {
    db = await testDatabase()
    for (const name of names) {
      const secret = `S${crypto.getRandomValues(new Uint8Array(8)).toHex()}"é\\`
      planted.set(name, secret)
    }
  })
  afterAll(async () => {
    give()
    await db.drop()
  })
  beforeEach(() => give(...KEYS))

  const service = () => createSecretsService({ store: db.store })
  /** Places where the database has a secret in plain text. */
  async function plain(): Promise<string[]> {
    const text = await dump(db.store)
    return names.filter((name) => text.includes(planted.get(name)?.slice(0, 17) ?? ''))
  }
  async function everythingReads(): Promise<void> {
    for (const name of names) {
      const found = await ways[name].read(db.store)
      expect(found.length).toBeGreaterThan(0)
      for (const value of found) expect([name, value]).toEqual([name, planted.get(name)])
    }
  }
  const keyIds = async () => new Set((await countSecrets(db.store)).map(({ keyId }) => keyId))

  test('without a key they are stored as they are', async () => {
    give()
    for (const name of names) await ways[name].write(db.store, planted.get(name) ?? '')
    expect(await plain()).toEqual(names)
    await everythingReads()
    expect(await keyIds()).toEqual(new Set([null]))
    const token = sealText(first as NonNullable<typeof first>, 'devices.community', 'x')
    await expect(insertDevice(db.store, { hostname: 'x', community: token }, null, 'test')).rejects.toThrow('encrypted')
  })

  test('once enabled, none is found in a dump of all tables, and all can be read', async () => {
    expect(await plain()).toEqual(names)
    const done = await service().enable(quiet)
    expect(done).toMatchObject({ keyId: first?.id, unreadable: [], needed: [] })
    expect(done.changed).toBeGreaterThan(names.length)
    expect(await plain()).toEqual([])
    expect(await keyIds()).toEqual(new Set([first?.id ?? null]))
    await everythingReads()
    expect([...(await storedSecretTexts(db.store))]).toContainAllValues([...planted.values()])
    expect(await service().enable(quiet)).toMatchObject({ changed: 0 })
  })

  test('new secrets are then encrypted, settings that are not secret are not', async () => {
    await db.store.sql`delete from devices`
    await db.store.sql`delete from alert_transports`
    await db.store.sql`delete from sessions`
    await db.store.sql`delete from second_factors`
    await db.store.sql`delete from config`
    for (const name of names) await ways[name].write(db.store, planted.get(name) ?? '')
    await storeSetting(db.store, 'poller.interval', 60)
    expect(await plain()).toEqual([])
    await everythingReads()
    const [row] = await db.store.sql<{ value: unknown }[]>`select value from config where name = 'poller.interval'`
    expect(row?.value).toBe(60)
  })

  test('a token does not work in another column, or another row where it is bound', async () => {
    const { sql } = db.store
    await sql`update devices set community = authpass where hostname = 'authpass.example.net'`
    const [row] = await sql<
      { id: number }[]
    >`select device_id as id from devices where hostname = 'authpass.example.net'`
    expect((await readDevice(db.store, row?.id ?? 0, { secrets: true }))?.community).toBeNull()
    const [planned] = await loadDevicePlan(db.store, [row?.id ?? 0])
    expect(planned).toMatchObject({ unreadable: true, community: null })
    expect(await service().status()).toMatchObject({
      unreadable: [{ column: 'devices.community', row: String(row?.id), keyId: first?.id }],
    })
    await sql`update devices set community = null where device_id = ${row?.id ?? 0}`
    await sql`insert into config (name, value) select 'x.y', value from config where name = 'email_smtp_password'`
    await sql`update config c set value = x.value from config x where c.name = 'auth.oidc.client_secret' and x.name = 'x.y'`
    expect((await storedSettings(db.store)).has('auth.oidc.client_secret')).toBe(false)
    await sql`delete from config where name = 'x.y'`
    await storeSetting(db.store, 'auth.oidc.client_secret', planted.get('config.value'))
    expect((await service().status()).unreadable).toEqual([])
  })

  test('a server without the key does not start, and names it', async () => {
    give(newKeyText())
    await expect(offerKeys(db.store)).rejects.toThrow(`encrypted with key ${first?.id}, which is not the one given`)
    give()
    await expect(offerKeys(db.store)).rejects.toThrow(`encrypted with key ${first?.id}, and no key is given`)
    give(...KEYS)
    await offerKeys(db.store)
  })

  test('without the key nothing is sent or stored, and no second factor is accepted', async () => {
    give(newKeyText())
    const plans = await loadDevicePlan(db.store)
    expect(plans.filter(({ unreadable }) => unreadable)).toHaveLength(3)
    expect(plans.map(({ community, authpass, cryptopass }) => community ?? authpass ?? cryptopass)).toEqual([
      null,
      null,
      null,
    ])
    expect((await listTransports(db.store)).map(({ transport_config }) => transport_config)).toEqual([{}])
    const [user] = await db.store.sql<{ id: number }[]>`select user_id as id from second_factors`
    await expect(secondFactor(db.store, user?.id ?? 0)).rejects.toThrow('cannot be decrypted')
    await expect(insertDevice(db.store, { hostname: 'y', community: 'z' }, null, 'test')).rejects.toThrow(
      `key ${first?.id}, which this process does not have`,
    )
  })

  test('after a rotation the old key is no longer needed', async () => {
    await expect(service().rotate(quiet)).rejects.toThrow('put a new one before it')
    give(KEYS[1], newKeyText())
    await expect(service().rotate(quiet)).rejects.toThrow(`key ${first?.id} is in force and not given`)
    give(KEYS[1], KEYS[0])
    await everythingReads()
    expect(await service().rotate(quiet)).toMatchObject({ keyId: second?.id, unreadable: [], needed: [] })
    give(KEYS[1])
    await offerKeys(db.store)
    await everythingReads()
    expect(await keyIds()).toEqual(new Set([second?.id ?? null]))
    expect(await plain()).toEqual([])
  })

  test('a value that cannot be decrypted stays, and the others are changed', async () => {
    give(KEYS[0], KEYS[1])
    const { sql } = db.store
    const [row] = await sql<{ id: number; token: string }[]>`
      update devices set cryptopass = left(cryptopass, -4) || 'AAAA' where hostname = 'cryptopass.example.net'
      returning device_id as id, cryptopass as token`
    const done = await service().rotate(quiet)
    expect(done).toMatchObject({
      keyId: first?.id,
      needed: [second?.id],
      unreadable: [{ column: 'devices.cryptopass', row: String(row?.id), keyId: second?.id }],
    })
    const [now] = await sql<
      { token: string }[]
    >`select cryptopass as token from devices where device_id = ${row?.id ?? 0}`
    expect(now?.token).toBe(row?.token ?? '')
    await updateDevice(db.store, row?.id ?? 0, { cryptopass: planted.get('devices.cryptopass') ?? '' }, undefined)
    expect(await service().rotate(quiet)).toMatchObject({ needed: [], unreadable: [] })
    await everythingReads()
  })

  test('once disabled, they are as they were before', async () => {
    expect(await service().disable(quiet)).toMatchObject({ keyId: null, unreadable: [], needed: [] })
    give()
    await offerKeys(db.store)
    await everythingReads()
    expect(await plain()).toEqual(names)
    expect(await keyIds()).toEqual(new Set([null]))
  })

  test('every column with a telling name is declared, or is known not to hold a readable secret', async () => {
    const known = new Map([
      ...SECRET_COLUMNS.map(({ table, column }) => [`${table}.${column}`, 'declared'] as const),
      // hashes
      ...[
        'users.password',
        'users.remember_token',
        'api_tokens.token_hash',
        'sessions.secret_hash',
        'second_factors.recovery',
      ].map((name) => [name, 'hash'] as const),
    ])
    const found = await db.store.sql<{ name: string }[]>`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and data_type in ('text', 'character varying', 'jsonb', 'ARRAY', 'bytea')
        and column_name ~* '(pass|secret|token|communit|transport_config|recovery|credential)'`
    expect(found.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([])
    expect(found.length).toBeGreaterThan(6)
  })
})
