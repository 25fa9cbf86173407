/** What each row of such a list has. */
interface OfDevice {
  readonly device_id: number
  /** null: the port is granted, its device is not. */
  readonly device: string | null
  /** null: the row has no port, or the port is unknown. */
  readonly port_id: number | null
  readonly port: string | null
  readonly level: FoundLevel
}

/** `off`: ended, disabled or unknown. */
export type FoundLevel = 'bad' | 'warn' | 'ok' | 'off'

/** A session of network access control. */
interface NacSession extends OfDevice {
  /** 12 hex digits. */
  readonly mac: string
  readonly username: string
  readonly address: string
  readonly domain: string
  readonly method: string
  readonly status: string
  readonly vlan: number | null
  readonly seen: Date
  readonly ended: boolean
}

/** Port security of a port. */
interface SecuredPort extends OfDevice {
  readonly status: string | null
  readonly addresses: number | null
  readonly max_addresses: number | null
  readonly violations: number | null
  readonly action: string | null
  readonly last_mac: string | null
  readonly sticky: number | null
}

/** An IPsec tunnel. */
interface Tunnel extends OfDevice {
  readonly name: string
  readonly peer: string
  readonly local: string
  readonly status: string
}

/** An MPLS service, or one of its access points. */
interface MplsRow extends OfDevice {
  readonly kind: 'service' | 'access point'
  /** Number of the service. */
  readonly service: number
  readonly name: string | null
  readonly type: string | null
  readonly admin: string | null
  readonly oper: string | null
  /** Encapsulation of an access point. */
  readonly encapsulation: string | null
  /** Octets; null: not of the row. */
  readonly mtu: number | null
  /** Access points of a service. */
  readonly saps: number | null
}

/** A virtual server, pool or pool member of a load balancer. */
interface BalancerPart extends OfDevice {
  readonly kind: 'virtual server' | 'pool' | 'member'
  readonly name: string
  /** The pool of a server or member. */
  readonly pool: string | null
  /** Address and port; '' for a pool. */
  readonly address: string
  readonly error: string
  /** Members that are up, of all; null: not of the row. */
  readonly up: number | null
  readonly members: number | null
}

/** A spanning tree of a bridge; `port`: its root port. */
interface SpanningTree extends OfDevice {
  readonly id: number
  readonly instance: string
  readonly protocol: string | null
  /** 12 hex digits, as the root. */
  readonly bridge: string | null
  readonly priority: number | null
  readonly root: string | null
  readonly root_priority: number | null
  readonly is_root: boolean | null
  readonly cost: number | null
  readonly changes: number | null
  /** Seconds since the last topology change. */
  readonly since_s: number | null
}

/** A port in a spanning tree. */
interface TreePort extends OfDevice {
  readonly id: number
  readonly instance: string
  /** Number of the bridge port. */
  readonly number: number
  readonly state: string | null
  readonly role: string | null
  readonly cost: number | null
  readonly priority: number | null
  readonly designated: string | null
  readonly transitions: number | null
  readonly edge: boolean | null
}

/** An adjacency to another IS-IS router. */
interface IsisAdjacency extends OfDevice {
  readonly id: number
  readonly neighbour: string
  readonly address: string | null
  readonly usage: string
  readonly area: string | null
  readonly state: string | null
  /** Seconds. */
  readonly up_s: number | null
  readonly hold_s: number | null
}

/** A next hop of the default route. */
interface DefaultRoute extends OfDevice {
  readonly id: number
  readonly next_hop: string
  /** The monitored device that alone has this address; null: none, several, or not granted. */
  readonly hop_id: number | null
  readonly hop: string | null
  /** Whether that device answers. */
  readonly hop_up: boolean | null
}

/** A class of a QoS policy. Rates are those of the last poll. */
interface QosClass extends OfDevice {
  readonly id: number
  readonly circuit: string
  readonly direction: string
  readonly policy: string
  readonly class: string
  /** bit/s. */
  readonly offered: number | null
  readonly sent: number | null
  readonly dropped_bits: number | null
  /** packets/s. */
  readonly dropped: number | null
}

/** A supply of a printer. */
interface Supply extends OfDevice {
  readonly name: string
  readonly type: string
  /** Percent that remains; null: the printer does not know. */
  readonly left: number | null
}

/** A transceiver with its optical power, dBm, of the weakest lane. */
interface Optic extends OfDevice {
  readonly type: string | null
  readonly vendor: string | null
  readonly model: string | null
  readonly serial: string | null
  /** nm. */
  readonly wavelength: number | null
  /** m. */
  readonly reach: number | null
  readonly connector: string | null
  readonly rx: number | null
  readonly tx: number | null
  /** °C. */
  readonly celsius: number | null
}

/** Wireless values of one access point or radio. */
interface AccessPoint extends OfDevice {
  readonly name: string
  readonly clients: number | null
  /** dBm. */
  readonly power: number | null
  /** dB. */
  readonly snr: number | null
  readonly noise: number | null
  /** MHz. */
  readonly frequency: number | null
  readonly channel: number | null
  /** Percent. */
  readonly utilisation: number | null
  readonly quality: number | null
}

/** Rows by kind of list. */
export interface FoundRows {
  readonly nac: NacSession
  readonly security: SecuredPort
  readonly ipsec: Tunnel
  readonly mpls: MplsRow
  readonly 'default-routes': DefaultRoute
  readonly isis: IsisAdjacency
  readonly stp: SpanningTree
  readonly 'stp-ports': TreePort
  readonly qos: QosClass
  readonly balancers: BalancerPart
  readonly supplies: Supply
  readonly optics: Optic
  readonly radios: AccessPoint
}

export type FoundKind = keyof FoundRows
