import type { MibTable, Row } from '@portlight/snmp/table.ts'
import type { StateSet } from '../../definitions/health.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import { adslAtucChanTable, adslAtucPhysTable, adslAturChanTable, adslAturPhysTable } from '../../mibs/adsl-line-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import {
  XDSL2_BAND,
  XDSL2_UNIT,
  xdsl2ChannelStatusTable,
  xdsl2LineBandTable,
  xdsl2LineTable,
} from '../../mibs/vdsl2-line-mib.ts'
import { type Measured, measured } from '../measured-sensor.ts'
import { need, phase } from '../module.ts'
import type { SensorRow } from '../observation.ts'
import { EXTENSION, INTERFACES } from '../ports/discover.ts'

/** IANAifType: adsl, vdsl, interleave, fast, adsl2, adsl2plus, vdsl2. */
const DSL: ReadonlySet<unknown> = new Set([94, 97, 124, 125, 230, 238, 251])

const TYPE = 'xdsl'
const LINES = 'lines'

/** Sensors that are read of a device, about 4,000 lines. */
const MAX_SENSORS = 50_000
const MAX_IF_INDEX = 0x7fff_ffff
/** Tables whose rows have a second number after the ifIndex. */
const DIVIDED: ReadonlySet<MibTable> = new Set<MibTable>([xdsl2LineBandTable, xdsl2ChannelStatusTable])

/** A noise margin below 0 means more bit errors than a line may have; beyond 64 dB no MIB reports one. */
const MARGIN = { low: 0, high: 64 } as const
/** The attenuation is beyond what can be reported, or not available. */
const NO_ATTENUATION: ReadonlySet<unknown> = new Set([2_147_483_646, 2_147_483_647])

const INIT_RESULT: StateSet = {
  name: 'xdsl2LineStatusInitResult',
  values: [
    { value: 0, descr: 'successful', generic: 'ok' },
    { value: 1, descr: 'configuration error', generic: 'critical' },
    { value: 2, descr: 'configuration not feasible', generic: 'critical' },
    { value: 3, descr: 'communication failure', generic: 'critical' },
    // lines of a DSLAM to which nobody is connected
    { value: 4, descr: 'no modem detected', generic: 'unknown' },
    { value: 5, descr: 'other failure', generic: 'critical' },
  ],
}

/**
 * DSL lines as sensors of their ports: noise margin, attenuation, power and rates in both directions (ADSL-LINE-MIB,
 * VDSL2-LINE-MIB). Devices without a DSL interface are asked nothing.
 */
export const discoverXdsl = phase({
  tables: { interfaces: INTERFACES, extension: EXTENSION },
  follow: ({ tables: { interfaces } }) =>
    interfaces.rows.values().some(({ ifType }) => DSL.has(ifType))
      ? [
          {
            key: LINES,
            tables: {
              atuc: need(adslAtucPhysTable),
              atur: need(adslAturPhysTable),
              atucChannels: need(adslAtucChanTable),
              aturChannels: need(adslAturChanTable),
              lines: need(xdsl2LineTable),
              bands: need(xdsl2LineBandTable),
              channels: need(xdsl2ChannelStatusTable),
            },
          },
        ]
      : [],
  run({ tables: { interfaces, extension }, followed, unread }) {
    const read = followed.get(LINES)?.tables
    if (read === undefined) return [{ kind: 'sensors', complete: interfaces.complete, rows: [] }]
    const nameOf = (ifIndex: number) =>
      extension.rows.get(String(ifIndex))?.ifName || interfaces.rows.get(String(ifIndex))?.ifDescr || `Line ${ifIndex}`
    const rows: SensorRow[] = []
    const beyond = new Map<MibTable, string>()
    const add = <T extends MibTable>(table: T, column: keyof T['columns'] & string, index: string, one: Found) => {
      const [ifIndex] = decodeIndex(index, DIVIDED.has(table) ? ['integer', 'integer'] : ['integer']) ?? []
      if (ifIndex === undefined || ifIndex > MAX_IF_INDEX) return
      if (rows.length >= MAX_SENSORS) {
        beyond.set(table, beyond.get(table) ?? index)
        return
      }
      const { id = 0 } = table.columns[column] ?? {}
      const { what, ...rest } = one
      const descr = `${nameOf(ifIndex)} ${what}`
      const oid = `${table.entry}.${id}.${index}`
      rows.push(
        ...measured({
          type: TYPE,
          index: `${table.name}.${column}.${index}`,
          group: 'DSL',
          oid,
          descr,
          ifIndex,
          ...rest,
        }),
      )
    }
    addAdsl(read, add)
    for (const [index, row] of read.lines.rows) addLine(index, row, add)
    for (const [index, row] of read.bands.rows) addBand(index, row, add)
    for (const [index, { xdsl2ChStatusActDataRate: sent }] of read.channels.rows) {
      const way = enumName(XDSL2_UNIT, decodeIndex(index, ['integer', 'integer'])?.[1])
      if (way !== undefined)
        add(xdsl2ChannelStatusTable, 'xdsl2ChStatusActDataRate', index, {
          what: `${way} rate`,
          sensorClass: 'bitrate',
          sent,
        })
    }
    for (const [table, index] of beyond) unread(table, [index])
    return [{ kind: 'sensors', complete: interfaces.complete && Object.values(read).every((t) => t.complete), rows }]
  },
})

