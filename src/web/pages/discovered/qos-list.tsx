/** @jsxImportSource #jsx */

import type { FoundRows } from '../../../core/lists/network-service.ts'
import type { Column } from '../../components/table.tsx'
import { measuredText, Unknown } from '../../components/values.tsx'
import { type FoundList, portColumn, state, textColumn } from './columns.tsx'

type QosClass = FoundRows['qos']

const rateColumn = (
  id: string,
  label: string,
  unit: string,
  of: (row: QosClass) => number | null,
): Column<QosClass> => ({
  id,
  label,
  numeric: true,
  cell: (row) => {
    const rate = of(row)
    return rate === null ? <Unknown /> : measuredText({ unit, prefixes: 'large' }, rate)
  },
  text: of,
})

export const QOS: FoundList<'qos'> = {
  kind: 'qos',
  label: 'QoS',
  gate: 'Port.viewAny',
  what: ['class', 'classes'],
  empty: 'No Cisco device reports QoS policies on its interfaces',
  columns: () => [
    ...state<QosClass>(({ dropped }) => (dropped === null ? 'unknown' : dropped > 0 ? 'dropping' : 'not dropping')),
    portColumn(),
    textColumn('circuit', 'Attached to', ({ circuit }) => circuit || 'interface'),
    textColumn('direction', 'Direction', ({ direction }) => direction),
    textColumn('policy', 'Policy', ({ policy }) => policy),
    textColumn('class', 'Class', ({ class: name }) => name),
    rateColumn('offered', 'Offered', 'bit/s', ({ offered }) => offered),
    rateColumn('sent', 'Sent', 'bit/s', ({ sent }) => sent),
    rateColumn('dropped', 'Dropped', 'bit/s', ({ dropped_bits }) => dropped_bits),
    rateColumn('droppedPackets', 'Dropped packets', 'packets/s', ({ dropped }) => dropped),
  ],
}
