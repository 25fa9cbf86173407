import { LOCATION_ROWS } from './locations.ts'
import { MAINTENANCE_ROWS } from './maintenance.ts'
import type { Row } from './row.ts'

/** What an operator arranges around devices: locations, maintenance, parents, pollers, backups. */
export const OPERATOR_ROWS: readonly Row[] = [...LOCATION_ROWS, ...MAINTENANCE_ROWS]
