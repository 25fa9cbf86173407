import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RRDTOOL } from '../../../packages/rrd/tests/rrdtool.ts'
import { openMysql } from '../../../src/core/import/mysql.ts'
import type { ImportReport } from '../../../src/core/import/report.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { fillFiles } from './files.ts'
import { importInto, tableOf } from './imported.ts'
import { fillInstallation } from './installation.ts'
import { MARIADB, startMaria, type TestMaria } from './maria.ts'

const SIZE = { devices: 3, portsPerDevice: 4, endS: Math.floor(Date.now() / 1000) - 60 }
const SLOW_MS = 180_000

describe.skipIf(MARIADB === null || RRDTOOL === null)('an import from a MariaDB server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portlight-checks-'))
  const databases: TestDatabase[] = []
  let maria: TestMaria

  const fresh = async (): Promise<TestDatabase> => {
    const made = await testDatabase()
    databases.push(made)
    return made
  }
  const run = async (into: TestDatabase): Promise<ImportReport> =>
    await importInto(into, await openMysql(maria.url), { rrd: folder })

  beforeAll(async () => {
    maria = await startMaria()
    await fillInstallation(maria, SIZE)
    fillFiles(folder, SIZE, 20)
  }, SLOW_MS)
  afterAll(async () => {
    await maria?.stop()
    for (const one of databases) await one.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  test(
    'checks what it stored against the source',
    async () => {
      const broken = await fresh()
      const first = await run(broken)
      expect(first.checks.filter(({ holds }) => !holds)).toEqual([])
      const of = (name: string) => first.checks.find((one) => one.name === name)
      expect(of('octets of bill 5: total, in, out')).toMatchObject({ expected: '417180, 145180, 272000' })
      expect(of('closed billing periods, column by column')).toMatchObject({ expected: '1' })
      expect(of('usable tokens')).toMatchObject({ found: '1' })
      for (const level of ['samples', 'hours', 'days'])
        expect(Number(of(`octets of port 4711 in its ${level}`)?.found)).toBeGreaterThan(1e9)
      const { sql } = broken.store
      await sql`update bill_data set in_delta = in_delta + 1 where id = 7`
      await sql`update bill_history set rate_95th = rate_95th + 1`
      await sql`update api_tokens set disabled = 1`
      await sql`delete from processors where processor_id = 501`
      const again = await run(broken)
      expect(again.checks.filter(({ holds }) => !holds).map(({ name }) => name)).toEqual([
        'octets of bill 5: total, in, out',
        'closed billing periods, column by column',
        'usable tokens',
      ])
    },
    SLOW_MS,
  )

  test(
    'names in use here are kept; the same device is not added twice',
    async () => {
      const taken = await fresh()
      const { sql } = taken.store
      await sql`insert into devices (hostname) values ('ROUTER-42.example.net')`
      await sql`insert into device_groups (name, type, rules) values ('core', 'dynamic', '{}')`
      await sql`insert into alert_rules (name, severity, extra, query, builder) values ('device down', 'ok', '{}', '', '{"other":1}')`
      await maria.run(
        "insert into devices (device_id, hostname, snmpver) values (900, '[2001:DB8::20]', 'v2c'), (901, 'Router-44.example.net.', 'v2c')",
      )
      await maria.run(
        "insert into ports (port_id, device_id, ifIndex, ifName, deleted) values (9001, 900, 1, 'eth0', 0), (9002, 900, 99, 'new', 0)",
      )
      try {
        const report = await run(taken)
        const devices = await sql<
          { device_id: number; hostname: string }[]
        >`select device_id, hostname from devices order by 1`
        expect(devices.map(({ hostname }) => hostname)).toEqual([
          'ROUTER-42.example.net',
          '2001:db8::20',
          'router-44.example.net',
        ])
        expect(tableOf(report, 'devices')).toMatchObject({ present: 1, duplicates: 2, imported: 2 })
        expect(report.notes).toContain('devices 900 is a duplicate of 43: rows that refer to it refer to 43 here')
        expect(await sql`select port_id, device_id from ports where port_id > 9000`).toMatchObject([
          { port_id: 9002, device_id: 43 },
        ])
        expect(await sql`select name from device_groups order by 1`).toMatchObject([
          { name: 'Core (LibreNMS)' },
          { name: 'core' },
        ])
        expect(
          (await sql<{ name: string }[]>`select name from alert_rules order by 1`).map(({ name }) => name),
        ).toEqual(['By hand', 'Device down (LibreNMS)', 'device down'])
        expect(report.notes).toContain(
          'alert_rules: Device down is already in use here for something else, so it is imported as Device down (LibreNMS)',
        )
      } finally {
        await maria.run('delete from ports where port_id > 9000 and port_id < 9003')
        await maria.run('delete from devices where device_id >= 900')
      }
    },
    SLOW_MS,
  )
})
