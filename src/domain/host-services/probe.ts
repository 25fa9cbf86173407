import type { Range } from './range.ts'
import type { SelfPart } from './self-parts.ts'

interface Common {
  /** The service's type, which names the answer: `HTTPS OK`. */
  readonly type: string
  readonly timeoutMs: number
  /** 4 or 6: only addresses of this family; null: any. */
  readonly family: 4 | 6 | null
  /** Ranges of what the check measures, in its unit: seconds; for `snmp` the value itself. null: none. */
  readonly warning: Range | null
  readonly critical: Range | null
}

/** Days of validity left at which a certificate alerts. */
export interface CertificateDays {
  readonly warning: number
  /** -1: never. */
  readonly critical: number
}

export interface TlsOptions {
  /** `start`: TLS from the first octet. `upgrade`: STARTTLS. `none`: no TLS. */
  readonly tls: 'none' | 'start' | 'upgrade'
  /** Name sent as SNI; null: none. */
  readonly serverName: string | null
  /** null: the certificate's validity is measured, and alerts only when it has ended. */
  readonly certificate: CertificateDays | null
  /** Whether a certificate that the system's authorities do not vouch for is critical. */
  readonly verify: boolean
}

export interface IcmpProbe extends Common {
  readonly kind: 'icmp'
  readonly count: number
  /** Limits of round-trip time and loss; `warning` and `critical` are null. */
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
  /** Octets sent after the connection; null: none. */
  readonly send: string | null
  /** Texts of which the answer must have one (`all`: each); none: what the protocol demands. */
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
  /** Texts of which the status line must have one; empty: judged by its class. */
  readonly expect: readonly string[]
  /** Text that the body must have; null: any. */
  readonly contains: string | null
  /** Status of a redirection, or `follow` it on the same address. */
  readonly redirect: 0 | 1 | 2 | 'follow'
}

export interface DnsProbe extends Common {
  readonly kind: 'dns'
  readonly port: number
  readonly name: string
  readonly record: DnsRecord
  /** Answers of which one must come; empty: any. */
  readonly expect: readonly string[]
  readonly authoritative: boolean
}

/** Types of records that a DNS check can ask for, and their codes (RFC 1035 section 3.2.2, RFC 3596). */
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
  /** Instead of those of the device; null: the device's. */
  readonly community: string | null
  readonly version: 'v1' | 'v2c' | null
  readonly port: number | null
}

/** The state of a Portlight by its `/metrics`. `warning` and `critical` are null: each part has limits of its own. */
export interface SelfProbe extends Common {
  readonly kind: 'self'
  readonly port: number
  readonly tls: boolean
  /** At least one. */
  readonly parts: readonly SelfPart[]
}

/** What a built-in check does, made of the parameters of a service. */
export type Probe = IcmpProbe | StreamProbe | HttpProbe | DnsProbe | NtpProbe | SnmpProbe | SelfProbe
