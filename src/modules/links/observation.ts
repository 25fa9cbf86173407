/** A neighbour learned on an interface (LLDP, CDP, ...). */
export interface LinkRow {
  /** Ways to identify the local interface, most reliable first. The first that matches exactly one port wins. */
  readonly local: readonly LocalPort[]
  /** lldp, cdp, fdp or edp. */
  readonly protocol: string
  /** The neighbour's own name. */
  readonly remote_hostname: string
  /** The neighbour's own name for its port, in readable form: MAC addresses are written with colons. */
  readonly remote_port: string
  readonly remote_platform: string | null
  readonly remote_version: string
  readonly remote: RemoteEnd
}

export interface LocalPort {
  readonly by: 'ifIndex' | 'name' | 'mac'
  /** ifIndex in decimal digits; the text of ifName, ifDescr or ifAlias; or 12 lower-case hex digits. */
  readonly value: string
}

/** What the neighbour reports about itself, used to find it among the known devices. */
export interface RemoteEnd {
  /** System or host name; null: not reported. */
  readonly name: string | null
  /** 12 lower-case hex digits; null: its chassis ID is not a MAC address. */
  readonly mac: string | null
  /** Management addresses, dotted quad or RFC 5952. */
  readonly addresses: readonly string[]
  /** Names of its port (ifName, ifDescr or ifAlias), most reliable first. */
  readonly portNames: readonly string[]
  readonly portMac: string | null
  /** Possible ifIndex of its port (LLDP subtype local); null: not reported. */
  readonly portIndex: number | null
}
