import { index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { big, flag } from './columns.ts'
import { deviceId } from './devices.ts'
import { ports } from './ports.ts'

/** Virtual routing and forwarding instances. `vrf_oid` is the index of its row in the MIB. */
export const vrfs = pgTable(
  'vrfs',
  {
    vrf_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    vrf_oid: text().notNull(),
    vrf_name: text(),
    bgpLocalAs: big(),
    mplsVpnVrfRouteDistinguisher: text(),
    mplsVpnVrfDescription: text(),
    device_id: deviceId(),
  },
  (t) => [unique('vrfs_device_key').on(t.device_id, t.vrf_oid)],
)

/** BGP sessions; addresses are dotted IPv4 or uncompressed IPv6. `bgpPeerIface` is an ifIndex. */
export const bgpPeers = pgTable(
  'bgpPeers',
  {
    bgpPeer_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    vrf_id: integer().references(() => vrfs.vrf_id, { onDelete: 'set null' }),
    astext: text().notNull().default(''),
    bgpPeerIdentifier: text().notNull(),
    bgpPeerRemoteAs: big().notNull().default(0),
    bgpPeerState: text().notNull().default(''),
    bgpPeerAdminStatus: text().notNull().default(''),
    bgpPeerLastErrorCode: integer(),
    bgpPeerLastErrorSubCode: integer(),
    bgpPeerLastErrorText: text(),
    bgpPeerIface: big(),
    bgpLocalAddr: text().notNull().default(''),
    bgpPeerRemoteAddr: text().notNull().default(''),
    bgpPeerDescr: text().notNull().default(''),
    bgpPeerInUpdates: big().notNull().default(0),
    bgpPeerOutUpdates: big().notNull().default(0),
    bgpPeerInTotalMessages: big().notNull().default(0),
    bgpPeerOutTotalMessages: big().notNull().default(0),
    bgpPeerFsmEstablishedTime: big().notNull().default(0),
    bgpPeerInUpdateElapsedTime: big().notNull().default(0),
    context_name: text(),
    /** 1: a person set `bgpPeerDescr`, and discovery does not overwrite it. */
    descr_set: flag(),
  },
  (t) => [unique('bgppeers_device_key').on(t.device_id, t.bgpPeerIdentifier, t.context_name).nullsNotDistinct()],
)

/** Prefix counters of BGP sessions by address family. */
export const bgpCounters = pgTable(
  'bgpPeers_cbgp',
  {
    cbgp_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    bgpPeerIdentifier: text().notNull(),
    afi: text().notNull(),
    safi: text().notNull(),
    AcceptedPrefixes: big().notNull().default(0),
    DeniedPrefixes: big().notNull().default(0),
    PrefixAdminLimit: big().notNull().default(0),
    PrefixThreshold: big().notNull().default(0),
    PrefixClearThreshold: big().notNull().default(0),
    AdvertisedPrefixes: big().notNull().default(0),
    SuppressedPrefixes: big().notNull().default(0),
    WithdrawnPrefixes: big().notNull().default(0),
    AcceptedPrefixes_delta: big().notNull().default(0),
    AcceptedPrefixes_prev: big().notNull().default(0),
    DeniedPrefixes_delta: big().notNull().default(0),
    DeniedPrefixes_prev: big().notNull().default(0),
    AdvertisedPrefixes_delta: big().notNull().default(0),
    AdvertisedPrefixes_prev: big().notNull().default(0),
    SuppressedPrefixes_delta: big().notNull().default(0),
    SuppressedPrefixes_prev: big().notNull().default(0),
    WithdrawnPrefixes_delta: big().notNull().default(0),
    WithdrawnPrefixes_prev: big().notNull().default(0),
    context_name: text(),
  },
  (t) => [
    unique('bgppeers_cbgp_device_key')
      .on(t.device_id, t.bgpPeerIdentifier, t.afi, t.safi, t.context_name)
      .nullsNotDistinct(),
  ],
)

/** IPsec tunnels: the IKE peers of a device. */
export const ipsecTunnels = pgTable(
  'ipsec_tunnels',
  {
    tunnel_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    peer_port: big().notNull().default(0),
    peer_addr: text().notNull(),
    local_addr: text().notNull().default(''),
    local_port: big().notNull().default(0),
    tunnel_name: text().notNull().default(''),
    tunnel_status: text().notNull().default(''),
  },
  (t) => [unique('ipsec_tunnels_device_key').on(t.device_id, t.peer_addr)],
)

/** OSPF neighbours (OSPF-MIB::ospfNbrTable). */
export const ospfNeighbours = pgTable(
  'ospf_nbrs',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    port_id: integer().references(() => ports.port_id, { onDelete: 'set null' }),
    ospf_nbr_id: text().notNull(),
    ospfNbrIpAddr: text().notNull().default(''),
    ospfNbrAddressLessIndex: integer().notNull().default(0),
    ospfNbrRtrId: text().notNull().default(''),
    ospfNbrOptions: integer().notNull().default(0),
    ospfNbrPriority: integer().notNull().default(0),
    ospfNbrState: text().notNull().default(''),
    ospfNbrEvents: big().notNull().default(0),
    ospfNbrLsRetransQLen: big().notNull().default(0),
    ospfNbmaNbrStatus: text().notNull().default(''),
    ospfNbmaNbrPermanence: text().notNull().default(''),
    ospfNbrHelloSuppressed: text().notNull().default(''),
    context_name: text(),
  },
  (t) => [
    unique('ospf_nbrs_device_key').on(t.device_id, t.ospf_nbr_id, t.context_name).nullsNotDistinct(),
    index('ospf_nbrs_port').on(t.port_id),
  ],
)

