import type { PackingState } from '../../core/system/storage.ts'
import type { PackingStage } from '../../core/system/write-storage.ts'
import type { Log } from '../../observe/log.ts'

const EVERY_MS = 3_600_000

/**
 * Logs that packing of older data began, how far it is, at most once an hour and only if it went on, and that it is
 * finished.
 */
export function packingLog(log: Log): (stage: PackingStage, state: PackingState, nowMs: number) => void {
  let saidMs = Number.NEGATIVE_INFINITY
  let saidWaiting = -1
  return (stage, { run, waiting, oldest, leftS }, nowMs) => {
    if (stage === null) return
    if (stage === 'goes on' && (nowMs - saidMs < EVERY_MS || waiting === saidWaiting)) return
    const total = Math.max(waiting, run?.total ?? 0)
    saidMs = nowMs
    saidWaiting = waiting
    const figures = {
      done: stage === 'finished' ? total : total - waiting,
      total,
      ...(stage !== 'finished' && oldest !== null && { oldest: oldest.toISOString().slice(0, 10) }),
      ...(stage === 'goes on' && leftS !== null && { leftHours: Math.ceil(leftS / 3600) }),
    }
    log.info(figures, TEXTS[stage])
  }
}

const TEXTS = {
  began: 'packing of older samples began; they stay readable meanwhile',
  'goes on': 'packing of older samples goes on',
  finished: 'packing of older samples is finished',
} as const
