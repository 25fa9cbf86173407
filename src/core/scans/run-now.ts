import { findScan } from './read.ts'
import type { ScanFollower, ScanRunDeps } from './run-scan.ts'
import { runScan } from './run-scan.ts'
import type { Scan } from './scan.ts'
import { DEAD_S, runnerName } from './scan-turns.ts'
import { releaseDead, stopScan, takeScan } from './write.ts'

const LOOK_MS = 1000

/**
 * Runs a scan in this process, when no other of its poller group runs any more; `waits` is called once if it has to
 * wait. An aborted signal stops it, to be resumed. Returns the scan as it is then.
 */
export async function runNow(
  deps: ScanRunDeps,
  { id }: Pick<Scan, 'id'>,
  signal: AbortSignal,
  follower: ScanFollower & { waits?(): void },
): Promise<Scan> {
  const { store } = deps
  const runner = runnerName()
  await releaseDead(store, DEAD_S)
  for (let told = false; !signal.aborted && !(await takeScan(store, id, runner)); told = true) {
    if ((await findScan(store, id))?.state !== 'waiting') break
    if (!told) follower.waits?.()
    await Bun.sleep(LOOK_MS)
    await releaseDead(store, DEAD_S)
  }
  const scan = await findScan(store, id)
  if (scan === null) throw new Error(`scan ${id} was deleted`)
  if (scan.state === 'running') await runScan(deps, scan, runner, signal, follower)
  if (signal.aborted) await stopScan(store, id)
  return (await findScan(store, id)) ?? scan
}
