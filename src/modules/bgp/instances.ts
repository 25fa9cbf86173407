/** A session's peer and its routing instance (virtual router, VRF). */
interface Placed {
  readonly address: string
  readonly instance: number
}

/** The context_name of a peer's row. */
export type ContextOf = (address: string, instance: number) => string

/**
 * A router may have separate sessions to the same address in several routing instances. The session in the lowest
 * instance (the global one, if it has a session) keeps the empty context that BGP4-MIB gives it; the others get the
 * number of their instance. A peer in only one instance always has the empty context, so that its row is the same as
 * BGP4-MIB's.
 */
export function contextsOf(sessions: Iterable<Placed>): ContextOf {
  const lowest = new Map<string, number>()
  for (const { address, instance } of sessions) {
    const known = lowest.get(address)
    if (known === undefined || instance < known) lowest.set(address, instance)
  }
  return (address, instance) => (instance === (lowest.get(address) ?? instance) ? '' : String(instance))
}
