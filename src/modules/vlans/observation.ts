/** One VLAN; natural key (domain, number). */
export interface VlanRow {
  /** 1 to 4094. */
  readonly vlan_vlan: number
  /** VTP management domain on Cisco, internal ID on Juniper EX, 1 elsewhere. */
  readonly vlan_domain: number | null
  readonly vlan_name: string | null
  readonly vlan_type: string | null
  /** 1: operational, 0: not. */
  readonly vlan_state: number
}

/** A VLAN on a port; natural key (ifIndex, vlan). */
export interface PortVlanRow {
  readonly ifIndex: number
  readonly vlan: number
  /** Bridge port; 0: it has no number. */
  readonly baseport: number
  /** Spanning tree in this VLAN (BRIDGE-MIB). If not reported, priority and cost are 0 and the state is `unknown`. */
  readonly priority: number
  readonly state: string
  readonly cost: number
  readonly untagged: 0 | 1
}

/** VLAN columns of a port; null: it has none. */
export interface PortSwitchingRow {
  readonly ifIndex: number
  /** VLAN of untagged frames, its number as text. */
  readonly ifVlan: string | null
  /** Encapsulation of a trunk: dot1Q, isl, ... */
  readonly ifTrunk: string | null
}
