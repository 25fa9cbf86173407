import type { KeySource } from '../../secrets/ring.ts'
import type { TrapUser } from './traps/users.ts'

/** Reasons why a message was not stored. */
export const DROP_REASONS = [
  'queue_full',
  'kernel',
  'unknown_device',
  'filtered',
  'malformed',
  'framing',
  'connections',
  'refused_by_database',
  'credentials',
  'clock',
  'engine',
  'rate',
] as const
export type DropReason = (typeof DROP_REASONS)[number]

/** What is received. */
export type Protocol = 'syslog' | 'traps'

/** Counters of one protocol since the process started, and messages waiting. */
export interface ListenerCounts {
  readonly received: number
  readonly stored: number
  readonly waiting: number
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>
}
export type Counts = Readonly<Record<Protocol, ListenerCounts>>

/** Addresses to listen at, HOST:PORT each; empty: off. */
export interface Addresses {
  readonly syslogUdp: string
  readonly syslogTcp: string
  readonly syslogTls: string
  readonly trapsUdp: string
}

/** Settings that may change while listening. */
export interface LiveOptions {
  /** Messages that contain one of these texts are dropped. */
  readonly filter: readonly string[]
  /** Hostname of a device by name or address of a sender. */
  readonly xlate: Readonly<Record<string, string>>
  /** Addresses and networks in whose messages HOSTNAME is trusted. */
  readonly relays: readonly string[]
  /** Addresses and networks in whose traps the agent address is trusted. */
  readonly trapRelays: readonly string[]
  /** Communities accepted in traps in addition to those of their devices. */
  readonly communities: readonly string[]
  readonly users: readonly TrapUser[]
}

export interface StartOptions {
  readonly databaseUrl: string
  readonly addresses: Addresses
  /** PEM; null: no TLS. */
  readonly tls: { readonly cert: string; readonly key: string } | null
  /** snmpEngineID (hexadecimal) and snmpEngineBoots of the receiver. */
  readonly engine: { readonly id: string; readonly boots: number }
  readonly live: LiveOptions
  /** Keys that encrypt secrets in the database; default: none. */
  readonly keys?: readonly KeySource[]
}

export type ToWorker =
  | { readonly kind: 'start'; readonly options: StartOptions }
  | { readonly kind: 'live'; readonly live: LiveOptions }
  | { readonly kind: 'stop' }

export type FromWorker =
  /** Ports by `protocol/transport`, or why listening failed. */
  | { readonly kind: 'ready'; readonly ports: Readonly<Record<string, number>>; readonly problems: readonly string[] }
  | { readonly kind: 'counts'; readonly counts: Counts }
  /** Messages from these devices were stored. */
  | { readonly kind: 'stored'; readonly table: 'syslog' | 'eventlog'; readonly deviceIds: readonly number[] }
  /** Traps from these devices ask for a poll. */
  | { readonly kind: 'poll'; readonly deviceIds: readonly number[] }
  | { readonly kind: 'log'; readonly level: 'info' | 'warn' | 'error'; readonly text: string }
  | { readonly kind: 'stopped' }
