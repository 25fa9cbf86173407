import type { TransceiverRow } from '../../../core/inventory/service.ts'
import type { FdbSight, PortStackRow } from '../../../core/inventory/switching.ts'
import { isoTime, localTime } from '../../../lib/record-times.ts'
import { orEmpty } from './forms.ts'

/** A transceiver; `port_id` is 0 if its interface is unknown. */
export const presentTransceiver = (row: TransceiverRow) => ({
  ...row,
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
  port_id: row.port_id ?? 0,
  ddm: row.ddm === null ? null : row.ddm !== 0,
})

/** A row of ifStackTable, with its ifIndexes also under the names that older clients use. */
export const presentPortStack = (row: PortStackRow) => ({
  ...row,
  port_id_high: row.high_ifIndex,
  port_id_low: row.low_ifIndex,
})

/** Where a MAC address was seen. */
export const presentFdbSight = (sight: FdbSight) => ({
  ...sight,
  sysName: orEmpty(sight.sysName),
  ifName: orEmpty(sight.ifName),
  ifAlias: orEmpty(sight.ifAlias),
  ifDescr: orEmpty(sight.ifDescr),
  updated_at: localTime(sight.updated_at),
})
