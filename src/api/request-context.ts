import type { Settings } from '../config/schema.ts'
import type { Actor, Dialect } from '../core/base/actor.ts'
import type { ClientAddress } from './client-address.ts'
import { NO_OPERATION } from './request-times.ts'

/** What the front door determined about a request before routing. */
export interface RequestContext {
  readonly actor: Actor
  /** Dialect of the token, or the default. */
  readonly dialect: Dialect
  readonly settings: Settings
  /** Client address. Computed on demand, because few operations need it. */
  readonly client: () => ClientAddress
  /** operationId, set once the request is routed. */
  operation: string
}

/** Property of a request that holds its facts; a WeakMap of requests costs more garbage collection. */
const FACTS = Symbol('facts')

interface Known extends Request {
  [FACTS]?: RequestContext
}

/** Stores the facts for the request's handlers. */
export function setFacts(request: Known, value: RequestContext): void {
  request[FACTS] = value
}

/** The facts of a request; throws if it did not pass the front door. */
export function factsOf(request: Known): RequestContext {
  const found = request[FACTS]
  if (!found) throw new Error('request did not pass the front door')
  return found
}

/** The dialect of a request; `documented` if it was refused before the dialect was known. */
export function dialectOf(request: Known): Dialect {
  return request[FACTS]?.dialect ?? 'documented'
}

/** operationId of a request; NO_OPERATION if it was answered before it was routed. */
export function operationOf(request: Known): string {
  return request[FACTS]?.operation ?? NO_OPERATION
}
