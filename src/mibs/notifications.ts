/** A notification (SNMP trap) of a MIB. */
export interface NotificationKind {
  /** With its module: `IF-MIB::linkDown`. */
  readonly name: string
  /** 1 ok (a fault has ended), 2 info, 3 notice, 4 warning, 5 error. */
  readonly severity: 1 | 2 | 3 | 4 | 5
}

type Listed = Readonly<Record<number, readonly [name: string, severity: NotificationKind['severity']]>>

/** Notifications by the OID before their last number, from the MIBs of RFC 3418, 4273, 4750, 4188, 2819, 1628 and of vendors. */
const MODULES: readonly (readonly [oid: string, module: string, listed: Listed])[] = [
  ['1.3.6.1.6.3.1.1.5', 'SNMPv2-MIB', { 1: ['coldStart', 4], 2: ['warmStart', 3], 5: ['authenticationFailure', 3] }],
  ['1.3.6.1.6.3.1.1.5', 'IF-MIB', { 3: ['linkDown', 4], 4: ['linkUp', 1] }],
  // RFC 1213: the neighbour of the Exterior Gateway Protocol
  ['1.3.6.1.6.3.1.1.5', 'RFC1213-MIB', { 6: ['egpNeighborLoss', 3] }],
  ['1.3.6.1.2.1.15.7', 'BGP4-MIB', { 1: ['bgpEstablished', 1], 2: ['bgpBackwardTransition', 4] }],
  ['1.3.6.1.2.1.15', 'BGP4-MIB', { 1: ['bgpEstablishedNotification', 1], 2: ['bgpBackwardTransNotification', 4] }],
  [
    '1.3.6.1.2.1.14.16.2',
    'OSPF-TRAP-MIB',
    {
      2: ['ospfNbrStateChange', 3],
      4: ['ospfIfConfigError', 4],
      6: ['ospfIfAuthFailure', 4],
      16: ['ospfIfStateChange', 3],
    },
  ],
  ['1.3.6.1.2.1.17', 'BRIDGE-MIB', { 1: ['newRoot', 4], 2: ['topologyChange', 3] }],
  ['1.3.6.1.2.1.16', 'RMON-MIB', { 1: ['risingAlarm', 4], 2: ['fallingAlarm', 3] }],
  ['1.3.6.1.2.1.47.2', 'ENTITY-MIB', { 1: ['entConfigChange', 2] }],
  ['1.3.6.1.2.1.68', 'VRRP-MIB', { 1: ['vrrpTrapNewMaster', 4], 2: ['vrrpTrapAuthFailure', 4] }],
  ['1.3.6.1.2.1.43.18.2', 'Printer-MIB', { 1: ['printerV2Alert', 3] }],
  [
    '1.3.6.1.2.1.33.2',
    'UPS-MIB',
    {
      1: ['upsTrapOnBattery', 4],
      2: ['upsTrapTestCompleted', 2],
      3: ['upsTrapAlarmEntryAdded', 4],
      4: ['upsTrapAlarmEntryRemoved', 1],
    },
  ],
  // of vendors: v1 traps of the enterprise, and notifications below `...0`
  [
    '1.3.6.1.4.1.318',
    'PowerNet-MIB',
    {
      1: ['communicationLost', 5],
      2: ['upsOverload', 5],
      3: ['upsDiagnosticsFailed', 5],
      4: ['upsDischarged', 5],
      5: ['upsOnBattery', 4],
      6: ['smartBoostOn', 4],
      7: ['lowBattery', 5],
      8: ['communicationEstablished', 1],
      9: ['powerRestored', 1],
      10: ['upsDiagnosticsPassed', 1],
      11: ['returnFromLowBattery', 1],
      12: ['upsTurnedOff', 4],
      13: ['upsSleeping', 4],
      14: ['upsWokeUp', 1],
      15: ['upsRebootStarted', 4],
      16: ['upsDipSwitchChanged', 4],
      17: ['upsBatteryNeedsReplacement', 5],
      18: ['contactFault', 5],
      19: ['contactFaultResolved', 1],
      20: ['hardwareFailureBypass', 5],
      21: ['softwareBypass', 4],
      22: ['switchedBypass', 4],
      23: ['returnFromBypass', 1],
      24: ['bypassPowerSupplyFailure', 5],
      25: ['baseFanFailure', 5],
      26: ['batteryPackCommLost', 5],
      27: ['batteryPackCommEstablished', 1],
      28: ['calibrationStart', 2],
      30: ['upsTurnedOn', 1],
      31: ['smartAvrReducing', 4],
      33: ['upsOverloadCleared', 1],
      34: ['smartBoostOff', 1],
      35: ['smartAvrReducingOff', 1],
      36: ['upsBatteryReplaced', 1],
      37: ['calibrationEnd', 2],
      38: ['dischargeCleared', 1],
      39: ['gracefulShutdown', 2],
      41: ['outletOn', 3],
      42: ['outletOff', 4],
      43: ['outletReboot', 4],
      44: ['configChangeSNMP', 3],
      45: ['configChangeOutlet', 3],
      46: ['accessViolationConsole', 4],
      47: ['accessViolationHTTP', 4],
      48: ['passwordChange', 4],
      49: ['badVoltage', 4],
      50: ['badVoltageCleared', 1],
      51: ['chargerFailure', 4],
      52: ['chargerFailureCleared', 1],
      53: ['batteryOverTemperature', 4],
      54: ['batteryOverTemperatureCleared', 1],
      57: ['humidityThresholdViolation1', 5],
      58: ['humidityThresholdViolationCleared1', 1],
      59: ['temperatureThresholdViolation1', 5],
      60: ['temperatureThresholdViolationCleared1', 1],
      61: ['humidityThresholdViolation2', 5],
      62: ['humidityThresholdViolationCleared2', 1],
      63: ['temperatureThresholdViolation2', 5],
      64: ['temperatureThresholdViolationCleared2', 1],
      77: ['abnormalCondition', 5],
    },
  ],
  [
    '1.3.6.1.4.1.534.1.11.4.1',
    'XUPS-MIB',
    {
      1: ['xupstdControlOff', 4],
      2: ['xupstdControlOn', 1],
      3: ['xupstdOnBattery', 4],
      4: ['xupstdLowBattery', 5],
      5: ['xupstdUtilityPowerRestored', 1],
      6: ['xupstdReturnFromLowBattery', 1],
      7: ['xupstdOutputOverload', 5],
      8: ['xupstdInternalFailure', 5],
      9: ['xupstdBatteryDischarged', 5],
      10: ['xupstdInverterFailure', 5],
      11: ['xupstdOnBypass', 4],
    },
  ],
  ['1.3.6.1.4.1.9.9.43.2', 'CISCO-CONFIG-MAN-MIB', { 1: ['ciscoConfigManEvent', 3] }],
  [
    '1.3.6.1.4.1.9.9.13.3',
    'CISCO-ENVMON-MIB',
    {
      1: ['ciscoEnvMonShutdownNotification', 5],
      2: ['ciscoEnvMonVoltageNotification', 5],
      3: ['ciscoEnvMonTemperatureNotification', 5],
      4: ['ciscoEnvMonFanNotification', 5],
      5: ['ciscoEnvMonRedundantSupplyNotification', 5],
    },
  ],
  [
    '1.3.6.1.4.1.9.9.117.2',
    'CISCO-ENTITY-FRU-CONTROL-MIB',
    {
      1: ['cefcModuleStatusChange', 3],
      2: ['cefcPowerStatusChange', 4],
      3: ['cefcFRUInserted', 2],
      4: ['cefcFRURemoved', 4],
      6: ['cefcFanTrayStatusChange', 4],
    },
  ],
  [
    '1.3.6.1.4.1.2636.4.1',
    'JUNIPER-MIB',
    {
      1: ['jnxPowerSupplyFailure', 5],
      2: ['jnxFanFailure', 5],
      3: ['jnxOverTemperature', 5],
      5: ['jnxFruRemoval', 4],
      6: ['jnxFruInsertion', 2],
      7: ['jnxFruPowerOff', 4],
      8: ['jnxFruPowerOn', 1],
      9: ['jnxFruFailed', 5],
    },
  ],
  [
    '1.3.6.1.4.1.2636.4.2',
    'JUNIPER-MIB',
    { 1: ['jnxPowerSupplyOK', 1], 2: ['jnxFanOK', 1], 3: ['jnxTemperatureOK', 1] },
  ],
  ['1.0.8802.1.1.2.0', 'LLDP-MIB', { 1: ['lldpRemTablesChange', 2] }],
  [
    '1.3.6.1.4.1.8072.4',
    'NET-SNMP-AGENT-MIB',
    { 1: ['nsNotifyStart', 2], 2: ['nsNotifyShutdown', 4], 3: ['nsNotifyRestart', 3] },
  ],
]

const NOTIFICATIONS: ReadonlyMap<string, NotificationKind> = new Map(
  MODULES.flatMap(([oid, module, listed]) =>
    Object.entries(listed).map(([number, [name, severity]]) => [
      `${oid}.${number}`,
      { name: `${module}::${name}`, severity },
    ]),
  ),
)

/**
 * The notification with this snmpTrapOID; null: not listed. The same notification has a 0 before its last number or has
 * none, depending on whether it was sent as v1, was converted, and how its MIB is written (RFC 3584 §3.1).
 */
export function notificationOf(oid: string): NotificationKind | null {
  return NOTIFICATIONS.get(oid) ?? NOTIFICATIONS.get(oid.replace(/\.0\.(\d+)$/, '.$1')) ?? null
}

/** Columns that occur in notifications but are not polled. */
export const NOTIFIED_COLUMNS: ReadonlyMap<string, string> = new Map([['1.3.6.1.2.1.2.2.1.1', 'IF-MIB::ifIndex']])
