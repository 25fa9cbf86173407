import type { Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import { dot3adAggPortTable } from '../../mibs/ieee8023-lag-mib.ts'
import { ifStackTable } from '../../mibs/if-mib.ts'
import { enumName, ROW_STATUS } from '../../mibs/snmpv2-tc.ts'
import { need, phase } from '../module.ts'
import type { PortStackRow } from './observation.ts'

/**
 * Interface layering (RFC 2863 §3.1.1). For agents without ifStackTable the members of link aggregation groups (IEEE
 * 802.3ad) are read instead, which covers most of it.
 */
export const discoverPortStack = phase({
  tables: { stack: need(ifStackTable) },
  likely: [need(dot3adAggPortTable)],
  follow: ({ tables }) =>
    tables.stack.supported ? [] : [{ key: 'lag', tables: { members: need(dot3adAggPortTable) } }],
  run({ tables: { stack }, followed }) {
    const members = followed.get('lag')?.tables.members
    const rows = members === undefined ? layers(stack.rows) : aggregations(members.rows)
    return [{ kind: 'port-stack', complete: stack.complete && (members?.complete ?? true), rows }]
  },
})

/** The layers. 0 on one side: nothing is above or below the other. */
function layers(rows: Rows<typeof ifStackTable>): readonly PortStackRow[] {
  return [...rows].flatMap(([index, row]) => {
    const [higher, lower] = decodeIndex(index, ['integer', 'integer']) ?? []
    const ifStackStatus = enumName(ROW_STATUS, row.ifStackStatus)
    if (higher === undefined || lower === undefined || ifStackStatus === undefined) return []
    if (higher === 0 && lower === 0) return []
    return [{ high_ifIndex: higher, low_ifIndex: lower, ifStackStatus }]
  })
}

function aggregations(rows: Rows<typeof dot3adAggPortTable>): readonly PortStackRow[] {
  return [...rows].flatMap(([index, row]) => {
    const member = decodeIndex(index, ['integer'])?.[0]
    const aggregator = row.dot3adAggPortSelectedAggID
    if (member === undefined || aggregator === undefined || aggregator <= 0 || aggregator === member) return []
    return [{ high_ifIndex: aggregator, low_ifIndex: member, ifStackStatus: 'active' }]
  })
}
