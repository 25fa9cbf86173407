import type { Row } from '@portlight/snmp/table.ts'
import { type connUnitPortTable, FC_MODULE, FC_TRANSMITTER, GBIC_NOT_INSTALLED } from '../../mibs/fcmgmt-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import type { Interfaces } from './interfaces.ts'
import { type Known, reported } from './row.ts'

/**
 * A module of a Fibre Channel switch (connUnitPortTable); null for an empty cage. `index` is connUnitPortIndex: the
 * agent answers for its own switch, whose identifier in front is the same in all rows. The interface is known where the
 * agent names them after the port's physical number.
 */
export function fibreChannelModule(
  row: Row<typeof connUnitPortTable>,
  index: string,
  { byName }: Interfaces,
): Known | null {
  const serial = reported(row.connUnitPortSn)
  const vendor = reported(row.connUnitPortVendor)
  if (row.connUnitPortModuleType === GBIC_NOT_INSTALLED || (serial === null && vendor === null)) return null
  const type = [
    enumName(FC_MODULE, row.connUnitPortModuleType),
    enumName(FC_TRANSMITTER, row.connUnitPortTransmitterType),
  ]
  const number = row.connUnitPortPhysicalNumber
  return {
    index: index.slice(index.lastIndexOf('.') + 1),
    ifIndex: (number === undefined ? undefined : byName.get(`FC port 0/${number}`)) ?? null,
    type: type.filter((part) => part !== undefined).join(' ') || null,
    vendor,
    revision: reported(row.connUnitPortRevision),
    serial,
  }
}
