/** A notification as transports send it. */
export interface AlertNotification {
  /** Idempotency key: the same for every attempt, different for every transport. */
  readonly key: string
  readonly kind: 'alert' | 'recovery' | 'repeat' | 'ack' | 'worse' | 'better' | 'changed' | 'test'
  readonly severity: string
  /** 0 recovered, 1 active, 2 acknowledged, 3 worse, 4 better, 5 changed. */
  readonly state: number
  readonly title: string
  /** Plain text. */
  readonly text: string
  /** Null if the template is plain text. */
  readonly html: string | null
  /** Text for chats. */
  readonly chat: string
  readonly device: {
    readonly id: number
    readonly hostname: string
    readonly display: string
    /** Its name in sentences: see calledDevice. */
    readonly called: string
    readonly ip: string | null
    readonly location: string | null
    /** sysContact. */
    readonly contact: string | null
    /** URL of its page; null if unknown. */
    readonly url: string | null
  }
  readonly rule: { readonly id: number; readonly name: string }
  readonly alertId: number
  /** Epoch ms of the change. */
  readonly time: number
  /** URL of the alert's page; null if unknown. */
  readonly url: string | null
  /** URL that acknowledges the alert without signing in, once; null: there is none. */
  readonly ackUrl: string | null
  readonly faults: readonly Readonly<Record<string, unknown>>[]
  readonly images: readonly { readonly cid: string; readonly png: Uint8Array }[]
}

/** A stored transport: its type and settings, secrets included. */
export interface Transport {
  readonly kind: string
  readonly settings: Readonly<Record<string, unknown>>
}

/**
 * `retry`: it may work later. `refused`: another attempt is pointless; `why` `address`: nothing was sent, because nothing
 * may go to the address of the receiver (setting `outgoing.allow`). Reasons contain no secrets.
 */
export type Delivery =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly reason: string; readonly afterMs?: number }
  | { readonly kind: 'refused'; readonly reason: string; readonly why?: 'address' }
