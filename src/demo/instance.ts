import type { Instant } from './instant.ts'

/** SMIv2 types of an agent's values, and the corresponding types here. */
export interface AgentTypes {
  readonly Integer32: number
  readonly Gauge32: number
  readonly Counter32: bigint
  readonly Counter64: bigint
  readonly TimeTicks: number
  /** Text, sent as UTF-8. */
  readonly Text: string
  readonly Octets: Uint8Array
  readonly Oid: string
  readonly IpAddress: string
}
export type AgentType = keyof AgentTypes

/** A value, or a function of time. Null: the instance does not exist at that time. */
export type Live<T> = T | ((t: Instant) => T | null)

/** An object instance of a view: the object's OID and the instance below it, in dotted decimal. */
export interface Instance {
  readonly object: string
  readonly index: string
  readonly type: AgentType
  readonly value: Live<AgentTypes[AgentType]>
}
