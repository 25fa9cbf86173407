import { EDITABLE_FIELDS, SWITCH_FIELDS } from '../core/devices/fields.ts'
import { meantOf } from '../lib/nearest.ts'
import { usage } from './errors.ts'

/**
 * The field and value of `device set`, where a switch is also yes or no. Throws a usage error for a field that cannot be
 * set, and for a switch that is neither.
 */
export function deviceField(field: string, value: string): [string, string] {
  if (!EDITABLE_FIELDS.includes(field)) {
    const meant = meantOf(field, EDITABLE_FIELDS)
    throw usage(`there is no field ${field.slice(0, 64)} that can be set${meant}: ${EDITABLE_FIELDS.join(', ')}`)
  }
  if (!SWITCH_FIELDS.has(field)) return [field, value]
  const switched = /^(1|yes|on|true)$/i.test(value) ? '1' : /^(0|no|off|false|)$/i.test(value) ? '0' : null
  if (switched === null) throw usage(`${field} is 1 or 0 (yes or no), not ${value.slice(0, 64)}`)
  return [field, switched]
}
