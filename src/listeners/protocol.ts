import type { KeySource } from '../store/secrets/ring.ts'
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
  'rate',
] as const
export type DropReason = (typeof DROP_REASONS)[number]

/** What is listened to. */
export type Protocol = 'syslog' | 'traps'

/** Counts of one protocol since the start of the process. */
export interface ListenerCounts {
  readonly received: number
  readonly stored: number
  readonly waiting: number
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>
}
export type Counts = Readonly<Record<Protocol, ListenerCounts>>

/** Where is listened, HOST:PORT each; empty: not. */
export interface Addresses {
  readonly syslogUdp: string
  readonly syslogTcp: string
  readonly syslogTls: string
  readonly trapsUdp: string
}

/** Settings that may change while listening. */
export interface LiveOptions {
  /** Texts of messages that are dropped. */
  readonly filter: readonly string[]
  /** Hostnames by name or address of a sender. */
  readonly xlate: Readonly<Record<string, string>>
  /** Addresses and networks whose messages' HOSTNAME is believed. */
  readonly relays: readonly string[]
  /** The same for traps, whose agent address is believed. */
  readonly trapRelays: readonly string[]
  /** Communities that traps may have beside those of their devices; empty: only those. */
  readonly communities: readonly string[]
  readonly users: readonly TrapUser[]
}

export interface StartOptions {
  readonly databaseUrl: string
  readonly addresses: Addresses
  /** PEM; null: no TLS. */
  readonly tls: { readonly cert: string; readonly key: string } | null
  /** snmpEngineID of the receiver, hexadecimal, and how often it has started. */
  readonly engine: { readonly id: string; readonly boots: number }
  readonly live: LiveOptions
  /** Keys of secrets at rest; default: none. */
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
  /** Messages of these devices were stored. */
  | { readonly kind: 'stored'; readonly table: 'syslog' | 'eventlog'; readonly deviceIds: readonly number[] }
  /** Traps that ask for a poll. */
  | { readonly kind: 'poll'; readonly deviceIds: readonly number[] }
  | { readonly kind: 'log'; readonly level: 'info' | 'warn' | 'error'; readonly text: string }
  | { readonly kind: 'stopped' }
