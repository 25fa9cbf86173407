import { BACKUP_ROWS } from './backup.ts'
import { DEVICE_FIELD_ROWS } from './device-fields.ts'
import { LOCATION_ROWS } from './locations.ts'
import { MAINTENANCE_ROWS } from './maintenance.ts'
import { PARENT_ROWS } from './parents.ts'
import { POLLER_ROWS } from './pollers.ts'
import { PORT_NOTES_ROWS } from './port-notes.ts'
import type { Row } from './row.ts'

/** Operations on locations, maintenance, parents, pollers and backups. */
export const OPERATOR_ROWS: readonly Row[] = [
  ...LOCATION_ROWS,
  ...MAINTENANCE_ROWS,
  ...PARENT_ROWS,
  ...POLLER_ROWS,
  ...BACKUP_ROWS,
  ...PORT_NOTES_ROWS,
  ...DEVICE_FIELD_ROWS,
]
