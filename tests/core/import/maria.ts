import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { eventually } from '../../support/eventually.ts'

export const MARIADB = Bun.which('mariadbd', { PATH: `${process.env['PATH']}:/usr/sbin` })

export interface TestMaria {
  readonly url: string
  readonly socket: string
  run(statement: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>
  stop(): Promise<void>
}

/**
 * Starts a MariaDB server on a Unix socket in a temporary folder, in a time zone other than UTC, with database
 * `librenms`.
 */
export async function startMaria(): Promise<TestMaria> {
  const folder = mkdtempSync(join(tmpdir(), 'portlight-maria-'))
  const root = userInfo().uid === 0
  const data = join(folder, 'data')
  const socket = join(folder, 's')
  const as = root ? ['--user=root'] : []
  // a starting server removes the temporary tables of others from a shared folder
  const own = { ...process.env, TMPDIR: folder }
  const made = Bun.spawnSync(
    [
      'mariadb-install-db',
      '--no-defaults',
      ...as,
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
    ],
    { env: own, stdout: 'ignore', stderr: 'pipe' },
  )
  if (!made.success) throw new Error(`mariadb-install-db: ${made.stderr.toString()}`)
  const log = join(folder, 'log')
  const server = Bun.spawn(
    [
      MARIADB ?? 'mariadbd',
      '--no-defaults',
      ...as,
      `--datadir=${data}`,
      `--socket=${socket}`,
      '--skip-networking',
      `--pid-file=${join(folder, 'pid')}`,
      '--innodb-buffer-pool-size=64M',
      '--innodb-flush-log-at-trx-commit=0',
      '--sql-mode=',
    ],
    { env: { ...own, TZ: 'Europe/Berlin' }, stdout: 'ignore', stderr: Bun.file(log) },
  )
  const open = (database: string) =>
    new SQL({ adapter: 'mysql', path: socket, username: 'root', password: '', database, max: 2 })
  await eventually(async () => {
    if (server.exitCode !== null) throw new Error(readFileSync(log, 'utf8'))
    const first = open('mysql')
    try {
      await first.unsafe('create database if not exists librenms character set utf8mb4 collate utf8mb4_unicode_ci')
      return true
    } catch {
      return null
    } finally {
      await first.close({ timeout: 0 })
    }
  })
  const sql = open('librenms')
  return {
    url: `mysql://root@localhost/librenms?socket=${socket}`,
    socket,
    async run(statement, values = []) {
      return (await sql.unsafe(statement, [...values])) as readonly Record<string, unknown>[]
    },
    async stop() {
      await sql.close({ timeout: 1 })
      server.kill('SIGKILL')
      await server.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
