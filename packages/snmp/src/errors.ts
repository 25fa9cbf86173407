/**
 * The reason the engine refuses a datagram or a request:
 * - `malformed`: the datagram is not an SNMP message, or has lengths that point outside it;
 * - `tooBig`: the message to send does not fit a datagram;
 * - `unsupported`: a version, algorithm, transport or value that the engine does not implement;
 * - `invalid`: an invalid argument (such as a malformed OID, or a password shorter than 8 characters);
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
