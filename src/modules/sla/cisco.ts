import { formatIp } from '@portlight/addresses/ip.ts'
import type { Row, Rows } from '@portlight/snmp/table.ts'
import type { StateSet } from '../../definitions/health.ts'
import {
  ROW_ACTIVE,
  RTT_TYPE,
  rttMonCtrlAdminTable,
  rttMonEchoAdminTable,
  rttMonLatestJitterOperTable,
  rttMonLatestRttOperTable,
} from '../../mibs/cisco-rttmon-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import { type Measured, measured } from '../measured-sensor.ts'
import { need, type Read } from '../module.ts'
import type { SensorRow } from '../observation.ts'

export const CISCO_TABLES = { operations: rttMonCtrlAdminTable }
export const CISCO_RESULTS = {
  targets: need(rttMonEchoAdminTable),
  latest: need(rttMonLatestRttOperTable),
  jitter: need(rttMonLatestJitterOperTable),
}

const TYPE = 'cisco-ip-sla'

/** RttMonRttType of the only operations whose times can be in microseconds. */
const UDP_JITTER = 9

/** RttResponseSense of a completed run. */
const SENSE: StateSet = {
  name: 'rttMonLatestRttOperSense',
  values: [
    { value: 0, descr: 'not run yet', generic: 'unknown' },
    { value: 1, descr: 'ok', generic: 'ok' },
    { value: 2, descr: 'disconnected', generic: 'critical' },
    { value: 3, descr: 'over threshold', generic: 'warning' },
    { value: 4, descr: 'timeout', generic: 'critical' },
    { value: 5, descr: 'busy', generic: 'warning' },
    { value: 6, descr: 'not connected', generic: 'critical' },
    { value: 7, descr: 'dropped', generic: 'warning' },
    { value: 8, descr: 'sequence error', generic: 'critical' },
    { value: 9, descr: 'verify error', generic: 'critical' },
    { value: 10, descr: 'application error', generic: 'critical' },
    { value: 11, descr: 'DNS timeout', generic: 'critical' },
    { value: 12, descr: 'TCP timeout', generic: 'critical' },
    { value: 13, descr: 'HTTP timeout', generic: 'critical' },
    { value: 14, descr: 'DNS error', generic: 'critical' },
    { value: 15, descr: 'HTTP error', generic: 'critical' },
    { value: 16, descr: 'error', generic: 'critical' },
    { value: 17, descr: 'LSP echo not sent', generic: 'critical' },
    { value: 18, descr: 'LSP unreachable', generic: 'critical' },
    { value: 19, descr: 'LSP request malformed', generic: 'critical' },
    { value: 20, descr: 'LSP reached another router', generic: 'critical' },
  ],
}

/** Sensors of the operations that are configured completely. */
export function ciscoSensors(
  operations: Rows<typeof rttMonCtrlAdminTable>,
  { targets, latest, jitter }: Read<typeof CISCO_RESULTS>['tables'],
): readonly SensorRow[] {
  return [...operations].flatMap(([index, operation]) => {
    if ((operation.rttMonCtrlAdminStatus ?? ROW_ACTIVE) !== ROW_ACTIVE || !/^\d{1,10}$/.test(index)) return []
    const target = targets.rows.get(index) ?? {}
    const name = nameOf(index, operation, target)
    const inMicroseconds = operation.rttMonCtrlAdminRttType === UDP_JITTER && target.rttMonEchoAdminPrecision === 2
    const last = latest.rows.get(index) ?? {}
    const voice = jitter.rows.get(index) ?? {}
    const sensor = (table: { readonly entry: string }, id: number, one: Found) =>
      measured({
        type: TYPE,
        index: `${one.what ?? 'state'}.${index}`,
        oid: `${table.entry}.${id}.${index}`,
        group: 'IP SLA',
        descr: one.what === undefined ? name : `${name} ${one.what}`,
        sensorClass: one.sensorClass,
        sent: one.sent,
        ...(one.divisor !== undefined && { divisor: one.divisor }),
        ...(one.high !== undefined && { high: one.high }),
        ...(one.states !== undefined && { states: one.states }),
      })
    const perSecond = inMicroseconds ? 1_000_000 : 1000
    const threshold = operation.rttMonCtrlAdminThreshold ?? 0
    const [rtt, loss] = [rttMonLatestRttOperTable, rttMonLatestJitterOperTable]
    return [
      sensor(rtt, 2, { sensorClass: 'state', sent: last.rttMonLatestRttOperSense, states: SENSE }),
      sensor(rtt, 1, {
        what: 'round trip',
        sensorClass: 'delay',
        sent: last.rttMonLatestRttOperCompletionTime,
        divisor: perSecond,
        ...(threshold > 0 && { high: threshold / 1000 }),
      }),
      sensor(loss, 46, {
        what: 'jitter',
        sensorClass: 'delay',
        sent: voice.rttMonLatestJitterOperAvgJitter,
        divisor: perSecond,
      }),
      sensor(loss, 26, {
        what: 'packets lost to the target',
        sensorClass: 'count',
        sent: voice.rttMonLatestJitterOperPacketLossSD,
      }),
      sensor(loss, 27, {
        what: 'packets lost from the target',
        sensorClass: 'count',
        sent: voice.rttMonLatestJitterOperPacketLossDS,
      }),
      sensor(loss, 29, {
        what: 'packets lost somewhere',
        sensorClass: 'count',
        sent: voice.rttMonLatestJitterOperPacketMIA,
      }),
      // 0 without a codec; the score is between 1 and 5
      sensor(loss, 42, {
        what: 'MOS',
        sensorClass: 'count',
        sent: scoreOf(voice.rttMonLatestJitterOperMOS),
        divisor: 100,
      }),
    ].flat()
  })
}

/** Hundredths; undefined: none. */
const scoreOf = (mos: number | undefined) => (mos !== undefined && mos >= 100 && mos <= 500 ? mos : undefined)

type Found = Pick<Measured, 'sensorClass' | 'sent' | 'divisor' | 'high' | 'states'> & { readonly what?: string }

/** `IP SLA 11 ICMP echo to 192.0.2.7 (branch)`. */
function nameOf(
  index: string,
  { rttMonCtrlAdminRttType, rttMonCtrlAdminTag }: Row<typeof rttMonCtrlAdminTable>,
  target: Row<typeof rttMonEchoAdminTable>,
): string {
  const type = enumName(RTT_TYPE, rttMonCtrlAdminRttType)
  const to = addressOf(target.rttMonEchoAdminTargetAddress) || target.rttMonEchoAdminTargetAddressString
  return [`IP SLA ${index}`, type, to && `to ${to}`, rttMonCtrlAdminTag && `(${rttMonCtrlAdminTag})`]
    .filter(Boolean)
    .join(' ')
}

/** '': no address, such as the MAC of a switch. */
function addressOf(octets: Uint8Array | undefined): string {
  const text = formatIp(octets)
  return text === null || text === '0.0.0.0' ? '' : text
}
