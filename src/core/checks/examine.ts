import type { Settings } from '../../config/schema.ts'
import type { Store } from '../database/client.ts'
import { planCheck } from './plan.ts'
import { listHostServices, overdueServices } from './read.ts'
import { findPlugin, pluginFolders } from './types.ts'

/** State of the services. */
export interface ServiceExamination {
  readonly enabled: number
  readonly refused: readonly { readonly id: number; readonly type: string; readonly reason: string }[]
  readonly overdue: number
}

/**
 * Number of enabled services, those that cannot be checked, and number not checked for two intervals.
 */
export async function examineServices(store: Store, settings: Settings): Promise<ServiceExamination> {
  const enabled = (await listHostServices(store, { kind: 'all' }, {})).filter((row) => row.service_disabled === 0)
  const refused: { id: number; type: string; reason: string }[] = []
  for (const row of enabled) {
    const { service_id: id, service_type: type, service_param } = row
    const program = await findPlugin(pluginFolders(settings), type)
    const planned = { type, address: row.service_ip || 'localhost', param: service_param ?? '' }
    const plan = planCheck(planned, { program, prefer: settings.get('services.prefer') })
    if (plan.kind === 'refused') refused.push({ id, type, reason: plan.reason })
  }
  const overdue = await overdueServices(store, 2 * settings.get('services.interval') + settings.get('services.timeout'))
  return { enabled: enabled.length, refused, overdue }
}
