import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Store } from '../../../src/core/database/client.ts'
import { StoreError, toStoreError } from '../../../src/core/database/errors.ts'
import { listen, notify } from '../../../src/core/database/listen.ts'
import { migrate } from '../../../src/core/schema/migrate.ts'
import { writeSamples } from '../../../src/core/series/write.ts'
import { createLog } from '../../../src/observe/log.ts'
import { type EmbeddedServer, startEmbedded } from '../../../src/postgres/embedded.ts'
import { readPidFile, until } from '../../../src/postgres/postmaster.ts'
import { batch, makeDevice, portSamples, portState } from '../../support/samples.ts'

setDefaultTimeout(240_000)
const log = createLog('silent')
const folder = mkdtempSync(join(tmpdir(), 'portlight-outage-'))
chmodSync(folder, 0o755)
let server: EmbeddedServer
let store: Store
beforeAll(async () => {
  server = await startEmbedded({ dataDir: folder, log })
  await migrate(server.url, log)
  store = connect(server.url)
})
afterAll(async () => {
  await store.close(1)
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

function killPostmaster(): void {
  process.kill(readPidFile(join(folder, 'postgres', 'data'))?.pid ?? 0, 'SIGKILL')
}

async function eventually(work: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!(await work().catch(() => false))) {
    if (performance.now() > deadline) throw new Error('the condition was not met within 30 s')
    await Bun.sleep(50)
  }
}

test('batches written during an outage of the server are stored once, and acknowledged ones are not lost', async () => {
  const { deviceId, portIds } = await makeDevice(store, 4)
  const start = Math.floor(Date.now() / 1000) * 1000 - 600_000
  let kinds = new Set<string>()
  for (let i = 0; i < 60; i++) {
    const time = start + i * 1000
    const poll = batch({
      ports: portSamples(portIds.map((portId) => ({ portId, time, periodMs: 1000, deltas: { in_octets: i } }))),
      portState: [portState(deviceId, time, portIds, () => BigInt(i))],
    })
    if (i === 30) killPostmaster()
    await eventually(async () => {
      try {
        await writeSamples(store, poll)
        return true
      } catch (error) {
        if (!(error instanceof StoreError) || !error.retryable) throw new Error('not retryable', { cause: error })
        kinds = kinds.add(error.kind)
        return false
      }
    })
  }
  expect([...kinds]).toEqual(['unavailable'])
  const [row] = await store.sql`
    select count(*) as rows, sum(in_octets) as octets from ts.port_samples_stored where port_id = any(${portIds})`
  expect(row).toEqual({ rows: 240, octets: String((4 * 59 * 60) / 2) })
})

test('transactions in progress when the server dies fail, and the next ones succeed', async () => {
  await store.sql`create table written (n int)`
  let acknowledged = 0
  let failed = 0
  let stopping = false
  const write = async (): Promise<void> => {
    while (!stopping) {
      try {
        await store.sql.begin(async (tx) => {
          await tx`select 1`
          await tx`insert into written values (1)`
          await tx`select 2`
        })
        acknowledged++
      } catch (error) {
        failed++
        expect(toStoreError(error)).toMatchObject({ kind: 'unavailable', retryable: true })
        await Bun.sleep(20)
      }
    }
  }
  const writers = [write(), write(), write(), write()]
  for (let kills = 0; kills < 3; kills++) {
    const before = acknowledged
    expect(await until(() => acknowledged > before + 20, 60_000)).toBe(true)
    const failures = failed
    killPostmaster()
    expect(await until(() => failed > failures, 60_000)).toBe(true)
  }
  const last = acknowledged
  expect(await until(() => acknowledged > last + 20, 60_000)).toBe(true)
  stopping = true
  await Promise.all(writers)
  const [row] = await store.sql<{ n: number }[]>`select count(*) as n from written`
  expect(row?.n).toBeGreaterThanOrEqual(acknowledged)
})

test('a listener reconnects after losing its connection, and is notified of the loss', async () => {
  const heard: string[] = []
  let connected = 0
  const listening = listen(
    store,
    'test_channel',
    (payload) => heard.push(payload),
    () => connected++,
    log,
  )
  expect(await until(() => connected === 1, 10_000)).toBe(true)
  await notify(store, 'test_channel', 'first')
  expect(await until(() => heard.length === 1, 10_000)).toBe(true)
  killPostmaster()
  expect(await until(() => connected >= 2, 60_000)).toBe(true)
  await eventually(async () => {
    await notify(store, 'test_channel', 'second')
    return true
  })
  expect(await until(() => heard.includes('second'), 10_000)).toBe(true)
  await listening.stop()
})

test('a read-only database is a retryable error', async () => {
  const name = new URL(store.url).pathname.slice(1)
  await store.sql.unsafe(`alter database ${name} set default_transaction_read_only = on`)
  const fresh = connect(store.url)
  const refused = writeSamples(
    fresh,
    batch({
      devices: [{ deviceId: 1, time: Date.now(), tookMs: 1, answered: true, uptimeS: 1, requests: 1, timeouts: 0 }],
    }),
  )
  await expect(refused).rejects.toMatchObject({ kind: 'unavailable', retryable: true, code: '25006' })
  await fresh.close()
  await store.sql
    .unsafe(`set default_transaction_read_only = off; alter database ${name} reset default_transaction_read_only`)
    .simple()
})
