import { type Curve, windows } from '../curve.ts'
import type { DeviceModel } from '../device.ts'
import { wave } from '../gauge.ts'
import type { Instant } from '../instant.ts'
import { linkEnd } from '../links.ts'
import {
  upsAdvBattery,
  upsAdvIdent,
  upsBasicIdent,
  upsBasicOutput,
  upsHighPrecBattery,
  upsHighPrecInput,
  upsHighPrecOutput,
} from '../mib/apc.ts'
import {
  upsAlarm,
  upsAlarmTable,
  upsBattery,
  upsConfig,
  upsIdent,
  upsInput,
  upsInputTable,
  upsOutput,
  upsOutputTable,
} from '../mib/ups.ts'
import { addressTables } from '../parts/addresses.ts'
import { macsOf, serialOf } from '../parts/edge-ports.ts'
import { portTables } from '../parts/ports.ts'
import { SITES } from '../sites.ts'
import { type Instance, scalarValues, tableRows } from '../table.ts'
import { reading } from '../traffic.ts'

/** Mains power fails for six minutes every four hours. */
export const MAINS_CYCLE_S = 4 * 3600
const MAINS_OFF_S = 360

const ON_BATTERY_ALARM = '1.3.6.1.2.1.33.1.6.3.2'
/** upsBasicOutputStatus and upsAdvBatteryReplaceIndicator of PowerNet-MIB. */
const ON_LINE = 2
const ON_BATTERY = 3
const BATTERY_GOOD = 1
/** upsOutputSource of UPS-MIB. */
const NORMAL = 3
const BATTERY = 5
/** Percent of charge used per minute on battery, and regained per minute on mains. */
const DISCHARGE_PER_MIN = 3.4
const RECHARGE_PER_MIN = 2.1

/** A single-phase 3 kVA UPS that is sometimes on battery and recharges afterwards. */
export const ups: DeviceModel = {
  name: 'ups-1',
  kind: 'UPS',
  sysDescr:
    'APC Web/SNMP Management Card (MB:v4.3.6 PF:v2.5.0.8 PN:apc_hw21_aos_2.5.0.8.bin AF1:v2.5.0.8 AN1:apc_hw21_su_2.5.0.8.bin MN:AP9641 HR:1 SN: ZA2219000000 MD:05/11/2022)',
  sysObjectID: '1.3.6.1.4.1.318.1.3.27',
  sysServices: 72,
  location: SITES.dataCentre,
  // a small management card: small messages, few rows per response
  maxMessageOctets: 1200,
  maxRepetitions: 10,
  instances({ own, links }) {
    const mac = macsOf('00:c0:b7', own('mac'))
    return [
      ...portTables(
        [
          { index: 1, name: 'lo0', descr: 'Loopback', type: 'softwareLoopback', mbps: 0 },
          {
            index: 2,
            name: 'eth0',
            descr: 'veth0',
            mbps: 100,
            mac: mac(0),
            ...linkEnd(links, 'leaf-1 ups-1', 'lower'),
          },
        ],
        { highCapacity: false },
      ),
      ...addressTables([{ ifIndex: 2, cidr: '10.10.0.61/22' }], { modern: false }),
      ...powerTables(own),
    ]
  },
}