/** What a sensor measures, such as `downstream noise margin`. */
type Found = Pick<Measured, 'sensorClass' | 'sent' | 'divisor' | 'high' | 'low' | 'states'> & { readonly what: string }
type Add = <T extends MibTable>(table: T, column: keyof T['columns'] & string, index: string, one: Found) => void
type RowsOf<T extends MibTable> = { readonly rows: ReadonlyMap<string, Row<T>> }

/** An end measures what it receives; its power and rates are those of what it sends. */
function addAdsl(
  read: {
    readonly atuc: RowsOf<typeof adslAtucPhysTable>
    readonly atur: RowsOf<typeof adslAturPhysTable>
    readonly atucChannels: RowsOf<typeof adslAtucChanTable>
    readonly aturChannels: RowsOf<typeof adslAturChanTable>
  },
  add: Add,
): void {
  for (const [table, { rows }, receives, sends] of [
    [adslAtucPhysTable, read.atuc, 'upstream', 'downstream'],
    [adslAturPhysTable, read.atur, 'downstream', 'upstream'],
  ] as const)
    for (const [index, row] of rows) {
      const tenths = { divisor: 10 }
      add(table, 'snrMargin', index, {
        what: `${receives} noise margin`,
        sensorClass: 'snr',
        sent: row.snrMargin,
        ...tenths,
        ...MARGIN,
      })
      add(table, 'attenuation', index, {
        what: `${receives} attenuation`,
        sensorClass: 'signal_loss',
        sent: row.attenuation,
        ...tenths,
      })
      add(table, 'outputPower', index, { what: `${sends} power`, sensorClass: 'dbm', sent: row.outputPower, ...tenths })
      add(table, 'attainableRate', index, {
        what: `${sends} attainable rate`,
        sensorClass: 'bitrate',
        sent: row.attainableRate,
      })
    }
  for (const [table, { rows }, sends] of [
    [adslAtucChanTable, read.atucChannels, 'downstream'],
    [adslAturChanTable, read.aturChannels, 'upstream'],
  ] as const)
    for (const [index, { txRate: sent }] of rows)
      add(table, 'txRate', index, { what: `${sends} rate`, sensorClass: 'bitrate', sent })
}

function addLine(index: string, row: Row<typeof xdsl2LineTable>, add: Add): void {
  const line = (column: keyof typeof row & string, what: string, sensorClass: string, rest: Partial<Found> = {}) =>
    add(xdsl2LineTable, column, index, { what, sensorClass, sent: row[column], ...rest })
  line('xdsl2LineStatusInitResult', 'last start', 'state', { states: INIT_RESULT })
  line('xdsl2LineStatusAttainableRateDs', 'downstream attainable rate', 'bitrate')
  line('xdsl2LineStatusAttainableRateUs', 'upstream attainable rate', 'bitrate')
  line('xdsl2LineStatusActAtpDs', 'downstream power', 'dbm', { divisor: 10 })
  line('xdsl2LineStatusActAtpUs', 'upstream power', 'dbm', { divisor: 10 })
}

/** The margins of the whole line, and the attenuation of each band, or of the line where it has one band only. */
function addBand(index: string, row: Row<typeof xdsl2LineBandTable>, add: Add): void {
  const number = decodeIndex(index, ['integer', 'integer'])?.[1] ?? 0
  const band = enumName(XDSL2_BAND, number)
  if (band === undefined) return
  const whole = number <= 2
  const { xdsl2LineBandStatusSnrMargin: margin, xdsl2LineBandStatusLnAtten: attenuation } = row
  if (whole)
    add(xdsl2LineBandTable, 'xdsl2LineBandStatusSnrMargin', index, {
      what: `${band} noise margin`,
      sensorClass: 'snr',
      sent: margin,
      divisor: 10,
      ...MARGIN,
    })
  if (!whole || !NO_ATTENUATION.has(attenuation))
    add(xdsl2LineBandTable, 'xdsl2LineBandStatusLnAtten', index, {
      what: `${band} attenuation`,
      sensorClass: 'signal_loss',
      sent: attenuation,
      divisor: 10,
    })
}
