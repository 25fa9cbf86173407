/** Bytes read or written between two garbage collections. */
const EVERY_OCTETS = 8 * 2 ** 20

/**
 * Triggers garbage collection as rows pass. They are in buffers outside the heap, whose growth the collector notices
 * too late, so memory would otherwise grow with the size of the backup.
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
