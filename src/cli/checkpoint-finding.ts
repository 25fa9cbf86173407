import type { CheckpointSettings } from '../core/system/service.ts'
import type { Finding } from './finding.ts'

/** Below this, the pages that polls change are written to the WAL in full too often, seconds. */
const SHORT_S = 1800
/** Below this, a few hundred devices cause a checkpoint before its time, octets. */
const SMALL_WAL = 4 * 2 ** 30

/** What could be better about the checkpoints of the user's own database server; empty: nothing. */
export function checkpointFindings({ intervalS, maxWalOctets, compressed }: CheckpointSettings): Finding[] {
  const better = [
    ...(intervalS < SHORT_S ? ["checkpoint_timeout = '60min'"] : []),
    ...(intervalS < SHORT_S && maxWalOctets < SMALL_WAL ? ["max_wal_size = '4GB' or more"] : []),
    ...(compressed ? [] : ['wal_compression = on']),
  ]
  if (better.length === 0) return []
  const now = `checkpoints every ${Math.round(intervalS / 60)} min write each page that polls change to the WAL once more`
  return [{ state: 'note', what: 'database', text: `${now}; on the database server, set ${better.join(', ')}` }]
}
