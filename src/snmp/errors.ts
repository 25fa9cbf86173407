/**
 * Why the engine refuses octets or a request:
 * - `malformed`: what arrived is not an SNMP message, or lengths in it point outside of it;
 * - `tooBig`: what was to be sent does not fit a datagram;
 * - `unsupported`: a version, algorithm, transport or value that the engine does not have;
 * - `invalid`: an argument that cannot be meant (an OID that is none, a password shorter than 8);
 * - `closed`: the transport is closed.
 */
export type SnmpErrorKind = 'malformed' | 'tooBig' | 'unsupported' | 'invalid' | 'closed'

/** The only error that leaves the engine. Its message never holds a community, a password or a key. */
export class SnmpError extends Error {
  readonly kind: SnmpErrorKind

  constructor(kind: SnmpErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SnmpError'
    this.kind = kind
  }
}
