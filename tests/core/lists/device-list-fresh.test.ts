import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { deviceListJson } from '../../../src/core/devices/read-list.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

// Whole lists are cached and shared by concurrent requests. An answer requested after a write must still contain it.

setDefaultTimeout(60_000)
const WRITES = 200
let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
  await database.store.sql`insert into devices (hostname) select 'sw-' || n from generate_series(1, 50) n`
})
afterAll(() => database?.drop())

const list = () =>
  deviceListJson(
    database.store,
    { kind: 'all' },
    { kind: 'all' },
    { column: 'hostname', descending: false },
    { secrets: true },
  )

async function note(): Promise<unknown> {
  const rows = JSON.parse((await list()).json) as Record<string, unknown>[]
  return rows.find((row) => row['hostname'] === 'sw-1')?.['notes']
}

/** Requests lists continuously, so that some read always began before the write. Stops when `over` is set. */
async function keepAsking(state: { readonly over: boolean }): Promise<void> {
  while (!state.over) await list()
}

/** Writes notes in sequence and reads each back at once; returns how often the list lacked the latest. */
async function staleReads(write: (note: string) => Promise<void>): Promise<number> {
  const state = { over: false }
  const asking = Array.from({ length: 8 }, () => keepAsking(state))
  let stale = 0
  try {
    for (let n = 1; n <= WRITES; n++) {
      await write(`note ${n}`)
      const seen = await Promise.all([note(), note()])
      stale += seen.filter((text) => text !== `note ${n}`).length
    }
  } finally {
    state.over = true
    await Promise.all(asking)
  }
  return stale
}

/** A process that writes each line of its standard input as the note of sw-1 and echoes it after the commit. */
const WRITER = `
  import { connect } from ${JSON.stringify(join(import.meta.dir, '../../../src/core/database/client.ts'))}
  const store = connect(process.argv.at(-1), { max: 1 })
  for await (const note of console) {
    await store.sql\`update devices set notes = \${note} where hostname = 'sw-1'\`
    process.stdout.write(note + '\\n')
  }
  await store.close()`

test('an unchanged list is the same object, and a change creates another', async () => {
  const first = await list()
  expect(await list()).toBe(first)
  await database.store.sql`update devices set notes = 'changed' where hostname = 'sw-2'`
  const second = await list()
  expect(second).not.toBe(first)
  expect(second.json).toContain('changed')
  expect(await list()).toBe(second)
})

test('a write of this process is in every list requested after it', async () => {
  const { sql } = database.store
  const stale = await staleReads(async (text) => {
    await sql`update devices set notes = ${text} where hostname = 'sw-1'`
  })
  expect(stale).toBe(0)
})

test('a write of another process is in every list requested after it', async () => {
  const writer = Bun.spawn([process.execPath, '-e', WRITER, database.store.url], {
    stdin: 'pipe',
    stdout: 'pipe',
  })
  const committed = lines(writer.stdout)
  try {
    const stale = await staleReads(async (text) => {
      writer.stdin.write(`${text}\n`)
      await writer.stdin.flush()
      expect((await committed.next()).value).toBe(text)
    })
    expect(stale).toBe(0)
  } finally {
    await writer.stdin.end()
    expect(await writer.exited).toBe(0)
  }
})

async function* lines(output: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of output) {
    text += decoder.decode(chunk, { stream: true })
    const parts = text.split('\n')
    text = parts.pop() ?? ''
    yield* parts
  }
}
