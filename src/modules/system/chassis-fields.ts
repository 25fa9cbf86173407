import type { Rows } from '@portlight/snmp/table.ts'
import type { entPhysicalTable } from '../../mibs/entity-mib.ts'
import { chassisOf } from '../inventory/chassis.ts'
import type { SystemObservation } from './observation.ts'

type Fields = Partial<Pick<SystemObservation, 'hardware' | 'version' | 'serial' | 'features'>>

/**
 * The fields, with serial number and model of the chassis (entPhysicalSerialNum, entPhysicalModelName of ENTITY-MIB) where
 * no definition has them. Its entPhysicalSoftwareRev is not taken for the version, because on many devices it is that of a
 * kernel or of a board.
 */
export function givenByChassis<F extends Fields>(fields: F, rows: Rows<typeof entPhysicalTable> | undefined): F {
  const chassis = rows === undefined ? null : chassisOf(rows)
  if (chassis === null) return fields
  const serial = fields.serial || meaningful(chassis.entPhysicalSerialNum) || fields.serial
  const hardware = fields.hardware || meaningful(chassis.entPhysicalModelName) || fields.hardware
  return { ...fields, ...(serial !== undefined && { serial }), ...(hardware !== undefined && { hardware }) }
}

/** The text if it has more than zeros and punctuation, with which agents fill what they do not know. */
function meaningful(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? ''
  return /[1-9\p{L}]/u.test(trimmed) && !/^(?:n\/?a|none|unknown|unspecified|null)$/i.test(trimmed)
    ? trimmed
    : undefined
}
