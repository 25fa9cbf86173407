import type { DemoDevice, ServeOptions } from './serve.ts'

/** What the server tells the fleet's thread. */
export type ToFleet =
  | { readonly kind: 'start'; readonly options: Omit<ServeOptions, 'now'> }
  | { readonly kind: 'stop' }

/** What the fleet's thread tells the server. */
export type FromFleet =
  | { readonly kind: 'started'; readonly devices: readonly DemoDevice[] }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'stopped'; readonly answered: number }
