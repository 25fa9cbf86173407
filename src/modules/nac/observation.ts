import type { LocalPort } from '../links/observation.ts'

/** One session of network access control. Times are in seconds; '' and null: not reported. */
export interface NacRow {
  readonly local: LocalPort
  /** Session ID assigned by the device. */
  readonly auth_id: string
  readonly domain: string
  readonly username: string
  /** 12 lower-case hex digits. */
  readonly mac_address: string
  readonly ip_address: string
  readonly host_mode: string
  readonly authz_status: string
  readonly authz_by: string
  readonly authc_status: string
  readonly method: string
  readonly timeout: number
  readonly time_left: number | null
  readonly vlan: number | null
  readonly time_elapsed: number | null
}
