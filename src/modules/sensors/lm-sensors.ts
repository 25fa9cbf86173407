import { lmFanSensorsTable, lmTempSensorsTable, lmVoltSensorsTable } from '../../mibs/lm-sensors-mib.ts'
import { withLimits } from '../guessed-limits.ts'
import { need, phase, type TableResult } from '../module.ts'
import type { SensorRow } from '../observation.ts'

/** Mainboard sensors of LM-SENSORS-MIB (net-snmp). A value of 0 is an unconnected header. */
export const discoverLmSensors = phase({
  tables: {
    temperatures: need(lmTempSensorsTable, ['device', 'value']),
    fans: need(lmFanSensorsTable, ['device', 'value']),
    voltages: need(lmVoltSensorsTable, ['device', 'value']),
  },
  run({ tables: { temperatures, fans, voltages } }) {
    return [
      {
        kind: 'sensors',
        complete: temperatures.complete && fans.complete && voltages.complete,
        rows: [
          ...sensorRows('temperature', 1000, lmTempSensorsTable.entry, temperatures),
          ...sensorRows('fanspeed', 1, lmFanSensorsTable.entry, fans),
          ...sensorRows('voltage', 1000, lmVoltSensorsTable.entry, voltages),
        ],
      },
    ]
  },
})

const VALUE = lmTempSensorsTable.columns.value.id

function sensorRows(
  sensorClass: string,
  divisor: number,
  entry: string,
  table: TableResult<typeof lmTempSensorsTable>,
): readonly SensorRow[] {
  return [...table.rows].flatMap(([index, row]) => {
    // Negative temperatures are sent as two's complement in a Gauge32.
    const value = row.value === undefined ? 0 : row.value > 0x7fffffff ? row.value - 2 ** 32 : row.value
    if (value === 0) return []
    return [
      withLimits({
        sensor_class: sensorClass,
        sensor_type: 'lmsensors',
        sensor_index: index,
        sensor_oid: `${entry}.${VALUE}.${index}`,
        sensor_descr: row.device || `Sensor ${index}`,
        group: 'lmsensors',
        sensor_divisor: divisor,
        sensor_multiplier: 1,
        sensor_current: value / divisor,
        sensor_limit: null,
        sensor_limit_warn: null,
        sensor_limit_low: null,
        sensor_limit_low_warn: null,
        entPhysicalIndex: null,
        entPhysicalIndex_measured: null,
      }),
    ]
  })
}
