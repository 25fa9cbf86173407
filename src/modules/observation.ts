import type { StateSet } from '../definitions/health.ts'
import type { ArpRow } from './arp/observation.ts'
import type { BgpCounterRow, BgpRow } from './bgp/observation.ts'
import type { DefaultRouteRow } from './default-routes/observation.ts'
import type { EtherlikeCounterRow, EtherlikeRow } from './etherlike/observation.ts'
import type { FdbRow } from './fdb/observation.ts'
import type { IpsecRow } from './ipsec/observation.ts'
import type { IsisAdjacencyRow } from './isis/observation.ts'
import type { LinkRow } from './links/observation.ts'
import type { ComponentRow } from './load-balancers/observation.ts'
import type { MplsSapRow, MplsServiceRow } from './mpls/observation.ts'
import type { NacRow } from './nac/observation.ts'
import type {
  OspfNeighbourRow,
  OspfPortRow,
  Ospfv3AreaRow,
  Ospfv3InstanceRow,
  Ospfv3NeighbourRow,
  Ospfv3PortRow,
} from './ospf/observation.ts'
import type { PortSecurityRow } from './port-security/observation.ts'
import type { PortStackRow } from './port-stack/observation.ts'
import type { PortRow } from './ports/observation.ts'
import type { PrinterSupplyRow } from './printer-supplies/observation.ts'
import type { QosClassRow, QosCounterRow } from './qos/observation.ts'
import type { StpPortRow, StpRow } from './spanning-tree/observation.ts'
import type { SystemObservation } from './system/observation.ts'
import type { DeviceGraphRow } from './system-stats/observation.ts'
import type { TransceiverRow } from './transceivers/observation.ts'
import type { PortSwitchingRow, PortVlanRow, VlanRow } from './vlans/observation.ts'
import type { VrfRow } from './vrf/observation.ts'
import type { WirelessRow } from './wireless/observation.ts'

/**
 * What modules find on a device, and the inventory writer's only input. A closed union of plain data, because it passes
 * from a worker to the main thread by structured clone.
 *
 * In every row `undefined` means "not reported", so the writer keeps the stored value; `null` means "known to be
 * empty", so the writer clears it. A set with `complete` false (a walk was truncated) adds and updates rows but never
 * removes any.
 */
export type Observation =
  | SetObservation<'arp', ArpRow>
  | SetObservation<'nd', ArpRow>
  | SetObservation<'links', LinkRow>
  | SetObservation<'nac', NacRow>
  | SetObservation<'port-security', PortSecurityRow>
  | SetObservation<'port-stack', PortStackRow>
  | SetObservation<'vlans', VlanRow>
  | SetObservation<'port-vlans', PortVlanRow>
  | SetObservation<'port-switching', PortSwitchingRow>
  | SetObservation<'fdb', FdbRow>
  | SystemObservation
  | SetObservation<'ports', PortRow>
  | SetObservation<'etherlike', EtherlikeRow>
  | SetObservation<'etherlike_counters', EtherlikeCounterRow>
  | SetObservation<'ipv4', Ipv4Row>
  | SetObservation<'ipv6', Ipv6Row>
  | SetObservation<'inventory', InventoryRow>
  | SetObservation<'processors', ProcessorRow>
  | SetObservation<'mempools', MempoolRow>
  | SetObservation<'storage', StorageRow>
  | SetObservation<'sensors', SensorRow>
  | SetObservation<'vrfs', VrfRow>
  | SetObservation<'bgp', BgpRow>
  | SetObservation<'bgp_counters', BgpCounterRow>
  | SetObservation<'ospf_ports', OspfPortRow>
  | SetObservation<'ospf_neighbours', OspfNeighbourRow>
  | SetObservation<'ospfv3_instances', Ospfv3InstanceRow>
  | SetObservation<'ospfv3_areas', Ospfv3AreaRow>
  | SetObservation<'ospfv3_ports', Ospfv3PortRow>
  | SetObservation<'ospfv3_neighbours', Ospfv3NeighbourRow>
  | SetObservation<'isis', IsisAdjacencyRow>
  | SetObservation<'default-routes', DefaultRouteRow>
  | SetObservation<'stp', StpRow>
  | SetObservation<'stp_ports', StpPortRow>
  | SetObservation<'qos', QosClassRow>
  | SetObservation<'qos_counters', QosCounterRow>
  | SetObservation<'mpls_services', MplsServiceRow>
  | SetObservation<'mpls_saps', MplsSapRow>
  | SetObservation<'ipsec', IpsecRow>
  | SetObservation<'components', ComponentRow>
  | SetObservation<'transceivers', TransceiverRow>
  | SetObservation<'wireless', WirelessRow>
  | SetObservation<'device_graphs', DeviceGraphRow>
  | SetObservation<'printer_supplies', PrinterSupplyRow>

export interface SetObservation<K extends string, R> {
  readonly kind: K
  /** The set has every row of the device, so stored rows that it lacks have vanished. */
  readonly complete: boolean
  readonly rows: readonly R[]
  /**
   * OIDs of values that the agent has but that were malformed. A stored sensor with one of them has not vanished. Absent:
   * none, or not known.
   */
  readonly malformed?: readonly string[]
}

