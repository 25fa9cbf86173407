type Known<T> = T | null | undefined

/**
 * One service of Nokia SR OS; natural key `svc_oid`, the service ID. Members are named after their columns; times are
 * in seconds of sysUpTime.
 */
export interface MplsServiceRow {
  readonly svc_oid: number
  readonly svcRowStatus?: Known<string>
  readonly svcType?: Known<string>
  readonly svcCustId?: Known<number>
  readonly svcAdminStatus?: Known<string>
  readonly svcOperStatus?: Known<string>
  readonly svcDescription?: Known<string>
  readonly svcMtu?: Known<number>
  readonly svcNumSaps?: Known<number>
  readonly svcNumSdps?: Known<number>
  readonly svcLastMgmtChange?: Known<number>
  readonly svcLastStatusChange?: Known<number>
  readonly svcVRouterId?: Known<number>
  readonly svcTlsMacLearning?: Known<string>
  readonly svcTlsStpAdminStatus?: Known<string>
  readonly svcTlsStpOperStatus?: Known<string>
  readonly svcTlsFdbTableSize?: Known<number>
  readonly svcTlsFdbNumEntries?: Known<number>
}

/** One service access point; natural key (svc_oid, sapPortId, sapEncapValue). */
export interface MplsSapRow {
  readonly svc_oid: number
  readonly sapPortId: number
  readonly ifName?: Known<string>
  readonly sapEncapValue: string
  readonly sapRowStatus?: Known<string>
  readonly sapType?: Known<string>
  readonly sapDescription?: Known<string>
  readonly sapAdminStatus?: Known<string>
  readonly sapOperStatus?: Known<string>
  readonly sapLastMgmtChange?: Known<number>
  readonly sapLastStatusChange?: Known<number>
}
