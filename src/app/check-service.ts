import type { ServiceCheckReport } from '../cli/app.ts'
import type { Settings } from '../config/schema.ts'
import { quoted } from '../core/checks/arguments.ts'
import type { CheckPlan } from '../core/checks/plan.ts'
import { createRunner } from '../core/checks/run/run.ts'
import { addressOf, agentOf, planOf } from '../core/checks/run/service.ts'
import { findPlugin, pluginFolders } from '../core/checks/types.ts'
import { type CheckedService, servicesToCheck } from '../core/checks/write-results.ts'
import type { Store } from '../core/database/client.ts'

/** Checks a service now, in this process, without storing the result. Null: no such service. */
export async function checkService(
  { store, settings }: { store: Store; settings: Settings },
  serviceId: number,
): Promise<ServiceCheckReport | null> {
  const [service] = await servicesToCheck(store, { services: [serviceId] })
  if (service === undefined) return null
  const program = await findPlugin(pluginFolders(settings), service.service_type)
  const plan = planOf(service, program, settings.get('services.prefer'))
  const runner = createRunner()
  const began = performance.now()
  try {
    const timeoutMs = settings.get('services.timeout') * 1000
    const { status, message, measured } = await runner.run({ plan, timeoutMs, agent: agentOf(service, plan) })
    const values = measured.map(({ label, value, unit }) => ({
      label,
      value: Number.isNaN(value) ? null : value,
      unit,
    }))
    return { ran: ranOf(plan, service), status, message, values, tookMs: performance.now() - began }
  } finally {
    runner.close()
  }
}

function ranOf(plan: CheckPlan, service: CheckedService): string {
  if (plan.kind === 'refused') return 'nothing'
  if (plan.kind === 'plugin') return [plan.path, ...plan.args].map(quoted).join(' ')
  return `built-in check ${plan.probe.type} of ${addressOf(service)} ${service.service_param ?? ''}`.trim()
}