/** An observation that the inventory stores; the others are only sampled. */
export type StoredObservation = Exclude<Observation, SetObservation<'etherlike_counters' | 'qos_counters', unknown>>

export const isStored = (observation: Observation): observation is StoredObservation =>
  observation.kind !== 'etherlike_counters' && observation.kind !== 'qos_counters'

export { PORT_STATUSES } from './ports/observation.ts'

/** One IPv4 address of an interface (IP-MIB::ipAddressTable, ipAddrTable). */
export interface Ipv4Row {
  readonly address: string
  /** 0: unknown; the address is then in no network. */
  readonly prefixLen: number
  readonly ifIndex: number
  /** SNMP context or VRF name; null: the default context. */
  readonly context: string | null
}

/** One IPv6 address of an interface. */
export interface Ipv6Row {
  /** Uncompressed, lower case: eight groups of four digits. */
  readonly address: string
  /** RFC 5952 form. */
  readonly compressed: string
  readonly prefixLen: number
  /** IpAddressOriginTC: other, manual, dhcp, linklayer, random; '' if not reported. */
  readonly origin: string
  readonly ifIndex: number
  readonly context: string | null
}

/** One physical entity (ENTITY-MIB::entPhysicalTable). Members are named after their columns. */
export interface InventoryRow {
  readonly entPhysicalIndex: number
  readonly entPhysicalDescr: string | null
  readonly entPhysicalClass: string | null
  readonly entPhysicalName: string | null
  readonly entPhysicalHardwareRev: string | null
  readonly entPhysicalFirmwareRev: string | null
  readonly entPhysicalSoftwareRev: string | null
  readonly entPhysicalAlias: string | null
  readonly entPhysicalAssetID: string | null
  readonly entPhysicalIsFRU: string | null
  readonly entPhysicalModelName: string | null
  readonly entPhysicalVendorType: string | null
  readonly entPhysicalSerialNum: string | null
  readonly entPhysicalContainedIn: number
  readonly entPhysicalParentRelPos: number
  readonly entPhysicalMfgName: string | null
  readonly ifIndex: number | null
}

/**
 * One processor; natural key (type, index). The value polled from `processor_oid`, divided by `processor_precision`, is
 * a percentage. A negative precision means 100 - value.
 */
export interface ProcessorRow {
  readonly processor_type: string
  readonly processor_index: string
  readonly processor_oid: string
  readonly processor_descr: string
  readonly processor_precision: number
  readonly hrDeviceIndex: number | null
  readonly entPhysicalIndex: number
  /** Percent; null if this discovery did not read it. */
  readonly processor_usage: number | null
  /** Percentage of the warning when the processor is found first; absent: 75. */
  readonly processor_perc_warn?: number | undefined
}

/** One memory pool; natural key (type, index). Bytes = polled value * precision. Missing OIDs are null. */
export interface MempoolRow {
  readonly mempool_type: string
  readonly mempool_index: string
  /** system, buffers, cached, swap, virtual, ... */
  readonly mempool_class: string
  readonly mempool_descr: string
  readonly mempool_precision: number
  readonly mempool_used_oid: string | null
  readonly mempool_free_oid: string | null
  readonly mempool_total_oid: string | null
  readonly mempool_perc_oid: string | null
  readonly entPhysicalIndex: number | null
  /** Bytes; null if not read. */
  readonly mempool_used: number | null
  readonly mempool_free: number | null
  readonly mempool_total: number | null
  /** Warning level in percent. */
  readonly mempool_perc_warn: number | null
}

/** One filesystem or disk; natural key (type, index). Bytes = polled value * units. */
export interface StorageRow {
  /** The source: `hrstorage`, ... (column `type`). */
  readonly type: string
  readonly storage_index: string
  /** For example `hrStorageFixedDisk`. */
  readonly storage_type: string
  readonly storage_descr: string
  readonly storage_units: number
  readonly storage_used_oid: string | null
  readonly storage_free_oid: string | null
  readonly storage_size_oid: string | null
  readonly storage_perc_oid: string | null
  /** Bytes; null if not read. */
  readonly storage_size: number | null
  readonly storage_used: number | null
  readonly storage_free: number | null
}

/** One sensor; natural key (class, type, index). Shown value = polled value * multiplier / divisor. */
export interface SensorRow {
  /** temperature, voltage, current, power, fanspeed, humidity, frequency, dbm, state, ... */
  readonly sensor_class: string
  readonly sensor_type: string
  readonly sensor_index: string
  readonly sensor_oid: string
  readonly sensor_descr: string
  readonly group: string | null
  readonly sensor_divisor: number
  readonly sensor_multiplier: number
  readonly sensor_current: number | null
  readonly sensor_limit: number | null
  readonly sensor_limit_warn: number | null
  readonly sensor_limit_low: number | null
  readonly sensor_limit_low_warn: number | null
  /** 1: a limit was guessed from the first value. */
  readonly limits_guessed?: number
  readonly entPhysicalIndex: string | null
  readonly entPhysicalIndex_measured: string | null
  /** Conversion applied after divisor and multiplier: a name in CONVERSIONS. */
  readonly user_func?: string | null
  /** Whether the value is a counter (`COUNTER`) or the like; absent: a `GAUGE`. The value is shown as it is read. */
  readonly rrd_type?: string
  /** Meaning of the values of a state sensor. */
  readonly states?: StateSet
}
