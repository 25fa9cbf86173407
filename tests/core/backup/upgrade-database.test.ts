import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { client, connect } from '../../../src/core/database/client.ts'
import { writeReader } from '../../../src/core/grafana/write.ts'
import { migrate } from '../../../src/core/schema/migrate.ts'
import { scramVerifier } from '../../../src/lib/scram.ts'
import { createLog } from '../../../src/observe/log.ts'
import { binariesIn } from '../../../src/postgres/binaries.ts'
import { attachEmbedded } from '../../../src/postgres/embedded.ts'
import { portlight, spawnPortlight, temporaryFolder } from '../../cli/support.ts'
import { HAS_OLDER_POSTGRES, OLDER_POSTGRES } from '../../support/older-postgres.ts'
import { FEW_KINDS, fillPacked, progressOf } from './packed-support.ts'
import { constraints, fillDatabase, sequenceValues, serverSums } from './support.ts'

setDefaultTimeout(240_000)
const log = createLog('silent')
/** Password of a dashboard login as PostgreSQL stores it. */
const VERIFIER = scramVerifier('secret')

/** Reads until these words appear or the stream ends. */
async function saidBy(stream: ReadableStream<Uint8Array>, words: string): Promise<void> {
  let text = ''
  for await (const part of stream) {
    text += Buffer.from(part).toString()
    if (text.includes(words)) return
  }
}

describe.skipIf(!HAS_OLDER_POSTGRES)('an embedded cluster of PostgreSQL 17', () => {
  const folder = temporaryFolder()
  const dataDir = join(folder.path, 'data')
  const home = join(dataDir, 'postgres')
  const major = (): string => readFileSync(join(home, 'data', 'PG_VERSION'), 'utf8').trim()
  const upgrade = ['upgrade-database', '--data-dir', dataDir, '--old-binaries', OLDER_POSTGRES]
  let before: Awaited<ReturnType<typeof contents>>

  async function contents(binaries?: ReturnType<typeof binariesIn>) {
    const server = await attachEmbedded(dataDir, { log, ...(binaries !== undefined && { binaries }) })
    const sql = client(server.url, 2)
    try {
      return {
        sums: await serverSums(sql),
        packed: (await progressOf(sql)).packed,
        sequences: await sequenceValues(sql),
        keys: await constraints(sql),
      }
    } finally {
      await sql.end()
      await server.stop()
    }
  }

  beforeAll(async () => {
    if (!HAS_OLDER_POSTGRES) return
    const old = binariesIn(OLDER_POSTGRES, join(folder.path, 'links'))
    expect(old.major).toBe(17)
    const server = await attachEmbedded(dataDir, { log, binaries: old })
    await migrate(server.url, log)
    const store = connect(server.url)
    await fillDatabase(store, 12)
    await fillPacked(store, FEW_KINDS)
    await writeReader(store, 'grafana_of_mine', VERIFIER)
    await store.close()
    await server.stop()
    before = await contents(old)
    writeFileSync(join(home, 'data', 'postgresql.auto.conf'), "log_min_duration_statement = '2s'\n")
  })
  afterAll(() => folder.remove())

  test('is not started, and the error names the command', async () => {
    expect(major()).toBe('17')
    for (const args of [
      ['serve', '--port', '0'],
      ['device', 'list'],
    ]) {
      const refused = await portlight([...args, '--data-dir', dataDir])
      expect(refused.code).toBe(1)
      expect(refused.err).toContain(
        'was made by PostgreSQL 17, but this program includes 18: run portlight upgrade-database',
      )
    }
  })

  test('needs the old version', async () => {
    const refused = await portlight(['upgrade-database', '--data-dir', dataDir])
    expect(refused.code).toBe(1)
    expect(refused.err).toContain(
      'PostgreSQL 17, which made the database, was not found: give its folder with --old-binaries',
    )
    const wrong = await portlight(['upgrade-database', '--data-dir', dataDir, '--old-binaries', folder.path])
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('has no bin/postgres') })
  })

  test('killed while it is being moved, or after everything was copied, it stays as it was and can be moved again', async () => {
    for (const copied of [false, true]) {
      const child = spawnPortlight(upgrade)
      if (copied) await saidBy(child.stderr, 'equal: ')
      else await Bun.sleep(500 + Math.random() * 1500)
      child.kill('SIGKILL')
      await child.exited
      expect(major()).toBe('17')
    }
  })

  test('is moved, equal by checksum, and the old one stays until it is removed', async () => {
    const moved = await portlight(upgrade)
    expect(moved).toMatchObject({ code: 0 })
    expect(moved.err).toMatch(/moving the database from PostgreSQL 17 to 18/)
    expect(moved.err).toMatch(/equal: [\d,]+ rows of \d+ tables match by count and checksum/)
    expect(moved.err).toContain("not copied: log_min_duration_statement = '2s'")
    expect(major()).toBe('18')
    expect(existsSync(join(home, 'data-17', 'PG_VERSION'))).toBe(true)
    expect(existsSync(join(dataDir, 'upgrade'))).toBe(false)
    expect(before.packed['ts.port_samples']).toBeGreaterThan(0)
    expect(await contents()).toEqual(before)
    const server = await attachEmbedded(dataDir, { log })
    const sql = client(server.url, 1)
    const roles = await sql`
      select rolpassword from pg_authid where rolname = 'grafana_of_mine' and pg_has_role(oid, 'portlight_reader', 'member')`
    await sql.end()
    await server.stop()
    expect([...roles]).toEqual([{ rolpassword: VERIFIER }])
    const again = await portlight(upgrade)
    expect(again).toMatchObject({
      code: 0,
      err: expect.stringContaining("already has this program's version of PostgreSQL"),
    })
  })

  test('interrupted while the folders are exchanged, it is refused until the command has finished that', async () => {
    // as after the first of two renames
    mkdirSync(join(dataDir, 'upgrade'))
    cpSync(join(home, 'run'), join(dataDir, 'upgrade', 'postgres'), { recursive: true, preserveTimestamps: true })
    Bun.spawnSync(['chown', '--reference', home, join(dataDir, 'upgrade', 'postgres')])
    renameSync(join(home, 'data'), join(dataDir, 'upgrade', 'postgres', 'data'))
    writeFileSync(join(home, 'upgrade-switching'), 'data-17\n')
    const refused = await portlight(['device', 'list', '--data-dir', dataDir])
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('was interrupted at its last step') })
    expect(await portlight(upgrade)).toMatchObject({ code: 0 })
    expect(await portlight(['device', 'list', '--data-dir', dataDir])).toMatchObject({ code: 0 })
    const removed = await portlight(['upgrade-database', '--data-dir', dataDir, '--remove-old', '--yes'])
    expect(removed).toMatchObject({ code: 0, err: expect.stringContaining('deleted') })
    expect(existsSync(join(home, 'data-17'))).toBe(false)
    expect(major()).toBe('18')
  })
})
