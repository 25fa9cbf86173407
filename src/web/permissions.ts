import { DomainError, forbidden, invalid } from '../core/base/errors.ts'
import { isAllowed, type Permission } from '../core/base/permissions.ts'
import type { PageRequest } from './page.ts'

/** Whether the actor has the permission; access to the objects is checked by the service. */
export const can = ({ actor, services }: Pick<PageRequest, 'actor' | 'services'>, gate: Permission): boolean =>
  isAllowed(actor, gate, services.config)

/** Whether the actor may open a page: has its permission, or one of the others that open it. */
export const opens = (
  visit: Pick<PageRequest, 'actor' | 'services'>,
  { gate, also = [] }: { readonly gate: Permission; readonly also?: readonly Permission[] | undefined },
): boolean => [gate, ...also].some((one) => can(visit, one))

/** Throws `forbidden` if the actor lacks the permission. */
export function requireGate(visit: PageRequest, gate: Permission): void {
  if (!can(visit, gate)) throw forbidden('Insufficient permissions')
}

/**
 * Makes the change that a form asks for. Refusals become `invalid`, so that the form shows the reason, except where the
 * object itself does not exist or is not granted (`not_found`).
 */
export async function refusalsAsFormErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    if (error.fields !== null) throw invalid(Object.values(error.fields).flat().join(' '))
    if (['forbidden', 'absent', 'unusable', 'conflict'].includes(error.code)) throw invalid(error.message)
    throw error
  }
}