function powerTables(own: (label: string) => number): Instance[] {
  const mains = windows(own('mains'), MAINS_CYCLE_S, MAINS_OFF_S)
  const onMains = (t: Instant) => mains.isOn(t.s)
  const sinceChange = (t: Instant) => t.s - mains.changedAt(t.s)
  const charge = (t: Instant) =>
    onMains(t)
      ? Math.min(100, 100 - (MAINS_OFF_S / 60) * DISCHARGE_PER_MIN + (sinceChange(t) / 60) * RECHARGE_PER_MIN)
      : Math.max(5, 100 - (sinceChange(t) / 60) * DISCHARGE_PER_MIN)
  const load = wave(own('load'), { mean: 46, day: 6, noise: 4, min: 5, max: 95 })
  const watts = (t: Instant) => 27 * load(t)
  const runtimeMinutes = (t: Instant) => Math.max(1, (charge(t) * 24) / Math.max(10, load(t)))
  const batteryDecivolts = (t: Instant) => (onMains(t) ? 546 : 520 - 0.4 * (100 - charge(t)))
  const celsius = wave(own('battery'), { mean: 27, day: 1.5, noise: 1 })
  const volts = wave(own('volts'), { mean: 231, day: 3, noise: 2.5, noiseS: 600 })
  // number of failures so far: total seconds off divided by the length of one failure
  const failures: Curve = (s) => (s - mains.onSeconds(s)) / MAINS_OFF_S
  return [
    ...scalarValues(upsIdent, {
      upsIdentManufacturer: 'APC',
      upsIdentModel: 'Smart-UPS 3000 RM XL',
      upsIdentUPSSoftwareVersion: 'UPS 15.5 (ID18)',
      upsIdentAgentSoftwareVersion: 'v2.5.0.8',
      upsIdentName: 'ups-1',
      upsIdentAttachedDevices: 'leaf-1, web-1, db-1, nas-1, esx-1',
    }),
    ...scalarValues(upsBattery, {
      upsBatteryStatus: (t) => (charge(t) < 20 ? 3 : 2),
      upsSecondsOnBattery: (t) => (onMains(t) ? 0 : Math.floor(sinceChange(t))),
      upsEstimatedMinutesRemaining: runtimeMinutes,
      upsEstimatedChargeRemaining: charge,
      upsBatteryVoltage: batteryDecivolts,
      upsBatteryCurrent: (t) => (onMains(t) ? (charge(t) < 100 ? -21 : 0) : watts(t) / 4.9),
      upsBatteryTemperature: celsius,
    }),
    ...scalarValues(upsInput, { upsInputLineBads: (t) => reading(failures, t.s, t.bootS), upsInputNumLines: 1 }),
    ...tableRows(upsInputTable, [
      [
        1,
        {
          upsInputFrequency: (t) => (onMains(t) ? 500 : 0),
          upsInputVoltage: (t) => (onMains(t) ? volts(t) : 0),
          upsInputCurrent: (t) => (onMains(t) ? (10 * watts(t)) / volts(t) : 0),
          upsInputTruePower: (t) => (onMains(t) ? watts(t) * 1.06 : 0),
        },
      ],
    ]),
    ...scalarValues(upsOutput, {
      upsOutputSource: (t) => (onMains(t) ? NORMAL : BATTERY),
      upsOutputFrequency: 500,
      upsOutputNumLines: 1,
    }),
    ...tableRows(upsOutputTable, [
      [
        1,
        {
          upsOutputVoltage: (t) => (onMains(t) ? volts(t) : 230),
          upsOutputCurrent: (t) => (10 * watts(t)) / 230,
          upsOutputPower: watts,
          upsOutputPercentLoad: load,
        },
      ],
    ]),
    ...scalarValues(upsAlarm, { upsAlarmsPresent: (t) => (onMains(t) ? 0 : 1) }),
    ...tableRows(upsAlarmTable, [
      [
        1,
        {
          upsAlarmDescr: (t) => (onMains(t) ? null : ON_BATTERY_ALARM),
          upsAlarmTime: (t) => (onMains(t) ? null : Math.max(0, (mains.changedAt(t.s) - t.bootS) * 100)),
        },
      ],
    ]),
    ...scalarValues(upsConfig, {
      upsConfigInputVoltage: 230,
      upsConfigInputFreq: 500,
      upsConfigOutputVoltage: 230,
      upsConfigOutputFreq: 500,
      upsConfigOutputVA: 3000,
      upsConfigOutputPower: 2700,
      upsConfigLowBattTime: 2,
      upsConfigAudibleStatus: 2,
    }),
    ...scalarValues(upsBasicIdent, { upsBasicIdentModel: 'Smart-UPS 3000 RM XL' }),
    ...scalarValues(upsAdvIdent, {
      upsAdvIdentFirmwareRevision: 'UPS 15.5 (ID18)',
      upsAdvIdentSerialNumber: serialOf('AS22', own('serial')),
    }),
    ...scalarValues(upsAdvBattery, {
      upsAdvBatteryRunTimeRemaining: (t) => 6000 * runtimeMinutes(t),
      upsAdvBatteryReplaceIndicator: BATTERY_GOOD,
    }),
    ...scalarValues(upsHighPrecBattery, {
      upsHighPrecBatteryCapacity: (t) => 10 * charge(t),
      upsHighPrecBatteryTemperature: (t) => 10 * celsius(t),
      upsHighPrecBatteryActualVoltage: batteryDecivolts,
    }),
    ...scalarValues(upsHighPrecInput, {
      upsHighPrecInputLineVoltage: (t) => (onMains(t) ? 10 * volts(t) : 0),
      upsHighPrecInputFrequency: (t) => (onMains(t) ? 500 : 0),
    }),
    ...scalarValues(upsBasicOutput, { upsBasicOutputStatus: (t) => (onMains(t) ? ON_LINE : ON_BATTERY) }),
    ...scalarValues(upsHighPrecOutput, {
      upsHighPrecOutputVoltage: (t) => (onMains(t) ? 10 * volts(t) : 2300),
      upsHighPrecOutputFrequency: 500,
      upsHighPrecOutputLoad: (t) => 10 * load(t),
      upsHighPrecOutputCurrent: (t) => (10 * watts(t)) / 230,
    }),
  ]
}
