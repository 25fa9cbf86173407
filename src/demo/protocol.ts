import type { PastAnswer, PastQuestion } from './past.ts'
import type { DemoDevice, ServeOptions } from './serve.ts'

/** Messages to the fleet's thread, which answers each one with a single message, in order. */
export type ToFleet =
  | { readonly kind: 'start'; readonly options: Omit<ServeOptions, 'now'> }
  | { readonly kind: 'past'; readonly device: string; readonly question: PastQuestion }
  | { readonly kind: 'stop' }

/** Messages from the fleet's thread. */
export type FromFleet =
  | { readonly kind: 'started'; readonly devices: readonly DemoDevice[]; readonly unknown: readonly DemoDevice[] }
  | { readonly kind: 'past'; readonly answer: PastAnswer }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'stopped'; readonly answered: number }
