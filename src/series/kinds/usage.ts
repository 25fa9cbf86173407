import { mempoolPoll } from '../../modules/mempools/poll.ts'
import { supplyPoll } from '../../modules/printer-supplies/poll.ts'
import { processorPoll } from '../../modules/processors/poll.ts'
import { storagePoll } from '../../modules/storage/poll.ts'
import type { Usage } from '../../modules/usage.ts'
import { gauge, gaugePoll, line, type SampleKind } from '../kind.ts'

const USAGE = [
  gauge('used', 'bigint', 'octets'),
  gauge('free', 'bigint', 'octets'),
  gauge('total', 'bigint', 'octets'),
  gauge('perc', 'real', 'percent'),
]
const USAGE_LINES = [line('perc'), line('used', 'used'), line('total', 'size')]
const octets = ({ used, free, total, perc }: Usage) => [used, free, total, perc].map((value) => value ?? Number.NaN)

export const processor: SampleKind = {
  name: 'processor',
  about: 'load of a processor',
  key: 'processor_id',
  chunk: '7 days',
  retention: 'health',
  columns: [gauge('usage', 'real', 'percent')],
  subject: { table: 'processors', id: 'processor_id', name: 'processor_descr' },
  view: { name: 'processor_usage', with: ['processor_descr'] },
  lines: [line('usage')],
  graphs: [{ name: 'processor', label: 'Processor Usage', unit: '%', axis: 'percent', average: true }],
  current: { set: [['processor_usage', 'usage', 'int']] },
  poll: gaugePoll(processorPoll, (value) => [value], {
    needs: [
      ['processor_oid', 'oid'],
      ['processor_precision', 'as it is'],
    ],
    module: () => 'processors',
  }),
}

export const mempool: SampleKind = {
  name: 'mempool',
  about: 'use of a memory pool',
  key: 'mempool_id',
  chunk: '7 days',
  retention: 'health',
  columns: USAGE,
  subject: { table: 'mempools', id: 'mempool_id', name: 'mempool_descr', where: 'mempool_deleted = 0' },
  view: { name: 'mempool_usage', with: ['mempool_descr'] },
  lines: USAGE_LINES,
  graphs: [{ name: 'mempool', label: 'Memory Usage', unit: '%', axis: 'percent', amounts: ['used', 'size'] }],
  current: {
    set: [
      ['mempool_used', 'used', 'bigint'],
      ['mempool_free', 'free', 'bigint'],
      ['mempool_total', 'total', 'bigint'],
      ['mempool_perc', 'perc', 'int'],
    ],
  },
  poll: gaugePoll(mempoolPoll, octets, {
    needs: [
      ['mempool_used_oid', 'oid'],
      ['mempool_free_oid', 'oid'],
      ['mempool_total_oid', 'oid'],
      ['mempool_perc_oid', 'oid'],
      ['mempool_precision', 'as it is'],
      ['mempool_total', 'positive'],
    ],
    module: () => 'mempools',
  }),
}

export const storage: SampleKind = {
  name: 'storage',
  about: 'use of a filesystem',
  key: 'storage_id',
  chunk: '7 days',
  retention: 'health',
  columns: USAGE,
  subject: { table: 'storage', id: 'storage_id', name: 'storage_descr' },
  view: { name: 'storage_usage', with: ['storage_descr'] },
  lines: USAGE_LINES,
  graphs: [{ name: 'storage', label: 'Filesystem Usage', unit: '%', axis: 'percent', amounts: ['used', 'size'] }],
  current: {
    set: [
      ['storage_used', 'used', 'bigint'],
      ['storage_free', 'free', 'bigint'],
      ['storage_size', 'total', 'bigint'],
      ['storage_perc', 'perc', 'int'],
    ],
  },
  poll: gaugePoll(storagePoll, octets, {
    needs: [
      ['storage_used_oid', 'oid'],
      ['storage_free_oid', 'oid'],
      ['storage_size_oid', 'oid'],
      ['storage_perc_oid', 'oid'],
      ['storage_units', 'as it is'],
      ['storage_size', 'positive'],
    ],
    module: () => 'storage',
  }),
}

export const supply: SampleKind = {
  name: 'supply',
  about: 'what is left of a printer supply',
  key: 'supply_id',
  chunk: '7 days',
  retention: 'health',
  columns: [gauge('value', 'real', 'percent')],
  subject: { table: 'printer_supplies', id: 'supply_id', name: 'supply_descr' },
  view: { name: 'supply_levels', with: ['supply_type', 'supply_descr'] },
  lines: [line('value')],
  graphs: [{ name: 'toner', label: 'Toner', title: 'Printer Supplies', unit: '%', axis: 'percent' }],
  current: { set: [['supply_current', 'value', 'float8']] },
  poll: gaugePoll(supplyPoll, (value) => [value], {
    needs: [
      ['supply_oid', 'oid'],
      ['supply_capacity', 'as it is'],
    ],
    module: () => 'printer-supplies',
  }),
}
