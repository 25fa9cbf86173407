import type { Settings } from '../config/schema.ts'
import type { Actor, Dialect } from '../domain/actor.ts'
import type { ClientAddress } from './client-address.ts'
import { NO_OPERATION } from './request-times.ts'

/** What the front door determined about a request before routing. */
export interface RequestFacts {
  readonly actor: Actor
  /** Dialect of the token, or the default. */
  readonly dialect: Dialect
  readonly settings: Settings
  /** Client address. Computed on demand, because few operations need it. */
  readonly client: () => ClientAddress
  /** operationId, set once the request is routed. */
  operation: string
}

const facts = new WeakMap<Request, RequestFacts>()

/** Stores the facts for the request's handlers. */
export function setFacts(request: Request, value: RequestFacts): void {
  facts.set(request, value)
}

/** The facts of a request; throws if it did not pass the front door. */
export function factsOf(request: Request): RequestFacts {
  const found = facts.get(request)
  if (!found) throw new Error('request did not pass the front door')
  return found
}

/** The dialect of a request; `documented` if it was refused before the dialect was known. */
export function dialectOf(request: Request): Dialect {
  return facts.get(request)?.dialect ?? 'documented'
}

/** operationId of a request; NO_OPERATION for one that did not get that far. */
export function operationOf(request: Request): string {
  return facts.get(request)?.operation ?? NO_OPERATION
}
