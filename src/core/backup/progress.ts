import { Collector } from './collect.ts'

/** Progress of a backup or a restore. */
export interface Progress {
  /** What is being done, for example `restoring`. */
  readonly step: string
  readonly rows: number
  /** An estimate of all rows; 0: unknown. */
  readonly ofRows: number
  /** Bytes so far, as text. */
  readonly octets: number
  readonly seconds: number
}

/** Called from time to time. */
export type Watch = (progress: Progress) => void

/** Counts rows of one step and reports to `watch`, at most every `everyMs`. Also keeps memory use flat. */
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
