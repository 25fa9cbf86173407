import type { ServiceRow } from '../../../core/checks/service.ts'
import { orEmpty } from './forms.ts'

/** A service; unset texts are empty. */
export const presentService = (row: ServiceRow) => ({
  ...row,
  service_ip: orEmpty(row.service_ip),
  service_desc: orEmpty(row.service_desc),
  service_param: orEmpty(row.service_param),
  service_message: orEmpty(row.service_message),
  service_ds: orEmpty(row.service_ds),
  service_name: orEmpty(row.service_name),
})