/**
 * OSPF interfaces (OSPF-MIB::ospfIfTable with ospfIfMetricTable). `port_id` 0: no port of the device has the address.
 */
export const ospfPorts = pgTable(
  'ospf_ports',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    port_id: integer().notNull().default(0),
    ospf_port_id: text().notNull(),
    ospfIfIpAddress: text().notNull().default(''),
    ospfAddressLessIf: integer().notNull().default(0),
    ospfIfAreaId: text().notNull().default(''),
    ospfIfType: text(),
    ospfIfAdminStat: text(),
    ospfIfRtrPriority: integer(),
    ospfIfTransitDelay: integer(),
    ospfIfRetransInterval: integer(),
    ospfIfHelloInterval: integer(),
    ospfIfRtrDeadInterval: integer(),
    ospfIfPollInterval: integer(),
    ospfIfState: text(),
    ospfIfDesignatedRouter: text(),
    ospfIfBackupDesignatedRouter: text(),
    ospfIfEvents: big(),
    ospfIfAuthKey: text(),
    ospfIfStatus: text(),
    ospfIfMulticastForwarding: text(),
    ospfIfDemand: text(),
    ospfIfAuthType: text(),
    ospfIfMetricIpAddress: text(),
    ospfIfMetricAddressLessIf: integer(),
    ospfIfMetricTOS: integer(),
    ospfIfMetricValue: integer(),
    ospfIfMetricStatus: text(),
    context_name: text(),
  },
  (t) => [
    unique('ospf_ports_device_key').on(t.device_id, t.ospf_port_id, t.context_name).nullsNotDistinct(),
    index('ospf_ports_port').on(t.port_id),
  ],
)

/** OSPFv3 processes, referenced by neighbours and interfaces. */
export const ospfv3Instances = pgTable(
  'ospfv3_instances',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    router_id: text().notNull().default(''),
    context_name: text(),
  },
  (t) => [unique('ospfv3_instances_device_key').on(t.device_id, t.context_name).nullsNotDistinct()],
)

/** Areas of OSPFv3 processes. */
export const ospfv3Areas = pgTable(
  'ospfv3_areas',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    ospfv3_instance_id: integer()
      .references(() => ospfv3Instances.id, { onDelete: 'cascade' })
      .notNull(),
    ospfv3AreaId: big().notNull(),
    context_name: text(),
  },
  (t) => [unique('ospfv3_areas_device_key').on(t.device_id, t.ospfv3AreaId, t.context_name).nullsNotDistinct()],
)

/** OSPFv3 neighbours (OSPFV3-MIB::ospfv3NbrTable). */
export const ospfv3Neighbours = pgTable(
  'ospfv3_nbrs',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    ospfv3_instance_id: integer()
      .references(() => ospfv3Instances.id, { onDelete: 'cascade' })
      .notNull(),
    port_id: integer().references(() => ports.port_id, { onDelete: 'set null' }),
    router_id: text().notNull().default(''),
    ospfv3NbrIfIndex: big().notNull(),
    ospfv3NbrIfInstId: big().notNull(),
    ospfv3NbrRtrId: big().notNull(),
    ospfv3NbrAddressType: text().notNull().default(''),
    ospfv3NbrAddress: text().notNull().default(''),
    ospfv3NbrOptions: integer().notNull().default(0),
    ospfv3NbrPriority: integer().notNull().default(0),
    ospfv3NbrState: text().notNull().default(''),
    ospfv3NbrEvents: big().notNull().default(0),
    ospfv3NbrLsRetransQLen: big().notNull().default(0),
    ospfv3NbrHelloSuppressed: text().notNull().default(''),
    ospfv3NbrIfId: big().notNull().default(0),
    ospfv3NbrRestartHelperStatus: text(),
    ospfv3NbrRestartHelperAge: big(),
    ospfv3NbrRestartHelperExitReason: text(),
    context_name: text(),
  },
  (t) => [
    unique('ospfv3_nbrs_device_key')
      .on(t.device_id, t.ospfv3NbrIfIndex, t.ospfv3NbrIfInstId, t.ospfv3NbrRtrId, t.context_name)
      .nullsNotDistinct(),
    index('ospfv3_nbrs_port').on(t.port_id),
  ],
)

