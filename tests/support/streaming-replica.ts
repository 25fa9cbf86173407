import { appendFileSync, chownSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { client } from '../../src/core/database/client.ts'
import { createLog } from '../../src/observe/log.ts'
import { packagedBinaries } from '../../src/postgres/binaries.ts'
import { preparePrograms } from '../../src/postgres/cluster.ts'
import { startEmbedded } from '../../src/postgres/embedded.ts'
import { type Home, openHome } from '../../src/postgres/home.ts'
import { temporaryFolder } from '../cli/support.ts'
import { until } from '../e2e/server.ts'

/** A PostgreSQL server with a hot standby that streams from it. Both run the program's own PostgreSQL. */
export interface ReplicatedServer {
  readonly primary: string
  readonly replica: string
  /** Pauses replay on the replica, which keeps answering reads with what it has. */
  pauseReplay(): Promise<void>
  resumeReplay(): Promise<void>
  startReplica(): Promise<void>
  stopReplica(): Promise<void>
  stopPrimary(): Promise<void>
  /** Makes the replica a primary; resolves when it accepts writes. */
  promote(): Promise<void>
  stop(): Promise<void>
}

export async function replicatedServer(): Promise<ReplicatedServer> {
  const folder = temporaryFolder()
  const log = createLog('silent')
  const primaryDir = join(folder.path, 'primary')
  const server = await startEmbedded({ dataDir: primaryDir, log })
  const home = openHome(join(folder.path, 'replica'), () => undefined)
  await copyCluster(
    openHome(primaryDir, () => undefined),
    home,
    server.url,
  )
  const programs = await preparePrograms(home, packagedBinaries())
  const replica = `postgres://portlight@localhost:5432/portlight?host=${encodeURIComponent(home.sockets)}`
  let child: Bun.Subprocess | null = null

  async function onReplica(statement: string): Promise<unknown> {
    const sql = client(replica, 1)
    try {
      const [row] = await sql.unsafe<{ value: unknown }[]>(statement)
      return row?.value
    } finally {
      await sql.end()
    }
  }

  async function startReplica(): Promise<void> {
    const { account } = home
    const output = openSync(join(folder.path, 'replica.log'), 'a')
    child = Bun.spawn(
      [
        ...[join(programs.bin, 'postgres'), '-D', home.data, '-c', 'listen_addresses=', '-c', 'hot_standby=on'],
        ...['-c', `unix_socket_directories=${home.sockets}`],
      ],
      {
        ...(account.switch && { uid: account.uid, gid: account.gid }),
        ...{ cwd: home.folder, env: programs.env, stdin: 'ignore', stdout: output, stderr: output },
      },
    )
    await until(60, 'the replica answers', async () => (await onReplica('select 1 as value').catch(() => null)) === 1)
  }

  async function stopReplica(): Promise<void> {
    child?.kill('SIGINT')
    await child?.exited
    child = null
  }

  await startReplica().catch(async (error: unknown) => {
    await stopReplica()
    await server.stop()
    throw error
  })
  return {
    primary: server.url,
    replica,
    startReplica,
    stopReplica,
    async pauseReplay() {
      await onReplica('select pg_wal_replay_pause()')
      await until(
        20,
        'replay is paused',
        async () => (await onReplica('select pg_get_wal_replay_pause_state() as value')) === 'paused',
      )
    },
    async resumeReplay() {
      await onReplica('select pg_wal_replay_resume()')
    },
    stopPrimary: () => server.stop(),
    async promote() {
      await onReplica('select pg_promote()')
      await until(
        60,
        'the replica is promoted',
        async () => (await onReplica('select pg_is_in_recovery() as value')) === false,
      )
    },
    async stop() {
      await stopReplica()
      await server.stop()
      folder.remove()
    },
  }
}

/** A base backup as made by pg_basebackup, which the packaged PostgreSQL does not include. */
async function copyCluster(from: Home, to: Home, url: string): Promise<void> {
  const sql = client(url, 1)
  try {
    await sql`select pg_backup_start('replica', true)`
    Bun.spawnSync(['cp', '-a', from.data, to.data])
    const [label] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop(false)`
    writeFileSync(join(to.data, 'backup_label'), label?.labelfile ?? '')
  } finally {
    await sql.end()
  }
  for (const file of ['postmaster.pid', 'postmaster.opts']) rmSync(join(to.data, file), { force: true })
  writeFileSync(join(to.data, 'standby.signal'), '')
  const { uid, gid, switch: other } = to.account
  if (other) for (const file of ['backup_label', 'standby.signal']) chownSync(join(to.data, file), uid, gid)
  appendFileSync(
    join(to.data, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${from.sockets} port=5432 user=portlight'\n`,
  )
}
