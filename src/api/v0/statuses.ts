import type { Dialect } from '../../core/base/actor.ts'
import type { DomainErrorCode } from '../../core/base/errors.ts'
import { documented, ErrorModel } from './envelope.ts'

/**
 * HTTP status of every refusal, by dialect. LibreNMS answers 500 to many client errors; `librenms` keeps that for clients
 * that depend on it. `documented` sends the proper status, so a 500 there is always an internal error.
 */
export const STATUSES = {
  invalid: { documented: 400, librenms: 400 },
  unusable: { documented: 400, librenms: 500 },
  unauthenticated: { documented: 401, librenms: 401 },
  forbidden: { documented: 403, librenms: 403 },
  not_found: { documented: 404, librenms: 404 },
  absent: { documented: 404, librenms: 500 },
  conflict: { documented: 409, librenms: 500 },
  silent: { documented: 503, librenms: 500 },
  unavailable: { documented: 503, librenms: 503 },
  throttled: { documented: 429, librenms: 429 },
} as const satisfies Readonly<Record<DomainErrorCode, Readonly<Record<Dialect, number>>>>

type Status<C extends DomainErrorCode> = (typeof STATUSES)[C][Dialect]
type Refusals<C extends DomainErrorCode> = { readonly [S in Status<C>]: typeof ErrorModel }

/** Response models for the given refusals in both dialects, for the declaration of a route. */
export function refusals<const C extends DomainErrorCode>(...codes: readonly C[]): Refusals<C> {
  const statuses = codes.map((code) => STATUSES[code])
  const answers = new Map<number, typeof ErrorModel>(statuses.map((status) => [status.documented, ErrorModel]))
  const instead = statuses.filter(({ documented, librenms }) => documented !== librenms)
  if (instead.length > 0) {
    const others = [...new Set(instead.map((status) => status.documented))].toSorted()
    answers.set(
      500,
      documented({ ...ErrorModel, description: `Only in dialect librenms, in place of ${others.join(', ')}` }),
    )
  }
  return byStatus(answers)
}

/** Safe: the type is computed from the table that provides the keys. */
function byStatus<C extends DomainErrorCode>(answers: ReadonlyMap<number, typeof ErrorModel>): Refusals<C> {
  return Object.fromEntries(answers) as Refusals<C>
}
