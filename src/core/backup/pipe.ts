import type { Sink } from './container.ts'

/** Bytes that may wait for the reader before the writer has to wait. */
const MAX_WAITING = 16 * 2 ** 20

/** Connects a writer to a reader in one process; a failure of either ends both. */
export class Pipe {
  #waiting: Uint8Array[] = []
  #octets = 0
  #ended = false
  #failure: { readonly error: unknown } | null = null
  #change = Promise.withResolvers<void>()

  readonly sink: Sink = async (octets) => {
    while (this.#octets >= MAX_WAITING && this.#failure === null) await this.#change.promise
    if (this.#failure !== null) throw this.#failure.error
    this.#waiting.push(octets)
    this.#octets += octets.length
    this.#tell()
  }

  /** Nothing more will be written. */
  end(): void {
    this.#ended = true
    this.#tell()
  }

  /** Both ends throw this from now on. */
  fail(error: unknown): void {
    this.#failure ??= { error }
    this.#tell()
  }

  async *source(): AsyncGenerator<Uint8Array> {
    for (;;) {
      if (this.#failure !== null) throw this.#failure.error
      const next = this.#waiting.shift()
      if (next !== undefined) {
        this.#octets -= next.length
        this.#tell()
        yield next
      } else if (this.#ended) return
      else await this.#change.promise
    }
  }

  #tell(): void {
    this.#change.resolve()
    this.#change = Promise.withResolvers<void>()
  }
}
