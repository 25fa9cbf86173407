/** A neighbour that an interface heard of (LLDP, CDP, ...). */
export interface LinkRow {
  /** Ways to tell the local interface, the surest first: the first that fits exactly one port is it. */
  readonly local: readonly LocalPort[]
  /** lldp, cdp, fdp or edp. */
  readonly protocol: string
  /** What the neighbour calls itself. */
  readonly remote_hostname: string
  /** What the neighbour calls its port, as people read it: MAC addresses with colons. */
  readonly remote_port: string
  readonly remote_platform: string | null
  readonly remote_version: string
  readonly remote: RemoteEnd
}

export interface LocalPort {
  readonly by: 'ifIndex' | 'name' | 'mac'
  /** ifIndex as digits; text of ifName, ifDescr or ifAlias; 12 lower-case hex digits. */
  readonly value: string
}

/** What the neighbour says of itself, to find it among the known devices. */
export interface RemoteEnd {
  /** System or host name; null: not told. */
  readonly name: string | null
  /** 12 lower-case hex digits; null: its chassis is known by something else. */
  readonly mac: string | null
  /** Management addresses, dotted quad or RFC 5952. */
  readonly addresses: readonly string[]
  /** Names of its port, the surest first: ifName, ifDescr or ifAlias. */
  readonly portNames: readonly string[]
  readonly portMac: string | null
  /** ifIndex of its port as it may be (LLDP's subtype local); null: not told. */
  readonly portIndex: number | null
}