/** OSPFv3 interfaces (OSPFV3-MIB::ospfv3IfTable). */
export const ospfv3Ports = pgTable(
  'ospfv3_ports',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    ospfv3_instance_id: integer()
      .references(() => ospfv3Instances.id, { onDelete: 'cascade' })
      .notNull(),
    ospfv3_area_id: integer(),
    port_id: integer().references(() => ports.port_id, { onDelete: 'set null' }),
    ospfv3IfIndex: big().notNull(),
    ospfv3IfInstId: big().notNull(),
    ospfv3IfAreaId: big().notNull().default(0),
    ospfv3IfType: text().notNull().default(''),
    ospfv3IfAdminStatus: text().notNull().default(''),
    ospfv3IfRtrPriority: big().notNull().default(0),
    ospfv3IfTransitDelay: big().notNull().default(0),
    ospfv3IfRetransInterval: big().notNull().default(0),
    ospfv3IfHelloInterval: big().notNull().default(0),
    ospfv3IfRtrDeadInterval: big().notNull().default(0),
    ospfv3IfPollInterval: big(),
    ospfv3IfState: text().notNull().default(''),
    ospfv3IfDesignatedRouter: text().notNull().default(''),
    ospfv3IfBackupDesignatedRouter: text().notNull().default(''),
    ospfv3IfEvents: big().notNull().default(0),
    ospfv3IfDemand: text().notNull().default(''),
    ospfv3IfMetricValue: big().notNull().default(0),
    ospfv3IfLinkScopeLsaCount: big(),
    ospfv3IfLinkLsaCksumSum: big(),
    ospfv3IfDemandNbrProbe: text(),
    ospfv3IfDemandNbrProbeRetransLimit: big(),
    ospfv3IfDemandNbrProbeInterval: big(),
    ospfv3IfTEDisabled: text(),
    ospfv3IfLinkLSASuppression: text(),
    context_name: text(),
  },
  (t) => [
    unique('ospfv3_ports_device_key')
      .on(t.device_id, t.ospfv3IfIndex, t.ospfv3IfInstId, t.context_name)
      .nullsNotDistinct(),
    index('ospfv3_ports_port').on(t.port_id),
  ],
)

/** Services of Nokia SR OS (TIMETRA-SERV-MIB::svcBaseInfoTable). */
export const mplsServices = pgTable(
  'mpls_services',
  {
    svc_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    svc_oid: big().notNull(),
    svcRowStatus: text(),
    svcType: text(),
    svcCustId: big(),
    svcAdminStatus: text(),
    svcOperStatus: text(),
    svcDescription: text(),
    svcMtu: integer(),
    svcNumSaps: integer(),
    svcNumSdps: integer(),
    svcLastMgmtChange: big(),
    svcLastStatusChange: big(),
    svcVRouterId: integer(),
    svcTlsMacLearning: text(),
    svcTlsStpAdminStatus: text(),
    svcTlsStpOperStatus: text(),
    svcTlsFdbTableSize: integer(),
    svcTlsFdbNumEntries: integer(),
  },
  (t) => [unique('mpls_services_device_key').on(t.device_id, t.svc_oid)],
)

/** Service access points of Nokia SR OS (TIMETRA-SAP-MIB::sapBaseInfoTable). */
export const mplsSaps = pgTable(
  'mpls_saps',
  {
    sap_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    svc_id: integer()
      .references(() => mplsServices.svc_id, { onDelete: 'cascade' })
      .notNull(),
    svc_oid: big().notNull(),
    sapPortId: big().notNull(),
    ifName: text(),
    sapEncapValue: text(),
    sapRowStatus: text(),
    sapType: text(),
    sapDescription: text(),
    sapAdminStatus: text(),
    sapOperStatus: text(),
    sapLastMgmtChange: big(),
    sapLastStatusChange: big(),
  },
  (t) => [unique('mpls_saps_device_key').on(t.device_id, t.svc_oid, t.sapPortId, t.sapEncapValue)],
)
