import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { openDump } from '../../../src/core/import/dump.ts'
import { openMysql } from '../../../src/core/import/mysql.ts'
import { type Source, SourceError } from '../../../src/core/import/source.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { contents } from './contents.ts'
import { importInto } from './imported.ts'
import { fillInstallation } from './installation.ts'
import { MARIADB, startMaria, type TestMaria } from './maria.ts'

const ZONE = 'Europe/Berlin'
const SLOW_MS = 120_000

describe.skipIf(MARIADB === null)('a dump', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portlight-dump-test-'))
  const databases: TestDatabase[] = []
  let maria: TestMaria

  beforeAll(async () => {
    maria = await startMaria()
    await fillInstallation(maria, { devices: 3, portsPerDevice: 2, endS: Math.floor(Date.now() / 1000) - 60 })
  }, SLOW_MS)
  afterAll(async () => {
    await maria?.stop()
    for (const one of databases) await one.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  const dumped = (...args: readonly string[]): Buffer => {
    const run = Bun.spawnSync([
      'mariadb-dump',
      '--no-defaults',
      '-u',
      'root',
      `--socket=${maria.socket}`,
      ...args,
      'librenms',
    ])
    if (!run.success) throw new Error(run.stderr.toString())
    return run.stdout
  }
  const imported = async (source: Source): Promise<Record<string, string>> => {
    const database = await testDatabase()
    databases.push(database)
    await importInto(database, source, { zone: ZONE })
    return await contents(database.store.sql)
  }

  test(
    'in any format gives the same rows as the server',
    async () => {
      const live = await imported(await openMysql(maria.url))
      expect(Object.keys(live).length).toBeGreaterThan(25)
      const plain = join(folder, 'plain.sql')
      writeFileSync(plain, dumped())
      expect(await imported(await openDump(plain, null))).toEqual(live)
      const packed = join(folder, 'other.sql.gz')
      writeFileSync(
        packed,
        gzipSync(dumped('--skip-tz-utc', '--skip-extended-insert', '--hex-blob', '--complete-insert')),
      )
      await expect(openDump(packed, null)).rejects.toThrow('--timezone')
      expect(await imported(await openDump(packed, ZONE))).toEqual(live)
    },
    SLOW_MS,
  )

  test(
    'that is truncated or garbled is rejected with a message, or read without the damage',
    async () => {
      const whole = dumped()
      const path = join(folder, 'bad.sql')
      let state = 7
      const random = (): number => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
        return state / 2 ** 32
      }
      for (let i = 0; i < 40; i++) {
        writeFileSync(path, whole.subarray(0, Math.floor(random() * (whole.length - 40))))
        await expect(openDump(path, null)).rejects.toBeInstanceOf(SourceError)
      }
      for (let i = 0; i < 40; i++) {
        const bytes = Uint8Array.from(whole)
        for (let n = 0; n < 6; n++) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
        writeFileSync(path, bytes)
        try {
          const source = await openDump(path, ZONE)
          try {
            for (const table of source.tables.keys())
              for await (const rows of source.rows(table)) expect(rows.length).toBeGreaterThan(0)
          } finally {
            await source.close()
          }
        } catch (error) {
          expect(error).toBeInstanceOf(SourceError)
        }
      }
      writeFileSync(path, readFileSync(import.meta.path))
      await expect(openDump(path, null)).rejects.toThrow('is not a dump')
    },
    SLOW_MS,
  )

  test(
    'with a missing value, or rows for a table that it does not define, is rejected',
    async () => {
      const whole = dumped().toString('latin1')
      const path = join(folder, 'short.sql')
      const read = async (text: string) => {
        expect(text).not.toBe(whole)
        writeFileSync(path, text, 'latin1')
        const source = await openDump(path, ZONE)
        try {
          await source.verify?.(['bill_data'])
        } finally {
          await source.close()
        }
      }
      const short = whole.replace(/(INSERT INTO `bill_data`[^(]*\()\d+,/, '$1')
      await expect(read(short)).rejects.toThrow(/damaged in table bill_data: a row has \d+ values for \d+ columns/)
      const orphaned = whole.replace('CREATE TABLE `ports` (', 'CREATE TABLE `prots` (')
      await expect(read(orphaned)).rejects.toThrow('rows for table ports')
    },
    SLOW_MS,
  )

  test(
    'damaged in a large table is rejected before anything is written',
    async () => {
      const whole = dumped().toString('latin1')
      const at = whole.indexOf('INSERT INTO `bill_data`')
      const row = whole.indexOf('),', at)
      const path = join(folder, 'damaged.sql')
      writeFileSync(path, Buffer.from(`${whole.slice(0, row)}),7${whole.slice(row + 2)}`, 'latin1'))
      const database = await testDatabase()
      databases.push(database)
      const before = await contents(database.store.sql)
      await expect(importInto(database, await openDump(path, null))).rejects.toThrow('damaged in table bill_data')
      expect(await contents(database.store.sql)).toEqual(before)
    },
    SLOW_MS,
  )
})
