import type { Log } from '../observe/log.ts'
import type { WorkerSlot } from './worker-slot.ts'

/** Threads of stalled workers that have been told to end and have not done so yet. */
export interface StuckThreads {
  /** Ends the worker in this slot, which has been silent for this many ms. */
  end(slot: WorkerSlot, silentMs: number): void
  /** The thread of a worker has ended. */
  ended(worker: Worker): void
  readonly size: number
}

/** Time allowed for the thread of a stalled worker to end before it is reported, ms. */
const END_MS = 5000

export function createStuckThreads(log: Log): StuckThreads {
  const stuck = new Set<Worker>()
  return {
    end({ worker, number, attendedDevice: deviceId, jobs }, silentMs) {
      log.error(
        { worker: number, deviceId, silentS: Math.round(silentMs / 1000), jobs: jobs.size },
        'worker stalled and is replaced',
      )
      stuck.add(worker)
      worker.terminate()
      setTimeout(() => {
        if (stuck.has(worker))
          log.error({ worker: number, deviceId }, 'the thread of a stalled worker does not end; restart the server')
      }, END_MS).unref()
    },
    ended: (worker) => void stuck.delete(worker),
    get size() {
      return stuck.size
    },
  }
}
