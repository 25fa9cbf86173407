/** Octets read or written between two collections of garbage. */
const EVERY_OCTETS = 8 * 2 ** 20

/**
 * Collects garbage as rows pass: they are buffers outside of the heap, whose growth the collector notices too late, so
 * that memory would grow with the size of a backup.
 */
export class Collector {
  #octets = 0

  passed(octets: number): void {
    this.#octets += octets
    if (this.#octets < EVERY_OCTETS) return
    this.#octets = 0
    Bun.gc(true)
  }
}
