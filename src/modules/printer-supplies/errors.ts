import type { StateSet } from '../../definitions/health.ts'
import {
  conditionValue,
  PRINTER_CONDITIONS,
  printerErrors,
  SEVERAL_CRITICAL,
  SEVERAL_WARNINGS,
} from '../../lib/printer-errors.ts'
import { hrPrinterTable } from '../../mibs/host-resources-mib.ts'
import type { TableResult } from '../module.ts'
import type { SensorRow } from '../observation.ts'

const STATES: StateSet = {
  name: 'hrPrinterDetectedErrorState',
  values: [
    { value: 0, descr: 'Normal', generic: 'ok' },
    ...PRINTER_CONDITIONS.map(({ text, critical }, bit) => ({
      value: conditionValue(bit),
      descr: text,
      generic: critical ? ('critical' as const) : ('warning' as const),
    })),
    { value: SEVERAL_WARNINGS, descr: 'Several warnings', generic: 'warning' },
    { value: SEVERAL_CRITICAL, descr: 'Several conditions', generic: 'critical' },
  ],
}

const COLUMN = `${hrPrinterTable.entry}.${hrPrinterTable.columns.hrPrinterDetectedErrorState.id}`

/** A state sensor for each printer of HOST-RESOURCES-MIB::hrPrinterTable: what it complains about. */
export function printerErrorSensors(printers: TableResult<typeof hrPrinterTable>): readonly SensorRow[] {
  return [...printers.rows].flatMap(([index, { hrPrinterDetectedErrorState: octets }], i) =>
    octets === undefined
      ? []
      : [
          {
            sensor_class: 'state',
            sensor_type: STATES.name,
            sensor_index: String(i),
            sensor_oid: `${COLUMN}.${index}`,
            sensor_descr: 'Printer Error Status',
            group: null,
            sensor_divisor: 1,
            sensor_multiplier: 1,
            sensor_current: printerErrors(String.fromCharCode(...octets.subarray(0, 2))),
            sensor_limit: null,
            sensor_limit_warn: null,
            sensor_limit_low: null,
            sensor_limit_low_warn: null,
            entPhysicalIndex: null,
            entPhysicalIndex_measured: null,
            user_func: 'printer_errors',
            states: STATES,
          },
        ],
  )
}
