/**
 * SMIv2 values as returned by the engine (RFC 2578 §7.1, RFC 3416 §3). Exceptions are kinds and not errors, because an
 * agent reports them for single varbinds while the others of the PDU have values.
 */
export type SnmpValue =
  | { readonly kind: 'Integer32'; readonly value: number }
  | { readonly kind: 'OctetString'; readonly value: Uint8Array }
  | { readonly kind: 'Null' }
  | { readonly kind: 'ObjectIdentifier'; readonly value: string }
  | { readonly kind: 'IpAddress'; readonly value: string }
  | { readonly kind: 'Counter32'; readonly value: number }
  | { readonly kind: 'Gauge32'; readonly value: number }
  | { readonly kind: 'TimeTicks'; readonly value: number }
  | { readonly kind: 'Counter64'; readonly value: bigint }
  | { readonly kind: 'OpaqueFloat'; readonly value: number }
  | { readonly kind: 'OpaqueDouble'; readonly value: number }
  | { readonly kind: 'Opaque'; readonly value: Uint8Array }
  | { readonly kind: 'noSuchObject' }
  | { readonly kind: 'noSuchInstance' }
  | { readonly kind: 'endOfMibView' }

/** One variable binding; `oid` is dotted decimal without a leading dot. */
export interface Varbind {
  readonly oid: string
  readonly value: SnmpValue
}
