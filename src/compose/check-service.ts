import { createRunner } from '../checks/run.ts'
import { addressOf, agentOf, planOf } from '../checks/service.ts'
import type { ServiceCheckReport } from '../cli/composition.ts'
import type { Settings } from '../config/schema.ts'
import { quoted } from '../domain/host-services/arguments.ts'
import type { CheckPlan } from '../domain/host-services/plan.ts'
import { findProgram, pluginFolders } from '../domain/host-services/types.ts'
import type { Store } from '../store/client.ts'
import { type CheckedService, servicesToCheck } from '../store/host-services/checks.ts'

/** Checks a service now, in this process, without storing the result. Null: no such service. */
export async function checkService(
  { store, settings }: { store: Store; settings: Settings },
  serviceId: number,
): Promise<ServiceCheckReport | null> {
  const [service] = await servicesToCheck(store, { services: [serviceId] })
  if (service === undefined) return null
  const program = await findProgram(pluginFolders(settings), service.service_type)
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
