import type { Range } from './range.ts'
import type { SelfPart } from './self-parts.ts'

interface Common {
  /** The service type, with which the result begins: `HTTPS OK`. */
  readonly type: string
  readonly timeoutMs: number
  /** 4 or 6: only addresses of this family; null: any. */
  readonly family: 4 | 6 | null
  /** Ranges of the measured value, in seconds, or for `snmp` of the value itself; null: none. */
  readonly warning: Range | null
  readonly critical: Range | null
}

/** Remaining days of validity at which a certificate alerts. */
export interface CertificateDays {
  readonly warning: number
  /** -1: never. */
  readonly critical: number
}

export interface TlsOptions {
  /** `start`: TLS from the first byte. `upgrade`: STARTTLS. `none`: no TLS. */
  readonly tls: 'none' | 'start' | 'upgrade'
  /** Name sent as SNI; null: none. */
  readonly serverName: string | null
  /** null: the certificate's remaining validity is measured, but alerts only once it has expired. */
  readonly certificate: CertificateDays | null
  /** Whether a certificate not signed by one of the system's certificate authorities is critical. */
  readonly verify: boolean
}

export interface IcmpProbe extends Common {
  readonly kind: 'icmp'
  readonly count: number
  /** Limits of round-trip time and loss; the members `warning` and `critical` are null. */
  readonly limits: readonly [warning: IcmpLimits, critical: IcmpLimits]
}

export interface IcmpLimits {
  readonly rtaMs: number
  readonly lossPercent: number
}

/** A dialogue over TCP. */
export interface StreamProbe extends Common, TlsOptions {
  readonly kind: 'stream'
  readonly protocol: 'tcp' | 'ssh' | 'smtp' | 'imap' | 'pop'
  readonly port: number
  /** Text sent after connecting; null: none. */
  readonly send: string | null
  /** The answer must contain one of these texts (`all`: each of them); empty: what the protocol requires. */
  readonly expect: readonly string[]
  readonly all: boolean
}

export interface HttpProbe extends Common, TlsOptions {
  readonly kind: 'http'
  readonly port: number
  /** Host header; null: the address. */
  readonly host: string | null
  readonly method: string
  readonly path: string
  readonly headers: readonly string[]
  /** `user:password` of basic authentication; null: none. */
  readonly authorization: string | null
  /** The status line must contain one of these texts; empty: judged by its class. */
  readonly expect: readonly string[]
  /** Text that the body must contain; null: any. */
  readonly contains: string | null
  /** Status that a redirect results in, or `follow` to follow it on the same address. */
  readonly redirect: 0 | 1 | 2 | 'follow'
}

export interface DnsProbe extends Common {
  readonly kind: 'dns'
  readonly port: number
  readonly name: string
  readonly record: DnsRecord
  /** One of these answers is required; empty: any. */
  readonly expect: readonly string[]
  readonly authoritative: boolean
}

/** Record types that a DNS check can query, and their codes (RFC 1035 §3.2.2, RFC 3596). */
export const DNS_RECORDS = { A: 1, NS: 2, CNAME: 5, SOA: 6, PTR: 12, MX: 15, TXT: 16, AAAA: 28 } as const
export type DnsRecord = keyof typeof DNS_RECORDS

export interface NtpProbe extends Common {
  readonly kind: 'ntp'
  readonly port: number
}

export interface SnmpProbe extends Common {
  readonly kind: 'snmp'
  readonly oid: string
  readonly label: string
  readonly unit: string
  /** Text that the value must equal; null: any. */
  readonly expect: string | null
  /** Credentials instead of the device's; null: those of the device. */
  readonly community: string | null
  readonly version: 'v1' | 'v2c' | null
  readonly port: number | null
}

/**
 * The state of a Portlight according to its `/metrics`. `warning` and `critical` are null: each part has its own
 * limits.
 */
export interface SelfProbe extends Common {
  readonly kind: 'self'
  readonly port: number
  readonly tls: boolean
  /** At least one. */
  readonly parts: readonly SelfPart[]
}

/** A built-in check, made from the parameters of a service. */
export type Probe = IcmpProbe | StreamProbe | HttpProbe | DnsProbe | NtpProbe | SnmpProbe | SelfProbe
