import { Collector } from './collect.ts'

/** How far a backup or a restore has come. */
export interface Progress {
  /** What is being done, for example `restoring`. */
  readonly step: string
  readonly rows: number
  /** An estimate of all rows; 0: unknown. */
  readonly ofRows: number
  /** Octets as text so far. */
  readonly octets: number
  readonly seconds: number
}

/** Called now and then. */
export type Watch = (progress: Progress) => void

/** Counts rows of one step and tells `watch`, at most every `everyMs`. Keeps memory flat meanwhile. */
export class Counter {
  #rows = 0
  #octets = 0
  #told = performance.now()
  readonly #collector = new Collector()
  readonly #began = performance.now()

  constructor(
    readonly step: string,
    readonly ofRows: number,
    readonly watch: Watch,
    readonly everyMs = 1000,
  ) {}

  add(rows: number, octets: number): void {
    this.#rows += rows
    this.#octets += octets
    this.#collector.passed(octets)
    const now = performance.now()
    if (now - this.#told < this.everyMs) return
    this.#told = now
    this.watch(this.now())
  }

  now(): Progress {
    const seconds = (performance.now() - this.#began) / 1000
    return { step: this.step, rows: this.#rows, ofRows: this.ofRows, octets: this.#octets, seconds }
  }
}
