import type { Actor } from '../../base/actor.ts'
import { DomainError } from '../../base/errors.ts'
import { FAULT_BOUNDS } from '../faults/fault.ts'
import type { FaultService } from '../faults/service.ts'
import type { AlertService } from '../service.ts'

const NOTE = 'by the link in a notification'
const ALL = { offset: 0, limit: FAULT_BOUNDS.bulk } as const
/** How often faults are looked for, at most FAULT_BOUNDS.bulk at once. */
const MAX_ROUNDS = 10

/**
 * Acknowledges the active faults of an alert that had begun when its notification was decided; false: there are none
 * any more. An alert without active faults, as after an import, is acknowledged itself.
 */
export async function acknowledgeTold(
  { alerts, faults }: { readonly alerts: AlertService; readonly faults: FaultService },
  actor: Actor,
  { id, began }: { readonly id: number; readonly began: number | null },
  atS: number,
): Promise<boolean> {
  let done = false
  // faults that end in the meantime are left out the next time
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const active = { alertId: id, states: [1] } as const
    const { rows } = await faults.list(actor, { ...active, until: atS * 1000 + 999 }, ALL)
    if (rows.length === 0) {
      if (done || (await faults.list(actor, active, ALL)).total > 0) return done
      return (await alerts.acknowledge(actor, id, { note: NOTE, until: 'worse', seen: began })) === 'done'
    }
    const ids = rows.map((fault) => fault.id)
    const made = await faults.acknowledge(actor, ids, { note: NOTE, until: 'worse' }).catch(unlessOver)
    done ||= made !== null
  }
  return done
}

/** Null for faults that ended in the meantime; rethrows other errors. */
function unlessOver(error: unknown): null {
  if (error instanceof DomainError && (error.code === 'conflict' || error.code === 'not_found')) return null
  throw error
}
