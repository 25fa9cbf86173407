export type SnmpVersion = 'v1' | 'v2c' | 'v3'
export type AuthLevel = 'noAuthNoPriv' | 'authNoPriv' | 'authPriv'

/** Address and credentials of an agent, named as in the device record. */
export interface SnmpTarget {
  /** IP address, not a name. */
  readonly address: string
  readonly port: number
  readonly transport: 'udp' | 'udp6'
  readonly snmpver: SnmpVersion
  readonly community: string | null
  /** True: the stored credentials cannot be decrypted, so nothing may be sent. */
  readonly unreadable?: boolean
  /** True: answers are accepted from any address and port, not only from where the request was sent. */
  readonly anySource?: boolean
  readonly authlevel: AuthLevel | null
  readonly authname: string | null
  readonly authpass: string | null
  /** MD5, SHA, SHA-224, SHA-256, SHA-384, SHA-512. */
  readonly authalgo: string | null
  readonly cryptopass: string | null
  /** DES, AES (128), AES-192, AES-256 (Blumenthal key extension), AES-192-C, AES-256-C (Reeder, Cisco). */
  readonly cryptoalgo: string | null
  /** Seconds for one try; null: setting snmp.timeout. */
  readonly timeout: number | null
  /** Tries after the first; null: setting snmp.retries. */
  readonly retries: number | null
}
