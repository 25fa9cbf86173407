/** A graph of a device's statistics, and which of its objects the agent has; natural key `graph`. */
export interface DeviceGraphRow {
  /** Without the prefix `device_`. */
  readonly graph: string
  /** Columns of `ts.stats_samples`, separated by spaces. */
  readonly objects: string
}
