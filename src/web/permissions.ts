import { DomainError, forbidden, invalid } from '../core/base/errors.ts'
import { type Gate, passes } from '../core/base/permissions.ts'
import type { Visit } from './page.ts'

/** Whether the actor has the permission; access to the objects is checked by the service. */
export const mayOf = ({ actor, services }: Pick<Visit, 'actor' | 'services'>, gate: Gate): boolean =>
  passes(actor, gate, services.config)

/** Throws `forbidden` if the actor lacks the permission. */
export function requireGate(visit: Visit, gate: Gate): void {
  if (!mayOf(visit, gate)) throw forbidden('Insufficient permissions')
}

/**
 * Makes the change that a form asks for. Refusals become `invalid`, so that the form shows the reason, except where the
 * object itself does not exist or is not granted (`not_found`).
 */
export async function changed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    if (error.fields !== null) throw invalid(Object.values(error.fields).flat().join(' '))
    if (['forbidden', 'absent', 'unusable', 'conflict'].includes(error.code)) throw invalid(error.message)
    throw error
  }
}
