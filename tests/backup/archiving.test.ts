import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { appendFileSync, chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLog } from '../../src/observe/log.ts'
import { startEmbedded } from '../../src/postgres/embedded.ts'
import { readPidFile } from '../../src/postgres/postmaster.ts'
import { client } from '../../src/store/client.ts'
import { temporaryFolder } from '../cli/support.ts'
import { until } from '../e2e/server.ts'

// Point-in-time recovery as docs/how-to/backup.md describes it, with the embedded server.

setDefaultTimeout(180_000)
const log = createLog('silent')
const folder = temporaryFolder()
afterAll(() => folder.remove())

test('a base backup and archived WAL restore a point in time after the server was killed', async () => {
  const [from, to, archive] = ['from', 'to', 'archive'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ]
  const data = join(from, 'postgres', 'data')
  mkdirSync(archive)
  chmodSync(archive, 0o777)
  const first = await startEmbedded({ dataDir: from, log })
  await first.stop()
  appendFileSync(
    join(data, 'postgresql.conf'),
    `archive_mode = on\narchive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f.part && sync ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f'\n`,
  )
  const server = await startEmbedded({ dataDir: from, log })
  const sql = client(server.url, 1)
  await sql`create table moments (n int)`
  await sql`insert into moments values (1)`
  await sql`select pg_backup_start('base', fast => true)`
  const base = join(folder.path, 'base.tar')
  const copied = Bun.spawnSync(
    [
      'tar',
      '-C',
      data,
      '-cf',
      base,
      '--exclude=pg_wal/*',
      '--exclude=postmaster.pid',
      '--exclude=postmaster.opts',
      '.',
    ],
    { stderr: 'pipe' },
  )
  // 1: a file changed while it was read, which WAL replay repairs
  expect(copied.exitCode).toBeLessThan(2)
  const [stopped] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop()`
  await sql`insert into moments values (2)`
  const [moment] = await sql<{ at: string }[]>`select clock_timestamp()::text as at`
  await Bun.sleep(20)
  await sql`insert into moments values (3)`
  const [last] = await sql<{ file: string }[]>`select pg_walfile_name(pg_switch_wal()) as file`
  await until(60, 'the last WAL file is archived', () =>
    Promise.resolve(readdirSync(archive).includes(last?.file ?? '')),
  )
  await sql.end()
  // the machine is gone
  process.kill(readPidFile(data)?.pid ?? 0, 'SIGKILL')
  await server.stop()

  const home = join(to, 'postgres')
  const restored = join(home, 'data')
  mkdirSync(restored, { recursive: true })
  expect(Bun.spawnSync(['tar', '-C', restored, '-xf', base]).exitCode).toBe(0)
  writeFileSync(join(restored, 'backup_label'), stopped?.labelfile ?? '')
  writeFileSync(join(restored, 'recovery.signal'), '')
  appendFileSync(
    join(restored, 'postgresql.conf'),
    `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_time = '${moment?.at}'\nrecovery_target_action = 'promote'\narchive_mode = off\n`,
  )
  Bun.spawnSync(['chown', '-R', '--reference', data, home])
  for (const path of [home, restored]) chmodSync(path, 0o700)
  const again = await startEmbedded({ dataDir: to, log })
  const copy = client(again.url, 1)
  const rows = await until(60, 'the recovery ends', async () => {
    const [row] = await copy`select pg_is_in_recovery() as recovering, array(select n from moments order by n) as n`
    return row?.['recovering'] === false ? row['n'] : null
  })
  await copy.end()
  await again.stop()
  expect(rows).toEqual([1, 2])
})
