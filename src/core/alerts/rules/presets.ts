/** A ready-made rule. */
export interface RulePreset {
  /** Name for `rule add --preset`. */
  readonly preset: string
  /** Name of the rule. */
  readonly name: string
  readonly about: string
  readonly severity: 'warning' | 'critical'
  /** Seconds for which the fault must last. */
  readonly delay: number
  /** Whether the rule is stored on a new installation. */
  readonly initial: boolean
  readonly builder: object
}

type Compared = readonly [field: string, operator: string, value: string | readonly string[], over?: object]
const group = (condition: 'AND' | 'OR', ...rules: readonly (Compared | object)[]): object => ({
  condition,
  rules: rules.map((rule) => (Array.isArray(rule) ? compared(rule as unknown as Compared) : rule)),
  valid: true,
})
const compared = ([field, operator, value, over]: Compared) => ({
  ...{ id: field, field, operator, value },
  ...(over !== undefined && { data: { over } }),
})
const all = (...rules: readonly (Compared | object)[]) => group('AND', ...rules)
const any = (...rules: readonly (Compared | object)[]) => group('OR', ...rules)

const UP: Compared = ['macros.device_up', 'equal', '1']

/** Ready-made rules. Those with `initial` raise no alerts on a healthy network. */
export const RULE_PRESETS: readonly RulePreset[] = [
  {
    preset: 'device-down',
    name: 'Device down',
    about: 'a device does not answer its ICMP or SNMP checks',
    severity: 'critical',
    delay: 60,
    initial: true,
    builder: all(['macros.device_down', 'equal', '1']),
  },
  {
    preset: 'port-down',
    name: 'Port down that was up',
    about: 'a port that is administratively up went from up to down',
    severity: 'warning',
    delay: 60,
    initial: false,
    builder: all(['macros.port_now_down', 'equal', '1'], ['ports.ifOperStatus', 'equal', 'down'], UP),
  },
  {
    preset: 'port-errors',
    name: 'Port errors',
    about: 'a port has errors in more than 1 % of its packets, and more than one a second',
    severity: 'warning',
    delay: 300,
    initial: false,
    builder: all(
      any(
        all(['macros.port_in_error_perc', 'greater', '1'], ['ports.ifInErrors_rate', 'greater', '1']),
        all(['macros.port_out_error_perc', 'greater', '1'], ['ports.ifOutErrors_rate', 'greater', '1']),
      ),
      ['macros.port_up', 'equal', '1'],
    ),
  },
  {
    preset: 'port-utilisation',
    name: 'Port utilisation over 90 %',
    about: 'a port carries more than 90 % of its speed in one direction',
    severity: 'warning',
    delay: 600,
    initial: false,
    builder: all(['macros.port_usage_perc', 'greater_or_equal', '90'], ['macros.port_up', 'equal', '1']),
  },
  {
    preset: 'sensor-limit',
    name: 'Sensor over limit',
    about: 'a sensor is above its upper or below its lower limit',
    severity: 'critical',
    delay: 300,
    initial: true,
    builder: all(
      any(
        ['sensors.sensor_current', 'greater', '`sensors.sensor_limit`'],
        ['sensors.sensor_current', 'less', '`sensors.sensor_limit_low`'],
      ),
      ['sensors.sensor_class', 'not_equal', 'state'],
      ['sensors.sensor_deleted', 'equal', '0'],
      ['macros.sensor', 'equal', '1'],
      UP,
    ),
  },
  {
    preset: 'state-sensor',
    name: 'State sensor critical',
    about: 'a power supply, fan, module or the like reports a critical state',
    severity: 'critical',
    delay: 60,
    initial: true,
    builder: all(
      ['macros.state_sensor_critical', 'equal', '1'],
      ['sensors.sensor_deleted', 'equal', '0'],
      ['macros.sensor', 'equal', '1'],
      UP,
    ),
  },
  {
    preset: 'bgp-down',
    name: 'BGP session down',
    about: 'a BGP session that is administratively up is not established',
    severity: 'critical',
    delay: 60,
    initial: true,
    builder: all(
      ['bgpPeers.bgpPeerState', 'not_equal', 'established'],
      any(['bgpPeers.bgpPeerAdminStatus', 'equal', 'start'], ['bgpPeers.bgpPeerAdminStatus', 'equal', 'running']),
      UP,
    ),
  },
  {
    preset: 'isis-down',
    name: 'IS-IS adjacency down',
    about: 'an IS-IS adjacency is not up, or was lost in the last day',
    severity: 'critical',
    delay: 60,
    initial: false,
    builder: all(
      ['isis_adjacencies.isisISAdjState', 'not_equal', 'up'],
      any(
        ['isis_adjacencies.isisCircAdminState', 'equal', 'on'],
        ['isis_adjacencies.isisCircAdminState', 'is_null', ''],
      ),
      UP,
    ),
  },
  {
    preset: 'stp-changed',
    name: 'Spanning tree changed',
    about: 'the topology of a spanning tree changed in the last ten minutes; with PVST, that of VLAN 1',
    severity: 'warning',
    delay: 0,
    initial: false,
    builder: all(['stp.timeSinceTopologyChange', 'less', '600'], ['stp.topChanges', 'greater', '0'], UP),
  },
  {
    preset: 'qos-drops',
    name: 'QoS class drops packets',
    about: 'a class of a QoS policy drops more than one packet a second',
    severity: 'warning',
    delay: 600,
    initial: false,
    builder: all(['qos_classes.dropped_packets_rate', 'greater', '1'], UP),
  },
  {
    preset: 'storage-full',
    name: 'Storage full',
    about: 'a file system is 95 % full or more',
    severity: 'warning',
    delay: 300,
    initial: true,
    builder: all(['storage.storage_perc', 'greater_or_equal', '95'], UP),
  },
  {
    preset: 'storage-soon-full',
    name: 'Storage full within a week',
    about: 'a file system will be full within 7 days, if it goes on as in the last month',
    severity: 'warning',
    delay: 3600,
    initial: false,
    builder: all(
      ['storage.storage_perc', 'greater_or_equal', '100', { kind: 'forecast', of: '7d' }],
      ['storage.storage_perc', 'greater', '50'],
      UP,
    ),
  },
  {
    preset: 'processor-busy',
    name: 'Processor over 90 % for half an hour',
    about: 'a processor was above 90 % for 30 of the last 40 minutes',
    severity: 'warning',
    delay: 0,
    initial: false,
    builder: all(['processors.processor_usage', 'greater', '90', { kind: 'held', for: '30m', of: '40m' }], UP),
  },
  {
    preset: 'traffic-unusual',
    name: 'Unusual traffic',
    about: 'a port carries far more or less than is usual at this hour of the week',
    severity: 'warning',
    delay: 600,
    initial: false,
    builder: all(
      any(
        ['ports.ifInOctets_rate', 'not_between', ['-6', '6'], { kind: 'unusual' }],
        ['ports.ifOutOctets_rate', 'not_between', ['-6', '6'], { kind: 'unusual' }],
      ),
      ['macros.port_up', 'equal', '1'],
      UP,
    ),
  },
  {
    preset: 'sensor-silent',
    name: 'Sensor without values',
    about: 'no value of a sensor has been read for half an hour, though its device is up',
    severity: 'warning',
    delay: 0,
    initial: false,
    builder: all(
      ['sensors.sensor_current', 'is_null', '', { kind: 'no_data', of: '30m' }],
      ['sensors.sensor_deleted', 'equal', '0'],
      ['macros.sensor', 'equal', '1'],
      UP,
    ),
  },
  {
    preset: 'bill-commit',
    name: 'Committed rate will be exceeded',
    about: 'the 95th percentile of a bill will be above its committed rate at the end of the period',
    severity: 'warning',
    delay: 0,
    initial: false,
    builder: all(
      ['bills.bill_type', 'equal', 'cdr'],
      ['bills.rate_95th', 'greater', '`bills.bill_cdr`', { kind: 'period_end' }],
    ),
  },
  {
    preset: 'bill-quota',
    name: 'Bill over quota',
    about: 'a bill has used its quota or committed rate',
    severity: 'warning',
    delay: 0,
    initial: false,
    builder: any(
      ['macros.bill_quota_over_quota', 'greater_or_equal', '100'],
      ['macros.bill_cdr_over_quota', 'greater_or_equal', '100'],
    ),
  },
  {
    preset: 'poller-late',
    name: 'Device not polled for 15 minutes',
    about: 'a device that is up was not polled for 15 minutes',
    severity: 'warning',
    delay: 600,
    initial: false,
    builder: all(['devices.last_polled', 'less', '`macros.past_15m`'], ['devices.snmp_disable', 'equal', '0'], UP),
  },
  {
    preset: 'service-down',
    name: 'Service down',
    about: 'the check of a service is critical',
    severity: 'critical',
    delay: 0,
    initial: true,
    builder: all(['services.service_status', 'equal', '2'], ['macros.service', 'equal', '1']),
  },
  {
    preset: 'portlight-warning',
    name: 'Portlight itself: warning',
    about: "one of Portlight's checks of itself is in state warning or unknown",
    severity: 'warning',
    delay: 300,
    initial: false,
    builder: all(
      any(['services.service_status', 'equal', '1'], ['services.service_status', 'equal', '3']),
      ['services.service_type', 'equal', 'portlight'],
      ['macros.service', 'equal', '1'],
    ),
  },
]

/** The ready-made rule with this preset name; null: none. */
export function rulePreset(name: string): RulePreset | null {
  return RULE_PRESETS.find(({ preset }) => preset === name) ?? null
}
