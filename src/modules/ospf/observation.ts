type Known<T> = T | null | undefined

/**
 * One OSPF interface (OSPF-MIB::ospfIfTable with its metric for TOS 0); natural key (ospf_port_id, context_name).
 * Members are named after their columns.
 */
export interface OspfPortRow {
  readonly ospf_port_id: string
  readonly ospfIfIpAddress?: Known<string>
  readonly ospfAddressLessIf?: Known<number>
  readonly ospfIfAreaId?: Known<string>
  readonly ospfIfType?: Known<string>
  readonly ospfIfAdminStat?: Known<string>
  readonly ospfIfRtrPriority?: Known<number>
  readonly ospfIfTransitDelay?: Known<number>
  readonly ospfIfRetransInterval?: Known<number>
  readonly ospfIfHelloInterval?: Known<number>
  readonly ospfIfRtrDeadInterval?: Known<number>
  readonly ospfIfPollInterval?: Known<number>
  readonly ospfIfState?: Known<string>
  readonly ospfIfDesignatedRouter?: Known<string>
  readonly ospfIfBackupDesignatedRouter?: Known<string>
  readonly ospfIfEvents?: Known<number>
  readonly ospfIfStatus?: Known<string>
  readonly ospfIfMulticastForwarding?: Known<string>
  readonly ospfIfDemand?: Known<string>
  readonly ospfIfAuthType?: Known<string>
  readonly ospfIfMetricIpAddress?: Known<string>
  readonly ospfIfMetricAddressLessIf?: Known<number>
  readonly ospfIfMetricTOS?: Known<number>
  readonly ospfIfMetricValue?: Known<number>
  readonly ospfIfMetricStatus?: Known<string>
  /** SNMP context; '': the default context. */
  readonly context_name: string
}

/** One OSPF neighbour; natural key (ospf_nbr_id, context_name). */
export interface OspfNeighbourRow {
  readonly ospf_nbr_id: string
  readonly ospfNbrIpAddr?: Known<string>
  readonly ospfNbrAddressLessIndex?: Known<number>
  readonly ospfNbrRtrId?: Known<string>
  readonly ospfNbrOptions?: Known<number>
  readonly ospfNbrPriority?: Known<number>
  readonly ospfNbrState?: Known<string>
  readonly ospfNbrEvents?: Known<number>
  readonly ospfNbrLsRetransQLen?: Known<number>
  readonly ospfNbmaNbrStatus?: Known<string>
  readonly ospfNbmaNbrPermanence?: Known<string>
  readonly ospfNbrHelloSuppressed?: Known<string>
  /** SNMP context; '': the default context. */
  readonly context_name: string
}

/** The OSPFv3 process of a context; natural key context_name. */
export interface Ospfv3InstanceRow {
  readonly router_id?: Known<string>
  /** SNMP context; '': the default context. */
  readonly context_name: string
}

/** One area of an OSPFv3 process; natural key (ospfv3AreaId, context_name). */
export interface Ospfv3AreaRow {
  readonly ospfv3AreaId: number
  /** SNMP context; '': the default context. */
  readonly context_name: string
}

/** One OSPFv3 interface; natural key (ospfv3IfIndex, ospfv3IfInstId, context_name). */
export interface Ospfv3PortRow {
  readonly ospfv3IfIndex: number
  readonly ospfv3IfInstId: number
  readonly ospfv3IfAreaId?: Known<number>
  readonly ospfv3IfType?: Known<string>
  readonly ospfv3IfAdminStatus?: Known<string>
  readonly ospfv3IfRtrPriority?: Known<number>
  readonly ospfv3IfTransitDelay?: Known<number>
  readonly ospfv3IfRetransInterval?: Known<number>
  readonly ospfv3IfHelloInterval?: Known<number>
  readonly ospfv3IfRtrDeadInterval?: Known<number>
  readonly ospfv3IfPollInterval?: Known<number>
  readonly ospfv3IfState?: Known<string>
  readonly ospfv3IfDesignatedRouter?: Known<string>
  readonly ospfv3IfBackupDesignatedRouter?: Known<string>
  readonly ospfv3IfEvents?: Known<number>
  readonly ospfv3IfDemand?: Known<string>
  readonly ospfv3IfMetricValue?: Known<number>
  readonly ospfv3IfLinkScopeLsaCount?: Known<number>
  readonly ospfv3IfLinkLsaCksumSum?: Known<number>
  readonly ospfv3IfDemandNbrProbe?: Known<string>
  readonly ospfv3IfDemandNbrProbeRetransLimit?: Known<number>
  readonly ospfv3IfDemandNbrProbeInterval?: Known<number>
  readonly ospfv3IfTEDisabled?: Known<string>
  readonly ospfv3IfLinkLSASuppression?: Known<string>
  /** SNMP context; '': the default context. */
  readonly context_name: string
}

/** One OSPFv3 neighbour; natural key (ospfv3NbrIfIndex, ospfv3NbrIfInstId, ospfv3NbrRtrId, context_name). */
export interface Ospfv3NeighbourRow {
  readonly router_id?: Known<string>
  readonly ospfv3NbrIfIndex: number
  readonly ospfv3NbrIfInstId: number
  readonly ospfv3NbrRtrId: number
  readonly ospfv3NbrAddressType?: Known<string>
  readonly ospfv3NbrAddress?: Known<string>
  readonly ospfv3NbrOptions?: Known<number>
  readonly ospfv3NbrPriority?: Known<number>
  readonly ospfv3NbrState?: Known<string>
  readonly ospfv3NbrEvents?: Known<number>
  readonly ospfv3NbrLsRetransQLen?: Known<number>
  readonly ospfv3NbrHelloSuppressed?: Known<string>
  readonly ospfv3NbrIfId?: Known<number>
  readonly ospfv3NbrRestartHelperStatus?: Known<string>
  readonly ospfv3NbrRestartHelperAge?: Known<number>
  readonly ospfv3NbrRestartHelperExitReason?: Known<string>
  /** SNMP context; '': the default context. */
  readonly context_name: string
}
