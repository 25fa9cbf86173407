/** One request to one agent: what the transport needs to send it, retransmit it and deliver the reply. */
export interface Exchange {
  readonly address: string
  readonly port: number
  readonly family: 4 | 6
  readonly timeoutMs: number
  /** Tries after the first. */
  readonly retries: number
  /** `performance.now()` at which the request fails; Infinity: not before the last try. */
  readonly deadline: number
  /** Milliseconds after which the first try is retransmitted before its timeout; Infinity: never. */
  readonly earlyMs: number
  /** Each retransmission has a new id (v3: RFC 3412 §6.2). */
  readonly freshIds: boolean
  /** Replies are accepted from any address and port. */
  readonly anySource: boolean
  /** Id of the device, given by the caller; 0: none. */
  readonly owner: number
  /** The datagram of a try (0, 1, …). The transport does not change it, so it may be returned again. */
  encode(id: number, attempt: number): Uint8Array
  /** A try timed out: called before each retransmission and before `failed('timeout')`. */
  lost(): void
  /** A datagram with one of this exchange's ids arrived from the right source. Returns false to keep waiting. */
  reply(bytes: Uint8Array, attempt: number): boolean
  /** `from`: where replies came from that were not accepted, because the request went elsewhere; null: none did. */
  failed(reason: ExchangeFailure, from: string | null): void
}

/** `unreachable`: this host cannot send to the address. `tooBig`: the request does not fit in a datagram. */
export type ExchangeFailure = 'timeout' | 'deadline' | 'unreachable' | 'tooBig' | 'closed'
