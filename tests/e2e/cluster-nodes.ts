import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type Store } from '../../src/core/database/client.ts'
import { spawnServe, temporaryFolder } from '../cli/support.ts'

/** A process of the cluster. */
export interface Node {
  readonly name: string
  readonly process: Bun.Subprocess
  /** Base URL of its HTTP server. */
  readonly url: string
  log(): string
}

/** Processes of the program that share a database. */
export interface Cluster {
  readonly store: Store
  start(name: string, role: string, settings?: readonly string[]): Promise<Node>
  /** Names of the live processes, according to the database. */
  living(): Promise<string[]>
  /** Name of the leader; null: currently none. */
  leader(): Promise<string | null>
  stop(): Promise<void>
}

const READY = /is ready at (\S+)/

export function testCluster(databaseUrl: string, common: readonly string[]): Cluster {
  const folder = temporaryFolder()
  const store = connect(databaseUrl, { max: 2 })
  const nodes: Node[] = []

  return {
    store,
    async start(name, role, settings = []) {
      const log = join(folder.path, `${name}-${nodes.length}.log`)
      const process = spawnServe(join(folder.path, name), log, [
        ...['--role', role, '--database-url', databaseUrl, '--set', `poller.name=${name}`],
        ...common,
        ...settings,
      ])
      const reader = process.stdout.getReader()
      let said = ''
      while (!READY.test(said)) {
        const { done, value } = await reader.read()
        if (done) throw new Error(`${name} said only: ${said} ${readFileSync(log, 'utf8')}`)
        said += new TextDecoder().decode(value)
      }
      reader.releaseLock()
      const node = { name, process, url: READY.exec(said)?.[1] ?? '', log: () => readFileSync(log, 'utf8') }
      nodes.push(node)
      return node
    },
    async living() {
      const rows = await store.sql<{ name: string }[]>`
        select node_id as name from poller_cluster n where exists (select from pg_locks l
          where l.locktype = 'advisory' and l.objsubid = 2 and l.objid = n.id and l.granted
            and l.database = (select oid from pg_database where datname = current_database()))
        order by 1`
      return rows.map((row) => row.name)
    },
    async leader() {
      const living = await this.living()
      const rows = await store.sql<{ name: string }[]>`select node_id as name from poller_cluster where master = 1`
      return rows.map((row) => row.name).find((name) => living.includes(name)) ?? null
    },
    async stop() {
      for (const { process } of nodes) process.kill('SIGCONT')
      for (const { process } of nodes) process.kill('SIGTERM')
      await Promise.all(nodes.map(({ process }) => process.exited))
      await store.close()
      folder.remove()
    },
  }
}

/** A pair of consecutive samples of a port with a gap or overlap between them. */
export interface Break {
  readonly port_id: number
  readonly time: Date
  /** Seconds between the end of the earlier sample and the start of the later one; negative: they overlap. */
  readonly off: number
}

/** Pairs of samples with a gap or overlap of more than `toleranceS`. */
export async function breaksOf({ sql }: Pick<Store, 'sql'>, toleranceS: number): Promise<Break[]> {
  return await sql<Break[]>`
    with s as (
      select port_id, time, time - period_ms * interval '1 millisecond' as began,
        lag(time) over (partition by port_id order by time) as before
      from ts.port_samples)
    select port_id, time, extract(epoch from began - before)::float8 as off from s
    where before is not null and abs(extract(epoch from began - before)) > ${toleranceS} order by time limit 20`
}
