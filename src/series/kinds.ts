import type { SampleKind } from './kind.ts'
import { bgp_peer } from './kinds/bgp.ts'
import { device, icmp, stats } from './kinds/device.ts'
import { etherlike } from './kinds/etherlike.ts'
import { module_time } from './kinds/module.ts'
import { port } from './kinds/port.ts'
import { qos_class } from './kinds/qos-class.ts'
import { sensor, wireless } from './kinds/sensors.ts'
import { service } from './kinds/service.ts'
import { stp } from './kinds/stp.ts'
import { mempool, processor, storage, supply } from './kinds/usage.ts'

/** Every kind of measured thing, by name. To add one, declare it in `kinds/` and add its line here. */
export const KINDS = {
  port,
  processor,
  sensor,
  wireless,
  supply,
  mempool,
  storage,
  device,
  icmp,
  stats,
  service,
  bgp_peer,
  module_time,
  etherlike,
  stp,
  qos_class,
} as const satisfies Readonly<Record<string, SampleKind>>

export type KindName = keyof typeof KINDS

export const KIND_LIST: readonly (SampleKind & { readonly name: KindName })[] = Object.values(KINDS).map(named)

/** Kinds with generic rows: all but ports, which have columns of their own in a batch. */
export type NarrowName = Exclude<KindName, 'port'>
export const NARROW_NAMES: readonly NarrowName[] = KIND_LIST.flatMap(({ name }) => (name === 'port' ? [] : [name]))

function named(kind: SampleKind): SampleKind & { readonly name: KindName } {
  // `KINDS` is keyed by the kinds' own names, as a test verifies.
  return kind as SampleKind & { readonly name: KindName }
}
