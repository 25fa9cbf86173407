/** Port security of one interface. Members are named after their columns. */
export interface PortSecurityRow {
  readonly ifIndex: number
  readonly port_security_enable: 0 | 1 | null
  readonly status: string | null
  readonly max_addresses: number | null
  readonly address_count: number | null
  readonly violation_action: string | null
  readonly violation_count: number | null
  /** 12 lower-case hex digits. */
  readonly last_mac_address: string | null
  readonly sticky_enable: 0 | 1 | null
}
