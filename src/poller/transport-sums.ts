/** The transport counters of all workers together, including those that have ended. */
export interface TransportSums {
  /** Adds the counters of a worker that ends. */
  ended(transport: Readonly<Record<string, number>>): void
  /** The sums, with the present counters of the workers that run. */
  with(running: Iterable<Readonly<Record<string, number>>>): Readonly<Record<string, number>>
}

/** Values of a worker's transport that are not counters. */
const GAUGES = new Set(['inFlight', 'queued'])

export function createTransportSums(): TransportSums {
  const ended: Record<string, number> = {}
  const add = (sums: Record<string, number>, name: string, value: number): void => {
    sums[name] = (sums[name] ?? 0) + value
  }
  return {
    ended(transport) {
      for (const [name, value] of Object.entries(transport)) if (!GAUGES.has(name)) add(ended, name, value)
    },
    with(running) {
      const sums = { ...ended }
      for (const transport of running) for (const [name, value] of Object.entries(transport)) add(sums, name, value)
      return sums
    },
  }
}
