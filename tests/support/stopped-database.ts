import { readFileSync } from 'node:fs'
import type { Sql } from '../../src/core/database/client.ts'

/** The processes of a database server on this host, by a connection to it. */
export interface DatabaseProcesses {
  /** Stops all of them, so that the server neither answers nor ends a connection; the function lets them continue. */
  freeze(): () => void
}

/** Finds the postmaster through the parent of a backend. Linux only. */
export async function processesOf(sql: Sql): Promise<DatabaseProcesses> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  const postmaster = Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${row?.pid ?? 0}/status`, 'utf8'))?.[1])
  return {
    freeze() {
      // the postmaster first, so that backends neither start nor end while they are listed
      process.kill(postmaster, 'SIGSTOP')
      const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ')
      const all = children.map(Number)
      for (const pid of all) process.kill(pid, 'SIGSTOP')
      return () => {
        for (const pid of [...all, postmaster]) process.kill(pid, 'SIGCONT')
      }
    },
  }
}
