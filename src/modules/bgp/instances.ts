/** A session's peer and the routing instance (virtual router, VRF) that has it. */
interface Placed {
  readonly address: string
  readonly instance: number
}

/** The context of a peer's row. */
export type ContextOf = (address: string, instance: number) => string

/**
 * Routers may have a session to the same address in several routing instances, which are several sessions. The one in the
 * lowest instance, the global one where it has any, keeps the empty context that BGP4-MIB gives it; the others have the number
 * of their instance. A peer that is in one instance only has the empty context whatever that is, so that its row is not another
 * one than that of BGP4-MIB.
 */
export function contextsOf(sessions: Iterable<Placed>): ContextOf {
  const lowest = new Map<string, number>()
  for (const { address, instance } of sessions) {
    const known = lowest.get(address)
    if (known === undefined || instance < known) lowest.set(address, instance)
  }
  return (address, instance) => (instance === (lowest.get(address) ?? instance) ? '' : String(instance))
}
