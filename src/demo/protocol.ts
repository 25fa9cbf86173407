import type { PastAnswer, PastQuestion } from './past.ts'
import type { DemoDevice, ServeOptions } from './serve.ts'

/** Messages to the fleet's thread, which answers each one with a single message, in order. */
export type ToFleet =
  | { readonly kind: 'start'; readonly options: Omit<ServeOptions, 'now'> }
  | { readonly kind: 'past'; readonly device: string; readonly question: PastQuestion }
  | { readonly kind: 'stop' }

/** Messages from the fleet's thread. */
export type FromFleet =
  | ({ readonly kind: 'started' } & StartedFleet)
  | { readonly kind: 'past'; readonly answer: PastAnswer }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'stopped'; readonly answered: number }

/** What the fleet has when it has started. */
export interface StartedFleet {
  readonly devices: readonly DemoDevice[]
  /** Devices to be found, not added; none on hosts that have only 127.0.0.1. */
  readonly unknown: readonly DemoDevice[]
  /** TCP port of web-1's web server. */
  readonly webPort: number
}
