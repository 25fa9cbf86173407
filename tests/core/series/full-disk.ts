/**
 * Packs on a disk that becomes full meanwhile, and again once there is room. Prints what was stored before and after as
 * JSON. Argument: a folder on a small file system of its own.
 */
import { chmodSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '../../../src/core/database/client.ts'
import { migrate } from '../../../src/core/schema/migrate.ts'
import { maintain } from '../../../src/core/series/write-roll-ups.ts'
import { createLog } from '../../../src/observe/log.ts'
import { startEmbedded } from '../../../src/postgres/embedded.ts'
import { copyMigrated } from '../../support/database.ts'
import { fingerprint, forms, writeDays } from './days-of-rows.ts'

const KEEP = { samplesDays: 60, hourlyDays: 400, dailyDays: 3650 }
const [disk = ''] = process.argv.slice(2)
const dataDir = join(disk, 'data')
const filler = join(disk, 'filler')
mkdirSync(dataDir)
chmodSync(dataDir, 0o755)
const log = createLog('silent')

await copyMigrated(dataDir)
let server = await startEmbedded({ dataDir, log })
await migrate(server.url, log)
let store = connect(server.url, { max: 2 })
await writeDays(store, 3, 400)
await store.sql`checkpoint`
const before = await fingerprint(store)

// Room for a part of a day that is packed, and not for all.
const { bavail, bsize } = statfsSync(disk)
const LEFT_OCTETS = 2_000_000
for (let left = bavail * bsize - LEFT_OCTETS, part = 0; left > 0; left -= 16_777_216, part++)
  writeFileSync(`${filler}${part}`, new Uint8Array(Math.min(left, 16_777_216)))

let refused = ''
let died = false
try {
  const report = await maintain(store, KEEP, 60_000)
  refused = report.failures.map(({ step, reason }) => `${step}: ${reason}`).join()
} catch (error) {
  // without room for its log the server stops at once
  refused = String(error)
  died = true
}
for (let part = 0; part < 1000; part++) rmSync(`${filler}${part}`, { force: true })
await store.close(1)
await server.stop().catch(() => undefined)
server = await startEmbedded({ dataDir, log })
store = connect(server.url, { max: 2 })
const between = await fingerprint(store)
const begun = await forms(store)
for (let round = 0; round < 2; round++) await maintain(store, KEEP, 60_000)
const after = await fingerprint(store)
const end = await forms(store)
await store.close()
await server.stop()
console.log(JSON.stringify({ refused, died, before, between, after, begun, end }))
process.exit(0)
