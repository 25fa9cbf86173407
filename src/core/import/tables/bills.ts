import type { TableSpec } from '../context.ts'
import { intOf, textOf } from '../source.ts'

/** Bills and their closed periods. */
export const BILLS: readonly TableSpec[] = [
  {
    table: 'bills',
    known: true,
    local: ['bill_last_calc'],
    convert: (row, values) => ({
      ...values,
      bill_type: textOf(row, 'bill_type').toLowerCase() === 'quota' ? 'quota' : 'cdr',
      dir_95th: ['in', 'out', 'agg'].includes(textOf(row, 'dir_95th')) ? textOf(row, 'dir_95th') : 'in',
    }),
  },
  { table: 'bill_ports', key: ['bill_id', 'port_id'] },
  { table: 'bill_perms', key: ['user_id', 'bill_id'] },
  {
    table: 'bill_history',
    local: ['bill_datefrom', 'bill_dateto'],
    skip: ['pdf'],
    // Marks closed periods as current: they keep the figures that were invoiced, and one last computed before its end
    // would be computed again.
    convert: (row, values, of) => ({
      ...values,
      bill_type: textOf(row, 'bill_type').toLowerCase() === 'quota' ? 'Quota' : 'CDR',
      updated: new Date(of.now).toISOString(),
    }),
  },
  { table: 'device_outages', key: ['device_id', 'going_down'] },
  { table: 'availability', key: ['device_id', 'duration'] },
]

/** Traffic of bills, in order of time for each bill. */
export function billDataTable(): TableSpec {
  const last = new Map<string, number>()
  return {
    table: 'bill_data',
    convert(row, values, of) {
      const bill = textOf(row, 'bill_id')
      const before = last.get(bill) ?? Number.NaN
      const at = of.clock.instantAfter(textOf(row, 'timestamp'), before)
      if (Number.isNaN(at)) return 'left out'
      last.set(bill, at)
      const period = intOf(row, 'period')
      const fits = period !== null && period >= 0 && period <= 86_400
      const since = Number.isNaN(before) ? 300 : Math.min(86_400, Math.max(0, Math.round((at - before) / 1000)))
      return { ...values, timestamp: new Date(at).toISOString(), period: fits ? period : since }
    },
  }
}
