import type { ContactElsewhere, RunSummary } from '../base/gateway.ts'

/** A run of a device that can be asked for. */
export type Verb = 'discover' | 'poll'

/** The remote pollers, in the process that serves them. */
export interface ServedPollers {
  /** Runs at the device's site; null: it belongs to no site, or another process serves them by now. */
  run(verb: Verb, deviceId: number): Promise<RunSummary | null>
  /** Contacts the device from its site; null: as above. Throws StoreError. */
  contact(deviceId: number): Promise<ContactElsewhere | null>
}

/** Who polls a device, as seen by one process. */
export type Owner =
  /** The poller of this process. */
  | { readonly at: 'here' }
  /** The remote poller of this name, which this process serves. */
  | { readonly at: 'site'; readonly name: string; readonly sites: ServedPollers }
  /** Another process polls it, or serves its remote poller. `name` null: one of those that are running. */
  | { readonly at: 'elsewhere'; readonly name: string | null }
  /** No running process does. `name`: its remote poller; null: it has none. `reason`: a clause. */
  | { readonly at: 'nobody'; readonly name: string | null; readonly reason: string }

export const HERE: Owner = { at: 'here' }

/** The owner of a device whose remote poller is served by no process. */
export const unserved = (name: string): Owner => ({
  at: 'nobody',
  name,
  reason: `remote poller ${name} is not served yet`,
})

/** Result of a run that was not begun. */
export const refused = (message: string): RunSummary => ({
  outcome: 'failed',
  tookMs: 0,
  failure: { kind: 'invalid', message },
  modules: [],
})
