import { DomainError, forbidden, invalid } from '../domain/errors.ts'
import { type Gate, passes } from '../domain/gates.ts'
import type { Visit } from './page.ts'

/** Whether the actor may do what the gate guards; the service checks the objects. */
export const mayOf = ({ actor, services }: Pick<Visit, 'actor' | 'services'>, gate: Gate): boolean =>
  passes(actor, gate, services.config)

/** Throws `forbidden` for who may not. */
export function requireGate(visit: Visit, gate: Gate): void {
  if (!mayOf(visit, gate)) throw forbidden('Insufficient permissions')
}

/**
 * Runs a change of a form. What is refused is said on the form, with its fields in words, except where the object itself is
 * not there or not granted (`not_found`).
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
