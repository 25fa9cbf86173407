import { hrDeviceTable, hrProcessorTable } from '../../mibs/host-resources-mib.ts'
import { ssCpuIdle } from '../../mibs/ucd-snmp-mib.ts'
import { need, phase } from '../module.ts'
import type { ProcessorRow } from '../observation.ts'

const LOAD_COLUMN = `${hrProcessorTable.entry}.${hrProcessorTable.columns.hrProcessorLoad.id}`

/** Processors: individually from HOST-RESOURCES-MIB, else all together from the idle time in UCD-SNMP-MIB. */
export const discoverProcessors = phase({
  tables: { loads: need(hrProcessorTable) },
  scalars: { ssCpuIdle },
  follow: ({ tables }) =>
    tables.loads.rows.size === 0 ? [] : [{ key: 'names', tables: { devices: need(hrDeviceTable, ['hrDeviceDescr']) } }],
  run({ tables: { loads }, scalars, scalarsComplete, followed }) {
    const names = followed.get('names')?.tables.devices.rows
    const rows: ProcessorRow[] = []
    let position = 0
    for (const [index, row] of loads.rows) {
      const hrDeviceIndex = Number(index)
      if (!Number.isInteger(hrDeviceIndex)) continue
      const descr = names?.get(index)?.hrDeviceDescr
      rows.push({
        processor_type: 'hr',
        processor_index: index,
        processor_oid: `${LOAD_COLUMN}.${index}`,
        processor_descr: processorName(descr, position++, loads.rows.size),
        processor_precision: 1,
        hrDeviceIndex,
        entPhysicalIndex: 0,
        processor_usage: percent(row.hrProcessorLoad),
      })
    }
    const idle = scalars.ssCpuIdle
    if (rows.length === 0 && idle !== undefined) {
      rows.push({
        processor_type: 'ucd-old',
        processor_index: '0',
        processor_oid: ssCpuIdle.oid,
        processor_descr: 'CPU',
        processor_precision: -1,
        hrDeviceIndex: null,
        entPhysicalIndex: 0,
        processor_usage: percent(100 - idle),
      })
    }
    return [{ kind: 'processors', complete: loads.complete && scalarsComplete, rows }]
  },
})

/**
 * net-snmp reports `GenuineIntel: Intel(R) Xeon(R) CPU …` for each; vendor ID, trademark signs and "CPU" are dropped.
 */
function processorName(descr: string | undefined, position: number, count: number): string {
  const name = (descr ?? '')
    .replace(/^(GenuineIntel|AuthenticAMD|CentaurHauls|Unknown Processor Type):?\s*/i, '')
    .replace(/\((R|TM|C)\)/gi, '')
    .replace(/\bCPU\b(?=\s+\S)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (name !== '' && !/^unknown$/i.test(name)) return name
  return count === 1 ? 'Processor' : `Processor ${position + 1}`
}

/** hrProcessorLoad is 0 … 100. Values outside are unknown. */
function percent(value: number | undefined): number | null {
  return value !== undefined && value >= 0 && value <= 100 ? value : null
}
