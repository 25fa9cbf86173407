import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { client } from '../../../src/core/database/client.ts'
import { createLog } from '../../../src/observe/log.ts'
import { startEmbedded } from '../../../src/postgres/embedded.ts'
import { readPidFile } from '../../../src/postgres/postmaster.ts'
import { command as program, projectDir, temporaryFolder } from '../../cli/support.ts'
import { until } from '../../e2e/server.ts'

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
  // ready means that it takes writes and has every row: nothing has to wait for the end of the recovery
  await copy`create table after_recovery (n int)`
  const [{ n: rows } = { n: null }] = await copy`select array(select n from moments order by n) as n`
  await copy.end()
  await again.stop()
  expect(rows).toEqual([1, 2])
})

const psql = Bun.which('psql')
if (psql === null) console.warn('SKIPPED: psql is not installed: the commands of the page are not run')

/** The code blocks of the part about the embedded server, as a shell runs them. */
function documented(replace: Readonly<Record<string, string>>): { settings: string; commands: string[] } {
  const page = readFileSync(join(projectDir, 'docs', 'how-to', 'backup.md'), 'utf8')
  const part = page.slice(page.indexOf('**With the embedded server**'), page.indexOf('## File format'))
  const blocks = [...part.matchAll(/^```(\w*)\n(.*?)^```/gms)].map(([, kind, text = '']) => ({
    kind,
    text: text.replaceAll(new RegExp(Object.keys(replace).join('|'), 'g'), (found) => replace[found] ?? ''),
  }))
  return {
    settings: blocks.filter(({ kind }) => kind === '').map(({ text }) => text)[0] ?? '',
    commands: blocks.filter(({ kind }) => kind === 'console').map(({ text }) => text.replaceAll(/^\$ /gm, '')),
  }
}

test.skipIf(psql === null)(
  'the commands of the page, with the program: its first start is ready and hears',
  async () => {
    const uid = process.getuid?.() === 0 ? 65_534 : undefined
    const place = join(folder.path, 'page')
    mkdirSync(join(place, 'archive'), { recursive: true })
    for (const path of [place, join(place, 'archive')]) chmodSync(path, 0o777)
    const [DATA, NEW] = [join(place, 'old'), join(place, 'new')]
    const main = program.join(' ')
    const run = async (text: string) => {
      const child = Bun.spawn(['sh', '-euc', text], {
        cwd: place,
        env: { PATH: process.env['PATH'], HOME: place },
        stdout: 'pipe',
        stderr: 'pipe',
        ...(uid !== undefined && { uid, gid: uid }),
      })
      const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
      return { code, out, err }
    }
    const command = (dataDir: string, ...args: string[]) => run(`${main} ${args.join(' ')} --data-dir ${dataDir}`)
    /** Runs a server in the background, `during` while it is ready, and stops it. */
    const served = async (start: string, during: (url: string) => Promise<void>) => {
      const log = join(place, 'serve.out')
      rmSync(log, { force: true })
      const child = Bun.spawn(['sh', '-euc', `exec ${start} --port 0 > serve.out 2> serve.err`], {
        cwd: place,
        env: { PATH: process.env['PATH'], HOME: place },
        ...(uid !== undefined && { uid, gid: uid }),
      })
      try {
        const text = await until(120, 'the server starts', async () => {
          const said = existsSync(log) ? readFileSync(log, 'utf8') : ''
          if (child.exitCode !== null) throw new Error(readFileSync(join(place, 'serve.err'), 'utf8'))
          return said.includes('Use it:') ? said : null
        })
        await during(/https?:\/\/\S+/.exec(text)?.[0] ?? '')
      } finally {
        child.kill('SIGTERM')
        await child.exited
      }
    }
    const sql = (text: string) => run(`psql -h ${DATA}/postgres/run -U portlight portlight -qAtc "${text}"`)

    expect(await command(DATA, 'migrate', '--create')).toMatchObject({ code: 0 })
    const words = { '/archive': join(place, 'archive'), DATA, NEW, 'portlight serve': `${main} serve` }
    const { settings, commands } = documented(words)
    expect(await run(`cat >> ${DATA}/postgres/data/postgresql.conf <<'X'\n${settings}X\n`)).toMatchObject({ code: 0 })
    let moment = ''
    await served(`${main} serve --data-dir ${DATA}`, async () => {
      expect(await run(commands[0] ?? '')).toMatchObject({ code: 0 })
      expect((await command(DATA, 'user', 'add', 'before', '--no-password')).code).toBe(0)
      moment = (await sql('select clock_timestamp()')).out.trim()
      expect((await command(DATA, 'user', 'add', 'after', '--no-password')).code).toBe(0)
      const file = (await sql('select pg_walfile_name(pg_switch_wal())')).out.trim()
      await until(60, 'the last WAL file is archived', () =>
        Promise.resolve(readdirSync(join(place, 'archive')).includes(file)),
      )
    })

    const restore = (commands[1] ?? '').replace(/(?<=recovery_target_time = ').*(?=')/, moment)
    const [, steps = '', serve = ''] = /^(.*)\n(.* serve .*)\n$/s.exec(restore) ?? []
    expect(await run(steps)).toMatchObject({ code: 0 })
    await served(serve, async (url) => {
      // which includes that notifications from the database arrive
      await until(60, 'the server is ready', async () => (await fetch(`${url}/readyz`)).ok || null)
      const { out } = await command(NEW, 'user', 'list', '--json')
      expect((JSON.parse(out) as { username: string }[]).map(({ username }) => username).sort()).toEqual([
        'admin',
        'before',
      ])
    })
  },
)
