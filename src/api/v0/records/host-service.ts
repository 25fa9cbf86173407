import { presenter } from '../../../core/records/fields.ts'
import { SERVICE } from '../../../core/records/tables.ts'

/** A service; unset texts are empty. */
export const presentService = presenter(SERVICE, {})
