import type { Settings } from '../config/schema.ts'
import type { Actor, Dialect } from '../domain/actor.ts'
import type { ClientAddress } from './client-address.ts'

/** What the front door found out about a request before it was routed. */
export interface RequestFacts {
  readonly actor: Actor
  /** The token's dialect, or the installation's. */
  readonly dialect: Dialect
  readonly settings: Settings
  /** Where the request came from. Computed when asked for: few operations want it. */
  readonly client: () => ClientAddress
}

const facts = new WeakMap<Request, RequestFacts>()

/** Keeps the facts for the handlers of the request. */
export function setFacts(request: Request, value: RequestFacts): void {
  facts.set(request, value)
}

/** The facts of a request that passed the front door. */
export function factsOf(request: Request): RequestFacts {
  const found = facts.get(request)
  if (!found) throw new Error('request did not pass the front door')
  return found
}
