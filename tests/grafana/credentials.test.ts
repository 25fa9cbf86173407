import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { client } from '../../src/core/database/client.ts'
import { migrate } from '../../src/core/schema/migrate.ts'
import { scramVerifier } from '../../src/lib/scram.ts'
import { createLog } from '../../src/observe/log.ts'
import { type EmbeddedServer, startEmbedded } from '../../src/postgres/embedded.ts'
import { portlight, temporaryFolder } from '../cli/support.ts'

setDefaultTimeout(180_000)
const log = createLog('silent')
const { path: folder, remove } = temporaryFolder()
let server: EmbeddedServer
let at: string

beforeAll(async () => {
  const reserved = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = reserved
  reserved.stop(true)
  at = `127.0.0.1:${port}`
  server = await startEmbedded({ dataDir: folder, log, listen: { host: '127.0.0.1', port } })
  await migrate(server.url, log)
})
afterAll(async () => {
  await server.stop()
  remove()
})

const credentials = (...args: string[]) => portlight(['grafana', 'credentials', '--data-dir', folder, ...args])
async function query(url: string, statement: string): Promise<readonly unknown[]> {
  const sql = client(url, 1)
  try {
    return [...(await sql.unsafe(statement))]
  } finally {
    await sql.end()
  }
}

test('prints a URL that can read the views and nothing else, and invalidates the previous one', async () => {
  const first = await credentials('--at', at)
  expect(first).toMatchObject({ code: 0, err: '' })
  expect(first.out).toMatch(new RegExp(`^postgres://portlight_grafana:[\\w-]{32}@${at}/portlight\n$`))
  const url = first.out.trim()
  // The schema is in the role's search_path.
  expect(await query(url, 'select count(*)::int as n from port_rates')).toEqual([{ n: 0 }])
  await expect(query(url, 'select community from public.devices')).rejects.toThrow(/permission denied/)
  await expect(query(url, 'create temporary table t (i int)')).rejects.toThrow(/read-only/)

  const second = await credentials('--at', at)
  expect(second.code).toBe(0)
  await expect(query(url, 'select 1')).rejects.toThrow(/authentication failed/)
  expect(await query(second.out.trim(), 'select 1 as one')).toEqual([{ one: 1 }])
})

test('refuses a role that is more than a reader, and does not change it', async () => {
  await query(server.url, `create role boss login createrole password 'boss' in role portlight_reader`)
  const { code, out, err } = await credentials('--role', 'boss', '--at', at)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toContain('more than a reader')
  expect(await query(`postgres://boss:boss@${at}/portlight`, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(await credentials('--role', 'portlight', '--at', at)).toMatchObject({ code: 1, out: '' })
})

test('the running database is asked for its address; one that does not listen is explained', async () => {
  const { code, out } = await credentials()
  expect(code).toBe(0)
  expect(out).toContain(`@${at}/portlight`)
  const quiet = temporaryFolder()
  const own = await startEmbedded({ dataDir: quiet.path, log })
  try {
    await migrate(own.url, log)
    const refused = await portlight(['grafana', 'credentials', '--data-dir', quiet.path])
    expect({ code: refused.code, out: refused.out }).toEqual({ code: 2, out: '' })
    expect(refused.err).toContain('database_listen')
  } finally {
    await own.stop()
    quiet.remove()
  }
})

test('computes the verifier that PostgreSQL stores for a password', () => {
  // From PostgreSQL 18: create role r password 'pencil'.
  const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64')
  expect(scramVerifier('pencil', salt)).toBe(
    // RFC 7677 section 3 has this salt and password; the keys follow from them.
    'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
  )
})
