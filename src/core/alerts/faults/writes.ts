import type { EndedAcknowledgement, EngineFault } from './evolve.ts'
import type { KeptRow } from './fault.ts'

/** A fault to store. `id` null: it begins. */
export interface FaultWrite {
  /** Otherwise only its row was read again. */
  readonly changed: boolean
  readonly fault: EngineFault
  /** The matched row, that of its beginning or the one now; null: it was not read. */
  readonly row: KeptRow | null
  /** Why its acknowledgement ended by itself; null: it did not. */
  readonly acknowledgementEnded: string | null
}

interface Given {
  /** As they are stored, and with the one that stands for those that are not known. */
  readonly stored: readonly EngineFault[]
  readonly before: readonly EngineFault[]
  readonly ended: readonly EndedAcknowledgement[]
  readonly rowOf: (key: string) => KeptRow | null
}

/** The faults that changed, and those that begin. Faults that did not change are the same objects as before. */
export function faultWrites(
  after: readonly EngineFault[],
  { stored, before, ended, rowOf }: Given,
): readonly FaultWrite[] {
  const same = new Set([...stored, ...before.filter(({ id }) => id === null)])
  const why = new Map(ended.map((one) => [one.fault.id ?? one.fault.key, one.why]))
  return after
    .filter((fault) => !same.has(fault))
    .map((fault) => ({
      changed: true,
      fault,
      row: fault.state === 0 ? null : rowOf(fault.key),
      acknowledgementEnded: why.get(fault.id ?? fault.key) ?? null,
    }))
}

/** Open faults whose row was read again although they did not change. `describe`: what it says now. */
export function refreshedRows(
  after: readonly EngineFault[],
  writes: readonly FaultWrite[],
  rowOf: (key: string) => KeptRow | null,
  describe: (key: string) => string,
): readonly FaultWrite[] {
  const written = new Set(writes.map(({ fault }) => fault))
  return after.flatMap((fault) => {
    const row = fault.id === null || fault.state === 0 || written.has(fault) ? null : rowOf(fault.key)
    if (row === null) return []
    return [{ changed: false, fault: { ...fault, message: describe(fault.key) }, row, acknowledgementEnded: null }]
  })
}
