import type { Row } from '@portlight/snmp/table.ts'
import { hrPrinterTable } from '../../mibs/host-resources-mib.ts'
import { prtInputTable, prtMarkerColorantTable, prtMarkerSuppliesTable, SUPPLY_TYPE } from '../../mibs/printer-mib.ts'
import { need, phase } from '../module.ts'
import { printerErrorSensors } from './errors.ts'
import type { PrinterSupplyRow } from './observation.ts'
import { supplyPercent } from './poll.ts'

const SUPPLIES = `${prtMarkerSuppliesTable.entry}.`
const TRAYS = `${prtInputTable.entry}.`

/**
 * Toner, drums, waste boxes and other supplies, and paper trays (Printer-MIB, RFC 3805), and what such a printer
 * complains about (HOST-RESOURCES-MIB).
 */
export const discoverPrinterSupplies = phase({
  tables: { supplies: need(prtMarkerSuppliesTable) },
  follow: ({ tables }) =>
    tables.supplies.rows.size === 0
      ? []
      : [
          {
            key: 'more',
            tables: {
              colours: need(prtMarkerColorantTable),
              trays: need(prtInputTable),
              printers: need(hrPrinterTable),
            },
          },
        ],
  run({ tables: { supplies }, followed }) {
    const more = followed.get('more')?.tables
    const rows: PrinterSupplyRow[] = []
    for (const [index, row] of supplies.rows) {
      const { prtMarkerSuppliesLevel: level, prtMarkerSuppliesMaxCapacity: max } = row
      if (level === undefined) continue
      const capacity = max !== undefined && max > 0 ? max : null
      rows.push({
        supply_type: SUPPLY_TYPE[row.prtMarkerSuppliesType ?? 2] ?? 'unknown',
        supply_index: index,
        supply_descr: nameOf(index, row, more?.colours.rows),
        supply_oid: `${SUPPLIES}9.${index}`,
        supply_capacity_oid: capacity === null ? null : `${SUPPLIES}8.${index}`,
        supply_capacity: capacity,
        supply_current: supplyPercent(level, capacity),
      })
    }
    for (const [index, row] of more?.trays.rows ?? []) {
      const { prtInputCurrentLevel: level, prtInputMaxCapacity: capacity } = row
      // A tray of unknown size has no percentage.
      if (level === undefined || capacity === undefined || capacity <= 0) continue
      rows.push({
        supply_type: 'input',
        supply_index: index,
        supply_descr: row.prtInputDescription || row.prtInputName || `Tray ${index.replace(/^\d+\./, '')}`,
        supply_oid: `${TRAYS}10.${index}`,
        supply_capacity_oid: `${TRAYS}9.${index}`,
        supply_capacity: capacity,
        supply_current: supplyPercent(level, capacity),
      })
    }
    const complete = supplies.complete && more?.colours.complete !== false && more?.trays.complete !== false
    const found = [{ kind: 'printer_supplies', complete, rows }] as const
    if (more === undefined) return found
    const errors = printerErrorSensors(more.printers)
    return [...found, { kind: 'sensors', complete: more.printers.complete, rows: errors }]
  },
})

/**
 * The printer's own description without the part number that some printers append after a semicolon; without one,
 * colour and type.
 */
function nameOf(
  index: string,
  row: Row<typeof prtMarkerSuppliesTable>,
  colours: ReadonlyMap<string, Row<typeof prtMarkerColorantTable>> | undefined,
): string {
  const descr = row.prtMarkerSuppliesDescription?.split(';', 1)[0]?.trim()
  if (descr) return descr
  const device = index.split('.')[0] ?? '1'
  const colour = colours?.get(`${device}.${row.prtMarkerSuppliesColorantIndex ?? 0}`)?.prtMarkerColorantValue ?? ''
  return [colour, SUPPLY_TYPE[row.prtMarkerSuppliesType ?? 2] ?? 'supply'].filter(Boolean).join(' ')
}
